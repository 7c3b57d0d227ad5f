"""What the server does at tables by itself: it lets bots move, and deals when the rest between rounds is over.

It goes on until it is done: whatever fails is tried again.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from ..ops.bot_pool import BotPool
from ..ops.metrics import Metrics
from ..ops.tasks import BackgroundTasks
from ..storage.duties import Duties
from .commands import Decision, deal, play_for_bot
from .loaded import LoadedTable
from .table import PendingAction

log = logging.getLogger(__name__)

ChangeTable = Callable[[LoadedTable, Decision], Awaitable[int]]

RETRY_S = (0.1, 1.0, 5.0, 15.0)
"""How long to wait before each new try; the last holds for all that follow."""

OVERDUE_S = 30.0
"""What may take this much longer than the table's own times before it counts as overdue."""


class Automation:
    """Does what is pending at the loaded tables, one task a table."""

    def __init__(
        self, bots: BotPool, metrics: Metrics, tasks: BackgroundTasks, duties: Duties, change: ChangeTable
    ) -> None:
        self.bots = bots
        self.metrics = metrics
        self._tasks = tasks
        self._duties = duties
        self._change = change

    def update(self, loaded: LoadedTable) -> None:
        """Start what is pending at the table now, unless that is being done already; what was pending before ends."""
        pending = loaded.table.pending
        if pending == loaded.pending and (loaded.task is None or not loaded.task.done()):
            return
        if loaded.task is not None:
            loaded.task.cancel()
        if pending != loaded.pending:
            self._observe(loaded)
            loaded.pending_since = time.monotonic()
        loaded.pending, loaded.task, loaded.doing = pending, None, False
        if pending is not None:
            loaded.task = self._tasks.start(self._do_until_done(loaded, pending))

    def restart(self, loaded: LoadedTable) -> None:
        """Begin anew with what is pending: what it waits for may be there by now."""
        if loaded.task is not None:
            loaded.task.cancel()
        loaded.pending, loaded.task, loaded.doing = None, None, False
        self.update(loaded)

    def prepare(self, loaded: LoadedTable, since: int) -> None:
        """Let the bots that have come to the table since a state load what they need before their first decision."""
        for event, _ in loaded.table.events[since:]:
            if "bot" in event:
                self.bots.prepare(event["bot"])

    def _observe(self, loaded: LoadedTable) -> None:
        """Count a bot's move: only now, when it has been told, and by the time that everybody at the table has seen."""
        pending = loaded.pending
        if loaded.doing and pending is not None and pending.bot is not None and is_made(pending, loaded):
            self.metrics.observe_bot(time.monotonic() - loaded.pending_since)

    async def _do_until_done(self, loaded: LoadedTable, pending: PendingAction) -> None:
        """Do what is pending, again and again if it fails, while it is, unless that is another process's duty."""
        tries = 0
        while not loaded.unloaded and loaded.pending == pending:
            try:
                if not await self._duties.claim(loaded.table.id):
                    return
                loaded.doing = True
                await (self._deal(loaded, pending) if pending.bot is None else self._move(loaded, pending, pending.bot))
                return
            except asyncio.CancelledError:
                if _is_cancelled():
                    raise
                log.error("duty-cancelled")  # by something that it waited for
            except Exception:
                log.exception("duty-failed")
            await asyncio.sleep(RETRY_S[min(tries, len(RETRY_S) - 1)])
            tries += 1

    async def _move(self, loaded: LoadedTable, pending: PendingAction, bot: str) -> None:
        """Let a bot decide. Its move is made after a fixed time, so that how long it thought tells nothing."""
        begun = asyncio.get_running_loop().time()
        move = await self.bots.choose(bot, loaded.table.started_match.view(pending.seat))
        await self._wait(loaded, begun)
        await self._do(loaded, pending, lambda table: play_for_bot(table, pending.seat, move))

    async def _wait(self, loaded: LoadedTable, begun: float) -> None:
        """Wait until a bot's turn has taken its time; that may be changed in the meantime."""
        loop = asyncio.get_running_loop()
        while (left := begun + loaded.pace_ms / 1000 - loop.time()) > 0:
            loaded.hurry.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await loaded.hurry.wait()
        await asyncio.sleep(0)

    async def _deal(self, loaded: LoadedTable, pending: PendingAction) -> None:
        """Deal the next round when the rest between rounds is over."""
        if pending.round > 0:
            await asyncio.sleep(loaded.table.rest_s)
        await self._do(loaded, pending, deal)

    async def _do(self, loaded: LoadedTable, pending: PendingAction, decide: Decision) -> None:
        """Do what was pending, if it still is."""
        await self._change(loaded, lambda table: decide(table) if table.pending == pending else [])


def _is_cancelled() -> bool:
    """Whether it is this task that was cancelled, and not what it waited for."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


def is_made(move: PendingAction, loaded: LoadedTable) -> bool:
    """Whether a move has been made that was pending."""
    rounds = loaded.table.started_match.rounds
    return (len(rounds) - 1, len(rounds[-1].moves)) > (move.round, move.ply)


def owed_by_bots(tables: Iterable[LoadedTable]) -> int:
    """How many moves bots have to make: one counts until it is told, however long the bot thinks."""
    return sum(loaded.pending is not None and loaded.pending.bot is not None for loaded in tables)


def overdue(tables: Iterable[LoadedTable]) -> list[float]:
    """For how many seconds the server has owed each move or deal that is overdue."""
    now, found = time.monotonic(), []
    for loaded in tables:
        pending = loaded.pending
        if pending is not None and pending == loaded.table.pending:
            own = loaded.table.rest_s if pending.bot is None else loaded.pace_ms / 1000
            found.append(now - loaded.pending_since - own - OVERDUE_S)
    return [late for late in found if late > 0]
