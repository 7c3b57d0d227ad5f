"""The bots of the server, in processes of their own: the event loop never thinks, and only so many bots think at once.

Quick bots have a process to themselves, so that nobody waits behind an expert. When more tables wait than there are
processes, each expert thinks for a shorter time, down to a minimum. Nothing that visitors ask for is done here.
"""

import asyncio
import logging
import random
import time
from contextlib import suppress

from ...bots import BOTS
from ...bots.warmup import COMPILED_BOTS, compile_bots, compiles, plays_at_once, warm_up
from ...view.match import View
from ...view.solo import SoloView
from .workers import WorkerDied, WorkerLost, WorkerPool, WorkerSilent

log = logging.getLogger(__name__)

LEAST_MS = 5.0
"""What an expert may think however many wait."""

PATIENCE_S = 120.0
"""How long a decision may take before a legal move is played in its place: a machine may have to compile once."""

TRIES = 3

QUICK_MIND = "counting"
"""The bot that decides for those that compile, until they have, if they cannot do without: nobody waits a minute."""

NICENESS = 10
"""How far bots stand behind the server."""


class BotPool:
    """Two pools of processes: one for bots that answer at once, one for those that think."""

    def __init__(self, workers: int, think_ms: float) -> None:
        self.workers = workers
        self.think_ms = think_ms
        self.thinkers = 0  # decisions of thinking bots that wait or are under way
        self._rng = random.SystemRandom()
        self._quick, self._thinking = WorkerPool(1, NICENESS), WorkerPool(workers, NICENESS)
        self._preparing: set[asyncio.Task[None]] = set()
        self._warm = False  # the processes load what compiled bots need, or have
        self._ready = False  # one of them has

    async def choose(self, bot: str, view: View | SoloView) -> str:
        """A move for the seat of this view; if a process dies, another one decides, in the last resort chance."""
        thinks = compiles(bot, view.rules)
        if thinks and not self._ready:
            self._compile()
            thinks = False
            if not plays_at_once(bot, view.rules):
                bot = QUICK_MIND
        self.thinkers += thinks
        try:
            for _ in range(TRIES):
                with suppress(WorkerDied):
                    return await self._ask(bot, view, thinks)
            log.error("bot-lost", extra={"data": {"bot": bot}})
        except WorkerSilent:
            log.error("bot-silent", extra={"data": {"bot": bot}})
        except Exception:
            log.exception("bot-failed", extra={"data": {"bot": bot}})
        finally:
            self.thinkers -= thinks
        return self._rng.choice(view.legal)

    def prepare(self, bot: str) -> None:
        """Let the processes load what the bot needs, before its first decision is due."""
        if bot in COMPILED_BOTS:
            self._compile()

    def _compile(self) -> None:
        """Let the processes compile what bots compile, once."""
        if not self._warm:
            self._warm = True
            for _ in range(self.workers):
                task = asyncio.ensure_future(self._compile_in_process())
                self._preparing.add(task)
                task.add_done_callback(self._preparing.discard)

    def close(self) -> None:
        """End all processes."""
        for task in self._preparing:
            task.cancel()
        self._quick.close()
        self._thinking.close()

    async def _ask(self, bot: str, view: View | SoloView, thinks: bool) -> str:
        seed = self._rng.getrandbits(64)
        if not thinks:
            return await self._quick.call(decide, bot, view, seed, LEAST_MS, limit_s=PATIENCE_S)
        budget = max(LEAST_MS, self.think_ms * min(1.0, self.workers / max(1, self.thinkers)))
        return await self._thinking.call(think, bot, view, seed, budget, limit_s=PATIENCE_S)

    async def _compile_in_process(self) -> None:
        try:
            await self._thinking.call(compile_bots, limit_s=PATIENCE_S)
            self._ready = True
        except WorkerLost:
            self._warm = False  # the next bot that comes to a table tries again


def decide(bot: str, view: View | SoloView, seed: int, budget_ms: float) -> str:
    """Decide, in a process of a pool."""
    return BOTS[bot](view, random.Random(seed), budget_ms)


def think(bot: str, view: View | SoloView, seed: int, budget_ms: float) -> str:
    """Decide, in a process of a pool, and take the whole time: a move at once would be a forced one."""
    warm_up([bot], view.rules)
    begun = time.perf_counter()
    move = decide(bot, view, seed, budget_ms)
    time.sleep(max(0.0, begun + budget_ms / 1000 - time.perf_counter()))
    return move
