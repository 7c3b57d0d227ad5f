"""Bots: each chooses a move from a view alone, `choose(view, rng, budget_ms) -> move`.

The package itself can be asked for a bot by its name: `suitors.bots["expert"].choose(view)`.
"""

import random
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType, ModuleType

from ..chance import choose_rng
from ..errors import SuitorsError, brief
from ..view.match import View
from ..view.solo import SoloView
from . import beginner, counting, expert, novice, search, uniform
from .bots_file import read_programs
from .command import CommandBot
from .cores import use_cores
from .failure import BotFailure
from .hello import BadOption
from .program import Program, ProgramBot
from .session import SessionBot, try_options
from .warmup import warm_up

Choose = Callable[[View | SoloView, random.Random, float | None], str]
"""A bot: the view of its seat, a source of chance, the milliseconds it may think (None: as it likes)."""

BOTS: dict[str, Choose] = {
    "random": uniform.choose,
    "beginner": beginner.choose,
    "novice": novice.choose,
    "counting": counting.choose,
    "search": search.choose,
    "expert": expert.choose,
}
"""The built-in bots, weakest first: chance, which all others are measured by, and five levels of players."""

NO_PROGRAMS: Mapping[str, Program] = MappingProxyType({})

COMMANDS = {"cmd": 1, "cmd2": 2}
"""A bot's name that starts so is a program to run, which speaks this version: `cmd:./my-bot --fast`."""

__all__ = [
    "BOTS",
    "BadOption",
    "Bot",
    "BotFailure",
    "Choose",
    "CommandBot",
    "Program",
    "ProgramBot",
    "SessionBot",
    "find_bot",
    "find_program",
    "read_programs",
    "try_options",
    "use_cores",
    "warm_up",
]


def find_bot(name: str, programs: Mapping[str, Program] = NO_PROGRAMS) -> Choose | None:
    """The bot of that name; a program is started when it is first asked."""
    program = find_program(name, programs)
    if program is None:
        return BOTS.get(name)
    return CommandBot(program.command, program.directory) if program.protocol == 1 else SessionBot(program)


def find_program(name: str, programs: Mapping[str, Program] = NO_PROGRAMS) -> Program | None:
    """The program of that name: one of those given, or a command line."""
    kind, _, command = name.partition(":")
    if kind in COMMANDS and command.strip():
        return Program(command, COMMANDS[kind])
    return programs.get(name)


@dataclass(frozen=True)
class Bot:
    """A built-in bot under its name, with a source of chance of its own.

    Examples:
        >>> import suitors
        >>> match = suitors.Match("modern", ["Ada", "Ben"], seed=6)
        >>> suitors.bots["novice"].choose(match.view(match.turn)) in match.legal()
        True
        >>> [name for name in suitors.bots if name in ("expert", "novice", "random")]
        ['random', 'novice', 'expert']
    """

    name: str
    rng: random.Random = field(default_factory=random.Random, compare=False, repr=False)

    def choose(self, view: View | SoloView, rng: random.Random | None = None, budget_ms: float | None = None) -> str:
        """The bot's move; `budget_ms` are the milliseconds it may think. The seat of the view must be due to decide.

        What a bot compiles for matches is loaded before its time begins: seconds in a new process, a minute once on a
        machine.
        """
        if not isinstance(view, View | SoloView):
            raise SuitorsError(
                "no-decision", f"A bot decides from a view such as match.view(0), not from {brief(view)}."
            )
        if not view.legal:
            raise SuitorsError("no-decision", "A bot is asked with the view of the seat that has to decide.")
        if budget_ms is not None and not (isinstance(budget_ms, int | float) and budget_ms > 0):
            raise SuitorsError("bad-budget", f"budget_ms is a number of milliseconds, not {brief(budget_ms)}.")
        if budget_ms is not None and isinstance(view, View) and len(view.legal) > 1:
            warm_up([self.name], view.rules)
        return BOTS[self.name](view, self.rng if rng is None else choose_rng(rng, None), budget_ms)


class BotsByName(ModuleType):
    """The package as a collection of its bots by name."""

    def __getitem__(self, name: str) -> Bot:
        if name not in BOTS:
            raise SuitorsError("unknown-bot", f"There is no bot {brief(name)}; there are {', '.join(BOTS)}.")
        return Bot(name)

    def __iter__(self) -> Iterator[str]:
        return iter(BOTS)

    def __len__(self) -> int:
        return len(BOTS)


sys.modules[__name__].__class__ = BotsByName
