"""The shape of the store, version by version. A released entry is never changed: a new one is added behind it."""

import sqlite3
from collections.abc import Sequence

VERSIONS: Sequence[str] = (
    """
    CREATE TABLE persons (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, since INTEGER NOT NULL);
    CREATE TABLE keys (
        digest BLOB PRIMARY KEY,
        person INTEGER NOT NULL REFERENCES persons,
        seen INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX keys_of ON keys (person);
    CREATE TABLE transfers (digest BLOB PRIMARY KEY, person INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        host INTEGER NOT NULL,
        edition TEXT NOT NULL,
        open INTEGER NOT NULL,
        status TEXT NOT NULL,
        due INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tables_open ON tables (open, status, updated);
    CREATE INDEX tables_due ON tables (due) WHERE due = 1;
    CREATE INDEX tables_host ON tables (host, status);
    CREATE TABLE members (
        person INTEGER NOT NULL,
        table_id TEXT NOT NULL,
        PRIMARY KEY (person, table_id)
    ) WITHOUT ROWID;
    CREATE INDEX members_at ON members (table_id);
    CREATE TABLE events (
        table_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE records (id TEXT PRIMARY KEY, person INTEGER NOT NULL, made INTEGER NOT NULL, record TEXT NOT NULL);
    CREATE INDEX records_of ON records (person);
    CREATE INDEX records_made ON records (made);
    """,
    """
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    INSERT INTO settings VALUES ('server', lower(hex(randomblob(4))));
    """,
    """
    CREATE TABLE marks (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
    """,
    """
    CREATE TABLE bans (subject TEXT PRIMARY KEY, since INTEGER NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;
    """,
    """
    CREATE TABLE analyses (id TEXT PRIMARY KEY, made INTEGER NOT NULL, body TEXT NOT NULL);
    CREATE INDEX analyses_made ON analyses (made);
    CREATE TABLE analysed (
        person INTEGER NOT NULL,
        table_id TEXT NOT NULL,
        seat INTEGER NOT NULL,
        analysis TEXT NOT NULL,
        made INTEGER NOT NULL,
        PRIMARY KEY (person, table_id, seat)
    ) WITHOUT ROWID;
    CREATE INDEX analysed_at ON analysed (table_id);
    CREATE INDEX analysed_made ON analysed (made);
    """,
    """
    CREATE TABLE practice (
        person INTEGER NOT NULL,
        puzzle TEXT NOT NULL,
        solved INTEGER NOT NULL,
        missed INTEGER NOT NULL,
        streak INTEGER NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (person, puzzle)
    ) WITHOUT ROWID;
    CREATE TABLE ratings (person INTEGER PRIMARY KEY, rating REAL NOT NULL, played INTEGER NOT NULL);
    """,
)


class WrongStore(Exception):
    """The file is no store of ours, or one of a later version."""


def migrate(db: sqlite3.Connection, versions: Sequence[str] = VERSIONS) -> None:
    """Bring a store of any earlier version, or an empty file, to the last one; each step is whole or not done."""
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found > len(versions):
        raise WrongStore(
            f"The store is of version {found}; this program knows versions up to {len(versions)}. "
            "Use the newer program that wrote it, or another data folder."
        )
    for number in range(found, len(versions)):
        try:
            db.executescript(f"BEGIN IMMEDIATE; {versions[number]} PRAGMA user_version = {number + 1}; COMMIT;")
        except sqlite3.Error:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
