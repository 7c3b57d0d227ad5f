"""The store of a server: its database with the tables, people and records in it."""

import shutil
import sqlite3
import sys
import time
from pathlib import Path

from .analyses import StoredAnalyses
from .bans import StoredBans
from .database import Database, StoreFailure
from .duties import Duties, OwnDuties, SharedDuties
from .expiry import StoredExpiry, set_mark
from .folder import lock_folder, make_folder
from .messages import Messages, NoMessages
from .people import StoredPeople
from .practice import StoredPractice
from .quotas import StoredQuota
from .records import StoredRecords
from .sqlite import SqliteDatabase
from .tables import StoredTables

DAY_S = 86_400


class Store:
    """Where a server keeps its data: in its data folder, or in a database that other processes use as well."""

    messages: Messages
    duties: Duties

    def __init__(self, folder: Path, *, sync: bool = True, url: str = "") -> None:
        """Open the store, or make it; `sync` off survives a killed program, but not always a power cut."""
        self.folder = folder
        self._lock: sqlite3.Connection | None = None
        self.database: Database
        if url:
            self._open_shared(url, sync)
        else:
            self.database = SqliteDatabase(folder, sync=sync)
            self.messages, self.duties = NoMessages(), OwnDuties(self.database)
        self.tables = StoredTables(self.database)
        self.people = StoredPeople(self.database)
        self.bans = StoredBans(self.database)
        self.records = StoredRecords(self.database)
        self.analyses = StoredAnalyses(self.database)
        self.practice = StoredPractice(self.database)
        self.expiry = StoredExpiry(self.database)
        self.server_id = str(self.database.read("SELECT value FROM settings WHERE name = 'server'")[0][0])

    def _open_shared(self, url: str, sync: bool) -> None:
        """Connect to the database; the folder holds what is this process's own."""
        from .postgres import PostgresDatabase  # noqa: PLC0415 - an extra
        from .postgres_messages import PostgresMessages  # noqa: PLC0415

        make_folder(self.folder, own=False)
        self._lock = lock_folder(self.folder)
        try:
            database = self.database = PostgresDatabase(url, sync=sync)
        except BaseException:
            self._lock.close()
            raise
        self.messages = PostgresMessages(database)
        self.duties = SharedDuties(database, self.messages)

    @property
    def shared(self) -> bool:
        """Whether other processes may use the store as well."""
        return self.database.shared

    def check_line(self) -> None:
        """A StoreFailure where others write to the store and are out of hearing: what is known may be outdated."""
        if self.shared and not self.messages.number:
            raise StoreFailure("The database cannot be reached.")

    def check_clock(self) -> None:
        """A StoreFailure where our clock is not that of the others who write to the store."""
        self.database.check_clock()

    def close(self) -> None:
        """Write what is waiting, then let go of the folder."""
        self.messages.close()
        self.database.close()
        if self._lock is not None:
            self._lock.close()

    def quota(self, name: str, rate: float, burst: float) -> StoredQuota:
        """What a client may have of one thing, from all processes together."""
        return StoredQuota(self.database, name, rate, burst)

    async def used_bytes(self) -> int:
        """The size of all that is stored."""
        return await self.database.used_bytes()

    def free_bytes(self) -> int:
        """The space that is left on the disk, where the store is on a disk of ours."""
        return sys.maxsize if self.shared else shutil.disk_usage(self.folder).free

    async def check(self) -> None:
        """Return if a write reaches the disk; a StoreFailure where it does not."""
        now = time.time_ns()  # another each time, or SQLite would have nothing to write
        await self.database.write(lambda db: set_mark(db, "checked", now))
