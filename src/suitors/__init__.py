"""Suitors: every published edition of the card game Love Letter, in one exact rulebook."""

from .belief import Belief
from .errors import IllegalMove, InvalidMove, SuitorsError
from .game import Match, Solo
from .rules import Card, Refusal
from .soloview import SoloView
from .view import View

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
