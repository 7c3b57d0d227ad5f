"""What the numbers of an observation and of an action mean, for an edition with so many players.

Seats are counted from the one that observes or acts: 0 is oneself, 1 the next player clockwise. Actions are those of
`suitors.actions` with seats counted in this way, so that what a program learns in one seat holds in all of them.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, NamedTuple

from ..action_table import ORDERS, all_names, plain_moves
from ..rules.editions import NAMES, Edition
from ..rules.names import NO_CARD, Card, Naming, Phase, Verb, pack, verb_of
from ..rules.shapes import ByCard, Names, Shape

VERBS = 32
"""Places for cards and verbs in a packed move."""

ByVerb = Annotated[tuple[int, ...], Shape("verbs", 2)]
ByAction = Annotated[tuple[int, ...], Shape("actions", 4)]

PHASES = (Phase.PLAY, Phase.KEEP, Phase.LOOK, Phase.ANSWER)
SEAT = ("in round", "taking part", "protected", "tokens", "decides", "turn", "marked", "bets", "bet on", "traded")
"""What an observation says of each seat, before the cards."""

MARKS = len(SEAT)

SEAT_CARDS = ("pile", "known", "knows of me", "cannot hold")
"""What an observation says of each seat, for every card of the deck."""

HISTORY = 12
"""How many decisions a full observation tells of, the latest first."""

DECISION = ("who", "card", "first seat", "second seat", "name", "discarded", "out")
"""What it tells of each of them, all counted from 1; 0 is nothing."""

SLOT = len(DECISION)

TABLE = ("deck", "set aside", "goal")
"""What an observation says of the table."""


@dataclass(frozen=True)
class Space:
    """The numbers by which observations and actions are written."""

    players: int
    kinds: int  # how many different cards the deck has
    phase_at: int  # where in an observation each part begins
    table_at: int
    hand_at: int
    open_at: int
    unseen_at: int
    under_at: int
    seats_at: int
    stride: int  # how many numbers a seat has
    history_at: int
    size: int  # how many numbers an observation has
    actions: int  # how many actions there are
    kind: ByCard  # the place of each card among those of the deck, NO_CARD if it is not in it
    base: ByVerb  # the number of the first action of each card and verb
    name_at: Names  # the place of each name among those of a card that names
    move: ByAction  # the move of each action, its seats counted from the actor; a Chancellor's is the verb alone
    card: ByCard  # the cards of the deck in order, NO_CARD behind the last
    cards: int  # the set of them


class Part(NamedTuple):
    """A part of an observation: its name, and where it is."""

    name: str
    start: int
    length: int


@lru_cache
def space(ed: Edition, full: bool = False) -> Space:
    """The observations and actions of an edition with so many players; full ones tell the last decisions, too."""
    cards = [card for card in Card if ed.copies[card]]
    kinds, moves = len(cards), [*plain_moves(ed)]
    if ed.copies[Card.CHANCELLOR]:
        moves += [pack(Verb.KEEP)] * len(ORDERS)
    verbs = [verb_of(move) for move in moves]
    stride = MARKS + len(SEAT_CARDS) * kinds
    hand_at = len(PHASES) + len(TABLE)
    history_at = hand_at + 4 * kinds + ed.players * stride
    return Space(
        players=ed.players,
        kinds=kinds,
        phase_at=0,
        table_at=len(PHASES),
        hand_at=hand_at,
        open_at=hand_at + kinds,
        unseen_at=hand_at + 2 * kinds,
        under_at=hand_at + 3 * kinds,
        seats_at=hand_at + 4 * kinds,
        stride=stride,
        history_at=history_at,
        size=history_at + (HISTORY * SLOT if full else 0),
        actions=len(moves),
        kind=tuple(cards.index(card) if card in cards else NO_CARD for card in Card),
        base=tuple(verbs.index(verb) if verb in verbs else NO_CARD for verb in range(VERBS)),
        name_at=tuple(place for card in Card for place in _name_places(ed, card)),
        move=tuple(moves),
        card=(*map(int, cards), *[NO_CARD] * (len(Card) - kinds)),
        cards=sum(1 << card for card in cards),
    )


def parts(ed: Edition, full: bool = False) -> list[Part]:
    """The parts of an observation in order; those of seats are named after the seat."""
    s = space(ed, full)
    found = [
        Part("phase", s.phase_at, len(PHASES)),
        Part("table", s.table_at, len(TABLE)),
        Part("hand", s.hand_at, s.kinds),
        Part("face up", s.open_at, s.kinds),
        Part("unseen", s.unseen_at, s.kinds),
        Part("under the deck", s.under_at, s.kinds),
    ]
    for seat in range(s.players):
        start = s.seats_at + seat * s.stride
        found.append(Part(f"seat {seat}", start, MARKS))
        for number, name in enumerate(SEAT_CARDS):
            found.append(Part(f"seat {seat} {name}", start + MARKS + number * s.kinds, s.kinds))
    return found + [Part(f"decision {k}", s.history_at + k * SLOT, SLOT) for k in range(HISTORY) if full]


def _name_places(ed: Edition, card: Card) -> list[int]:
    """The place of each name among those that a card may ever name."""
    names = all_names(ed, card) if ed.naming[card] != Naming.NOTHING else []
    return [names.index(name) if name in names else NO_CARD for name in range(NAMES)]
