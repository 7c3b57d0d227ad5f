"""The log of a tournament: a line for its settings, then one for each finished group, never changed again.

Whatever ends the program, at most the groups under way are lost, and a torn last line is played again. Where the power
fails, it is what was finished in the last second.
"""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from ..errors import SuitorsError
from .plan import Plan, Shard
from .standings import Row, read_row

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

LOG = "groups.jsonl"

SYNC_S = 1.0
"""How long a finished group may be known to the operating system alone, in seconds."""


class Finished:
    """The numbers of finished groups: all below a mark, and the few beyond it."""

    def __init__(self) -> None:
        self.mark = 0
        self.beyond: set[int] = set()

    def __contains__(self, number: int) -> bool:
        return number < self.mark or number in self.beyond

    def __len__(self) -> int:
        return self.mark + len(self.beyond)

    def add(self, number: int) -> None:
        """Note a number, and move the mark as far as it goes."""
        self.beyond.add(number)
        while self.mark in self.beyond:
            self.beyond.remove(self.mark)
            self.mark += 1


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the file system refuses into a sentence."""
    try:
        yield
    except OSError as error:
        raise SuitorsError("bad-output", f"{path} cannot be written: {error.strerror or error}.") from None


class Journal:
    """The open log of a tournament, or of one shard of it, in a folder."""

    def __init__(self, folder: Path, plan: Plan, version: str, shard: Shard | None = None) -> None:
        self.path = folder / LOG
        self.plan = plan
        self.numbers = plan.numbers(shard)
        self.head = head_line({**plan.data(), "version": version, **(shard.data() if shard else {})})
        self.synced = 0.0
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self.file = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with writing(self.path), self.file:
            sync(self.file)

    def begin(self) -> None:
        """Start a tournament, unless there is one."""
        if self.file.tell():
            text = f"{self.path.parent} holds a tournament already: --resume goes on with it."
            raise SuitorsError("bad-output", text)
        self._begin()

    def resume(self) -> Iterator[Row]:
        """The groups finished so far; then the log is ready for more, a torn line at its end cut off."""
        self.file.seek(0)
        whole, grown = 0, 0
        for number, line in enumerate(self.file, 1):
            if not line.endswith(b"\n") and (number > 1 or self.head.startswith(line)):
                break
            if number == 1:
                grown = len(line) if self._grows(line) else 0
            else:
                yield read_line(self.path, number, line, self.plan, self.numbers)
            whole += len(line)
        with writing(self.path):
            self.file.truncate(whole)
        if not whole:
            self._begin()
        elif grown:
            self._replace_head(grown)

    def write(self, row: Row) -> None:
        """Add a finished group."""
        self._write(json.dumps(row.data(self.plan)).encode() + b"\n")

    def _begin(self) -> None:
        self._write(self.head)
        with writing(self.path):
            sync_folder(self.path.parent)

    def _write(self, line: bytes) -> None:
        with writing(self.path):
            self.file.write(line)
            self.file.flush()
            if time.monotonic() >= self.synced + SYNC_S:
                sync(self.file)
                self.synced = time.monotonic()

    def _grows(self, line: bytes) -> bool:
        """Whether the tournament is to have more matches than it had; refuse to go on with any other settings."""
        if line == self.head:
            return False
        there, here = parse_line(self.path, 1, line), json.loads(self.head)
        keys = [key for key in {**here, **there} if there.get(key) != here.get(key)]
        before = there.get("games")
        if keys != ["games"] or not isinstance(before, int):
            text = f"{self.path.parent} holds a tournament with other settings ({', '.join(keys) or 'more of them'})."
            raise SuitorsError("bad-output", text)
        if before > self.plan.games:
            text = f"{self.path.parent} holds a tournament of {before} matches a pair: --games may grow, not shrink."
            raise SuitorsError("bad-output", text)
        return True

    def _replace_head(self, old: int) -> None:
        """Write the log anew under the head of the larger plan; whoever reads it sees the old one or the new one."""
        with replacing(self.path) as copy:
            copy.write(self.head)
            self.file.seek(old)
            shutil.copyfileobj(self.file, copy)
        old_file, self.file = self.file, self._open()
        old_file.close()

    def _open(self) -> IO[bytes]:
        """Open the log for this process alone, where the system can do that: two of them would begin it twice."""
        with writing(self.path):
            file = self.path.open("a+b")
        try:
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            text = f"{self.path.parent} holds a tournament that another process is playing."
            raise SuitorsError("bad-output", text) from None
        except OSError:  # files that cannot be locked
            pass
        return file


def head_line(data: dict[str, Any]) -> bytes:
    """The first line of a log."""
    return json.dumps(data).encode() + b"\n"


def parse_line(path: Path, number: int, line: bytes) -> dict[str, Any]:
    """The object in a line of a log."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise damaged(path, number)
    return data


def read_line(path: Path, number: int, line: bytes, plan: Plan, groups: range) -> Row:
    """The finished group in a line of a log, which is one of these groups of a plan, and could be its result."""
    data = parse_line(path, number, line)
    try:
        row = read_row(data)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise damaged(path, number) from None
    if row.number not in groups or not row.possible(plan) or row.data(plan) != data:
        raise damaged(path, number)
    return row


def damaged(path: Path, number: int) -> SuitorsError:
    """What to say of a line that no tournament has written."""
    return SuitorsError("bad-output", f"Line {number} of {path} is damaged.")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that whoever reads it sees the old one or the new one, never a part, even after a power cut."""
    with replacing(path) as file:
        file.write(text.encode())


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A draft that takes the place of a file, or of what a link leads to, when it is whole; a failure leaves none."""
    real = Path(os.path.realpath(path))
    draft = real.with_name(real.name + ".part")
    with writing(path):
        try:
            with draft.open("wb") as file:
                yield file
                sync(file)
            draft.replace(real)
            sync_folder(real.parent)
        finally:
            draft.unlink(missing_ok=True)


def sync(file: IO[bytes]) -> None:
    """Have what was written to a file on the disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Have the names of the files in a folder on the disk, where the system can do that."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
