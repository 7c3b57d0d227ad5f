"""A table in memory: its fold, its subscribers, who is there, and what the server is doing for it."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ...game import Match
from ..storage.database import StoreFailure
from ..storage.tables import Summary, TableWrite
from . import serializers
from .subscribers import CHANGED, Subscriber
from .table import HostedTable, NewEvent, PendingAction

Presence = dict[int, int | None]
"""Persons who have sockets, and how long a bot's turn should take for them, in milliseconds, if they care."""

FRESH_S = 60
"""How exactly the last use of a table is stored."""

AWAY_MARGIN_S = 0.1
"""How long after somebody counts as away the others see it: clocks are not exact."""


@dataclass
class LoadedTable:
    """A table in memory."""

    table: HostedTable
    away_s: float  # after which a person who shows no sign counts as away
    writing: asyncio.Future[None] | None = None  # the change that is on its way to the disk
    subscribers: set[Subscriber] = field(default_factory=set)
    sockets: dict[int, int] = field(default_factory=lambda: defaultdict(int))  # of each person
    elsewhere: dict[int, Presence] = field(default_factory=dict)  # who has sockets at other processes
    told_presence: Presence = field(default_factory=dict)  # what the other processes were told last
    last_seen: dict[int, float] = field(default_factory=dict)  # by person
    leaving: dict[int, asyncio.TimerHandle] = field(default_factory=dict)  # who will count as away, and when
    pending: PendingAction | None = None  # what the server is doing: a bot's move or a deal
    pending_since: float = 0.0
    doing: bool = False  # whether it is this process that does it
    skipped_round: int = -1  # the round whose end is to come at once
    hurry: asyncio.Event = field(default_factory=asyncio.Event)  # a pace has changed: what waits looks at it again
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

    def is_changing(self) -> bool:
        """Whether nobody may change or look at the table now: a change is on its way, or it has been unloaded."""
        return self.writing is not None or self.unloaded or self.failure is not None

    def end_writing(self, ended: asyncio.Future[None]) -> None:
        """This change is no longer on its way to the disk; another one may be."""
        if self.writing is ended:
            self.writing = None

    def may_watch(self, person: int | None, seat: int | None) -> bool:
        """Whether a person may watch, through the eyes of this seat."""
        own = seat is None or seat in self.table.seats_of(person)
        return own and not self.unloaded and self.table.admits(person)

    def is_away(self, person: int) -> bool:
        """Whether a person has shown no sign at the table for long."""
        last = self.last_seen.get(person, self.since)
        return not self.is_connected(person) and time.monotonic() - last > self.away_s

    def is_connected(self, person: int) -> bool:
        """Whether a person has a socket here, or at another process."""
        return self.sockets[person] > 0 or any(person in there for there in self.elsewhere.values())

    def expect_away(self, person: int) -> None:
        """Show it to those who look on when somebody who has left counts as away."""
        if person in self.leaving:
            self.leaving.pop(person).cancel()
        if not self.is_connected(person) and person in self.table.members() and not self.is_away(person):
            left = self.last_seen.get(person, self.since) + self.away_s - time.monotonic()
            loop = asyncio.get_running_loop()
            self.leaving[person] = loop.call_later(left + AWAY_MARGIN_S, self._show_away, person)

    def _show_away(self, person: int) -> None:
        self.leaving.pop(person, None)
        self.refresh_pages()
        self.expect_away(person)  # they may have looked in meanwhile

    def refresh_pages(self) -> None:
        """Let the pages look at the table again: something has changed that is no event."""
        for subscriber in self.subscribers:
            if subscriber.only_changed:
                subscriber.send(CHANGED)

    def forget_timers(self) -> None:
        """Expect nobody any more: the table is unloaded."""
        for timer in self.leaving.values():
            timer.cancel()
        self.leaving.clear()

    @property
    def pace_ms(self) -> int:
        """How long a bot's turn takes: as the table says, or as the most patient of its players likes it."""
        match = self.table.match
        if match is not None and len(match.rounds) - 1 == self.skipped_round and self._only_bots_left():
            return 0
        members = self.table.members()
        paces = [each.pace_ms for each in self.subscribers if each.person in members]
        paces += [pace for there in self.elsewhere.values() for person, pace in there.items() if person in members]
        return max((pace for pace in paces if pace is not None), default=self.table.pace_ms)

    def presence(self) -> Presence:
        """Which of the players have sockets at this process, and how long a bot's turn should take for each."""
        members, found = self.table.members(), Presence()
        for each in self.subscribers:
            if each.person is not None and each.person in members:
                paces = [pace for pace in (found.get(each.person), each.pace_ms) if pace is not None]
                found[each.person] = max(paces, default=None)
        return found

    def set_elsewhere(self, process: int, there: Presence) -> None:
        """Another process has told who has sockets there."""
        before, away = self.elsewhere.pop(process, Presence()), set(filter(self.is_away, self.table.members()))
        if there:
            self.elsewhere[process] = there
        for person in {*before, *there}:
            self.last_seen[person] = time.monotonic()
            self.expect_away(person)
        if away != set(filter(self.is_away, self.table.members())):
            self.refresh_pages()
        self.hurry.set()

    def skippable_by(self, person: int | None) -> bool:
        """Whether a person who is out of the round may see its end at once: nobody but bots is left in it."""
        return bool(self.table.seats_of(person)) and self._only_bots_left()

    def _only_bots_left(self) -> bool:
        match = self.table.match
        if not isinstance(match, Match) or match.turn is None:
            return False
        return all(self.table.seats[seat].bot is not None for seat in match.view(None).standing)

    def skip_round(self, person: int | None) -> bool:
        """Let the bots finish the round at once; whether this person may ask for that."""
        if not self.skippable_by(person) or self.table.match is None:
            return False
        self.hurry_up(len(self.table.match.rounds) - 1)
        return True

    def hurry_up(self, round_: int) -> None:
        """Let the end of a round come at once."""
        self.skipped_round = round_
        self.hurry.set()

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
        self.drop(lambda each: not self.may_watch(each.person, each.seat))

    def drop(self, unwanted: Callable[[Subscriber], bool]) -> None:
        """End the subscriptions of those who may not watch any more."""
        for subscriber in list(filter(unwanted, self.subscribers)):
            self.subscribers.discard(subscriber)
            subscriber.send(None)

    def apply(self, events: list[NewEvent]) -> TableWrite:
        """Apply new events; returns what has to be stored. The summary is stored only when it has changed."""
        table, number, now = self.table, self.table.state, int(time.time())
        table.apply_new(events)
        stored = [event for event, _ in events]
        members = [event["person"] for event in stored if event["kind"] == "sat"]
        return TableWrite(table.id, now, number, stored, members, self._new_summary(now - now % FRESH_S))

    def _new_summary(self, updated: int) -> Summary | None:
        """The summary, if it is another one than was written last; only its last three parts ever change."""
        table, last = self.table, self.summary
        status, due = table.status, table.must_resume
        if last is not None and last.updated == updated and last.status == status and last.due == due:
            return None
        self.summary = Summary(table.id, table.host, table.edition, table.open, status, due, updated)
        return self.summary
