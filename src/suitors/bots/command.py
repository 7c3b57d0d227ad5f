"""Version 1 of the bot protocol: a program reads a view on a line of JSON and answers with a move on another."""

import json
import random
import time
from collections.abc import Sequence
from pathlib import Path

from ..view.data import view_data
from ..view.match import View
from ..view.solo import SoloView
from .failure import BotFailure
from .process import ProgramProcess
from .program import ProgramBot

GRACE_S = 10.0
"""How much longer than its budget a program may take: it may have to start first."""

START_S = 60.0
"""How much longer than its budget the very first answer may take: a program may have to compile once."""

PATIENCE_S = 60.0
"""How long a program without a budget may take."""


class CommandBot(ProgramBot):
    """A program that needs to remember nothing: every question has the whole view. It plays all seats of its bot."""

    def __init__(self, command: str | Sequence[str], directory: Path | None = None) -> None:
        self.command = command
        self.directory = directory
        self.process: ProgramProcess | None = None
        self.grace_s = START_S

    def __call__(self, view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
        """Ask the program for a move; it is started at its first decision."""
        del rng
        try:
            return self._choose(view, budget_ms)
        except BotFailure:
            self.close()
            raise

    def prepare(self, view: View | SoloView) -> bool:
        """Nothing can be said to it before the question."""
        del view
        return self.process is None

    def end_match(self, view: View | SoloView, winners: Sequence[int], forfeit: Sequence[int]) -> None:
        """It is not told."""

    def close(self) -> None:
        """End the program, and whatever it has started."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()

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

    def _ask(self, request: bytes, deadline: float) -> bytes:
        if self.process is None:
            self.process = ProgramProcess(self.command, self.directory)
        self.process.send(request, deadline)
        return self.process.read_line(deadline)
