"""docs/rulings.md says what the rulings say."""

import re

import pytest

from suitors.rules import SWITCHES
from suitors.words.rulebook import rulings
from support.repository import ROOT, load_script, read_page

TOOL = load_script("tools/rulings_page.py")
PAGE = read_page("rulings.md")


def test_the_page_is_what_the_tool_makes() -> None:
    assert TOOL.page() == PAGE, "run `python tools/rulings_page.py`"


def test_the_page_has_every_ruling_and_every_switch_once() -> None:
    assert re.findall(r'^\| <a id="r\d+"></a>(R\d+) \|', PAGE, re.MULTILINE) == list(rulings())
    assert all(PAGE.count(f"Switch: `{switch}`") == 1 for switch in SWITCHES)


@pytest.mark.parametrize(
    ("number", "editions"),
    [
        ("R1", "`premium`, `modern`, `classic`, `demo`, `house`"),
        ("R3", "all"),
        ("R13", "`premium` 5–8"),
        ("R26", "`premium` 2–4"),
        ("R133", "`solitaire`, `solitaire-2019`"),
    ],
)
def test_a_ruling_names_the_editions_to_which_it_applies(number: str, editions: str) -> None:
    row = next(line for line in PAGE.splitlines() if f"</a>{number} |" in line)
    assert row.endswith(f"| {editions} |")


def test_the_source_cites_no_ruling_that_is_not_there() -> None:
    cited = {
        number
        for folder in ("src", "tests", "tools", "benchmarks", "docs")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md", ".toml")
        for number in re.findall(r"\bR[1-9]\d{0,2}\b", path.read_text("utf-8"))
    }
    assert cited - set(rulings()) == set()
