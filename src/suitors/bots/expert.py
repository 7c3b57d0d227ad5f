"""The `expert` bot: what a network learnt by self-play, and a search of what moves earn against these opponents.

The search needs numba; until it is compiled, and where numba is not installed, the network decides alone. Where no
network was trained for the deck, or numpy is not installed, the bot looks for the best reply by search.
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

    if not available() or not (budget_ms is None or is_loaded()):
        return choosing.choose(view, rng)
    return searching.choose(view, rng, budget_ms)


def searches(rules: Edition) -> bool:
    """Whether the expert searches in a game, too: not where it has learnt and there is no compiler."""
    return available() or not has_learnt(rules)


@lru_cache
def has_learnt(rules: Edition) -> bool:
    """Whether there is a network for a game, and numpy to run it."""
    if find_spec("numpy") is None:
        return False
    from .learned.network import find_network  # noqa: PLC0415 - only where numpy is installed

    return find_network(rules) is not None
