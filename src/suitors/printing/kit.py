"""Print-and-play kits: an edition in a theme and a language, as data for one Typst template."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

import typst

from .. import art
from ..art.colours import mix, parse, readable, write
from ..notation import CARD_NAMES
from ..rules import BOXES, Edition, edition
from ..words import Theme, gettext
from ..words.rulebook import editions, rulings, rulings_of, section_titles

Paper = Literal["a4", "letter"]

TIMESTAMP = 0
"""The creation time in the files: the same input gives the same bytes."""

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
LARGEST_PT, SMALLEST_PT, STEP_PT = 9.5, 6.0, 0.25
"""The font sizes of the leaflet: the largest with which the rules fit on two pages is used."""

LEAFLET_PAGES = 2
ONE_SIDED = 10
"""How many characters fit on one side of a reference card; the other side then explains the turn and the goal."""


@dataclass(frozen=True)
class Kit:
    """What is to be printed."""

    edition: str
    lang: str
    theme: Theme
    paper: Paper = "a4"
    duplex: bool = False
    save_ink: bool = False  # lines only

    @property
    def players(self) -> int:
        """The most players, whose deck has all cards."""
        return BOXES[self.edition].players[-1]

    @property
    def rules(self) -> Edition:
        """The rules with the whole deck."""
        return edition(self.edition, self.players)


def print_kit(kit: Kit) -> bytes:
    """The whole kit as a PDF."""
    inputs = {"data": kit_text(kit)}
    made = typst.compile(template(), ignore_system_fonts=True, sys_inputs=inputs, timestamp=TIMESTAMP)
    assert isinstance(made, bytes)
    return made


def print_cards(kit: Kit, ppi: float = 300.0) -> dict[str, bytes]:
    """Each character and the back as a picture of its own, by name."""
    text = kit_text(kit)
    inputs = {"data": text, "part": "cards"}
    pages: Any = typst.compile(template(), format="png", ppi=ppi, ignore_system_fonts=True, sys_inputs=inputs)
    names = [card["slug"] for card in json.loads(text)["cards"]]
    return dict(zip([*names, "back"], pages if isinstance(pages, list) else [pages], strict=True))


def measure_texts(kit: Kit) -> list[Mapping[str, Any]]:
    """Of each text: what it is, its font size, and the share of its box that it needs."""
    inputs = {"data": json.dumps(_data(kit)), "part": "boxes"}
    answer = typst.query(template(), "<fit>", field="value", ignore_system_fonts=True, sys_inputs=inputs)
    found: list[Mapping[str, Any]] = json.loads(answer)
    return found


def kit_text(kit: Kit) -> str:
    """All that the template shows, as JSON; the leaflet in the size that fits, with as many rulings as possible."""
    data, size = _data(kit), LARGEST_PT
    while size > SMALLEST_PT and _leaflet_pages(data, size, 0) > LEAFLET_PAGES:
        size -= STEP_PT
    low, high = 0, len(data["rulings"])
    while low < high:
        middle = (low + high + 1) // 2
        if _leaflet_pages(data, size, middle) <= LEAFLET_PAGES:
            low = middle
        else:
            high = middle - 1
    return json.dumps({**data, "leaflet_size": size, "rulings": data["rulings"][:low]})


def _data(kit: Kit) -> dict[str, Any]:
    words, colours = editions()[kit.edition][kit.lang], palette(kit)
    cards = _cards(kit, colours)
    return {
        "title": words["title"],
        "about": words["about"],
        "lang": kit.lang,
        "paper": kit.paper,
        "duplex": kit.duplex,
        "colours": colours,
        "cards": cards,
        "deck": [k for k, card in enumerate(cards) for _ in range(card["count"])],
        "reference": _reference(kit, cards),
        "references": kit.players,
        "tokens": _tokens(kit),
        "sections": [{"title": title, "texts": words[key]} for key, title in section_titles(kit.lang).items()],
        "ornaments": {
            "seal": _drawn("ornaments", "seal", colours["wax-ground"]),
            "token": _drawn("ornaments", "star" if kit.theme.emblems == "mule" else "crown", colours["on-wax"]),
            "back": _drawn("ornaments", kit.theme.back, colours["envelope-line"]),
        },
        "rulings": [{"number": number, "text": rulings()[number][kit.lang]} for number in rulings_of(kit.edition)],
        "words": _words(kit),
    }


def palette(kit: Kit) -> dict[str, str]:
    """The colours of the theme in print; to save ink, lines on white."""
    ink, parchment, wax, gold, fog = (
        parse(kit.theme.colours[name]) for name in ("ink", "parchment", "wax", "gold", "fog")
    )
    card = WHITE if kit.save_ink else mix(parchment, WHITE, 0.45)
    found = {
        "ink": BLACK if kit.save_ink else ink,
        "card": card,
        "envelope": WHITE if kit.save_ink else mix(parchment, gold, 0.28),
        "envelope-line": mix(WHITE, BLACK, 0.5) if kit.save_ink else mix(ink, mix(parchment, gold, 0.28), 0.35),
        "wax": BLACK if kit.save_ink else wax,
        "wax-ground": mix(WHITE, BLACK, 0.12) if kit.save_ink else wax,
        "on-wax": BLACK if kit.save_ink else readable(parchment, (wax,), WHITE),
        "gold": mix(WHITE, BLACK, 0.5) if kit.save_ink else gold,
        "muted": readable(mix(ink, fog, 0.6), (card, WHITE), ink),
        "mark": mix(WHITE, BLACK, 0.55),
    }
    return {name: write(colour) for name, colour in found.items()}


def _cards(kit: Kit, colours: Mapping[str, str]) -> list[dict[str, Any]]:
    """A card of each character, highest first."""
    rules = kit.rules
    held = sorted((card for card in range(len(CARD_NAMES)) if rules.copies[card]), key=lambda c: (-rules.value[c], c))
    return [
        {
            "slug": CARD_NAMES[card],
            "name": kit.theme.name(card, kit.lang),
            "value": str(rules.value[card]),
            "text": kit.theme.text(card, kit.lang, by_number=bool(rules.by_number), solo=rules.players == 1),
            "count": rules.copies[card],
            "copies": f"×{rules.copies[card]}",
            "emblem": _coloured(kit.theme.emblem(card), colours["ink"]),
        }
        for card in held
    ]


def _reference(kit: Kit, cards: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The two sides of a reference card."""
    say, words = gettext(kit.lang), editions()[kit.edition][kit.lang]
    half = len(cards) if len(cards) <= ONE_SIDED else (len(cards) + 1) // 2
    first = {"title": say("Characters"), "cards": cards[:half], "texts": []}
    if half < len(cards):
        return [first, {"title": say("Characters"), "cards": cards[half:], "texts": []}]
    texts = [words["turn"][0], *words["ends"][:2], words["match"][0]]
    return [first, {"title": say("A round"), "cards": [], "texts": texts}]


def _tokens(kit: Kit) -> int:
    """As many as the longest match needs: everybody but the winner one short of the goal; none in the solo game."""
    box = BOXES[kit.edition]
    return 0 if box.solo else max(players * (goal - 1) + 1 for players, goal in box.goals.items())


def _words(kit: Kit) -> dict[str, str]:
    say = gettext(kit.lang)
    return {
        "cards": say("Cards"),
        "rulings": say("Rulings"),
        "fold": say("Fold the sheet along the dashed line, glue the halves together, then cut along the marks."),
        "duplex": say("Print on both sides, turned over the long edge, at full size; then cut along the marks."),
        "tokens": say("Cut the seals out: they are the tokens."),
        "colophon": say("Printed with Suitors, which contains no text or picture of the game’s publishers."),
    }


def _drawn(kind: str, name: str, colour: str) -> str:
    return _coloured(art.emblem(kind, name), colour)


def _coloured(svg: str, colour: str) -> str:
    """A drawing in a colour, since a file on its own has no current colour."""
    return re.sub("currentColor", colour, svg, flags=re.IGNORECASE)


def _leaflet_pages(data: Mapping[str, Any], size: float, count: int) -> int:
    """How many pages the leaflet needs in this size with so many rulings."""
    shown = {**data, "leaflet_size": size, "rulings": data["rulings"][:count]}
    inputs = {"data": json.dumps(shown), "part": "leaflet"}
    pages: Any = typst.compile(template(), format="svg", ignore_system_fonts=True, sys_inputs=inputs)
    return len(pages) if isinstance(pages, list) else 1


@lru_cache
def template() -> bytes:
    """The one template of all kits."""
    return resources.files(__package__).joinpath("kit.typ").read_bytes()
