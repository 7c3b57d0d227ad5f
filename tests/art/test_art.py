"""The drawings keep the rules that let them share one sprite, a strict page and a printed sheet."""

import math
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from suitors import art
from suitors.notation import CARD_NAMES

SVG = "{http://www.w3.org/2000/svg}"
EMBLEMS = ("court", "tempest", "mule")
TEMPEST_PERSONS = ("guard-dougaul", "guard-odette")
MULE = ("baron", "countess", "guard", "handmaid", "king", "priest", "prince", "princess")
MULE_PERSONS = ("baron-magnifico", "baron-mis", "priest-channis", "priest-pritcher", "prince-bayta", "prince-toran")
ORNAMENTS = {
    "back": "0 0 100 140",
    "back-mule": "0 0 100 140",
    "candle": "0 0 100 100",
    "cards": "0 0 100 100",
    "crown": "0 0 100 100",
    "eye": "0 0 100 100",
    "hourglass": "0 0 100 100",
    "jester": "0 0 100 100",
    "logo": "0 0 100 100",
    "mark": "0 0 100 100",
    "mark-broken": "0 0 100 100",
    "ribbon": "0 0 100 140",
    "seal": "0 0 100 100",
    "seal-broken": "0 0 100 100",
    "star": "0 0 100 100",
}
PAINT = {"fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-linecap", "stroke-linejoin"}
SHAPES = {
    "circle": {"cx", "cy", "r"},
    "ellipse": {"cx", "cy", "rx", "ry"},
    "g": set(),
    "line": {"x1", "y1", "x2", "y2"},
    "path": {"d"},
    "polygon": {"points"},
    "polyline": {"points"},
    "rect": {"x", "y", "width", "height", "rx"},
}
COLOURS = {"none", "currentColor", "#000", "#fff"}
PALETTE = {"#1c1b2b", "#f5ecd9", "#9b1c31", "#c79a2b"}
DRAWINGS = [(kind, name) for kind in art.KINDS for name in art.names(kind)]
NUMBER = re.compile(r"-?\d*\.?\d+")
STEP = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^A-Za-z]*)")
ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}

Point = tuple[float, float]

TINTED = 0.04
"""The least share of its field that the tint of an emblem covers."""

ALIKE = 3.0
"""Two emblems whose corners lie at most this far apart, on average, show the same picture."""


def path_points(data: str) -> list[Point]:
    """Every point a path names, ends and handles: what it draws lies between them (arcs only roughly)."""
    points: list[Point] = []
    x = y = start_x = start_y = 0.0
    for letter, rest in STEP.findall(data):
        command, size = letter.upper(), ARITY[letter.upper()]
        values = [float(number) for number in NUMBER.findall(rest)]
        assert (size == 0 and not values) or (size and values and len(values) % size == 0), (letter, rest)
        if command == "Z":
            x, y = start_x, start_y
        for first in range(0, len(values), size or 1):
            part = values[first : first + size]
            across, down = (x, y) if letter.islower() else (0.0, 0.0)
            if command == "H":
                part = [part[0], y - down]
            elif command == "V":
                part = [x - across, part[0]]
            elif command == "A":
                part = part[5:]
            named = [(across + part[i], down + part[i + 1]) for i in range(0, len(part), 2)]
            points += named
            x, y = named[-1]
            if command == "M" and first == 0:
                start_x, start_y = x, y
    return points


def points_of(element: ElementTree.Element) -> list[Point]:
    """The corners of what an element draws."""
    number = {key: float(value) for key, value in element.items() if NUMBER.fullmatch(value)}
    match element.tag.removeprefix(SVG):
        case "path":
            return path_points(element.get("d", ""))
        case "circle" | "ellipse":
            across, down = number.get("rx", number.get("r", 0)), number.get("ry", number.get("r", 0))
            x, y = number.get("cx", 0), number.get("cy", 0)
            return [(x - across, y - down), (x + across, y + down)]
        case "rect":
            x, y = number.get("x", 0), number.get("y", 0)
            return [(x, y), (x + number["width"], y + number["height"])]
        case "line":
            return [(number["x1"], number["y1"]), (number["x2"], number["y2"])]
        case "polyline" | "polygon":
            values = [float(value) for value in NUMBER.findall(element.get("points", ""))]
            return list(zip(values[::2], values[1::2], strict=True))
    return []


def outline(kind: str, name: str) -> list[Point]:
    """The corners of everything that a drawing draws."""
    return [point for element in ElementTree.fromstring(art.emblem(kind, name)).iter() for point in points_of(element)]


def distance(one: list[Point], other: list[Point]) -> float:
    """How far the corners of one drawing lie from the nearest of the other, on average; the larger of both ways."""
    ways = ((one, other), (other, one))
    return max(sum(min(math.dist(a, b) for b in ends) for a in starts) / len(starts) for starts, ends in ways)


@pytest.fixture(params=DRAWINGS, ids="/".join)
def drawing(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Each drawing in turn, as its kind and name."""
    kind, name = request.param
    return kind, name


def test_every_character_has_an_emblem() -> None:
    assert set(CARD_NAMES) - set(art.names("court")) == set(), "draw the card in art/court/<card>.svg"
    assert set(art.names("court")) - set(CARD_NAMES) == set()


def test_every_kind_has_its_drawings() -> None:
    assert set(art.KINDS) == {*EMBLEMS, "ornaments"}
    assert art.names("tempest") == TEMPEST_PERSONS
    assert art.names("mule") == tuple(sorted(MULE + MULE_PERSONS))
    assert art.names("ornaments") == tuple(sorted(ORNAMENTS))


def test_nothing_else_lies_in_the_folders() -> None:
    for kind in art.KINDS:
        folder = Path(art.__file__).parent / kind
        assert {file.name for file in folder.iterdir()} == {f"{name}.svg" for name in art.names(kind)}


def test_a_drawing_is_small_and_has_the_right_field(drawing: tuple[str, str]) -> None:
    text = art.emblem(*drawing)
    root = ElementTree.fromstring(text)
    field = ORNAMENTS[drawing[1]] if drawing[0] == "ornaments" else "0 0 100 140"
    assert len(text.encode()) < 2500
    assert root.tag == f"{SVG}svg"
    assert root.attrib == {"viewBox": field}
    assert text.startswith(art.OPENING)
    assert text.endswith(art.CLOSING)
    assert "<!" not in text
    assert "<?" not in text


def test_a_drawing_holds_only_shapes_and_paint(drawing: tuple[str, str]) -> None:
    more = {art.TINT} if drawing[0] in EMBLEMS else PALETTE if drawing[1] == "logo" else set()
    colours = COLOURS | more
    for element in list(ElementTree.fromstring(art.emblem(*drawing)).iter())[1:]:
        allowed = SHAPES[element.tag.removeprefix(SVG)] | PAINT
        assert set(element.attrib) <= allowed
        assert not (element.text or "").strip()
        assert {element.get("fill", "none"), element.get("stroke", "none")} <= colours


def test_numbers_have_one_decimal_at_most(drawing: tuple[str, str]) -> None:
    for element in ElementTree.fromstring(art.emblem(*drawing)).iter():
        for key, value in element.items():
            if not key.endswith("-opacity") and not value.startswith("#"):
                assert not re.search(r"\.\d\d", value), (key, value)


def test_emblems_are_drawn_in_the_colour_of_the_page_with_one_weight() -> None:
    for kind in EMBLEMS:
        for name in art.names(kind):
            root = ElementTree.fromstring(art.emblem(kind, name))
            widths = {width for element in root.iter() if (width := element.get("stroke-width"))}
            assert widths == {"3"}, name


def area(points: list[Point]) -> float:
    """The area of a polygon."""
    turned = zip(points, [*points[1:], points[0]], strict=True)
    return abs(sum(x * below - beside * y for (x, y), (beside, below) in turned)) / 2


def test_every_emblem_has_one_tint_below_its_lines_that_is_seen_at_once() -> None:
    for kind in EMBLEMS:
        for name in art.names(kind):
            shapes = list(ElementTree.fromstring(art.emblem(kind, name)))
            tinted = [shape for shape in shapes[0].iter() if shape.get("fill") == art.TINT]
            assert tinted == [shapes[0]], f"{name}: the first shape, and only that, is in the second ink"
            parts = [path_points(part + "z") for part in shapes[0].attrib["d"].split("z") if part]
            assert sum(map(area, parts)) > TINTED * 100 * 140, name


def test_nothing_visible_leaves_the_field(drawing: tuple[str, str]) -> None:
    root = ElementTree.fromstring(art.emblem(*drawing))
    width, height = (float(number) for number in root.attrib["viewBox"].split()[2:])
    margin = 4 if drawing[0] in EMBLEMS else 0
    points = outline(*drawing)
    assert points
    for x, y in points:
        assert margin <= x <= width - margin, (x, y)
        assert margin <= y <= height - margin, (x, y)


def test_emblems_fill_their_field() -> None:
    for kind in EMBLEMS:
        for name in art.names(kind):
            points = outline(kind, name)
            assert max(y for _, y in points) - min(y for _, y in points) >= 115, name
            assert max(x for x, _ in points) - min(x for x, _ in points) >= 55, name


def test_no_two_emblems_are_alike() -> None:
    """A copy moved by two units would be alike; so every person has a picture of their own."""
    outlines = {(kind, name): outline(kind, name) for kind in EMBLEMS for name in art.names(kind)}
    for points in outlines.values():
        assert distance(points, [(x + 2, y) for x, y in points]) < ALIKE
    for (one, points), (other, others) in combinations(outlines.items(), 2):
        assert distance(points, others) > ALIKE, (one, other)


@pytest.mark.parametrize("kind", art.KINDS)
def test_the_sprite_is_one_document_of_symbols(kind: str) -> None:
    root = ElementTree.fromstring(art.sprite(kind))
    assert root.tag == f"{SVG}svg"
    assert {child.tag for child in root} == {f"{SVG}symbol"}
    identifiers = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert identifiers == list(art.names(kind))
    for symbol in root:
        alone = ElementTree.fromstring(art.emblem(kind, symbol.attrib["id"]))
        assert symbol.attrib["viewBox"] == alone.attrib["viewBox"]
        assert [ElementTree.tostring(child) for child in symbol] == [ElementTree.tostring(child) for child in alone]


def test_what_is_not_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="no kind of drawings"):
        art.names("../server")
    with pytest.raises(ValueError, match="no drawing art/"):
        art.emblem("court", "../ornaments/seal")
