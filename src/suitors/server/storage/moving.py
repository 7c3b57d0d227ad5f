"""Stores taken from one place to another: a data folder, a backup, or a database. Backups are always SQLite files."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import TypeVar

from . import copies
from .copies import Verify, copied, give_name, give_to_owner, new_part, open_file, refuse_existing, store_path, verified
from .database import StoreFailure
from .folder import FILE, lock_folder, make_folder
from .rows import SqliteRows, StoreRows, copy_all
from .schema import WrongStore, migrate

T = TypeVar("T")
Place = Path | str
"""Where a store is: a folder or a file, or the address of a database."""


def back_up(source: Place, target: Path, verify: Verify[T]) -> T:
    """Copy a store into a new file; servers that use it need not stop. Returns what `verify` says of the copy."""
    if isinstance(source, Path):
        return copies.back_up(source, target, verify)
    from .postgres_rows import reading  # noqa: PLC0415 - an extra

    refuse_existing(target)
    with new_part(target.parent) as part:
        with reading(source, alone=False) as rows:
            _fill(part, rows)
        found = verified(part, verify)
        refuse_existing(target)
        give_name(part, target)
    return found


def restore(source: Path, target: Place, verify: Verify[T], *, replace: bool = False) -> tuple[T, Path | None]:
    """Put a backup into a folder or a database that no server uses; what `verify` says, and where the one before is."""
    if isinstance(target, Path):
        return copies.restore(source, target, verify, replace=replace)
    from .postgres_rows import writing  # noqa: PLC0415

    if replace:
        raise WrongStore("Nothing is replaced in a database: make a new one, and restore the backup there.")
    with tempfile.TemporaryDirectory() as folder, copied(store_path(source), Path(folder)) as copy:
        found = verified(copy, verify)
        with closing(open_file(copy)) as db, writing(target) as rows:
            migrate(db)
            copy_all(SqliteRows(db, str(source)), rows)
    return found, None


def move_data(source: Place, target: Place) -> int:
    """Copy everything from one store into another that is empty, while no server uses either; how many rows."""
    with _reading(source) as before, _writing(target) as after:
        return copy_all(before, after)


def _reading(place: Place) -> AbstractContextManager[StoreRows]:
    if isinstance(place, Path):
        return _reading_folder(place)
    from .postgres_rows import reading  # noqa: PLC0415

    return reading(place, alone=True)


def _writing(place: Place) -> AbstractContextManager[StoreRows]:
    if isinstance(place, Path):
        return _writing_folder(place)
    from .postgres_rows import writing  # noqa: PLC0415

    return writing(place)


@contextmanager
def _reading_folder(folder: Path) -> Iterator[StoreRows]:
    """The rows of the store in a data folder, which no server may use meanwhile."""
    path = store_path(folder)
    if not folder.is_dir():
        raise WrongStore(f"{folder} is no data folder; `suitors restore` takes a backup to where it shall be.")
    with closing(lock_folder(folder)), _failures(path), closing(open_file(path)) as db:
        migrate(db)
        yield SqliteRows(db, str(folder))


@contextmanager
def _writing_folder(folder: Path) -> Iterator[StoreRows]:
    """A new store in a data folder, which gets its name when it is whole."""
    make_folder(folder)
    with closing(lock_folder(folder)):
        if (folder / FILE).stat().st_size:
            raise WrongStore(f"{folder} holds data already: use one that is empty.")
        with new_part(folder) as part:
            with _failures(part), closing(open_file(part)) as db:
                migrate(db)
                db.execute("BEGIN")
                yield SqliteRows(db, str(folder))
                db.execute("COMMIT")
            give_name(part, folder / FILE)
            give_to_owner(folder)


def _fill(part: Path, rows: StoreRows) -> None:
    """Copy all rows into an empty file, and compare them."""
    with _failures(part), closing(open_file(part)) as db:
        migrate(db)
        db.execute("BEGIN")
        copy_all(rows, SqliteRows(db, str(part)))
        db.execute("COMMIT")


@contextmanager
def _failures(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreFailure(f"{path}: {error}.") from None
