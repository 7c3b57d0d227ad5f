"""Editions of one's own: a published edition as the base, and what differs (docs/contract.md, Editions of your own).

Such an edition has no slug. It is known by the text of its object, with the keys in order, wherever a published one is
known by its slug: whatever is kept for an edition is thus kept for its content, and a name can be given again.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from .editions import BOXES, LONGEST_KEPT, NAMINGS, VALUES_2012, VALUES_2019, Box, Copies, Edition, Option, box_edition
from .names import CARD_NAMES, CARD_OF, Card

MOST_CARDS = 40
MOST_COPIES = 8
HIGHEST_VALUE = 9
MOST_TOKENS = 20
MOST_BESIDE = 10
"""The most cards that may lie beside the deck, face down or face up."""

SINGLE = (Card.JESTER, Card.BISHOP, Card.PRINCESS)
"""Cards of which a deck has one copy at most: the rules have room for one bet, and for one of each at a showdown."""

BASES = tuple(slug for slug, box in BOXES.items() if not box.solo)
KEYS = ("base", "name", "cards", "values", "goals", "aside", "face_up")
CARD_SWITCHES = frozenset({"bishop_names_one", "sycophant_on_actor"})
"""Switches that follow their card into any deck."""


HALF = re.compile("[\ud800-\udfff]")
"""Half of a pair of surrogates."""


class BadEdition(ValueError):
    """What is wrong with an edition of one's own, in a sentence, and the keys of its object that lead there."""

    def __init__(self, message: str, *where: str) -> None:
        super().__init__(message)
        self.where = where


def own_slug(data: object) -> str:
    """The text by which an edition of one's own is known. Raises BadEdition where the object describes none."""
    if not isinstance(data, Mapping):
        raise BadEdition("An edition of your own is an object with a base.")
    _check(data)
    return json.dumps(data, sort_keys=True, separators=(",", ":"), default=dict)


def find_box(slug: str) -> Box:
    """The box of a published edition, or of one's own. Raises BadEdition where there is none."""
    if slug in BOXES:
        return BOXES[slug]
    return (_own_box if len(slug) <= LONGEST_KEPT else _own_box.__wrapped__)(slug)


def is_edition(slug: str) -> bool:
    """Whether there is such an edition, published or one's own."""
    try:
        find_box(slug)
    except BadEdition:
        return False
    return True


def edition_data(slug: str) -> str | dict[str, Any]:
    """What stands for an edition in JSON: its slug, or the object of one's own."""
    data: str | dict[str, Any] = json.loads(slug) if slug.startswith("{") else slug
    return data


def edition(slug: str, players: int, options: Mapping[str, Option] | None = None) -> Edition:
    """The numbers of an edition for so many players; the arguments are known to be good."""
    return box_edition(find_box(slug), players, options)


def check_dealable(rules: Edition) -> None:
    """Raise BadEdition where a round cannot be dealt or a card can never name anything."""
    needed = rules.aside + rules.face_up + rules.players + 1
    if rules.cards < needed:
        raise BadEdition(
            f"The deck has {rules.cards} cards, but {rules.players} players need {needed}: {rules.aside} face down and "
            f"{rules.face_up} face up beside it, one for each player, and one to draw."
        )
    for card in NAMINGS:
        if rules.copies[card] and not rules.name_count[card]:
            raise BadEdition(f"In this deck the {card.name.title()} has nothing to name.")


@lru_cache(maxsize=256)
def _own_box(slug: str) -> Box:
    """The box that the text of an object describes."""
    try:
        data = json.loads(slug)
    except (ValueError, RecursionError):
        raise BadEdition(f"There is no edition {slug!r:.40}.") from None
    if own_slug(data) != slug:
        raise BadEdition("The text of an edition of your own has its keys in order and no spaces.")
    base = BOXES[data["base"]]
    deck: Copies = {CARD_OF[name]: count for name, count in data.get("cards", {}).items()}
    values = {CARD_OF[name]: value for name, value in data.get("values", {}).items()}
    return Box(
        slug=slug,
        decks=dict.fromkeys(base.decks, deck) if "cards" in data else base.decks,
        goals={**base.goals, **_by_players(data, "goals")},
        values={**VALUES_2019, **VALUES_2012, **base.values, **values},
        aside={**base.aside, **_by_players(data, "aside")},
        face_up={**base.face_up, **_by_players(data, "face_up")},
        spare=base.spare,
        by_number=base.by_number,
        sums=base.sums,
        tie_breaks=base.tie_breaks,
        seating=base.seating,
        switches=base.switches | CARD_SWITCHES,
        language=base.language,
        base=base.slug,
        name=data.get("name", ""),
    )


def _by_players(data: Mapping[str, Any], key: str) -> dict[int, int]:
    return {int(players): number for players, number in data.get(key, {}).items()}


# The checks of the form


def _check(data: Mapping[Any, Any]) -> None:
    """Raise BadEdition for the first part of an object that is unknown or makes no sense."""
    for key in data:
        if key not in KEYS:
            raise BadEdition(f"An edition of your own has no part {key!r:.40}; there are {', '.join(KEYS)}.", str(key))
    base = data.get("base")
    if not isinstance(base, str) or base not in BASES:
        raise BadEdition(f"The base of an edition of your own is one of {', '.join(BASES)}, not {base!r:.40}.", "base")
    if not _is_text(data.get("name", "")):
        raise BadEdition("The name of an edition is a text.", "name")
    _check_cards(data)
    _check_numbers(data, "values", 0, HIGHEST_VALUE, _is_card, "a card")
    players = tuple(map(str, BOXES[base].players))
    seats = f"a number of players as a text, {players[0]} to {players[-1]}"
    fewest_aside = 1 if BOXES[base].spare else 0
    for key, low, high in (
        ("goals", 1, MOST_TOKENS),
        ("aside", fewest_aside, MOST_BESIDE),
        ("face_up", 0, MOST_BESIDE),
    ):
        _check_numbers(data, key, low, high, lambda word: word in players, seats)


def _check_cards(data: Mapping[Any, Any]) -> None:
    _check_numbers(data, "cards", 1, MOST_COPIES, _is_card, "a card")
    cards = data.get("cards", {})
    for card in SINGLE:
        if cards.get(CARD_NAMES[card], 1) != 1:
            raise BadEdition(f"A deck has one {card.name.title()} at most.", "cards", CARD_NAMES[card])
    if sum(cards.values()) > MOST_CARDS:
        raise BadEdition(f"A deck has {MOST_CARDS} cards at most, not {sum(cards.values())}.", "cards")


def _is_text(name: object) -> bool:
    """Whether this is a text: one with half a pair of surrogates, which JSON can hold, could be shown nowhere."""
    return isinstance(name, str) and not HALF.search(name)


def _is_card(word: object) -> bool:
    return isinstance(word, str) and word in CARD_OF


def _check_numbers(
    data: Mapping[Any, Any], key: str, low: int, high: int, fits: Callable[[object], bool], what: str
) -> None:
    """A part of the object gives whole numbers to cards, or to numbers of players."""
    part = data.get(key, {})
    if not isinstance(part, Mapping):
        raise BadEdition(f"What stands under {key} is an object.", key)
    for word, number in part.items():
        if not fits(word):
            raise BadEdition(f"Under {key} stands {word!r:.40}, which is not {what}.", key, str(word))
        if type(number) is not int or not low <= number <= high:
            message = f"Under {key}, {word} is a whole number from {low} to {high}, not {number!r:.40}."
            raise BadEdition(message, key, str(word))
