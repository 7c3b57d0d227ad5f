"""One table of the server as the fold of its events: `apply` is the only way it changes.

That holds for an event that has just been decided on as for one that is read again from the store.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ... import fair
from ...errors import SuitorsError, check_deck
from ...game import Play, open_match
from ...rules import RULES_VERSION, Option, find_box
from ..errors import Refused, conflict, missing
from ..storage.tables import Event
from .changes import LastChanges

WAITING, PLAYING, OVER, CLOSED = "waiting", "playing", "over", "closed"

STAND_IN = "expert"
"""The bot that stands in for players where the host has not chosen another."""

FIRST_RULES = 1
"""The version of the rules that matches were played by whose deals do not say so."""


@dataclass
class Seat:
    """Who sits here, and who plays for them."""

    person: int | None = None
    name: str = ""
    bot: str | None = None  # the bot that sits here, or stands in for the person
    absent: bool = False  # the bot stands in since the person was away: it leaves when they return
    word: str = ""
    words: int = 0  # given since the last deal
    hand_overs: int = 0  # by its player since the last deal
    ready: bool = False  # its player has asked for the next round
    take_backs: int = 0  # moves that its player has taken back since the last deal

    @property
    def taken(self) -> bool:
        """Whether anybody sits here."""
        return self.person is not None or self.bot is not None


class MatchPosition(NamedTuple):
    """Where an event of the match lies in it: the round, and the step of the round (0: the deal)."""

    round: int
    step: int


UNDONE = -1
"""The step of a move that was taken back: nothing of it is left in the match."""


class NewEvent(NamedTuple):
    """An event that follows from a command and has not happened yet."""

    event: Event
    move: int | None = None  # of a move: its packed form, which has been checked; it is not stored


@dataclass(frozen=True)
class PendingAction:
    """What the server has to do next at a table: deal a round, or (`bot`) move for a seat at this point of it."""

    round: int
    ply: int
    seat: int
    bot: str | None


@dataclass
class HostedTable:
    """A table: its seats, its settings and its match."""

    id: str
    edition: str = ""
    options: Mapping[str, Option] = field(default_factory=dict)
    open: bool = False
    pace_ms: int = 0
    rest_s: float = 0
    stand_in: str = STAND_IN  # the bot that plays for somebody who is away
    hints: bool = False  # whether players may ask for hints
    host: int = 0
    secret: bytes = b""
    status: str = WAITING
    seats: list[Seat] = field(default_factory=list)
    match: Play | None = None
    rules: int = RULES_VERSION  # the version of the rules by which the last round was dealt
    shuffles: list[dict[str, Any]] = field(default_factory=list)  # words and seal of each round
    starters: list[tuple[int, ...]] = field(default_factory=list)  # the seats that might have started each round
    hinted: set[tuple[int, int]] = field(default_factory=set)  # the decisions with a hint: round and index of the move
    rematch: str | None = None  # the id of the next table
    freed: set[int] = field(default_factory=set)  # persons whose seat the host has freed
    sittings: Counter[int] = field(default_factory=Counter)  # how often each person has sat down
    changed: LastChanges = field(default_factory=LastChanges)
    events: list[tuple[Event, MatchPosition | None]] = field(default_factory=list)

    @property
    def state(self) -> int:
        """How many events there have been: what a request must name."""
        return len(self.events)

    @property
    def commitment(self) -> str:
        """What binds the server to its secret."""
        return fair.commitment(self.secret)

    @property
    def pending(self) -> PendingAction | None:
        """What the server has to do next at this table."""
        match = self.match
        if self.status != PLAYING or match is None:
            return None
        if match.turn is None:
            return PendingAction(len(match.rounds), 0, 0, None)
        bot = self.seats[match.turn].bot
        return PendingAction(len(match.rounds) - 1, len(match.rounds[-1].moves), match.turn, bot) if bot else None

    @property
    def must_resume(self) -> bool:
        """Whether something is pending that no player has to come back for: a bot's move, or a deal to bots alone."""
        pending = self.pending
        return pending is not None and (pending.bot is not None or all(seat.bot for seat in self.seats))

    @property
    def started_match(self) -> Play:
        """The match; refused before there is one."""
        if self.match is None:
            raise conflict("not-started", "The match has not started yet.")
        return self.match

    @property
    def hinted_now(self) -> bool:
        """Whether a hint has been asked for the decision that is due."""
        match = self.match
        return bool(match and match.rounds) and self._due() in self.hinted

    def _due(self) -> tuple[int, int]:
        rounds = self.started_match.rounds
        return len(rounds) - 1, len(rounds[-1].moves)

    @property
    def against_bots(self) -> bool:
        """Whether a single player sits here, alone or among bots."""
        return sum(seat.person is not None for seat in self.seats) == 1

    # Who may see what

    def members(self) -> set[int]:
        """The persons who sit here."""
        return {seat.person for seat in self.seats if seat.person is not None}

    def names(self) -> list[str]:
        """What those are called who sit here."""
        return [seat.name for seat in self.seats if seat.taken]

    def seats_of(self, person: int | None) -> list[int]:
        """The seats of a person."""
        return [k for k, seat in enumerate(self.seats) if person is not None and seat.person == person]

    def awaited(self, is_away: Callable[[int], bool]) -> list[int]:
        """The seats whose players have not asked for the next round yet; bots and those who are away are not awaited.

        One seat speaks for all of a person's.
        """
        ready = {seat.person for seat in self.seats if seat.ready}
        playing = {seat.person for seat in self.seats if seat.person is not None and seat.bot is None}
        return sorted(self.seats_of(person)[0] for person in playing - ready if not is_away(person))

    def admits(self, person: int | None) -> bool:
        """Whether a person who knows the link may see the table: a private one, once it plays, only from a seat."""
        return self.open or self.match is None or person == self.host or bool(self.seats_of(person))

    def read_seat(self, text: str) -> int | None:
        """The seat of this number; None for `none`, which is a spectator."""
        number = None if text == "none" else int(text)
        if number is not None and number >= len(self.seats):
            raise missing("seat")
        return number

    def read_own_seat(self, text: str, person: int | None) -> int | None:
        """The same, if the seat is this person's."""
        number = self.read_seat(text)
        if number is not None and number not in self.seats_of(person):
            raise Refused(403, "not-your-seat", f"Seat {number} is not yours: look as a spectator (seat=none).")
        return number

    # Events

    def apply(self, event: Event, move: int | None = None) -> None:
        """Take in the next event; `move` is its move where that has been parsed and checked already."""
        position = self._moved(event, move) if event["kind"] == "moved" else FOLDS[event["kind"]](self, event)
        self.events.append((event, position))
        self.changed.note(event, len(self.events))

    def apply_new(self, events: Iterable[NewEvent]) -> None:
        """Take in events that commands have decided on."""
        for event, move in events:
            self.apply(event, move)

    def _opened(self, event: Event) -> None:
        find_box(event["edition"])  # there must be such an edition
        self.edition, self.options, self.open = event["edition"], event["options"], event["open"]
        self.pace_ms, self.rest_s, self.host = event["pace_ms"], event["rest_s"], event["host"]
        self.stand_in = event.get("stand_in", STAND_IN)
        self.hints = event.get("hints", find_box(event["edition"]).solo)  # solo games have always had them
        self.secret = bytes.fromhex(event["secret"])
        self.seats = [Seat() for _ in range(event["players"])]

    def _sat(self, event: Event) -> None:
        self.seats[event["seat"]] = Seat(person=event["person"], name=event["name"])
        self.sittings[event["person"]] += 1
        self.freed.discard(event["person"])

    def _left(self, event: Event) -> None:
        person = self.seats[event["seat"]].person
        if person is not None and event.get("by", person) != person:
            self.freed.add(person)
        self.seats[event["seat"]] = Seat()

    def _bot_sat(self, event: Event) -> None:
        self.seats[event["seat"]] = Seat(bot=event["bot"], name=event["name"])

    def _word(self, event: Event) -> None:
        seat = self.seats[event["seat"]]
        seat.word, seat.words = event["word"], seat.words + 1

    def _started(self, event: Event) -> None:
        del event
        self.match = open_match(self.edition, [seat.name for seat in self.seats], self.options, dealt=False)
        self.status = PLAYING

    def _dealt(self, event: Event) -> MatchPosition:
        match = self.started_match
        if not match.to_deal:
            raise SuitorsError("after-the-end", "No round has to start.")
        may_start = match.may_start
        match.start(check_deck(event["deck"], match.rules.box), match.check_first(event["first"]))
        self.starters.append(may_start)
        self.rules = event.get("rules", FIRST_RULES)
        self.shuffles.append({"words": event["words"], "seal": event["seal"]})
        for seat in self.seats:
            seat.words = seat.hand_overs = seat.take_backs = 0
            seat.ready = False
        return self._advanced(match)

    def _moved(self, event: Event, move: int | None) -> MatchPosition:
        match = self.started_match
        if event["seat"] != match.turn:
            raise SuitorsError("illegal-move", "Another seat has to decide.")
        match.push(match.parse(event["move"]) if move is None else move)
        return self._advanced(match)

    def _taken_back(self, event: Event) -> MatchPosition:
        """Go back to before a seat's last decision; the deal stays as it is."""
        match, moves = self.started_match, self.moves_since_decision(event["seat"])
        if self.status != PLAYING or not moves or moves != event["moves"]:
            raise SuitorsError("nothing-to-undo", "These moves cannot be taken back.")
        self.seats[event["seat"]].take_backs += 1
        round_, left = len(match.rounds) - 1, len(match.rounds[-1].moves) - moves
        for _ in range(moves):
            match.undo()
        # who has seen a hint may use it at the decision that they go back to
        self.hinted = {(number, ply if number < round_ else min(ply, left)) for number, ply in self.hinted}
        undone = MatchPosition(round_, UNDONE)
        for number, (other, position) in enumerate(self.events):
            if position is not None and position.round == round_ and position.step > left:
                self.events[number] = (other, undone)
        return undone

    def moves_since_decision(self, seat: int) -> int:
        """How many moves there are in the last round from a seat's last decision on; 0 where it has made none."""
        moves = 0
        for event, position in reversed(self.events):
            if event["kind"] == "dealt":
                break
            if event["kind"] == "moved" and position is not None and position.step != UNDONE:
                moves += 1
                if event["seat"] == seat:
                    return moves
        return 0

    def _hinted(self, event: Event) -> None:
        if self.status != PLAYING or self.started_match.turn != event["seat"]:
            raise SuitorsError("illegal-hint", "This seat has nothing to decide.")
        self.hinted.add(self._due())

    def _ready(self, event: Event) -> None:
        self.seats[event["seat"]].ready = True

    def _handed(self, event: Event) -> None:
        seat = self.seats[event["seat"]]
        seat.bot, seat.absent = event["bot"], event["absent"]
        seat.hand_overs += not event["absent"]

    def _returned(self, event: Event) -> None:
        seat = self.seats[event["seat"]]
        seat.bot, seat.absent = None, False

    def _rematch(self, event: Event) -> None:
        self.rematch = event["table"]

    def _closed(self, event: Event) -> None:
        del event
        self.status = CLOSED

    def _advanced(self, match: Play) -> MatchPosition:
        if match.over:
            self.status = OVER
        return MatchPosition(len(match.rounds) - 1, len(match.rounds[-1].rows) - 1)


FOLDS: dict[str, Callable[[HostedTable, Event], MatchPosition | None]] = {
    "opened": HostedTable._opened,
    "sat": HostedTable._sat,
    "left": HostedTable._left,
    "bot-sat": HostedTable._bot_sat,
    "word": HostedTable._word,
    "started": HostedTable._started,
    "dealt": HostedTable._dealt,
    "taken-back": HostedTable._taken_back,
    "hinted": HostedTable._hinted,
    "ready": HostedTable._ready,
    "handed": HostedTable._handed,
    "returned": HostedTable._returned,
    "rematch": HostedTable._rematch,
    "closed": HostedTable._closed,
}
"""How each kind of event changes a table; a move, which may come parsed, has a way of its own."""


def new_id() -> str:
    """An id that nobody can guess: it is the link to a private table."""
    return secrets.token_urlsafe(16)


class DamagedTable(Exception):
    """A table whose events cannot all be applied: the table up to there, and why, which tells no card."""

    def __init__(self, table: HostedTable, why: str) -> None:
        super().__init__(why)
        self.table = table


def fold(
    table: str, events: Iterable[Event], apply: Callable[[HostedTable, Event], None] = HostedTable.apply
) -> HostedTable:
    """The table that a list of events makes, by the rules of today; a DamagedTable where they make none."""
    folded = HostedTable(table)
    for number, event in enumerate(events):
        try:
            apply(folded, event)
        except Exception as error:  # what is on disk may be anything
            why = error.code if isinstance(error, SuitorsError | Refused) else type(error).__name__
            raise DamagedTable(folded, f"Event {number} cannot be applied: {why}.") from error
    return folded
