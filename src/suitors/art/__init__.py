"""The drawings of Suitors: emblems of the characters and ornaments of the table, as SVG.

Emblems have two inks: lines in currentColor, and below them one shape in TINT, which is another for each character.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

KINDS = ("court", "tempest", "mule", "ornaments")
"""The kinds of drawings: the characters, the persons of the themes "tempest" and "mule", and ornaments."""

TINT = "var(--tint)"
"""The second ink, as the drawings name it; pages set it in a style sheet, and printing puts a colour in its place."""

OPENING = '<svg xmlns="http://www.w3.org/2000/svg" '
CLOSING = "</svg>\n"


def _folder(kind: str) -> Traversable:
    """The folder that holds the drawings of a kind."""
    if kind not in KINDS:
        raise ValueError(f"There is no kind of drawings {kind!r}; there are {', '.join(KINDS)}.")
    return files(__name__) / kind


@cache
def names(kind: str) -> tuple[str, ...]:
    """The names of all drawings of a kind, in alphabetical order."""
    found = (file.name for file in _folder(kind).iterdir())
    return tuple(sorted(name.removesuffix(".svg") for name in found if name.endswith(".svg")))


@cache
def emblem(kind: str, name: str) -> str:
    """One drawing, as the text of an SVG file."""
    if name not in names(kind):
        raise ValueError(f"There is no drawing art/{kind}/{name}.svg.")
    return (_folder(kind) / f"{name}.svg").read_text(encoding="utf-8")


@cache
def sprite(kind: str) -> str:
    """All drawings of a kind in one SVG, each a symbol with its name for an id."""
    return sprite_of({name: emblem(kind, name) for name in names(kind)})


def sprite_of(drawings: Mapping[str, str]) -> str:
    """Drawings by their names in one SVG."""
    symbols = (_symbol(name, drawing) for name, drawing in drawings.items())
    return '<svg xmlns="http://www.w3.org/2000/svg">' + "".join(symbols) + "</svg>"


def _symbol(name: str, drawing: str) -> str:
    """One drawing as a symbol: only the root element differs from the file's."""
    return f'<symbol id="{name}" {drawing.removeprefix(OPENING).removesuffix(CLOSING)}</symbol>'
