"""What one seat may know: built field by field from a table, never by deleting from it.

This is the security boundary. Everything that leaves the process towards a player or spectator is made from a View.
Public facts are named here one by one; everything about cards comes from the rows whose audience includes the seat.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from ..lookup import Lookup
from ..rules import NO_CARD, NOBODY, Card, Edition, Event, Option, Phase, Table
from ..rules.names import EVENTS, EVERYBODY, Content
from ..rules.table import COLUMNS
from .keys import view_key
from .lines import view_line
from .memory import CARDS, LESSONS, Entry, Lesson, Memory

HAPPENINGS = tuple(Event)
"""The events by their numbers."""

PHASES = tuple(Phase)
"""The phases by their numbers."""

UNDECIDED = (Phase.DEAL, Phase.OVER)
"""The phases in which nobody decides."""

SPECTATORS = 1 << 30
"""A spectator as a set of seats: only an audience of EVERYBODY has it."""

Log = tuple[tuple[Entry, ...], ...]
"""What a seat has seen, round by round."""

OwnFacts = tuple[int | None, tuple[tuple[Card, ...], ...], Mapping[int, Card], tuple[str, ...]]
"""What a seat has in its view beside what everybody can see: `seat`, `known`, `under` and `legal`."""

Rows = tuple[int, ...]
"""The rows of events of one step, one behind the other: COLUMNS numbers each."""


@dataclass(frozen=True)
class View:
    """A match as one seat sees it (`seat` None: a spectator), with all it has seen since the beginning.

    `suitors.view.view_data` gives the same as plain words for JSON.

    Examples:
        >>> from suitors import Match
        >>> view = Match("modern", ["Ada", "Ben"], seed=6).view(0)
        >>> [card.name for card in view.hand], view.held, view.deck
        (['PRIEST', 'HANDMAID'], (2, 1), 14)
        >>> view.known[1]
        ()
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
    piles: tuple[tuple[Card, ...], ...]
    held: tuple[int, ...]  # how many cards each seat holds
    known: tuple[tuple[Card, ...], ...]  # which of them this seat knows for certain, its own included
    deck: int  # cards left in the deck
    under: Mapping[int, Card]  # known cards in the deck, by their place from the top
    aside: int  # cards set aside face down
    face_up: tuple[Card, ...]
    mark: int | None  # the seat marked by a Sycophant
    bettor: int | None  # the seat whose Jester made a bet
    favourite: int | None  # the seat it bet on
    tied: tuple[int, ...]  # the seats of a tie-break round, now or next
    winners: tuple[int, ...]  # the seats that won the match
    legal: tuple[str, ...]  # only where this seat decides
    log: tuple[tuple[Entry, ...], ...]  # all that this seat has seen, round by round

    @property
    def hand(self) -> tuple[Card, ...]:
        """This seat's own cards."""
        return () if self.seat is None else self.known[self.seat]

    def position(self) -> str:
        """What the seat knows of the position, in one line; a hidden card is a question mark."""
        return view_line(self)

    def key(self) -> str:
        """A text that is equal for equal information, names of players apart, and the same in every version."""
        if self.round >= 0 and not self.log:
            raise ValueError("A view without its log has no key; take it from match.view(seat).")
        return view_key(self)


@dataclass
class Sight:
    """What one seat remembers of one round; it grows step by step."""

    seat: int | None
    memory: Memory
    known: int = 0  # steps taken in

    def update(self, steps: Sequence[Rows], split: Callable[[Rows], "StepRows"] | None = None) -> None:
        """Take in the steps since the last time, perhaps taken apart by a function of the caller's."""
        for k in range(self.known, len(steps)):
            (split or split_rows)(steps[k]).teach(self.memory, self.seat)
            self.known += 1


def public_facts(
    t: Table, rules: Edition, edition: str, players: tuple[str, ...], options: Mapping[str, Option], round_: int
) -> dict[str, Any]:
    """What everybody at the table can see, fact by fact; cards in it lie face up."""
    deciding = t.phase not in UNDECIDED
    return {
        "rules": rules,
        "edition": edition,
        "players": players,
        "options": options,
        "round": round_,
        "phase": PHASES[t.phase],
        "active": t.active if deciding else None,
        "turn": t.decider if deciding else None,
        "tokens": tuple(t.tokens),
        "playing": SEATS[t.playing],
        "standing": SEATS[t.standing],
        "protected": SEATS[t.shielded],
        "piles": piles(t, rules.players),
        "held": held(t),
        "deck": t.bottom - t.top,
        "aside": aside(t, rules) if round_ >= 0 else 0,
        "mark": None if t.mark == NOBODY else t.mark,
        "bettor": None if t.bettor == NOBODY else t.bettor,
        "favourite": None if t.favourite == NOBODY else t.favourite,
        "tied": SEATS[t.tied],
        "winners": SEATS[t.champions],
    }


def own_facts(seat: int | None, memory: Memory, legal: Sequence[str]) -> OwnFacts:
    """What a seat has of its own: what it remembers of this round, and its legal moves."""
    return seat, tuple(map(tuple, memory.hands)), memory.under(), tuple(legal)


def make_view(facts: Mapping[str, Any], seat: int | None, memory: Memory, legal: Sequence[str], log: Log = ()) -> View:
    """The view of a seat: the `public_facts`, what it remembers of this round, and its `log` of what it has seen."""
    fields = {**facts, "face_up": memory.face_up, "log": log}
    fields["seat"], fields["known"], fields["under"], fields["legal"] = own_facts(seat, memory, legal)
    view = View.__new__(View)  # a frozen dataclass would call a function for every field, and views are made often
    object.__setattr__(view, "__dict__", fields)
    return view


def seen(steps: Sequence[Rows], seat: int | None) -> tuple[Entry, ...]:
    """What a seat saw of some steps."""
    return tuple(chain.from_iterable(entries_for(rows, seat) for rows in steps))


def entries_for(rows: Rows, seat: int | None) -> tuple[Entry, ...]:
    """A step as a seat sees it: that something happened is public, its card is for the audience."""
    return split_rows(rows).seen_by(seat)


Form = TypeVar("Form")
"""How rows are told: as entries, or as JSON."""

RowLesson = tuple[Lesson, int, int, int, int]
"""What can be learnt about cards from a row: a lesson with the actor, the target, the card and the audience."""


class SplitRow(NamedTuple):
    """A row as its audience sees it, as the others do, who the audience is, and what can be learnt from it."""

    inside: Entry
    outside: Entry
    audience: int
    lesson: RowLesson | None


class StepRows(NamedTuple):
    """The rows of a step, taken apart.

    As their audience sees them, as the others do, the audience of each row, who is in any of these, and what can be
    learnt about cards from the rows.
    """

    inside: tuple[Entry, ...]
    outside: tuple[Entry, ...]
    audiences: tuple[int, ...]
    audience: int
    lessons: tuple[RowLesson, ...]

    def seen_by(self, seat: int | None) -> tuple[Entry, ...]:
        """The step as a seat sees it; all those who are in no audience share one answer."""
        return self.choose(seat, self.inside, self.outside) if self.has_secrets_of(seat) else self.outside

    def has_secrets_of(self, seat: int | None) -> bool:
        """Whether the seat may know more of the step than everybody."""
        return seat is not None and self.audience >> seat & 1 == 1

    def choose(self, seat: int | None, inside: Sequence[Form], outside: Sequence[Form]) -> tuple[Form, ...]:
        """The rows as a seat may know them, of two forms of each: as its audience sees it, and as the others do."""
        bit = SPECTATORS if seat is None else 1 << seat
        rows = zip(self.audiences, inside, outside, strict=True)
        return tuple([shown if audience & bit else hidden for audience, shown, hidden in rows])

    def teach(self, memory: Memory, seat: int | None) -> None:
        """Let a seat learn from the step; that something happened is public, its card is for the audience."""
        bit = SPECTATORS if seat is None else 1 << seat
        for lesson, actor, target, card, audience in self.lessons:
            lesson(memory, actor, target, card if audience & bit else None)


def split_rows(step: Rows) -> StepRows:
    """The rows of a step, taken apart once for all seats."""
    return STEPS[step]


class Splitter:
    """Takes steps apart; one that several ask for, one after the other, is looked up once."""

    def __init__(self) -> None:
        self._rows: Rows = ()
        self._split = StepRows((), (), (), 0, ())

    def __call__(self, rows: Rows) -> StepRows:
        """The rows of a step, taken apart once for all seats."""
        if rows is not self._rows:
            self._rows, self._split = rows, split_rows(rows)
        return self._split


def _split_rows(step: Rows) -> StepRows:
    if not step:
        return StepRows((), (), (), 0, ())
    rows = [ROWS[step[k : k + COLUMNS]] for k in range(0, len(step), COLUMNS)]
    inside, outside, audiences, lessons = zip(*rows, strict=True)
    seen_by = 0
    for audience in audiences:
        if audience != EVERYBODY:
            seen_by |= audience
    return StepRows(inside, outside, audiences, seen_by, tuple(filter(None, lessons)))


def _split_row(row: Rows) -> SplitRow:
    event, actor, target, card, audience = row
    inside, lesson = make_entry(event, actor, target, card), LESSONS[event]
    outside = inside if audience == EVERYBODY else make_entry(event, actor, target, None)
    return SplitRow(inside, outside, audience, None if lesson is None else (lesson, actor, target, card, audience))


STEPS = Lookup(_split_rows, 4096)
ROWS = Lookup(_split_row, 1 << 14)
"""Steps and single rows, taken apart; the same are told at many tables, and in many rounds."""


def make_entry(event: int, actor: int, target: int, card: int | None) -> Entry:
    """An entry from the numbers of a row."""
    shown = card is not None and card != NO_CARD and EVENTS[HAPPENINGS[event]].content == Content.CARD
    return Entry(HAPPENINGS[event], actor, target, CARDS[card] if shown and card is not None else card)


def as_cards(numbers: Iterable[int]) -> tuple[Card, ...]:
    """Cards by their numbers."""
    return tuple(map(CARDS.__getitem__, numbers))


def seats(of: int) -> tuple[int, ...]:
    """A set of seats as a tuple, ascending."""
    return SEATS[of]


def _seats(of: int) -> tuple[int, ...]:
    return tuple([seat for seat in range(of.bit_length()) if of >> seat & 1])


SEATS = Lookup(_seats, 256)
"""Sets of seats as tuples."""


def piles(t: Table, players: int) -> tuple[tuple[Card, ...], ...]:
    """Everybody's pile, in order."""
    found: list[list[Card]] = [[] for _ in range(players)]
    for owner, card in zip(t.owners[: t.discards], t.piles, strict=False):
        found[owner].append(CARDS[card])
    return tuple(map(tuple, found))


def held(t: Table) -> tuple[int, ...]:
    """How many cards each player holds."""
    counts = [1 if card != NO_CARD else 0 for card in t.hand]
    if t.active != NOBODY:
        counts[t.active] += (t.drawn != NO_CARD) + (t.extra != NO_CARD)
    return tuple(counts)


def aside(t: Table, rules: Edition) -> int:
    """How many cards lie aside face down; one may have been taken."""
    return rules.aside - (1 if rules.spare and t.spare == NO_CARD else 0)


def or_none(seat: int) -> int | None:
    """A seat, or None for nobody."""
    return None if seat == NOBODY else seat
