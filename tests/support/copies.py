"""Processes of Python programs that start as copies of one which has loaded the server: loading is most of a start."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Any

_starting = threading.Lock()


class LoadedProcess:
    """The process that is copied."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair()
        with theirs:
            program = [sys.executable, str(Path(__file__).with_name("loaded.py"))]
            self.process = subprocess.Popen(program, stdin=theirs.fileno())

    def copy(self, words: tuple[str, ...], *files: int) -> None:
        """Let a copy run the program with these files."""
        request = {"words": words, "environment": dict(os.environ)}
        rest = json.dumps(request).encode() + b"\n"
        rest = rest[socket.send_fds(self.control, [rest], files) :]
        self.control.sendall(rest)

    def end(self) -> None:
        """End it; copies go on."""
        self.control.close()
        self.process.wait()


@cache
def loaded_process() -> LoadedProcess:
    """The process that is copied for this process of tests."""
    return LoadedProcess()


def end_loaded_process() -> None:
    """End the process that is copied, if there is one."""
    if loaded_process.cache_info().currsize:
        loaded_process().end()
        loaded_process.cache_clear()


def pipe() -> tuple[IO[str], IO[str]]:
    """Both ends of a pipe, the one to read from first."""
    read, write = os.pipe()
    return os.fdopen(read, encoding="utf-8"), os.fdopen(write, "w")


class Copy:
    """A process that runs what follows `python` on a command line, in a session of its own; it is used like a Popen."""

    def __init__(self, *words: str, stderr: IO[Any] | None = None) -> None:
        """Start it. Its standard output is read as text, and its standard error where no file is given for that."""
        self.returncode: int | None = None
        self.stdout, out = pipe()
        self.stderr, err = pipe()
        self._told, teller = pipe()
        with out, err, teller, _starting:
            loaded_process().copy(words, out.fileno(), (stderr or err).fileno(), teller.fileno())
        self.pid = int(self._told.readline())

    def poll(self) -> int | None:
        """Its exit status, if it has ended."""
        if self.returncode is None and select.select([self._told], [], [], 0)[0]:
            self._end()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, when it has ended."""
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a copy", timeout or 0.0)
            self._end()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """kill -9."""
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """Read nothing more from it."""
        self.stdout.close()
        self.stderr.close()

    def _end(self) -> None:
        with self._told:
            self.returncode = int(self._told.readline())


@contextmanager
def running_copy(*words: str) -> Iterator[Copy]:
    """A program in a copy, ended whatever happens."""
    process = Copy(*words)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.close()
