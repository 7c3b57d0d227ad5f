"""What every socket of a table is: a task that sends what its subscriber is told, and a loop that reads messages."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import orjson

from ..common.asgi import Receive, Send
from ..domain.loaded import LoadedTable
from ..domain.people import Person
from ..domain.subscribers import Subscriber
from ..errors import Refused
from ..ops.limits import Bucket
from ..ops.websockets import TOO_MANY
from ..server import Server
from ..storage.database import StoreFailure

log = logging.getLogger(__name__)

T = TypeVar("T")

CLOSING_S = 1.0
"""How long a socket may take to close."""

TOO_SLOW, COME_AGAIN = 4008, 4012
"""Why a socket was closed: it did not keep up; the table was unloaded and can be asked for again."""


class SocketRequest(NamedTuple):
    """What a client asks for: a table, through the eyes of a seat, from a state on; and the key by which it came."""

    loaded: LoadedTable
    person: Person | None
    client: str
    seat: int | None = None
    since: int = 0
    key: str | None = None


class Socket(ABC):
    """One socket of a table."""

    def __init__(
        self, server: Server, receive: Receive, send: Send, request: SocketRequest, *, only_changed: bool = False
    ) -> None:
        self.server = server
        self.receive = receive
        self.send = send
        self.request = request
        self.loaded = request.loaded
        self.subscriber = Subscriber(request.seat, server.limits.backlog, only_changed=only_changed)
        self.subscriber.key = request.key
        self.subscriber.client = request.client
        self.rate = Bucket(server.limits.messages_s, server.limits.messages_burst)
        self.refused_messages = 0  # since they came too fast
        self.busy = True  # with a message, or not ready for any
        self.begun: asyncio.Future[None] | None = None  # a change without a task that has not been answered yet
        self.hinting: asyncio.Task[None] | None = None  # that waits for a hint

    @property
    def person_id(self) -> int | None:
        """The number of the person at the other end."""
        return None if self.request.person is None else self.request.person.id

    async def run(self) -> None:
        """Send and receive until one side ends it."""
        tables, subscriber = self.server.tables, self.subscriber
        await self._run(self._subscribe())
        tasks = {asyncio.ensure_future(self._send_all()), asyncio.ensure_future(self._receive_all())}
        try:
            done, _ = await asyncio.wait({*tasks, subscriber.too_slow}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.busy = True
            tables.presence.unsubscribe(self.loaded, subscriber, self.person_id)
            for task in tasks if self.hinting is None else {*tasks, self.hinting}:
                task.cancel()
        for ended in done:
            log_failure(ended)
        await self._close()

    async def _subscribe(self) -> None:
        """Tell how the table stands, and from now on what happens there."""
        with suppress(StoreFailure):  # then the table is unloaded: come again
            await self.loaded.settled()
        if self.loaded.may_watch(self.person_id, self.subscriber.seat):
            self._begin()
        else:  # that has changed since the socket was asked for
            self.subscriber.send(None)
        self.server.tables.presence.subscribe(self.loaded, self.subscriber, self.person_id)

    @abstractmethod
    def _begin(self) -> None:
        """Tell the subscriber how the table stands."""

    @abstractmethod
    async def _send_all(self) -> None:
        """Send what the subscriber is told, until its end."""

    @abstractmethod
    async def _handle(self, text: str | None) -> None:
        """Do what a message asks for."""

    async def _receive_all(self) -> None:
        while True:
            self.busy = False
            message = await self.receive()
            self.busy = True
            if message["type"] == "websocket.disconnect":
                return
            while self.begun is not None:
                await asyncio.wait([self.begun])
            if self.subscriber.ended:  # though the other side has not read that yet
                continue
            if self.rate.take():
                await self._run(self._handle(message.get("text")))
                continue
            self.refused_messages += 1
            if self.refused_messages > self.server.limits.messages_burst:
                return
            self._answer(None, Refused(429, "too-many", "Too many messages: wait a little.").data())

    def _start_hint(self, work: Coroutine[Any, Any, None]) -> None:
        """Wait for a hint while the socket goes on; for one at a time."""
        if self.hinting is not None and not self.hinting.done():
            work.close()
            return
        self.hinting = asyncio.ensure_future(work)
        self.hinting.add_done_callback(log_failure)

    async def _run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something within the client's share of the loop."""
        return await self.server.shares.run(self.request.client, work)

    def _answer(self, number: Any, data: dict[str, Any]) -> None:
        """Answer the message with this id."""
        self.subscriber.send(orjson.dumps({"type": "answer", "id": number, **data}))

    async def _close(self) -> None:
        """Close with the code that says why, if the other side still listens."""
        code = TOO_MANY if self.refused_messages > self.server.limits.messages_burst else COME_AGAIN
        if self.subscriber.too_slow.done():
            self.server.metrics.slow_sockets.inc()
            code = TOO_SLOW
        with suppress(RuntimeError, OSError, TimeoutError):
            async with asyncio.timeout(CLOSING_S):  # wait_for would leave a cycle with all that the socket holds
                await self.send({"type": "websocket.close", "code": code})


def log_failure(ended: asyncio.Future[None]) -> None:
    """Log what ended a task of a socket, unless it was the other side; a RuntimeError says that it was."""
    error = None if ended.cancelled() else ended.exception()
    if error is not None and not isinstance(error, OSError | RuntimeError):
        log.error("socket-failed", exc_info=error)


def parse(text: str | None) -> dict[str, Any]:
    """What a message says."""
    try:
        message = orjson.loads(text or "")
    except orjson.JSONDecodeError:
        message = None
    if not isinstance(message, dict):
        raise Refused(422, "bad-message", 'A message is a JSON object such as {"do": "move", "state": 5, "move": "…"}.')
    number = message.get("id")
    if number is not None and (not isinstance(number, str | int) or len(str(number)) > 40):
        raise Refused(422, "bad-message", "`id` is a short text or a number.")
    return message
