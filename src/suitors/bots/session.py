"""Version 2 of the bot protocol: a program is told what happens as a match goes on, and asked for its moves.

Every seat that a bot plays has a process of its own, so that no program sees two hands.
"""

import json
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from .. import __version__
from ..records.strict_json import NotJson, parse
from ..view.match import View
from ..view.solo import SoloView
from .failure import BotFailure
from .hello import PROTOCOL, Hello, read_hello
from .messages import Message, SeatMessages
from .process import ProgramProcess
from .program import OptionValue, Program, ProgramBot

HELLO_S = 60.0
"""How long a program may take to say hello, and again to be ready: it may have to compile, or to load something."""

GRACE_S = 10.0
"""How much longer than its budget an answer may take before the program is ended."""

PATIENCE_S = 60.0
"""How long an answer may take without a budget."""

NEWS_S = 5.0
"""How long a program may take to read the end of a match."""

QUIT_S = 1.0
"""How long a program may take to end."""


class Session:
    """A running program, which plays one seat at a time."""

    def __init__(self, program: Program) -> None:
        self.process = ProgramProcess(program.command, program.directory)
        self.hello: Hello | None = None
        self.messages: SeatMessages | None = None

    def introduce(self, options: Mapping[str, OptionValue]) -> None:
        """Exchange hellos and set the options."""
        greeting = {"type": "hello", "protocol": PROTOCOL, "name": "Suitors", "version": __version__}
        try:
            answer = self._ask([greeting], "hello", HELLO_S)
        except BotFailure as failure:
            raise BotFailure(f"{failure}, when it was to say hello (programs of version 1 are called cmd:)") from None
        self.hello = read_hello(answer)
        self._ask([{"type": "options", "values": self.hello.option_values(options)}], "ready", HELLO_S)

    def choose(self, view: View | SoloView, budget_ms: float | None) -> str:
        """Tell what has happened since the last question, and ask for a move."""
        assert self.hello is not None
        messages: list[Message] = []
        if self.messages is None or not self.messages.belongs_to(view):
            self.messages = SeatMessages(view, numbered=self.hello.actions)
            messages.append(self.messages.match(view))
        messages += self.messages.question(view, budget_ms)
        wait = PATIENCE_S if budget_ms is None else budget_ms / 1000 + GRACE_S
        move = self._ask(messages, "move", wait).get("move")
        if move not in view.legal:
            raise BotFailure(f"answered {move!r:.60}, which is not among the legal moves")
        return str(move)

    def end_match(self, view: View | SoloView, winners: Sequence[int], forfeit: Sequence[int]) -> None:
        """Tell how the match ended."""
        if self.messages is not None:
            self._send(self.messages.match_over(view, winners, forfeit), time.monotonic() + NEWS_S)
            self.messages = None

    def quit(self) -> None:
        """Ask the program to end."""
        with suppress(BotFailure):
            self._send([{"type": "quit"}], time.monotonic())

    def _ask(self, messages: Iterable[Message], answer: str, wait: float) -> dict[str, Any]:
        """Send messages, and read the answer of this type."""
        deadline = time.monotonic() + wait
        self.process.check_silence()
        self._send(messages, deadline)
        return read_answer(self.process.read_line(deadline), answer)

    def _send(self, messages: Iterable[Message], deadline: float) -> None:
        text = "".join(f"{json.dumps(message, separators=(',', ':'))}\n" for message in messages)
        self.process.send(text.encode(), deadline)


def read_answer(line: bytes, wanted: str) -> dict[str, Any]:
    """A message of the program, which must be of this type."""
    try:
        data = parse(line)
    except NotJson:
        data = None
    kind = data.get("type") if isinstance(data, dict) else None
    if kind == "error":
        raise BotFailure(f"reported an error: {data.get('message')!r:.200}")
    if kind != wanted:
        raise BotFailure(f"answered {line[:80]!r} instead of an object whose type is '{wanted}'")
    answer: dict[str, Any] = data
    return answer


class SessionBot(ProgramBot):
    """A program that speaks version 2, in as many processes as it has seats."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.playing: dict[int | None, Session] = {}  # by seat
        self.idle: list[Session] = []

    def __call__(self, view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
        """Ask the process of the seat."""
        del rng
        self.prepare(view)
        with self._ending_failures(view.seat) as session:
            return session.choose(view, budget_ms)

    def prepare(self, view: View | SoloView) -> bool:
        """See to it that the seat has a process that has said hello."""
        if view.seat in self.playing:
            return False
        if self.idle:
            self.playing[view.seat] = self.idle.pop()
            return False
        self.playing[view.seat] = Session(self.program)
        with self._ending_failures(view.seat) as session:
            session.introduce(self.program.options)
        return False

    def end_match(self, view: View | SoloView, winners: Sequence[int], forfeit: Sequence[int]) -> None:
        """Tell the process of the seat; a process that does not read it has lost nothing, but is not used again."""
        if view.seat not in self.playing:
            return
        with suppress(BotFailure), self._ending_failures(view.seat) as session:
            session.end_match(view, winners, forfeit)
            self.idle.append(self.playing.pop(view.seat))

    def close(self) -> None:
        """Ask all processes to end, and end those that do not."""
        sessions = [*self.playing.values(), *self.idle]
        self.playing, self.idle = {}, []
        for session in sessions:
            session.quit()
        deadline = time.monotonic() + QUIT_S
        for session in sessions:
            session.process.wait(deadline)
            session.process.kill()

    @contextmanager
    def _ending_failures(self, seat: int | None) -> Iterator[Session]:
        """The process of a seat, which is ended where it fails."""
        try:
            yield self.playing[seat]
        except BotFailure:
            self.playing.pop(seat).process.kill()
            raise


def try_options(program: Program) -> None:
    """Start a program and set its options. Raises BadOption where it does not take one, BotFailure where it fails."""
    session = Session(program)
    try:
        session.introduce(program.options)
        session.quit()
        session.process.wait(time.monotonic() + QUIT_S)
    finally:
        session.process.kill()
