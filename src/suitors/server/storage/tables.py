"""Tables on disk: for each an append-only list of events, its members, and a summary for lists of tables."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import orjson

from .database import Connection, CorruptStore, Database, EventRow, Message, Row, StoreFailure
from .dialects import Dialect

Event = dict[str, Any]

EVENT_TYPES = ("text", "bigint", "bigint", "text")
SUMMARY_TYPES = ("text", "bigint", "text", "integer", "text", "integer", "bigint")
MEMBER_TYPES = ("bigint", "text")
SUMMARY_CHANGES = "status = excluded.status, due = excluded.due, updated = excluded.updated"

ALL = 1 << 40
"""The limit of a list that has none."""

DAMAGED = "damaged"
"""The status of a table that has been set aside."""

CLOSED_EVENT = orjson.dumps({"kind": "closed"}).decode()

SEATING = ("sat", "bot-sat", "left")
"""The events by which people come to seats and leave them."""

UNFINISHED = "SELECT count(*) FROM tables WHERE host = ? AND status IN ('waiting', 'playing')"

KEPT_SEATS = 1_000
"""Tables whose seats are kept in memory, for lists."""


class Summary(NamedTuple):
    """What a list of tables needs to know of one without loading it."""

    id: str
    host: int
    edition: str
    open: bool
    status: str
    due: bool  # whether the server has to resume it by itself when it starts
    updated: int


class TableWrite(NamedTuple):
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


class TooManyTables(StoreFailure):
    """Somebody has so many tables already that are not over."""


class StoredTables:
    """The tables of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database
        dialect = database.dialect
        self._events_sql = f"INSERT INTO events {dialect.from_json(EVENT_TYPES)}"
        self._summaries_sql = (
            f"INSERT INTO tables {dialect.from_json(SUMMARY_TYPES)} WHERE true "
            f"ON CONFLICT (id) DO UPDATE SET {SUMMARY_CHANGES}"
        )
        self._members_sql = f"INSERT INTO members {dialect.from_json(MEMBER_TYPES)} WHERE true ON CONFLICT DO NOTHING"
        self._seats: OrderedDict[str, list[Event]] = OrderedDict()  # of the tables that lists showed last

    def append(self, writes: list[TableWrite]) -> asyncio.Future[None]:
        """Add to the events of these tables, all or none: done when they are on disk.

        A TakenNumber where another process has added to one of them first.
        """
        rows = self._rows(writes)
        appending = self._database.insert(rows, self._told(writes), rows[self._events_sql][0])
        self._forget_after(appending, writes)
        return appending

    def open(self, writes: list[TableWrite], host: int, most: int) -> asyncio.Future[None]:
        """The same for a new table of a host, who may have so many that are not over; else a TooManyTables."""
        rows = {sql: orjson.dumps(found).decode() for sql, found in self._rows(writes).items()}

        def job(db: Connection) -> None:
            db.execute(self._database.dialect.lock(), (host,))
            if db.execute(UNFINISHED, (host,)).fetchone()[0] >= most:
                raise TooManyTables
            for sql, packed in rows.items():
                db.execute(sql, (packed,))

        appending = self._database.start(job, self._told(writes))
        self._forget_after(appending, writes)
        return appending

    def _rows(self, writes: list[TableWrite]) -> Mapping[str, list[Any]]:
        events, summaries, members = list[Row](), list[Row](), list[Row]()
        for write in writes:
            events += _event_rows(write)
            members += [(person, write.table) for person in write.members]
            if write.summary is not None:
                summaries.append(_summary_row(write.summary))
        return {self._events_sql: events, self._summaries_sql: summaries, self._members_sql: members}

    def _told(self, writes: list[TableWrite]) -> list[Message]:
        """What the other processes are told of these writes."""
        if not self._database.shared:
            return []
        return [["events", write.table, write.number, write.events] for write in writes]

    def _forget_after(self, appending: asyncio.Future[None], writes: list[TableWrite]) -> None:
        for write in writes:
            if sits_anew(write.events):
                appending.add_done_callback(lambda _, table=write.table: self.forget_seats(table))  # type: ignore[misc]

    async def events(self, table: str, since: int = 0) -> list[Event]:
        """The events of a table from a number on, in order; UnreadableEvents where one is missing or is no JSON."""
        try:
            rows = await self._database.fetch(events_sql(self._database.dialect), (table, since))
        except CorruptStore as error:
            raise UnreadableEvents([], str(error)) from None
        return parse_events(rows, since)

    async def seats(self, table: str) -> list[Event]:
        """Who sits at a table, in the order of seats: the events by which they sat down; none if these are damaged.

        All events of the table have to be looked at for that, so it is kept.
        """
        found = self._seats.pop(table, None)
        sitting = await self._read_seats(table) if found is None else found
        self._seats[table] = sitting
        if len(self._seats) > KEPT_SEATS:
            self._seats.popitem(last=False)
        return sitting

    def forget_seats(self, table: str | None) -> None:
        """Look again who sits at a table, or at any."""
        if table is None:
            self._seats.clear()
        else:
            self._seats.pop(table, None)

    async def _read_seats(self, table: str) -> list[Event]:
        dialect = self._database.dialect
        where = f"table_id = ? AND {dialect.kind} IN {SEATING}"
        sql = f"SELECT {dialect.raw('body')} FROM events WHERE {where} ORDER BY number"
        try:
            events = [orjson.loads(body) for (body,) in await self._database.fetch(sql, (table,))]
            found = {int(event["seat"]): event for event in events}
            sitting = [event for _, event in sorted(found.items()) if event["kind"] != "left"]
            return [event for event in sitting if isinstance(event["name"], str)]
        except (CorruptStore, ValueError, KeyError, TypeError):
            return []

    async def list_open(self, limit: int) -> list[Summary]:
        """The tables anybody may watch or join, the last used first."""
        return await self._summaries("WHERE open = 1 AND status IN ('waiting', 'playing')", (), limit)

    async def list_of(self, person: int, limit: int) -> list[Summary]:
        """The tables where a person sits or has sat, the last used first."""
        return await self._summaries("WHERE id IN (SELECT table_id FROM members WHERE person = ?)", (person,), limit)

    async def list_all(self, status: str | None, limit: int) -> list[Summary]:
        """All tables, or those of a status, the last used first."""
        return await self._summaries("WHERE ? IN (status, '')", (status or "",), limit)

    async def count_unfinished(self, host: int) -> int:
        """How many tables that are not over this person has opened."""
        return int((await self._database.fetch(UNFINISHED, (host,)))[0][0])

    async def list_damaged(self) -> list[Summary]:
        """The tables that have been set aside."""
        return await self._summaries("WHERE status = ?", (DAMAGED,), ALL)

    async def mark_damaged(self, table: str) -> None:
        """Note that a table cannot be played: lists say so, and nothing is done there when the server starts."""
        sql = "UPDATE tables SET status = ?, due = 0 WHERE id = ?"
        await self._database.write(lambda db: db.execute(sql, (DAMAGED, table)).rowcount)

    async def restore(self, summary: Summary) -> None:
        """Note that a table which was set aside can be played again."""
        await self._database.insert({self._summaries_sql: [_summary_row(summary)]})

    async def close_damaged(self, table: str, now: int) -> None:
        """Add, once, the event that closes a table, behind all that cannot be read: nobody may ever play on there."""
        last = "SELECT number, CAST(body AS TEXT) FROM events WHERE table_id = ? ORDER BY number DESC LIMIT 1"

        def job(db: Connection) -> None:
            number, body = db.execute(last, (table,)).fetchone()
            if body != CLOSED_EVENT:
                db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (table, number + 1, now, CLOSED_EVENT))

        await self._database.write(job)

    async def _summaries(self, where: str, values: tuple[Any, ...], limit: int) -> list[Summary]:
        sql = f"SELECT id, host, edition, open, status, due, updated FROM tables {where} ORDER BY updated DESC LIMIT ?"
        rows = await self._database.fetch(sql, (*values, limit))
        return [Summary(i, h, e, bool(o), s, bool(d), u) for i, h, e, o, s, d, u in rows]


def events_sql(dialect: Dialect) -> str:
    """The query for the events of a table, from a number on."""
    return f"SELECT number, {dialect.raw('body')} FROM events WHERE table_id = ? AND number >= ? ORDER BY number"


def parse_events(rows: Iterable[Row], since: int = 0) -> list[Event]:
    """The events of a table, from a number on; UnreadableEvents where one is missing or is no JSON."""
    events: list[Event] = []
    for expected, (number, body) in enumerate(rows, since):
        if number != expected:
            raise UnreadableEvents(events, f"Event {expected} is missing.")
        try:
            events.append(orjson.loads(body))
        except orjson.JSONDecodeError:
            raise UnreadableEvents(events, f"Event {expected} is no JSON.") from None
    return events


def sits_anew(events: Iterable[Event]) -> bool:
    """Whether somebody sits down or leaves by one of these events."""
    return any(event["kind"] in SEATING for event in events)


def _summary_row(summary: Summary) -> Row:
    shown, due = int(summary.open), int(summary.due)
    return (summary.id, summary.host, summary.edition, shown, summary.status, due, summary.updated)


def _event_rows(write: TableWrite) -> list[EventRow]:
    return [
        (write.table, write.number + k, write.at, orjson.dumps(event).decode()) for k, event in enumerate(write.events)
    ]
