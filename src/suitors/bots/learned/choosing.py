"""A move by the network of a game."""

import random
from collections.abc import Mapping

import numpy as np

from ...lab.acting import action_of
from ...notation import read_move
from ...view.match import View
from .network import Network, network_for
from .sight import sight

CUT = 0.01
"""Moves less likely than this are not played."""


def chances(view: View, network: Network) -> dict[str, float]:
    """How likely the network is to play each legal move."""
    seen = sight(view)
    answers = network.answers(np.array(seen.numbers, np.int8))
    actions = [action_of(seen.table, view.rules, seen.space, read_move(view.rules, text)) for text in view.legal]
    found = answers[actions].astype(np.float64)
    likely = np.exp(found - found.max())
    return dict(zip(view.legal, (likely / likely.sum()).tolist(), strict=True))


def choose(view: View, rng: random.Random) -> str:
    """A move by the network of the game, which there must be.

    Between two it is drawn by the chances, but for what is hardly ever played: who always makes the likeliest move can
    be read. Among more, the likeliest move earns more than being unpredictable.
    """
    found = chances(view, network_for(view.rules))
    if view.rules.players > 2:
        return max(found, key=lambda text: found[text])
    return draw(found, rng)


def draw(likely: Mapping[str, float], rng: random.Random) -> str:
    """One of the moves by their chances, or by what is in proportion to these; none that is hardly ever played."""
    least = CUT * sum(likely.values())
    left = {text: chance for text, chance in likely.items() if chance >= least}
    return rng.choices(list(left), list(left.values()))[0]
