"""The store of a server: its database with the tables, people and records in it."""

import shutil
import sqlite3
import time
from pathlib import Path

from .database import Database
from .people import StoredPeople
from .records import StoredRecords
from .tables import StoredTables

DAY_S = 86_400


class Store:
    """The data folder of one server."""

    def __init__(self, folder: Path, *, sync: bool = True) -> None:
        """Open the folder, or make it; `sync` off survives a killed program, but not always a power cut."""
        self.folder = folder
        self.database = Database(folder, sync=sync)
        self.tables = StoredTables(self.database)
        self.people = StoredPeople(self.database)
        self.records = StoredRecords(self.database)
        self.server_id = str(self.database.read("SELECT value FROM settings WHERE name = 'server'")[0][0])

    def close(self) -> None:
        """Write what is waiting, then let go of the folder."""
        self.database.close()

    def used_bytes(self) -> int:
        """The size of all that is stored; what was deleted is not counted, for its place is used again."""
        pragmas = "pragma_page_count, pragma_freelist_count, pragma_page_size"
        return int(self.database.read(f"SELECT (page_count - freelist_count) * page_size FROM {pragmas}")[0][0])

    def free_bytes(self) -> int:
        """The space that is left on the disk."""
        return shutil.disk_usage(self.folder).free

    async def check(self) -> None:
        """Return if the store takes writes; a StoreFailure where it does not."""
        await self.database.write(lambda db: db.execute("SELECT 1").fetchone())

    async def delete_expired(self, days: dict[str, float], keys_days: float) -> list[str]:
        """Delete tables unused for so many days by their status, old records, unused keys, and people without any.

        Returns the ids of the tables.
        """
        now = time.time()

        def job(db: sqlite3.Connection) -> list[str]:
            expired = []
            for status, age in days.items():
                sql = "SELECT id FROM tables WHERE status = ? AND updated < ?"
                expired += [row[0] for row in db.execute(sql, (status, int(now - age * DAY_S)))]
            for table in expired:
                db.execute("DELETE FROM events WHERE table_id = ?", (table,))
                db.execute("DELETE FROM members WHERE table_id = ?", (table,))
                db.execute("DELETE FROM tables WHERE id = ?", (table,))
            db.execute("DELETE FROM records WHERE made < ?", (int(now - days["over"] * DAY_S),))
            db.execute("DELETE FROM transfers WHERE until < ?", (int(now),))
            db.execute("DELETE FROM keys WHERE seen < ?", (int(now - keys_days * DAY_S),))
            db.execute("DELETE FROM persons WHERE id NOT IN (SELECT person FROM keys)")
            return expired

        return await self.database.write(job)
