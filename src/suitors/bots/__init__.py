"""Bots: each chooses a move from a view alone, `choose(view, rng, budget_ms) -> move`."""

import random
from collections.abc import Callable

from ..view.match import View
from ..view.solo import SoloView
from . import counting, expert, novice, search, uniform
from .command import CommandBot
from .cores import use_cores
from .failure import BotFailure
from .warmup import warm_up

Choose = Callable[[View | SoloView, random.Random, float | None], str]
"""A bot: the view of its seat, a source of chance, the milliseconds it may think (None: as it likes)."""

BOTS: dict[str, Choose] = {
    "random": uniform.choose,
    "novice": novice.choose,
    "counting": counting.choose,
    "search": search.choose,
    "expert": expert.choose,
}
"""The built-in bots, weakest first."""

COMMAND = "cmd:"
"""A bot's name that starts so is a program to run: `cmd:./my-bot --fast`."""

__all__ = ["BOTS", "BotFailure", "Choose", "CommandBot", "find_bot", "use_cores", "warm_up"]


def find_bot(name: str) -> Choose | None:
    """The bot of that name; a program is started when it is first asked."""
    if name.startswith(COMMAND) and name[len(COMMAND) :].strip():
        return CommandBot(name[len(COMMAND) :])
    return BOTS.get(name)
