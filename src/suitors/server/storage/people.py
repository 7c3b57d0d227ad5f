"""Persons on disk: their names, digests of their keys, and of the codes of transfer links."""

import sqlite3

from .database import Database

OWNER = "SELECT persons.id, name FROM {0} JOIN persons ON persons.id = {0}.person WHERE digest = ?"

MOST_KEYS = 50
"""Keys of one person: their devices."""

Row = tuple[int, str]
"""A person: the number and the name."""


class StoredPeople:
    """The persons of the store. Keys and codes come as digests; times are seconds since 1970."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, name: str, key: bytes, now: int) -> int:
        """A new person with a key; their number."""

        def job(db: sqlite3.Connection) -> int:
            person = db.execute("INSERT INTO persons (name, since) VALUES (?, ?)", (name, now)).lastrowid
            assert person is not None
            _add_key(db, key, person, now)
            return person

        return await self._database.write(job)

    def find(self, key: bytes) -> Row | None:
        """The person with this key."""
        found = self._database.read(OWNER.format("keys"), (key,))
        return (found[0][0], found[0][1]) if found else None

    def find_number(self, person: int) -> Row | None:
        """The person with this number."""
        found = self._database.read("SELECT id, name FROM persons WHERE id = ?", (person,))
        return (found[0][0], found[0][1]) if found else None

    async def touch_key(self, key: bytes, now: int) -> bool:
        """Note that a key was used; whether there still is such a key."""
        sql = "UPDATE keys SET seen = ? WHERE digest = ?"
        return bool(await self._database.write(lambda db: db.execute(sql, (now, key)).rowcount))

    async def delete_key(self, key: bytes) -> None:
        """Make a key void."""
        await self._database.write(lambda db: db.execute("DELETE FROM keys WHERE digest = ?", (key,)))

    async def rename(self, person: int, name: str) -> None:
        """Change the name of a person."""
        await self._database.write(lambda db: db.execute("UPDATE persons SET name = ? WHERE id = ?", (name, person)))

    async def add_transfer(self, person: int, code: bytes, until: int) -> None:
        """A code that works until then; an earlier one of the same person is void."""

        def job(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM transfers WHERE person = ?", (person,))
            db.execute("INSERT INTO transfers VALUES (?, ?, ?)", (code, person, until))

        await self._database.write(job)

    def find_transfer(self, code: bytes, now: int) -> Row | None:
        """The person whose code this is; it is not used by that."""
        found = self._database.read(f"{OWNER.format('transfers')} AND until >= ?", (code, now))
        return (found[0][0], found[0][1]) if found else None

    async def use_transfer(self, code: bytes, key: bytes, now: int) -> Row | None:
        """The person whose code this is, who has this key from now on; the code is void."""

        def job(db: sqlite3.Connection) -> Row | None:
            found: Row | None = db.execute(f"{OWNER.format('transfers')} AND until >= ?", (code, now)).fetchone()
            db.execute("DELETE FROM transfers WHERE digest = ?", (code,))
            if found is not None:
                _add_key(db, key, found[0], now)
            return found

        return await self._database.write(job)


def _add_key(db: sqlite3.Connection, key: bytes, person: int, now: int) -> None:
    """Add a key to a person's; where there are too many, those that were not used for longest are void."""
    db.execute("INSERT INTO keys VALUES (?, ?, ?)", (key, person, now))
    newest = "SELECT digest FROM keys WHERE person = ? AND digest <> ? ORDER BY seen DESC LIMIT ?"
    db.execute(
        f"DELETE FROM keys WHERE person = ? AND digest <> ? AND digest NOT IN ({newest})",
        (person, key, person, key, MOST_KEYS - 1),
    )
