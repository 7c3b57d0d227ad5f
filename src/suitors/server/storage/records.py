"""Records on disk that somebody has shared or uploaded."""

from .database import Connection, Database


class StoredRecords:
    """The records of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, record: str, person: int, text: str, *, now: int, most: int, most_bytes: int) -> bool:
        """Keep a record of a person; false where so many of theirs are kept already, or so many bytes."""
        octets = self._database.dialect.octets("record")
        counted = f"SELECT count(*), coalesce(sum({octets}), 0) FROM records WHERE person = ?"

        def job(db: Connection) -> bool:
            db.execute(self._database.dialect.lock(), (person,))
            count, size = db.execute(counted, (person,)).fetchone()
            if count >= most or size + len(text.encode()) > most_bytes:
                return False
            db.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (record, person, now, text))
            return True

        return await self._database.write(job)

    async def find(self, record: str) -> str | None:
        """The text of a record."""
        found = await self._database.fetch("SELECT record FROM records WHERE id = ?", (record,))
        return str(found[0][0]) if found else None
