"""What a network reads of an observation: yes-or-no questions, each whether a number of it lies between two bounds.

Counts are asked "at least one? at least two?", choices "is it this one?". Numbers that never change have no question.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..action_table import all_names
from ..rules.editions import NAMINGS, Edition
from ..rules.names import Card, Phase, Verb
from .space import DECISION, HISTORY, MARKS, PHASES, SEAT, SEAT_CARDS, SLOT, Space, space

MOST = 127
"""The greatest number of an observation."""

NEEDS = {"marked": Card.SYCOPHANT, "bets": Card.JESTER, "bet on": Card.JESTER, "traded": Card.CARDINAL}
"""What is said of a seat only where a card is in the deck."""

DECK = (Card.CHANCELLOR,)
"""The cards by which a seat comes to know cards of the deck."""

STEPS = {
    Phase.KEEP: (Card.CHANCELLOR, (Verb.KEEP,)),
    Phase.LOOK: (Card.CARDINAL, (Verb.LOOK,)),
    Phase.ANSWER: (Card.BISHOP, (Verb.REDRAW, Verb.STAY)),
}
"""Decisions other than plays: the card that makes them, and what may be decided."""


class Input(NamedTuple):
    """Whether the number in a column is at least `low` and at most `high`."""

    column: int
    low: int
    high: int


def inputs(ed: Edition, score: bool) -> list[Input]:
    """All questions about a full observation; those about tokens only where the score is to be known."""
    s = space(ed, full=True)
    found = [*_about_table(ed, s)]
    for seat in range(s.players):
        found += _about_seat(ed, s, seat, score)
    for k in range(HISTORY):
        found += _about_decision(ed, s, s.history_at + k * SLOT)
    return found


def _count(column: int, most: int) -> Iterator[Input]:
    """At least one, at least two, and so on."""
    return (Input(column, low, MOST) for low in range(1, most + 1))


def _choice(column: int, values: Iterable[int]) -> Iterator[Input]:
    """Is it this one, or that one?"""
    return (Input(column, value, value) for value in values)


def _steps(ed: Edition) -> list[Phase]:
    return [phase for phase, (card, _) in STEPS.items() if ed.copies[card]]


def _hand(ed: Edition) -> int:
    """The most cards in a hand."""
    return 3 if ed.copies[Card.CHANCELLOR] else 2


def _about_table(ed: Edition, s: Space) -> Iterator[Input]:
    for phase in _steps(ed):
        yield from _count(s.phase_at + PHASES.index(phase), 1)
    yield from _count(s.table_at, ed.cards - ed.aside - ed.face_up - ed.players)
    yield from _count(s.table_at + 1, ed.spare)
    for kind in range(s.kinds):
        copies = ed.copies[s.card[kind]]
        yield from _count(s.hand_at + kind, min(copies, _hand(ed)))
        yield from _count(s.open_at + kind, min(copies, ed.face_up))
        yield from _count(s.unseen_at + kind, copies)
        yield from _count(s.under_at + kind, copies if any(ed.copies[card] for card in DECK) else 0)


def _about_seat(ed: Edition, s: Space, seat: int, score: bool) -> Iterator[Input]:
    at = s.seats_at + seat * s.stride
    for place, name in enumerate(SEAT):
        if name == "tokens":
            yield from _count(at + place, ed.goal if score else 0)
        elif _changes(ed, name, seat):
            yield from _count(at + place, 1)
    for part, name in enumerate(SEAT_CARDS):
        for kind in range(s.kinds):
            if seat or name in ("pile", "cannot hold"):
                most = {"pile": MOST, "cannot hold": 1}.get(name, _hand(ed))
                yield from _count(at + MARKS + part * s.kinds + kind, min(most, ed.copies[s.card[kind]]))


def _changes(ed: Edition, name: str, seat: int) -> bool:
    """Whether a mark of a seat says anything to the one that decides."""
    if name in NEEDS:
        return ed.copies[NEEDS[name]] > 0
    if name == "turn":
        return bool(ed.copies[Card.BISHOP])
    if name == "taking part":
        return seat > 0 and ed.players > 2 and bool(ed.tie_breaks)
    if name == "in round":
        return seat > 0 and ed.players > 2
    return name == "protected" and seat > 0


def _about_decision(ed: Edition, s: Space, at: int) -> Iterator[Input]:
    cards = [card + 1 for card in s.card[: s.kinds]]
    verbs = [verb + 1 for phase in _steps(ed) for verb in STEPS[phase][1]]
    names = {name + 1 for card in NAMINGS if ed.copies[card] for name in all_names(ed, card)}
    seats = range(1, s.players + 1)
    pairs = seats if ed.copies[Card.CARDINAL] else range(0)
    asked = (seats, cards + verbs, seats, pairs, sorted(names), cards, seats)
    for place, values in zip(range(len(DECISION)), asked, strict=True):
        yield from _choice(at + place, values)
