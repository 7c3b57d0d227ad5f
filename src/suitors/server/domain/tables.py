"""One table as the fold of its events.

Commands check who may do what and return the events that follow; `apply` is the only way a table changes, whether an
event has just been written or is read again from the store.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ... import fair
from ...bots import BOTS
from ...errors import SuitorsError, check_edition, check_options
from ...game import Play, open_match
from ...notation import CARD_NAMES, CARD_OF
from ...rules import BOXES, Option
from ..errors import Refused, conflict, forbidden, missing
from ..storage.store import Event

WAITING, PLAYING, OVER, CLOSED = "waiting", "playing", "over", "closed"
NAME = 32
"""Letters in the longest name."""


@dataclass
class Seat:
    """Who sits here, and who plays for them."""

    person: int | None = None
    name: str = ""
    bot: str | None = None  # the bot that sits here, or stands in for the person
    absent: bool = False  # the bot stands in since the person was away: it leaves when they return
    word: str = ""

    @property
    def taken(self) -> bool:
        """Whether anybody sits here."""
        return self.person is not None or self.bot is not None


@dataclass(frozen=True)
class Step:
    """Where an event of the match lies in it: the round, and the step of the round (0: the deal)."""

    round: int
    step: int


@dataclass(frozen=True)
class Due:
    """What the house owes a table: the deal of a round, or (`bot`) the move of a seat at this point of it."""

    round: int
    ply: int
    seat: int
    bot: str | None


@dataclass
class Table:
    """A table: its seats, its settings and its match."""

    id: str
    edition: str = ""
    options: Mapping[str, Option] = field(default_factory=dict)
    open: bool = False
    pace_ms: int = 0
    rest_s: float = 0
    host: int = 0
    secret: bytes = b""
    status: str = WAITING
    seats: list[Seat] = field(default_factory=list)
    match: Play | None = None
    dealt: list[dict[str, Any]] = field(default_factory=list)  # words and seal of each round
    follower: str | None = None  # the table of the rematch
    events: list[tuple[Event, Step | None]] = field(default_factory=list)

    @property
    def state(self) -> int:
        """How many events there have been: what a request must name."""
        return len(self.events)

    @property
    def commitment(self) -> str:
        """What binds the server to its secret."""
        return fair.commitment(self.secret)

    @property
    def due(self) -> Due | None:
        """What the house owes this table."""
        match = self.match
        if self.status != PLAYING or match is None:
            return None
        if match.turn is None:
            return Due(len(match.rounds), 0, 0, None)
        bot = self.seats[match.turn].bot
        return Due(len(match.rounds) - 1, len(match.rounds[-1].moves), match.turn, bot) if bot else None

    @property
    def forlorn(self) -> bool:
        """Whether the house owes something that nobody may come to ask for: a bot's move, or a deal to bots alone."""
        due = self.due
        return due is not None and (due.bot is not None or all(seat.bot for seat in self.seats))

    def members(self) -> set[int]:
        """The persons who sit here."""
        return {seat.person for seat in self.seats if seat.person is not None}

    def seats_of(self, person: int | None) -> list[int]:
        """The seats of a person."""
        return [k for k, seat in enumerate(self.seats) if person is not None and seat.person == person]

    def admits(self, person: int | None) -> bool:
        """Whether a person who knows the link may see the table: a private one, once it plays, only from a seat."""
        return self.open or self.status in (WAITING, CLOSED) or person == self.host or bool(self.seats_of(person))

    # Events

    def apply(self, event: Event) -> None:
        """Take in the next event."""
        step = FOLDS[event["kind"]](self, event)
        self.events.append((event, step))

    def _opened(self, event: Event) -> None:
        self.edition, self.options, self.open = event["edition"], event["options"], event["open"]
        self.pace_ms, self.rest_s, self.host = event["pace_ms"], event["rest_s"], event["host"]
        self.secret = bytes.fromhex(event["secret"])
        self.seats = [Seat() for _ in range(event["players"])]

    def _sat(self, event: Event) -> None:
        self.seats[event["seat"]] = Seat(person=event["person"], name=event["name"])

    def _left(self, event: Event) -> None:
        self.seats[event["seat"]] = Seat()

    def _bot_sat(self, event: Event) -> None:
        self.seats[event["seat"]] = Seat(bot=event["bot"], name=event["name"])

    def _word(self, event: Event) -> None:
        self.seats[event["seat"]].word = event["word"]

    def _started(self, event: Event) -> None:
        del event
        self.match = open_match(self.edition, [seat.name for seat in self.seats], self.options, dealt=False)
        self.status = PLAYING

    def _dealt(self, event: Event) -> Step:
        match = self.playing()
        match.start(tuple(int(CARD_OF[name]) for name in event["deck"]), event["first"])
        self.dealt.append({"words": event["words"], "seal": event["seal"]})
        return self._stepped(match)

    def _moved(self, event: Event) -> Step:
        match = self.playing()
        match.play(event["move"])
        return self._stepped(match)

    def _handed(self, event: Event) -> None:
        seat = self.seats[event["seat"]]
        seat.bot, seat.absent = event["bot"], event["absent"]

    def _returned(self, event: Event) -> None:
        seat = self.seats[event["seat"]]
        seat.bot, seat.absent = None, False

    def _rematch(self, event: Event) -> None:
        self.follower = event["table"]

    def _closed(self, event: Event) -> None:
        del event
        self.status = CLOSED

    def _stepped(self, match: Play) -> Step:
        if match.over:
            self.status = OVER
        return Step(len(match.rounds) - 1, len(match.rounds[-1].rows) - 1)

    def playing(self) -> Play:
        """The match, if there is one."""
        if self.match is None:
            raise conflict("not-started", "The match has not started yet.")
        return self.match

    # Commands of those who wait

    def sit(self, person: int, number: int, name: str) -> list[Event]:
        """Take an empty seat."""
        self._wait()
        if self._seat(number).taken:
            raise conflict("seat-taken", f"Seat {number} is taken; take another one.")
        return [{"kind": "sat", "seat": number, "person": person, "name": name}]

    def seat_bot(self, person: int, number: int, bot: str, name: str) -> list[Event]:
        """Put a bot into an empty seat."""
        self._wait()
        self._insider(person)
        if self._seat(number).taken:
            raise conflict("seat-taken", f"Seat {number} is taken; choose another one for the bot.")
        return [{"kind": "bot-sat", "seat": number, "bot": check_bot(bot), "name": name}]

    def leave(self, person: int, number: int) -> list[Event]:
        """Leave a seat, or send a bot away; the host may free any seat."""
        self._wait()
        seat = self._seat(number)
        if not seat.taken:
            raise conflict("seat-empty", f"Nobody sits in seat {number}.")
        if seat.person is None:
            self._insider(person)
        elif person not in (seat.person, self.host):
            raise forbidden("Only the player who sits there, or the host, may free the seat.")
        return [{"kind": "left", "seat": number}]

    def start(self, person: int) -> list[Event]:
        """Start the match; every seat must be taken."""
        self._wait()
        self._insider(person)
        empty = [str(k) for k, seat in enumerate(self.seats) if not seat.taken]
        if empty:
            raise conflict("seats-empty", f"These seats are still empty: {', '.join(empty)}. Fill them with bots.")
        if not self.members():
            raise conflict("nobody-plays", "At least one seat must be a person's.")
        return [{"kind": "started"}]

    def close(self, person: int) -> list[Event]:
        """Give up a table that has not started."""
        self._wait()
        if person != self.host:
            raise forbidden("Only the host may close the table.")
        return [{"kind": "closed"}]

    # Commands of those who play

    def give_word(self, person: int, number: int, word: str) -> list[Event]:
        """Add a word to the shuffle of the rounds to come."""
        if self.status not in (WAITING, PLAYING):
            raise conflict("over", "There is nothing more to be dealt at this table.")
        self._own(person, number)
        try:
            return [{"kind": "word", "seat": number, "word": fair.check_word(word)}]
        except SuitorsError as error:
            raise Refused(422, error.code, str(error)) from None

    def deal(self, person: int | None = None) -> list[Event]:
        """Deal the next round, asked by a player, or by the house (None) when the rest is over."""
        match = self._running()
        if person is not None:
            self._insider(person)
        if not match.to_deal:
            raise conflict("round-runs", "The round is not over yet.")
        words = [seat.word for seat in self.seats]
        deal = fair.draw(match, self.secret, self.id, words)
        deck = [CARD_NAMES[card] for card in deal.order]
        return [{"kind": "dealt", "first": deal.first, "deck": deck, "words": words, "seal": deal.seal}]

    def move(self, person: int, number: int, text: str) -> list[Event]:
        """Play a move in a seat of one's own."""
        match = self._running()
        seat = self._own(person, number)
        if seat.bot is not None:
            raise conflict("handed-over", f"A bot plays for seat {number}: return to it first.")
        return self._moves(match, number, text, "person")

    def bot_move(self, number: int, text: str) -> list[Event]:
        """A move that a bot has chosen."""
        return self._moves(self._running(), number, text, "bot")

    def hand_over(self, person: int, number: int, bot: str, away: Callable[[int], bool]) -> list[Event]:
        """Let a bot play for one's own seat, or for another's who has been away for long."""
        self._running()
        self._insider(person)
        seat = self._seat(number)
        if seat.person is None or seat.bot is not None:
            raise conflict("bot-plays", f"A bot plays in seat {number} already.")
        if seat.person != person and not away(seat.person):
            raise conflict("not-away", f"{seat.name} is not away: only a player who is can be replaced.")
        return [{"kind": "handed", "seat": number, "bot": check_bot(bot), "absent": seat.person != person}]

    def come_back(self, person: int, number: int) -> list[Event]:
        """Take one's seat back from a bot."""
        self._running()
        if self._own(person, number).bot is None:
            raise conflict("not-handed-over", f"No bot plays for seat {number}.")
        return [{"kind": "returned", "seat": number}]

    def greet(self, person: int) -> list[Event]:
        """A person has come back to the table: seats that others had a bot fill in for are theirs again."""
        mine = (k for k in self.seats_of(person) if self.seats[k].absent)
        return [{"kind": "returned", "seat": k} for k in mine] if self.status == PLAYING else []

    def rematch(self, person: int) -> list[Event]:
        """Open the next table for the same players."""
        if self.status != OVER:
            raise conflict("not-over", "The match is not over yet.")
        self._insider(person)
        if self.follower is not None:
            raise conflict("rematch-open", "The rematch is open already.")
        return [{"kind": "rematch", "table": new_id()}]

    # Checks

    def _wait(self) -> None:
        if self.status != WAITING:
            raise conflict("started", "That can be done only while the table waits for its start.")

    def _running(self) -> Play:
        if self.status != PLAYING:
            raise conflict("not-playing", "No match is being played at this table now.")
        return self.playing()

    def _seat(self, number: int) -> Seat:
        if not 0 <= number < len(self.seats):
            raise missing("seat")
        return self.seats[number]

    def _own(self, person: int, number: int) -> Seat:
        seat = self._seat(number)
        if seat.person != person:
            raise forbidden(f"Seat {number} is not yours.")
        return seat

    def _insider(self, person: int) -> None:
        if person != self.host and not self.seats_of(person):
            raise forbidden("Only those who sit at the table, and its host, may do that.")

    def _moves(self, match: Play, number: int, text: str, by: str) -> list[Event]:
        if match.turn != number:
            raise conflict("not-your-turn", f"It is not for seat {number} to decide now.")
        try:
            match.parse(text)
        except SuitorsError as error:
            raise Refused(422, error.code, str(error)) from None
        return [{"kind": "moved", "seat": number, "move": text, "by": by}]


FOLDS: dict[str, Callable[[Table, Event], Step | None]] = {
    "opened": Table._opened,
    "sat": Table._sat,
    "left": Table._left,
    "bot-sat": Table._bot_sat,
    "word": Table._word,
    "started": Table._started,
    "dealt": Table._dealt,
    "moved": Table._moved,
    "handed": Table._handed,
    "returned": Table._returned,
    "rematch": Table._rematch,
    "closed": Table._closed,
}
"""How each kind of event changes a table."""


def new_id() -> str:
    """An id that nobody can guess: it is the link to a private table."""
    return secrets.token_urlsafe(16)


def check_bot(name: str) -> str:
    """The bot's name, if the house has it; programs are for the command line."""
    if name not in BOTS:
        raise Refused(422, "unknown-bot", f"There is no bot {name!r:.40}; there are {', '.join(BOTS)}.")
    return name


def opening(
    host: int, edition: str, players: int, options: Mapping[str, Any], *, open_: bool, pace_ms: int, rest_s: float
) -> Event:
    """The event that opens a table, with the secret of its shuffle."""
    try:
        slug, switches = check_edition(edition), check_options(options)
    except SuitorsError as error:
        raise Refused(422, error.code, str(error)) from None
    allowed = BOXES[slug].players
    if players not in allowed:
        sentence = f"{slug} is for {allowed[0]} to {allowed[-1]} players, not for {players}."
        raise Refused(422, "bad-players", sentence)
    return {
        "kind": "opened",
        "edition": slug,
        "players": players,
        "options": switches,
        "open": open_,
        "pace_ms": pace_ms,
        "rest_s": rest_s,
        "host": host,
        "secret": fair.new_secret().hex(),
    }


def folded(table: str, events: Sequence[Event]) -> Table:
    """The table that a list of events makes."""
    found = Table(table)
    for event in events:
        found.apply(event)
    return found
