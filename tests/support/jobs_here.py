"""Jobs without processes: what visitors ask for is done at once, in the process of the test, and noted."""

import asyncio
from collections.abc import Callable, Hashable
from typing import Any

from suitors.server.errors import Refused
from suitors.server.ops.jobs import Jobs
from suitors.server.ops.limits import Limits


class JobsHere(Jobs):
    """Jobs that are done here; so many are refused at first, and so many fail."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(1, limits)
        self.asked: list[tuple[str, Hashable]] = []
        self.refusing = 0
        self.failing = 0
        self.go = asyncio.Event()
        self.go.set()

    async def work(self, client: str, key: Hashable, function: Callable[..., Any], *given: Any) -> Any | None:
        """What a function returns."""
        if (found := self.results.find(key)) is not None:
            return found
        await self.go.wait()
        self.asked.append((client, key))
        if self.refusing:
            self.refusing -= 1
            raise Refused(429, "too-much-work", "You have asked for much work: wait.", wait_s=0.0)
        if self.failing:
            self.failing -= 1
            return None
        result = function(*given)
        self.results.keep(key, result, 1)
        return result

    async def prepare(self, function: Callable[[], None], limit_s: float) -> None:
        """Nothing has to be compiled beforehand."""
        del function, limit_s
