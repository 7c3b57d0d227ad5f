"""Suitors: every published edition of the card game Love Letter, in one exact rulebook."""

from .errors import IllegalMove, InvalidMove, SuitorsError
from .game import Match, Solo
from .knowledge.belief import Belief
from .rules import Card, Refusal
from .view.match import View
from .view.solo import SoloView

__version__ = "0.1.0"

__all__ = [
    "Belief",
    "Card",
    "IllegalMove",
    "InvalidMove",
    "Match",
    "Refusal",
    "Solo",
    "SoloView",
    "SuitorsError",
    "View",
    "__version__",
]
