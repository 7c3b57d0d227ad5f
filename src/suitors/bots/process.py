"""A program that runs beside this one: lines are sent to it and read from it, each until a deadline."""

import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from .failure import BotFailure

EXIT_WAIT_S = 1.0
"""How long a program that has closed its pipes may take to end, so that its exit status can be told."""

LONGEST = 1 << 16
"""Bytes in the longest line that is read."""


class ProgramProcess:
    """A running program. Whatever it does wrong is a BotFailure; it stays to be ended by `kill`."""

    def __init__(self, command: str | Sequence[str], directory: Path | None = None) -> None:
        """Start a command line, or its words, in a session of its own: all that it starts can be ended with it."""
        pipe = subprocess.PIPE
        try:
            words = shlex.split(command) if isinstance(command, str) else command
            process = subprocess.Popen(words, stdin=pipe, stdout=pipe, bufsize=0, start_new_session=True, cwd=directory)
        except (OSError, ValueError, IndexError) as error:
            raise BotFailure(f"could not be started: {error}") from None
        assert process.stdin is not None
        assert process.stdout is not None
        os.set_blocking(process.stdin.fileno(), False)
        self._process = process
        self._input, self._output = process.stdin, process.stdout
        self._unread = b""

    def send(self, text: bytes, deadline: float) -> None:
        """Send bytes; the program must read them in time."""
        while text:
            _wait(self._input, selectors.EVENT_WRITE, deadline)
            try:
                text = text[os.write(self._input.fileno(), text) :]
            except BlockingIOError:
                continue
            except OSError:
                raise BotFailure(f"stopped reading ({self._status()})") from None

    def read_line(self, deadline: float) -> bytes:
        """The next line of the program, without its end."""
        while b"\n" not in self._unread:
            self._unread += self._read(deadline)
            if len(self._unread) > LONGEST:
                raise BotFailure(f"answered more than {LONGEST} bytes without a line's end")
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def check_silence(self) -> None:
        """Raise a BotFailure where the program has said something that nobody has read."""
        if not self._unread and _is_ready(self._output, selectors.EVENT_READ, time.monotonic()):
            self._unread = os.read(self._output.fileno(), LONGEST)
        if self._unread:
            raise BotFailure(f"said {self._unread[:80]!r} without being asked")

    def wait(self, deadline: float) -> None:
        """Let the program end by itself until the deadline: there is nothing more to read for it."""
        self._input.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, deadline - time.monotonic()))

    def kill(self) -> None:
        """End the program, and whatever it has started."""
        self._input.close()
        self._output.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _read(self, deadline: float) -> bytes:
        """Some bytes of the program, waited for until the deadline."""
        _wait(self._output, selectors.EVENT_READ, deadline)
        chunk = os.read(self._output.fileno(), LONGEST)
        if not chunk:
            raise BotFailure(f"ended instead of answering ({self._status()})")
        return chunk

    def _status(self) -> str:
        """How a program that has closed a pipe ended, if it does so at all."""
        try:
            return f"exit status {self._process.wait(EXIT_WAIT_S)}"
        except subprocess.TimeoutExpired:
            return "still running"


def _wait(pipe: IO[bytes], event: int, deadline: float) -> None:
    """Wait until the pipe can be read or written, at most until the deadline."""
    if not _is_ready(pipe, event, deadline):
        raise BotFailure("did not answer in time")


def _is_ready(pipe: IO[bytes], event: int, deadline: float) -> bool:
    """Whether the pipe can be read or written before the deadline."""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, event)
        return bool(selector.select(max(0.0, deadline - time.monotonic())))
