"""The arena: whole matches and tournaments between bots, with honest figures."""

from .chart import chart
from .cluster import run_everywhere
from .cluster_client import ClusterLost
from .journal import Journal, write_whole
from .plan import Plan, Shard
from .runner import ArenaError
from .series import Score, Series
from .shards import Merge, parse_shard
from .tournament import Tournament

__all__ = [
    "ArenaError",
    "ClusterLost",
    "Journal",
    "Merge",
    "Plan",
    "Score",
    "Series",
    "Shard",
    "Tournament",
    "chart",
    "parse_shard",
    "run_everywhere",
    "write_whole",
]
