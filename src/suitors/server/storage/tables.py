"""Tables on disk: for each an append-only list of events, its members, and a summary for lists of tables."""

import asyncio
from dataclasses import dataclass
from typing import Any

import orjson

from .database import Database

Event = dict[str, Any]

COLUMN = "json_extract(value, '$[{}]')"
EVENTS = f"INSERT INTO events SELECT {', '.join(COLUMN.format(k) for k in range(4))} FROM json_each(?)"
SUMMARIES = (
    f"INSERT INTO tables SELECT {', '.join(COLUMN.format(k) for k in range(7))} FROM json_each(?) WHERE true "
    "ON CONFLICT (id) DO UPDATE SET status = excluded.status, due = excluded.due, updated = excluded.updated"
)
MEMBERS = f"INSERT OR IGNORE INTO members SELECT {COLUMN.format(0)}, {COLUMN.format(1)} FROM json_each(?)"

SEATING = "('sat', 'bot-sat', 'left')"
"""The events by which people come to seats and leave them."""


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


class StoredTables:
    """The tables of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, writes: list[TableWrite]) -> asyncio.Future[None]:
        """Add to the events of these tables, all or none: done when they are on disk."""
        return self._database.insert(
            {
                EVENTS: [row for write in writes for row in _event_rows(write)],
                SUMMARIES: [list(vars(write.summary).values()) for write in writes if write.summary is not None],
                MEMBERS: [[person, write.table] for write in writes for person in write.members],
            }
        )

    def events(self, table: str) -> list[Event]:
        """All events of a table, in order."""
        rows = self._database.read("SELECT body FROM events WHERE table_id = ? ORDER BY number", (table,))
        return [orjson.loads(body) for (body,) in rows]

    def seats(self, table: str) -> list[Event]:
        """Who sits at a table, in the order of seats: the events by which they sat down."""
        kinds = f"json_extract(body, '$.kind') IN {SEATING}"
        sql = f"SELECT body FROM events WHERE table_id = ? AND {kinds} ORDER BY number"
        found: dict[int, Event] = {}
        for (body,) in self._database.read(sql, (table,)):
            event = orjson.loads(body)
            found[event["seat"]] = event
        return [event for _, event in sorted(found.items()) if event["kind"] != "left"]

    def list_open(self, limit: int) -> list[Summary]:
        """The tables anybody may watch or join, the last used first."""
        return self._summaries("WHERE open = 1 AND status IN ('waiting', 'playing')", (), limit)

    def list_of(self, person: int, limit: int) -> list[Summary]:
        """The tables where a person sits or has sat, the last used first."""
        return self._summaries("WHERE id IN (SELECT table_id FROM members WHERE person = ?)", (person,), limit)

    def count_unfinished(self, host: int) -> int:
        """How many tables that are not over this person has opened."""
        sql = "SELECT count(*) FROM tables WHERE host = ? AND status IN ('waiting', 'playing')"
        return int(self._database.read(sql, (host,))[0][0])

    def due(self) -> list[str]:
        """The tables that the server has to resume when it starts."""
        return [row[0] for row in self._database.read("SELECT id FROM tables WHERE due = 1")]

    def _summaries(self, where: str, values: tuple[Any, ...], limit: int) -> list[Summary]:
        sql = f"SELECT id, host, edition, open, status, due, updated FROM tables {where} ORDER BY updated DESC LIMIT ?"
        rows = self._database.read(sql, (*values, limit))
        return [Summary(i, h, e, bool(o), s, bool(d), u) for i, h, e, o, s, d, u in rows]


def _event_rows(write: TableWrite) -> list[tuple[str, int, int, str]]:
    return [
        (write.table, write.number + k, write.at, orjson.dumps(event).decode()) for k, event in enumerate(write.events)
    ]
