"""The documentation as a site: it builds without a warning, holds every page, and has a place for every public name."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import suitors
from support.repository import ROOT

PAGES = sorted(path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder


def test_the_site_builds_and_has_every_page_in_its_menu(site: Path) -> None:
    menu = (site / "index.html").read_text("utf-8")
    for page in PAGES:
        assert (site / page.with_suffix(".html")).is_file(), page
        assert f'href="{page.with_suffix(".html").as_posix()}"' in menu or page.name == "index.md", page


def test_every_public_name_has_its_place_in_the_reference(site: Path) -> None:
    text = "".join(path.read_text("utf-8") for path in (site / "reference").glob("*.html"))
    found = set(re.findall('id="([^"]+)"', text))
    assert {f"suitors.{name}" for name in suitors.__all__ if name != "__version__"} <= found
    assert {"suitors.Match.undo", "suitors.View.piles", "suitors.records.load", "suitors.bots.Bot.choose"} <= found
    assert "The seats that won the match." in text  # a comment behind a field


def test_the_site_asks_no_other_site_for_anything(site: Path) -> None:
    for path in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"', path.read_text("utf-8"))
        assert loaded == [], path.name
