"""A local best response to the network: how a search that knows the network for its opponent would attack it.

It takes it that the others play as the network does, but for a slip here and there, asks the network for their hands
(as `expert` does when it reads others), and makes the move that earns most in simulated rounds, however unlikely the
network finds it. Where it wins more than even, something can be exploited; where it does not, nothing is proved, for
the rounds after its move are played by the quick policy.
"""

import random
import time
from collections.abc import Sequence

from suitors import Belief
from suitors.bots.learned.comparing import Comparison
from suitors.bots.learned.reading import NetworkChances
from suitors.bots.opponents import Model, PolicyChances, Way, model
from suitors.bots.outcomes import Scale
from suitors.bots.tree_search import TreeSearch
from suitors.bots.weights import searchers
from suitors.bots.worlds import Worlds
from suitors.rules import Edition
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


class Asked(NetworkChances):
    """The network, asked about every play, however little the others seem to play as it does."""

    slow = False


def ways(rules: Edition, reader: int | None, tokens: Sequence[int]) -> list[Way]:
    """What a model needs: the quick policy, which nobody is taken to play by, and the network."""
    return [PolicyChances(rules, searchers(rules)), Asked(rules, reader, tokens)]


def certain(view: View) -> Model:
    """A model by which everybody plays as the network does."""
    read, _ = model(view, ways)
    return Model(read.observed, [[0.0, 0.0, 1.0]] * view.rules.players)
