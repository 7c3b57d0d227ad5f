"""The coach: what every decision of a match was worth, for all that its seat knew, and why.

valuation     the seam: what moves are worth, whoever says so (`Valuer`)
valuer        the engine of the best reply behind it; ending: its solved endings; engine/: what is compiled
judgement     values, errors, losses and marks
reasons       why a decision was good or bad, as facts
decisions     the decisions of a record, one after the other
accounts      start, skill, luck, result and accuracy of a seat
analysing     whole analyses, and hints
data          all of it as plain words for JSON
kept          decisions as lines of text that can be kept, and read again
puzzles       positions to solve that ship with the package; rating: how good somebody is at them
"""

from .accounts import Account, Step
from .analysing import Analysis, Hint, Review, analyse, hint
from .decisions import BUDGET_MS, ENGINE, Decision
from .judgement import ERRORS, THRESHOLDS, Mark, MoveValue
from .reasons import Reason
from .valuation import Valuation, Valuer
from .valuer import BestReplyValuer
from .warmup import get_ready

__all__ = [
    "BUDGET_MS",
    "ENGINE",
    "ERRORS",
    "THRESHOLDS",
    "Account",
    "Analysis",
    "BestReplyValuer",
    "Decision",
    "Hint",
    "Mark",
    "MoveValue",
    "Reason",
    "Review",
    "Step",
    "Valuation",
    "Valuer",
    "analyse",
    "get_ready",
    "hint",
]
