"""The documents name files, modules and pages that exist."""

import importlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import suitors
from support.repository import ROOT

SOURCE = Path(suitors.__file__).parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
CURRENT = [page for page in PAGES if page.name != "CHANGELOG.md"]
"""The pages that say what is; the changelog says what was, too."""

PACKAGES = sorted(SOURCE.rglob("__init__.py"))

FILE = re.compile(r"`([\w./*-]+\.(?:py|toml|po|typ|md|bin|txt|html|css|js|conf|yaml|yml|service))`")
MODULE = re.compile(r"\bsuitors(?!\.sqlite3|\.service)(?:\.\w+)+")
LISTED = re.compile(r"^([a-z_]+(?:, [a-z_]+)*)/? {2,}\S", re.MULTILINE)
"""A line of a package's map: its modules, two spaces or more, and what they are for."""

MADE_UP = {"my_bot.py", "pirates.toml", "limits.toml", "play.py"}
"""Files that a reader of the pages makes."""


def anchors(page: Path) -> Iterator[str]:
    """What may stand behind # in a link to the page: its headings, as they are turned into anchors, and its ids."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        yield re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
    yield from re.findall(r'<a id="([^"]+)">', text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("http://", "https://")):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", CURRENT, ids=lambda page: page.name)
def test_files_that_are_named_exist(page: Path) -> None:
    for name in set(FILE.findall(page.read_text("utf-8"))) - MADE_UP:
        assert any(_found(folder, name) for folder in (ROOT, ROOT / "tests", SOURCE)), f"{page.name} names {name}"


def _found(folder: Path, name: str) -> bool:
    """Whether there is such a file: from the root by its whole path, in source and tests by as much as is given."""
    return any(folder.glob(name) if folder == ROOT else folder.rglob(name))


@pytest.mark.parametrize("page", CURRENT, ids=lambda page: page.name)
def test_modules_that_are_named_exist(page: Path) -> None:
    for name in sorted(set(MODULE.findall(page.read_text("utf-8")))):
        assert _imports(name), f"{page.name} names {name}"


def _imports(name: str) -> bool:
    """Whether a dotted name is a module, or something in one; a module need not be importable on this machine."""
    parts = name.split(".")
    known = next(k for k in range(len(parts), 0, -1) if _is_module(".".join(parts[:k])))
    found: object = importlib.import_module(".".join(parts[:known])) if known < len(parts) else None
    for part in parts[known:]:
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: str(path.parent.relative_to(SOURCE.parent)))
def test_packages_list_their_own_modules(package: Path) -> None:
    docstring = package.read_text("utf-8").split('"""')[1]
    for line in LISTED.findall(docstring):
        for name in line.split(", "):
            there = [package.parent / name, package.parent / f"{name}.py"]
            assert any(path.exists() for path in there), f"{package.relative_to(ROOT)} lists {name}"
