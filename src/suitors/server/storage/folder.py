"""The data folder and backups of it: what we make, its user alone can read; what was there keeps its mode."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from .schema import WrongStore

FILE = "suitors.sqlite3"
LOCK = "lock.sqlite3"


def make_folder(folder: Path) -> None:
    """Make the data folder and its files where there are none; SQLite gives the files beside them the same mode."""
    try:
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True)
        for name in (FILE, LOCK):
            if not (folder / name).exists():
                (folder / name).touch(mode=0o600)
    except OSError as error:
        raise WrongStore(f"{folder} cannot be the data folder: {error.strerror or error}.") from None


def back_up(folder: Path, target: Path) -> None:
    """Copy the store into a new file; a server that uses it need not stop."""
    source = folder / FILE
    if not source.is_file():
        raise WrongStore(f"{folder} holds no data of a server.")
    try:
        target.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise WrongStore(f"{target} cannot be written anew: {error.strerror or error}.") from None
    try:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True, timeout=10)) as db:
            db.execute("VACUUM INTO ?", (str(target),))
        with target.open("rb") as file:
            os.fsync(file.fileno())
    except (sqlite3.Error, OSError) as error:
        target.unlink()
        raise WrongStore(f"{source} cannot be copied: {error}.") from None
