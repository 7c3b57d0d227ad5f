"""What is on disk: SQLite in a data folder, written by one thread that commits whatever is waiting in one go.

Events of a table are only ever added. A write is answered when it is on disk, so nobody hears of what could be lost.
"""

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import orjson

from .schema import WrongStore, migrate

T = TypeVar("T")
Event = dict[str, Any]
Job = Callable[[sqlite3.Connection], Any]

FILE = "suitors.sqlite3"
LOCK = "lock.sqlite3"
BATCH = 512
"""Writes that one commit may hold."""

DAY_S = 86_400

COLUMN = "json_extract(value, '$[{}]')"
EVENTS = f"INSERT INTO events SELECT {', '.join(COLUMN.format(k) for k in range(4))} FROM json_each(?)"
SUMMARIES = (
    f"INSERT INTO tables SELECT {', '.join(COLUMN.format(k) for k in range(7))} FROM json_each(?) WHERE true "
    "ON CONFLICT (id) DO UPDATE SET status = excluded.status, due = excluded.due, updated = excluded.updated"
)
MEMBERS = f"INSERT OR IGNORE INTO members SELECT {COLUMN.format(0)}, {COLUMN.format(1)} FROM json_each(?)"
STATEMENTS = (EVENTS, SUMMARIES, MEMBERS)

SEATING = "('sat', 'bot-sat', 'left')"
"""The events by which people come to seats and leave them."""


class StoreFailure(Exception):
    """The disk did not take a write: it has not happened."""


@dataclass(frozen=True)
class Summary:
    """What a list of tables needs to know of one without opening it."""

    id: str
    host: int
    edition: str
    open: bool
    status: str
    due: bool  # whether the house owes it something that nobody may come to ask for
    updated: int


@dataclass(frozen=True)
class Page:
    """What is written of one table at a time: events, the first of them with this number, and who sat down."""

    table: str
    at: int
    number: int
    events: list[Event]
    members: list[int]
    summary: Summary | None  # where it has changed


@dataclass
class Write:
    """What waits to be written: rows for the statements below, or a job."""

    rows: dict[str, bytes]
    job: Job | None
    future: asyncio.Future[Any] = field(init=False)


class Store:
    """The data folder of one server. Reads are answered at once, writes when they are on disk."""

    def __init__(self, folder: Path, *, sync: bool = True) -> None:
        """Open the folder, or make it; `sync` off survives a killed program, but not always a power cut."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)
        except OSError as error:
            raise WrongStore(f"{folder} cannot be the data folder: {error.strerror or error}.") from None
        self._lock = _take(folder)
        try:
            self._reader = _connect(folder / FILE, sync)
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

    # Writing

    def append(self, pages: list[Page]) -> asyncio.Future[None]:
        """Add to the events of these tables, all or none: done when they are on disk."""
        return self._put(Write(self._rows(pages), None))

    async def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job on the writing thread; returns when what it wrote is on disk."""
        outcome: T = await self._put(Write({}, job))
        return outcome

    def _rows(self, pages: list[Page]) -> dict[str, bytes]:
        """The rows for each statement as JSON: SQLite takes all that wait in one call, which needs no Python."""
        rows = {
            EVENTS: [row for page in pages for row in _rows(page)],
            SUMMARIES: [list(vars(page.summary).values()) for page in pages if page.summary is not None],
            MEMBERS: [[person, page.table] for page in pages for person in page.members],
        }
        return {sql: orjson.dumps(found)[1:-1] for sql, found in rows.items() if found}

    def _put(self, write: "Write") -> asyncio.Future[Any]:
        write.future = asyncio.get_running_loop().create_future()
        self._writes.put(write)
        return write.future

    def _write_all(self) -> None:
        while (first := self._writes.get()) is not None:
            batch = [first, *self._waiting(BATCH - 1)]
            outcomes = self._commit(batch)
            _tell([(write.future, outcome) for write, outcome in zip(batch, outcomes, strict=True)])

    def _waiting(self, most: int) -> Iterator["Write"]:
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

    def _commit(self, batch: list["Write"]) -> list[Any]:
        """Do the writes in one transaction; if one fails, each in its own, so that it fails alone."""
        try:
            rows = {sql: [write.rows[sql] for write in batch if sql in write.rows] for sql in STATEMENTS}
            due = [(sql, (f"[{b','.join(found).decode()}]",)) for sql, found in rows.items() if found]
            jobs = [write.job for write in batch]
            if len(due) == 1 and not any(jobs):  # one statement is a transaction of its own
                self._writer.execute(*due[0])
                outcomes: list[Any] = jobs
            else:
                outcomes = self._transact(due, jobs)
            self.commits += 1
        except Exception as error:
            with suppress(sqlite3.Error):  # a disk that fails may have rolled back by itself
                self._writer.execute("ROLLBACK")
            if len(batch) == 1:
                return [StoreFailure(f"The store did not take it: {error}")]
            return [self._commit([write])[0] for write in batch]
        return outcomes

    def _transact(self, due: list[tuple[str, tuple[str]]], jobs: list[Job | None]) -> list[Any]:
        """Run statements and jobs in one transaction; what came of the jobs."""
        self._writer.execute("BEGIN IMMEDIATE")
        for sql, rows in due:
            self._writer.execute(sql, rows)
        outcomes = [job(self._writer) if job else None for job in jobs]
        self._writer.execute("COMMIT")
        return outcomes

    # Reading

    def read(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return self._reader.execute(sql, values).fetchall()

    def events(self, table: str) -> list[Event]:
        """All events of a table, in order."""
        rows = self.read("SELECT body FROM events WHERE table_id = ? ORDER BY number", (table,))
        return [orjson.loads(body) for (body,) in rows]

    def seats(self, table: str) -> list[Event]:
        """Who sits at a table, in the order of seats: the events by which they sat down."""
        kinds = f"json_extract(body, '$.kind') IN {SEATING}"
        sql = f"SELECT body FROM events WHERE table_id = ? AND {kinds} ORDER BY number"
        found: dict[int, Event] = {}
        for (body,) in self.read(sql, (table,)):
            event = orjson.loads(body)
            found[event["seat"]] = event
        return [event for _, event in sorted(found.items()) if event["kind"] != "left"]

    def open_tables(self, limit: int) -> list[Summary]:
        """The tables anybody may watch or join, the liveliest first."""
        return self._summaries("WHERE open = 1 AND status IN ('waiting', 'playing')", (), limit)

    def tables_of(self, person: int, limit: int) -> list[Summary]:
        """The tables where a person sits or has sat, the last used first."""
        return self._summaries("WHERE id IN (SELECT table_id FROM members WHERE person = ?)", (person,), limit)

    def live_tables_of(self, host: int) -> int:
        """How many tables that are not over this person has opened."""
        sql = "SELECT count(*) FROM tables WHERE host = ? AND status IN ('waiting', 'playing')"
        return int(self.read(sql, (host,))[0][0])

    def due_tables(self) -> list[str]:
        """The tables where the house owes a move or a deal."""
        return [row[0] for row in self.read("SELECT id FROM tables WHERE due = 1")]

    def _summaries(self, where: str, values: tuple[Any, ...], limit: int) -> list[Summary]:
        sql = f"SELECT id, host, edition, open, status, due, updated FROM tables {where} ORDER BY updated DESC LIMIT ?"
        return [Summary(i, h, e, bool(o), s, bool(d), u) for i, h, e, o, s, d, u in self.read(sql, (*values, limit))]

    # Sweeping

    async def sweep(self, days: dict[str, float], keys_days: float) -> list[str]:
        """Forget tables unused for so many days by their status, old records, unused keys, and people without any."""
        now = time.time()

        def job(db: sqlite3.Connection) -> list[str]:
            gone = []
            for status, age in days.items():
                sql = "SELECT id FROM tables WHERE status = ? AND updated < ?"
                gone += [row[0] for row in db.execute(sql, (status, int(now - age * DAY_S)))]
            for table in gone:
                db.execute("DELETE FROM events WHERE table_id = ?", (table,))
                db.execute("DELETE FROM members WHERE table_id = ?", (table,))
                db.execute("DELETE FROM tables WHERE id = ?", (table,))
            db.execute("DELETE FROM records WHERE made < ?", (int(now - days["over"] * DAY_S),))
            db.execute("DELETE FROM transfers WHERE until < ?", (int(now),))
            db.execute("DELETE FROM keys WHERE seen < ?", (int(now - keys_days * DAY_S),))
            db.execute("DELETE FROM persons WHERE id NOT IN (SELECT person FROM keys)")
            return gone

        return await self.write(job)


def _rows(page: Page) -> list[tuple[str, int, int, str]]:
    return [(page.table, page.number + k, page.at, orjson.dumps(event).decode()) for k, event in enumerate(page.events)]


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


def _take(folder: Path) -> sqlite3.Connection:
    """Hold the folder for this process alone; the system lets go of it whenever and however the process ends."""
    with ExitStack() as stack:
        try:
            lock = sqlite3.connect(folder / LOCK, isolation_level=None, timeout=0, check_same_thread=False)
            stack.callback(lock.close)
            lock.execute("PRAGMA locking_mode = EXCLUSIVE")
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            busy = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY
            why = "Another server is using it" if busy else f"It cannot be locked ({error})"
            raise WrongStore(f"{folder}: {why}: end it, or give another folder with --data.") from None
        stack.pop_all()
    return lock


def _tell(answers: list[tuple[asyncio.Future[Any], Any]]) -> None:
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
