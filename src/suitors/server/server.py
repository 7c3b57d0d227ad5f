"""The server as a whole: its store, its people and its hall, and what a client may still open."""

import asyncio
import logging
import os
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from ..analysis import get_ready
from .domain.people import People, Person
from .domain.registry import Hall
from .errors import Refused
from .http.middleware import Scope, client_of
from .ops.bot_pool import Thinkers
from .ops.limits import Buckets, Limits
from .ops.metrics import Metrics
from .storage.store import Store
from .web.replays import Analyses

log = logging.getLogger(__name__)

COOKIE = "suitors"
COOKIE_S = 400 * 86_400
TIDY_S = 15.0
SWEEP_EVERY = 240
"""Rounds of tidying between two sweeps of the store: an hour."""


@dataclass(frozen=True)
class Settings:
    """How a server is run."""

    data: Path
    sync: bool = True
    limits: Limits = field(default_factory=Limits)
    origins: tuple[str, ...] = ()
    workers: int = max(1, (os.cpu_count() or 2) - 1)
    everywhere: bool = False  # it listens on every address of the computer
    eager: bool = False  # somebody is about to play: let the bots get ready


class House:
    """One running server."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.metrics = metrics
        self.store = Store(settings.data, sync=settings.sync)
        self.people = People(self.store)
        self.thinkers = Thinkers(settings.workers, settings.limits.think_ms)
        self.hall = Hall(self.store, self.thinkers, settings.limits, metrics)
        self.analyses = Analyses(self.thinkers)
        self.sockets: Counter[str] = Counter()
        self.present = 0  # sockets that are open
        self.parted = 0  # and that have closed
        self._newcomers = Buckets(self.limits.persons_hour / 3600, self.limits.persons_hour)
        self._keeper: asyncio.Task[None] | None = None
        self._preparing: asyncio.Future[None] | None = None

    async def open(self) -> None:
        """Take up what was left, and keep house."""
        await self.hall.sweep()
        owed = self.hall.resume()
        log.info("open", extra={"data": {"owed": owed, "sync": self.settings.sync}})
        self._keeper = asyncio.ensure_future(self._keep())
        if self.settings.eager:
            self.thinkers.prepare("expert")
            self._preparing = asyncio.ensure_future(self.thinkers.work(get_ready))

    async def close(self) -> None:
        """End everything in order: bots, tables, then the store."""
        if self._keeper is not None:
            self._keeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeper
        if self._preparing is not None:
            self._preparing.cancel()
        await self.hall.close()
        self.thinkers.close()
        self.store.close()
        log.info("closed")

    async def person(self, key: str | None) -> Person | None:
        """The person with this key; a wrong key is refused, not ignored."""
        if not key:
            return None
        person = await self.people.find(key)
        if person is None:
            raise Refused(401, "unknown-key", "Your key is not known here (any more): say who you are again.")
        return person

    def admit_person(self, scope: Scope) -> None:
        """Whether one more person may come from this client."""
        wait = self._newcomers.take(client_of(scope))
        if wait:
            raise Refused(429, "too-many-persons", "Too many new persons from here: wait.", wait_s=round(wait, 1))

    def admit_table(self, person: Person) -> None:
        """Whether a person may open one more table."""
        if self.store.live_tables_of(person.id) >= self.limits.tables:
            sentence = f"You have {self.limits.tables} tables that are not over: finish or close one first."
            raise Refused(429, "too-many-tables", sentence)

    def admit_socket(self, scope: Scope, person: Person | None) -> list[str]:
        """Count one more socket: the accounts it is on, to be given to `free_socket`."""
        accounts = [(client_of(scope), self.limits.sockets_client)]
        accounts += [(f"person {person.id}", self.limits.sockets_person)] if person else []
        for account, most in accounts:
            if self.sockets[account] >= most:
                raise Refused(429, "too-many-sockets", f"At most {most} sockets may be open at once.")
        names = [account for account, _ in accounts]
        self.sockets.update(names)
        self.present += 1
        self.metrics.sockets.inc()
        return names

    def free_socket(self, accounts: list[str]) -> None:
        """A socket has closed."""
        self.present -= 1
        self.parted += 1
        self.metrics.sockets.dec()
        for account in accounts:
            self.sockets[account] -= 1
            if self.sockets[account] <= 0:
                del self.sockets[account]

    async def _keep(self) -> None:
        rounds = 0
        while True:
            await asyncio.sleep(TIDY_S)
            rounds += 1
            self.hall.tidy()
            self.hall.resume()
            if rounds % SWEEP_EVERY == 0:
                await self.hall.sweep()
