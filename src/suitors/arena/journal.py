"""The log of a tournament: a line for its settings, then one for each finished group, never changed again.

Whatever ends the program, at most the groups under way are lost, and a torn last line is played again.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from ..errors import SuitorsError
from .plan import Plan
from .standings import Row, read_row

LOG = "groups.jsonl"


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
    """The open log of a tournament in a folder."""

    def __init__(self, folder: Path, plan: Plan, version: str) -> None:
        self.path = folder / LOG
        self.plan = plan
        self.head = json.dumps({**plan.data(), "version": version}).encode() + b"\n"
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self.file: IO[bytes] = self.path.open("a+b")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def begin(self) -> None:
        """Start a tournament, unless there is one."""
        if self.file.tell():
            text = f"{self.path.parent} holds a tournament already: --resume goes on with it."
            raise SuitorsError("bad-output", text)
        self._write(self.head)

    def resume(self) -> Iterator[Row]:
        """The groups finished so far; then the log is ready for more, a torn line at its end cut off."""
        self.file.seek(0)
        whole = 0
        for number, line in enumerate(self.file, 1):
            if not line.endswith(b"\n") and (number > 1 or self.head.startswith(line)):
                break
            if number == 1:
                self._compare(line)
            else:
                yield self._read(number, line)
            whole += len(line)
        with writing(self.path):
            self.file.truncate(whole)
        if not whole:
            self._write(self.head)

    def write(self, row: Row) -> None:
        """Add a finished group."""
        self._write(json.dumps(row.data(self.plan)).encode() + b"\n")

    def _write(self, line: bytes) -> None:
        with writing(self.path):
            self.file.write(line)
            self.file.flush()

    def _compare(self, line: bytes) -> None:
        """Refuse to go on with a tournament of other settings."""
        if line == self.head:
            return
        there, here = self._parse(1, line), json.loads(self.head)
        keys = ", ".join(key for key in {**here, **there} if there.get(key) != here.get(key))
        text = f"{self.path.parent} holds a tournament with other settings ({keys or 'more of them'})."
        raise SuitorsError("bad-output", text)

    def _read(self, number: int, line: bytes) -> Row:
        try:
            row = read_row(self._parse(number, line))
        except (KeyError, TypeError, ValueError, OverflowError):
            raise self._damaged(number) from None
        if not 0 <= row.number < self.plan.groups:
            raise self._damaged(number)
        return row

    def _parse(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise self._damaged(number)
        return data

    def _damaged(self, number: int) -> SuitorsError:
        return SuitorsError("bad-output", f"Line {number} of {self.path} is damaged.")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that whoever reads it sees the old one or the new one, never a part."""
    draft = path.with_name(path.name + ".part")
    with writing(path):
        draft.write_text(text, "utf-8")
        draft.replace(path)
