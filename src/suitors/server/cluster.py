"""One of several processes that share a store: what it hears from the others, and what it tells them."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from .domain.peers import TablePeers
from .ops.limits import Buckets, Rates
from .ops.tasks import BackgroundTasks, survive
from .server import Server
from .storage.database import Message, StoreFailure

log = logging.getLogger(__name__)

TELL_S = 0.2
"""How often the others are told what clients have used here."""

LOOK_S = 1.0
"""How often a process looks which others live."""

SILENCE_S = 15.0
"""How long another process may tell nothing before the others take over: it may have been stopped, not ended."""

START_S = 10.0
"""How long it may take until the others can be heard."""

PART = 60
"""Clients in one message."""


class Cluster:
    """The other processes, as this one knows them; a server that is one process has none."""

    def __init__(self, server: Server, rates: Rates) -> None:
        self.server = server
        self._messages = server.store.messages
        self._peers = TablePeers(server.tables)
        self._rates: dict[str, Buckets] = {"requests": rates.requests, "misses": rates.misses}
        self._sockets: dict[int, Counter[str]] = {}  # at each of the others, by account
        self._alive: set[int] = set()
        self._beats: dict[int, float] = {}  # when each process that beats told something last
        self._silent: set[int] = set()  # those of whom nothing had been heard at the last look
        self._connected = asyncio.Event()
        self._tasks = BackgroundTasks()
        self._kinds: dict[str, Callable[..., None]] = {
            **self._peers.kinds,
            "bans": self._hear_bans,
            "key": self._hear_key,
            "person": self._hear_person,
            "announcement": self._hear_announcement,
            "hello": self._hear_hello,
            "beat": self._hear_beat,
            "spent": self._hear_spent,
            "sockets": self._hear_sockets,
            "bye": self._hear_bye,
        }

    async def start(self) -> None:
        """Hear the others, where there may be any; a StoreFailure where that is not possible."""
        if not self.server.store.shared:
            return
        for buckets in self._rates.values():
            buckets.spent = {}
        self.server.sockets_elsewhere = lambda account: sum(there[account] for there in self._sockets.values())
        self._messages.start(self._hear, self._set_connected)
        try:
            async with asyncio.timeout(START_S):
                await self._connected.wait()
        except TimeoutError:
            raise StoreFailure("The database does not answer.") from None
        self._tasks.start(self._look())
        self._tasks.start(self._tell())

    async def close(self) -> None:
        """Hear nothing any more, and tell the others that they may do what this process has done."""
        await self._tasks.cancel()
        if self.server.store.shared:
            await self.server.tables.close()
            await asyncio.to_thread(self._messages.close)
            self._messages.tell(["bye"])

    # Again and again

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await survive(self._look_who_lives)

    async def _look_who_lives(self) -> None:
        """Notice processes that have ended, and end those that only seem to live."""
        self._messages.beat()
        before = set(self._alive)
        alive = await self._messages.alive()
        self._alive = alive | (self._alive - before)  # those who have come meanwhile
        for process in before - alive - {self._messages.number}:
            await self._forget(process)
        await self._end_silent(alive)

    async def _end_silent(self, alive: set[int]) -> None:
        """Let nobody wait for a process that has been stopped; when it goes on, it comes back under a new number.

        It must have been silent at two looks, for we may have been stopped ourselves.
        """
        since = time.monotonic() - SILENCE_S
        silent = {process for process in alive if self._beats.get(process, since) < since}
        for process in silent & self._silent if self._messages.hears() else ():
            log.error("process-silent", extra={"data": {"process": process}})
            await self._messages.end(process)
        self._silent = silent

    async def _forget(self, process: int) -> None:
        """Take over from a process that has ended."""
        log.info("process-ended", extra={"data": {"process": process}})
        self._alive.discard(process)
        self._beats.pop(process, None)
        self._sockets.pop(process, None)
        self._peers.forget_process(process)
        self.server.store.duties.forget()
        await self.server.tables.resume()

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(TELL_S)
            await survive(self._tell_used)

    def _tell_used(self) -> None:
        """Tell the others what clients have used here since the last time."""
        for name, buckets in self._rates.items():
            for part in _parts(buckets.spent or {}):
                self._messages.tell(["spent", name, part])
            buckets.spent = {}
        changed, self.server.changed_accounts = self.server.changed_accounts, set()
        for part in _parts({account: self.server.sockets[account] for account in changed}):
            self._messages.tell(["sockets", part])

    # What is heard

    def _set_connected(self, connected: bool) -> None:
        """The others can be heard (again), or not any more."""
        log.info("connected" if connected else "disconnected")
        if not connected:  # who plays here is better served elsewhere
            self.server.tables.unload_all()
            return
        first = not self._connected.is_set()
        self._connected.set()
        self._messages.tell(["hello"])
        self._messages.tell(["beat"])
        self.server.changed_accounts.update(self.server.sockets)
        self._sockets.clear()
        self._beats.clear()
        if not first:
            self._tasks.start(self._meet_again())

    async def _meet_again(self) -> None:
        """Nothing that was kept in memory need hold any more."""
        server = self.server
        server.people.forget()
        server.store.tables.forget_seats(None)
        server.store.duties.forget()
        await survive(self._load_bans)
        await survive(self._peers.meet_again)
        await survive(server.tables.resume)
        server.tables.restart_duties()

    def _hear(self, process: int, message: Message) -> None:
        """Another process has told something; what is not known comes from a later version."""
        kind, *given = message
        if process in self._beats:
            self._beats[process] = time.monotonic()
        try:
            if kind in self._kinds:
                self._kinds[kind](process, *given)
        except Exception:  # the next message may be understood
            log.exception("message-failed", extra={"data": {"kind": str(kind)[:40]}})

    def _hear_bans(self, process: int) -> None:
        del process
        self._tasks.start(self._load_bans())

    async def _load_bans(self) -> None:
        await self.server.bans.load()
        self.server.drop_banned()

    def _hear_key(self, process: int, hashed: str) -> None:
        """A key is void."""
        del process
        self.server.people.forget_key(bytes.fromhex(hashed))
        self.server.drop_key(bytes.fromhex(hashed))

    def _hear_person(self, process: int, person: int) -> None:
        """Something about a person has changed."""
        del process
        self.server.people.forget(person)

    def _hear_announcement(self, process: int, text: str) -> None:
        del process
        self.server.show_announcement(text)

    def _hear_hello(self, process: int) -> None:
        """A process has started: tell it what it cannot read in the store."""
        self._alive.add(process)
        self._messages.tell(["beat"])
        if self.server.announcement:
            self._messages.tell(["announcement", self.server.announcement])
        self.server.changed_accounts.update(self.server.sockets)

    def _hear_beat(self, process: int) -> None:
        """A process tells from now on that it lives."""
        self._beats[process] = time.monotonic()

    def _hear_spent(self, process: int, name: str, spent: Mapping[str, float]) -> None:
        """Clients have used their rates at another process."""
        del process
        for client, tokens in spent.items() if name in self._rates else ():
            self._rates[name].absorb(client, tokens)

    def _hear_sockets(self, process: int, accounts: Mapping[str, int]) -> None:
        """So many sockets are open at another process."""
        there = self._sockets.setdefault(process, Counter())
        there.update({account: count - there[account] for account, count in accounts.items()})
        for account in [account for account in accounts if not there[account]]:
            del there[account]

    def _hear_bye(self, process: int) -> None:
        self._tasks.start(self._forget(process))


def _parts(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A mapping in parts that a message can hold."""
    items = iter(found.items())
    while part := dict(islice(items, PART)):
        yield part
