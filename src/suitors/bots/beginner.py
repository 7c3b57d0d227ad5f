"""The `beginner` bot: the rules of thumb of `novice`, but what was shown and what has been discarded is overlooked."""

import random

from ..rules import NO_CARD, Edition, SoloTable
from ..view.match import View
from ..view.solo import SoloView
from . import solo
from .engine.likings import WORDS, Glance
from .novice import most_liked
from .solo_heuristics import SoloHeuristics


def choose(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """The move that the rules of thumb like best of what can be told from the own hand; among equals, any."""
    if isinstance(view, SoloView):
        return solo.by_heuristics(view, rng, Overlooking)
    return most_liked(view, Glance([NO_CARD] * view.rules.players, [0] * WORDS), rng)


class Overlooking(SoloHeuristics):
    """A solo game judged by one who looks at no discards and does not mind what the cards of the queue will do."""

    def __init__(self, t: SoloTable, ed: Edition) -> None:
        super().__init__(t, ed)
        self.unseen = list(ed.copies)
        self.total = ed.cards

    def threat(self, card: int, place: int) -> float:
        """No card is thought to do harm."""
        return 0.0
