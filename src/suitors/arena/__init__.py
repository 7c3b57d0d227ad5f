"""The arena: whole matches and tournaments between bots, with honest figures."""

from .chart import chart
from .journal import Journal, write_whole
from .plan import Plan
from .runner import ArenaError
from .series import Score, Series
from .tournament import Tournament

__all__ = ["ArenaError", "Journal", "Plan", "Score", "Series", "Tournament", "chart", "write_whole"]
