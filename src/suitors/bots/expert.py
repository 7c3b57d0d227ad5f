"""The `expert` bot: what a network learnt by self-play, with three players and more corrected by search.

For two players the network decides alone, at once and whatever the budget: nobody has found a reply that beats it.
With more it is searched what its moves earn against these opponents, where numba is installed; until the search is
compiled the network decides alone there, too. Where no network was trained for the deck, or numpy is not installed, it
looks for the best reply by search.
"""

import random
from functools import lru_cache
from importlib.util import find_spec

from ..fast import available
from ..rules import Edition
from ..view.match import View
from ..view.solo import SoloView
from . import best_reply, solo
from .loaded import is_loaded


def choose(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """The exact solution of the solo game, else the move of the network, or that of network and search."""
    if isinstance(view, SoloView):
        return solo.best(view, rng)
    if len(view.legal) == 1:
        return view.legal[0]
    if not view.log or not has_learnt(view.rules):
        return best_reply.choose(view, rng, budget_ms)
    from .learned import choosing, searching  # noqa: PLC0415 - only where numpy is installed

    if searches(view.rules) and (budget_ms is None or is_loaded()):
        return searching.choose(view, rng, budget_ms)
    return choosing.choose(view, rng)


def searches(rules: Edition) -> bool:
    """Whether the expert searches in a game, too."""
    return not has_learnt(rules) or (rules.players > 2 and available())


@lru_cache
def has_learnt(rules: Edition) -> bool:
    """Whether there is a network for a game, and numpy to run it."""
    if find_spec("numpy") is None:
        return False
    from .learned.network import find_network  # noqa: PLC0415 - only where numpy is installed

    return find_network(rules) is not None
