"""Persons: a name and a key that nobody can guess. The store holds only digests of keys, so it gives none away."""

import hashlib
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass

from ..storage.people import StoredPeople
from .names import check_name

KEY_BYTES = 32
TRANSFER_S = 600
"""How long a transfer link works."""

REMEMBERED = 20_000
"""Persons kept in memory."""

SEEN_S = 86_400
"""How often the use of a key is written down."""


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
        found, now = await self.stored.find(hashed), time.time()
        if found is None or not await self.stored.touch_key(hashed, int(now)):  # it may be given up in this moment
            return None
        return self._remember(hashed, Person(*found), now)

    async def find_number(self, person: int) -> Person | None:
        """The person with this number."""
        found = await self.stored.find_number(person)
        return None if found is None else Person(*found)

    async def rename(self, person: Person, name: str) -> Person:
        """Another name, at the tables to come."""
        name = check_name(name)
        await self.stored.rename(person.id, name)
        self.forget(person.id)
        return Person(person.id, name)

    async def create_transfer(self, person: Person) -> str:
        """A code that makes another device this person's, once and for a short time; an earlier code is void."""
        code = secrets.token_urlsafe(16)
        await self.stored.add_transfer(person.id, digest(code), int(time.time()) + TRANSFER_S)
        return code

    async def find_transfer(self, code: str) -> Person | None:
        """The person whose code this is; looking does not use it up."""
        found = await self.stored.find_transfer(digest(code), int(time.time()))
        return None if found is None else Person(*found)

    async def use_transfer(self, code: str) -> tuple[Person, str] | None:
        """The person whose code this is, and a key for the new device; an older key of theirs may be void now."""
        key = secrets.token_urlsafe(KEY_BYTES)
        found = await self.stored.use_transfer(digest(code), digest(key), int(time.time()))
        if found is None:
            return None
        self.forget(found[0])
        self.stored.tell(found[0])
        return Person(*found), key

    async def delete_key(self, key: str) -> None:
        """Make this device's key void."""
        hashed = digest(key)
        await self.stored.delete_key(hashed)
        self.forget_key(hashed)

    def forget_key(self, hashed: bytes) -> None:
        """Look again whose key this is."""
        self._cache.pop(hashed, None)

    def forget(self, person: int | None = None) -> None:
        """Look again who a person is, or all of them: other processes may have changed that."""
        for hashed in [hashed for hashed, (known, _) in self._cache.items() if person in (None, known.id)]:
            del self._cache[hashed]

    def _remember(self, hashed: bytes, person: Person, now: float) -> Person:
        self._cache[hashed] = (person, now)
        if len(self._cache) > REMEMBERED:
            self._cache.popitem(last=False)
        return person


def digest(key: str) -> bytes:
    """What is stored of a key or code; they are long and random, so a plain hash will do."""
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()
