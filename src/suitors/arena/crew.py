"""Many matches on all cores: processes with a bench each, and a stream of groups shared among them."""

import os
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, Self, TypeAlias

from ..bots import use_cores
from .bench import ArenaError, Bench, Fixture, Outcome

FEW = 8
"""Up to so many groups are not worth starting processes for, unless the caller says how many there should be."""

AHEAD = 16
"""How far, for each process, the groups begun may be ahead of the oldest unfinished one: so few results are held."""

PATIENCE_S = 10.0
"""How long a process that has been told to end may take."""

Task: TypeAlias = tuple[int, tuple[Fixture, ...]]
"""A group of matches with its number; numbers rise."""

Done: TypeAlias = tuple[int, list[Outcome]]
"""What came of a group."""

Pipe: TypeAlias = "Connection[Any, Any]"


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share(bench: Bench, tasks: Iterable[Task], groups: int, jobs: int | None = None) -> Generator[Done]:
    """Play groups of matches in so many processes (None: as seems best), and yield each as it is finished."""
    jobs = min(cores() if groups > FEW else 1, groups) if jobs is None else min(jobs, groups)
    if jobs > 1:
        with Crew(bench, jobs) as crew:
            yield from crew.play(tasks)
        return
    with bench:
        for number, group in tasks:
            yield number, [bench.play(fixture) for fixture in group]


def in_order(done: Iterable[Done]) -> Iterator[list[Outcome]]:
    """The results in the order of their numbers from 0, each held back until those before it are there."""
    held: dict[int, list[Outcome]] = {}
    number = 0
    for found, outcomes in done:
        held[found] = outcomes
        while number in held:
            yield held.pop(number)
            number += 1


class Crew:
    """Processes that play for this one, and end with it even where it is killed."""

    def __init__(self, bench: Bench, jobs: int) -> None:
        self.bench = bench
        self.jobs = jobs
        self.crew: dict[Pipe, BaseProcess] = {}

    def __enter__(self) -> Self:
        context = get_context("spawn")  # threads of compiled code do not survive a fork
        with _deaf():
            for _ in range(self.jobs):
                here, there = context.Pipe()
                words = (there, self.bench, max(1, cores() // self.jobs))
                process = context.Process(target=_serve, args=words)
                process.start()
                there.close()
                self.crew[here] = process
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        """Let the processes go; after a failure or an interrupt they are not waited for."""
        for pipe, process in self.crew.items():
            if kind is not None:
                process.terminate()
            pipe.close()
        for process in self.crew.values():
            process.join(PATIENCE_S)
            if process.is_alive():
                process.kill()
                process.join()

    def play(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Hand out the groups, one to each process at a time, and yield each as it is finished."""
        rest = iter(tasks)
        task = next(rest, None)
        idle, busy = list(self.crew), dict[Pipe, int]()
        while task is not None or busy:
            while idle and task is not None and task[0] < min(busy.values(), default=task[0]) + AHEAD * self.jobs:
                pipe = idle.pop()
                busy[pipe] = task[0]
                with self._noticing(pipe):
                    pipe.send(task)
                task = next(rest, None)
            for pipe in [pipe for pipe in wait(list(busy)) if isinstance(pipe, Connection)]:
                with self._noticing(pipe):
                    answer = pipe.recv()
                if isinstance(answer, ArenaError):
                    raise answer
                idle.append(pipe)
                yield busy.pop(pipe), answer

    @contextmanager
    def _noticing(self, pipe: Pipe) -> Iterator[None]:
        """A process that has gone is told about."""
        try:
            yield
        except (EOFError, OSError):
            process = self.crew[pipe]
            process.join(PATIENCE_S)
            raise ArenaError(f"A process that played matches ended with exit code {process.exitcode}.") from None


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes started here never hear the terminal's interrupt: it is for this one, which ends the others."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _serve(pipe: Pipe, bench: Bench, threads: int) -> None:
    """Play the groups that come through the pipe until it is closed; the bench is left in any case."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    use_cores(threads)
    with suppress(EOFError, OSError), bench:
        while True:
            _, group = pipe.recv()
            pipe.send(_answer(bench, group))


def _answer(bench: Bench, group: tuple[Fixture, ...]) -> list[Outcome] | ArenaError:
    try:
        return [bench.play(fixture) for fixture in group]
    except ArenaError as error:
        return error


def _end_with_parent() -> None:
    """Tell this process to end when the one that started it does, even if it is in the middle of a match."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
