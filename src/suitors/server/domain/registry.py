"""The tables in memory, and the one way in which they change.

A table is folded from the store when somebody asks for it and unloaded when nobody does. While a change is on its way
to the disk nobody may look at the table; then all subscribers are told. Where the disk refuses the change, the table is
folded anew; so it is where another process has changed the table first, and then the change is decided anew.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress

from ..errors import Refused, conflict, missing, stale
from ..ops.bot_pool import BotPool
from ..ops.limits import Limits
from ..ops.metrics import Metrics
from ..ops.tasks import BackgroundTasks
from ..storage.database import StoreFailure, TakenNumber
from ..storage.store import Store
from ..storage.tables import Event, TooManyTables, UnreadableEvents, sits_anew
from . import serializers
from .automation import Automation, overdue, owed_by_bots
from .commands import Caller, Decision, announce_rematch, give_back_seats, new_event
from .loaded import LoadedTable
from .opening import NewTable, first_events, rematch_events
from .people import Person
from .presence import Presence
from .room import check_changes, is_full
from .table import DamagedTable, HostedTable, NewEvent, fold, new_id

log = logging.getLogger(__name__)

LOADS = 50
"""Tables that are loaded between two looks at how many there are."""

TRIES = 20
"""How often a change is decided anew because other processes were first."""


class TableRegistry:
    """All tables of the server."""

    def __init__(self, store: Store, bots: BotPool, limits: Limits, metrics: Metrics) -> None:
        self.store = store
        self.limits = limits
        self.metrics = metrics
        self.loaded: dict[str, LoadedTable] = {}
        self.damaged: set[str] = set()  # tables that were found damaged: they are logged and marked once
        self._loads = 0
        self._loading: Counter[str] = Counter()  # tables that are being read
        self._outdated: set[str] = set()  # those of them that others have changed meanwhile
        self._tasks = BackgroundTasks()
        self._automation = Automation(bots, metrics, self._tasks, store.duties, self.change)
        self.presence = Presence(store.messages, self._welcome_back)
        metrics.watch("suitors_tables", "Tables in memory.", lambda: len(self.loaded))
        metrics.watch("suitors_damaged_tables", "Tables set aside.", lambda: len(self.damaged))
        metrics.watch("suitors_bot_turns", "Bots whose turn it is.", lambda: owed_by_bots(self.loaded.values()))
        metrics.watch(
            "suitors_overdue_tables", "Tables whose bot or deal is late.", lambda: len(overdue(self.loaded.values()))
        )

    # Tables

    async def load(self, table_id: str) -> LoadedTable:
        """The table, folded from the store if it is not in memory; a DamagedTable is set aside."""
        loaded = self.loaded.get(table_id)
        if loaded is None:
            self.store.check_line()
            self._loading[table_id] += 1
            try:
                table = await self._read(table_id)
            except DamagedTable as damage:
                self._set_aside(damage)
                raise
            finally:
                self._loading -= Counter([table_id])
            loaded = self.loaded.get(table_id) or self._keep(table)  # another may have loaded it meanwhile
        loaded.last_used = time.monotonic()
        return loaded

    def _keep(self, table: HostedTable) -> LoadedTable:
        """Have a table in memory from now on."""
        if not table.state:
            raise missing()
        loaded = self.loaded[table.id] = self._new(table)
        if table.id in self._outdated:
            self._outdated.discard(table.id)
            self._tasks.start(self.catch_up(loaded))
        self.store.messages.tell(["who", table.id])
        self._automation.update(loaded)
        self._loads += 1
        if self._loads % LOADS == 0:
            self.unload_idle()
        return loaded

    async def _read(self, table_id: str) -> HostedTable:
        """The table as it is on disk."""
        try:
            return fold(table_id, await self.store.tables.events(table_id))
        except UnreadableEvents as unreadable:
            raise DamagedTable(fold(table_id, unreadable.readable), str(unreadable)) from None

    async def open(self, host: Person, given: NewTable) -> LoadedTable:
        """Open a table, filled and started as asked; a TooManyTables where the host has too many."""
        loaded = self._new(HostedTable(new_id()))
        await asyncio.shield(self._write((loaded, first_events(loaded.table.id, host, given)), host=host.id))
        return loaded

    async def change(self, loaded: LoadedTable, decide: Decision) -> int:
        """Change a table when no other change of it is on its way to the disk; returns the state after it."""
        for _ in range(TRIES):
            await self._settled(loaded)
            try:
                after, writing = self.begin_change(loaded, decide)
            except Refused as refusal:
                if refusal.code == "stale" and await self.refresh(loaded):
                    continue  # what the caller saw at another process had not been heard of here
                if refusal.code == "table-full":
                    with suppress(TakenNumber):
                        await asyncio.shield(self._write((loaded, [new_event("closed")])))
                raise
            with suppress(TakenNumber):
                if writing is not None:
                    await asyncio.shield(writing)
                return after
        raise stale(loaded.table.state)

    def begin_change(self, loaded: LoadedTable, decide: Decision) -> tuple[int, asyncio.Future[None] | None]:
        """Decide on a change of a table that is not being changed: the state after it, and its way to the disk."""
        events, state = decide(loaded.table), loaded.table.state
        if not events:
            return state, None
        check_changes(loaded.table, events, self.limits)
        if is_full(loaded.table, self.limits):
            raise conflict("table-full", "So much has happened at this table that it had to be closed.")
        return state + len(events), self._write((loaded, events))

    async def rematch(self, loaded: LoadedTable, state: int, caller: Caller) -> LoadedTable:
        """Open the next table; everybody sits there as they did here. Both tables change, or none."""
        host = caller.person.id
        for _ in range(TRIES):
            await self._settled(loaded)
            announced = announce_rematch(loaded.table, caller, state)
            following = self._new(HostedTable(announced[0].event["table"]))
            with suppress(TakenNumber):
                changes = (following, rematch_events(loaded.table, host)), (loaded, announced)
                await asyncio.shield(self._write(*changes, host=host))
                return following
        raise stale(loaded.table.state)

    async def _settled(self, loaded: LoadedTable) -> None:
        """Wait until the table may be changed; refused where it has been unloaded by then."""
        await loaded.settled()
        if loaded.unloaded:
            raise stale(loaded.table.state)

    def _new(self, table: HostedTable) -> LoadedTable:
        return LoadedTable(table, self.limits.away_s)

    def _write(self, *changes: tuple[LoadedTable, list[NewEvent]], host: int | None = None) -> asyncio.Future[None]:
        """Into memory and to disk, then to all subscribers, even where the client who asked for it has gone.

        With a host the first is a new table of theirs.
        """
        states = [(loaded, loaded.table.state) for loaded, _ in changes]
        try:
            writes, stored = [loaded.apply(events) for loaded, events in changes], self.store.tables
            writing = stored.append(writes) if host is None else stored.open(writes, host, self.limits.tables)
        except BaseException:
            self._roll_back(states, unload=True)
            raise
        for loaded, _ in states:
            loaded.writing = writing

        def written(future: asyncio.Future[None]) -> None:
            error = None if future.cancelled() else future.exception()
            if future.cancelled() or error is not None:
                self._roll_back(states, unload=not isinstance(error, TakenNumber | TooManyTables))
                return
            for loaded, state in states:
                loaded.writing = None
                self.metrics.count_events(loaded.table.state - state)
                self._committed(loaded, state)

        writing.add_done_callback(written)
        return writing

    def _committed(self, loaded: LoadedTable, since: int) -> None:
        """What has happened since a state is on disk: tell all subscribers, and start what is pending now."""
        self.loaded[loaded.table.id] = loaded
        loaded.last_used = time.monotonic()
        if serializers.seating_changed(loaded.table, since):
            loaded.drop_unauthorised()
            self.presence.tell(loaded)
            self._automation.prepare(loaded, since)
        loaded.notify(since)
        self._automation.update(loaded)

    def _roll_back(self, states: list[tuple[LoadedTable, int]], *, unload: bool) -> None:
        """Those who wait to look at the tables must not see what has not happened."""
        for loaded, state in states:
            if unload:
                self._unload(loaded)
            loaded.writing = self._tasks.start(self._fold_anew(loaded, state))
            loaded.writing.add_done_callback(loaded.end_writing)

    async def _fold_anew(self, loaded: LoadedTable, since: int) -> None:
        """Have the table as it is on disk, with what other processes have written since a state."""
        try:
            loaded.table = await self._read(loaded.table.id)
            loaded.summary = None
        except DamagedTable as damage:
            loaded.table = damage.table
            self._unload(loaded)
        except StoreFailure as failure:
            loaded.failure = failure
            self._unload(loaded)
        loaded.writing = None
        if not loaded.unloaded and loaded.table.state > since:
            self._committed(loaded, since)

    # What other processes write

    def take_in(self, table_id: str, number: int, events: list[Event] | None) -> None:
        """Another process has added these events to a table, the first of them with this number."""
        if events is None or sits_anew(events):
            self.store.tables.forget_seats(table_id)
        if table_id in self._loading:
            self._outdated.add(table_id)
        loaded = self.loaded.get(table_id)
        if loaded is None:
            return
        state = loaded.table.state
        if events is None or loaded.writing is not None or number > state:
            self._tasks.start(self.catch_up(loaded))
        elif number + len(events) > state:
            self._append(loaded, events[state - number :])

    def note_gap(self) -> list[LoadedTable]:
        """Events may have been missed: the tables that have to catch up; those that are being read will do so, too."""
        self._outdated.update(self._loading)
        return list(self.loaded.values())

    async def refresh(self, loaded: LoadedTable) -> bool:
        """Have all that any process has written of a table by now; whether there was anything new."""
        state = loaded.table.state
        if self.store.shared:
            await self.catch_up(loaded)
        return loaded.table.state > state

    async def catch_up(self, loaded: LoadedTable) -> None:
        """Read what other processes have added to a table; nobody may look at it meanwhile."""
        await loaded.settled()
        if loaded.unloaded:
            return
        reading: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        loaded.writing = reading
        try:
            events = await self.store.tables.events(loaded.table.id, loaded.table.state)
        except (StoreFailure, UnreadableEvents) as error:
            events = []
            loaded.failure = error if isinstance(error, StoreFailure) else StoreFailure(str(error))
            self._unload(loaded)
        finally:
            loaded.writing = None
            reading.set_result(None)
        if events and not loaded.unloaded:
            self._append(loaded, events)
        elif not loaded.unloaded:
            self._automation.update(loaded)

    def _append(self, loaded: LoadedTable, events: list[Event]) -> None:
        """Take in events that are on disk already."""
        since = loaded.table.state
        try:
            for event in events:
                loaded.table.apply(event)
        except Exception:  # a later version of the program may have written them
            log.exception("table-unreadable", extra={"data": {"table": loaded.table.id}})
            self._unload(loaded)
            return
        loaded.summary = None  # as it is in the store now, we do not know
        self._committed(loaded, since)

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
            if loaded.told_presence:
                self.store.messages.tell(["here", loaded.table.id, []])
        self.store.duties.release(loaded.table.id for loaded in tables)

    # Who is there

    def _welcome_back(self, loaded: LoadedTable, person: int) -> None:
        """Give a person the seats back that a bot has played for them."""
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
        for summary in await self.store.tables.list_damaged():
            try:
                table = await self._read(summary.id)
            except DamagedTable as damage:
                self._set_aside(damage)
            else:
                await self.store.tables.restore(summary._replace(status=table.status, due=table.must_resume))

    async def find_damage(self, table_id: str) -> DamagedTable | None:
        """What is wrong with a table, if anything is."""
        try:
            await self.load(table_id)
        except DamagedTable as damage:
            return damage
        return None

    async def close_damaged(self, damage: DamagedTable) -> None:
        """Let nobody ever play on at a damaged table, whatever another program makes of it: its cards are shown now."""
        await self.store.tables.close_damaged(damage.table.id, int(time.time()))

    # Maintenance

    async def resume(self) -> int:
        """Load the tables where the server has something to do by itself; returns how many these are."""
        due = await self.store.duties.claim_due()
        for table_id in due:
            try:
                await self.load(table_id)
            except DamagedTable:
                pass  # it has been set aside
            except Refused:
                self._set_aside(DamagedTable(HostedTable(table_id), "It has no events."))
        self.update_duties(None)
        return len(due)

    def update_duties(self, table_ids: Iterable[str] | None) -> None:
        """Let what is pending go on at these tables, or at all, where it has ended for whatever reason."""
        for table_id in list(self.loaded if table_ids is None else table_ids):
            loaded = self.loaded.get(table_id)
            if loaded is not None and loaded.writing is None:
                self._automation.update(loaded)

    def restart_duties(self) -> None:
        """Begin anew with all that is pending: it may wait for a database that is back."""
        for loaded in self.loaded.values():
            self._automation.restart(loaded)

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

    def unload_all(self) -> None:
        """Unload all tables: their subscribers have to come again, here or elsewhere."""
        self._unload(*self.loaded.values())

    def drop(self, table_ids: Iterable[str]) -> None:
        """Unload tables that have been deleted from the store."""
        for table_id in list(table_ids):
            self.damaged.discard(table_id)
            if table_id in self.loaded:
                self._unload(self.loaded[table_id])

    async def close(self) -> None:
        """End all tasks and unload all tables; what was not written has not happened."""
        await self._tasks.cancel()
        self.unload_all()
