"""What the solver remembers: a dict when interpreted, a hash table shared by threads when compiled."""

from typing import Any

UNKNOWN = -1.0


def recall(memo: Any, key: int) -> float:
    """The value of a position, or UNKNOWN."""
    return float(memo.get(key, UNKNOWN))


def remember(memo: Any, key: int, value: float) -> None:
    """Keep the value of a position."""
    memo[key] = value
