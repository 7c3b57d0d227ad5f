"""What is deleted from the store when it is old, a few rows at a time, so that no move waits long behind it."""

from .database import Connection, Database

TABLES_STEP, ROWS_STEP = 10, 500
"""Tables with their events, and other rows, that one transaction deletes."""

SWEPT = "swept"
"""The mark of the time that the last deletion went by."""

OLD_ROWS = {
    "records": "DELETE FROM records WHERE id IN (SELECT id FROM records WHERE made < ? LIMIT ?)",
    "analyses": "DELETE FROM analyses WHERE id IN (SELECT id FROM analyses WHERE made < ? LIMIT ?)",
    "analysed": """
        DELETE FROM analysed WHERE (person, table_id, seat) IN
        (SELECT person, table_id, seat FROM analysed WHERE made < ? LIMIT ?)
    """,
    "keys": "DELETE FROM keys WHERE digest IN (SELECT digest FROM keys WHERE seen < ? LIMIT ?)",
    "transfers": "DELETE FROM transfers WHERE digest IN (SELECT digest FROM transfers WHERE until < ? LIMIT ?)",
}

WITHOUT_KEYS = "SELECT id FROM persons WHERE NOT EXISTS (SELECT 1 FROM keys WHERE keys.person = persons.id) LIMIT ?"

OF_PERSON = (
    "DELETE FROM practice WHERE person = ?",
    "DELETE FROM ratings WHERE person = ?",
    "DELETE FROM persons WHERE id = ?",
)

NEWEST = """
SELECT max(at) FROM (
    SELECT max(updated) AS at FROM tables
    UNION ALL SELECT max(seen) FROM keys
    UNION ALL SELECT max(made) FROM records
    UNION ALL SELECT max(made) FROM analyses
) AS newest
"""


class StoredExpiry:
    """Deletes what is old. Each function does one step and returns what it has deleted: nothing when all is done."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def last_time(self) -> int | None:
        """The time that the last deletion went by."""
        found = await self._database.fetch("SELECT at FROM marks WHERE name = ?", (SWEPT,))
        return int(found[0][0]) if found else None

    async def newest_time(self) -> int | None:
        """The newest time of anything in the store; None where it is empty."""
        newest = (await self._database.fetch(NEWEST))[0][0]
        return None if newest is None else int(newest)

    async def mark(self, now: int) -> None:
        """Note the time that a deletion went by."""
        await self._database.write(lambda db: set_mark(db, SWEPT, now))

    async def delete_tables(self, status: str, before: int) -> list[str]:
        """Delete a few tables of a status that were last used before then; their ids."""

        def job(db: Connection) -> list[str]:
            sql = "SELECT id FROM tables WHERE status = ? AND updated < ? LIMIT ?"
            expired = [row[0] for row in db.execute(sql, (status, before, TABLES_STEP)).fetchall()]
            for table in expired:
                db.execute("DELETE FROM events WHERE table_id = ?", (table,))
                db.execute("DELETE FROM members WHERE table_id = ?", (table,))
                db.execute("DELETE FROM analysed WHERE table_id = ?", (table,))
                db.execute("DELETE FROM tables WHERE id = ?", (table,))
            return expired

        return await self._database.write(job)

    def tell(self, tables: list[str]) -> None:
        """Tell the other processes of tables that have been deleted."""
        self._database.tell(["dropped", tables])

    async def delete_rows(self, kind: str, before: int) -> int:
        """Delete some rows of a kind that are older."""
        return await self._database.write(lambda db: db.execute(OLD_ROWS[kind], (before, ROWS_STEP)).rowcount)

    async def delete_persons(self) -> int:
        """Delete some persons without any key, with what they have practised."""

        def job(db: Connection) -> int:
            gone = [row[0] for row in db.execute(WITHOUT_KEYS, (ROWS_STEP,)).fetchall()]
            for person in gone:
                for sql in OF_PERSON:
                    db.execute(sql, (person,))
            return len(gone)

        return await self._database.write(job)


def set_mark(db: Connection, name: str, at: int) -> None:
    """Note when something was done last."""
    db.execute("INSERT INTO marks VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at", (name, at))
