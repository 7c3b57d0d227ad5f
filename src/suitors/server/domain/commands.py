"""What a person can do at a table: one entry a command, which the API, the sockets and the forms look up.

A command checks who may do what and returns the events that follow; it changes nothing by itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ... import fair
from ...bots import BOTS
from ...errors import SuitorsError
from ...game import Play
from ...notation import CARD_NAMES
from ...rules import RULES_VERSION
from ...words.bots import load_characters
from ..errors import Refused, conflict, forbidden, missing, stale
from .changes import Part
from .given import Change, HandOver, Moving, Sitting, Word
from .names import check_name, tell_apart
from .people import Person
from .table import OVER, PLAYING, WAITING, HostedTable, NewEvent, Seat, new_id

MOST_WORDS = 8
MOST_HAND_OVERS = 8
MOST_TAKE_BACKS = 20
"""How often a seat may be given a word, be handed over by its player and take back a move, between two deals."""

MOST_SITTINGS = 20
"""How often a person may sit down at a table."""


@dataclass(frozen=True)
class Caller:
    """Who gives a command, for which seat, and how to tell who is away."""

    person: Person
    seat: int = -1  # where the command is about no seat
    is_away: Callable[[int], bool] = lambda _: False


Decision = Callable[[HostedTable], list[NewEvent]]
"""The events that follow at a table as it is; a Refused where that cannot be done."""


@dataclass(frozen=True)
class Command:
    """A command: its name, the function that decides on it, and how it is sent."""

    name: str
    decide: Callable[..., list[NewEvent]]  # of the table, the caller and, by keyword, what the JSON has
    json: type[Change] | type[Sitting] = Change  # with the state, and without the seat
    has_seat: bool = True
    hangs_on: Part | None = None  # what must not have changed since the state that the caller saw
    on_socket: bool = False  # it can be sent through a socket, for the seat of the socket

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """What it takes beside the state and the seat."""
        return tuple(key for key in self.json.model_fields if key != "state")

    def decision(self, caller: Caller, state: int | None = None, **given: str | None) -> Decision:
        """The command as a caller gives it who saw this state (None: any), to be decided when its turn has come."""

        def decide(table: HostedTable) -> list[NewEvent]:
            check_state(table, state, self.hangs_on, caller.seat)
            return self.decide(table, caller, **given)

        return decide


def check_state(table: HostedTable, state: int | None, part: Part | None, seat: int = -1) -> None:
    """Refuse what hangs on a part of the table that has changed since the caller saw it; other changes do no harm."""
    if state is not None and not table.changed.last(part, seat) <= state <= table.state:
        raise stale(table.state)


def sit(table: HostedTable, caller: Caller, name: str | None = None, bot: str | None = None) -> list[NewEvent]:
    """Take an empty seat, or put a bot into it; a name that somebody has there already gets a numeral."""
    if bot is None:
        name = caller.person.name if name is None else check_name(name)
        _check_waiting(table)
        _check_free(table, caller.seat, "take another one")
        _check_often(table.sittings[caller.person.id], MOST_SITTINGS, "You have sat down at this table")
        return [new_event("sat", seat=caller.seat, person=caller.person.id, name=tell_apart(name, table.names()))]
    name = bot_name(bot) if name is None else check_name(name or bot)
    _check_waiting(table)
    _check_insider(table, caller)
    _check_free(table, caller.seat, "choose another one for the bot")
    name = tell_apart(name, table.names())
    return [new_event("bot-sat", seat=caller.seat, bot=check_bot(bot), name=name, by=caller.person.id)]


def leave(table: HostedTable, caller: Caller) -> list[NewEvent]:
    """Leave a seat, or send a bot away; the host may free any seat."""
    _check_waiting(table)
    seat = _seat(table, caller.seat)
    if not seat.taken:
        raise conflict("seat-empty", f"Nobody sits in seat {caller.seat}.")
    if seat.person is None:
        _check_insider(table, caller)
    elif caller.person.id not in (seat.person, table.host):
        raise forbidden("Only the player who sits there, or the host, may free the seat.")
    return [new_event("left", seat=caller.seat, by=caller.person.id)]


def start(table: HostedTable, caller: Caller) -> list[NewEvent]:
    """Start the match; every seat must be taken."""
    _check_waiting(table)
    _check_insider(table, caller)
    empty = [str(k) for k, seat in enumerate(table.seats) if not seat.taken]
    if empty:
        raise conflict("seats-empty", f"These seats are still empty: {', '.join(empty)}. Fill them with bots.")
    if not table.members():
        raise conflict("nobody-plays", "At least one seat must be a person's.")
    return [new_event("started")]


def close(table: HostedTable, caller: Caller) -> list[NewEvent]:
    """Give up a table that has not started."""
    _check_waiting(table)
    if caller.person.id != table.host:
        raise forbidden("Only the host may close the table.")
    return [new_event("closed")]


def give_word(table: HostedTable, caller: Caller, word: str) -> list[NewEvent]:
    """Add a word to the shuffle of the rounds to come."""
    if table.status not in (WAITING, PLAYING):
        raise conflict("over", "There is nothing more to be dealt at this table.")
    seat = _own_seat(table, caller)
    try:
        word = fair.check_word(word)
    except SuitorsError as error:
        raise Refused(422, error.code, str(error)) from None
    if word == seat.word:
        return []
    _check_often(seat.words, MOST_WORDS, f"Seat {caller.seat} has, since the last deal, given a word")
    return [new_event("word", seat=caller.seat, word=word)]


def make_words(table: HostedTable) -> list[NewEvent]:
    """Words that the server makes for players who have none, for their browsers may run no script that gives one."""
    silent = [k for k, seat in enumerate(table.seats) if seat.person is not None and not seat.word]
    return [made_word(seat) for seat in silent]


def made_word(seat: int) -> NewEvent:
    """A word that the server makes for a seat."""
    return new_event("word", seat=seat, word=fair.make_word())


def deal(table: HostedTable, caller: Caller | None = None) -> list[NewEvent]:
    """Deal the next round when all players have asked for it, or for the server (None) when the rest is over."""
    match = _running_match(table)
    own = [] if caller is None else table.seats_of(caller.person.id)
    if caller is not None and not own:
        raise forbidden("Only those who sit at the table may do that.")
    if not match.to_deal:
        raise conflict("round-runs", "The round is not over yet.")
    if caller is not None and set(table.awaited(caller.is_away)) - set(own):
        return [] if table.seats[own[0]].ready else [new_event("ready", seat=own[0])]
    words = [seat.word for seat in table.seats]
    drawn = fair.draw(match, table.secret, table.id, words)
    deck = [CARD_NAMES[card] for card in drawn.order]
    return [new_event("dealt", first=drawn.first, deck=deck, words=words, seal=drawn.seal, rules=RULES_VERSION)]


def play(table: HostedTable, caller: Caller, move: str) -> list[NewEvent]:
    """Play a move in a seat of one's own."""
    return _moved(_running_match(table), _playing_seat(table, caller), move, "person")


def play_for_bot(table: HostedTable, seat: int, move: str) -> list[NewEvent]:
    """Play the move that a bot has chosen."""
    return _moved(_running_match(table), seat, move, "bot")


def take_back(table: HostedTable, caller: Caller) -> list[NewEvent]:
    """Take back one's last decision of this round, and all moves of bots since, where everybody else is a bot."""
    _running_match(table)
    seat = _own_seat(table, caller)
    if not table.against_bots:
        raise conflict("others-play", "A move can be taken back only where everybody else at the table is a bot.")
    _playing_seat(table, caller)
    moves = table.moves_since_decision(caller.seat)
    if not moves:
        raise conflict("nothing-to-take-back", f"Seat {caller.seat} has decided nothing in this round yet.")
    _check_often(seat.take_backs, MOST_TAKE_BACKS, f"Seat {caller.seat} has, since the last deal, taken back a move")
    return [new_event("taken-back", seat=caller.seat, moves=moves)]


def ask_hint(table: HostedTable, caller: Caller) -> list[NewEvent]:
    """Ask for a hint where the host allows them: the record will say so. What it says is worked out afterwards."""
    match = _running_match(table)
    if not table.hints:
        raise Refused(403, "no-hints", "Hints are not allowed at this table.")
    _check_turn(match, _playing_seat(table, caller))
    return [] if table.hinted_now else [new_event("hinted", seat=caller.seat)]


def hand_over(table: HostedTable, caller: Caller, bot: str | None = None) -> list[NewEvent]:
    """Let a bot play for one's own seat, or the table's stand-in for another who has been away for long."""
    _running_match(table)
    _check_insider(table, caller)
    seat, own = _seat(table, caller.seat), caller.person.id
    if seat.person is None or seat.bot is not None:
        raise conflict("bot-plays", f"A bot plays in seat {caller.seat} already.")
    if seat.person != own and not caller.is_away(seat.person):
        raise conflict("not-away", f"{seat.name} is not away: only a player who is can be replaced.")
    if seat.person != own and bot not in (None, table.stand_in):
        raise forbidden(f"The host has decided which bot stands in for others at this table: {table.stand_in}.")
    _check_often(seat.hand_overs, MOST_HAND_OVERS, f"Seat {caller.seat} has, since the last deal, been handed over")
    bot = table.stand_in if bot is None else check_bot(bot)
    return [new_event("handed", seat=caller.seat, bot=bot, absent=seat.person != own)]


def come_back(table: HostedTable, caller: Caller) -> list[NewEvent]:
    """Take one's seat back from a bot."""
    _running_match(table)
    if _own_seat(table, caller).bot is None:
        raise conflict("not-handed-over", f"No bot plays for seat {caller.seat}.")
    return [new_event("returned", seat=caller.seat)]


def give_back_seats(table: HostedTable, person: int) -> list[NewEvent]:
    """A person who was away is here again: seats that others let a bot play for are theirs again."""
    absent = (k for k in table.seats_of(person) if table.seats[k].absent)
    return [new_event("returned", seat=k) for k in absent] if table.status == PLAYING else []


def announce_rematch(table: HostedTable, caller: Caller, state: int) -> list[NewEvent]:
    """Name the next table for the same players; opening it is up to the registry, for it changes two tables."""
    check_state(table, state, "match")
    if table.status != OVER:
        raise conflict("not-over", "The match is not over yet.")
    _check_insider(table, caller)
    if table.rematch is not None:
        raise conflict("rematch-open", "The rematch is open already.")
    return [new_event("rematch", table=new_id())]


COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        Command("sit", sit, Sitting),
        Command("leave", leave, hangs_on="seat"),
        Command("start", start, has_seat=False, hangs_on="seating"),
        Command("close", close, has_seat=False),
        Command("move", play, Moving, hangs_on="match", on_socket=True),
        Command("deal", deal, has_seat=False, hangs_on="match", on_socket=True),
        Command("word", give_word, Word, on_socket=True),
        Command("hand-over", hand_over, HandOver, on_socket=True),
        Command("return", come_back, on_socket=True),
        Command("take-back", take_back, hangs_on="decision", on_socket=True),
        Command("hint", ask_hint, hangs_on="match", on_socket=True),
    )
}


# Within


def new_event(kind: str, packed: int | None = None, **data: object) -> NewEvent:
    """An event of this kind; of a move also its packed form."""
    return NewEvent({"kind": kind, **data}, packed)


def check_bot(name: str) -> str:
    """The bot's name, if the server has it; programs are for the command line."""
    if name not in BOTS:
        raise Refused(422, "unknown-bot", f"There is no bot {name!r:.40}; there are {', '.join(BOTS)}.")
    return name


def bot_name(bot: str) -> str:
    """What a bot is called where nobody says otherwise."""
    character = load_characters().get(bot)
    return character.name("en") if character else check_name(bot)


def _moved(match: Play, seat: int, text: str, by: str) -> list[NewEvent]:
    _check_turn(match, seat)
    try:
        packed = match.parse(text)
    except SuitorsError as error:
        raise Refused(422, error.code, str(error)) from None
    return [new_event("moved", packed, seat=seat, move=text, by=by)]


def _check_waiting(table: HostedTable) -> None:
    if table.status != WAITING:
        raise conflict("started", "That can be done only while the table waits for its start.")


def _check_free(table: HostedTable, number: int, advice: str) -> None:
    if _seat(table, number).taken:
        raise conflict("seat-taken", f"Seat {number} is taken; {advice}.")


def _check_often(times: int, most: int, done: str) -> None:
    """Refuse a change that everybody at the table is told of if it has been made often enough."""
    if times >= most:
        raise Refused(429, "too-many-changes", f"{done} {times} times already, which is as often as it may.")


def _check_insider(table: HostedTable, caller: Caller) -> None:
    if caller.person.id != table.host and not table.seats_of(caller.person.id):
        raise forbidden("Only those who sit at the table, and its host, may do that.")


def _running_match(table: HostedTable) -> Play:
    if table.status != PLAYING:
        raise conflict("not-playing", "No match is being played at this table now.")
    return table.started_match


def _check_turn(match: Play, seat: int) -> None:
    if match.turn != seat:
        raise conflict("not-your-turn", f"It is not for seat {seat} to decide now.")


def _seat(table: HostedTable, number: int) -> Seat:
    if not 0 <= number < len(table.seats):
        raise missing("seat")
    return table.seats[number]


def _own_seat(table: HostedTable, caller: Caller) -> Seat:
    seat = _seat(table, caller.seat)
    if seat.person != caller.person.id:
        raise forbidden(f"Seat {caller.seat} is not yours.")
    return seat


def _playing_seat(table: HostedTable, caller: Caller) -> int:
    """The number of a seat of the caller's own, unless a bot plays for it."""
    if _own_seat(table, caller).bot is not None:
        raise conflict("handed-over", f"A bot plays for seat {caller.seat}: return to it first.")
    return caller.seat
