"""All rows of a store, in SQLite or PostgreSQL: what `move-data`, `backup` and `restore` copy and compare.

Rows are read in the order of their keys, which is the same in both, so that two stores can be compared row by row.
"""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any

from .database import Row, StoreFailure
from .schema import WrongStore

BATCH = 1_000
"""Rows that are copied at a time."""


@dataclass(frozen=True)
class Kind:
    """One of the tables of a store: its columns, as many of the first as are its key, and which of them hold bytes."""

    name: str
    columns: tuple[str, ...]
    keys: int = 1
    octets: bool = False  # whether the key is of bytes
    numbered: bool = False  # whether the key is a number

    def text_keys(self) -> list[str]:
        """The columns of the key that hold text."""
        return [] if self.octets or self.numbered else [name for name in self.columns[: self.keys] if name in TEXT_KEYS]


TEXT_KEYS = frozenset({"id", "table_id", "name", "subject", "puzzle"})

KINDS = (
    Kind("persons", ("id", "name", "since"), numbered=True),
    Kind("keys", ("digest", "person", "seen"), octets=True),
    Kind("transfers", ("digest", "person", "until"), octets=True),
    Kind("tables", ("id", "host", "edition", "open", "status", "due", "updated")),
    Kind("members", ("person", "table_id"), keys=2),
    Kind("events", ("table_id", "number", "at", "body"), keys=2),
    Kind("records", ("id", "person", "made", "record")),
    Kind("analyses", ("id", "made", "body")),
    Kind("analysed", ("person", "table_id", "seat", "analysis", "made"), keys=3),
    Kind("practice", ("person", "puzzle", "solved", "missed", "streak", "at"), keys=2),
    Kind("ratings", ("person", "rating", "played"), numbered=True),
    Kind("settings", ("name", "value")),
    Kind("marks", ("name", "at")),
    Kind("bans", ("subject", "since", "reason")),
)
"""Everything that a store holds; persons come before their keys."""

SETTINGS = "settings"
"""What a new store holds already: its own name."""


class StoreRows(ABC):
    """A store that is open to be copied from, or into."""

    name: str

    @abstractmethod
    def read(self, kind: Kind) -> Iterator[Row]:
        """All rows of a table, in the order of its key."""

    @abstractmethod
    def write(self, kind: Kind, rows: Sequence[Row]) -> None:
        """Add rows to a table."""

    @abstractmethod
    def clear(self, kind: Kind) -> None:
        """Delete all rows of a table."""

    @abstractmethod
    def last_person(self) -> int:
        """The highest number that a person has ever had: no other gets it again."""

    @abstractmethod
    def set_last_person(self, number: int) -> None:
        """Give new persons higher numbers."""


class SqliteRows(StoreRows):
    """A store in SQLite."""

    def __init__(self, db: sqlite3.Connection, name: str) -> None:
        self._db = db
        self._db.text_factory = bytes
        self.name = name

    def read(self, kind: Kind) -> Iterator[Row]:
        """All rows of a table; a WrongStore where one holds text that is none."""
        order = ", ".join(kind.columns[: kind.keys])
        for row in self._db.execute(f"SELECT {', '.join(kind.columns)} FROM {kind.name} ORDER BY {order}"):
            try:
                octets = {0} if kind.octets else set()
                yield tuple(
                    value.decode() if isinstance(value, bytes) and k not in octets else value
                    for k, value in enumerate(row)
                )
            except UnicodeDecodeError:
                key = " ".join(_shown(value) for value in row[: kind.keys])
                raise WrongStore(f"{self.name}: {kind.name} {key} is damaged: it holds text that is none.") from None

    def write(self, kind: Kind, rows: Sequence[Row]) -> None:
        """Add rows to a table."""
        marks = ", ".join("?" * len(kind.columns))
        self._db.executemany(f"INSERT INTO {kind.name} ({', '.join(kind.columns)}) VALUES ({marks})", rows)

    def clear(self, kind: Kind) -> None:
        """Delete all rows of a table."""
        self._db.execute(f"DELETE FROM {kind.name}")

    def last_person(self) -> int:
        """As SQLite remembers it."""
        found = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'persons'").fetchone()
        return int(found[0]) if found else 0

    def set_last_person(self, number: int) -> None:
        """Let SQLite remember it."""
        self._db.execute("DELETE FROM sqlite_sequence WHERE name = 'persons'")
        self._db.execute("INSERT INTO sqlite_sequence VALUES ('persons', ?)", (number,))


def _shown(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def copy_all(source: StoreRows, target: StoreRows) -> int:
    """Copy everything into an empty store, then compare row by row; how many rows there are."""
    _check_empty(target)
    for kind in KINDS:
        target.clear(kind)
        rows = source.read(kind)
        while batch := list(islice(rows, BATCH)):
            target.write(kind, batch)
    target.set_last_person(source.last_person())
    return compare(source, target)


def compare(source: StoreRows, target: StoreRows) -> int:
    """How many rows there are; a StoreFailure where two of them are not the same."""
    count = 0
    for kind in KINDS:
        for before, after in zip_longest(source.read(kind), target.read(kind)):
            if before != after:
                row = before if after is None else after
                key = " ".join(map(str, row[: kind.keys])) if not kind.octets else row[0].hex()[:8]
                raise StoreFailure(f"{kind.name} {key} is not the same in {source.name} and in {target.name}.")
            count += 1
    if source.last_person() != target.last_person():
        raise StoreFailure(f"The number of the last person is not the same in {source.name} and in {target.name}.")
    return count


def _check_empty(target: StoreRows) -> None:
    for kind in KINDS:
        if kind.name != SETTINGS and next(target.read(kind), None) is not None:
            raise WrongStore(f"{target.name} holds data already: use one that is empty.")
