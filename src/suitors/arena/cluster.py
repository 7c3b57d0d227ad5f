"""Tasks on the workers of a Dask cluster (extra `cluster`), each counted once whatever happens to a worker.

`run_everywhere` is for any task that depends on nothing but itself: groups of matches, parts of a study. Which worker
does what, in which order and how often, changes nothing. Only cluster_client.py knows Dask.
"""

import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from ..bots import use_cores
from ..fast import available
from .alike import check_same, identity
from .cluster_client import ClusterClient
from .plan import Plan
from .quick import worth_compiling
from .runner import Fixture, MatchRunner, Outcome
from .standings import Row, make_row
from .workers import Done, Task, peek, play_group

BATCH_S = 1.0
"""How long a batch of tasks should take, in seconds: much longer than Dask needs for it, and soon played again."""

MOST_IN_BATCH = 4096

UNDER_WAY = 2
"""Batches that each worker has: one that it works on, and the next."""

AHEAD = 16
"""How far, for each worker, the batches begun may be ahead of the oldest unfinished one: so few results are held."""

T = TypeVar("T")
R = TypeVar("R")

Opening: TypeAlias = Callable[[], AbstractContextManager[Callable[[T], R]]]
"""Opens what a batch needs on the worker, and closes it afterwards; between them it does one task. It is pickled."""

Batch: TypeAlias = Sequence[tuple[int, T]]


@dataclass(frozen=True)
class Plain(Generic[T, R]):
    """A function that needs nothing to be opened."""

    function: Callable[[T], R]

    def __call__(self) -> AbstractContextManager[Callable[[T], R]]:
        """The function itself."""
        return nullcontext(self.function)


_one_at_a_time = threading.Lock()


def run_everywhere(
    address: str, function: Callable[[T], R], tasks: Iterable[tuple[int, T]]
) -> Generator[tuple[int, R]]:
    """Call a function for numbered tasks on a cluster; yield each number with its result once, as they are finished.

    The address is that of a scheduler, or `local:N` for N processes of this machine. Workers must be able to import
    the function, and its result must depend on the task alone.
    """
    return run_opened(address, Plain(function), tasks)


def run_opened(address: str, opening: Opening[T, R], tasks: Iterable[tuple[int, T]]) -> Generator[tuple[int, R]]:
    """The same for a function that needs something opened first, such as bots; it is opened for a batch at a time."""
    with ClusterClient(address) as client:
        client.check_alike()
        yield from _Run(client, opening, tasks).results()


def play_everywhere(address: str, runner: MatchRunner, tasks: Iterable[Task], groups: int) -> Generator[Done]:
    """Play so many groups of matches on a cluster, and yield each as it is finished."""
    first, tasks = peek(tasks)
    runner.compiled = worth_compiling(runner, groups * len(first))
    return run_opened(address, partial(_playing, runner), tasks)


@contextmanager
def _playing(runner: MatchRunner) -> Iterator[Callable[[tuple[Fixture, ...]], list[Outcome]]]:
    runner.compiled = runner.compiled and available()
    with runner:
        yield partial(play_group, runner)


def play_plan_everywhere(
    address: str, runner: MatchRunner, plan: Plan, numbers: Iterable[int], groups: int
) -> Generator[Row]:
    """Play so many groups of a tournament on a cluster: only numbers go there, and only sums come back."""
    runner.compiled = worth_compiling(runner, groups * plan.group_size)
    with closing(run_opened(address, partial(_playing_plan, runner, plan), ((n, n) for n in numbers))) as done:
        for _, row in done:
            yield row


@contextmanager
def _playing_plan(runner: MatchRunner, plan: Plan) -> Iterator[Callable[[int], Row]]:
    with _playing(runner) as play:
        yield lambda number: make_row(plan, number, play(plan.fixtures(number)))


class _Run(Generic[T, R]):
    """The batches under way on a cluster."""

    def __init__(self, client: ClusterClient, opening: Opening[T, R], tasks: Iterable[tuple[int, T]]) -> None:
        self.client, self.opening, self.rest = client, opening, iter(tasks)
        self.size = 1  # of the next batch
        self.begun = 0
        self.pending: set[int] = set()

    def results(self) -> Iterator[tuple[int, R]]:
        """Hand out batches until there are no more, and yield what comes back."""
        while True:
            self._hand_out()
            if not self.pending:
                return
            found = self.client.next_result()
            if found is not None:
                number, (seconds, results) = found
                self.pending.remove(number)
                self._adapt(seconds, len(results))
                yield from results

    def _hand_out(self) -> None:
        workers = self.client.workers
        while len(self.pending) < UNDER_WAY * workers:
            if self.pending and self.begun >= min(self.pending) + AHEAD * workers:
                return
            batch = [task for _, task in zip(range(self.size), self.rest, strict=False)]
            if not batch:
                return
            self.client.submit(self.begun, run_batch, identity(), self.opening, batch)
            self.pending.add(self.begun)
            self.begun += 1

    def _adapt(self, seconds: float, count: int) -> None:
        """Let the next batches take about BATCH_S each; they grow slowly, for the first may have waited for a start."""
        wanted = round(BATCH_S * count / max(seconds, 1e-6))
        self.size = max(1, min(wanted, 2 * self.size, MOST_IN_BATCH))


def run_batch(wanted: dict[str, str], opening: Opening[T, R], batch: Batch[T]) -> tuple[float, list[tuple[int, R]]]:
    """Do a batch on a worker, alone in its process: the results by number, and the seconds that it took."""
    check_same(wanted, identity(), "A worker")
    with _one_at_a_time:
        use_cores(_worker_threads())
        began = time.perf_counter()
        with opening() as run:
            results = [(number, run(task)) for number, task in batch]
        return time.perf_counter() - began, results


def _worker_threads() -> int:
    from distributed import get_worker  # noqa: PLC0415 - an extra

    return int(get_worker().state.nthreads)
