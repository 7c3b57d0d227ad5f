"""What one seat may know: built field by field from a table, never by deleting from it.

This is the security boundary. Everything that leaves the process towards a player or spectator is made from a View.
Public facts are named here one by one; everything about cards comes from the rows whose audience includes the seat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import chain
from operator import or_
from typing import Any, NamedTuple

from ..rules import NO_CARD, NOBODY, Edition, Event, Option, Phase, Table
from ..rules.names import EVERYBODY
from ..rules.table import COLUMNS
from .memory import Entry, Memory

Row = tuple[int, ...]
"""What one step told: rows of COLUMNS numbers, one behind the other."""


@dataclass(frozen=True)
class View:
    """A match as one seat sees it (`seat` None: a spectator), with all it has seen since the beginning.

    Cards are numbers (rules.Card); viewdata.py gives the same as plain words for JSON.
    """

    rules: Edition
    edition: str
    players: tuple[str, ...]
    options: Mapping[str, Option]
    seat: int | None
    round: int  # the index of the round being played or just ended, -1 before the first
    phase: Phase
    active: int | None  # whose turn it is
    turn: int | None  # who must decide
    tokens: tuple[int, ...]
    playing: tuple[int, ...]  # the seats taking part in the round
    standing: tuple[int, ...]  # those still in it
    protected: tuple[int, ...]  # those under a Handmaid
    piles: tuple[tuple[int, ...], ...]
    held: tuple[int, ...]  # how many cards each seat holds
    known: tuple[tuple[int, ...], ...]  # which of them this seat knows for certain, its own included
    deck: int  # cards left in the deck
    under: Mapping[int, int]  # known cards in the deck, by their place from the top
    aside: int  # cards set aside face down
    face_up: tuple[int, ...]
    mark: int | None  # the seat marked by a Sycophant
    bettor: int | None  # the seat whose Jester made a bet
    favourite: int | None  # the seat it bet on
    tied: tuple[int, ...]  # the seats of a tie-break round, now or next
    winners: tuple[int, ...]  # the seats that won the match
    legal: tuple[str, ...]  # only where this seat decides
    log: tuple[tuple[Entry, ...], ...]  # all that this seat has seen, round by round

    @property
    def hand(self) -> tuple[int, ...]:
        """This seat's own cards."""
        return () if self.seat is None else self.known[self.seat]


@dataclass
class Sight:
    """What one seat remembers of one round; it grows step by step."""

    seat: int | None
    memory: Memory
    watched: int = 0  # steps

    def watch(self, steps: Sequence[Row]) -> None:
        """Take in the steps told since the last time."""
        for told in steps[self.watched :]:
            for entry in told_to(told, self.seat):
                self.memory.learn(entry)
        self.watched = len(steps)


def common(t: Table, rules: Edition) -> dict[str, Any]:
    """What everybody at the table can see, fact by fact; cards in it lie face up."""
    deciding = t.phase not in (Phase.DEAL, Phase.OVER)
    return {
        "phase": Phase(t.phase),
        "active": t.active if deciding else None,
        "turn": t.decider if deciding else None,
        "tokens": tuple(t.tokens),
        "playing": seats(t.playing),
        "standing": seats(t.standing),
        "protected": seats(t.shielded),
        "piles": piles(t, rules.players),
        "held": tuple(held(t, owner) for owner in range(rules.players)),
        "deck": t.bottom - t.top,
        "mark": or_none(t.mark),
        "bettor": or_none(t.bettor),
        "favourite": or_none(t.favourite),
        "tied": seats(t.tied),
        "winners": seats(t.champions),
    }


def make_view(
    t: Table,
    rules: Edition,
    seat: int | None,
    *,
    facts: Mapping[str, Any],
    sight: Sight | None,
    round_: int,
    log: tuple[tuple[Entry, ...], ...],
    edition: str,
    players: tuple[str, ...],
    options: Mapping[str, Option],
    legal: Sequence[str],
) -> View:
    """The view of a seat: what is `common`, its `sight` of this round, and its `log` of what it has seen."""
    memory = sight.memory if sight else Memory(rules, [[] for _ in players])
    return View(
        rules=rules,
        edition=edition,
        players=players,
        options=options,
        seat=seat,
        round=round_,
        **facts,
        known=tuple(tuple(hand) for hand in memory.hands),
        under=memory.under(),
        aside=aside(t, rules) if round_ >= 0 else 0,
        face_up=memory.face_up,
        legal=tuple(legal),
        log=log,
    )


def seen(steps: Sequence[Row], seat: int | None) -> tuple[Entry, ...]:
    """What was told, step by step, as the seat sees it."""
    return tuple(chain.from_iterable(told_to(told, seat) for told in steps))


def told_to(told: Row, seat: int | None) -> tuple[Entry, ...]:
    """What a step told a seat: that it happened is public, its card is for the audience.

    All those who are in no audience share one answer.
    """
    step, bit = step_of(told), 0 if seat is None else 1 << seat
    if step.audience & bit == 0:
        return step.outside
    return tuple(
        entry if row[-1] & bit else hidden
        for row, entry, hidden in zip(step.rows, step.inside, step.outside, strict=True)
    )


class Step(NamedTuple):
    """What a step told: its rows, as their audience sees them, as the others do, and who is in any audience."""

    rows: tuple[Row, ...]
    inside: tuple[Entry, ...]
    outside: tuple[Entry, ...]
    audience: int


@lru_cache(maxsize=1024)
def step_of(told: Row) -> Step:
    """The rows of a step, taken apart once for all seats."""
    rows = tuple(told[k : k + COLUMNS] for k in range(0, len(told), COLUMNS))
    inside = tuple(Entry(Event(event), actor, target, card) for event, actor, target, card, _ in rows)
    outside = tuple(
        entry if row[-1] == EVERYBODY else entry._replace(card=None) for row, entry in zip(rows, inside, strict=True)
    )
    return Step(rows, inside, outside, reduce(or_, (row[-1] for row in rows if row[-1] != EVERYBODY), 0))


def seats(of: int) -> tuple[int, ...]:
    """A set of seats as a tuple, ascending."""
    return tuple(seat for seat in range(of.bit_length()) if of >> seat & 1)


def piles(t: Table, players: int) -> tuple[tuple[int, ...], ...]:
    """Everybody's pile, in order."""
    found: list[list[int]] = [[] for _ in range(players)]
    for k in range(t.discards):
        found[t.owners[k]].append(t.piles[k])
    return tuple(tuple(pile) for pile in found)


def held(t: Table, owner: int) -> int:
    """How many cards a player holds."""
    cards = [t.hand[owner]] + ([t.drawn, t.extra] if owner == t.active else [])
    return sum(card != NO_CARD for card in cards)


def aside(t: Table, rules: Edition) -> int:
    """How many cards lie aside face down; one may have been taken."""
    return rules.aside - (1 if rules.spare and t.spare == NO_CARD else 0)


def or_none(seat: int) -> int | None:
    """A seat, or None for nobody."""
    return None if seat == NOBODY else seat
