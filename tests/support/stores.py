"""Stores with real matches in them, for tests of backups and checks, and ways to damage and to close them."""

import os
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from suitors.server.storage.folder import FILE
from support.servers import load_version_1

TABLE = "bot-to-move"
"""A table of the store of version 1 that has been dealt and played at."""


def make_store(folder: Path) -> Path:
    """A store with some tables in a new folder; its file."""
    load_version_1(folder)
    return folder / FILE


def change_events(file: Path, sql: str) -> None:
    """Change the events of the table by the rest of an UPDATE or DELETE."""
    with closing(sqlite3.connect(file)) as db:
        assert db.execute(f"{sql} AND table_id = ?", (TABLE,)).rowcount
        db.commit()


def set_version(file: Path, version: int) -> None:
    """Let a store be one of another version."""
    with closing(sqlite3.connect(file)) as db:
        db.execute(f"PRAGMA user_version = {version}")


def flip(file: Path, place: int, count: int = 64) -> None:
    """Change bytes of a file, from this place on."""
    data = bytearray(file.read_bytes())
    data[place : place + count] = bytes(byte ^ 0xFF for byte in data[place : place + count])
    file.write_bytes(data)


@contextmanager
def small_disk(most: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def as_nobody() -> Iterator[bool]:
    """Be another user for a moment, where the tests run as root; whether that is so."""
    if os.geteuid() != 0:
        yield False
        return
    os.seteuid(65534)
    try:
        yield True
    finally:
        os.seteuid(0)
