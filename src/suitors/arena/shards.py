"""Shards of a tournament, each played by itself, put together into what one run of the whole would have written."""

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import SuitorsError
from .journal import LOG, damaged, head_line, parse_line, read_line, replacing, writing
from .plan import Shard, read_plan
from .standings import Row, Standings

CHUNK = 16_384
"""About so many bytes of a log are read at a time."""

MOST_SHARDS = 1_000_000
MOST_NAMED = 8
"""So many missing shards are named; of more it is said how many."""


def parse_shard(text: str) -> Shard:
    """A shard given as K/N, K from 1 to N."""
    found = re.fullmatch(r"([0-9]{1,7})/([0-9]{1,7})", text)
    number, of = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= of <= MOST_SHARDS:
        raise SuitorsError("bad-shard", f"A shard is K/N with K from 1 to N, such as 3/16, not '{text:.40}'.")
    return Shard(number, of)


class ShardLog:
    """The log of a shard: its head is read at once, its groups as they are asked for.

    The file is open only while a few lines are read, for there may be more shards than a process may have open files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / LOG
        self.offset = self.line = 0
        self.lines: deque[bytes] = deque()
        self.held: dict[int, Row] = {}
        self._read_head()

    def _next_line(self) -> bytes:
        """The next line of the file, empty at its end."""
        if not self.lines:
            try:
                with self.path.open("rb") as file:
                    file.seek(self.offset)
                    self.lines.extend(file.readlines(CHUNK))
            except OSError as error:
                text = f"{self.path} cannot be read: {error.strerror or error}."
                raise SuitorsError("bad-output", text) from None
            self.offset += sum(map(len, self.lines))
        self.line += 1
        return self.lines.popleft() if self.lines else b""

    def _read_head(self) -> None:
        self.settings = parse_line(self.path, 1, self._next_line())
        shard = self.settings.pop("shard", None)
        if shard is None:
            raise SuitorsError("bad-shard", f"{self.folder} holds no shard of a tournament, but a whole one.")
        try:
            self.shard = parse_shard("/".join(map(str, shard)))
            self.plan = read_plan({key: value for key, value in self.settings.items() if key != "version"})
        except (KeyError, TypeError, ValueError, AttributeError):
            raise damaged(self.path, 1) from None
        self.numbers = self.plan.numbers(self.shard)

    def row(self, number: int) -> Row:
        """A group of the shard; they are asked for in rising order. A torn line at the end is as good as none."""
        while number not in self.held:
            row = self._next_row()
            if row is None:
                text = f"Shard {self.shard} in {self.folder} is not finished: --resume goes on with it."
                raise SuitorsError("bad-shard", text)
            if row.number >= number:
                self.held.setdefault(row.number, row)
        return self.held.pop(number)

    def check_rest(self) -> None:
        """Read what is left when every group was found: it may be damaged."""
        while self._next_row() is not None:
            pass

    def _next_row(self) -> Row | None:
        line = self._next_line()
        return read_line(self.path, self.line, line, self.plan, self.numbers) if line.endswith(b"\n") else None


class Merge:
    """All shards of one tournament, checked to go together."""

    def __init__(self, folders: Sequence[Path], version: str) -> None:
        self.shards = [ShardLog(folder) for folder in folders]
        self._check(version)
        self.plan = self.shards[0].plan
        self.standings = Standings(self.plan)

    def write(self, folder: Path) -> Iterator[Row]:
        """Write the log of the whole in the order of its groups, and count and yield each; a failure leaves no file."""
        path = folder / LOG
        if path.exists():
            raise SuitorsError("bad-output", f"{folder} holds a tournament already.")
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        try:
            with replacing(path) as file:
                file.write(head_line(self.shards[0].settings))
                for number in range(self.plan.groups):
                    row = self.shards[number % len(self.shards)].row(number)
                    file.write(json.dumps(row.data(self.plan)).encode() + b"\n")
                    self.standings.add(row)
                    yield row
                for shard in self.shards:
                    shard.check_rest()
        finally:
            with suppress(OSError):
                folder.rmdir()  # only where nothing is in it

    def _check(self, version: str) -> None:
        """Refuse what does not go together, and sort the shards by their numbers."""
        first = self.shards[0]
        for other in self.shards[1:]:
            _compare(first, other)
        if first.settings.get("version") != version:
            text = f"{first.folder} was played by version {first.settings.get('version')!s:.20}; this is {version}."
            raise SuitorsError("bad-shard", text)
        self.shards.sort(key=lambda log: log.shard.number)
        for one, other in zip(self.shards, self.shards[1:], strict=False):
            if one.shard == other.shard:
                text = f"Shard {one.shard} is there twice: in {one.folder} and in {other.folder}."
                raise SuitorsError("bad-shard", text)
        self._check_complete(first.shard.of)

    def _check_complete(self, of: int) -> None:
        there = {log.shard.number for log in self.shards}
        if len(there) == of:
            return
        missing = [f"{k}/{of}" for k in range(1, of + 1) if k not in there]
        more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        text = f"Not all shards are there; missing: {', '.join(missing[:MOST_NAMED])}{more}."
        raise SuitorsError("bad-shard", text)


def _compare(first: ShardLog, other: ShardLog) -> None:
    """Refuse two shards of different tournaments, or of different numbers of shards."""
    if other.settings != first.settings:
        both: dict[str, Any] = {**first.settings, **other.settings}
        keys = ", ".join(key for key in both if first.settings.get(key) != other.settings.get(key))
        text = f"{first.folder} and {other.folder} are shards of different tournaments ({keys})."
        raise SuitorsError("bad-shard", text)
    if other.shard.of != first.shard.of:
        text = f"{first.folder} is shard {first.shard}, {other.folder} is shard {other.shard}: they do not fit."
        raise SuitorsError("bad-shard", text)
