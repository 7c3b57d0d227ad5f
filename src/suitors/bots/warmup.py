"""Loads the code that bots compile, or compiles it (once on a machine), before their time to think starts."""

import random
from collections.abc import Iterable
from functools import lru_cache

from ..fast import available
from ..game import Match
from ..knowledge.belief import Belief
from ..knowledge.likelihood import uniform
from .ending import DECK, solve_ending
from .expert import choose

COMPILED_BOTS = frozenset({"search", "expert"})
"""The bots that run compiled code."""


def warm_up(names: Iterable[str]) -> None:
    """Make the bots of these names ready to decide in time."""
    if available() and not COMPILED_BOTS.isdisjoint(names):
        from ..fast.compiler import patience  # noqa: PLC0415 - only where numba is installed

        with patience("the bots"):
            _decide_once()


@lru_cache
def _decide_once() -> None:
    """Let the expert decide in the middle of a round and solve an ending, which uses all that bots compile."""
    rng = random.Random(0)
    match = Match("classic", ["", ""], rng=rng)
    solved = None
    while solved is None:
        if match.to_deal:
            match.deal()
        view = match.view(match.turn)
        if len(view.legal) > 1 and len(match.rounds[-1].moves) == 1:
            choose(view, rng, None)
        if len(view.legal) > 1 and view.deck <= DECK:
            solved = solve_ending(view, Belief(view), uniform, rng, 0.0, None)
        match.play(rng.choice(view.legal))
