"""SQLite in a data folder, written by one thread that commits whatever is waiting in one transaction.

Reads are answered at once. A write is answered when it is on disk, so that nobody hears of what could be lost.
"""

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import orjson

from .folder import FILE, lock_folder, make_folder
from .schema import WrongStore, migrate

log = logging.getLogger(__name__)

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]

BATCH = 512
"""Writes that one commit may hold."""


class StoreFailure(Exception):
    """The disk did not take a write, which has not happened, or could not be read."""


class CorruptStore(StoreFailure):
    """A part of the file is damaged."""


@dataclass
class Write:
    """What waits to be written: rows as JSON, each with the statement that inserts them, or a job."""

    rows: Mapping[str, bytes]
    job: Job | None
    future: asyncio.Future[Any] = field(init=False)


class Database:
    """The connections to the file of one data folder, which no other process may use meanwhile."""

    def __init__(self, folder: Path, *, sync: bool = True) -> None:
        """Open the folder, or make it; `sync` off survives a killed program, but not always a power cut."""
        make_folder(folder)
        self._lock = lock_folder(folder)
        try:
            self._reader = _connect(folder / FILE, sync)
            self._reader.text_factory = lambda text: text.decode("utf-8", "replace")  # it may be damaged
            self._writer = _connect(folder / FILE, sync)
        except BaseException:
            self._lock.close()
            raise
        self._writes: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self.commits = 0
        self._thread = threading.Thread(target=self._write_all, name="suitors-store")
        self._thread.start()

    def close(self) -> None:
        """Write what is waiting, then let go of the folder."""
        self._writes.put(None)
        self._thread.join()
        self._writer.close()
        self._reader.close()
        self._lock.close()

    def read(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return read_rows(self._reader, sql, values)

    def insert(self, rows: Mapping[str, list[Any]]) -> asyncio.Future[None]:
        """Insert rows by these statements, all or none: done when they are on disk.

        A statement takes its rows as one JSON array, so that SQLite inserts all that wait in one call without Python.
        """
        return self._put(Write({sql: orjson.dumps(found)[1:-1] for sql, found in rows.items() if found}, None))

    async def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job on the writing thread; returns when what it wrote is on disk."""
        outcome: T = await self._put(Write({}, job))
        return outcome

    def _put(self, write: Write) -> asyncio.Future[Any]:
        write.future = asyncio.get_running_loop().create_future()
        self._writes.put(write)
        return write.future

    # On the writing thread

    def _write_all(self) -> None:
        while (first := self._writes.get()) is not None:
            batch = [first, *self._waiting(BATCH - 1)]
            try:
                outcomes = self._commit(batch)
                _resolve([(write.future, outcome) for write, outcome in zip(batch, outcomes, strict=True)])
            except Exception:  # without this thread nothing would ever be written again
                log.exception("writer-failed")

    def _waiting(self, most: int) -> Iterator[Write]:
        """What else is in the queue now."""
        for _ in range(most):
            try:
                write = self._writes.get_nowait()
            except queue.Empty:
                return
            if write is None:
                self._writes.put(None)
                return
            yield write

    def _commit(self, batch: list[Write]) -> list[Any]:
        """Do the writes in one transaction; if one fails, each in its own, so that it fails alone."""
        try:
            inserts, jobs = _merge(batch), [write.job for write in batch]
            if len(inserts) == 1 and not any(jobs):  # one statement is a transaction of its own
                self._writer.execute(*inserts[0])
                outcomes: list[Any] = jobs
            else:
                outcomes = self._transact(inserts, jobs)
            self.commits += 1
        except Exception as error:
            with suppress(sqlite3.Error):  # a disk that fails may have rolled back by itself
                self._writer.execute("ROLLBACK")
            if len(batch) == 1:
                return [StoreFailure(f"The store did not take it: {error}.")]
            return [self._commit([write])[0] for write in batch]
        return outcomes

    def _transact(self, inserts: list[tuple[str, tuple[str]]], jobs: list[Job | None]) -> list[Any]:
        """Run statements and jobs in one transaction; returns what the jobs returned."""
        self._writer.execute("BEGIN IMMEDIATE")
        for sql, rows in inserts:
            self._writer.execute(sql, rows)
        outcomes = [job(self._writer) if job else None for job in jobs]
        self._writer.execute("COMMIT")
        return outcomes


def read_rows(db: sqlite3.Connection, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The rows of a query; a StoreFailure where the file cannot be read."""
    try:
        return db.execute(sql, values).fetchall()
    except sqlite3.Error as error:
        corrupt = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT
        raise (CorruptStore if corrupt else StoreFailure)(f"The store cannot be read: {error}.") from None


def _merge(batch: list[Write]) -> list[tuple[str, tuple[str]]]:
    """Each statement once, with the rows that all writes have for it."""
    merged: dict[str, list[bytes]] = {}
    for write in batch:
        for sql, rows in write.rows.items():
            merged.setdefault(sql, []).append(rows)
    return [(sql, (f"[{b','.join(rows).decode()}]",)) for sql, rows in merged.items()]


def _connect(path: Path, sync: bool) -> sqlite3.Connection:
    """A connection to the file, brought to the last version of the store."""
    with ExitStack() as stack:
        try:
            db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
            stack.callback(db.close)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(f"PRAGMA synchronous = {'FULL' if sync else 'NORMAL'}")
            migrate(db)
        except sqlite3.Error as error:
            raise WrongStore(f"{path} cannot be read as a store of Suitors: {error}.") from None
        stack.pop_all()
    return db


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
