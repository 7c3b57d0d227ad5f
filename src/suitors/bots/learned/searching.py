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
from collections.abc import Mapping
from math import exp, log

from ...knowledge.belief import Belief
from ...view.match import View
from .. import best_reply
from ..opponents import Model
from ..tree_search import TREE, SearchWorker, TreeSearch
from .choosing import chances, draw
from .network import network_for
from .reading import read_opponents

ITERATIONS = 4000
"""Simulated rounds where no time is given, so that the same seed gives the same move."""

WEIGHT = 300.0
"""How much earnings count among three and more: 1.5% of a round outweigh a chance that is a hundred times greater."""

WEIGHT_OF_TWO = 80.0
"""How much they count between two, against somebody who surely does not play as the network does."""

AT_RANDOM = 0.9
"""A single opponent who is likelier than this to play at random is met with the best reply."""

LEAST_WEIGHT = 1.0
"""Where they would count for less, nothing is simulated: a whole round would hardly outweigh a better chance."""

DOUBT = 200
"""Earnings are drawn towards those of all moves, as if so many more rounds had brought these: few rounds say little."""

LEAST = 1e-4
"""What the network says of a move at least, so that no single mistake of it is final."""


def choose(view: View, rng: random.Random, budget_ms: float | None) -> str:
    """The move that both think best, or between two one that is drawn."""
    began = time.perf_counter()
    likely = chances(view, network_for(view.rules))
    likelihood, at_random = read_opponents(view)
    if view.rules.players == 2 and at_random[0 if view.seat else 1] > AT_RANDOM:
        return best_reply.choose(view, rng, budget_ms)
    weight = weight_against(view, likelihood)
    if weight < LEAST_WEIGHT:
        return draw(likely, rng)
    search = TreeSearch(view, Belief(view, likelihood), rng, likely)
    worker = SearchWorker(search, at_random, 0, TREE)
    if budget_ms is None:
        worker.simulate(ITERATIONS)
    else:
        worker.simulate_until(began, budget_ms)
    earned = earnings(worker.tried())
    good = {text: log(max(likely[text], LEAST)) + weight * earned[search.moves[text]] for text in view.legal}
    if view.rules.players > 2:
        return max(good, key=lambda text: good[text])
    most = max(good.values())
    return draw({text: exp(found - most) for text, found in good.items()}, rng)


def weight_against(view: View, likelihood: Model) -> float:
    """How much the earnings of a move count against these opponents."""
    if view.rules.players > 2:
        return WEIGHT
    *_, by_network = likelihood.parts[0 if view.seat else 1]
    return WEIGHT_OF_TWO * (1 - by_network)


def earnings(tried: Mapping[int, tuple[int, float]]) -> dict[int, float]:
    """What each move earned on average, with doubt."""
    times, total = (sum(part) for part in zip(*tried.values(), strict=True))
    mean = total / max(1, times)
    return {move: (own + DOUBT * mean) / (often + DOUBT) for move, (often, own) in tried.items()}
