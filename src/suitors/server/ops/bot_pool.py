"""The bots of the server, in processes of their own: the event loop never thinks, and only so many bots think at once.

Quick bots have a process to themselves, so that nobody waits behind an expert. When more tables wait than there are
processes, each expert thinks for a shorter time, down to a minimum.
"""

import asyncio
import logging
import multiprocessing
import multiprocessing.connection
import os
import random
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from ...bots import BOTS, use_cores, warm_up
from ...bots.warmup import COMPILED_BOTS
from ...view.match import View
from ...view.solo import SoloView

log = logging.getLogger(__name__)

T = TypeVar("T")

LEAST_MS = 5.0
"""What an expert may think however many wait."""

PATIENCE_S = 120.0
"""How long a decision may take before a legal move is played in its place: a machine may have to compile once."""

TRIES = 3

SHUTDOWN_S = 5.0
"""How long the thread that manages a pool may take to end."""


class BotPool:
    """Two pools of processes: one for bots that answer at once, one for those that think."""

    def __init__(self, workers: int, think_ms: float) -> None:
        self.workers = workers
        self.think_ms = think_ms
        self.waiting = 0
        self._rng = random.SystemRandom()
        self._pools: dict[bool, ProcessPoolExecutor] = {}
        self._warm = False

    async def choose(self, bot: str, view: View | SoloView) -> str:
        """A move for the seat of this view; if a process dies, another one decides, and in the last resort chance."""
        self.waiting += 1
        try:
            for _ in range(TRIES):
                with suppress(BrokenExecutor):
                    return await asyncio.wait_for(self._ask(bot, view), PATIENCE_S)
                self._drop(bot in COMPILED_BOTS)
            log.error("bot-lost", extra={"data": {"bot": bot}})
        except TimeoutError:
            log.error("bot-silent", extra={"data": {"bot": bot}})
            self._drop(bot in COMPILED_BOTS)
        except Exception:
            log.exception("bot-failed", extra={"data": {"bot": bot}})
        finally:
            self.waiting -= 1
        return self._rng.choice(view.legal)

    async def work(self, function: Callable[..., T], *given: Any) -> T | None:
        """What a function returns, called in a process of the pool that thinks; None where it cannot be called."""
        loop = asyncio.get_running_loop()
        try:
            return await asyncio.wait_for(loop.run_in_executor(self._pool(True), function, *given), PATIENCE_S)
        except (BrokenExecutor, TimeoutError):
            log.error("work-lost", extra={"data": {"work": function.__name__}})
            self._drop(True)
        except Exception:
            log.exception("work-failed", extra={"data": {"work": function.__name__}})
        return None

    def prepare(self, bot: str) -> None:
        """Let the processes load what the bot needs, before its first decision is due."""
        if bot in COMPILED_BOTS and not self._warm:
            self._warm = True
            for _ in range(self.workers):
                self._pool(True).submit(warm_up, [bot])

    def close(self) -> None:
        """End all processes."""
        for manager in [_terminate(pool) for pool in self._pools.values()]:
            if manager is not None:
                manager.join(SHUTDOWN_S)  # or the end of the program would disturb it
        self._pools.clear()

    async def _ask(self, bot: str, view: View | SoloView) -> str:
        budget = max(LEAST_MS, self.think_ms * min(1.0, self.workers / self.waiting))
        pool, loop = self._pool(bot in COMPILED_BOTS), asyncio.get_running_loop()
        return await loop.run_in_executor(pool, think, bot, view, self._rng.getrandbits(64), budget)

    def _pool(self, thinking: bool) -> ProcessPoolExecutor:
        if thinking not in self._pools:
            self._pools[thinking] = ProcessPoolExecutor(
                self.workers if thinking else 1, multiprocessing.get_context("spawn"), set_up_worker
            )
        return self._pools[thinking]

    def _drop(self, thinking: bool) -> None:
        """End a pool that has lost a process; the next question starts another."""
        pool = self._pools.pop(thinking, None)
        if pool is not None:
            log.warning("bots-restarted")
            self._warm = False
            _terminate(pool)


def _terminate(pool: ProcessPoolExecutor) -> Any:
    """End a pool, whatever its processes are doing; returns the thread that manages it, which ends soon."""
    processes = list((pool._processes or {}).values())
    manager: Any = pool._executor_manager_thread  # typeshed takes it for something else
    pool.shutdown(wait=False, cancel_futures=True)  # the pool forgets them here
    for process in processes:
        process.kill()
    return manager


def think(bot: str, view: View | SoloView, seed: int, budget_ms: float) -> str:
    """Decide, in a process of a pool."""
    warm_up([bot])
    return BOTS[bot](view, random.Random(seed), budget_ms)


def set_up_worker() -> None:
    """Set up a new process: one thread, of lower priority than the server, and an end when the server ends."""
    use_cores(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(10)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(0)
