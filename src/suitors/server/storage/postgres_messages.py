"""LISTEN and NOTIFY: how the processes that share a database tell each other what they have written.

The connection that listens also holds an advisory lock with the number of the process. PostgreSQL releases it however
the process ends, so the numbers of all locks are those of the processes that live.
"""

import asyncio
import logging
import secrets
import threading
import time
from typing import Any

import orjson
import psycopg

from .database import Message, StoreFailure
from .duties import ALIVE, LIVING
from .messages import Connected, Hear
from .postgres import CHANNEL, CLOCK, PAUSE_S, PostgresDatabase, Raw

log = logging.getLogger(__name__)

WAIT_S = 0.1
"""How long a process that ends may go on listening."""

TOLD_S = 3.0
"""How long the others may be out of hearing before that is told: a restart of the database takes less."""

BEAT_S = 1.0
"""After how long without a word a process tells that it lives."""

SILENCE_S = 8.0
"""How long nothing may be heard, not even what was told here, before the connection counts as lost."""

END = f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = {LIVING} AND objid = ?"
"""End the connection that holds the lock with a number."""


class PostgresMessages:
    """The line of one process to the others."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._heard = 0.0  # when anything was heard last
        self._heard_own = 0.0  # when that was something which was told here
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

    def beat(self) -> None:
        """Tell all that this process lives and can write, if nothing else has told them so of late."""
        if time.monotonic() - self._heard_own > BEAT_S:
            self._database.tell(["beat"])

    def hears(self) -> bool:
        """Whether what is told here has been heard here of late."""
        return time.monotonic() - self._heard_own < 3 * BEAT_S

    async def end(self, number: int) -> None:
        """End the connection of a process that tells nothing any more: the others do what it has to do."""
        await self._database.fetch(END, (number,))

    async def alive(self) -> set[int]:
        """The numbers of the processes that listen now; the clock is looked at on the same occasion."""
        ((clock, numbers),) = await self._database.fetch(f"{CLOCK}, array({ALIVE})")
        self._database.compare_clock(float(clock))
        return {int(number) for number in numbers}

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
                self._database.cut_stuck()
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
        db.execute("SET tcp_user_timeout = 15000")
        db.execute("SELECT pg_advisory_lock(%s, %s)", (LIVING, number))
        db.execute(f"LISTEN {CHANNEL}")
        self.number = self._database.process = number

    def _hear_all(self, db: Raw, loop: asyncio.AbstractEventLoop, hear: Hear) -> None:
        """Hear what is told until the end, or until nothing comes any more though there is something to be heard."""
        self._heard = time.monotonic()
        while not self._closing.is_set() and time.monotonic() - self._heard < SILENCE_S:
            for notice in db.notifies(timeout=WAIT_S):
                self._take(notice.payload, loop, hear)
                if self._closing.is_set():
                    return
            self._database.cut_stuck()
        if not self._closing.is_set():
            raise StoreFailure("Nothing is heard.")

    def _take(self, payload: str, loop: asyncio.AbstractEventLoop, hear: Hear) -> None:
        process, messages = read_notice(payload)
        self._heard = time.monotonic()
        if process == self.number:
            self._heard_own = self._heard
        elif messages:
            _call(loop, _hear_each, hear, process, messages)


def read_notice(payload: str) -> tuple[int, list[Message]]:
    """The process that tells something, and what; nothing where anybody else has sent it, an operator by hand, say."""
    try:
        process, *messages = orjson.loads(payload)
        if isinstance(process, int) and all(isinstance(each, list) and each for each in messages):
            return process, messages
    except (ValueError, TypeError):
        pass
    log.warning("strange-notice")
    return 0, []


def _hear_each(hear: Hear, process: int, messages: list[Message]) -> None:
    for message in messages:
        hear(process, message)


def _call(loop: asyncio.AbstractEventLoop, function: Any, *given: Any) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(function, *given)
