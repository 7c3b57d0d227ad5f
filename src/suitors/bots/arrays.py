"""Arrays for the engine: numpy's where it is compiled, lists where it is interpreted."""

from collections.abc import Sequence
from typing import Any

from ..fast import available
from ..knowledge.notes import SEATS
from ..rules import Edition, Table, copy_table
from ..rules.choices import MOST_MOVES
from .engine.buffers import PolicyBuffers
from .engine.odds import ODDS
from .engine.policy import MOST_FEATURES

PADDING = 16
"""Numbers of 8 bytes on either side of an array: two lines of a processor's cache."""


def ints(numbers: Sequence[int]) -> Any:
    """An array of ints."""
    found = zeros(len(numbers))
    found[:] = numbers
    return found


def floats(numbers: Sequence[float]) -> Any:
    """An array of floats."""
    found = zeros(len(numbers), real=True)
    found[:] = numbers
    return found


def zeros(n: int, real: bool = False) -> Any:
    """An array of so many zeros, padded: threads that write near each other's arrays slow down."""
    if not available():
        return [0.0 if real else 0] * n
    import numpy as np  # noqa: PLC0415 - only where it is installed

    return np.zeros(n + 2 * PADDING, np.float64 if real else np.int64)[PADDING : PADDING + n]


def policy_buffers() -> PolicyBuffers:
    """What the policy writes while it scores moves."""
    return PolicyBuffers(
        odds=zeros((SEATS + 1) * ODDS, real=True),
        rows=zeros(SEATS),
        features=zeros(MOST_FEATURES),
        values=zeros(MOST_FEATURES, real=True),
        moves=zeros(MOST_MOVES),
        chances=zeros(MOST_MOVES, real=True),
    )


def table_pair(t: Table, rules: Edition) -> tuple[Any, Any]:
    """A position and a second table at which rounds are played from it, and the edition's numbers."""
    if not available():
        return [t, copy_table(t)], rules
    from ..fast.layout import wide_edition, wide_record  # noqa: PLC0415 - only where numpy is installed

    return wide_record(t).repeat(2), wide_edition(rules)
