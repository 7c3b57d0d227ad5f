"""Disks that are slow or fail, under a server in this process."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from suitors.server.storage.sqlite import SqliteDatabase
from support.servers import in_process, on_loop, server_of


class Disk:
    """The writer's connection, whose commits can be held up and refused."""

    def __init__(self, real: sqlite3.Connection) -> None:
        self.real = real
        self.broken: tuple[str, ...] = ()
        self.free = threading.Event()
        self.free.set()
        self.passing = 0  # commits that pass while the others are held up
        self.held = threading.Event()  # whether a commit has been held up

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        commits = sql == "COMMIT" or (sql.startswith("INSERT") and not self.real.in_transaction)  # a lone one does
        if commits and not self.free.is_set() and not self._passes():
            self.held.set()
            assert self.free.wait(60)
        if self.broken and (sql.startswith(self.broken) or (commits and "COMMIT" in self.broken)):
            raise sqlite3.OperationalError("database or disk is full")
        return self.real.execute(sql, *values)

    def hold(self, after: int = 0) -> None:
        """Let so many commits pass, and hold the next one up until `free` is set."""
        self.passing = after
        self.held.clear()
        self.free.clear()

    def _passes(self) -> bool:
        self.passing -= 1
        return self.passing >= 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


@contextmanager
def on_bad_disk(folder: Path) -> Iterator[tuple[TestClient, Disk]]:
    """A server in this process, and its disk."""
    with in_process(folder) as client:
        database = server_of(client).store.database
        assert isinstance(database, SqliteDatabase)
        disk = Disk(database._writer)
        database._writer = disk  # type: ignore[assignment]
        try:
            yield client, disk
        finally:
            disk.free.set()


def held_up(client: TestClient, table: str, waiting: int = 0) -> None:
    """Come back when a change of the table is on its way to the disk, and so many wait for that."""
    live = server_of(client).tables.loaded[table]

    def waiting_for_it() -> int:  # besides the registry itself and the one who asked
        return -1 if live.writing is None else len(live.writing._callbacks or ()) - 2

    while on_loop(client, waiting_for_it) < waiting:
        pass
