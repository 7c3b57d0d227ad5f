"""The best reply to what the opponents seem to be, found on one core: how `expert` thinks where it has no network.

Its belief weighs what opponents did by models of them, and so do its simulated rounds; the last plays of a round of
two are an equilibrium, unless the opponent plays at random and is better punished for it.
"""

import random
import time

from ..knowledge.belief import Belief
from ..view.match import View
from .ending import solve_ending
from .opponents import model
from .tree_search import TreeSearch

ITERATIONS = 4000
"""Simulated rounds where no time is given, so that the same seed gives the same move."""

RANDOM = 0.5
"""An opponent who is likelier than this to play at random is not met with an equilibrium."""


def choose(view: View, rng: random.Random, budget_ms: float | None) -> str:
    """The equilibrium's move in an ending, else the move that was tried most often."""
    began = time.perf_counter()
    if len(view.legal) == 1:
        return view.legal[0]
    likelihood, at_random = model(view)
    belief = Belief(view, likelihood)
    if view.rules.players == 2 and at_random[0 if view.seat else 1] < RANDOM:
        move = solve_ending(view, belief, likelihood, rng, began, budget_ms)
        if move is not None:
            return move
    search = TreeSearch(view, belief, rng)
    if budget_ms is None:
        return search.most_tried(search.run(at_random, ITERATIONS))
    return search.most_tried(search.run_until(at_random, began, budget_ms, 1))
