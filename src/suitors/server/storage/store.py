"""The store of a server: its database with the tables, people and records in it."""

import shutil
import time
from pathlib import Path

from .bans import StoredBans
from .database import Database
from .expiry import StoredExpiry, set_mark
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
        self.bans = StoredBans(self.database)
        self.records = StoredRecords(self.database)
        self.expiry = StoredExpiry(self.database)
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
        """Return if a write reaches the disk; a StoreFailure where it does not."""
        now = time.time_ns()  # another each time, or SQLite would have nothing to write
        await self.database.write(lambda db: set_mark(db, "checked", now))
