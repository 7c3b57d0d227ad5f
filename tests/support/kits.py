"""Kits for tests: as PDFs, each made once, and as what is shown, drawn and written on them."""

import io
import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

from pypdf import PageObject, PdfReader

from suitors.printing import Kit, Paper, print_kit
from suitors.printing.output import kit_text
from suitors.rules import BOXES
from suitors.words import LANGUAGES, THEMES, load_theme
from suitors.words.editions import editions

WRITTEN = [
    (slug, lang, theme)
    for slug in BOXES
    for lang in LANGUAGES
    for theme in THEMES
    if slug in load_theme(theme).editions
]
RING = b"1.984252 w"
"""How a PDF begins to draw the ring on a card."""

DOTTED = b"[0.4 2]0 d"
"""How it begins to draw the line along which a token is cut."""


def kit(slug: str = "modern", lang: str = "en", theme: str = "court", **more: Any) -> Kit:
    return Kit(slug, lang, load_theme(theme), **more)


def printed(wanted: Kit) -> PdfReader:
    """A kit as a PDF, made once for all tests that read it."""
    return _printed(wanted.edition, wanted.lang, wanted.theme.slug, wanted.paper, wanted.duplex, wanted.save_ink)


@cache
def _printed(slug: str, lang: str, theme: str, paper: Paper, duplex: bool, save_ink: bool) -> PdfReader:
    made = print_kit(kit(slug, lang, theme, paper=paper, duplex=duplex, save_ink=save_ink))
    return PdfReader(io.BytesIO(made))


def data(slug: str, lang: str = "en", theme: str = "court") -> dict[str, Any]:
    """All that a kit shows, collected once."""
    return _data(slug, lang, theme)


@cache
def _data(slug: str, lang: str, theme: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(kit_text(kit(slug, lang, theme)))
    return found


def deck(slug: str) -> dict[int, int]:
    """The whole deck of an edition."""
    box = BOXES[slug]
    return {int(card): count for card, count in box.decks[box.players[-1]].items()}


@dataclass(frozen=True)
class Parts:
    """What is drawn and written on the pages of a kit to be folded."""

    lines: Counter[str]  # on the sheets of cards and reference cards
    rings: int
    tokens: int
    token_colours: frozenset[tuple[float, float, float]]
    leaflet: str
    leaflet_pages: int


def parts(slug: str, lang: str = "en", theme: str = "court") -> Parts:
    """The parts of a kit, read from its PDF once."""
    return _parts(slug, lang, theme)


@cache
def _parts(slug: str, lang: str, theme: str) -> Parts:
    pages = printed(kit(slug, lang, theme)).pages
    texts = [page.extract_text() for page in pages]
    leaflet = next(k for k, text in enumerate(texts) if text.startswith(editions()[slug][lang]["title"]))
    tokens = leaflet - (0 if BOXES[slug].solo else 1)
    return Parts(
        lines=Counter(line.strip() for text in texts[:tokens] for line in text.splitlines()),
        rings=sum(drawn(page).count(RING) for page in pages[:tokens]),
        tokens=sum(drawn(page).count(DOTTED) for page in pages[tokens:leaflet]),
        token_colours=frozenset(fill for page in pages[tokens:leaflet] for fill in fills(drawn(page))),
        leaflet="\n".join(texts[leaflet:]),
        leaflet_pages=len(texts) - leaflet,
    )


def drawn(page: PageObject) -> bytes:
    """How a page is drawn."""
    content = page.get_contents()
    assert content is not None
    return content.get_data()


def side(slug: str, number: int, lang: str = "en", theme: str = "court") -> dict[str, Any]:
    """One side of a kit's reference card."""
    found: dict[str, Any] = data(slug, lang, theme)["reference"][number]
    return found


def squeezed(text: str) -> str:
    """A text without what setting it in lines adds."""
    return re.sub(r"[\s\u00ad\u2010-]", "", text)


def fills(content: bytes) -> list[tuple[float, float, float]]:
    """The colours with which a page is filled."""
    words = content.split()
    return [
        (float(words[k - 3]), float(words[k - 2]), float(words[k - 1]))
        for k, word in enumerate(words)
        if word in (b"rg", b"scn", b"sc") and k >= 3 and all(_number(w) for w in words[k - 3 : k])
    ]


def _number(word: bytes) -> bool:
    return word.replace(b".", b"", 1).replace(b"-", b"", 1).isdigit()
