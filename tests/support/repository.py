"""The repository's own files, for tests of them: programs outside the package, and pages of the documentation."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent


def load_script(path: str) -> Any:
    """The program at a path of the repository, loaded but not run."""
    spec = spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_page(name: str) -> str:
    """The text of a page of the documentation."""
    return (ROOT / "docs" / name).read_text("utf-8")


def blocks(page: str, language: str) -> list[str]:
    """A page's blocks in a language."""
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the tables below a heading, up to the next one."""
    section = re.split(rf"\n##+ {heading}\n", page)[1]
    section = re.split(r"\n##+ ", section)[0]
    lines = [line for line in section.splitlines() if line.startswith("| ") and "---" not in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def quoted(text: str) -> list[str]:
    """What stands in back quotes."""
    return re.findall("`([^`]+)`", text)
