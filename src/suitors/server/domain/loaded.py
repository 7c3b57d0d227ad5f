"""A table in memory: its fold, its subscribers, who is there, and what the server is doing for it."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..storage.database import StoreFailure
from ..storage.tables import Summary, TableWrite
from . import serializers
from .subscribers import CHANGED, Subscriber
from .table import HostedTable, NewEvent, PendingAction

FRESH_S = 60
"""How exactly the last use of a table is stored."""


@dataclass
class LoadedTable:
    """A table in memory."""

    table: HostedTable
    away_s: float  # after which a person who shows no sign counts as away
    writing: asyncio.Future[None] | None = None  # the change that is on its way to the disk
    subscribers: set[Subscriber] = field(default_factory=set)
    sockets: dict[int, int] = field(default_factory=lambda: defaultdict(int))  # of each person
    last_seen: dict[int, float] = field(default_factory=dict)  # by person
    pending: PendingAction | None = None  # what the server is doing: a bot's move or a deal
    pending_since: float = 0.0
    task: asyncio.Task[None] | None = None  # that does it
    since: float = field(default_factory=time.monotonic)
    last_used: float = field(default_factory=time.monotonic)
    summary: Summary | None = None  # as it was last written
    unloaded: bool = False
    failure: StoreFailure | None = None  # why it could not be read again after a change that the disk refused

    async def settled(self) -> None:
        """Wait until no change is on its way to the disk: only then may anybody look at the table."""
        while self.writing is not None:
            await asyncio.wait([self.writing])
        if self.failure is not None:
            raise self.failure

    def may_watch(self, person: int | None, seat: int | None) -> bool:
        """Whether a person may watch, through the eyes of this seat."""
        own = seat is None or seat in self.table.seats_of(person)
        return own and not self.unloaded and self.table.admits(person)

    def is_away(self, person: int) -> bool:
        """Whether a person has shown no sign at the table for long."""
        last = self.last_seen.get(person, self.since)
        return self.sockets[person] == 0 and time.monotonic() - last > self.away_s

    def is_busy(self) -> bool:
        """Whether somebody watches, or something is being written or done."""
        return bool(self.subscribers or self.writing or (self.task is not None and not self.task.done()))

    def news(self, since: int, seats: Iterable[int | None]) -> dict[int | None, bytes]:
        """What each of these seats has to be told after a state."""
        return serializers.news(self.table, since, seats, self.is_away)

    def notify(self, since: int) -> None:
        """Tell all subscribers what has happened since a state, each through the eyes of their seat."""
        news = self.news(since, {each.seat for each in self.subscribers if not each.only_changed})
        for subscriber in self.subscribers:
            subscriber.send(CHANGED if subscriber.only_changed else news[subscriber.seat])

    def drop_unauthorised(self) -> None:
        """End the subscriptions of all who may watch no longer, or not through the eyes of that seat."""
        for subscriber in list(self.subscribers):
            if not self.may_watch(subscriber.person, subscriber.seat):
                self.subscribers.discard(subscriber)
                subscriber.send(None)

    def apply(self, events: list[NewEvent]) -> TableWrite:
        """Apply new events; returns what has to be stored. The summary is stored only when it has changed."""
        table, number, now = self.table, self.table.state, int(time.time())
        table.apply_new(events)
        summary = Summary(
            table.id, table.host, table.edition, table.open, table.status, table.must_resume, now - now % FRESH_S
        )
        changed, self.summary = summary != self.summary, summary
        stored = [event for event, _ in events]
        members = [event["person"] for event in stored if event["kind"] == "sat"]
        return TableWrite(table.id, now, number, stored, members, summary if changed else None)
