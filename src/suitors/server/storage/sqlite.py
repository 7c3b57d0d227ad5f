"""SQLite in a data folder: the store of a server that is one process. Reads are answered at once."""

import sqlite3
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from .database import CorruptStore, Database, Job, Row, StoreFailure, Write, merge, refusal
from .dialects import SqliteDialect
from .folder import FILE, lock_folder, make_folder
from .schema import WrongStore, migrate


class SqliteDatabase(Database):
    """The connections to the file of one data folder, which no other process may use meanwhile."""

    dialect = SqliteDialect()
    shared = False

    def __init__(self, folder: Path, *, sync: bool = True) -> None:
        """Open the folder, or make it; `sync` off survives a killed program, but not always a power cut."""
        super().__init__()
        make_folder(folder)
        self._lock = lock_folder(folder)
        try:
            self._reader = _connect(folder / FILE, sync)
            self._reader.text_factory = lambda text: text.decode("utf-8", "replace")  # it may be damaged
            self._writer = _connect(folder / FILE, sync)
        except BaseException:
            self._lock.close()
            raise
        self._thread.start()

    def close(self) -> None:
        """Write what is waiting, then let go of the folder."""
        super().close()
        self._writer.close()
        self._reader.close()
        self._lock.close()

    def read(self, sql: str, values: Row = ()) -> list[Row]:
        """The rows of a query, at once."""
        return read_rows(self._reader, sql, values)

    async def fetch(self, sql: str, values: Row = ()) -> list[Row]:
        """The rows of a query."""
        return self.read(sql, values)

    async def used_bytes(self) -> int:
        """The size of all that is stored; what was deleted is not counted, for its place is used again."""
        pragmas = "pragma_page_count, pragma_freelist_count, pragma_page_size"
        return int(self.read(f"SELECT (page_count - freelist_count) * page_size FROM {pragmas}")[0][0])

    def check_clock(self) -> None:
        """There is no other clock."""

    def _commit(self, batch: list[Write]) -> list[Any]:
        """Do the writes in one transaction; if one fails, in smaller ones, so that it fails alone."""
        try:
            inserts, jobs = merge(batch), [write.job for write in batch]
            if len(inserts) == 1 and not any(jobs):  # one statement is a transaction of its own
                for sql, rows in inserts.items():
                    self._writer.execute(sql, (rows,))
                outcomes: list[Any] = jobs
            else:
                outcomes = self._transact(inserts, jobs)
            self.commits += 1
        except Exception as error:
            with suppress(sqlite3.Error):  # a disk that fails may have rolled back by itself
                self._writer.execute("ROLLBACK")
            if len(batch) == 1:
                return [refusal(error)]
            return self._commit_halves(batch)
        return outcomes

    def _transact(self, inserts: dict[str, str], jobs: list[Job | None]) -> list[Any]:
        """Run statements and jobs in one transaction; returns what the jobs returned."""
        self._writer.execute("BEGIN IMMEDIATE")
        for sql, rows in inserts.items():
            self._writer.execute(sql, (rows,))
        outcomes = [job(self._writer) if job else None for job in jobs]
        self._writer.execute("COMMIT")
        return outcomes


def read_rows(db: sqlite3.Connection, sql: str, values: Row = ()) -> list[Row]:
    """The rows of a query; a StoreFailure where the file cannot be read."""
    try:
        return db.execute(sql, values).fetchall()
    except sqlite3.Error as error:
        corrupt = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT
        raise (CorruptStore if corrupt else StoreFailure)(f"The store cannot be read: {error}.") from None


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
