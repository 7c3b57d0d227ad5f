"""The data folder: what we make, its user alone can read; what was there keeps its mode."""

import sqlite3
from contextlib import ExitStack
from pathlib import Path

from .schema import WrongStore

FILE = "suitors.sqlite3"
LOCK = "lock.sqlite3"


def make_folder(folder: Path, *, own: bool = True) -> None:
    """Make the data folder and its files where there are none; SQLite gives the files beside them the same mode.

    Where the store is not its `own`, but in a database, the folder holds only what belongs to the process.
    """
    try:
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True)
        for name in (FILE, LOCK) if own else (LOCK,):
            if not (folder / name).exists():
                (folder / name).touch(mode=0o600)
    except OSError as error:
        raise WrongStore(f"{folder} cannot be the data folder: {error.strerror or error}.") from None


def lock_folder(folder: Path) -> sqlite3.Connection:
    """Hold the folder for this process alone; the system releases it whenever and however the process ends."""
    with ExitStack() as stack:
        try:
            lock = sqlite3.connect(folder / LOCK, isolation_level=None, timeout=0, check_same_thread=False)
            stack.callback(lock.close)
            lock.execute("PRAGMA locking_mode = EXCLUSIVE")
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            busy = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY
            why = "Another server is using it" if busy else f"It cannot be locked ({error})"
            raise WrongStore(f"{folder}: {why}: end it, or use another folder.") from None
        stack.pop_all()
    return lock
