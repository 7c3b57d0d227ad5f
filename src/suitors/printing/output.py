"""Kits as files: the data of a kit set by the one Typst template."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from importlib import resources
from typing import Any

import typst

from .cards import faces
from .kit import Kit
from .leaflet import leaflet
from .palette import ornament, palette
from .parts import markers, reference, token_notes, tokens

TIMESTAMP = 0
"""The creation time in the files: the same input gives the same bytes."""

LARGEST_PT, SMALLEST_PT, STEP_PT = 9.5, 8.0, 0.25
"""The font sizes of the leaflet."""

LEAFLET_PAGES = 2
"""The pages of a leaflet, if all of it fits on them in the smallest size; else it has as many as it then needs."""


SUSPECTS = b"/Suspects false"
"""What Typst writes into the catalogue of a tagged PDF: the default, over which readers built on Poppler complain."""


def print_kit(kit: Kit) -> bytes:
    """The whole kit as a PDF."""
    inputs = {"data": kit_text(kit)}
    made = typst.compile(template(), ignore_system_fonts=True, sys_inputs=inputs, timestamp=TIMESTAMP)
    assert isinstance(made, bytes)
    return made.replace(SUSPECTS, b" " * len(SUSPECTS))  # of the same length: every offset in the file stays right


def print_cards(kit: Kit, ppi: float = 300.0) -> dict[str, bytes]:
    """Each face of the deck and the back as a picture of its own, by name."""
    data = kit_data(kit)
    inputs = {"data": json.dumps(data), "part": "cards"}
    pages: Any = typst.compile(template(), format="png", ppi=ppi, ignore_system_fonts=True, sys_inputs=inputs)
    return dict(zip([*(face["slug"] for face in data["faces"]), "back"], pages, strict=True))


def measure_texts(kit: Kit) -> list[Mapping[str, Any]]:
    """Of each text: of what it is, its font size, and the share of its box that it needs."""
    return _asked(kit_data(kit), "boxes", "<fit>")


def kit_text(kit: Kit) -> str:
    """All that the template shows, as JSON; the leaflet in the largest size that needs no more pages than it must."""
    data = kit_data(kit)
    steps = round((LARGEST_PT - SMALLEST_PT) / STEP_PT)
    pages = max(LEAFLET_PAGES, _leaflet_pages(data, SMALLEST_PT))
    low, high = 0, steps
    while low < high:
        middle = (low + high + 1) // 2
        if _leaflet_pages(data, SMALLEST_PT + middle * STEP_PT) <= pages:
            low = middle
        else:
            high = middle - 1
    return json.dumps({**data, "leaflet_size": SMALLEST_PT + low * STEP_PT})


def kit_data(kit: Kit) -> dict[str, Any]:
    """All that the template shows, but for the size of the leaflet."""
    colours, theme, say = palette(kit), kit.theme, kit.words.say
    shown, sides = faces(kit, colours["ink"]), reference(kit)
    return {
        "lang": kit.lang,
        "paper": kit.paper,
        "duplex": kit.duplex,
        "colours": colours,
        "faces": [asdict(face) for face in shown],
        "deck": [k for k, face in enumerate(shown) for _ in range(face.count)],
        "reference": [asdict(side) for side in sides],
        "references": kit.players if sides else 0,
        "tokens": tokens(kit),
        "markers": markers(kit, colours["on-marker"]),
        "ornaments": {
            "seal": ornament(theme.ornament("seal"), colours["wax-ground"]),
            "broken": ornament(theme.ornament("broken"), colours["wax-ground"]),
            "marker": ornament(theme.ornament("seal"), colours["marker-ground"]),
            "token": ornament(theme.ornament("token"), colours["on-wax"]),
            "back": ornament(theme.ornament("back"), colours["envelope-line"]),
        },
        "notes": {
            "fold": say("Fold the sheet along the dashed line, glue the halves together, then cut along the marks."),
            "duplex": say("Print on both sides, turned over the long edge, at full size; then cut along the marks."),
            "tokens": " ".join(token_notes(kit)),
        },
        "leaflet": leaflet(kit),
    }


def _leaflet_pages(data: Mapping[str, Any], size: float) -> int:
    """How many pages the leaflet needs in this size."""
    return int(_asked({**data, "leaflet_size": size}, "leaflet", "<pages>")[0])


def _asked(data: Mapping[str, Any], part: str, what: str) -> list[Any]:
    """What the template answers about a part of a kit."""
    inputs = {"data": json.dumps(data), "part": part}
    answer = typst.query(template(), what, field="value", ignore_system_fonts=True, sys_inputs=inputs)
    found: list[Any] = json.loads(answer)
    return found


@lru_cache
def template() -> bytes:
    """The one template of all kits."""
    return resources.files(__package__).joinpath("kit.typ").read_bytes()
