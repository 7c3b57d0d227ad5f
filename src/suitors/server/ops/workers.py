"""Processes that work for the server, each on one thing at a time: one that hangs or dies takes nothing with it."""

import asyncio
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from ...bots import use_cores

log = logging.getLogger(__name__)

T = TypeVar("T")

SHUTDOWN_S = 5.0
"""How long the thread that manages a process may take to end."""


class WorkerLost(Exception):
    """There is no process any more, and no answer from it."""


class WorkerDied(WorkerLost):
    """It died by itself."""


class WorkerSilent(WorkerLost):
    """It took too long, and was ended."""


class Worker:
    """One process, started when it is first needed."""

    def __init__(self, niceness: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._executor = ProcessPoolExecutor(1, context, set_up_worker, (niceness,))

    async def call(self, function: Callable[..., T], given: tuple[Any, ...], limit_s: float) -> T:
        """What the function returns; whatever it raises is raised, and a WorkerLost where there is no answer."""
        loop = asyncio.get_running_loop()
        try:
            return await asyncio.wait_for(loop.run_in_executor(self._executor, function, *given), limit_s)
        except TimeoutError:
            raise WorkerSilent(f"no answer within {limit_s:.0f} s") from None
        except BrokenExecutor:
            raise WorkerDied("the process died") from None

    def kill(self) -> threading.Thread | None:
        """End the process, whatever it is doing; returns the thread that manages it, which ends soon."""
        processes = list((self._executor._processes or {}).values())
        manager: Any = self._executor._executor_manager_thread  # typeshed takes it for something else
        self._executor.shutdown(wait=False, cancel_futures=True)  # it forgets the processes here
        for process in processes:
            process.kill()
        found: threading.Thread | None = manager
        return found


class WorkerPool:
    """So many processes; who comes when all are busy waits, and a process that is lost is replaced by itself alone."""

    def __init__(self, size: int, niceness: int) -> None:
        self.size = size
        self._niceness = niceness
        self._free = asyncio.Semaphore(size)
        self._idle: list[Worker] = []
        self._busy: dict[asyncio.Task[Any], Worker] = {}
        self._closed = False

    async def call(self, function: Callable[..., T], *given: Any, limit_s: float) -> T:
        """Call a function in a process. A caller who is cancelled leaves it busy until it is done, or out of time."""
        await self._free.acquire()
        worker = self._idle.pop() if self._idle else Worker(self._niceness)
        task = asyncio.ensure_future(worker.call(function, given, limit_s))
        self._busy[task] = worker
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    def close(self) -> None:
        """End all processes; what they were doing is cancelled."""
        self._closed = True
        for task in self._busy:
            task.cancel()
        for manager in [worker.kill() for worker in (*self._idle, *self._busy.values())]:
            if manager is not None:
                manager.join(SHUTDOWN_S)  # or the end of the program would disturb it
        self._idle.clear()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        worker = self._busy.pop(task)
        if self._closed:
            return
        if task.cancelled() or isinstance(task.exception(), WorkerLost):
            why = "cancelled" if task.cancelled() else str(task.exception())
            log.warning("worker-lost", extra={"data": {"why": why}})
            worker.kill()
        else:
            self._idle.append(worker)
        self._free.release()


def set_up_worker(niceness: int) -> None:
    """Set up a new process: one thread, of lower priority than the server, and an end when the server ends."""
    use_cores(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(0)
