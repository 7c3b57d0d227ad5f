"""The `expert` bot: what a network learnt by self-play, at once and whatever the budget.

Where no network was trained for the deck, or numpy is not installed, it looks for the best reply by search.
"""

import random
from functools import lru_cache
from importlib.util import find_spec

from ..rules import Edition
from ..view.match import View
from ..view.solo import SoloView
from . import best_reply, solo


def choose(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """The exact solution of the solo game, else the network's move."""
    if isinstance(view, SoloView):
        return solo.best(view, rng)
    if len(view.legal) == 1:
        return view.legal[0]
    if not view.log or not has_learnt(view.rules):
        return best_reply.choose(view, rng, budget_ms)
    from .learned.choosing import choose as by_network  # noqa: PLC0415 - only where numpy is installed

    return by_network(view, rng)


@lru_cache
def has_learnt(rules: Edition) -> bool:
    """Whether there is a network for a game, and numpy to run it."""
    if find_spec("numpy") is None:
        return False
    from .learned.network import find_network  # noqa: PLC0415 - only where numpy is installed

    return find_network(rules) is not None
