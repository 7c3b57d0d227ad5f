"""Drawings from outside: parsed, checked against a list of allowed elements and written anew, so that they are safe."""

from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

NAMESPACE = "http://www.w3.org/2000/svg"
MAX_LENGTH = 20_000
"""Characters in the longest drawing."""

PAINT = frozenset(
    {
        *("fill", "fill-opacity", "fill-rule", "opacity", "stroke", "stroke-opacity", "stroke-width", "transform"),
        *("stroke-linecap", "stroke-linejoin", "stroke-dasharray", "stroke-miterlimit"),
    }
)
SHAPES: dict[str, frozenset[str]] = {
    "svg": frozenset({"viewBox", "xmlns", "width", "height"}),
    "g": frozenset(),
    "path": frozenset({"d"}),
    "circle": frozenset({"cx", "cy", "r"}),
    "ellipse": frozenset({"cx", "cy", "rx", "ry"}),
    "line": frozenset({"x1", "y1", "x2", "y2"}),
    "polygon": frozenset({"points"}),
    "polyline": frozenset({"points"}),
    "rect": frozenset({"x", "y", "width", "height", "rx", "ry"}),
}
"""The elements that a drawing may have, and their attributes besides PAINT."""


class DrawingError(ValueError):
    """What is wrong in a drawing, and in which line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass
class _Sanitizer:
    """Writes a drawing anew, with allowed elements and attributes only."""

    parser: expat.XMLParserType
    parts: list[str] = field(default_factory=list)
    box: str = ""

    def error(self, message: str) -> DrawingError:
        return DrawingError(self.parser.CurrentLineNumber, message)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if name not in SHAPES or (name == "svg") != (not self.parts and not self.box):
            raise self.error(f"<{name:.40}> cannot be used in an emblem; use {', '.join(SHAPES)} (svg once, outside)")
        for key, value in attributes.items():
            if key not in SHAPES[name] | PAINT:
                raise self.error(f"{key:.40} is not allowed on <{name}> in an emblem")
            if "url(" in value or "&" in value:
                raise self.error(f"{key} refers to something outside of the drawing")
        if name == "svg":
            self.box = attributes.get("viewBox", "")
            if len(self.box.split()) != 4:
                raise self.error('the root of an emblem needs viewBox="0 0 100 140"')
            return
        written = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
        self.parts.append(f"<{name}{written}>")

    def end(self, name: str) -> None:
        """An element ends."""
        if name != "svg":
            self.parts.append(f"</{name}>")

    def doctype(self, *given: object) -> None:
        """A document type may bring entities."""
        raise self.error("an emblem has no DOCTYPE")


def read_drawing(text: str) -> str:
    """The drawing with its shapes only; a DrawingError where it has anything that is not allowed."""
    if len(text) > MAX_LENGTH:
        raise DrawingError(1, f"an emblem has at most {MAX_LENGTH} characters")
    parser = expat.ParserCreate()
    copy = _Sanitizer(parser)
    parser.StartElementHandler = copy.start
    parser.EndElementHandler = copy.end
    parser.StartDoctypeDeclHandler = copy.doctype
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise DrawingError(error.lineno, f"this is not XML: {expat.errors.messages[error.code]}") from None
    return f'<svg xmlns="{NAMESPACE}" viewBox={quoteattr(copy.box)}>{"".join(copy.parts)}</svg>\n'
