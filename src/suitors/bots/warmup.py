"""Loads the code that bots compile, or compiles it (once on a machine), before their time to think starts."""

import random
from collections.abc import Iterable
from functools import lru_cache

from ..fast import available
from ..game import Match
from ..knowledge.belief import Belief
from ..knowledge.likelihood import uniform
from ..rules import Edition
from ..solve.race import match_chances
from .best_reply import choose
from .ending import DECK, solve_ending
from .expert import has_learnt, searches
from .loaded import is_loaded, set_loaded
from .tree_search import TreeSearch
from .worlds import Worlds

COMPILED_BOTS = frozenset({"search"})
"""The bots that run compiled code in every game."""


def compiles(name: str, rules: Edition) -> bool:
    """Whether a bot runs compiled code in a game: the expert does where it searches."""
    return name in COMPILED_BOTS or (name == "expert" and searches(rules))


def plays_at_once(name: str, rules: Edition) -> bool:
    """Whether a bot that runs compiled code can also do without: the expert by its network alone."""
    return name == "expert" and has_learnt(rules)


def warm_up(names: Iterable[str], rules: Edition) -> None:
    """Make the bots of these names ready to decide in time in a game."""
    names = list(names)
    if any(compiles(name, rules) for name in names):
        compile_bots()
    if any(plays_at_once(name, rules) for name in names):
        from .learned.network import network_for  # noqa: PLC0415 - only where numpy is installed

        network_for(rules)
        match_chances(rules, [0] * rules.players)


def compile_bots() -> None:
    """Compile what bots compile, where numba is installed."""
    if available() and not is_loaded():
        from ..fast.compiler import patience  # noqa: PLC0415 - only where numba is installed

        with patience("the bots"):
            _decide_once()
            set_loaded()


@lru_cache
def _decide_once() -> None:
    """Let a best reply be found, moves be tried and an ending be solved, which uses all that bots compile."""
    rng = random.Random(0)
    match = Match("classic", ["", ""], rng=rng)
    solved = None
    while solved is None:
        if match.to_deal:
            match.deal()
        view = match.view(match.turn)
        if len(view.legal) > 1 and len(match.rounds[-1].moves) == 1:
            choose(view, rng, None)
            Worlds(TreeSearch(view, Belief(view), rng), [0.0, 0.0], 0).outcomes(view.legal, 0, 1, learning=True)
        if len(view.legal) > 1 and view.deck <= DECK:
            solved = solve_ending(view, Belief(view), uniform, rng, 0.0, None)
        match.play(rng.choice(view.legal))
