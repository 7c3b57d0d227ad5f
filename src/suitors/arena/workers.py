"""Many matches on all cores: worker processes, and a stream of groups of matches shared among them."""

import os
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, Self, TypeAlias

from ..bots import use_cores
from .quick import all_quick, play_quickly, playable, worth_compiling
from .runner import ArenaError, Fixture, MatchRunner, Outcome

FEW = 8
"""Up to so many groups are not worth starting processes for, unless the caller says how many there should be."""

AT_ONCE = 256
"""Matches that compiled code plays in one call, which an interrupt has to wait for, unless a group has more."""

AHEAD = 16
"""How far, for each process, the groups begun may be ahead of the oldest unfinished one: so few results are held."""

PATIENCE_S = 10.0
"""How long a process that has been told to end may take."""

Task: TypeAlias = tuple[int, tuple[Fixture, ...]]
"""A group of matches with its number."""

NOTHING: tuple[int, Task | None] = (0, None)
"""What comes after the last group, in place of its place and the group."""

Done: TypeAlias = tuple[int, list[Outcome]]
"""What came of a group."""

Pipe: TypeAlias = "Connection[Any, Any]"


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_groups(runner: MatchRunner, tasks: Iterable[Task], groups: int, jobs: int | None = None) -> Generator[Done]:
    """Play groups of matches in so many processes (None: as seems best), and yield each as it is finished."""
    first, tasks = peek(tasks)
    runner.compiled = worth_compiling(runner, groups * len(first))
    if runner.compiled and all_quick(runner, first):
        yield from _play_all_quickly(runner, tasks, max(1, AT_ONCE // len(first)), jobs or cores())
        return
    jobs = min(cores() if groups > FEW else 1, groups) if jobs is None else min(jobs, groups)
    if jobs > 1:
        with WorkerPool(runner, jobs) as workers:
            yield from workers.play(tasks)
        return
    with runner:
        for number, group in tasks:
            yield number, play_group(runner, group)


def peek(tasks: Iterable[Task]) -> tuple[tuple[Fixture, ...], Iterator[Task]]:
    """The matches of the first group, none where there is no group, and all tasks."""
    rest = iter(tasks)
    first = list(islice(rest, 1))
    return first[0][1] if first else (), chain(first, rest)


def play_group(runner: MatchRunner, group: tuple[Fixture, ...]) -> list[Outcome]:
    """Play the matches of a group."""
    if runner.compiled and playable(runner.bots, group):
        return play_quickly(runner.bots, group, 1)
    return [runner.play(fixture) for fixture in group]


def _play_all_quickly(runner: MatchRunner, tasks: Iterator[Task], at_once: int, threads: int) -> Generator[Done]:
    """Play groups of quick bots, so many in one call of compiled code."""
    with runner:
        while batch := list(islice(tasks, at_once)):
            fixtures = [fixture for _, group in batch for fixture in group]
            outcomes = iter(play_quickly(runner.bots, fixtures, threads))
            for number, group in batch:
                yield number, list(islice(outcomes, len(group)))


def in_order(done: Iterable[Done]) -> Iterator[list[Outcome]]:
    """The results in the order of their numbers from 0, each held back until those before it are there."""
    held: dict[int, list[Outcome]] = {}
    number = 0
    for found, outcomes in done:
        held[found] = outcomes
        while number in held:
            yield held.pop(number)
            number += 1


class WorkerPool:
    """Worker processes that play matches, and end with this process even where it is killed."""

    def __init__(self, runner: MatchRunner, jobs: int) -> None:
        self.runner = runner
        self.jobs = jobs
        self.processes: dict[Pipe, BaseProcess] = {}

    def __enter__(self) -> Self:
        context = get_context("spawn")  # threads of compiled code do not survive a fork
        with ignoring_interrupts():
            for _ in range(self.jobs):
                here, there = context.Pipe()
                words = (there, self.runner, max(1, cores() // self.jobs))
                process = context.Process(target=_work, args=words)
                process.start()
                there.close()
                self.processes[here] = process
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        """End the processes; after a failure or an interrupt they do not finish what they play."""
        for pipe, process in self.processes.items():
            if kind is not None:
                process.terminate()
            pipe.close()
        for process in self.processes.values():
            process.join(PATIENCE_S)
            if process.is_alive():
                process.kill()
                process.join()

    def play(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """Hand out the groups, one to each process at a time, and yield each as it is finished."""
        rest = enumerate(tasks)
        place, task = next(rest, NOTHING)
        idle, busy = list(self.processes), dict[Pipe, tuple[int, int]]()
        while task is not None or busy:
            while idle and task is not None and place < min(busy.values(), default=(place,))[0] + AHEAD * self.jobs:
                pipe = idle.pop()
                busy[pipe] = place, task[0]
                with self._reporting_exit(pipe):
                    pipe.send(task)
                place, task = next(rest, NOTHING)
            for pipe in [pipe for pipe in wait(list(busy)) if isinstance(pipe, Connection)]:
                with self._reporting_exit(pipe):
                    answer = pipe.recv()
                if isinstance(answer, ArenaError):
                    raise answer
                idle.append(pipe)
                yield busy.pop(pipe)[1], answer

    @contextmanager
    def _reporting_exit(self, pipe: Pipe) -> Iterator[None]:
        """Raise an ArenaError where the process at the other end of the pipe has ended."""
        try:
            yield
        except (EOFError, OSError):
            process = self.processes[pipe]
            process.join(PATIENCE_S)
            raise ArenaError(f"A process that played matches ended with exit code {process.exitcode}.") from None


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Let processes that are started meanwhile ignore the terminal's interrupt: this one ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(pipe: Pipe, runner: MatchRunner, threads: int) -> None:
    """Play the groups that come through the pipe until it is closed; the bots are ended in any case."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit)
    threading.Thread(target=end_with_parent, daemon=True).start()
    use_cores(threads)
    with suppress(EOFError, OSError), runner:
        while True:
            _, group = pipe.recv()
            pipe.send(_answer(runner, group))


def _answer(runner: MatchRunner, group: tuple[Fixture, ...]) -> list[Outcome] | ArenaError:
    try:
        return play_group(runner, group)
    except ArenaError as error:
        return error


def end_with_parent() -> None:
    """Tell this process to end when the one that started it does, even if it is in the middle of a match."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


def _exit(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
