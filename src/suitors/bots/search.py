"""The `search` bot: information-set Monte Carlo tree search on all cores, for as long as it may think.

Deals come from the exact belief, as if opponents had played at random so far; in the simulated rounds they play by the
quick policy, which sees no more than they do.
"""

import random
import time

from ..knowledge.belief import Belief
from ..view.match import View
from ..view.solo import SoloView
from . import solo
from .cores import cores
from .tree_search import TreeSearch

ITERATIONS = 3000
"""Simulated rounds where no time is given, so that the same seed gives the same move."""


def choose(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """The move that was tried most often."""
    began = time.perf_counter()
    if isinstance(view, SoloView):
        return solo.best(view, rng)
    if len(view.legal) == 1:
        return view.legal[0]
    search = TreeSearch(view, Belief(view), rng)
    at_random = [0.0] * view.rules.players
    if budget_ms is None:
        return search.most_tried(search.run(at_random, ITERATIONS))
    return search.most_tried(search.run_until(at_random, began, budget_ms, cores()))
