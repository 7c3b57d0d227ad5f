"""Copies of a store, and stores that no server has opened: what `backup`, `restore` and `check` read and write.

A copy is made beside its target, private to its user, checked, put on disk, and only then given its name.
"""

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

from .database import CorruptStore, StoreFailure
from .folder import FILE, LOCK, lock_folder, make_folder
from .schema import VERSIONS, WrongStore
from .sqlite import SqliteDatabase, read_rows
from .tables import Event, UnreadableEvents, events_sql, parse_events

MOST_FAULTS = 10
"""Sentences of SQLite about one damaged file."""

WITHOUT_TABLE = "SELECT DISTINCT CAST(table_id AS BLOB) FROM events WHERE table_id NOT IN (SELECT id FROM tables)"

T = TypeVar("T")
Verify = Callable[["StoreFile"], T]
"""What looks through a copy before it gets its name; whatever it raises ends the copying."""


class StoreFile:
    """The file of a store, read and not changed, even while a server uses it."""

    def __init__(self, path: Path) -> None:
        """Open the file; a WrongStore where it is none of ours, or one of a later version."""
        self.path = path
        self._db = open_file(path)
        try:
            self._check_version()
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def _read(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return read_rows(self._db, sql, values)

    def _check_version(self) -> None:
        try:
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            names = {name for (name,) in self._db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        except sqlite3.Error as error:
            raise _failure(self.path, "be read", error) from None
        if not version or not {"tables", "events"} <= names:
            raise WrongStore(f"{self.path} is no store of Suitors.")
        if version > len(VERSIONS):
            sentence = f"this program knows versions up to {len(VERSIONS)}"
            raise WrongStore(f"{self.path} is a store of version {version}; {sentence}: use the newer program.")

    def faults(self) -> list[str]:
        """What SQLite finds wrong with the file."""
        try:
            found = self._read(f"PRAGMA integrity_check({MOST_FAULTS})")
        except StoreFailure as failure:
            return [str(failure)]
        return [str(text) for (text,) in found if text != "ok"]

    def table_ids(self) -> list[bytes]:
        """The ids of all tables, as they are on disk, and of events that belong to none."""
        found = self._read("SELECT CAST(id AS BLOB) FROM tables") + self._read(WITHOUT_TABLE)
        return [table for (table,) in found]

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read everything as it is now, whatever a server writes meanwhile."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            if self._db.in_transaction:  # a disk that fails may have ended it
                self._db.execute("ROLLBACK")

    def has_table(self, table: str) -> bool:
        """Whether there is such a table: a server may have deleted it since."""
        return bool(self._read("SELECT 1 FROM tables WHERE id = ?", (table,)))

    def events(self, table: str) -> list[Event]:
        """All events of a table, in order; UnreadableEvents where one is missing or is no JSON."""
        try:
            rows = self._read(events_sql(SqliteDatabase.dialect), (table, 0))
        except CorruptStore as error:
            raise UnreadableEvents([], str(error)) from None
        return parse_events(rows)


def store_path(data: Path) -> Path:
    """The file of the store in a data folder; a file, such as a backup, stands for itself."""
    try:
        path = data / FILE if data.is_dir() else data
        if not path.is_file() or not path.stat().st_size:
            raise WrongStore(f"{data} holds no data of a server.")
    except OSError as error:
        raise WrongStore(f"{data} cannot be looked into: {error.strerror or error}.") from None
    return path


def back_up(folder: Path, target: Path, verify: Verify[T]) -> T:
    """Copy the store into a new file; a server that uses it need not stop. Returns what `verify` says of the copy."""
    source = store_path(folder)
    refuse_existing(target)
    with copied(source, target.parent) as copy:
        found = verified(copy, verify)
        refuse_existing(target)
        give_name(copy, target)
    return found


def restore(source: Path, folder: Path, verify: Verify[T], *, replace: bool = False) -> tuple[T, Path | None]:
    """Put a copy of a store into a folder that no server uses; what `verify` says, and where the one is that was there.

    A store of a later version, or a file that is none, is refused before anything is made.
    """
    source = store_path(source)
    with StoreFile(source):
        pass
    make_folder(folder)
    target = folder / FILE
    with closing(lock_folder(folder)):
        if target.stat().st_size and not replace:
            raise WrongStore(f"{folder} holds data already: use --replace to put it aside, or another folder.")
        with copied(source, folder) as copy:
            found = verified(copy, verify)
            aside = _put_aside(target)
            give_name(copy, target)
            give_to_owner(folder)
    return found, aside


def open_file(path: Path) -> sqlite3.Connection:
    """A connection to a file that is there."""
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=10, isolation_level=None)
    except sqlite3.Error as error:
        raise _failure(path, "be opened", error) from None
    db.text_factory = lambda text: text.decode("utf-8", "replace")  # it may be damaged
    return db


def _failure(path: Path, what: str, error: sqlite3.Error) -> Exception:
    """A WrongStore for what is no database at all or closed to us, a StoreFailure where disk or file are damaged."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    wrong = code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CANTOPEN)
    return (WrongStore if wrong else StoreFailure)(f"{path} cannot {what}: {error}.")


def refuse_existing(target: Path) -> None:
    """Refuse to write over a file, or into a folder that is not there."""
    if target.exists() or not target.parent.is_dir():
        why = "File exists" if target.exists() else "No such folder"
        raise WrongStore(f"{target} cannot be written anew: {why}.")


@contextmanager
def copied(source: Path, folder: Path) -> Iterator[Path]:
    """A private copy of a store in this folder, removed at the end unless it has got another name."""
    with new_part(folder) as copy:
        try:
            with closing(open_file(source)) as db:
                db.execute("VACUUM INTO ?", (str(copy),))
            yield copy
        except sqlite3.Error as error:
            raise _failure(source, "be copied", error) from None
        except OSError as error:
            raise StoreFailure(f"{source} cannot be copied: {error.strerror or error}.") from None


@contextmanager
def new_part(folder: Path) -> Iterator[Path]:
    """A private empty file in this folder, removed at the end unless it has got another name."""
    try:
        number, name = tempfile.mkstemp(prefix=".suitors-", suffix=".part", dir=folder)
        os.close(number)
    except OSError as error:
        raise WrongStore(f"{folder} cannot be written into: {error.strerror or error}.") from None
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def verified(copy: Path, verify: Verify[T]) -> T:
    """What `verify` says of a copy."""
    with StoreFile(copy) as file:
        return verify(file)


def give_name(copy: Path, target: Path) -> None:
    """Put a copy on disk for good, under its name."""
    _sync(copy)
    copy.replace(target)
    _sync(target.parent)


def give_to_owner(folder: Path) -> None:
    """Let whoever has the folder have its files, too, where root has made them."""
    owner = folder.stat()
    for path in (folder / FILE, folder / LOCK):
        if os.name == "posix" and os.geteuid() == 0:
            os.chown(path, owner.st_uid, owner.st_gid)


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _put_aside(target: Path) -> Path | None:
    """Give a store another name, and leave nothing beside its own; None where it is empty.

    It keeps its own name, too, until that is given to the new one: whoever is killed in between finds one of them.
    """
    log = _log_of(target)
    named = None
    if target.stat().st_size:
        named = _unused(target.with_name(time.strftime("replaced-%Y%m%d-%H%M%S.sqlite3", time.gmtime())))
        if log.exists():
            os.link(log, _log_of(named))  # of a store that is damaged SQLite may delete it
        if _is_one_file(target):
            _log_of(named).unlink(missing_ok=True)
            os.link(target, named)
        else:
            target.rename(named)
    log.unlink(missing_ok=True)
    target.with_name(f"{target.name}-shm").unlink(missing_ok=True)
    return named


def _log_of(path: Path) -> Path:
    """What a server that was killed has written last is there."""
    return path.with_name(f"{path.name}-wal")


def _is_one_file(target: Path) -> bool:
    """Let SQLite take into a store what is still beside it; whether it could."""
    try:
        with closing(open_file(target)) as db:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except (sqlite3.Error, WrongStore, StoreFailure):
        return False
    return not busy


def _unused(path: Path) -> Path:
    """This path, or one like it, where nothing is."""
    tries = (path.with_stem(f"{path.stem}-{number}") for number in range(2, 1000))
    return next((each for each in (path, *tries) if not each.exists() and not _log_of(each).exists()), path)
