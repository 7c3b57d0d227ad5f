"""The network and the search together: how `expert` plays where numba is installed.

The network says how likely a good player is to make each move, simulated rounds say what it would earn here, against
what these opponents seem to be (reading.py). A move is as good as the logarithm of the chance, and a weight times the
earnings, a round won being worth 1. Among three and more the best one is played. Between two a move is drawn, by the
chances that have these logarithms, for who always plays the best can be read; and the weight is the smaller the more
the opponent seems to play as the network does, from whom only the network's own play is safe. Between two, who plays at
random is met with the best reply, which finds moves that no good player would make.
"""

import random
import time
from math import exp

from ...knowledge.belief import Belief
from ...view.match import View
from .. import best_reply
from ..opponents import Model
from ..outcomes import Scale
from ..tree_search import TreeSearch
from ..weights import searchers
from ..worlds import Worlds
from .choosing import chances, draw
from .comparing import Comparison
from .network import network_for
from .reading import read_opponents

WEIGHT = 1000.0
"""How much earnings count among three and more: half a percent of a round outweighs a hundred times the chance."""

WEIGHT_OF_TWO = 80.0
"""How much they count between two, against somebody who surely does not play as the network does."""

AT_RANDOM = 0.9
"""A single opponent who is likelier than this to play at random is met with the best reply."""

LEAST_WEIGHT = 1.0
"""Where they would count for less, nothing is simulated: a whole round would hardly outweigh a better chance."""


def choose(view: View, rng: random.Random, budget_ms: float | None) -> str:
    """The move that both think best, or between two one that is drawn."""
    began = time.perf_counter()
    likely = chances(view, network_for(view.rules))
    likelihood, at_random = read_opponents(view, budget_ms)
    if view.rules.players == 2 and at_random[0 if view.seat else 1] > AT_RANDOM:
        return best_reply.choose(view, rng, left_of(budget_ms, began))
    weight = weight_against(view, likelihood)
    if weight < LEAST_WEIGHT:
        return draw(likely, rng)
    search = TreeSearch(view, Belief(view, likelihood), rng, searchers(view.rules))
    worlds = Worlds(search, at_random, rng.getrandbits(32))
    compared = Comparison(worlds, Scale(view), likely, weight)
    compared.run(began, budget_ms)
    good = compared.goodness()
    best = max(good, key=lambda text: good[text])
    if view.rules.players > 2:
        return best
    return draw({text: exp(weight * (found - good[best])) for text, found in good.items()}, rng)


def left_of(budget_ms: float | None, began: float) -> float | None:
    """What is left of a budget."""
    return None if budget_ms is None else max(0.0, budget_ms - (time.perf_counter() - began) * 1000)


def weight_against(view: View, likelihood: Model) -> float:
    """How much the earnings of a move count against these opponents."""
    if view.rules.players > 2:
        return WEIGHT
    *_, by_network = likelihood.parts[0 if view.seat else 1]
    return WEIGHT_OF_TWO * (1 - by_network)
