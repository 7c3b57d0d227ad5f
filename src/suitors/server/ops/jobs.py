"""What visitors ask for and takes long (kits, analyses, hints), in processes of its own.

Clients take turns; what is asked for twice is made once, and results are kept while there is room. A job that takes too
long is ended with its process, and disturbs no other.
"""

import asyncio
import logging
import pickle
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from .limits import Limits
from .turns import Turns
from .workers import WorkerLost, WorkerPool

log = logging.getLogger(__name__)

NICENESS = 15
"""How far they stand behind the server, and behind the bots."""

THE_SERVER = ""
"""The client that the server itself is."""

KEPT_BYTES = 64 << 20
"""Results kept in memory, by their size on the way from one process to another."""


class Results:
    """The results used last, as many as there is room for."""

    def __init__(self, room: int = KEPT_BYTES) -> None:
        self.room = room
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def find(self, key: Hashable) -> Any | None:
        """A result, if it is kept."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def keep(self, key: Hashable, result: Any, size: int) -> None:
        """Keep a result; those that were not used for longest make room for it."""
        _, before = self._kept.pop(key, (None, 0))
        self._kept[key] = (result, size)
        self.room += before - size
        while self.room < 0:
            _, (_, freed) = self._kept.popitem(last=False)
            self.room += freed


class Jobs:
    """Work for visitors."""

    def __init__(self, workers: int, limits: Limits) -> None:
        self.workers = workers
        self.limit_s = limits.job_s
        self.results = Results()
        self.turns = Turns(workers, limits)
        self._pool = WorkerPool(workers, NICENESS)
        self._under_way: dict[tuple[str, Hashable], asyncio.Task[Any]] = {}

    async def work(self, client: str, key: Hashable, function: Callable[..., Any], *given: Any) -> Any | None:
        """What a function returns, by the key of all that it is given; None where it fails. Too many are refused."""
        found = self.results.find(key)
        if found is not None:
            return found
        asked = client, key  # another client does not wait for the turn of this one
        if asked not in self._under_way:
            task = asyncio.ensure_future(self._work(client, key, function, given, self.limit_s))
            self._under_way[asked] = task
            task.add_done_callback(lambda ended: self._ended(asked, ended))
        return await asyncio.shield(self._under_way[asked])

    async def prepare(self, function: Callable[[], None], limit_s: float) -> None:
        """Let a process do what others need later, at nobody's cost."""
        await self._work(THE_SERVER, function, function, (), limit_s)

    def close(self) -> None:
        """End all jobs and their processes."""
        for task in self._under_way.values():
            task.cancel()
        self._pool.close()

    async def _work(
        self, client: str, key: Hashable, function: Callable[..., Any], given: tuple[Any, ...], limit_s: float
    ) -> Any | None:
        async with self.turns.turn(client):
            found = self.results.find(key)  # another client may have asked for the same meanwhile
            if found is not None:
                return found
            try:
                result, size = await self._pool.call(call_and_measure, function, given, limit_s=limit_s)
            except WorkerLost as lost:
                log.error("job-lost", extra={"data": {"job": function.__name__, "why": str(lost)}})
                return None
            except Exception:
                log.exception("job-failed", extra={"data": {"job": function.__name__}})
                return None
        self.results.keep(key, result, size)
        return result

    def _ended(self, asked: tuple[str, Hashable], task: asyncio.Task[Any]) -> None:
        del self._under_way[asked]
        if not task.cancelled():
            task.exception()  # a refusal has been told to whoever waited, if they still did


def call_and_measure(function: Callable[..., Any], given: tuple[Any, ...]) -> tuple[Any, int]:
    """What a function returns, and its size; this runs in a process of the pool."""
    result = function(*given)
    return result, len(pickle.dumps(result))
