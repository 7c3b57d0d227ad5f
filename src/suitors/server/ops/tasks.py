"""Background tasks of the event loop, held until they end; a failure is logged."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from inspect import isawaitable
from typing import Any

from .request_ids import REQUEST_ID

log = logging.getLogger(__name__)


async def survive(work: Callable[[], Any]) -> None:
    """Call a function, or a coroutine function, as a part of a loop: a failure is logged, and the loop goes on."""
    try:
        outcome = work()
        if isawaitable(outcome):
            await outcome
    except Exception:
        log.exception("maintenance-failed", extra={"data": {"what": work.__name__}})


class BackgroundTasks:
    """Tasks that nobody waits for."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine; it belongs to no request, and may go on long after the one that led to it."""
        context = copy_context()
        context.run(REQUEST_ID.set, None)
        task = asyncio.get_running_loop().create_task(work, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def cancel(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("duty-failed", exc_info=error)
