"""Turns for work that visitors ask for: each client has one after the other, and what one may ask for has a bound."""

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..errors import Refused, too_much_work
from .limits import Buckets, Limits

BUSY_S = 10
"""After which those may ask again who found the queue full."""


class Turns:
    """Lets so many work at once; those who wait go client by client, and each client has a budget of time."""

    def __init__(self, slots: int, limits: Limits) -> None:
        self.limits = limits
        self._free = slots
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._jobs: Counter[str] = Counter()  # that wait or are under way, by client
        self._budget = Buckets(limits.work_minute_s / 60, limits.work_s)

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._queues.values()))

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Wait for a turn of this client, and pay for the time it takes; refused where that would be too much."""
        self._admit(client)
        self._jobs[client] += 1
        try:
            await self._wait(client)
            began = time.monotonic()
            try:
                yield
            finally:
                self._budget.spend(client, time.monotonic() - began)
                self._pass_on()
        finally:
            self._jobs[client] -= 1
            if not self._jobs[client]:
                del self._jobs[client]

    def _admit(self, client: str) -> None:
        wait = self._budget.wait(client)
        if wait:
            raise too_much_work(wait)
        if self._jobs[client] >= self.limits.jobs_client:
            sentence = f"You wait for {self._jobs[client]} things already: wait until one is done."
            raise Refused(429, "too-many-jobs", sentence, wait_s=BUSY_S)
        if self.waiting >= self.limits.jobs:
            raise Refused(503, "busy", "Too many wait for the server just now: try again soon.", wait_s=BUSY_S)

    async def _wait(self, client: str) -> None:
        if self._free:
            self._free -= 1
            return
        future = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, deque()).append(future)
        try:
            await future
        except asyncio.CancelledError:
            if future.cancelled():
                self._leave(client, future)
            else:  # the turn had just come
                self._pass_on()
            raise

    def _leave(self, client: str, future: asyncio.Future[None]) -> None:
        """Forget one who waits no longer, unless that has happened already."""
        queue = self._queues.get(client, deque())
        if future in queue:
            queue.remove(future)
            if not queue:
                del self._queues[client]

    def _pass_on(self) -> None:
        """A turn has ended: the first of the next client begins."""
        while self._queues:
            client, queue = self._queues.popitem(last=False)
            future = queue.popleft()
            if queue:
                self._queues[client] = queue  # behind all others
            if not future.done():
                future.set_result(None)
                return
        self._free += 1
