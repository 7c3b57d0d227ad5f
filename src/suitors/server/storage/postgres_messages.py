"""LISTEN and NOTIFY: how the processes that share a database tell each other what they have written.

The connection that listens also holds an advisory lock with the number of the process. PostgreSQL releases it however
the process ends, so the numbers of all locks are those of the processes that live.
"""

import asyncio
import secrets
import threading
import time
from typing import Any

import orjson
import psycopg

from .database import Message, StoreFailure
from .duties import ALIVE, LIVING
from .messages import Connected, Hear
from .postgres import CHANNEL, PAUSE_S, PostgresDatabase, Raw

WAIT_S = 0.1
"""How long a process that ends may go on listening."""

TOLD_S = 3.0
"""How long the others may be out of hearing before that is told: a restart of the database takes less."""


class PostgresMessages:
    """The line of one process to the others."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self.number = 0

    def start(self, hear: Hear, connected: Connected) -> None:
        """Listen in a thread of its own; what is heard is handed to the event loop."""
        loop = asyncio.get_running_loop()
        given = (loop, hear, connected)
        self._thread = threading.Thread(target=self._listen, args=given, name="suitors-listener")
        self._thread.start()

    def tell(self, message: Message) -> None:
        """Tell all others something, with whatever is written next."""
        self._database.tell(message)

    async def alive(self) -> set[int]:
        """The numbers of the processes that listen now."""
        return {int(number) for (number,) in await self._database.fetch(ALIVE)}

    def close(self) -> None:
        """Hear nothing any more."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()

    # On the listening thread

    def _listen(self, loop: asyncio.AbstractEventLoop, hear: Hear, connected: Connected) -> None:
        lost: float | None = time.monotonic() - TOLD_S  # there is nothing to lose yet
        while not self._closing.is_set():
            try:
                with self._database.server.connect() as db:
                    self._begin(db)
                    lost = None
                    if self._closing.is_set():
                        return
                    _call(loop, connected, True)
                    self._hear_all(db, loop, hear)
            except (psycopg.Error, StoreFailure):
                lost = self._note_loss(loop, connected, lost)
                self._closing.wait(PAUSE_S)

    def _note_loss(self, loop: asyncio.AbstractEventLoop, connected: Connected, lost: float | None) -> float:
        """Tell, once, that the others cannot be heard, when that has lasted; since when that is so."""
        now = time.monotonic()
        if lost is None:
            return now
        if self.number and now - lost > TOLD_S:
            self.number = self._database.process = 0
            _call(loop, connected, False)
        return lost

    def _begin(self, db: Raw) -> None:
        """Listen, under a new number."""
        number = secrets.randbelow(2**31 - 1) + 1
        db.execute("SET tcp_keepalives_idle = 5")  # so that the server, too, notices when the other side is gone
        db.execute("SET tcp_keepalives_interval = 3")
        db.execute("SET tcp_keepalives_count = 3")
        db.execute("SELECT pg_advisory_lock(%s, %s)", (LIVING, number))
        db.execute(f"LISTEN {CHANNEL}")
        self.number = self._database.process = number

    def _hear_all(self, db: Raw, loop: asyncio.AbstractEventLoop, hear: Hear) -> None:
        while not self._closing.is_set():
            for notice in db.notifies(timeout=WAIT_S):
                process, *messages = orjson.loads(notice.payload)
                if process != self.number:
                    _call(loop, _hear_each, hear, process, messages)
                if self._closing.is_set():
                    return


def _hear_each(hear: Hear, process: int, messages: list[Message]) -> None:
    for message in messages:
        hear(process, message)


def _call(loop: asyncio.AbstractEventLoop, function: Any, *given: Any) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(function, *given)
