"""What the solver remembers: a dict when interpreted, a hash table shared by threads when compiled (compiled.py)."""

from collections.abc import Callable
from typing import Any

UNKNOWN = -1.0


class Memo(dict[int, float]):
    """Values by position, and the function that works out a new one: through it goes the recursion."""

    def __init__(self, evaluate: Callable[[Any, int, int], float]) -> None:
        super().__init__()
        self.evaluate = evaluate


def recall(memo: Any, key: int) -> float:
    """The value of a position, or UNKNOWN."""
    return float(memo.get(key, UNKNOWN))


def remember(memo: Any, key: int, value: float) -> None:
    """Keep the value of a position."""
    memo[key] = value


def work_out(memo: Any, key: int, sw: int) -> float:
    """The value of a position that is not yet known."""
    return float(memo.evaluate(memo, key, sw))
