"""Every edition as data. A field exists only where two editions differ; nothing asks which edition it is.

`BOXES` says what each published edition's box holds; own.py makes boxes of one's own. `box_edition(box, players,
options)` makes of a box the plain numbers that the rules read. This module is data made by ordinary Python; only its
records enter the compiled rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from .names import CARDS, NO_CARD, Aim, Card, Naming
from .shapes import ByCard, Cards, Names

Option = bool | str
Copies = dict[Card, int]

SWITCHES: dict[str, tuple[Option, Option]] = {
    "bishop_names_one": (True, False),
    "sycophant_on_actor": ("fizzle", "free"),
    "premium_match_tie": ("tiebreak", "share"),
    "house_full_tie": ("all", "none"),
    "solo_prince": ("replace", "remove"),
    "solo_last_card": ("win", "strict"),
}
"""The switches of docs/contract.md and their values, the default first."""

AIMS: dict[Card, Aim] = {
    Card.JESTER: Aim.OTHER,
    Card.GUARD: Aim.OTHER,
    Card.PRIEST: Aim.OTHER,
    Card.CARDINAL: Aim.PAIR,
    Card.BARON: Aim.OTHER,
    Card.BARONESS: Aim.OTHERS,
    Card.SYCOPHANT: Aim.ANYONE,
    Card.PRINCE: Aim.ANYONE,
    Card.KING: Aim.OTHER,
    Card.DOWAGER_QUEEN: Aim.OTHER,
    Card.BISHOP: Aim.OTHER,
}
"""Whom each card chooses; a card that is not here chooses nobody."""

NAMINGS: dict[Card, Naming] = {Card.GUARD: Naming.CARD, Card.BISHOP: Naming.NUMBER}
"""What each card names, of the one player that it chooses; a card that is not here names nothing."""

NAMES = max(CARDS, 10)
"""The most things that a card may name: every card, or the numbers 0 to 9."""

SIXTEEN: Copies = {
    Card.GUARD: 5,
    Card.PRIEST: 2,
    Card.BARON: 2,
    Card.HANDMAID: 2,
    Card.PRINCE: 2,
    Card.KING: 1,
    Card.COUNTESS: 1,
    Card.PRINCESS: 1,
}
THIRTY_TWO: Copies = SIXTEEN | {
    Card.JESTER: 1,
    Card.ASSASSIN: 1,
    Card.GUARD: 8,
    Card.CARDINAL: 2,
    Card.BARONESS: 2,
    Card.SYCOPHANT: 2,
    Card.COUNT: 2,
    Card.CONSTABLE: 1,
    Card.DOWAGER_QUEEN: 1,
    Card.BISHOP: 1,
}
TWENTY_ONE: Copies = SIXTEEN | {Card.SPY: 2, Card.GUARD: 6, Card.CHANCELLOR: 2}

VALUES_2012: Mapping[Card, int] = {
    Card.JESTER: 0,
    Card.ASSASSIN: 0,
    Card.GUARD: 1,
    Card.PRIEST: 2,
    Card.CARDINAL: 2,
    Card.BARON: 3,
    Card.BARONESS: 3,
    Card.HANDMAID: 4,
    Card.SYCOPHANT: 4,
    Card.PRINCE: 5,
    Card.COUNT: 5,
    Card.KING: 6,
    Card.CONSTABLE: 6,
    Card.COUNTESS: 7,
    Card.DOWAGER_QUEEN: 7,
    Card.PRINCESS: 8,
    Card.BISHOP: 9,
}
VALUES_2019: Mapping[Card, int] = {
    Card.SPY: 0,
    Card.GUARD: 1,
    Card.PRIEST: 2,
    Card.BARON: 3,
    Card.HANDMAID: 4,
    Card.PRINCE: 5,
    Card.CHANCELLOR: 6,
    Card.KING: 7,
    Card.COUNTESS: 8,
    Card.PRINCESS: 9,
}


@dataclass(frozen=True)
class Box:
    """One edition: the deck and the goal for each number of players, and how its rules differ.

    Boxes are equal if all that is in them is equal, so what is kept for a box is kept for its content.
    """

    slug: str
    decks: Mapping[int, Copies]
    goals: Mapping[int, int]
    values: Mapping[Card, int]
    aside: Mapping[int, int]
    face_up: Mapping[int, int]  # cards laid face up beside the deck
    spare: bool = True  # a redraw from an empty deck takes the card set aside
    by_number: bool = False  # where a card is named, it is called by its number, not by its character
    sums: bool = False  # the sums of the piles break a showdown's tie
    tie_breaks: bool = False  # a tied match is decided by a further round
    seating: bool = False  # the order of seats, not chance, picks the starter among several winners (R18)
    switches: frozenset[str] = frozenset()  # the switches that make a difference here
    solo: bool = False  # a game for one, whose Princess is not dealt
    language: str = "en"
    base: str = ""  # the published edition that an edition of one's own is made from
    name: str = ""  # what the one who made it calls it

    def __hash__(self) -> int:
        return hash(self.slug)

    @property
    def model(self) -> str:
        """The published edition whose rules and texts it has: its base, or itself."""
        return self.base or self.slug

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that may play."""
        return tuple(self.decks)


BOXES: dict[str, Box] = {
    box.slug: box
    for box in (
        Box(
            slug="premium",
            decks=dict.fromkeys((2, 3, 4), SIXTEEN) | dict.fromkeys((5, 6, 7, 8), THIRTY_TWO),
            goals={2: 7, 3: 5} | dict.fromkeys((4, 5, 6, 7, 8), 4),
            values=VALUES_2012,
            aside=dict.fromkeys(range(2, 9), 1),
            face_up={2: 3},
            by_number=True,
            sums=True,
            tie_breaks=True,
            seating=True,
            switches=frozenset({"bishop_names_one", "sycophant_on_actor", "premium_match_tie"}),
        ),
        Box(
            slug="modern",
            decks=dict.fromkeys(range(2, 7), TWENTY_ONE),
            goals={2: 6, 3: 5, 4: 4, 5: 3, 6: 3},
            values=VALUES_2019,
            aside=dict.fromkeys(range(2, 7), 1),
            face_up={2: 3},
        ),
        Box(
            slug="classic",
            decks=dict.fromkeys((2, 3, 4), SIXTEEN),
            goals={2: 6, 3: 5, 4: 4},
            values=VALUES_2019,
            aside=dict.fromkeys((2, 3, 4), 1),
            face_up={2: 3},
        ),
        Box(
            slug="demo",
            decks=dict.fromkeys((2, 3, 4), SIXTEEN),
            goals={2: 6, 3: 5, 4: 4},
            values=VALUES_2019,
            aside=dict.fromkeys((2, 3, 4), 1),
            face_up={2: 3},
            language="fr",
        ),
        Box(
            slug="house",
            decks=dict.fromkeys((2, 3, 4), SIXTEEN),
            goals={2: 7, 3: 5, 4: 4},
            values=VALUES_2012,
            aside={2: 3, 3: 1, 4: 0},
            face_up={},
            spare=False,
            sums=True,
            switches=frozenset({"house_full_tie"}),
        ),
        Box(
            slug="solitaire",
            decks={1: SIXTEEN},
            goals={1: 1},
            values=VALUES_2012,
            aside={1: 0},
            face_up={},
            spare=False,
            switches=frozenset({"solo_prince", "solo_last_card"}),
            solo=True,
        ),
        Box(
            slug="solitaire-2019",
            decks={1: SIXTEEN},
            goals={1: 1},
            values=VALUES_2019,
            aside={1: 0},
            face_up={},
            spare=False,
            switches=frozenset({"solo_prince", "solo_last_card"}),
            solo=True,
        ),
    )
}


@dataclass(frozen=True)
class Edition:
    """What the rules need to know of one edition with one number of players and one setting of the switches."""

    players: int
    cards: int  # in the deck, before anything is set aside
    goal: int  # tokens that win the match
    aside: int  # cards set aside face down
    face_up: int  # cards set aside face up
    spare: int  # 1: a redraw from an empty deck takes the aside card
    sums: int  # 1: a showdown's tie is broken by the sums of the piles
    void_ties: int  # 1: nobody wins a round whose tie the sums cannot break (R96)
    tie_breaks: int  # 1: a tied match goes on with a round among the tied; 0: they share the win
    free_actor: int  # 1: a Sycophant's mark on the active player binds no "another player" card (R55)
    removes: int  # 1: the solo player's Prince removes a card of the queue, 0: replaces it (R120)
    strict: int  # 1: a lone card of the solo queue acts, 0: it is discarded unresolved (R128)
    by_number: int  # 1: cards are called by their numbers, 0: by their characters
    value: ByCard  # the number on each card
    copies: ByCard  # how many of each card are in the deck
    aim: ByCard  # whom each card chooses
    naming: ByCard  # what each card names (Naming)
    spoken: ByCard  # how each card is called: its number, or the card itself
    names: Names  # what each card may name: a row of NAMES for every card, NO_CARD behind the last
    name_count: ByCard  # how many things that are
    box: Cards  # every card of the deck, sorted


LONGEST_KEPT = 2_000
"""Characters in the longest text of an edition that is remembered: a name in a stranger's record has no end."""


def box_edition(box: Box, players: int, options: Mapping[str, Option] | None = None) -> Edition:
    """The numbers of a box for so many players; the arguments are known to be good."""
    effective = {key: value for key, value in (options or {}).items() if key in box.switches}
    chosen = {key: values[0] for key, values in SWITCHES.items()} | effective
    return (_edition if len(box.slug) <= LONGEST_KEPT else _edition.__wrapped__)(box, players, tuple(chosen.items()))


@lru_cache(maxsize=1024)
def _edition(box: Box, players: int, switches: tuple[tuple[str, Option], ...]) -> Edition:
    chosen = dict(switches)
    copies = box.decks[players]
    spoken = {card: box.values[card] if box.by_number else int(card) for card in copies}
    names = {card: _names(card, box, spoken, chosen) for card in NAMINGS if card in copies}
    dealt = [
        int(card) for card in sorted(copies) for _ in range(copies[card]) if not (box.solo and card == Card.PRINCESS)
    ]
    return Edition(
        players=players,
        cards=len(dealt),
        goal=box.goals[players],
        aside=box.aside[players],
        face_up=box.face_up.get(players, 0),
        spare=int(box.spare),
        sums=int(box.sums),
        void_ties=int(chosen["house_full_tie"] == "none"),
        tie_breaks=int(box.tie_breaks and (players > 4 or chosen["premium_match_tie"] == "tiebreak")),
        free_actor=int(chosen["sycophant_on_actor"] == "free"),
        removes=int(chosen["solo_prince"] == "remove"),
        strict=int(chosen["solo_last_card"] == "strict"),
        by_number=int(box.by_number),
        value=_by_card(box.values, NO_CARD),
        copies=_by_card(copies, 0),
        aim=_by_card(AIMS, Aim.NOBODY),
        naming=_by_card(NAMINGS, Naming.NOTHING),
        spoken=_by_card(spoken, NO_CARD),
        names=tuple(name for card in Card for name in _row(names.get(card, []))),
        name_count=_by_card({card: len(found) for card, found in names.items()}, 0),
        box=tuple(dealt),
    )


def _by_card(numbers: Mapping[Card, int], missing: int) -> tuple[int, ...]:
    return tuple(int(numbers.get(card, missing)) for card in Card)


def _names(card: Card, box: Box, spoken: Mapping[Card, int], chosen: Mapping[str, Option]) -> list[int]:
    """What the card may name: what is in the deck, but no card itself (R14), and by the Bishop's switch no 1 (R36)."""
    if NAMINGS[card] == Naming.CARD:
        return sorted(set(spoken.values()) - {spoken[card]})
    barred = set[int]() if chosen["bishop_names_one"] else {1}
    return sorted({box.values[other] for other in spoken} - barred)


def _row(names: list[int]) -> list[int]:
    return names + [NO_CARD] * (NAMES - len(names))
