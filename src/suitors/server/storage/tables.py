"""Tables on disk: for each an append-only list of events, its members, and a summary for lists of tables."""

import asyncio
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

from .database import CorruptStore, Database

Event = dict[str, Any]
Read = Callable[[str, tuple[Any, ...]], list[tuple[Any, ...]]]
"""How the rows of a query are read."""

COLUMN = "json_extract(value, '$[{}]')"
EVENTS = f"INSERT INTO events SELECT {', '.join(COLUMN.format(k) for k in range(4))} FROM json_each(?)"
SUMMARIES = (
    f"INSERT INTO tables SELECT {', '.join(COLUMN.format(k) for k in range(7))} FROM json_each(?) WHERE true "
    "ON CONFLICT (id) DO UPDATE SET status = excluded.status, due = excluded.due, updated = excluded.updated"
)
MEMBERS = f"INSERT OR IGNORE INTO members SELECT {COLUMN.format(0)}, {COLUMN.format(1)} FROM json_each(?)"

DAMAGED = "damaged"
"""The status of a table that has been set aside."""

CLOSED_EVENT = orjson.dumps({"kind": "closed"}).decode()

SEATING = ("sat", "bot-sat", "left")
"""The events by which people come to seats and leave them."""

KEPT_SEATS = 1_000
"""Tables whose seats are kept in memory, for lists."""


@dataclass(frozen=True)
class Summary:
    """What a list of tables needs to know of one without loading it."""

    id: str
    host: int
    edition: str
    open: bool
    status: str
    due: bool  # whether the server has to resume it by itself when it starts
    updated: int


@dataclass(frozen=True)
class TableWrite:
    """What is written of one table at a time: events, the first of them with this number, and who sat down."""

    table: str
    at: int
    number: int
    events: list[Event]
    members: list[int]
    summary: Summary | None  # where it has changed


class UnreadableEvents(Exception):
    """Events of a table that cannot be read: why, and those before them."""

    def __init__(self, readable: list[Event], why: str) -> None:
        super().__init__(why)
        self.readable = readable


class StoredTables:
    """The tables of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._seats: OrderedDict[str, list[Event]] = OrderedDict()  # of the tables that lists showed last

    def append(self, writes: list[TableWrite]) -> asyncio.Future[None]:
        """Add to the events of these tables, all or none: done when they are on disk."""
        appending = self._database.insert(
            {
                EVENTS: [row for write in writes for row in _event_rows(write)],
                SUMMARIES: [list(vars(write.summary).values()) for write in writes if write.summary is not None],
                MEMBERS: [[person, write.table] for write in writes for person in write.members],
            }
        )
        moved = [write.table for write in writes if any(event["kind"] in SEATING for event in write.events)]
        if moved:
            appending.add_done_callback(lambda _: self._forget_seats(moved))
        return appending

    def events(self, table: str) -> list[Event]:
        """All events of a table, in order; UnreadableEvents where one is missing or is no JSON."""
        return read_events(self._database.read, table)

    def seats(self, table: str) -> list[Event]:
        """Who sits at a table, in the order of seats: the events by which they sat down; none if these are damaged.

        All events of the table have to be looked at for that, so it is kept.
        """
        found = self._seats.pop(table, None)
        self._seats[table] = self._read_seats(table) if found is None else found
        if len(self._seats) > KEPT_SEATS:
            self._seats.popitem(last=False)
        return self._seats[table]

    def _forget_seats(self, tables: list[str]) -> None:
        for table in tables:
            self._seats.pop(table, None)

    def _read_seats(self, table: str) -> list[Event]:
        kind = "CASE WHEN json_valid(body) THEN json_extract(body, '$.kind') END"
        sql = f"SELECT CAST(body AS BLOB) FROM events WHERE table_id = ? AND {kind} IN {SEATING} ORDER BY number"
        try:
            events = [orjson.loads(body) for (body,) in self._database.read(sql, (table,))]
            found = {int(event["seat"]): event for event in events}
            sitting = [event for _, event in sorted(found.items()) if event["kind"] != "left"]
            return [event for event in sitting if isinstance(event["name"], str)]
        except (CorruptStore, ValueError, KeyError, TypeError):
            return []

    def list_open(self, limit: int) -> list[Summary]:
        """The tables anybody may watch or join, the last used first."""
        return self._summaries("WHERE open = 1 AND status IN ('waiting', 'playing')", (), limit)

    def list_of(self, person: int, limit: int) -> list[Summary]:
        """The tables where a person sits or has sat, the last used first."""
        return self._summaries("WHERE id IN (SELECT table_id FROM members WHERE person = ?)", (person,), limit)

    def list_all(self, status: str | None, limit: int) -> list[Summary]:
        """All tables, or those of a status, the last used first."""
        return self._summaries("WHERE ? IN (status, '')", (status or "",), limit)

    def count_unfinished(self, host: int) -> int:
        """How many tables that are not over this person has opened."""
        sql = "SELECT count(*) FROM tables WHERE host = ? AND status IN ('waiting', 'playing')"
        return int(self._database.read(sql, (host,))[0][0])

    def list_damaged(self) -> list[Summary]:
        """The tables that have been set aside."""
        return self._summaries("WHERE status = ?", (DAMAGED,), -1)

    async def mark_damaged(self, table: str) -> None:
        """Note that a table cannot be played: lists say so, and nothing is done there when the server starts."""
        sql = "UPDATE tables SET status = ?, due = 0 WHERE id = ?"
        await self._database.write(lambda db: db.execute(sql, (DAMAGED, table)))

    async def restore(self, summary: Summary) -> None:
        """Note that a table which was set aside can be played again."""
        await self._database.insert({SUMMARIES: [list(vars(summary).values())]})

    async def close_damaged(self, table: str, now: int) -> None:
        """Add, once, the event that closes a table, behind all that cannot be read: nobody may ever play on there."""
        last = "SELECT number, CAST(body AS TEXT) FROM events WHERE table_id = ? ORDER BY number DESC LIMIT 1"

        def job(db: sqlite3.Connection) -> None:
            number, body = db.execute(last, (table,)).fetchone()
            if body != CLOSED_EVENT:
                db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (table, number + 1, now, CLOSED_EVENT))

        await self._database.write(job)

    def due(self) -> list[str]:
        """The tables that the server has to resume when it starts."""
        return [row[0] for row in self._database.read("SELECT id FROM tables WHERE due = 1")]

    def _summaries(self, where: str, values: tuple[Any, ...], limit: int) -> list[Summary]:
        sql = f"SELECT id, host, edition, open, status, due, updated FROM tables {where} ORDER BY updated DESC LIMIT ?"
        rows = self._database.read(sql, (*values, limit))
        return [Summary(i, h, e, bool(o), s, bool(d), u) for i, h, e, o, s, d, u in rows]


def read_events(read: Read, table: str) -> list[Event]:
    """All events of a table, in order; UnreadableEvents where one is missing or is no JSON."""
    events: list[Event] = []
    sql = "SELECT number, CAST(body AS BLOB) FROM events WHERE table_id = ? ORDER BY number"
    try:
        rows = read(sql, (table,))
    except CorruptStore as error:
        raise UnreadableEvents(events, str(error)) from None
    for expected, (number, body) in enumerate(rows):
        if number != expected:
            raise UnreadableEvents(events, f"Event {expected} is missing.")
        try:
            events.append(orjson.loads(body))
        except orjson.JSONDecodeError:
            raise UnreadableEvents(events, f"Event {expected} is no JSON.") from None
    return events


def _event_rows(write: TableWrite) -> list[tuple[str, int, int, str]]:
    return [
        (write.table, write.number + k, write.at, orjson.dumps(event).decode()) for k, event in enumerate(write.events)
    ]
