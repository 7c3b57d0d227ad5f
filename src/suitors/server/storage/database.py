"""What every database of ours does: one thread writes, and commits whatever is waiting in one transaction.

A write is answered when it is on disk, so that nobody hears of what could be lost. Which database it is, SQLite in a
data folder or PostgreSQL, only `sqlite.py` and `postgres.py` know; the SQL of the other modules is understood by both.
"""

import asyncio
import logging
import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeVar

import orjson

from .dialects import Dialect

log = logging.getLogger(__name__)

T = TypeVar("T")
Row = tuple[Any, ...]
EventRow = tuple[str, int, int, str]
"""An event: the table, its number, when it happened, and what, as JSON."""

Message = list[Any]
"""What one process tells the others that use the same store: a kind, and what belongs to it, as JSON has it."""

BATCH = 512
"""Writes that one commit may hold."""


class StoreFailure(Exception):
    """The disk did not take a write, which has not happened, or could not be read."""


class CorruptStore(StoreFailure):
    """A part of the file is damaged."""


class TakenNumber(StoreFailure):
    """Another process has written an event with this number: the write has not happened, and must be decided anew."""


class UnknownOutcome(StoreFailure):
    """The connection was lost in the middle of a write: nobody knows whether it has happened."""


class Cursor(Protocol):
    """What a statement has found."""

    @property
    def rowcount(self) -> int:
        """How many rows it has changed."""

    def fetchone(self) -> Any:
        """The next row."""

    def fetchall(self) -> list[Any]:
        """All rows."""


class Connection(Protocol):
    """A connection to a database, as jobs use it; values stand for question marks."""

    def execute(self, sql: str, values: Any = (), /) -> Cursor:
        """Run a statement."""


Job = Callable[[Connection], Any]


@dataclass
class Write:
    """What waits to be written: rows as JSON, each with the statement that inserts them, or a job."""

    rows: Mapping[str, bytes]
    job: Job | None
    told: Sequence[Message]  # what the other processes are told when it is on disk
    first: EventRow | None = None  # by which it can be seen whether the write has happened
    future: asyncio.Future[Any] = field(init=False)


class Database(ABC):
    """A database that is read by anybody and written by one thread."""

    dialect: ClassVar[Dialect]
    shared: ClassVar[bool]
    """Whether other processes may be writing to it."""

    def __init__(self) -> None:
        self._begun: list[Write] = []  # what this turn of the event loop has to write so far
        self._writes: queue.SimpleQueue[list[Write] | None] = queue.SimpleQueue()
        self.commits = 0
        self._thread = threading.Thread(target=self._write_all, name="suitors-store")

    @abstractmethod
    def read(self, sql: str, values: Row = ()) -> list[Row]:
        """The rows of a query, for who may wait for them."""

    @abstractmethod
    async def fetch(self, sql: str, values: Row = ()) -> list[Row]:
        """The rows of a query."""

    @abstractmethod
    async def used_bytes(self) -> int:
        """The size of all that is stored."""

    @abstractmethod
    def check_clock(self) -> None:
        """A StoreFailure where our clock is not that of the others who write to it."""

    @abstractmethod
    def _commit(self, batch: list[Write]) -> list[Any]:
        """Do the writes in one transaction, or those that can be done; what came of each, a StoreFailure among it."""

    def close(self) -> None:
        """Write what is waiting, then end the writing thread."""
        self._pass_on()
        self._writes.put(None)
        self._thread.join()

    def insert(
        self, rows: Mapping[str, list[Any]], told: Sequence[Message] = (), first: EventRow | None = None
    ) -> asyncio.Future[None]:
        """Insert rows by these statements, all or none: done when they are on disk.

        A statement takes its rows as one JSON array, so that all that wait are inserted in one call without Python.
        """
        packed = {sql: orjson.dumps(found)[1:-1] for sql, found in rows.items() if found}
        return self._put(Write(packed, None, told, first))

    def tell(self, message: Message) -> None:
        """Tell the other processes something; nobody waits for it."""
        if self.shared:
            self._put(Write({}, None, [message])).add_done_callback(_ignore)

    def post(self, job: Job, told: Sequence[Message] = ()) -> None:
        """Run a job whose outcome nobody waits for."""
        self.start(job, told).add_done_callback(_ignore)

    async def write(self, job: Callable[[Connection], T], told: Sequence[Message] = ()) -> T:
        """Run a job on the writing thread; returns when what it wrote is on disk."""
        return await self.start(job, told)

    def start(self, job: Callable[[Connection], T], told: Sequence[Message] = ()) -> asyncio.Future[T]:
        """The same, for who does not wait. A StoreFailure that the job raises is what comes of it."""
        return self._put(Write({}, job, told))

    def _put(self, write: Write) -> asyncio.Future[Any]:
        """Have something written, together with all else that this turn of the loop has to write.

        The thread is woken once for all of it, and does not take turns with the loop meanwhile.
        """
        loop = asyncio.get_running_loop()
        write.future = loop.create_future()
        if not self._begun:
            loop.call_soon(self._pass_on)
        self._begun.append(write)
        return write.future

    def _pass_on(self) -> None:
        """Let the thread write what there is to write."""
        if self._begun:
            begun, self._begun = self._begun, []
            self._writes.put(begun)

    # On the writing thread

    def _write_all(self) -> None:
        while (writes := self._writes.get()) is not None:
            writes = [*writes, *self._waiting(BATCH - len(writes))]
            for start in range(0, len(writes), BATCH):
                self._write_batch(writes[start : start + BATCH])

    def _write_batch(self, batch: list[Write]) -> None:
        try:
            outcomes = self._commit(batch)
            _resolve([(write.future, outcome) for write, outcome in zip(batch, outcomes, strict=True)])
        except Exception:  # without this thread nothing would ever be written again
            log.exception("writer-failed")

    def _waiting(self, most: int) -> Iterator[Write]:
        """What else is in the queue now, until it is about so much."""
        while most > 0:
            try:
                writes = self._writes.get_nowait()
            except queue.Empty:
                return
            if writes is None:
                self._writes.put(None)
                return
            yield from writes
            most -= len(writes)

    def _commit_halves(self, batch: list[Write]) -> list[Any]:
        """Do the writes in two transactions after they failed in one, so that in the end one that fails fails alone."""
        half = len(batch) // 2
        return self._commit(batch[:half]) + self._commit(batch[half:])


def refusal(error: Exception) -> StoreFailure:
    """Why a write has not happened."""
    return error if isinstance(error, StoreFailure) else StoreFailure(f"The store did not take it: {error}.")


def merge(batch: list[Write]) -> dict[str, str]:
    """Each statement once, with the rows that all writes have for it."""
    merged: dict[str, list[bytes]] = {}
    for write in batch:
        for sql, rows in write.rows.items():
            merged.setdefault(sql, []).append(rows)
    return {sql: f"[{b','.join(rows).decode()}]" for sql, rows in merged.items()}


def _ignore(told: asyncio.Future[None]) -> None:
    """What could not be told is found out when the connection is back."""
    if not told.cancelled():
        told.exception()


def _resolve(answers: list[tuple[asyncio.Future[Any], Any]]) -> None:
    """Hand the outcomes back to the event loop, all in one call."""

    def resolve() -> None:
        for future, outcome in answers:
            if future.done():
                continue
            if isinstance(outcome, StoreFailure):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)

    answers[0][0].get_loop().call_soon_threadsafe(resolve)
