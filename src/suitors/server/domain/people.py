"""Persons: a name and a key that nobody can guess. The store holds only digests of keys, so it gives none away."""

import hashlib
import secrets
import sqlite3
import time
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass

from ..errors import Refused
from ..storage.store import Store
from .tables import NAME

KEY_BYTES = 32
TRANSFER_S = 600
"""How long a transfer link works."""

WHOSE = "SELECT persons.id, name FROM {0} JOIN persons ON persons.id = {0}.person WHERE digest = ?"

REMEMBERED = 20_000
"""Persons kept in memory."""

SEEN_S = 86_400
"""How often the use of a key is written down."""

ROOM = frozenset({"Zs", "Mn", "Mc"})
"""Spaces and marks may be in a name; control, format (direction!) and line characters may not."""

BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing."""


@dataclass(frozen=True)
class Person:
    """Somebody, known by the key in their cookie."""

    id: int
    name: str


class People:
    """All persons of the server."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: OrderedDict[bytes, tuple[Person, float]] = OrderedDict()

    async def create(self, name: str) -> tuple[Person, str]:
        """A new person and their key."""
        key, now = secrets.token_urlsafe(KEY_BYTES), int(time.time())
        name = check_name(name)

        def job(db: sqlite3.Connection) -> int:
            person = db.execute("INSERT INTO persons (name, since) VALUES (?, ?)", (name, now)).lastrowid
            db.execute("INSERT INTO keys VALUES (?, ?, ?)", (digest(key), person, now))
            assert person is not None
            return person

        return Person(await self.store.write(job), name), key

    async def find(self, key: str) -> Person | None:
        """The person with this key."""
        mark = digest(key)
        known = self._known.get(mark)
        if known is not None and known[1] > time.time() - SEEN_S:
            self._known.move_to_end(mark)
            return known[0]
        found = self.store.read(WHOSE.format("keys"), (mark,))
        if not found:
            return None
        now = time.time()
        sql = "UPDATE keys SET seen = ? WHERE digest = ?"
        if not await self.store.write(lambda db: db.execute(sql, (int(now), mark)).rowcount):
            return None  # given up in this very moment
        return self._remember(mark, Person(*found[0]), now)

    async def rename(self, person: Person, name: str) -> Person:
        """Another name, at the tables to come."""
        name = check_name(name)
        await self.store.write(lambda db: db.execute("UPDATE persons SET name = ? WHERE id = ?", (name, person.id)))
        self._forget(person)
        return Person(person.id, name)

    async def transfer(self, person: Person) -> str:
        """A code that makes another device this person's, once and for a short time; an earlier code is void."""
        code, until = secrets.token_urlsafe(16), int(time.time()) + TRANSFER_S

        def job(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM transfers WHERE person = ?", (person.id,))
            db.execute("INSERT INTO transfers VALUES (?, ?, ?)", (digest(code), person.id, until))

        await self.store.write(job)
        return code

    async def arrive(self, code: str) -> tuple[Person, str] | None:
        """The person whose code this is, and a key for the new device."""
        key, now = secrets.token_urlsafe(KEY_BYTES), int(time.time())

        def job(db: sqlite3.Connection) -> Person | None:
            mark = digest(code)
            found = db.execute(f"{WHOSE.format('transfers')} AND until >= ?", (mark, now)).fetchone()
            db.execute("DELETE FROM transfers WHERE digest = ?", (mark,))
            if found is None:
                return None
            db.execute("INSERT INTO keys VALUES (?, ?, ?)", (digest(key), found[0], now))
            return Person(*found)

        person = await self.store.write(job)
        return None if person is None else (person, key)

    async def leave(self, key: str) -> None:
        """Forget this device's key."""
        mark = digest(key)
        await self.store.write(lambda db: db.execute("DELETE FROM keys WHERE digest = ?", (mark,)))
        self._known.pop(mark, None)

    def _remember(self, mark: bytes, person: Person, now: float) -> Person:
        self._known[mark] = (person, now)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return person

    def _forget(self, person: Person) -> None:
        for mark in [mark for mark, (known, _) in self._known.items() if known.id == person.id]:
            del self._known[mark]


def digest(key: str) -> bytes:
    """What is stored of a key or code; they are long and random, so a plain hash will do."""
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()


def check_name(name: str) -> str:
    """The name with single spaces, if it is one that can be shown to others."""
    name = " ".join(name.split())
    shown = [c for c in name if unicodedata.category(c)[0] in "LNPS" and c not in BLANK]
    room = [c for c in name if unicodedata.category(c) in ROOM]
    if not shown or len(name) > NAME or len(shown) + len(room) < len(name):
        raise Refused(422, "bad-name", f"A name has 1 to {NAME} letters, numbers or signs, and nothing invisible.")
    return name
