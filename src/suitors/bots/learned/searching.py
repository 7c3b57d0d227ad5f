"""The network and the search together: how `expert` plays with three players and more.

The network says how likely a good player is to make each move, simulated rounds say what it would earn here, against
what these opponents seem to be (reading.py). The move with the best sum is played: the logarithm of the chance, and
`WEIGHT` times the earnings, a round won being worth 1.
"""

import random
import time
from collections.abc import Mapping
from math import log

from ...knowledge.belief import Belief
from ...view.match import View
from ..tree_search import TREE, SearchWorker, TreeSearch
from .choosing import chances
from .network import network_for
from .reading import read_opponents

ITERATIONS = 4000
"""Simulated rounds where no time is given, so that the same seed gives the same move."""

WEIGHT = 150.0
"""How much the earnings of a move count: 3% of a round outweigh a chance that is a hundred times greater."""

DOUBT = 50
"""Earnings are drawn towards those of all moves, as if so many more rounds had brought these: few rounds say little."""

LEAST = 1e-4
"""What the network says of a move at least, so that no single mistake of it is final."""


def choose(view: View, rng: random.Random, budget_ms: float | None) -> str:
    """The move that both think best."""
    began = time.perf_counter()
    likely = chances(view, network_for(view.rules))
    likelihood, at_random = read_opponents(view)
    search = TreeSearch(view, Belief(view, likelihood), rng)
    worker = SearchWorker(search, at_random, 0, TREE)
    if budget_ms is None:
        worker.simulate(ITERATIONS)
    else:
        worker.simulate_until(began, budget_ms)
    earned = earnings(worker.tried())
    return max(view.legal, key=lambda text: log(max(likely[text], LEAST)) + WEIGHT * earned[search.moves[text]])


def earnings(tried: Mapping[int, tuple[int, float]]) -> dict[int, float]:
    """What each move earned on average, with doubt."""
    times, total = (sum(part) for part in zip(*tried.values(), strict=True))
    mean = total / max(1, times)
    return {move: (own + DOUBT * mean) / (often + DOUBT) for move, (often, own) in tried.items()}
