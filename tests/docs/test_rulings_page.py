"""docs/rulings.md says what the rulings say."""

import re

import pytest

from suitors.rules import SWITCHES
from suitors.words.rulebook import rulings
from support.repository import ROOT, load_script, read_page
from support.rulebooks import SEVERAL

TOOL = load_script("tools/rulings_page.py")
PAGE = read_page("rulings.md")


def row(number: str) -> str:
    """The row of a ruling."""
    return next(line for line in PAGE.splitlines() if f"</a>{number} |" in line)


def test_the_page_is_what_the_tool_makes() -> None:
    assert TOOL.page() == PAGE, "run `python tools/rulings_page.py`"


def test_the_page_has_every_ruling_and_every_switch_once() -> None:
    assert re.findall(r'^\| <a id="r\d+"></a>(R\d+) \|', PAGE, re.MULTILINE) == list(rulings())
    assert all(PAGE.count(f"Switch: `{switch}`") == 1 for switch in SWITCHES)


@pytest.mark.parametrize(
    ("number", "editions"),
    [
        ("R1", ", ".join(f"`{slug}`" for slug in SEVERAL)),
        ("R7", "all"),
        ("R13", "`premium` 5–8"),
        ("R26", "`premium` 2–4"),
        ("R30", "`premium` 5–8, theme `tempest`"),
        ("R104", "`house`, theme `mule`"),
        ("R133", "`solitaire`, `solitaire-2019`"),
    ],
)
def test_a_ruling_names_the_editions_to_which_it_applies(number: str, editions: str) -> None:
    assert row(number).endswith(f"| {editions} |")


def test_the_page_has_what_is_said_on_paper_or_to_some_editions_only() -> None:
    assert "The program asks you to confirm it. | all |" in row("R7")
    assert "Tokens never run out, whatever number the box holds. On paper: If the tokens run out" in row("R19")
    assert "`premium`, on paper: If you would rather not compare dates, draw lots" in row("R18")
    assert "has been seen. `premium`: That is 2–8 with 2–4 players, and 0 and 2–9 with 5–8. `modern`:" in row("R14")
    assert "| In the terminal: Part of the French text" in row("R88")


@pytest.mark.parametrize("number", rulings())
def test_the_page_names_every_card_in_words(number: str) -> None:
    assert not set("{}") & set(row(number))


def test_the_source_cites_no_ruling_that_is_not_there() -> None:
    cited = {
        number
        for folder in ("src", "tests", "tools", "benchmarks", "docs")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md", ".toml")
        for number in re.findall(r"\bR[1-9]\d{0,2}\b", path.read_text("utf-8"))
    }
    assert cited - set(rulings()) == set()
