"""What a package index shows of the project: the README with links that work there, and the project's addresses.

pyproject.toml names this file as a hook of hatchling. `[tool.suitors.home]` has the address of the repository and the
forms of the addresses in it. As long as there is none, links to files of the repository are left out, their words stay.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")
"""A link to a file of the repository, or a picture from it."""


class PackagePage(MetadataHookInterface):
    """Fills in `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the fields that depend on where the project is to be found."""
        root = Path(self.root)
        home = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["suitors"]["home"]
        readme = (root / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": page(readme, home)}
        metadata["urls"] = urls(home)


def urls(home: dict[str, str]) -> dict[str, str]:
    """The addresses of the project."""
    if "repository" not in home:
        return {}
    names = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md"}
    return {"Repository": home["repository"], **{name: _address(home, "file", path) for name, path in names.items()}}


def page(readme: str, home: dict[str, str]) -> str:
    """The README with addresses instead of paths; without a home, with words instead of links and without pictures."""

    def link(found: re.Match[str]) -> str:
        picture, words, path = found.groups()
        if "repository" in home:
            return f"{picture}[{words}]({_address(home, 'picture' if picture else 'file', path)})"
        return "" if picture else words

    return re.sub(r"\n{3,}", "\n\n", LINK.sub(link, readme))


def _address(home: dict[str, str], form: str, path: str) -> str:
    return home[form].format(repository=home["repository"], path=path)
