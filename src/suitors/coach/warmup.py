"""Loads the code that the coach compiles, or compiles it (once on a machine), before anybody waits for an analysis."""

import random
from functools import lru_cache

from ..bots.ending import DECK
from ..game import Match
from ..knowledge.belief import Belief
from ..knowledge.likelihood import uniform
from .ending import value_ending
from .valuer import BestReplyValuer


@lru_cache
def get_ready() -> None:
    """Value moves first, after moves of others, and in an ending, which uses all that is compiled."""
    rng, solved, valuer = random.Random(0), None, BestReplyValuer()
    match = Match("classic", ["", ""], rng=rng)
    while match.turn is not None:
        view = match.view(match.turn)
        valuer.values(view, view.legal, 0, 1.0)
        match.push(rng.choice(match.moves()))
    while solved is None:
        if match.over:
            match = Match("classic", ["", ""], rng=rng)
        if match.to_deal:
            match.deal()
        view = match.view(match.turn)
        if view.deck <= DECK:
            solved = value_ending(view, Belief(view), uniform, view.legal)
        match.push(rng.choice(match.moves()))
