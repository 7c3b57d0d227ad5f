"""Programs as bots: a process that reads a view on a line of JSON and answers with a move on another."""

import json
import os
import random
import selectors
import shlex
import subprocess
import time

from ..view import View
from ..viewdata import view_data
from .failure import BotFailure

GRACE_S = 10.0
"""How much longer than its budget a program may take: it may have to start first."""

PATIENCE_S = 60.0
"""How long a program without a budget may take."""

LONGEST = 1 << 16
"""Bytes in the longest answer that is read."""


class CommandBot:
    """A bot that is a program of any language. It is started at its first decision and ended by `close`."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.process: subprocess.Popen[bytes] | None = None
        self.unread = b""

    def __call__(self, view: View, rng: random.Random, budget_ms: float | None) -> str:
        """Ask the program for a move; chance is its own affair. After a failure it is started anew."""
        del rng
        try:
            return self._choose(view, budget_ms)
        except BotFailure:
            self.close()
            raise

    def _choose(self, view: View, budget_ms: float | None) -> str:
        request = {"view": view_data(view), "legal": list(view.legal), "budget_ms": budget_ms}
        wait = PATIENCE_S if budget_ms is None else budget_ms / 1000 + GRACE_S
        answer = self._ask(json.dumps(request).encode() + b"\n", time.monotonic() + wait)
        try:
            move = json.loads(answer)["move"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise BotFailure(f"answered {answer[:80]!r} instead of an object with a move") from None
        if move not in view.legal:
            raise BotFailure(f"answered {move!r:.60}, which is not among the legal moves")
        return str(move)

    def close(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None
            self.unread = b""

    def _ask(self, request: bytes, deadline: float) -> bytes:
        process = self._started()
        assert process.stdin is not None
        try:
            process.stdin.write(request)
            process.stdin.flush()
        except OSError:
            raise BotFailure(f"stopped reading (exit status {process.poll()})") from None
        while b"\n" not in self.unread:
            self.unread += self._read(process, deadline)
            if len(self.unread) > LONGEST:
                raise BotFailure(f"answered more than {LONGEST} bytes without a line's end")
        answer, _, self.unread = self.unread.partition(b"\n")
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            try:
                words = shlex.split(self.command)
                self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            except (OSError, ValueError) as error:
                raise BotFailure(f"could not be started: {error}") from None
        return self.process

    def _read(self, process: subprocess.Popen[bytes], deadline: float) -> bytes:
        """Some bytes of the answer, waited for until the deadline."""
        assert process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise BotFailure("did not answer in time")
        chunk = os.read(process.stdout.fileno(), LONGEST)
        if not chunk:
            raise BotFailure(f"ended instead of answering (exit status {process.wait(5)})")
        return chunk
