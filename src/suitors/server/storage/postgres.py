"""PostgreSQL: the store of a server that is several processes, on one machine or many.

PostgreSQL is the one that orders: an event is inserted with the number it must have, and a unique key refuses the
second writer. Each process has one connection that writes, a few that read and one that listens. Where a connection is
lost it is made anew, and what had not happened by then is done again, for as long as anybody may be kept waiting.
"""

import asyncio
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar

import orjson
import psycopg

from .database import (
    CorruptStore,
    Cursor,
    Database,
    Message,
    Row,
    StoreFailure,
    TakenNumber,
    UnknownOutcome,
    Write,
    merge,
    refusal,
)
from .dialects import PostgresDialect
from .postgres_address import CONNECTION, check_address, sentence
from .postgres_schema import migrate
from .schema import WrongStore

CHANNEL = "suitors"
LONGEST_NOTICE = 7_900
"""Bytes of one notification; PostgreSQL takes less than 8,000."""

READERS = 4
"""Connections that read."""

PATIENCE_S = 5.0
"""How long a connection is tried to be made anew before what waits for it fails; a restart takes a second or two."""

PAUSE_S = 0.1
"""Between two attempts."""

TRIES = 3
"""How often a write is begun whose connection is lost each time."""

SIZE_S = 10.0
"""How old the size of the store may be: PostgreSQL has to look at many files for it."""

STUCK_S = 20.0
"""How long one thing may take before its connection counts as lost, whatever the network says of it."""

CLOCK = "SELECT extract(epoch FROM clock_timestamp())::double precision"
CLOCK_S = 60.0
"""The time of the database, and how much that of a process may differ from it."""

SESSION = "SET default_transaction_isolation = 'read committed'"
"""What must hold however the database is set up: who comes second must see what the first has done."""

log = logging.getLogger(__name__)

T = TypeVar("T")
Raw = psycopg.Connection[tuple[Any, ...]]


class Unreachable(StoreFailure):
    """No connection can be made."""


class LostConnection(Exception):
    """The connection has been lost while something was being done."""


class PostgresConnection:
    """A connection as jobs use it: question marks stand for values."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw

    def execute(self, sql: str, values: Any = (), /) -> Cursor:
        """Run a statement."""
        return self.raw.execute(placeholders(sql), values)


@lru_cache(500)
def placeholders(sql: str) -> bytes:
    """A statement of ours as psycopg takes it."""
    return sql.replace("?", "%s").encode()


class Server:
    """The PostgreSQL server that connections are made to, and whether it could be reached of late."""

    def __init__(self, url: str, *, sync: bool = True) -> None:
        self._url = url
        self._sync = sync
        self._lost: float | None = None  # since when no connection could be made

    def connect(self, deadline: float = 0.0) -> Raw:
        """A new connection; an Unreachable where none can be made until then, at once if that has been tried."""
        while True:
            try:
                db = self._open()
                self._lost = None
                return db
            except psycopg.Error as error:
                now = time.monotonic()
                self._lost = now if self._lost is None else self._lost
                if now >= min(deadline, self._lost + PATIENCE_S):
                    raise Unreachable(f"The database cannot be reached: {sentence(error)}") from None
            time.sleep(PAUSE_S)

    def _open(self) -> Raw:
        db = psycopg.connect(self._url, autocommit=True, application_name="suitors", **CONNECTION)  # type: ignore[arg-type]
        try:
            db.execute(SESSION)
            if not self._sync:
                db.execute("SET synchronous_commit = off")
        except BaseException:
            db.close()
            raise
        return db


class KeptConnection:
    """One connection, made anew when it has been lost."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._db: Raw | None = None
        self._since: float | None = None  # when what is being done was begun

    def run(self, work: Callable[[Raw], T], deadline: float) -> T:
        """Do something with the connection; a LostConnection where it has been lost meanwhile."""
        if self._db is None:
            self._db = self._server.connect(deadline)
        self._since = time.monotonic()
        try:
            return work(self._db)
        except psycopg.Error:
            if self._db.closed or self._db.broken:
                self.close()
                raise LostConnection from None
            raise
        finally:
            self._since = None

    def cut(self, longest_s: float) -> None:
        """Cut the connection, from another thread, where what is being done has taken longer: it will not end."""
        db, since = self._db, self._since
        if db is not None and since is not None and time.monotonic() - since > longest_s:
            log.error("connection-stuck")
            with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(db.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection; the next that is done makes another one."""
        if self._db is not None:
            self._db.close()
            self._db = None


class PostgresDatabase(Database):
    """The connections of one process to a database of PostgreSQL."""

    dialect = PostgresDialect()
    shared = True

    def __init__(self, url: str, *, sync: bool = True) -> None:
        """Connect, and bring the store up to date; a WrongStore where that cannot be done."""
        super().__init__()
        check_address(url)
        self.server = Server(url, sync=sync)
        self.process = 0  # by which the others know who tells them something
        self._ahead_s = 0.0  # by which our clock is ahead of the database's
        try:
            with self.server.connect() as db:
                migrate(db)
                self.compare_clock(*db.execute(CLOCK.encode()).fetchall()[0])
            self.check_clock()
        except (psycopg.Error, StoreFailure) as error:
            raise WrongStore(f"The database cannot be used: {sentence(error)}") from None
        self._writer = KeptConnection(self.server)
        self._readers = ThreadPoolExecutor(READERS, "suitors-reader")
        self._own = threading.local()
        self._connections: list[KeptConnection] = []
        self._size = (0, -SIZE_S)
        self._unsure = False  # whether a transaction may have been committed whose outcome nobody has heard of
        self._thread.start()

    def close(self) -> None:
        """Write what is waiting, then close all connections."""
        super().close()
        self._readers.shutdown()
        for connection in (self._writer, *self._connections):
            connection.close()

    def compare_clock(self, theirs: float) -> None:
        """Note by how much our clock differs from the database's."""
        self._ahead_s = time.time() - theirs

    def check_clock(self) -> None:
        """Fail where our clock is not that of the database: what is old by the one may be new by the other."""
        if abs(self._ahead_s) > CLOCK_S:
            how = f"{abs(self._ahead_s):.0f} seconds {'ahead of' if self._ahead_s > 0 else 'behind'}"
            raise StoreFailure(f"The clock of this machine is {how} that of the database: put it right.")

    def cut_stuck(self) -> None:
        """Cut the connections over which nothing comes any more: what waits for them is tried again, or fails."""
        for connection in (self._writer, *self._connections):
            connection.cut(STUCK_S)

    # Reading

    async def fetch(self, sql: str, values: Row = ()) -> list[Row]:
        """The rows of a query."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self.read, sql, values)

    def read(self, sql: str, values: Row = ()) -> list[Row]:
        """The rows of a query, for a thread that may wait."""
        if any(isinstance(value, str) and "\0" in value for value in values):  # PostgreSQL holds no such text
            return []
        deadline = time.monotonic() + PATIENCE_S
        for _ in range(TRIES):
            try:
                return self._connection().run(lambda db: db.execute(placeholders(sql), values).fetchall(), deadline)
            except LostConnection:
                continue
            except (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted) as error:
                raise CorruptStore(f"The store cannot be read: {sentence(error)}") from None
            except psycopg.Error as error:
                raise StoreFailure(f"The store cannot be read: {sentence(error)}") from None
        raise StoreFailure("The store cannot be read: The connection to the database is lost again and again.")

    def _connection(self) -> KeptConnection:
        """The connection of this thread."""
        connection: KeptConnection | None = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = KeptConnection(self.server)
            self._connections.append(connection)
        return connection

    async def used_bytes(self) -> int:
        """The size of the database, as it was a few seconds ago."""
        size, at = self._size
        if time.monotonic() - at > SIZE_S:
            size = int((await self.fetch("SELECT pg_database_size(current_database())"))[0][0])
            self._size = (size, time.monotonic())
        return size

    # On the writing thread

    def _commit(self, batch: list[Write]) -> list[Any]:
        """Do the writes in one transaction; if one fails, in smaller ones, so that it fails alone."""
        return self._attempt(sorted_by_table(batch), batch, TRIES)

    def _attempt(self, ordered: list[Write], batch: list[Write], tries: int) -> list[Any]:
        """The same, with the writes in the order in which all processes lock rows, so that none waits for another."""
        try:
            found = self._writer.run(lambda db: self._transact(db, ordered), time.monotonic() + PATIENCE_S)
            self.commits += 1
        except Unreachable as failure:
            return [failure] * len(batch)
        except LostConnection:
            return self._try_again(batch, tries - 1)
        except Exception as error:
            if len(batch) > 1:
                return self._commit_halves(batch)
            if isinstance(error, psycopg.errors.DeadlockDetected) and tries > 1:  # the others have gone on
                return self._attempt(ordered, batch, tries - 1)
            return [_failure(error)]
        outcomes = {id(write): outcome for write, outcome in zip(ordered, found, strict=True)}
        return [outcomes[id(write)] for write in batch]

    def _transact(self, db: Raw, batch: list[Write]) -> list[Any]:
        """Run statements and jobs in one transaction; returns what the jobs returned."""
        inserts, notices = merge(batch), self._notices(batch)
        jobs = [write.job for write in batch]
        statement, values = _combined(tuple(inserts)), (*inserts.values(), notices)
        self._unsure = not any(jobs)
        if self._unsure:  # one statement is a transaction of its own
            db.execute(statement, values, prepare=True)
            return jobs
        try:
            db.execute("BEGIN")
            outcomes = [job(PostgresConnection(db)) if job else None for job in jobs]
            db.execute(statement, values)
            self._unsure = True
            db.execute("COMMIT")
        except BaseException:
            if not db.broken:
                db.execute("ROLLBACK")
            raise
        return outcomes

    def _notices(self, batch: list[Write]) -> list[str]:
        """What the other processes are told, in as few notifications as hold it."""
        parts: list[list[bytes]] = []
        size = LONGEST_NOTICE
        for message in (message for write in batch for message in write.told):
            text = orjson.dumps(message)
            if len(text) > LONGEST_NOTICE - 40:
                text = orjson.dumps(_shortened(message))
            if size + len(text) + 1 > LONGEST_NOTICE:
                parts.append([])
                size = 40  # the brackets and the number of the process
            parts[-1].append(text)
            size += len(text) + 1
        return [f"[{self.process},{b','.join(part).decode()}]" for part in parts]

    def _try_again(self, batch: list[Write], tries: int) -> list[Any]:
        """The connection was lost: what has not happened is done again, where that can be found out."""
        if not self._unsure and tries:
            return self._attempt(sorted_by_table(batch), batch, tries)
        outcomes: list[Any] = []
        for write in batch:
            try:
                done = self._has_happened(write)
            except StoreFailure as failure:
                outcomes.append(UnknownOutcome(str(failure)))
                continue
            if done is None or (not done and not tries):
                outcomes.append(UnknownOutcome("The connection to the database was lost."))
            else:
                outcomes.append(None if done else self._attempt([write], [write], tries)[0])
        return outcomes

    def _has_happened(self, write: Write) -> bool | None:
        """Whether a write has happened, by its first event; None where that cannot be told."""
        if write.job is not None or (write.first is None and write.rows):
            return None
        if write.first is None:  # it only tells others something
            return False
        table, number, _, body = write.first
        found = self.read("SELECT body FROM events WHERE table_id = ? AND number = ?", (table, number))
        return found == [(body,)]


@lru_cache(100)
def _combined(statements: tuple[str, ...]) -> bytes:
    """Several inserts, and what the others are told of them, as one statement: one transaction in one exchange."""
    parts = [f"s{k} AS ({sql})" for k, sql in enumerate(statements)]
    first = f"WITH {', '.join(parts)} " if parts else ""
    return placeholders(f"{first}SELECT count(pg_notify('{CHANNEL}', told)) FROM unnest(?::text[]) AS told")


def _shortened(message: Message) -> Message:
    """A message that is too long for a notification, without what can be read in the store."""
    return [*message[:-1], None]


def sorted_by_table(batch: list[Write]) -> list[Write]:
    """Writes in the order of their tables, then those that belong to none."""
    return sorted(batch, key=lambda write: (write.first is None, write.first or ()))


def _failure(error: Exception) -> StoreFailure:
    """Why a write has not happened."""
    if isinstance(error, psycopg.errors.UniqueViolation) and error.diag.table_name == "events":
        return TakenNumber("Another process has written an event with this number.")
    return refusal(error)
