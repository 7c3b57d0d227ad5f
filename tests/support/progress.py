"""A pytest plugin that names the tests still running when a run with several workers stalls or comes to its end."""

import threading
import time
from collections.abc import Callable

import pytest

STALLED = 20.0
"""Seconds without a finished test until the running ones are named."""

ENDING = 5.0
"""The same when a worker has nothing left to do."""

LONGEST = 6
"""How many tests are named."""


class Watch:
    """Which tests are running since when, and whether it is time to say so."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._most = 0
        self._spoke = 0.0
        self._repeats = 0

    def start(self, test: str, now: float) -> None:
        """A test begins."""
        self._since[test] = now
        self._most = max(self._most, len(self._since))

    def finish(self, test: str, now: float) -> None:
        """A test has ended, or its process has."""
        self._since.pop(test, None)
        self._spoke, self._repeats = now, 0

    def line(self, now: float) -> str | None:
        """The line to print now, if any; while nothing finishes it comes at ever longer intervals."""
        patience = ENDING if len(self._since) < self._most else STALLED
        since = max(self._spoke, min(self._since.values(), default=now))
        if not self._since or now - since < patience * 2**self._repeats:
            return None
        self._spoke, self._repeats = now, self._repeats + 1
        oldest = sorted(self._since, key=lambda test: self._since[test])
        names = [f"{test} ({now - self._since[test]:.0f} s)" for test in oldest[:LONGEST]]
        more = [f"and {len(oldest) - LONGEST} more"] if len(oldest) > LONGEST else []
        return "still running: " + ", ".join(names + more)


class Progress:
    """Follows the tests by pytest's hooks and prints from a thread, for a stalled run calls no hook."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self.watch = Watch()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def pytest_sessionstart(self) -> None:
        self._thread.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        with self._lock:
            self.watch.start(nodeid, time.monotonic())

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        with self._lock:
            self.watch.finish(nodeid, time.monotonic())

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str) -> None:
        """The worker of this test died, so its end is never reported."""
        self.pytest_runtest_logfinish(crashitem)

    def pytest_unconfigure(self) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _follow(self) -> None:
        while not self._ended.wait(min(1.0, ENDING)):
            with self._lock:
                line = self.watch.line(time.monotonic())
            if line:
                self._write(line)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Follow the tests where they are distributed to workers (in a worker the terminal is out of reach)."""
    if not all(map(config.pluginmanager.has_plugin, ("dsession", "terminalreporter"))):
        return
    writer = config.get_terminal_writer()

    def write(line: str) -> None:
        start = "\n" if writer.width_of_current_line else ""
        writer.line(start + line)
        writer.flush()

    config.pluginmanager.register(Progress(write), "suitors-progress")
