"""One running server: its store, people, tables and bots, and how much a client may have of them."""

import asyncio
import logging
import os
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ..coach.puzzles import load_puzzles
from ..pages.render import load_templates
from .domain import serializers
from .domain.analyses import Analyses
from .domain.bans import Bans
from .domain.commands import Caller
from .domain.expiry import Expiry
from .domain.loaded import LoadedTable
from .domain.opening import NewTable
from .domain.people import People, Person, digest
from .domain.practice import Practice
from .domain.registry import TableRegistry
from .domain.table import DamagedTable, HostedTable
from .errors import Refused, missing
from .ops.bot_pool import BotPool
from .ops.jobs import Jobs, Results
from .ops.limits import Limits, LocalQuota
from .ops.metrics import Metrics
from .ops.proxies import TrustedProxies
from .ops.shares import LoopShares
from .ops.tasks import BackgroundTasks, survive
from .ops.turns import Turns
from .storage.quotas import StoredQuota
from .storage.store import Store
from .storage.tables import TooManyTables

log = logging.getLogger(__name__)

T = TypeVar("T")

MAINTENANCE_S = 15.0
KEPT_RECORDS = 4 << 20
"""Bytes of the records whose matches are kept in memory, where they are larger."""

DELETE_EVERY = 240
"""Rounds of maintenance between two deletions of what has expired: an hour."""

READY_S = 5.0
"""How long a write may take while the server counts as ready."""

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Settings:
    """How a server is run."""

    data: Path
    postgres: str = ""  # the address of a PostgreSQL that holds the data instead of the folder
    sync: bool = True
    limits: Limits = field(default_factory=Limits)
    origins: tuple[str, ...] = ()
    proxies: TrustedProxies = field(default_factory=TrustedProxies)
    workers: int = max(1, (os.cpu_count() or 2) - 1)
    metrics_token: str = ""  # by which the metrics may be read; without one they are closed
    everywhere: bool = False  # it listens on every address of the computer
    eager: bool = False  # somebody is about to play: let the bots get ready


def refuse_damaged(table: HostedTable, person: Person | None) -> Refused:
    """What somebody is told who asks for a damaged table: no more than they might know of one that is not."""
    number = None if person is None else person.id
    if not table.admits(number):
        return missing()
    sentence = "This table is damaged, or not possible by the rules of today: it has been set aside."
    return Refused(410, "damaged", sentence, yours=table.seats_of(number))


def load_ahead() -> None:
    """Read what would keep the first who ask for it waiting."""
    load_templates()
    load_puzzles()


class Server:
    """One running server."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.metrics = metrics
        self.store = Store(settings.data, sync=settings.sync, url=settings.postgres)
        self._used_bytes = 0  # when it was last looked at
        metrics.watch_store(lambda: self._used_bytes)
        self.people = People(self.store.people)
        self.bans = Bans(self.store.bans)
        self.announcement = ""  # what all pages show
        self.draining = False  # whether no new tables are opened
        self.bots = BotPool(settings.workers, settings.limits.think_ms)
        self.tables = TableRegistry(self.store, self.bots, settings.limits, metrics)
        self.shares = LoopShares(settings.limits)
        self.jobs = Jobs(max(1, settings.workers // 2), settings.limits)
        self.expiry = Expiry(self.store, self.tables, settings.limits)
        self.threads = Turns(1, settings.limits)
        self.matches = Results(KEPT_RECORDS)
        self.analyses = Analyses(self.jobs, self.store.analyses, self.limits, self._may_keep)
        self.practice = Practice(self.store)
        self.sockets: Counter[str] = Counter()  # open ones, by client and by person
        self.sockets_elsewhere: Callable[[str], int] = lambda account: 0
        self.changed_accounts: set[str] = set()  # whose number of sockets the other processes do not know
        self.open_sockets = 0
        self.closed_sockets = 0
        self._new_persons = self._quota("persons", self.limits.persons_hour)
        self._new_tables = self._quota("tables", self.limits.tables_hour)
        self._new_records = self._quota("records", self.limits.records_kb_hour)
        self._new_analyses = self._quota("analyses", self.limits.analyses_kb_hour)
        self._tasks = BackgroundTasks()

    def _quota(self, name: str, hourly: float) -> LocalQuota | StoredQuota:
        """So much of something an hour for each client, of all processes together."""
        return self.store.quota(name, hourly / 3600, hourly) if self.store.shared else LocalQuota(hourly / 3600, hourly)

    async def open(self) -> None:
        """Resume the tables where something is due, and start the maintenance."""
        await self.bans.load()
        await self._look_at_size()
        await self.tables.retry_damaged()
        await survive(self.expiry.sweep)
        resumed = await self.tables.resume()
        log.info("open", extra={"data": {"owed": resumed, "sync": self.settings.sync}})
        self._tasks.start(self._maintain())
        self._tasks.start(asyncio.to_thread(load_ahead))
        if self.settings.eager:
            self.bots.prepare("search")
            self._tasks.start(self.analyses.prepare())

    async def close(self) -> None:
        """End everything in order: maintenance, tables, jobs, bots, then the store; each even where another fails."""
        async with AsyncExitStack() as stack:
            stack.callback(log.info, "closed")
            stack.callback(self.store.close)
            stack.callback(self.bots.close)
            stack.callback(self.jobs.close)
            stack.callback(self.analyses.close)
            stack.push_async_callback(self.tables.close)
            stack.push_async_callback(self._tasks.cancel)

    async def _maintain(self) -> None:
        """Do what has to be done again and again; what fails is logged, and done again the next time."""
        rounds = 0
        while True:
            await asyncio.sleep(MAINTENANCE_S)
            rounds += 1
            await survive(self.tables.unload_idle)
            await survive(self.tables.resume)
            await survive(self.tables.log_overdue)
            await survive(self._look_at_size)
            if rounds % DELETE_EVERY == 0:
                await survive(self.expiry.sweep)
                for quota in (self._new_persons, self._new_tables, self._new_records, self._new_analyses):
                    await survive(quota.forget_full)

    async def _look_at_size(self) -> int:
        """Read how large the store is; the metrics tell it until the next time."""
        self._used_bytes = await self.store.used_bytes()
        return self._used_bytes

    async def check_ready(self) -> None:
        """Return if the server can do its work: there is space, and a write reaches the disk in time.

        One of several processes is not ready either when it is to be restarted: others take what is new.
        """
        if self.draining and self.store.shared:
            raise Refused(503, "draining", "This process is about to be restarted.")
        self.store.check_line()
        self.store.check_clock()
        if self.store.free_bytes() < self.limits.free_mb * MEGABYTE:
            raise Refused(503, "disk-full", "There is too little space on the server's disk.")
        try:
            async with asyncio.timeout(READY_S):
                await self.store.check()
        except TimeoutError:
            raise Refused(503, "store-failed", "The server's disk does not answer.") from None

    # People

    async def person(self, key: str | None) -> Person | None:
        """The person with this key; a wrong key is refused, not ignored."""
        if not key:
            return None
        person = await self.people.find(key)
        if person is None:
            raise Refused(401, "unknown-key", "Your key is not known here (any more): say who you are again.")
        if self.bans.bans_person(person.id):
            raise Refused(403, "banned", "You have been banned from this server.")
        return person

    def check_client(self, client: str) -> None:
        """Refuse a client whose address is banned."""
        if self.bans.bans_client(client):
            raise Refused(403, "banned", "You have been banned from this server.")

    def drop_banned(self) -> None:
        """End the sockets of those who are banned."""
        bans = self.bans
        for loaded in list(self.tables.loaded.values()):
            loaded.drop(lambda each: bans.bans_person(each.person) or bans.bans_client(each.client))

    async def create_person(self, client: str, name: str) -> tuple[Person, str]:
        """A new person and their key; refused where too many come from this client."""
        await self._check_room()
        wait = await self._new_persons.take(client)
        if wait:
            raise Refused(429, "too-many-persons", "Too many new persons from here: wait.", wait_s=round(wait, 1))
        return await self.people.create(name)

    async def forget_key(self, key: str) -> None:
        """Make the key of a device void; its sockets end with it."""
        await self.people.delete_key(key)
        self.drop_key(digest(key))

    def drop_key(self, hashed: bytes) -> None:
        """End the sockets of a device whose key is void."""
        for loaded in list(self.tables.loaded.values()):
            loaded.drop(lambda each: each.key is not None and digest(each.key) == hashed)

    # Tables

    async def find_table(self, table: str, person: Person | None) -> LoadedTable:
        """The table, if it is open to this person, with all that has happened there at any process."""
        known = table in self.tables.loaded
        try:
            loaded = await self.tables.load(table)
        except DamagedTable as damage:
            raise refuse_damaged(damage.table, person) from None
        if known:
            await self.tables.refresh(loaded)
        await loaded.settled()
        if not loaded.table.admits(None if person is None else person.id):
            raise missing()
        return loaded

    async def visit_table(self, table: str, person: Person | None) -> LoadedTable:
        """The same for a person who asks for it: a sign of presence, if they sit there."""
        loaded = await self.find_table(table, person)
        if person is not None and person.id in loaded.table.members():
            self.tables.presence.mark(loaded, person.id)
        return loaded

    async def read_record(self, table: str, person: Person | None) -> dict[str, Any]:
        """The record of a match that is over; of a damaged one, for those who sit there, as far as it can be read."""
        damage = await self.tables.find_damage(table)
        if damage is None:
            return serializers.record((await self.visit_table(table, person)).table)
        if person is None or not damage.table.seats_of(person.id):
            raise refuse_damaged(damage.table, person)
        data = serializers.damaged_record(damage)
        await self.tables.close_damaged(damage)
        return data

    async def open_table(self, client: str, host: Person, given: NewTable) -> LoadedTable:
        """Open a table; refused where the person or the client has too many."""
        await self._check_tables(client, host)
        with self._refusing():
            return await self.tables.open(host, given)

    async def open_rematch(self, client: str, loaded: LoadedTable, state: int, person: Person) -> LoadedTable:
        """Open the next table for the same players; refused where the person or the client has too many."""
        await self._check_tables(client, person)
        with self._refusing():
            return await self.tables.rematch(loaded, state, Caller(person))

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Refuse a table to a person who has turned out to have too many."""
        try:
            yield
        except TooManyTables:
            sentence = f"You have {self.limits.tables} tables that are not over: finish or close one first."
            raise Refused(429, "too-many-tables", sentence) from None

    async def _check_tables(self, client: str, person: Person) -> None:
        if self.draining and not self.store.shared:  # else another process goes on with the table
            sentence = "The server is about to be restarted: new tables can be opened afterwards; matches go on."
            raise Refused(503, "draining", sentence, wait_s=60)
        await self._check_room()
        with self._refusing():
            if await self.store.tables.count_unfinished(person.id) >= self.limits.tables:
                raise TooManyTables
        wait = await self._new_tables.take(client)
        if wait:
            raise Refused(429, "too-many-new-tables", "Too many new tables from here: wait.", wait_s=round(wait, 1))

    def announce(self, text: str) -> None:
        """Show a text on all pages from now on, those of other processes as well; an empty one ends that."""
        self.show_announcement(text)
        self.store.messages.tell(["announcement", text])

    def show_announcement(self, text: str) -> None:
        """Show a text on the pages of this process."""
        self.announcement = text
        for loaded in self.tables.loaded.values():
            loaded.refresh_pages()

    # Records

    async def save_record(self, client: str, person: Person, text: str) -> str:
        """Keep a record; returns its id, which nobody can guess."""
        await self._check_room()
        limits, game = self.limits, secrets.token_urlsafe(16)
        wait = await self._new_records.take(client, len(text.encode()) / 1000)
        if wait:
            raise Refused(429, "too-many-records", "Too many new records from here: wait.", wait_s=round(wait, 1))
        bounds = {"most": limits.records, "most_bytes": limits.records_kb * 1000}
        if not await self.store.records.add(game, person.id, text, now=int(time.time()), **bounds):
            sentence = f"At most {limits.records} records, and {limits.records_kb} kB of them, are kept for one person."
            raise Refused(429, "too-many-records", sentence)
        return game

    async def _may_keep(self, client: str, size: int) -> bool:
        """Whether there is room for an analysis of so many bytes that a client has asked for."""
        try:
            await self._check_room()
        except Refused:
            return False
        return not await self._new_analyses.take(client, size / 1000)

    async def _check_room(self) -> None:
        """Refuse what is new where the store is full; what goes on may go on."""
        full = await self._look_at_size() > self.limits.store_mb * MEGABYTE
        if full or self.store.free_bytes() < self.limits.free_mb * MEGABYTE:
            raise Refused(507, "store-full", "There is no room for anything new here; games that are played go on.")

    # Work

    async def in_thread(self, client: str, function: Callable[..., T], *given: Any) -> T:
        """What a function returns that may take long for the loop, called in a thread when it is this client's turn."""
        async with self.threads.turn(client):
            return await asyncio.to_thread(function, *given)

    # Sockets

    def admit_socket(self, client: str) -> list[str]:
        """Count one more socket; returns the accounts it is counted on, to be given to `release_socket`."""
        accounts = [self._count_socket(client, self.limits.sockets_client)]
        self.open_sockets += 1
        self.metrics.sockets.inc()
        return accounts

    def admit_person(self, accounts: list[str], person: Person | None) -> None:
        """Count a socket also for the person who it has turned out to be of."""
        if person is not None:
            accounts.append(self._count_socket(f"person {person.id}", self.limits.sockets_person))

    def _count_socket(self, account: str, most: int) -> str:
        if self.sockets[account] + self.sockets_elsewhere(account) >= most:
            raise Refused(429, "too-many-sockets", f"At most {most} sockets may be open at once.")
        self.sockets[account] += 1
        self._note_account(account)
        return account

    def _note_account(self, account: str) -> None:
        if self.store.shared:
            self.changed_accounts.add(account)

    def release_socket(self, accounts: list[str]) -> None:
        """A socket has closed."""
        self.open_sockets -= 1
        self.closed_sockets += 1
        self.metrics.sockets.dec()
        for account in accounts:
            self.sockets[account] -= 1
            self._note_account(account)
            if self.sockets[account] <= 0:
                del self.sockets[account]
