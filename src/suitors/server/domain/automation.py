"""What the server does at tables by itself: it lets bots move, and deals when the rest between rounds is over."""

import asyncio
from collections.abc import Awaitable, Callable

from ..ops.bot_pool import BotPool
from ..ops.metrics import Metrics
from ..ops.tasks import BackgroundTasks
from .commands import Decision, deal, play_for_bot
from .loaded import LoadedTable
from .table import PendingAction

ChangeTable = Callable[[LoadedTable, Decision], Awaitable[int]]


class Automation:
    """Does what is pending at the loaded tables, one task a table."""

    def __init__(self, bots: BotPool, metrics: Metrics, tasks: BackgroundTasks, change: ChangeTable) -> None:
        self.bots = bots
        self.metrics = metrics
        self._tasks = tasks
        self._change = change

    def update(self, loaded: LoadedTable) -> None:
        """Start what is pending at the table now, unless that is being done already; what was pending before ends."""
        pending = loaded.table.pending
        if pending == loaded.pending:
            return
        if loaded.task is not None:
            loaded.task.cancel()
        loaded.pending, loaded.task = pending, None
        if pending is not None:
            work = self._deal(loaded, pending) if pending.bot is None else self._move(loaded, pending, pending.bot)
            loaded.task = self._tasks.start(work)

    def prepare(self, loaded: LoadedTable, since: int) -> None:
        """Let the bots that have come to the table since a state load what they need before their first decision."""
        for event, _ in loaded.table.events[since:]:
            if "bot" in event:
                self.bots.prepare(event["bot"])

    async def _move(self, loaded: LoadedTable, pending: PendingAction, bot: str) -> None:
        """Let a bot decide. Its move is made after a fixed time, so that how long it thought tells nothing."""
        loop = asyncio.get_running_loop()
        due = loop.time() + loaded.table.pace_ms / 1000
        with self.metrics.thinking.time():
            move = await self.bots.choose(bot, loaded.table.started_match.view(pending.seat))
        await asyncio.sleep(max(0.0, due - loop.time()))
        await self._do(loaded, pending, lambda table: play_for_bot(table, pending.seat, move))

    async def _deal(self, loaded: LoadedTable, pending: PendingAction) -> None:
        """Deal the next round when the rest between rounds is over."""
        if pending.round > 0:
            await asyncio.sleep(loaded.table.rest_s)
        await self._do(loaded, pending, deal)

    async def _do(self, loaded: LoadedTable, pending: PendingAction, decide: Decision) -> None:
        """Do what was pending, if it still is."""
        await self._change(loaded, lambda table: decide(table) if table.pending == pending else [])
