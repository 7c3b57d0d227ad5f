"""What `suitors replay` prints: one record, or many on all cores, in their order."""

import json
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..errors import SuitorsError
from ..view.data import view_data
from .record import RecordError, replay, summary, trace
from .strict_json import NotJson, parse

CHUNK = 64
"""Records that one process replays at a time."""

INLINE = 4 * CHUNK
"""Up to so many records are not worth starting processes for."""


@dataclass(frozen=True)
class Wanted:
    """What is to be printed of a record: where it stands, each decision too, or the view of a seat."""

    tracing: bool = False
    viewing: bool = False
    seat: int | None = None

    def objects(self, data: Any) -> list[Any]:
        """The objects to print for a parsed record."""
        if self.viewing:
            return [view_data(replay(data).view(self.seat))]
        if self.tracing:
            match, passed = trace(data)
            return [*passed, summary(match)]
        return [summary(replay(data))]


def printed(raw: bytes, wanted: Wanted) -> tuple[str, bool]:
    """The lines for a record, and whether it was good."""
    try:
        return "\n".join(map(json.dumps, wanted.objects(parse(raw)))), True
    except NotJson as error:
        return json.dumps(RecordError("bad-json", str(error)).data()), False
    except RecordError as error:
        return json.dumps(error.data()), False


def printed_all(lines: Iterable[bytes], wanted: Wanted) -> Iterator[tuple[str, bool]]:
    """The same for many records: a large batch is shared among all cores."""
    rest = iter(lines)
    few = list(islice(rest, INLINE))
    if len(few) < INLINE or (os.cpu_count() or 1) == 1:
        yield from (printed(raw, wanted) for raw in few)
        yield from (printed(raw, wanted) for raw in rest)
        return
    yield from _shared(_chunks(few, rest), wanted)


def _chunks(few: list[bytes], rest: Iterator[bytes]) -> Iterator[list[bytes]]:
    for k in range(0, len(few), CHUNK):
        yield few[k : k + CHUNK]
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


def _shared(chunks: Iterator[list[bytes]], wanted: Wanted) -> Iterator[tuple[str, bool]]:
    """Replay chunks in processes, a few ahead of what is printed."""
    workers = os.cpu_count() or 1
    waiting: deque[Future[list[tuple[str, bool]] | str]] = deque()
    with ProcessPoolExecutor(workers, initializer=_ignore_interrupts) as pool:
        try:
            for chunk in chunks:
                waiting.append(pool.submit(_replay_chunk, chunk, wanted))
                if len(waiting) > 3 * workers:
                    yield from _results(waiting.popleft())
            while waiting:
                yield from _results(waiting.popleft())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _ignore_interrupts() -> None:
    """An interrupt is for the process that prints; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _replay_chunk(lines: list[bytes], wanted: Wanted) -> list[tuple[str, bool]] | str:
    """The results of a chunk, or a sentence on why the command cannot go on."""
    try:
        return [printed(raw, wanted) for raw in lines]
    except SuitorsError as error:
        return str(error)


def _results(done: Future[list[tuple[str, bool]] | str]) -> list[tuple[str, bool]]:
    results = done.result()
    if isinstance(results, str):
        raise SuitorsError("bad-seat", results)
    return results
