"""The `expert` bot: the best reply it can find, on one core, to what it takes its opponents to be.

Its belief weighs what opponents did by models of them, and so do its simulated rounds; the last plays of a round of
two are an equilibrium, unless the opponent plays by chance and is better punished for it.
"""

import random
import time

from ..knowledge.belief import Belief
from ..view.match import View
from ..view.solo import SoloView
from . import solo
from .ending import solve_ending
from .mind import Mind
from .opponents import model

ITERATIONS = 4000
"""Simulated rounds where no time is given, so that the same seed gives the same move."""

CHAOTIC = 0.5
"""An opponent who is likelier than this to play by chance is not met with an equilibrium."""


def choose(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """The equilibrium's move in an ending, else the move that was tried most often."""
    began = time.perf_counter()
    if isinstance(view, SoloView):
        return solo.best(view, rng)
    if len(view.legal) == 1:
        return view.legal[0]
    likelihood, by_chance = model(view)
    belief = Belief(view, likelihood)
    if view.rules.players == 2 and by_chance[0 if view.seat else 1] < CHAOTIC:
        move = solve_ending(view, belief, likelihood, rng, began, budget_ms)
        if move is not None:
            return move
    mind = Mind(view, belief, rng)
    if budget_ms is None:
        return mind.most_tried(mind.think(by_chance, ITERATIONS))
    return mind.most_tried(mind.think_until(by_chance, began, budget_ms, 1))
