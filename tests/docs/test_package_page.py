"""What a package index shows: links that lead somewhere from there, addresses, and classifiers that exist."""

import re
from typing import Any

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from trove_classifiers import classifiers

from support.repository import ROOT, load_script

HOME = {
    "repository": "https://example.org/suitors",
    "file": "{repository}/blob/main/{path}",
    "picture": "{repository}/raw/main/{path}",
}
LINKS = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(scope="module")
def core() -> Any:
    """The metadata of the package, as it would be built."""
    return ProjectMetadata(str(ROOT), PluginManager()).core


def test_the_page_has_no_link_that_leads_nowhere(core: Any) -> None:
    assert core.readme_content_type == "text/markdown"
    assert core.readme.startswith("# Suitors\n\nSuitors is the open home")
    assert all(link.startswith("https://") for link in LINKS.findall(core.readme))
    assert "(the page)" in core.readme


def test_with_a_home_every_link_and_picture_is_absolute() -> None:
    script, readme = load_script("tools/package_page.py"), (ROOT / "README.md").read_text("utf-8")
    shown = script.page(readme, HOME)
    assert len(LINKS.findall(shown)) == len(LINKS.findall(readme)) > 20
    assert all(link.startswith("https://") for link in LINKS.findall(shown))
    assert "](https://example.org/suitors/blob/main/docs/python.md)" in shown
    assert "](https://example.org/suitors/raw/main/docs/table.png)" in shown
    addresses = script.urls(HOME)
    assert addresses["Changelog"] == "https://example.org/suitors/blob/main/CHANGELOG.md"
    assert all((ROOT / address.partition("/blob/main/")[2]).exists() for address in addresses.values())


def test_classifiers_are_such_as_package_indexes_know(core: Any) -> None:
    assert set(core.classifiers) <= classifiers
    assert {"Programming Language :: Python :: 3.11", "Typing :: Typed"} <= set(core.classifiers)


def test_the_source_package_holds_what_the_page_is_made_of() -> None:
    included = ProjectMetadata(str(ROOT), PluginManager()).hatch.build_targets["sdist"]["include"]
    assert {"README.md", "CHANGELOG.md", "docs", "tools", "mkdocs.yml"} <= set(included)
