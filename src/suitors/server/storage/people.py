"""Persons on disk: their names, digests of their keys, and of the codes of transfer links."""

from .database import Connection, Database

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

        def job(db: Connection) -> int:
            sql = "INSERT INTO persons (name, since) VALUES (?, ?) RETURNING id"
            person = int(db.execute(sql, (name, now)).fetchone()[0])
            _add_key(db, key, person, now)
            return person

        return await self._database.write(job)

    async def find(self, key: bytes) -> Row | None:
        """The person with this key."""
        found = await self._database.fetch(OWNER.format("keys"), (key,))
        return (found[0][0], found[0][1]) if found else None

    async def find_number(self, person: int) -> Row | None:
        """The person with this number."""
        found = await self._database.fetch("SELECT id, name FROM persons WHERE id = ?", (person,))
        return (found[0][0], found[0][1]) if found else None

    async def touch_key(self, key: bytes, now: int) -> bool:
        """Note that a key was used; whether there still is such a key."""
        sql = "UPDATE keys SET seen = ? WHERE digest = ?"
        return bool(await self._database.write(lambda db: db.execute(sql, (now, key)).rowcount))

    async def delete_key(self, key: bytes) -> None:
        """Make a key void."""
        sql = "DELETE FROM keys WHERE digest = ?"
        await self._database.write(lambda db: db.execute(sql, (key,)).rowcount, [["key", key.hex()]])

    async def rename(self, person: int, name: str) -> None:
        """Change the name of a person."""
        sql = "UPDATE persons SET name = ? WHERE id = ?"
        await self._database.write(lambda db: db.execute(sql, (name, person)).rowcount, [["person", person]])

    def tell(self, person: int) -> None:
        """Tell the other processes that something about a person has changed."""
        self._database.tell(["person", person])

    async def add_transfer(self, person: int, code: bytes, until: int) -> None:
        """A code that works until then; an earlier one of the same person is void."""

        def job(db: Connection) -> None:
            db.execute(self._database.dialect.lock(), (person,))
            db.execute("DELETE FROM transfers WHERE person = ?", (person,))
            db.execute("INSERT INTO transfers VALUES (?, ?, ?)", (code, person, until))

        await self._database.write(job)

    async def find_transfer(self, code: bytes, now: int) -> Row | None:
        """The person whose code this is; it is not used by that."""
        found = await self._database.fetch(f"{OWNER.format('transfers')} AND until >= ?", (code, now))
        return (found[0][0], found[0][1]) if found else None

    async def use_transfer(self, code: bytes, key: bytes, now: int) -> Row | None:
        """The person whose code this is, who has this key from now on; the code is void."""

        def job(db: Connection) -> Row | None:
            found: Row | None = db.execute(f"{OWNER.format('transfers')} AND until >= ?", (code, now)).fetchone()
            used = db.execute("DELETE FROM transfers WHERE digest = ?", (code,)).rowcount
            if found is None or not used:  # another process may have been first
                return None
            _add_key(db, key, found[0], now)
            return found

        return await self._database.write(job)


def _add_key(db: Connection, key: bytes, person: int, now: int) -> None:
    """Add a key to a person's; where there are too many, those that were not used for longest are void."""
    db.execute("INSERT INTO keys VALUES (?, ?, ?)", (key, person, now))
    newest = "SELECT digest FROM keys WHERE person = ? AND digest <> ? ORDER BY seen DESC LIMIT ?"
    db.execute(
        f"DELETE FROM keys WHERE person = ? AND digest <> ? AND digest NOT IN ({newest})",
        (person, key, person, key, MOST_KEYS - 1),
    )
