"""The page on which visitors put a deck of their own together: its fields, the deck so far, and what is wrong with it.

The fields stand in the address, so that a deck can be shared, and a table can link to the rules of its edition.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import SuitorsError, check_edition
from ..notation import CARD_NAMES
from ..rules import BadEdition, Card, check_dealable, edition, find_box
from ..rules.own import BASES, MOST_COPIES, SINGLE
from ..words.editions import edition_title
from .cards import CardFace, CardRenderer
from .links import PARTS
from .preferences import Preferences
from .rulebook import RulesPage, edition_page

LONGEST_NAME = 40


@dataclass(frozen=True)
class CardField:
    """A card with the two fields that belong to it."""

    slug: str
    face: CardFace
    copies: int
    most: int


@dataclass(frozen=True)
class PlayersField:
    """A number of players with its figures."""

    players: int
    goal: int
    aside: int
    face_up: int


@dataclass(frozen=True)
class DeckPage:
    """The form as it is filled in, and the deck that it describes where it describes one."""

    base: str
    bases: Mapping[str, str]
    name: str
    fewest_aside: int
    cards: tuple[CardField, ...]
    players: tuple[PlayersField, ...]
    problem: str  # what is wrong with the deck, in a sentence
    unplayable: tuple[tuple[int, str], ...]  # numbers of players for whom it cannot be dealt, and why
    rules: RulesPage | None

    @property
    def playable(self) -> list[int]:
        """The numbers of players who can play it."""
        out = {players for players, _ in self.unplayable}
        return [] if self.problem else [row.players for row in self.players if row.players not in out]


def read_deck(fields: Mapping[str, str]) -> dict[str, Any]:
    """The object of the edition that fields describe; what is no number at all is taken over, to be refused.

    An empty field, and a number that is the base's own, says nothing; a card with 0 copies is not in the deck.
    """
    base = fields.get("base", "modern")
    data: dict[str, Any] = {"base": base}
    if fields.get("name"):
        data["name"] = fields["name"][:LONGEST_NAME]
    for part in PARTS:
        given = {
            key.partition("-")[2]: int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text
            for key, text in fields.items()
            if key.startswith(f"{part}-") and text
        }
        if part == "cards":
            given = {word: copies for word, copies in given.items() if copies != 0}
        else:
            given = {word: number for word, number in given.items() if number != _usual(base, part, word)}
        if given:
            data[part] = given
    return data


def _usual(base: str, part: str, word: str) -> int | None:
    """What the base has there."""
    if base not in BASES:
        return None
    box = find_box(check_edition({"base": base}))
    if part == "values":
        return next((number for card, number in box.values.items() if CARD_NAMES[card] == word), None)
    numbers: Mapping[int, int] = getattr(box, part)
    return numbers.get(int(word), 0) if word.isascii() and word.isdigit() and len(word) < 4 else None


def deck_page(fields: Mapping[str, str], preferences: Preferences) -> DeckPage:
    """The page for fields that a visitor has filled in, or for none."""
    data, problem = read_deck(fields), ""
    try:
        slug = check_edition(data)
    except SuitorsError as error:
        slug, problem = check_edition({"base": data["base"] if data["base"] in BASES else "modern"}), str(error)
    box = find_box(slug)
    return DeckPage(
        base=box.base,
        bases={base: edition_title(base, preferences.lang) for base in BASES},
        name=str(data.get("name", "")),
        fewest_aside=1 if box.spare else 0,
        cards=tuple(_card_fields(slug, preferences)),
        players=tuple(PlayersField(n, box.goals[n], box.aside[n], box.face_up.get(n, 0)) for n in box.players),
        problem=problem,
        unplayable=() if problem else tuple(_unplayable(slug)),
        rules=None if problem else edition_page(slug, preferences),
    )


def _card_fields(slug: str, preferences: Preferences) -> list[CardField]:
    """All 19 cards, the highest first, with their copies in the largest deck."""
    everybody = check_edition({"base": BASES[0], "cards": dict.fromkeys(CARD_NAMES, 1)})
    box, words = find_box(slug), preferences.words_for(everybody)
    renderer = CardRenderer(edition(slug, box.players[0]), words)
    deck = box.decks[box.players[-1]]
    return [
        CardField(CARD_NAMES[card], renderer.face(card), deck.get(card, 0), 1 if card in SINGLE else MOST_COPIES)
        for card in sorted(Card, key=lambda card: (-box.values[card], card))
    ]


def _unplayable(slug: str) -> list[tuple[int, str]]:
    """The numbers of players for whom the deck is too small, or leaves a card nothing to name."""
    found = []
    for players in find_box(slug).players:
        try:
            check_dealable(edition(slug, players))
        except BadEdition as error:
            found.append((players, str(error)))
    return found
