"""docs/fidelity.md: every row of the comparison with the rulebooks has a target, and every target exists."""

import re
from collections.abc import Callable
from functools import cache, reduce
from operator import getitem
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.notation import CARD_OF
from suitors.printing.kit import Kit
from suitors.printing.leaflet import leaflet
from suitors.printing.parts import marked_cards, reference, tokens
from suitors.rules import BOXES
from suitors.words import LANGUAGES, load_theme
from suitors.words.credits import kit_credits
from suitors.words.editions import SECTIONS, editions
from suitors.words.rulebook import cards_of, rulings
from suitors.words.tips import card_tip, edition_tips
from support.repository import ROOT, quoted, read_page, rows
from support.vocabularies import words_of

PARTS: dict[str, Callable[[Kit], Any]] = {
    "cards": lambda kit: kit.deck,
    "references": reference,
    "tokens": tokens,
    "jester": marked_cards,
    "marks": lambda kit: kit.smaller and kit.added,
    "leaflet": leaflet,
    "credits": lambda kit: kit_credits(kit.edition, kit.theme.slug, kit.lang),
}
"""The parts of a kit, by their names on the page."""

PAGE = read_page("fidelity.md")
BOOKS = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
TARGETS = sorted({target for book in BOOKS for row in rows(PAGE, re.escape(book))[1:] for target in quoted(row[-1])})


@cache
def names_of_tests() -> tuple[str, ...]:
    """The names of all tests."""
    files = [*(ROOT / "tests").rglob("test_*.py")]
    return tuple(name for file in files for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.M))


def texts_at(path: list[str]) -> Any:
    """What lies in a theme at a path of keys; a list of persons is searched in any language."""
    theme, *keys = path
    return reduce(getitem, keys, load_theme(theme).data)


def exists(client: TestClient, target: str) -> bool:
    """Whether there is such a thing."""
    kind, _, what = target.partition(" ")
    slug, _, name = what.partition("/")
    match kind:
        case "text":
            slug, _, section = what.partition(".")
            return section in ("about", *SECTIONS) and all(editions()[slug][lang][section] for lang in LANGUAGES)
        case "card":
            return name in cards_of(slug) and bool(load_theme("court").text(CARD_OF[name], "en"))
        case "person":
            theme = load_theme(slug)
            return any(name == person.name for card in theme.cards for person in theme.persons(CARD_OF[card], "en"))
        case "theme":
            return bool(texts_at(what.split(".")))
        case "kit":
            return slug in BOXES and name in PARTS and bool(PARTS[name](Kit(slug, "en", load_theme("court"))))
        case "page":
            return client.get(what).status_code == 200
        case "tip":
            return has_tip(slug, name)
        case "not":
            return what.startswith("ours: ")
    return target in rulings() or (target.startswith("test_") and any(map(re.compile(target).match, names_of_tests())))


def has_tip(kind: str, name: str) -> bool:
    """Whether there is a tip for a card, for a card of the solo game, or for an edition."""
    if kind == "edition":
        return bool(edition_tips(words_of(name)))
    return card_tip(words_of("house" if kind == "card" else "solitaire"), CARD_OF[name]) is not None


def test_all_five_rulebooks_are_compared() -> None:
    assert BOOKS == [
        "Premium (2016)",
        "Love Letter (2019)",
        "The French demo (2019)",
        "House rules and the Mule",
        "Solitaire 1.10",
    ]


@pytest.mark.parametrize("book", BOOKS)
def test_every_paragraph_has_a_place(book: str) -> None:
    table = rows(PAGE, re.escape(book))
    assert table[0] == ["Paragraph", "What it holds", "Where"]
    assert [row[0] for row in table if len(row) != 3 or (not quoted(row[-1]) and row is not table[0])] == []


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_exists(client: TestClient, target: str) -> None:
    assert exists(client, target), target


@pytest.mark.parametrize(
    "target",
    [
        "test_never_",
        "text premium.turns",
        "card demo/spy",
        "person mule/Nobody",
        "page /nowhere",
        "kit modern/bag",
        "hello",
    ],
)
def test_a_target_that_is_not_there_is_found(client: TestClient, target: str) -> None:
    assert not exists(client, target)


def test_every_ruling_answers_a_paragraph() -> None:
    assert set(rulings()) - set(TARGETS) == set()
