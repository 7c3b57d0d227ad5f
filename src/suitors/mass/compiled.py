"""The one kernel of compiled matches: it is made for tables that hold every edition, so it is compiled once."""

import inspect
from functools import lru_cache
from typing import Any

from numba.extending import register_jitable

from ..bots.engine import likings
from ..bots.engine.compiling import register_engine
from ..fast.compiler import CALLED_INSIDE, kernel
from ..lab import memory
from . import matches


@lru_cache
def _register() -> None:
    """Let compiled code call the functions of a match."""
    register_engine()
    for module in (likings, memory, matches):
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                register_jitable(**CALLED_INSIDE)(function)


_register()


@kernel
def play_matches(
    tables: Any, eds: Any, theta: Any, work: Any, start: Any, rows: Any, won: Any, decided: Any
) -> None:  # pragma: no cover - compiled
    """matches.play_match for each row."""
    for k in range(len(rows)):
        matches.play_match(tables[0], eds[0], theta, work, start, k, rows[k], won[k], decided[k])
