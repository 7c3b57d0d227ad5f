"""What exactly one process does: a bot's move, a deal that is due, the deletion of what is old.

In a store that several processes share, a table belongs to the process that has claimed it, for as long as that lives:
each holds an advisory lock with its number while it listens, which PostgreSQL releases however the process ends.
"""

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import Protocol

from .database import Connection, Database, StoreFailure
from .messages import Messages

LIVING = 0x5375_6974
"""The first half of the advisory locks of processes that live; the other half is their number."""

ALIVE = f"""
SELECT objid::bigint FROM pg_locks
WHERE locktype = 'advisory' AND classid = {LIVING} AND objsubid = 2 AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
"""The numbers of the processes that live."""

SWEEP = "the deletion of what is old"
"""What is claimed like a table."""

TRIES = 10
"""How often a process asks for a table while it hears of changes among the others."""

MOST_DUE = 500
"""Tables that a process takes over at a time."""

CLAIM = f"""
INSERT INTO duties VALUES (?, ?)
ON CONFLICT (table_id) DO UPDATE SET process = excluded.process
WHERE duties.process = excluded.process OR duties.process NOT IN ({ALIVE})
RETURNING process
"""

CLAIM_DUE = f"""
WITH free AS (
    SELECT id FROM tables
    WHERE due = 1 AND NOT EXISTS (SELECT 1 FROM duties WHERE table_id = id AND process IN ({ALIVE}))
    LIMIT ? FOR UPDATE SKIP LOCKED
)
INSERT INTO duties SELECT id, ? FROM free
ON CONFLICT (table_id) DO UPDATE SET process = excluded.process WHERE duties.process NOT IN ({ALIVE})
RETURNING table_id
"""


class Duties(Protocol):
    """Which process does what has to be done."""

    async def claim(self, table: str) -> bool:
        """Whether this process is the one that does what is pending at a table."""

    async def claim_due(self) -> list[str]:
        """Tables where something is pending that no player has to come back for, and that no process cares for."""

    def release(self, tables: Iterable[str]) -> None:
        """Let other processes care for these tables."""

    def forget(self, tables: Iterable[str] | None = None) -> None:
        """Ask again who cares for these tables, or for all of others: who did may have ended."""

    async def clean(self) -> None:
        """Delete the claims of processes that have ended."""


class OwnDuties:
    """Of a server that is one process: everything is its own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, table: str) -> bool:
        """There is nobody else."""
        del table
        return True

    async def claim_due(self) -> list[str]:
        """All of them."""
        return [row[0] for row in await self._database.fetch("SELECT id FROM tables WHERE due = 1")]

    def release(self, tables: Iterable[str]) -> None:
        """There is nobody else."""

    def forget(self, tables: Iterable[str] | None = None) -> None:
        """There is nobody else."""

    async def clean(self) -> None:
        """There are no claims."""


class SharedDuties:
    """Of one of several processes."""

    def __init__(self, database: Database, messages: Messages) -> None:
        self._database = database
        self._messages = messages
        self._process = 0  # for which the following holds
        self._mine: set[str] = set()
        self._others: set[str] = set()  # tables that others care for, as far as is known
        self._unreleased: set[str] = set()  # which the others have not been told yet
        self._news = 0  # how often something was heard of the others

    async def claim(self, table: str) -> bool:
        """Whether the table is this process's now; what is known is not asked for again."""
        for _ in range(TRIES):
            process, known = self._check_process(), self._news
            if table in self._mine or table in self._others:
                break
            found = await self._database.write(partial(_claim, table=table, process=process))
            if (process, known) == (self._check_process(), self._news):  # else who cared for it may have ended
                (self._mine if found else self._others).add(table)
        return table in self._mine

    async def claim_due(self) -> list[str]:
        """Some tables that are due; others are found the next time."""
        process = self._check_process()
        if self._unreleased:
            self._release(self._unreleased - self._mine)
        rows = await self._database.write(lambda db: db.execute(CLAIM_DUE, (MOST_DUE, process)).fetchall())
        found = [str(table) for (table,) in rows]
        if process == self._process:
            self._mine.update(found)
        return found

    def release(self, tables: Iterable[str]) -> None:
        """Tell the others that they may claim these tables."""
        tables = set(tables)
        mine = self._mine & tables
        self._mine -= mine
        self._others -= tables
        if mine:
            self._release(mine)

    def _release(self, tables: set[str]) -> None:
        process = self._process
        self._unreleased = self._unreleased | tables

        def told(future: asyncio.Future[None]) -> None:
            if not future.cancelled() and future.exception() is None:
                self._unreleased = self._unreleased - tables

        releasing = self._database.start(lambda db: _release(db, tables, process), [["free", sorted(tables)]])
        releasing.add_done_callback(told)

    def forget(self, tables: Iterable[str] | None = None) -> None:
        """Ask again who cares for these tables, or for all of others: who did may have ended."""
        self._news += 1
        self._others = set() if tables is None else self._others.difference(tables)

    async def clean(self) -> None:
        """Delete the claims of processes that have ended."""
        sql = f"DELETE FROM duties WHERE process NOT IN ({ALIVE})"
        await self._database.write(lambda db: db.execute(sql).rowcount)

    def _check_process(self) -> int:
        """The number of this process; when it listens anew it has another one, and no claims any more."""
        number = self._messages.number
        if number != self._process:
            self._process = number
            self._mine, self._others, self._unreleased = set(), set(), set()
        if not number:
            raise StoreFailure("The database cannot be reached.")
        return number


def _claim(db: Connection, table: str, process: int) -> bool:
    return db.execute(CLAIM, (table, process)).fetchone() is not None


def _release(db: Connection, tables: Iterable[str], process: int) -> None:
    for table in tables:
        db.execute("DELETE FROM duties WHERE table_id = ? AND process = ?", (table, process))
