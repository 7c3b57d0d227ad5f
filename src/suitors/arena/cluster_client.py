"""A connection to a Dask cluster: opened within bounded time, watched while it works, and closed without a trace."""

import asyncio
import logging
import queue
import re
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Self

from ..errors import SuitorsError
from .alike import check_same, identity
from .runner import ArenaError
from .workers import ignoring_interrupts

CONNECT_S = 10.0
"""How long a cluster may take to answer, and then to have its first worker, in seconds."""

LOCAL_S = 120.0
"""The same for one that is being started on this machine, which may be busy."""

ALONE_S = 60.0
"""How long a cluster may be without any worker while it works."""

LOOK_S = 2.0
"""How often the workers are counted."""

MOST_LOCAL = 512

ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(?:[^\s/:\[\]]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}")
NEEDED = "--cluster needs Dask: pip install 'suitors[cluster]'."


class ClusterLost(ArenaError):
    """The cluster has gone while it worked; what it had finished was passed on before."""


class ClusterClient:
    """A cluster that is worked with: `submit` hands out calls, `next_result` waits for one of them."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.local = _local_workers(address)
        self.workers = 0
        self.looked = self.seen = 0.0  # when the workers were counted last, and when there were any
        self.futures: dict[str, tuple[int, Any]] = {}
        self.done: queue.SimpleQueue[str] = queue.SimpleQueue()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self.dask = _distributed()
            stack.enter_context(_quiet())
            self.client = self._connect(stack)
            stack.callback(self._close)
            self._await_workers()
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def _connect(self, stack: ExitStack) -> Any:
        scheduler = self.address if self.local is None else stack.enter_context(self._local_cluster(self.local))
        wait = CONNECT_S if self.local is None else LOCAL_S
        try:
            if self.local is None:
                asyncio.run(asyncio.wait_for(self._knock(), CONNECT_S))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of versions that differ: they are checked here
                return self.dask.Client(scheduler, timeout=wait, set_as_default=False)
        except Exception as error:  # whatever an address leads to
            raise _refused(self.address, error) from None

    async def _knock(self) -> None:
        """Make sure that a scheduler answers: a client of anything else is not built, and not closed again for long."""
        arguments = self.dask.Security().get_connection_args("client")
        async with self.dask.rpc(self.address, connection_args=arguments, timeout=CONNECT_S) as scheduler:
            found = await scheduler.identity()
        if found["type"] != "Scheduler":
            raise OSError(f"a {found['type']} answers there, not the scheduler")

    @contextmanager
    def _local_cluster(self, workers: int) -> Iterator[str]:
        """Processes of this machine, which end with this one whatever happens to it."""
        with ignoring_interrupts(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cluster = self.dask.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
        try:
            yield cluster.scheduler_address
        finally:
            cluster.close(timeout=CONNECT_S)

    def _await_workers(self) -> None:
        try:
            self.client.wait_for_workers(1, timeout=CONNECT_S if self.local is None else LOCAL_S)
        except (TimeoutError, OSError):
            raise SuitorsError("bad-cluster", f"The cluster at {self.address} has no workers.") from None
        self._look()

    def check_alike(self) -> None:
        """Refuse a cluster whose scheduler or workers are not of the same versions as this process."""
        try:
            scheduler = self._ask(self.client.run_on_scheduler)
            workers = self._ask(self.client.run)
        except TimeoutError:
            raise SuitorsError("bad-cluster", f"A machine of the cluster at {self.address} does not answer.") from None
        except Exception as error:  # what cannot be imported there, or a connection that breaks
            text = f"The cluster at {self.address} cannot run this version of Suitors: {type(error).__name__}: {error}."
            raise SuitorsError("bad-cluster", text) from None
        check_same(identity(), scheduler, "The scheduler")
        for worker, found in workers.items():
            check_same(identity(), found, f"The worker at {worker}")

    def _ask(self, run: Callable[..., Any]) -> Any:
        """What scheduler or workers say of themselves, within bounded time: one of them may hang."""

        async def ask() -> Any:
            return await run(identity)

        return self.client.sync(ask, callback_timeout=CONNECT_S)

    def submit(self, number: int, function: Callable[..., Any], *arguments: Any) -> None:
        """Let a worker call a function; if it dies, another one does."""
        try:
            future = self.client.submit(function, *arguments, pure=False)
        except Exception as error:
            raise self._lost() from error
        self.futures[future.key] = number, future
        future.add_done_callback(lambda done: self.done.put(done.key))

    def next_result(self) -> tuple[int, Any] | None:
        """A finished call by its number, with its result; None where there is none yet."""
        try:
            key = self.done.get(timeout=LOOK_S)
        except queue.Empty:
            self._look()
            return None
        if time.monotonic() >= self.looked + LOOK_S:
            self._look()
        number, future = self.futures[key]
        try:
            result = future.result(timeout=CONNECT_S)
        except TimeoutError:  # the worker that had it died: it is called again
            self.done.put(key)
            self._look()
            return None
        except Exception as error:
            raise self._failure(error, future.status) from None
        del self.futures[key]
        return number, result

    def _look(self) -> None:
        """Count the workers; raise ClusterLost where the scheduler has gone, or all workers for long."""
        if self.client.status != "running":
            raise self._lost()
        try:
            self.workers = len(self.client.sync(self.client.scheduler.ncores, workers=None, callback_timeout=CONNECT_S))
        except Exception as error:
            raise self._lost() from error
        self.looked = time.monotonic()
        if self.workers:
            self.seen = self.looked
        elif self.looked > self.seen + ALONE_S:
            raise ClusterLost(f"The cluster at {self.address} has no workers any more.")

    def _failure(self, error: Exception, status: str) -> Exception:
        """What to raise where a call has failed, or was lost with the scheduler."""
        if status != "error":
            return self._lost()
        if isinstance(error, SuitorsError | ArenaError):
            return error
        if isinstance(error, self.dask.KilledWorker):
            return ArenaError("A task was given up: each worker that took it has died.")
        return ArenaError(f"A worker failed: {type(error).__name__}: {error}")

    def _lost(self) -> ClusterLost:
        return ClusterLost(f"The cluster at {self.address} has gone.")

    def _close(self) -> None:
        """Take back what has not begun, and hang up."""
        with suppress(Exception):
            if self.client.status == "running":
                self.client.cancel([future for _, future in self.futures.values()], force=True)
        self.futures.clear()
        with suppress(Exception):
            self.client.close(timeout=CONNECT_S)


def _local_workers(address: str) -> int | None:
    """How many processes `local:N` asks for; None where the address is another one. Refuses what is no address."""
    kind, _, count = address.partition(":")
    if kind == "local" and count.isascii() and count.isdigit() and 1 <= int(count[:9]) <= MOST_LOCAL:
        return int(count)
    if kind == "local" or not ADDRESS.fullmatch(address):
        text = (
            f"A cluster is the HOST:PORT of its scheduler, or local:N with N up to {MOST_LOCAL}, not '{address:.80}'."
        )
        raise SuitorsError("bad-cluster", text)
    return None


def _distributed() -> Any:
    try:
        import distributed  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("suitors"):
            raise
        raise SuitorsError("bad-cluster", NEEDED) from None
    return distributed


def _refused(address: str, error: Exception) -> SuitorsError:
    known = isinstance(error, OSError | TypeError)  # that of a lacking TLS configuration is a TypeError
    reason = str(error).strip().splitlines() if known else ["what answers there is no scheduler"]
    return SuitorsError(
        "bad-cluster", f"There is no cluster at {address}: {reason[0].rstrip('.') if reason else 'nobody answers'}."
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask from writing to standard error: what matters is raised."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
