"""Matches as Python objects: the table, its history and what each seat may know, with every input checked."""

import random
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Self

from .errors import (
    IllegalMove,
    InvalidMove,
    SuitorsError,
    check_dealt,
    check_deck,
    check_edition,
    check_options,
    check_players,
)
from .notation import CARD_NAMES, NO_MOVE, UNREADABLE, read_move, write_move
from .rules import (
    ALONE,
    RULES_VERSION,
    SEVERAL,
    Card,
    End,
    Engine,
    GameTable,
    Option,
    Phase,
    Refusal,
    SoloTable,
    Table,
    copy_table,
    edition_data,
    find_box,
)
from .rules import edition as edition_rules
from .rules.choices import MOST_MOVES
from .view.match import Rows, Sight, View, entries_for, make_view, public_facts, seen
from .view.memory import Entry, Memory
from .view.solo import SoloView, make_solo_view

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
    sights: dict[int | None, Sight] = field(default_factory=dict)  # while it is the last round
    seen: dict[int | None, tuple[Entry, ...]] = field(default_factory=dict)


class BaseMatch(ABC, Generic[GameTable]):
    """A match of any edition: the table and its history. `Match` and `Solo` are its two kinds."""

    engine: Engine[GameTable]
    """The rules that it is played with."""

    alone: ClassVar[bool] = False
    """Whether this is the kind for one player."""

    def __init__(
        self,
        edition: EditionLike,
        players: Sequence[str],
        options: Mapping[str, Option] | None = None,
        *,
        rng: random.Random | None = None,
        dealt: bool = True,
    ) -> None:
        """Open a match and deal its first round, unless `dealt` is false."""
        self.edition = check_edition(edition)
        self.box = find_box(self.edition)
        if self.box.solo != self.alone:
            kind = "one: use suitors.Solo" if not self.alone else "several: use suitors.Match"
            raise SuitorsError("unknown-edition", f"{edition} is a game for {kind}.")
        self.players = check_players(self.edition, players)
        self.options = check_options({} if options is None else options)
        self.rng = rng or secrets.SystemRandom()
        self.rules = edition_rules(self.edition, len(self.players), self.options)
        check_dealt(self.rules)
        self.table: GameTable = self.engine.new_table(self.rules)
        self.rounds: list[Round] = []
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
        return None if self.table.phase in (Phase.DEAL, Phase.OVER) else self.table.decider

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
        return sorted(write_move(self.rules, move) for move in self.moves())

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
        self.engine.deal(self.table, self.rules, order, first)
        self.rounds.append(Round(first, order, seats))
        self._note()

    def play(self, text: str) -> None:
        """Play a move given as text, such as "guard 1 priest"."""
        self.push(self.parse(text))

    def parse(self, text: str) -> int:
        """A legal move given as text, packed. Raises InvalidMove or IllegalMove."""
        move, refusal = self._parsed(text)
        if refusal != Refusal.FINE:
            raise IllegalMove(text, refusal)
        return move

    def push(self, move: int) -> None:
        """Play a packed move that is known to be legal."""
        self.engine.play(self.table, self.rules, move)
        self.rounds[-1].moves.append(move)
        self._note()

    def undo(self) -> None:
        """Take back the last move, or the last deal where no move was made since."""
        if not self.rounds:
            raise SuitorsError("nothing-to-undo", "Nothing has happened yet.")
        rounds, self.rounds, self.table = self.rounds, [], self.engine.new_table(self.rules)
        past, last = rounds[:-1], rounds[-1]
        for old in past:
            self._repeat(old, old.moves)
        if last.moves:
            self._repeat(last, last.moves[:-1])

    def copy(self) -> Self:
        """A second match in the same state, with the same history."""
        twin = type(self)(self.edition, self.players, self.options, rng=self.rng, dealt=False)
        twin.table = copy_table(self.table)
        twin.rounds = [
            Round(r.first, r.deck, r.seats, r.moves[:], r.rows[:], r.winners, r.end, r.tokens) for r in self.rounds
        ]
        return twin

    def record(self) -> dict[str, Any]:
        """The record of the match (docs/contract.md, Records)."""
        return {
            "format": FORMAT,
            "edition": edition_data(self.edition),
            "players": list(self.players),
            "options": dict(self.options),
            "rules": RULES_VERSION,
            "rounds": [self._round_record(r) for r in self.rounds],
        }

    # Within

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
        if seat is not None and not 0 <= seat < len(self.players):
            raise SuitorsError("bad-seat", f"There is no seat {seat}: seats are 0 to {len(self.players) - 1}, or None.")

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
        if r.end:
            r.seen[seat] = entries
        return entries

    def _parsed(self, text: object) -> tuple[int, Refusal]:
        """The packed move, and why it is refused or FINE."""
        move = read_move(self.rules, text) if isinstance(text, str) else UNREADABLE
        if move == UNREADABLE:
            raise InvalidMove(text)
        if move == NO_MOVE:
            return move, Refusal.NO_DECISION if self.turn is None else Refusal.NO_FORM
        return move, Refusal(self.engine.why_not(self.table, self.rules, move))

    def _starter(self) -> int:
        """The default starter."""
        seats = self.may_start
        return seats[0] if self.rounds and self.box.seating else self.rng.choice(seats)

    def _shuffled(self) -> tuple[int, ...]:
        deck = list(self.rules.box)
        self.rng.shuffle(deck)
        return tuple(deck)

    def _repeat(self, old: Round, moves: list[int]) -> None:
        self.start(old.deck, old.first)
        for move in moves:
            self.push(move)

    def _note(self) -> None:
        """Write down what the last step told, and how the round ended if it did."""
        t, r = self.table, self.rounds[-1]
        r.rows.append(tuple(t.rows[: t.told]))
        if t.phase in (Phase.DEAL, Phase.OVER):
            r.winners, r.end, r.tokens = self._seats(t.winners), End(t.ending), self.tokens


class Match(BaseMatch[Table]):
    """A match for several players."""

    engine = SEVERAL

    def view(self, seat: int | None) -> View:
        """What the seat may know (None: a spectator)."""
        self._check_seat(seat)
        return self._view(seat, public_facts(self.table, self.rules), self._log(seat))

    def current_views(self, seats: Iterable[int | None]) -> dict[int | None, View]:
        """What each of the seats may know now, without their logs: for those who have followed the match so far."""
        facts = public_facts(self.table, self.rules)
        return {seat: self._view(seat, facts, ()) for seat in seats}

    def _sight(self, seat: int | None) -> Sight | None:
        """What the seat remembers of the last round."""
        if not self.rounds:
            return None
        r = self.rounds[-1]
        if seat not in r.sights:
            r.sights[seat] = Sight(seat, Memory(self.rules))
        r.sights[seat].update(r.rows)
        return r.sights[seat]

    def _view(self, seat: int | None, facts: Mapping[str, Any], log: tuple[tuple[Entry, ...], ...]) -> View:
        return make_view(
            self.table,
            self.rules,
            seat,
            facts=facts,
            sight=self._sight(seat),
            round_=len(self.rounds) - 1,
            log=log,
            edition=self.edition,
            players=self.players,
            options=self.options,
            legal=self._legal_for(seat),
        )


class Solo(BaseMatch[SoloTable]):
    """A game for one."""

    engine = ALONE
    alone = True

    def __init__(
        self,
        edition: EditionLike = "solitaire",
        players: Sequence[str] = ("Player",),
        options: Mapping[str, Option] | None = None,
        **more: Any,
    ) -> None:
        """Open a game and deal it; `rng` and `dealt` as for a Match."""
        super().__init__(edition, players, options, **more)

    def view(self, seat: int | None) -> SoloView:
        """What is known; player and spectators know the same."""
        self._check_seat(seat)
        return make_solo_view(
            self.table,
            self.rules,
            seat,
            log=self._log(seat),
            players=self.players,
            options=self.options,
            legal=self._legal_for(seat),
        )

    def current_views(self, seats: Iterable[int | None]) -> dict[int | None, SoloView]:
        """What is known now, whoever looks."""
        return {seat: self.view(seat) for seat in seats}


Play = Match | Solo
"""A match of any edition."""


def open_match(
    edition: EditionLike,
    players: Sequence[str],
    options: Mapping[str, Option] | None = None,
    *,
    rng: random.Random | None = None,
    dealt: bool = True,
) -> Play:
    """A match of any edition, of the kind that it needs."""
    slug = check_edition(edition)
    kind = Solo if find_box(slug).solo else Match
    return kind(slug, players, options, rng=rng, dealt=dealt)
