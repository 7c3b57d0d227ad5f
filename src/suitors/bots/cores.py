"""How many threads a bot may use: all cores, unless an arena shares them out among its matches."""

import os

_limit: list[int] = []


def use_cores(n: int) -> None:
    """Let every bot of this process think on at most so many threads."""
    _limit[:] = [max(1, n)]


def cores() -> int:
    """The threads a bot may use."""
    return (
        _limit[0]
        if _limit
        else len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count() or 1
    )
