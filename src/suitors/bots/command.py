"""Programs as bots: a process that reads a view on a line of JSON and answers with a move on another."""

import json
import os
import random
import selectors
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from typing import IO

from ..view.data import view_data
from ..view.match import View
from ..view.solo import SoloView
from .failure import BotFailure

GRACE_S = 10.0
"""How much longer than its budget a program may take: it may have to start first."""

START_S = 60.0
"""How much longer than its budget the very first answer may take: a program may have to compile once."""

PATIENCE_S = 60.0
"""How long a program without a budget may take."""

EXIT_WAIT_S = 1.0
"""How long a program that has closed its pipes may take to end, so that its exit status can be told."""

LONGEST = 1 << 16
"""Bytes in the longest answer that is read."""


class CommandBot:
    """A bot that is a program in any language. It is started at its first decision and ended by `close`."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.process: subprocess.Popen[bytes] | None = None
        self.unread = b""
        self.grace_s = START_S

    def __call__(self, view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
        """Ask the program for a move; chance is its own affair. After a failure it is started anew."""
        del rng
        try:
            return self._choose(view, budget_ms)
        except BotFailure:
            self.close()
            raise

    def _choose(self, view: View | SoloView, budget_ms: float | None) -> str:
        request = {"view": view_data(view), "legal": list(view.legal), "budget_ms": budget_ms}
        grace, self.grace_s = self.grace_s, GRACE_S
        wait = PATIENCE_S if budget_ms is None else budget_ms / 1000 + grace
        answer = self._ask(json.dumps(request).encode() + b"\n", time.monotonic() + wait)
        try:
            move = json.loads(answer)["move"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise BotFailure(f"answered {answer[:80]!r} instead of an object with a move") from None
        if move not in view.legal:
            raise BotFailure(f"answered {move!r:.60}, which is not among the legal moves")
        return str(move)

    def close(self) -> None:
        """End the program, and whatever it has started."""
        process, self.process, self.unread = self.process, None, b""
        if process is not None:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.close()
            process.stdout.close()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _ask(self, request: bytes, deadline: float) -> bytes:
        process = self._started()
        while request:
            request = request[self._write(process, request, deadline) :]
        while b"\n" not in self.unread:
            self.unread += self._read(process, deadline)
            if len(self.unread) > LONGEST:
                raise BotFailure(f"answered more than {LONGEST} bytes without a line's end")
        answer, _, self.unread = self.unread.partition(b"\n")
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            try:
                self.process = _start(shlex.split(self.command))
            except (OSError, ValueError, IndexError) as error:
                raise BotFailure(f"could not be started: {error}") from None
        return self.process

    def _write(self, process: subprocess.Popen[bytes], request: bytes, deadline: float) -> int:
        """Send some bytes of the request, as many as the program takes at once; how many they were."""
        assert process.stdin is not None
        _wait(process.stdin, selectors.EVENT_WRITE, deadline)
        try:
            return os.write(process.stdin.fileno(), request)
        except BlockingIOError:
            return 0
        except OSError:
            raise BotFailure(f"stopped reading ({_status(process)})") from None

    def _read(self, process: subprocess.Popen[bytes], deadline: float) -> bytes:
        """Some bytes of the answer, waited for until the deadline."""
        assert process.stdout is not None
        _wait(process.stdout, selectors.EVENT_READ, deadline)
        chunk = os.read(process.stdout.fileno(), LONGEST)
        if not chunk:
            raise BotFailure(f"ended instead of answering ({_status(process)})")
        return chunk


def _start(words: list[str]) -> subprocess.Popen[bytes]:
    """Start the program in a session of its own, so that it can be ended with all that it starts."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, stdin=pipe, stdout=pipe, bufsize=0, start_new_session=True)
    assert process.stdin is not None
    os.set_blocking(process.stdin.fileno(), False)
    return process


def _wait(pipe: IO[bytes], event: int, deadline: float) -> None:
    """Wait until the pipe can be read or written, at most until the deadline."""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, event)
        if not selector.select(max(0.0, deadline - time.monotonic())):
            raise BotFailure("did not answer in time")


def _status(process: subprocess.Popen[bytes]) -> str:
    """How a program that has closed a pipe ended, if it does so at all."""
    try:
        return f"exit status {process.wait(EXIT_WAIT_S)}"
    except subprocess.TimeoutExpired:
        return "still running"
