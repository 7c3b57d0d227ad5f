"""The arena: whole matches and tournaments between bots, with honest figures."""

from .chart import chart
from .journal import Journal, write_whole
from .plan import Plan, Shard
from .runner import ArenaError
from .series import Score, Series
from .shards import Merge, parse_shard
from .tournament import Tournament

__all__ = [
    "ArenaError",
    "Journal",
    "Merge",
    "Plan",
    "Score",
    "Series",
    "Shard",
    "Tournament",
    "chart",
    "parse_shard",
    "write_whole",
]
