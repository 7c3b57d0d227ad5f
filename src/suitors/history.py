"""A match of any edition as an object: the table, its history, and what was seen of it, with every input checked."""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, ClassVar, Generic, Self

from .chance import Seed, choose_rng, copy_rng, portable_rng
from .errors import (
    IllegalMove,
    InvalidMove,
    SuitorsError,
    brief,
    check_dealt,
    check_deck,
    check_edition,
    check_options,
    check_players,
)
from .notation import CARD_NAMES, NO_MOVE, UNREADABLE, read_move, write_move, write_moves
from .rules import (
    RULES_VERSION,
    Card,
    Edition,
    End,
    Engine,
    GameTable,
    Option,
    Phase,
    Refusal,
    copy_table,
    edition_data,
    find_box,
)
from .rules import edition as edition_rules
from .rules.choices import MOST_MOVES
from .rules.names import REFUSALS
from .view.match import UNDECIDED, Rows, Sight, Splitter, StepRows, View, entries_for, seen
from .view.memory import Entry
from .view.solo import SoloView

FORMAT = "suitors-record/1"

EditionLike = str | Mapping[str, Any]
"""An edition: the slug of a published one, or the object of one's own (docs/contract.md, Editions of your own)."""


@dataclass
class Round:
    """What was dealt and decided in one round, what everybody could see of it, and how it ended."""

    first: int
    deck: tuple[int, ...]
    seats: tuple[int, ...] | None  # only in a tie-break round
    moves: list[int] = field(default_factory=list)
    rows: list[Rows] = field(default_factory=list)
    winners: tuple[int, ...] = ()
    end: End = End.NONE
    tokens: tuple[int, ...] = ()
    before: Any = field(default=None, compare=False)  # the table before it was dealt; None where the match began in it
    begun: Any = field(default=None, compare=False)  # the table in which the match began, if it began in this round
    sights: dict[int | None, Sight] = field(default_factory=dict)  # while it is the last round
    seen: dict[int | None, tuple[Entry, ...]] = field(default_factory=dict)
    split: Splitter = field(default_factory=Splitter, compare=False, repr=False)  # takes steps apart

    def copy(self) -> "Round":
        """The same round, without what has been put together of it so far."""
        told = (self.winners, self.end, self.tokens, self.before, self.begun)
        return Round(self.first, self.deck, self.seats, self.moves[:], self.rows[:], *told)

    def reopen(self) -> None:
        """Take the last move back, and with it the end of the round."""
        self.moves.pop()
        self.rows.pop()
        self.winners, self.end, self.tokens = (), End.NONE, ()
        self.sights.clear()
        self.seen.clear()


class BaseMatch(ABC, Generic[GameTable]):
    """A match of any edition: the table and its history. `Match` and `Solo` are its two kinds."""

    rules: Edition  # the numbers of the edition
    engine: Engine[GameTable]
    """The rules that it is played with."""

    alone: ClassVar[bool] = False
    """Whether this is the kind for one player."""

    def __init__(
        self,
        edition: EditionLike | None,
        players: Sequence[str] | None,
        options: Mapping[str, Option] | None = None,
        *,
        rng: random.Random | None = None,
        seed: Seed | None = None,
        dealt: bool = True,
    ) -> None:
        """Open a match and deal its first round, unless `dealt` is false.

        Chance comes from `rng`, or from a generator of `seed`, or from the system.
        """
        self.edition = check_edition(edition)  # the slug of a published one, or the text of one's own
        self.box = find_box(self.edition)
        if self.box.solo != self.alone:
            kind = "one: use suitors.Solo" if not self.alone else "several: use suitors.Match"
            raise SuitorsError("unknown-edition", f"{edition} is a game for {kind}.")
        self.players = check_players(self.edition, players)  # the names in the order of seats
        self.options = check_options({} if options is None else options)  # every switch
        self.rng = choose_rng(rng, seed)  # where deals come from
        self._find_rules()
        check_dealt(self.rules)
        self.table: GameTable = self.engine.new_table(self.rules)  # the state, with every card
        self.rounds: list[Round] = []  # what was dealt and played so far
        self.began: str | None = None  # the position in which it began, if it did not begin with a deal
        self._tables: list[GameTable] | None = None  # of the last round, after each step, once somebody takes back
        if dealt:
            self.deal()

    # What is so

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.table.phase == Phase.OVER

    @property
    def turn(self) -> int | None:
        """The seat that must decide now, or None."""
        return None if self.table.phase in UNDECIDED else self.table.decider

    @property
    def tokens(self) -> tuple[int, ...]:
        """Every seat's tokens."""
        return tuple(self.table.tokens)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won the match."""
        return self._seats(self.table.champions)

    @property
    def to_deal(self) -> bool:
        """Whether a round has to start."""
        return self.table.phase == Phase.DEAL

    @property
    def next_seats(self) -> tuple[int, ...]:
        """The seats that take part in the round that has to start."""
        return self._seats(self.table.tied or (1 << len(self.players)) - 1)

    @property
    def next_first(self) -> tuple[int, ...]:
        """The seats that may start it."""
        return self._seats(self.engine.starters(self.table, self.rules))

    @property
    def may_start(self) -> tuple[int, ...]:
        """The seats among which chance decides who starts it: one where the order of seats does (R18)."""
        seats = self.next_first
        if not self.rounds or not self.box.seating:
            return seats
        eldest = self.rounds[0].first
        return (min(seats, key=lambda seat: (seat - eldest) % len(self.players)),)

    def legal(self) -> list[str]:
        """The legal moves, sorted as plain text."""
        return write_moves(self.rules, self.moves())

    def moves(self) -> list[int]:
        """The legal moves, packed, in the order in which the rules number them."""
        row = [0] * MOST_MOVES
        return row[: self.engine.list_moves(self.table, self.rules, row)]

    def why_not(self, text: str) -> Refusal:
        """Why the move is not legal now, or Refusal.FINE. Raises InvalidMove where it is no move at all."""
        return self._parsed(text)[1]

    @abstractmethod
    def view(self, seat: int | None) -> View | SoloView:
        """What the seat may know (None: a spectator)."""

    @abstractmethod
    def current_views(self, seats: Iterable[int | None]) -> Mapping[int | None, View | SoloView]:
        """What each of the seats may know now, perhaps without their logs."""

    def step_log(self, index: int, step: int, seat: int | None) -> tuple[Entry, ...]:
        """What the seat saw of a step of a round; step 0 is the deal, then come the moves."""
        return entries_for(self.rounds[index].rows[step], seat)

    def step_rows(self, index: int, step: int) -> StepRows:
        """The same for whoever asks it of the rows."""
        return (played := self.rounds[index]).split(played.rows[step])

    def check_first(self, first: object) -> int:
        """The seat, if it may start the round that has to start."""
        if isinstance(first, bool) or not isinstance(first, int) or first not in self.next_first:
            allowed = ", ".join(map(str, self.next_first))
            raise SuitorsError("bad-first", f"The round may be started by seat {allowed}, not by {first!r:.40}.")
        return first

    # What can be done

    def deal(self, deck: Sequence[Card | str] | None = None, first: int | None = None) -> None:
        """Start the next round, shuffled, or with the deck in the given order (top first)."""
        if not self.to_deal:
            raise SuitorsError("after-the-end", "The match is over." if self.over else "The round is not over yet.")
        first = self._starter() if first is None else self.check_first(first)
        self.start(self._shuffled() if deck is None else check_deck(deck, self.rules.box), first)

    def start(self, order: tuple[int, ...], first: int) -> None:
        """Start the next round with a deck and a first seat that are known to be good."""
        seats = self.next_seats if self.table.tied else None
        if self.rounds:
            self.rounds[-1].sights.clear()
        before = copy_table(self.table)
        self.engine.deal(self.table, self.rules, order, first)
        self.rounds.append(Round(first, order, seats, before=before))
        self._tables = None
        self._note()

    def play(self, text: str) -> None:
        """Play a move given as text, such as "guard 1 priest"."""
        self.push(self.parse(text))

    def parse(self, text: str) -> int:
        """A legal move given as text, packed. Raises InvalidMove or IllegalMove."""
        move, refusal = self._parsed(text)
        if refusal:
            raise IllegalMove(text, refusal)
        return move

    def push(self, move: int) -> None:
        """Play a packed move that is known to be legal."""
        self.engine.play(self.table, self.rules, move)
        self.rounds[-1].moves.append(move)
        if self._tables is not None:
            self._tables.append(copy_table(self.table))
        self._note()

    def undo(self) -> None:
        """Take back the last move, or the last deal where no move was made since."""
        if not self.rounds or (self.rounds[-1].before is None and not self.rounds[-1].moves):
            raise SuitorsError("nothing-to-undo", "Nothing has happened yet.")
        last = self.rounds[-1]
        if last.moves:
            tables = self._last_tables()
            tables.pop()
            self.table = copy_table(tables[-1])
            last.reopen()
        else:
            self.table, self._tables = last.before, None
            self.rounds.pop()

    def _last_tables(self) -> list[GameTable]:
        """The table after each step of the last round: made when they are first needed, and kept from then on."""
        if self._tables is None:
            last = self.rounds[-1]
            t: GameTable = copy_table(last.begun if last.before is None else last.before)
            if last.before is not None:
                self.engine.deal(t, self.rules, last.deck, last.first)
            self._tables = [copy_table(t)]
            for move in last.moves:
                self.engine.play(t, self.rules, move)
                self._tables.append(copy_table(t))
        return self._tables

    # Copies

    def copy(self) -> Self:
        """A second match in the same state, with the same history and a chance of its own that gives the same."""
        twin = type(self).__new__(type(self))
        vars(twin).update(vars(self))
        twin.rng, twin.table, twin._tables = copy_rng(self.rng), copy_table(self.table), None
        twin.rounds = [played.copy() for played in self.rounds]
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = memo[id(self)] = self.copy()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        state = {key: value for key, value in vars(self).items() if key not in ("rules", "box", "_lists")}
        rounds = [played.copy() for played in self.rounds]
        return {**state, "rng": portable_rng(self.rng), "rounds": rounds, "_tables": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.rng = choose_rng(state["rng"], None)
        self.box = find_box(self.edition)
        self._find_rules()

    def __eq__(self, other: object) -> bool:
        """Whether the same has been dealt and played by the same rules to players of the same names."""
        return isinstance(other, BaseMatch) and self._played() == other._played()

    __hash__ = None  # type: ignore[assignment]  # a match changes

    def _played(self) -> tuple[Any, ...]:
        rounds = [(played.first, played.deck, played.seats, played.moves) for played in self.rounds]
        return self.edition, self.players, self.options, self.began, rounds

    # As text

    def __repr__(self) -> str:
        due = "over" if self.over else "to deal" if self.to_deal else f"turn={self.turn}"
        state = f"round={len(self.rounds) - 1}, tokens={self.tokens}, {due}"
        return f"<{type(self).__name__} {edition_data(self.edition)!r} {list(self.players)!r} {state}>"

    @abstractmethod
    def __str__(self) -> str:
        """The table as it lies, with all cards open."""

    def _repr_html_(self) -> str:
        """The same for a notebook."""
        return f"<pre>{escape(str(self))}</pre>"

    def record(self) -> dict[str, Any]:
        """The record of the match (docs/contract.md, Records)."""
        if self.began is not None:
            raise SuitorsError(
                "no-record", "A match that began in a position has no record: nobody knows what was before."
            )
        return {
            "format": FORMAT,
            "edition": edition_data(self.edition),
            "players": list(self.players),
            "options": dict(self.options),
            "rules": RULES_VERSION,
            "rounds": [self._round_record(r) for r in self.rounds],
        }

    # Within

    def _find_rules(self) -> None:
        self.rules = edition_rules(self.edition, len(self.players), self.options)

    def _round_record(self, r: Round) -> dict[str, Any]:
        seats = {} if r.seats is None else {"seats": list(r.seats)}
        return {
            "first": r.first,
            **seats,
            "deck": [CARD_NAMES[card] for card in r.deck],
            "moves": [write_move(self.rules, move) for move in r.moves],
        }

    def _seats(self, seats: int) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.players)) if seats >> seat & 1)

    def _check_seat(self, seat: int | None) -> None:
        if seat is not None and (type(seat) is not int or not 0 <= seat < len(self.players)):
            seats = f"seats are 0 to {len(self.players) - 1}, or None"
            raise SuitorsError("bad-seat", f"There is no seat {brief(seat)}: {seats}.")

    def _log(self, seat: int | None) -> tuple[tuple[Entry, ...], ...]:
        """What a seat has seen, round by round."""
        return tuple(self._seen(k, seat) for k in range(len(self.rounds)))

    def _legal_for(self, seat: int | None) -> list[str]:
        """The legal moves, if it is this seat that decides."""
        return self.legal() if seat is not None and seat == self.turn else []

    def _seen(self, index: int, seat: int | None) -> tuple[Entry, ...]:
        """What a seat saw of a round; of a finished one it is put together once."""
        r = self.rounds[index]
        if r.end and seat in r.seen:
            return r.seen[seat]
        entries = seen(r.rows, seat)
        return r.seen.setdefault(seat, entries) if r.end else entries

    def _parsed(self, text: object) -> tuple[int, Refusal]:
        """The packed move, and why it is refused or FINE."""
        move = read_move(self.rules, text) if isinstance(text, str) else UNREADABLE
        if move == UNREADABLE:
            raise InvalidMove(text)
        if move == NO_MOVE:
            return move, Refusal.NO_DECISION if self.turn is None else Refusal.NO_FORM
        return move, REFUSALS[self.engine.why_not(self.table, self.rules, move)]

    def _starter(self) -> int:
        """The default starter."""
        seats = self.may_start
        return seats[0] if self.rounds and self.box.seating else self.rng.choice(seats)

    def _shuffled(self) -> tuple[int, ...]:
        deck = list(self.rules.box)
        self.rng.shuffle(deck)
        return tuple(deck)

    def _note(self) -> None:
        """Write down what the last step told, and how the round ended if it did."""
        t, r = self.table, self.rounds[-1]
        r.rows.append(tuple(t.rows[: t.told]))
        if t.phase in UNDECIDED:
            r.winners, r.end, r.tokens = self._seats(t.winners), End(t.ending), self.tokens
