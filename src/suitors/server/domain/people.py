"""Persons: a name and a key that nobody can guess. The store holds only digests of keys, so it gives none away."""

import hashlib
import secrets
import time
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass

from ..errors import Refused
from ..storage.people import StoredPeople

KEY_BYTES = 32
TRANSFER_S = 600
"""How long a transfer link works."""

LONGEST_NAME = 32
"""Letters in the longest name."""

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

    def __init__(self, stored: StoredPeople) -> None:
        self.stored = stored
        self._cache: OrderedDict[bytes, tuple[Person, float]] = OrderedDict()

    async def create(self, name: str) -> tuple[Person, str]:
        """A new person and their key."""
        key, name = secrets.token_urlsafe(KEY_BYTES), check_name(name)
        return Person(await self.stored.create(name, digest(key), int(time.time())), name), key

    async def find(self, key: str) -> Person | None:
        """The person with this key."""
        hashed = digest(key)
        cached = self._cache.get(hashed)
        if cached is not None and cached[1] > time.time() - SEEN_S:
            self._cache.move_to_end(hashed)
            return cached[0]
        found, now = self.stored.find(hashed), time.time()
        if found is None or not await self.stored.touch_key(hashed, int(now)):  # it may be given up in this moment
            return None
        return self._remember(hashed, Person(*found), now)

    async def rename(self, person: Person, name: str) -> Person:
        """Another name, at the tables to come."""
        name = check_name(name)
        await self.stored.rename(person.id, name)
        self._forget(person)
        return Person(person.id, name)

    async def create_transfer(self, person: Person) -> str:
        """A code that makes another device this person's, once and for a short time; an earlier code is void."""
        code = secrets.token_urlsafe(16)
        await self.stored.add_transfer(person.id, digest(code), int(time.time()) + TRANSFER_S)
        return code

    def find_transfer(self, code: str) -> Person | None:
        """The person whose code this is; looking does not use it up."""
        found = self.stored.find_transfer(digest(code), int(time.time()))
        return None if found is None else Person(*found)

    async def use_transfer(self, code: str) -> tuple[Person, str] | None:
        """The person whose code this is, and a key for the new device."""
        key = secrets.token_urlsafe(KEY_BYTES)
        found = await self.stored.use_transfer(digest(code), digest(key), int(time.time()))
        return None if found is None else (Person(*found), key)

    async def delete_key(self, key: str) -> None:
        """Make this device's key void."""
        hashed = digest(key)
        await self.stored.delete_key(hashed)
        self._cache.pop(hashed, None)

    def _remember(self, hashed: bytes, person: Person, now: float) -> Person:
        self._cache[hashed] = (person, now)
        if len(self._cache) > REMEMBERED:
            self._cache.popitem(last=False)
        return person

    def _forget(self, person: Person) -> None:
        for hashed in [hashed for hashed, (known, _) in self._cache.items() if known.id == person.id]:
            del self._cache[hashed]


def digest(key: str) -> bytes:
    """What is stored of a key or code; they are long and random, so a plain hash will do."""
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()


def check_name(name: str) -> str:
    """The name with single spaces, if it is one that can be shown to others."""
    name = " ".join(name.split())
    shown = [c for c in name if unicodedata.category(c)[0] in "LNPS" and c not in BLANK]
    room = [c for c in name if unicodedata.category(c) in ROOM]
    if not shown or len(name) > LONGEST_NAME or len(shown) + len(room) < len(name):
        sentence = f"A name has 1 to {LONGEST_NAME} letters, numbers or signs, and nothing invisible."
        raise Refused(422, "bad-name", sentence)
    return name
