"""A local best response to the network: how a search that knows the network for its opponent would attack it.

It takes for certain that the others play as the network does, asks the network for their hands (as `expert` does when
it reads others), and makes the move that earns most in simulated rounds, however unlikely the network finds it. Where
it wins more than even, something can be exploited; where it does not, nothing is proved, for the rounds after its move
are played by the quick policy.
"""

import random
import time

from suitors import Belief
from suitors.bots.learned.comparing import Comparison
from suitors.bots.learned.reading import by_network_or_policy
from suitors.bots.opponents import Model, model
from suitors.bots.outcomes import Scale
from suitors.bots.tree_search import TreeSearch
from suitors.bots.weights import searchers
from suitors.bots.worlds import Worlds
from suitors.view.match import View


def choose(view: View, rng: random.Random, budget_ms: float | None) -> str:
    """The move that earns most against the network."""
    if len(view.legal) == 1:
        return view.legal[0]
    began = time.perf_counter()
    search = TreeSearch(view, Belief(view, certain(view)), rng, searchers(view.rules))
    worlds = Worlds(search, [0.0] * view.rules.players, rng.getrandbits(32))
    likely = dict.fromkeys(view.legal, 1 / len(view.legal))
    compared = Comparison(worlds, Scale(view), likely, weight=1.0)
    compared.run(began, budget_ms)
    good = compared.goodness()
    return max(good, key=lambda text: good[text])


def certain(view: View) -> Model:
    """A model by which everybody plays as the network does."""
    read, _ = model(view, by_network_or_policy)
    others = [0.0] * (len(read.parts[0]) - 1)
    return Model(read.observed, [[*others, 1.0]] * view.rules.players)
