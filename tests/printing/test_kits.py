"""Kits: every edition, theme and language as a PDF that can be cut, folded and played."""

import io
from collections import Counter
from functools import cache
from math import ceil
from typing import Any

import pytest
from pypdf import PdfReader

from suitors.notation import CARD_NAMES
from suitors.printing import Kit, Paper, measure_texts, print_cards, print_kit
from suitors.printing.kit import _data
from suitors.rules import BOXES
from suitors.words import LANGUAGES, THEMES, load_theme
from suitors.words.rulebook import editions

MM = 72 / 25.4
SHEETS = {"a4": (210, 297), "letter": (215.9, 279.4)}
WRITTEN = [
    (slug, lang, theme)
    for slug in BOXES
    for lang in LANGUAGES
    for theme in THEMES
    if slug in load_theme(theme).editions
]


def kit(slug: str = "modern", lang: str = "en", theme: str = "court", **more: Any) -> Kit:
    return Kit(slug, lang, load_theme(theme), **more)


def printed(wanted: Kit) -> PdfReader:
    """A kit as a PDF, made once for all tests that read it."""
    return _printed(wanted.edition, wanted.lang, wanted.theme.slug, wanted.paper, wanted.duplex, wanted.save_ink)


@cache
def _printed(slug: str, lang: str, theme: str, paper: Paper, duplex: bool, save_ink: bool) -> PdfReader:
    made = print_kit(kit(slug, lang, theme, paper=paper, duplex=duplex, save_ink=save_ink))
    return PdfReader(io.BytesIO(made))


def deck(slug: str) -> dict[int, int]:
    """The whole deck of an edition."""
    box = BOXES[slug]
    return {int(card): count for card, count in box.decks[box.players[-1]].items()}


@pytest.mark.parametrize(("slug", "lang", "theme"), WRITTEN)
def test_every_text_fits_its_box_and_can_be_read(slug: str, lang: str, theme: str) -> None:
    found = measure_texts(kit(slug, lang, theme))
    cards = {name for name in CARD_NAMES if deck(slug).get(CARD_NAMES.index(name))}
    assert {fit["what"] for fit in found} == cards | {f"{name} name" for name in cards} | {"reference 1", "reference 2"}
    for fit in found:
        assert fit["share"] <= 1, fit
        assert fit["size"] >= (5.5 if fit["what"].startswith("reference") else 7), fit


@pytest.mark.parametrize("duplex", [False, True], ids=["folded", "duplex"])
@pytest.mark.parametrize("paper", SHEETS)
@pytest.mark.parametrize("slug", ["premium", "modern", "solitaire"])
def test_the_sheets_are_as_many_and_as_large_as_they_must_be(slug: str, paper: Any, duplex: bool) -> None:
    pages = printed(kit(slug, paper=paper, duplex=duplex)).pages
    cards = sum(deck(slug).values()) + BOXES[slug].players[-1]
    sheets = 2 * ceil(cards / (9 if paper == "a4" else 8)) if duplex else ceil(cards / 4)
    tokens = 0 if BOXES[slug].solo else 1
    assert len(pages) - sheets - tokens in (1, 2)  # the leaflet
    width, height = SHEETS[paper]
    for number, page in enumerate(pages):
        wide = number < sheets and (paper == "letter" or not duplex)
        size = (height, width) if wide else (width, height)
        assert (float(page.mediabox.width) / MM, float(page.mediabox.height) / MM) == pytest.approx(size, abs=0.1)


@pytest.mark.parametrize(("slug", "lang", "theme"), WRITTEN)
def test_each_card_is_there_as_often_as_in_the_deck(slug: str, lang: str, theme: str) -> None:
    pages = printed(kit(slug, lang, theme)).pages
    copies = deck(slug)
    words = load_theme(theme)
    text = "\n".join(page.extract_text() for page in pages[: ceil(sum(copies.values()) / 4)])
    lines = Counter(line.strip() for line in text.splitlines())
    names = {card: words.name(card, lang) for card in copies}
    for card, count in copies.items():
        assert lines[names[card]] == count, names[card]


@pytest.mark.parametrize(("slug", "tokens"), [("premium", 25), ("modern", 13), ("house", 13), ("solitaire", 0)])
def test_there_are_tokens_for_the_longest_match(slug: str, tokens: int) -> None:
    """Everybody but the winner is one short of the goal."""
    assert _data(kit(slug))["tokens"] == tokens


def test_fonts_are_embedded_and_texts_can_be_found_with_their_accents() -> None:
    reader = printed(kit("demo", "fr"))
    resources: list[Any] = [page["/Resources"] for page in reader.pages]
    fonts = [font.get_object() for part in resources for font in part.get("/Font", {}).values()]
    assert fonts
    for font in fonts:
        inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(inner["/FontDescriptor"].get_object())
    whole = "\n".join(page.extract_text() for page in reader.pages)
    for word in ("Prêtre", "Comtesse", "Échangez", "Pliez la feuille", "Découpez", editions()["demo"]["fr"]["title"]):
        assert word in whole, word
    assert not [image for page in reader.pages for image in page.images]  # vectors throughout


def test_the_same_input_gives_the_same_bytes() -> None:
    assert print_kit(kit("house", "fr", "mule")) == print_kit(kit("house", "fr", "mule"))
    assert print_kit(kit(save_ink=True)) != print_kit(kit())


def test_saving_ink_fills_nothing_with_the_themes_colours() -> None:
    inked = printed(kit()).pages[0].get_contents()
    saved = printed(kit(save_ink=True)).pages[0].get_contents()
    assert inked is not None
    assert saved is not None
    assert set(_fills(inked.get_data())) - {(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)}
    for red, green, blue in _fills(saved.get_data()):
        assert max(red, green, blue) - min(red, green, blue) < 0.08, "a colour where only grey should be"


def _fills(content: bytes) -> list[tuple[float, float, float]]:
    words = content.split()
    return [
        (float(words[k - 3]), float(words[k - 2]), float(words[k - 1]))
        for k, word in enumerate(words)
        if word in (b"rg", b"scn", b"sc") and k >= 3 and all(_number(w) for w in words[k - 3 : k])
    ]


def _number(word: bytes) -> bool:
    return word.replace(b".", b"", 1).replace(b"-", b"", 1).isdigit()


def test_backs_lie_behind_their_fronts_on_duplex_sheets() -> None:
    pages = printed(kit("modern", duplex=True)).pages
    fronts, backs = pages[4].extract_text(), pages[5].extract_text()
    assert "Characters" in fronts  # the last three cards, then the reference cards
    assert "A round" in backs


def test_single_cards_are_pictures_of_their_size() -> None:
    pictures = print_cards(kit("classic", "fr"), ppi=150)
    assert set(pictures) == {CARD_NAMES[card] for card in deck("classic")} | {"back"}
    for picture in pictures.values():
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(picture[16:20]) == pytest.approx(63 / 25.4 * 150, abs=1)
        assert int.from_bytes(picture[20:24]) == pytest.approx(88 / 25.4 * 150, abs=1)
