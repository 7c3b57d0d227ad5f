"""The socket of a table: what happens, as it happens, through the eyes of a seat; and commands the other way."""

import asyncio
import logging
from contextlib import suppress
from typing import Any, NamedTuple

import orjson
from pydantic import TypeAdapter, ValidationError
from starlette.requests import HTTPConnection

from ..domain import serializers
from ..domain.people import Person
from ..domain.registry import Command, Live, Watcher
from ..errors import Refused
from ..http import models as m
from ..http.api import eyes_of, open_to
from ..http.middleware import Receive, Send
from ..ops.limits import Buckets
from ..server import COOKIE, House
from ..storage.store import StoreFailure

log = logging.getLogger(__name__)

PARTING_S = 1.0
"""How long a socket may take to close."""

TOO_SLOW, COME_AGAIN, TOO_MANY = 4008, 4012, 4029
"""Why a socket was closed: it did not keep up; the table was put down and can be taken up again; too many messages."""


class MoveNow(m.Change):
    """Play a move in the seat of this socket."""

    move: m.Move


ACTS: dict[str, TypeAdapter[Any]] = {
    "move": TypeAdapter(MoveNow),
    "deal": TypeAdapter(m.Change),
    "word": TypeAdapter(m.Word),
    "hand-over": TypeAdapter(m.HandOver),
    "return": TypeAdapter(m.Change),
}


class Asked(NamedTuple):
    """What a client asks for: a table, through the eyes of a seat, from a state on."""

    live: Live
    person: Person | None
    seat: int | None
    since: int


async def asked_of(house: House, connection: HTTPConnection, table: str) -> Asked:
    """What the address and the cookie say, if it can be granted."""
    live, person = await admitted(house, connection, table)
    since = connection.query_params.get("since", "0")
    if not since.isascii() or not since.isdigit() or len(since) > 9:
        raise Refused(422, "bad-request", "since is the number of a state, 0 or more.")
    return Asked(live, person, _eyes(live, person, connection.query_params.get("seat")), int(since))


async def admitted(house: House, connection: HTTPConnection, table: str) -> tuple[Live, Person | None]:
    """The table and the person at the other end, if the one is open to the other."""
    person = await house.person(connection.cookies.get(COOKIE))
    return await open_to(house, table, person), person


def _eyes(live: Live, person: Person | None, seat: str | None) -> int | None:
    """The seat asked for; without one the caller's first, or a spectator's."""
    if seat is None:
        return next(iter(live.table.seats_of(None if person is None else person.id)), None)
    if seat not in ("none", *"01234567"):
        raise Refused(422, "bad-seat", "seat is a number from 0 to 7, or none.")
    return eyes_of(live.table, person, seat)


class Line:
    """One socket: a task that writes what is told, and a loop that reads commands."""

    def __init__(self, house: House, receive: Receive, send: Send, asked: Asked) -> None:
        self.house = house
        self.receive = receive
        self.send = send
        self.asked = asked
        self.live = asked.live
        self.watcher = Watcher(asked.seat, house.limits.backlog)
        self.rate = Buckets(house.limits.messages_s, house.limits.messages_burst)
        self.late = 0

    @property
    def who(self) -> int | None:
        """The person at the other end."""
        return None if self.asked.person is None else self.asked.person.id

    async def run(self) -> None:
        """Tell and listen until one side has had enough."""
        hall, seat = self.house.hall, self.watcher.seat
        await hall.settled(self.live)
        if self.live.shows(self.who, seat):
            self._begin()
        else:  # all has changed since the socket was asked for
            self.watcher.tell(None)
        hall.enter(self.live, self.watcher, self.who)
        tasks = {asyncio.ensure_future(self._write()), asyncio.ensure_future(self._read())}
        try:
            done, _ = await asyncio.wait({*tasks, self.watcher.drowned}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hall.go(self.live, self.watcher, self.who)
            for task in tasks:
                task.cancel()
        for ended in done:
            note(ended)
        await self._part()

    def _begin(self) -> None:
        """Tell how the table stands, and what has happened since the state that was asked for."""
        seat, since = self.asked.seat, min(self.asked.since, self.live.table.state)
        self.watcher.tell(self._hello())
        self.watcher.tell(self.house.hall.news(self.live, since, [seat])[seat])

    async def _write(self) -> None:
        while True:
            message = await self.watcher.next()
            if message is None:
                return
            await self.send({"type": "websocket.send", "text": message.decode()})
            del message  # or thousands of sockets keep their last one

    async def _read(self) -> None:
        while True:
            message = await self.receive()
            if message["type"] == "websocket.disconnect":
                return
            if self.rate.take(""):
                self.late += 1
                if self.late > self.house.limits.messages_burst:
                    return
                refusal = Refused(429, "too-many", "Too many messages: wait a little.")
                self._answer(None, refusal.data())
                continue
            await self._heed(message.get("text"))

    async def _heed(self, text: str | None) -> None:
        """Do what a message asks for. A refusal is answered; so is a success, where the message has an id."""
        number: Any = None
        try:
            asked = parse(text)
            number = asked.pop("id", None)
            kind = asked.pop("do", None)
            if not isinstance(kind, str) or kind not in ACTS:
                raise Refused(422, "bad-message", f"`do` is one of {', '.join(ACTS)}.")
            given = ACTS[kind].validate_python(asked)
            state = await self.house.hall.act(self.live, given.state, self._command(kind, given))
            if number is not None:
                self._answer(number, {"state": state})
        except ValidationError as error:
            self._answer(number, Refused(422, "bad-message", first_fault(error.errors())).data())
        except Refused as refusal:
            self._answer(number, refusal.data())
        except StoreFailure as error:
            log.error("store-failed", extra={"data": {"why": str(error)}})

    def _command(self, kind: str, given: Any) -> Command:
        who, seat = self.who, self.asked.seat
        if who is None or seat is None:
            raise Refused(403, "forbidden", "A spectator only watches.")
        match kind:
            case "move":
                return lambda table: table.move(who, seat, given.move)
            case "deal":
                return lambda table: table.deal(who)
            case "word":
                return lambda table: table.give_word(who, seat, given.word)
            case "hand-over":
                return lambda table: table.hand_over(who, seat, given.bot, self.house.hall.away(self.live))
        return lambda table: table.come_back(who, seat)

    def _hello(self) -> bytes:
        table = self.live.table
        yours = table.seats_of(self.who)
        data = serializers.table_data(table, self.house.hall.away(self.live))
        return orjson.dumps({"type": "hello", "seat": self.asked.seat, "yours": yours, "table": data})

    def _answer(self, number: Any, data: dict[str, Any]) -> None:
        self.watcher.tell(orjson.dumps({"type": "answer", "id": number, **data}))

    async def _part(self) -> None:
        """Say why, where the other side still listens."""
        code = TOO_MANY if self.late > self.house.limits.messages_burst else COME_AGAIN
        if self.watcher.drowned.done():
            self.house.metrics.lost.inc()
            code = TOO_SLOW
        with suppress(RuntimeError, OSError, TimeoutError):
            await asyncio.wait_for(self.send({"type": "websocket.close", "code": code}), PARTING_S)


def note(ended: asyncio.Future[None]) -> None:
    """Log what ended a socket, unless it was the other side; a RuntimeError says that it was."""
    error = None if ended.cancelled() else ended.exception()
    if error is not None and not isinstance(error, OSError | RuntimeError):
        log.error("socket-failed", exc_info=error)


def parse(text: str | None) -> dict[str, Any]:
    """What a message says."""
    try:
        asked = orjson.loads(text or "")
    except orjson.JSONDecodeError:
        asked = None
    if not isinstance(asked, dict):
        raise Refused(422, "bad-message", 'A message is a JSON object such as {"do": "move", "state": 5, "move": "…"}.')
    if not isinstance(asked.get("id"), str | int | None) or len(str(asked.get("id"))) > 40:
        raise Refused(422, "bad-message", "`id` is a short text or a number.")
    return asked


def first_fault(errors: Any) -> str:
    """The first of pydantic's findings as a sentence."""
    fault = errors[0]
    where = ".".join(str(part) for part in fault["loc"]) or "the message"
    return f"{where:.80}: {fault['msg']}."
