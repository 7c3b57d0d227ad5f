"""Records on disk that somebody has shared or uploaded."""

import sqlite3

from .database import Database


class StoredRecords:
    """The records of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, record: str, person: int, text: str, *, now: int, most: int, most_bytes: int) -> bool:
        """Keep a record of a person; false where so many of theirs are kept already, or so many bytes."""

        def job(db: sqlite3.Connection) -> bool:
            sql = "SELECT count(*), total(length(CAST(record AS BLOB))) FROM records WHERE person = ?"
            count, size = db.execute(sql, (person,)).fetchone()
            if count >= most or size + len(text.encode()) > most_bytes:
                return False
            db.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (record, person, now, text))
            return True

        return await self._database.write(job)

    def find(self, record: str) -> str | None:
        """The text of a record."""
        found = self._database.read("SELECT record FROM records WHERE id = ?", (record,))
        return str(found[0][0]) if found else None
