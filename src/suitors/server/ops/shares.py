"""Each client's share of the event loop: whoever asks for more is served later, so that nobody else has to wait.

What a request or a message costs is known only afterwards. So each is booked beforehand at what this client's last ones
have cost, and the difference is made up when it is done: two hundred at once begin one after the other.

Counted is processor time, by how much longer everything takes on the clock at present: on a busy machine the same work
keeps others waiting for longer. By the clock alone, whoever is being served when the machine stalls would have to pay.
"""

import math
from asyncio import sleep
from collections import OrderedDict
from collections.abc import Coroutine, Generator
from time import perf_counter, thread_time
from typing import Any, Generic, TypeVar

from ..errors import too_much_work
from .limits import Buckets, Limits

T = TypeVar("T")

LONGEST_WAIT_S = 10.0
"""How late a request may be answered; a client who has asked for more than that is refused."""

LONGEST_DELAY_S = 5.0
"""How late a refusal may be."""

FIRST_S = 0.01
"""What the first request of a client is booked at."""

MEMORY_S = 5.0
"""For how long the loop remembers how slow it was."""

AROUND_S = 0.001
"""What each costs besides: to accept a connection, to parse a request or a message, to write the answer."""

NEWEST = 0.3
"""What the newest request counts in the average."""


class Timed(Generic[T]):
    """A coroutine, with the processor time that it takes, and that time on the clock; while it waits it takes none."""

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self.coroutine = coroutine
        self.cpu = self.clock = 0.0

    def __await__(self) -> Generator[Any, Any, T]:
        """Run it step by step; whatever is thrown in, such as a cancellation, is passed on."""
        error: BaseException | None = None
        while True:
            cpu, clock = thread_time(), perf_counter()
            try:
                awaited = self.coroutine.send(None) if error is None else self.coroutine.throw(error)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                self.cpu += thread_time() - cpu
                self.clock += perf_counter() - clock
            error = None
            try:
                yield awaited
            except GeneratorExit:
                self.coroutine.close()
                raise
            except BaseException as thrown:
                error = thrown


class Slowness:
    """How much longer the loop's work has taken on the clock, of late, than its processor time."""

    def __init__(self) -> None:
        self._cpu = self._clock = 1e-3
        self._at = perf_counter()

    def note(self, cpu: float, clock: float) -> float:
        """Take in what has been done; returns by how much it was slower than it might have been, 1 or more."""
        now = perf_counter()
        kept = math.exp((self._at - now) / MEMORY_S)
        self._at, self._cpu, self._clock = now, kept * self._cpu + cpu, kept * self._clock + clock
        return max(1.0, self._clock / max(self._cpu, 1e-6))


class LoopShares:
    """How much of the loop's time each client has used."""

    def __init__(self, limits: Limits) -> None:
        self._seconds = Buckets(limits.loop_share, limits.loop_s)
        self._typical: OrderedDict[str, float] = OrderedDict()
        self._slowness = Slowness()

    async def run(
        self, client: str, work: Coroutine[Any, Any, T], longest_s: float = math.inf, delay_s: float = math.inf
    ) -> T:
        """Run a coroutine when its client's share allows, and take from the share what it has cost.

        It is refused where that would be later than `longest_s`, and run after `delay_s` at the latest.
        """
        wait, booked = self._seconds.wait(client), self._typical.get(client, FIRST_S)
        if wait > longest_s:
            work.close()
            raise too_much_work(wait)
        self._seconds.spend(client, booked)
        timed = Timed(work)
        try:
            if wait:
                await sleep(min(wait, delay_s))
            return await timed
        finally:
            work.close()  # where it was not even begun
            seconds = (timed.cpu + AROUND_S) * self._slowness.note(timed.cpu, timed.clock)
            self._seconds.spend(client, seconds - booked)
            self._remember(client, seconds)

    def is_free(self, client: str) -> bool:
        """Whether a client need not wait: what it asks for may be done at once, if it is charged afterwards."""
        return self._seconds.level(client) >= 0

    def charge(self, client: str, cpu: float, clock: float) -> None:
        """Take from a client's share what has been done at once for it."""
        self._seconds.spend(client, (cpu + AROUND_S) * self._slowness.note(cpu, clock))

    def _remember(self, client: str, seconds: float) -> None:
        before = self._typical.pop(client, seconds)
        self._typical[client] = before + NEWEST * (seconds - before)
        if len(self._typical) > Buckets.CLIENTS:
            self._typical.popitem(last=False)
