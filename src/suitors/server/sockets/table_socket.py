"""The socket of a table for programs: what happens, through the eyes of a seat, and commands the other way."""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from time import perf_counter, thread_time
from typing import Any

import orjson
from pydantic import ValidationError
from starlette.requests import HTTPConnection

from ..common.asgi import Receive, Send
from ..common.cookies import find_caller, find_key
from ..domain import serializers
from ..domain.commands import COMMANDS, Caller, Command, Decision
from ..domain.loaded import LoadedTable
from ..domain.people import Person
from ..errors import Refused, invalid
from ..ops.limits import client_of
from ..server import Server
from ..storage.database import StoreFailure, TakenNumber
from .base import Socket, SocketRequest, parse

log = logging.getLogger(__name__)

ACCEPTED: dict[str, Command] = {name: command for name, command in COMMANDS.items() if command.on_socket}


async def read_request(server: Server, connection: HTTPConnection, table: str) -> SocketRequest:
    """What the address and the cookie ask for, if the table is open to the caller."""
    person = await find_caller(server, connection)
    loaded = await server.find_table(table, person)
    since = connection.query_params.get("since", "0")
    if not since.isascii() or not since.isdigit() or len(since) > 9:
        raise Refused(422, "bad-request", "since is the number of a state, 0 or more.")
    seat = _seat(loaded, person, connection.query_params.get("seat"))
    return SocketRequest(loaded, person, client_of(connection.scope), seat, int(since), find_key(server, connection))


def _seat(loaded: LoadedTable, person: Person | None, text: str | None) -> int | None:
    """The seat asked for; without one the caller's first, or a spectator's."""
    number = None if person is None else person.id
    if text is None:
        return next(iter(loaded.table.seats_of(number)), None)
    if text not in ("none", *"01234567"):
        raise Refused(422, "bad-seat", "seat is a number from 0 to 7, or none.")
    return loaded.table.read_own_seat(text, number)


class TableSocket(Socket):
    """A program that follows a table, and plays at it if it has a seat."""

    def __init__(
        self,
        server: Server,
        receive: Receive,
        send: Send,
        request: SocketRequest,
        direct: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(server, receive, send, request)
        self.caller: Caller | None = None  # whose commands these are; a spectator has none
        if request.person is not None and request.seat is not None:
            self.caller = Caller(request.person, request.seat, self.loaded.is_away)
        if direct is not None:
            self.subscriber.write = direct["write"]
            direct["listen"](self._take)

    def _begin(self) -> None:
        """Tell how the table stands, and what has happened since the state that was asked for."""
        seat, since = self.request.seat, min(self.request.since, self.loaded.table.state)
        self.subscriber.send(self._hello())
        self.subscriber.send(self.loaded.news(since, [seat])[seat])

    async def _send_all(self) -> None:
        while True:
            message = await self.subscriber.next()
            if message is None:
                return
            await self.send({"type": "websocket.send", "text": message.decode()})
            del message  # or thousands of sockets keep their last one

    def _take(self, text: str) -> bool:
        """Do what a message asks for without a task, if that can be begun at once and is not refused; whether it was.

        Nearly all messages are moves like that. All others are handled one after the other, as they are received.
        """
        if self.busy or self.begun is not None or self.subscriber.ended or self.loaded.is_changing():
            return False
        if not self.server.shares.is_free(self.request.client) or not self.rate.take():
            return False
        taken, cpu, clock = False, thread_time(), perf_counter()
        try:
            taken = self._begin_change(text)
        except (Refused, ValidationError):
            pass  # it will be answered when it has been received
        except Exception as error:  # the event loop would only drop the connection
            self._fail(error)
            taken = True
        finally:
            self.server.shares.charge(self.request.client, thread_time() - cpu, perf_counter() - clock)
        if not taken:
            self.rate.give_back()
        return taken

    def _begin_change(self, text: str) -> bool:
        """Decide on a message, and answer it when what follows is on disk; false for a hint, which takes longer."""
        message = parse(text)
        number, name = message.pop("id", None), message.pop("do", None)
        if name == "hint":
            return False
        state, writing = self.server.tables.begin_change(self.loaded, self._decision(name, message))
        if writing is None:
            self._answer_change(number, state)
        else:
            self.begun = writing
            writing.add_done_callback(partial(self._written, text, number, state))
        return True

    def _written(self, text: str, number: Any, state: int, writing: asyncio.Future[None]) -> None:
        """What a message led to is on disk, or is not."""
        self.begun = None
        error = None if writing.cancelled() else writing.exception()
        if isinstance(error, TakenNumber):
            self.begun = asyncio.ensure_future(self._decide_anew(text))
        elif error is not None:
            log.error("store-failed", extra={"data": {"why": str(error)}})
        elif not writing.cancelled():
            self._answer_change(number, state)

    async def _decide_anew(self, text: str) -> None:
        """Do what a message asks for after another process was first."""
        try:
            await self._run(self._handle(text))
        except Exception as error:  # nobody waits for this task
            self._fail(error)
        finally:
            self.begun = None

    def _fail(self, error: Exception) -> None:
        """End the socket, for something broke here."""
        log.error("socket-failed", exc_info=error)
        self.subscriber.send(None)

    async def _handle(self, text: str | None) -> None:
        """Do what a message asks for. A refusal is answered; so is a success, where the message has an id."""
        number: Any = None
        try:
            message = parse(text)
            number, name = message.pop("id", None), message.pop("do", None)
            state = await self.server.tables.change(self.loaded, self._decision(name, message))
            if name == "hint":
                self._start_hint(self._tell_hint(number, state))
            else:
                self._answer_change(number, state)
        except ValidationError as error:
            self._answer(number, Refused(422, "bad-message", invalid(error.errors())).data())
        except Refused as refusal:
            self._answer(number, refusal.data())
        except StoreFailure as error:
            log.error("store-failed", extra={"data": {"why": str(error)}})

    def _decision(self, name: Any, given: dict[str, Any]) -> Decision:
        """A command for the seat of this socket, to be decided when its turn has come."""
        if not isinstance(name, str) or name not in ACCEPTED:
            raise Refused(422, "bad-message", f"`do` is one of {', '.join(ACCEPTED)}.")
        command = ACCEPTED[name]
        read = command.json.model_validate(given)
        if self.caller is None:
            raise Refused(403, "forbidden", "A spectator only watches.")
        return command.decision(self.caller, read.state, **{key: getattr(read, key) for key in command.fields})

    def _answer_change(self, number: Any, state: int) -> None:
        """Say that a change has happened, where the message has an id; all are told what happened anyway."""
        if number is not None:
            self._answer(number, {"state": state})

    async def _tell_hint(self, number: Any, state: int) -> None:
        """Answer with the hint for the seat of this socket."""
        seat, table = self.request.seat, self.loaded.table
        assert seat is not None
        try:
            hint = await self.server.analyses.hint_data(self.request.client, table, seat)
        except Refused as refusal:
            self._answer(number, refusal.data())
            return
        self._answer(number, {"state": state, "hint": hint})

    def _hello(self) -> bytes:
        table = self.loaded.table
        yours = table.seats_of(self.person_id)
        data = serializers.table_data(table, self.loaded.is_away)
        return orjson.dumps({"type": "hello", "seat": self.request.seat, "yours": yours, "table": data})
