"""The tables in memory, and the one way in which they change.

A table is folded from the store when somebody asks for it and unloaded when nobody does. While a change is on its way
to the disk nobody may look at the table; then all subscribers are told. Where the disk refuses the change, the table is
folded anew.
"""

import asyncio
import logging
import time
from collections.abc import Iterable
from dataclasses import replace

from ..errors import Refused, conflict, missing, stale
from ..ops.bot_pool import BotPool
from ..ops.limits import Limits
from ..ops.metrics import Metrics
from ..ops.tasks import BackgroundTasks
from ..storage.database import StoreFailure
from ..storage.store import Store
from ..storage.tables import UnreadableEvents
from . import serializers
from .automation import Automation, overdue, owed_by_bots
from .commands import Caller, Decision, announce_rematch, give_back_seats, new_event
from .loaded import LoadedTable
from .opening import NewTable, first_events, rematch_events
from .people import Person
from .room import check_changes, is_full
from .subscribers import Subscriber
from .table import DamagedTable, HostedTable, NewEvent, fold, new_id

log = logging.getLogger(__name__)

LOADS = 50
"""Tables that are loaded between two looks at how many there are."""


class TableRegistry:
    """All tables of the server."""

    def __init__(self, store: Store, bots: BotPool, limits: Limits, metrics: Metrics) -> None:
        self.store = store
        self.limits = limits
        self.metrics = metrics
        self.loaded: dict[str, LoadedTable] = {}
        self.damaged: set[str] = set()  # tables that were found damaged: they are logged and marked once
        self._loads = 0
        self._tasks = BackgroundTasks()
        self._automation = Automation(bots, metrics, self._tasks, self.change)
        metrics.watch("suitors_tables", "Tables in memory.", lambda: len(self.loaded))
        metrics.watch("suitors_damaged_tables", "Tables set aside.", lambda: len(self.damaged))
        metrics.watch("suitors_bot_turns", "Bots whose turn it is.", lambda: owed_by_bots(self.loaded.values()))
        metrics.watch(
            "suitors_overdue_tables", "Tables whose bot or deal is late.", lambda: len(overdue(self.loaded.values()))
        )

    # Tables

    def load(self, table_id: str) -> LoadedTable:
        """The table, folded from the store if it is not in memory; a DamagedTable is set aside."""
        loaded = self.loaded.get(table_id)
        if loaded is None:
            try:
                table = self._read(table_id)
            except DamagedTable as damage:
                self._set_aside(damage)
                raise
            if not table.state:
                raise missing()
            loaded = self.loaded[table_id] = self._new(table)
            self._automation.update(loaded)
            self._loads += 1
            if self._loads % LOADS == 0:
                self.unload_idle()
        loaded.last_used = time.monotonic()
        return loaded

    def _read(self, table_id: str) -> HostedTable:
        """The table as it is on disk."""
        try:
            return fold(table_id, self.store.tables.events(table_id))
        except UnreadableEvents as unreadable:
            raise DamagedTable(fold(table_id, unreadable.readable), str(unreadable)) from None

    async def open(self, host: Person, given: NewTable) -> LoadedTable:
        """Open a table, filled and started as asked."""
        loaded = self._new(HostedTable(new_id()))
        await self._write((loaded, first_events(loaded.table.id, host, given)))
        return loaded

    async def change(self, loaded: LoadedTable, decide: Decision) -> int:
        """Change a table when no other change of it is on its way to the disk; returns the state after it."""
        await self._settled(loaded)
        events = decide(loaded.table)
        after = loaded.table.state + len(events)  # when these are on disk, more may be on its way there
        if events:
            check_changes(loaded.table, events, self.limits)
            if is_full(loaded.table, self.limits):
                await self._write((loaded, [new_event("closed")]))
                raise conflict("table-full", "So much has happened at this table that it had to be closed.")
            await self._write((loaded, events))
        return after

    async def rematch(self, loaded: LoadedTable, state: int, caller: Caller) -> LoadedTable:
        """Open the next table; everybody sits there as they did here. Both tables change, or none."""
        await self._settled(loaded)
        announced = announce_rematch(loaded.table, caller, state)
        following = self._new(HostedTable(announced[0].event["table"]))
        await self._write((following, rematch_events(loaded.table, caller.person.id)), (loaded, announced))
        return following

    async def _settled(self, loaded: LoadedTable) -> None:
        """Wait until the table may be changed; refused where it has been unloaded by then."""
        await loaded.settled()
        if loaded.unloaded:
            raise stale(loaded.table.state)

    def _new(self, table: HostedTable) -> LoadedTable:
        return LoadedTable(table, self.limits.away_s)

    async def _write(self, *changes: tuple[LoadedTable, list[NewEvent]]) -> None:
        """Into memory and to disk, then to all subscribers, even where the client who asked for it has gone."""
        tables = [loaded for loaded, _ in changes]
        states = [loaded.table.state for loaded in tables]
        try:
            writing = self.store.tables.append([loaded.apply(events) for loaded, events in changes])
        except BaseException:
            self._roll_back(tables)
            raise
        for loaded in tables:
            loaded.writing = writing

        def written(future: asyncio.Future[None]) -> None:
            for loaded in tables:
                loaded.writing = None
            if future.cancelled() or future.exception() is not None:
                self._roll_back(tables)
                return
            for loaded, state in zip(tables, states, strict=True):
                self._committed(loaded, state)

        writing.add_done_callback(written)
        await asyncio.shield(writing)

    def _committed(self, loaded: LoadedTable, since: int) -> None:
        """What has happened since a state is on disk: tell all subscribers, and start what is pending now."""
        self.loaded[loaded.table.id] = loaded
        self.metrics.events.inc(loaded.table.state - since)
        loaded.last_used = time.monotonic()
        if serializers.seating_changed(loaded.table, since):
            loaded.drop_unauthorised()
            self._automation.prepare(loaded, since)
        loaded.notify(since)
        self._automation.update(loaded)

    def _roll_back(self, tables: list[LoadedTable]) -> None:
        """Those who wait to look at the tables must not see what has not happened."""
        self._unload(*tables)
        for loaded in tables:
            try:
                loaded.table = self._read(loaded.table.id)
            except DamagedTable as damage:
                loaded.table = damage.table
            except StoreFailure as failure:
                loaded.failure = failure

    def _unload(self, *tables: LoadedTable) -> None:
        """Remove tables from memory; their subscribers have to come again."""
        for loaded in tables:
            loaded.unloaded = True
            loaded.forget_timers()
            if self.loaded.get(loaded.table.id) is loaded:
                del self.loaded[loaded.table.id]
            if loaded.task is not None:
                loaded.task.cancel()
            for subscriber in loaded.subscribers:
                subscriber.send(None)

    # Who is there

    def subscribe(self, loaded: LoadedTable, subscriber: Subscriber, person: int | None) -> None:
        """Tell somebody what happens at the table from now on."""
        subscriber.person = person
        loaded.subscribers.add(subscriber)
        if person is not None:
            was_away = person in loaded.table.members() and loaded.is_away(person)
            loaded.sockets[person] += 1
            self.mark_present(loaded, person)
            if was_away:
                loaded.refresh_pages()
        loaded.hurry.set()  # they may like another pace
        for member in loaded.table.members():
            loaded.expect_away(member)

    def unsubscribe(self, loaded: LoadedTable, subscriber: Subscriber, person: int | None) -> None:
        """End a subscription."""
        loaded.subscribers.discard(subscriber)
        loaded.last_used = time.monotonic()
        if person is not None:
            loaded.sockets[person] -= 1
            loaded.last_seen[person] = time.monotonic()
            loaded.expect_away(person)

    def mark_present(self, loaded: LoadedTable, person: int) -> None:
        """A person is here; seats that a bot plays for them since they were away are given back."""
        loaded.last_seen[person] = time.monotonic()
        if any(loaded.table.seats[k].absent for k in loaded.table.seats_of(person)):
            self._tasks.start(self._give_back_seats(loaded, person))

    async def _give_back_seats(self, loaded: LoadedTable, person: int) -> None:
        try:
            await self.change(loaded, lambda table: give_back_seats(table, person))
        except Refused as refusal:
            log.info("greeting-refused", extra={"data": {"code": refusal.code}})

    # Damaged tables

    def _set_aside(self, damage: DamagedTable) -> None:
        """Leave a damaged table alone from now on: it is logged, and lists call it damaged."""
        if damage.table.id not in self.damaged:
            self.damaged.add(damage.table.id)
            log.error("table-damaged", extra={"data": {"table": damage.table.id, "why": str(damage)}})
            self._tasks.start(self.store.tables.mark_damaged(damage.table.id))

    async def retry_damaged(self) -> None:
        """Try the tables again that were set aside when the server ran before: another program may read them."""
        for summary in self.store.tables.list_damaged():
            try:
                table = self._read(summary.id)
            except DamagedTable as damage:
                self._set_aside(damage)
            else:
                await self.store.tables.restore(replace(summary, status=table.status, due=table.must_resume))

    def find_damage(self, table_id: str) -> DamagedTable | None:
        """What is wrong with a table, if anything is."""
        try:
            self.load(table_id)
        except DamagedTable as damage:
            return damage
        return None

    async def close_damaged(self, damage: DamagedTable) -> None:
        """Let nobody ever play on at a damaged table, whatever another program makes of it: its cards are shown now."""
        await self.store.tables.close_damaged(damage.table.id, int(time.time()))

    # Maintenance

    def resume(self) -> int:
        """Load the tables where the server has something to do by itself; returns how many these are."""
        due = self.store.tables.due()
        for table_id in due:
            try:
                self.load(table_id)
            except DamagedTable:
                pass  # it has been set aside
            except Refused:
                self._set_aside(DamagedTable(HostedTable(table_id), "It has no events."))
        for loaded in self.loaded.values():
            if loaded.writing is None:
                self._automation.update(loaded)  # it goes on where it has ended, for whatever reason
        return len(due)

    def log_overdue(self) -> None:
        """Say how many tables wait for the server, if any do."""
        late = overdue(self.loaded.values())
        if late:
            log.error("overdue", extra={"data": {"tables": len(late), "longest_s": round(max(late))}})

    def unload_idle(self) -> None:
        """Unload tables that nobody has used for long and where nothing is being done, or the oldest of too many."""
        idle_since = time.monotonic() - self.limits.idle_s
        idle = [loaded for loaded in self.loaded.values() if not loaded.is_busy()]
        idle.sort(key=lambda loaded: loaded.last_used, reverse=True)
        recent = [loaded for loaded in idle[: self.limits.idle_tables] if loaded.last_used >= idle_since]
        self._unload(*idle[len(recent) :])

    def drop(self, table_ids: Iterable[str]) -> None:
        """Unload tables that have been deleted from the store."""
        for table_id in table_ids:
            self.damaged.discard(table_id)
            if table_id in self.loaded:
                self._unload(self.loaded[table_id])

    async def close(self) -> None:
        """End all tasks and unload all tables; what was not written has not happened."""
        await self._tasks.cancel()
        self._unload(*list(self.loaded.values()))
