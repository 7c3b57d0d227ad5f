"""The tables in memory: one writer each, those who watch, and what the house owes them.

A table is folded from the store when somebody asks for it and forgotten when nobody does. While a change is on its way
to the disk nobody may look; then everybody is told. Where the disk refuses it, the table is folded anew.
"""

import asyncio
import logging
import time
from collections import defaultdict, deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..errors import Refused, missing, stale
from ..ops.bot_pool import Thinkers
from ..ops.limits import Limits
from ..ops.metrics import Metrics
from ..storage.store import Event, Page, Store, Summary
from . import serializers
from .tables import Due, Table, folded, new_id, opening

log = logging.getLogger(__name__)

FRESH_S = 60
"""How exactly the last use of a table is kept."""

Command = Callable[[Table], list[Event]]


CHANGED = b""
"""What a watcher is told who looks for themselves."""


class Watcher:
    """Somebody who is told of a table through the eyes of a seat, or only that it has changed (`looks`).

    One who does not keep up drowns.
    """

    def __init__(self, seat: int | None, room: int, looks: bool = False) -> None:
        self.seat = seat
        self.looks = looks
        self.person: int | None = None
        self.room = room
        self.told: deque[bytes | None] = deque()
        self.idle: asyncio.Future[None] | None = None
        self.drowned: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def tell(self, message: bytes | None) -> None:
        """Add a message (None: the end) to what is to be told, if there is room."""
        if len(self.told) < self.room:
            self.told.append(message)
            if self.idle is not None and not self.idle.done():
                self.idle.set_result(None)
        elif not self.drowned.done():
            self.drowned.set_result(None)

    async def next(self) -> bytes | None:
        """The next message; one reader at a time."""
        while not self.told:
            self.idle = asyncio.get_running_loop().create_future()
            await self.idle
        return self.told.popleft()


@dataclass
class Live:
    """A table in memory."""

    table: Table
    writing: asyncio.Future[None] | None = None  # what of it is on its way to the disk
    watchers: set[Watcher] = field(default_factory=set)
    sockets: dict[int, int] = field(default_factory=lambda: defaultdict(int))  # of each person
    seen: dict[int, float] = field(default_factory=dict)  # when a person last showed up
    due: Due | None = None  # what the house is at work on: a bot's move or a deal
    duty: asyncio.Task[None] | None = None
    since: float = field(default_factory=time.monotonic)
    touched: float = field(default_factory=time.monotonic)
    summary: Summary | None = None  # as it was last written
    gone: bool = False

    def shows(self, person: int | None, seat: int | None) -> bool:
        """Whether a person may watch, through the eyes of this seat."""
        own = seat is None or seat in self.table.seats_of(person)
        return own and not self.gone and self.table.admits(person)


class Hall:
    """All tables of the server."""

    def __init__(self, store: Store, thinkers: Thinkers, limits: Limits, metrics: Metrics) -> None:
        self.store = store
        self.thinkers = thinkers
        self.limits = limits
        self.metrics = metrics
        self.lives: dict[str, Live] = {}
        self.opened = time.monotonic()
        self._tasks: set[asyncio.Task[None]] = set()
        metrics.watch(tables=lambda: len(self.lives), waiting=lambda: thinkers.waiting)

    # Tables

    def live(self, table_id: str) -> Live:
        """The table, folded from the store if it is not in memory."""
        live = self.lives.get(table_id)
        if live is None:
            events = self.store.events(table_id)
            if not events:
                raise missing()
            live = self.lives[table_id] = Live(folded(table_id, events))
            self._attend(live)
        live.touched = time.monotonic()
        return live

    async def open(self, event: Event, more: Command = lambda _: []) -> Live:
        """Open a table, with whatever happens at once at it."""
        live = Live(Table(new_id()))
        await self._write((live, [event, *more(folded(live.table.id, [event]))]))
        return live

    async def act(self, live: Live, state: int | None, command: Command) -> int:
        """Change a table as it was in this state (None: whatever it is); the state after it."""
        await self.settled(live)
        if live.gone or (state is not None and state != live.table.state):
            raise stale(live.table.state)
        events = command(live.table)
        if events:
            await self._write((live, events))
        return live.table.state

    async def rematch(self, live: Live, state: int, person: int) -> Live:
        """Open the next table; everybody sits there as they did here. Both tables change, or none."""
        await self.settled(live)
        old = live.table
        if live.gone or state != old.state:
            raise stale(old.state)
        promise = old.rematch(person)
        event = opening(
            person, old.edition, len(old.seats), old.options, open_=old.open, pace_ms=old.pace_ms, rest_s=old.rest_s
        )
        following = Live(Table(promise[0]["table"]))
        await self._write((following, [event, *_same_seats(old)]), (live, promise))
        return following

    async def settled(self, live: Live) -> None:
        """Wait until nothing of the table is on its way to the disk: only then may anybody look at it."""
        while live.writing is not None:
            await asyncio.wait([live.writing])

    async def _write(self, *changes: tuple[Live, list[Event]]) -> None:
        """Into memory and to disk, then to everybody, even where the one who asked for it has hung up."""
        states = [live.table.state for live, _ in changes]
        try:
            writing = self.store.append([_page(live, events) for live, events in changes])
        except BaseException:
            self._forget(*(live for live, _ in changes))
            raise
        for live, _ in changes:
            live.writing = writing

        def written(future: asyncio.Future[None]) -> None:
            for live, _ in changes:
                live.writing = None
            if future.cancelled() or future.exception() is not None:
                self._forget(*(live for live, _ in changes))
                for live, _ in changes:  # those who wait to look must not see what has not happened
                    live.table = folded(live.table.id, self.store.events(live.table.id))
                return
            for (live, _), state in zip(changes, states, strict=True):
                self._tell(live, state)

        writing.add_done_callback(written)
        await asyncio.shield(writing)

    def _tell(self, live: Live, since: int) -> None:
        """What has happened is on disk: tell everybody, and see what is due now."""
        self.lives[live.table.id] = live
        self.metrics.events.inc(live.table.state - since)
        live.touched = time.monotonic()
        if serializers.seating_changed(live.table, since):
            self._usher(live)
            self._prepare(live, since)
        self._publish(live, since)
        self._attend(live)

    def _prepare(self, live: Live, since: int) -> None:
        """Let the bots that have come to the table get ready before their first decision is due."""
        for event, _ in live.table.events[since:]:
            if "bot" in event:
                self.thinkers.prepare(event["bot"])

    def _forget(self, *lives: Live) -> None:
        """Let go of tables in memory; those who watch them come again."""
        for live in lives:
            live.gone = True
            if self.lives.get(live.table.id) is live:
                del self.lives[live.table.id]
            if live.duty is not None:
                live.duty.cancel()
            for watcher in live.watchers:
                watcher.tell(None)

    # Those who watch

    def enter(self, live: Live, watcher: Watcher, person: int | None) -> None:
        """Somebody watches the table from now on."""
        watcher.person = person
        live.watchers.add(watcher)
        if person is not None:
            live.sockets[person] += 1
            self.show_up(live, person)

    def go(self, live: Live, watcher: Watcher, person: int | None) -> None:
        """Somebody watches no longer."""
        live.watchers.discard(watcher)
        live.touched = time.monotonic()
        if person is not None:
            live.sockets[person] -= 1
            live.seen[person] = time.monotonic()

    def _usher(self, live: Live) -> None:
        """Show those out who may watch no longer, or not through the eyes of that seat: they may come again."""
        for watcher in list(live.watchers):
            if not live.shows(watcher.person, watcher.seat):
                live.watchers.discard(watcher)
                watcher.tell(None)

    def show_up(self, live: Live, person: int) -> None:
        """A person is here; seats that a bot keeps for them while they were away are given back."""
        live.seen[person] = time.monotonic()
        if any(live.table.seats[k].absent for k in live.table.seats_of(person)):
            self._spawn(self._greet(live, person))

    def away(self, live: Live) -> Callable[[int], bool]:
        """Whether a person has not been at the table for long."""

        def away(person: int) -> bool:
            last = live.seen.get(person, max(self.opened, live.since))
            return live.sockets[person] == 0 and time.monotonic() - last > self.limits.away_s

        return away

    def news(self, live: Live, since: int, seats: Iterable[int | None]) -> dict[int | None, bytes]:
        """What the seats have to be told after a state."""
        return serializers.news(live.table, since, seats, self.away(live))

    def _publish(self, live: Live, since: int) -> None:
        """Tell everybody, each through the eyes of their seat."""
        said = self.news(live, since, {watcher.seat for watcher in live.watchers if not watcher.looks})
        for watcher in live.watchers:
            watcher.tell(CHANGED if watcher.looks else said[watcher.seat])

    # What the house owes

    def _attend(self, live: Live) -> None:
        """Let the house do what is due next at the table, unless it is doing it."""
        due = live.table.due
        if due == live.due:
            return
        if live.duty is not None:
            live.duty.cancel()
        live.due, live.duty = due, None
        if due is not None:
            live.duty = self._spawn(self._rest(live, due) if due.bot is None else self._bot_turn(live, due))

    async def _bot_turn(self, live: Live, due: Due) -> None:
        """Let a bot decide. Its move is told when its time is up, however long it thought: that tells nothing."""
        assert due.bot is not None
        loop = asyncio.get_running_loop()
        spoken = loop.time() + live.table.pace_ms / 1000
        with self.metrics.thinking.time():
            move = await self.thinkers.choose(due.bot, live.table.playing().view(due.seat))
        await asyncio.sleep(max(0.0, spoken - loop.time()))
        await self._do(live, due, lambda table: table.bot_move(due.seat, move))

    async def _rest(self, live: Live, due: Due) -> None:
        """Deal the next round when the players have had their rest."""
        if due.round > 0:
            await asyncio.sleep(live.table.rest_s)
        await self._do(live, due, lambda table: table.deal())

    async def _do(self, live: Live, due: Due, command: Command) -> None:
        """Do what was due, if it still is."""
        await self.act(live, None, lambda table: command(table) if table.due == due else [])

    async def _greet(self, live: Live, person: int) -> None:
        try:
            await self.act(live, None, lambda table: table.greet(person))
        except Refused as refusal:
            log.info("greeting-refused", extra={"data": {"code": refusal.code}})

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("duty-failed", exc_info=error)

    # Keeping house

    def resume(self) -> int:
        """Take up what the house owed when it was last closed; how many tables that were."""
        due = self.store.due_tables()
        for table_id in due:
            self.live(table_id)
        return len(due)

    def tidy(self) -> None:
        """Forget tables that nobody watches and where the house owes nothing."""
        late = time.monotonic() - self.limits.idle_s
        for live in list(self.lives.values()):
            busy = live.watchers or live.writing or (live.duty is not None and not live.duty.done())
            if not busy and live.touched < late:
                self._forget(live)

    async def sweep(self) -> None:
        """Remove from the store what has not been used for long (docs/server.md says how long)."""
        days = {"waiting": self.limits.keep_waiting_days, "playing": self.limits.keep_playing_days}
        days |= {"over": self.limits.keep_over_days, "closed": self.limits.keep_waiting_days}
        for table_id in await self.store.sweep(days, self.limits.keep_keys_days):
            if table_id in self.lives:
                self._forget(self.lives[table_id])

    async def close(self) -> None:
        """End all duties; what was not written has not happened."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for live in list(self.lives.values()):
            self._forget(live)


def _page(live: Live, events: list[Event]) -> Page:
    """Apply the events: what the store has to write down for them. The summary is written when it has changed."""
    table, number, now = live.table, live.table.state, int(time.time())
    for event in events:
        table.apply(event)
    summary = Summary(table.id, table.host, table.edition, table.open, table.status, table.forlorn, now - now % FRESH_S)
    changed, live.summary = summary != live.summary, summary
    members = [event["person"] for event in events if event["kind"] == "sat"]
    return Page(table.id, now, number, events, members, summary if changed else None)


def _same_seats(old: Table) -> Iterator[Event]:
    """Everybody in the seat they had."""
    for number, seat in enumerate(old.seats):
        if seat.person is not None:
            yield {"kind": "sat", "seat": number, "person": seat.person, "name": seat.name}
        else:
            yield {"kind": "bot-sat", "seat": number, "bot": seat.bot, "name": seat.name}
