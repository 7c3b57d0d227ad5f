"""A store in PostgreSQL as `backup`, `restore`, `check` and `move-data` use it, which are no servers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import psycopg

from .database import Row, StoreFailure
from .dialects import PostgresDialect
from .duties import ALIVE
from .postgres import placeholders
from .postgres_address import CONNECTION, check_address, sentence, shown
from .postgres_schema import VERSIONS, find_version, migrate
from .rows import BATCH, KINDS, Kind, StoreRows
from .schema import WrongStore
from .tables import Event, events_sql, parse_events

LOCK_MS = 5_000
"""How long another may keep us from a store that we want for ourselves."""

ALL_IDS = "SELECT id FROM tables UNION SELECT table_id FROM events"


class PostgresRows(StoreRows):
    """All rows of a store in PostgreSQL, within one transaction."""

    def __init__(self, db: "psycopg.Connection[Any]", name: str) -> None:
        self._db = db
        self.name = name

    def read(self, kind: Kind) -> Iterator[Row]:
        """All rows of a table, in the order that SQLite has, whatever the language of the database."""
        text = kind.text_keys()
        order = ", ".join(f'{name} COLLATE "C"' if name in text else name for name in kind.columns[: kind.keys])
        with self._db.cursor(f"read_{kind.name}") as cursor:  # it is read part by part
            cursor.itersize = BATCH
            cursor.execute(f"SELECT {', '.join(kind.columns)} FROM {kind.name} ORDER BY {order}".encode())
            yield from cursor

    def write(self, kind: Kind, rows: Sequence[Row]) -> None:
        """Add rows to a table; a WrongStore where PostgreSQL takes one for no text."""
        columns = ", ".join(kind.columns)
        try:
            with self._db.cursor() as cursor, cursor.copy(f"COPY {kind.name} ({columns}) FROM STDIN".encode()) as copy:
                for row in rows:
                    copy.write_row(row)
        except psycopg.DataError as error:
            raise WrongStore(f"{kind.name} cannot be put into {self.name}: {sentence(error)}") from None

    def clear(self, kind: Kind) -> None:
        """Delete all rows of a table."""
        self._db.execute(f"DELETE FROM {kind.name}".encode())

    def last_person(self) -> int:
        """As PostgreSQL remembers it."""
        found = self._db.execute("SELECT last_value, is_called FROM persons_id_seq").fetchone()
        assert found is not None
        return int(found[0]) if found[1] else 0

    def set_last_person(self, number: int) -> None:
        """Let PostgreSQL remember it."""
        self._db.execute("SELECT setval('persons_id_seq', %s, %s)", (max(number, 1), number > 0))


class PostgresContents:
    """A store in PostgreSQL, read and not changed, even while servers use it."""

    def __init__(self, url: str) -> None:
        """Connect; a WrongStore where there is no store of ours, or one of another version."""
        self.name = shown(url)
        self._db = connect(url)
        try:
            with _failures(self.name):
                check_version(self._db, self.name)
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def faults(self) -> list[str]:
        """What is wrong with the files, PostgreSQL itself says when it is asked for what is in them."""
        return []

    def table_ids(self) -> list[bytes]:
        """The ids of all tables, and of events that belong to none."""
        return [str(table).encode() for (table,) in self._read(ALL_IDS)]

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read everything as it is now, whatever servers write meanwhile."""
        with self._db.transaction():
            self._db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield

    def has_table(self, table: str) -> bool:
        """Whether there is such a table: a server may have deleted it since."""
        return bool(self._read("SELECT 1 FROM tables WHERE id = ?", (table,)))

    def events(self, table: str) -> list[Event]:
        """All events of a table, in order; UnreadableEvents where one is missing or is no JSON."""
        return parse_events(self._read(events_sql(PostgresDialect()), (table, 0)))

    def _read(self, sql: str, values: Row = ()) -> list[Row]:
        try:
            return self._db.execute(placeholders(sql), values).fetchall()
        except psycopg.Error as error:
            raise StoreFailure(f"{self.name} cannot be read: {sentence(error)}") from None


def connect(url: str) -> "psycopg.Connection[Any]":
    """A connection; a WrongStore where none can be made."""
    check_address(url)
    try:
        return psycopg.connect(url, autocommit=True, application_name="suitors-tool", **CONNECTION)  # type: ignore[arg-type]
    except psycopg.Error as error:
        raise WrongStore(f"{shown(url)} cannot be reached: {sentence(error)}") from None


def check_version(db: "psycopg.Connection[Any]", name: str) -> None:
    """Refuse a database that holds no store of this version."""
    found = find_version(db)
    if not found:
        raise WrongStore(f"{name} holds no data of a server.")
    if found != len(VERSIONS):
        known = f"this program knows version {len(VERSIONS)}: use the program that wrote it"
        raise WrongStore(f"{name} is a store of version {found}; {known}.")


@contextmanager
def reading(url: str, *, alone: bool) -> Iterator[PostgresRows]:
    """The rows of a store as they are now; `alone` refuses one that a server is using."""
    name = shown(url)
    with connect(url) as db, _failures(name):
        check_version(db, name)
        with db.transaction():
            db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            if alone:
                _keep_alone(db, name, "SHARE")
            yield PostgresRows(db, name)


@contextmanager
def writing(url: str) -> Iterator[PostgresRows]:
    """A store that is filled, whole or not at all, while no server uses it; an empty database becomes one."""
    name = shown(url)
    with connect(url) as db, _failures(name):
        migrate(db)
        with db.transaction():
            _keep_alone(db, name, "ACCESS EXCLUSIVE")
            yield PostgresRows(db, name)


@contextmanager
def _failures(name: str) -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise StoreFailure(f"{name}: {sentence(error)}") from None


def _keep_alone(db: "psycopg.Connection[Any]", name: str, mode: str) -> None:
    """Refuse a store that a server is using; one that starts meanwhile waits until we have ended."""
    try:
        db.execute(f"SET LOCAL lock_timeout = {LOCK_MS}".encode())
        db.execute(f"LOCK TABLE {', '.join(kind.name for kind in KINDS)} IN {mode} MODE".encode())
        used = db.execute(ALIVE.encode()).fetchone() is not None
    except psycopg.errors.LockNotAvailable:
        used = True
    if used:
        raise WrongStore(f"{name}: A server is using it: end it first.")
