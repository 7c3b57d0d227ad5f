"""Suitors: every published edition of the card game Love Letter, in one exact rulebook."""

from .game import IllegalMove, InvalidMove, Match, SuitorsError
from .rules import Card, Refusal
from .view import View

__version__ = "0.1.0"

__all__ = ["Card", "IllegalMove", "InvalidMove", "Match", "Refusal", "SuitorsError", "View", "__version__"]
