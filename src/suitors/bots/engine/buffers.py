"""The arrays that the engine works on: lists where it is interpreted, numpy arrays where it is compiled."""

from collections.abc import MutableSequence
from typing import NamedTuple

Ints = MutableSequence[int]
Floats = MutableSequence[float]


class PolicyBuffers(NamedTuple):
    """What the policy writes while it scores the moves of one decision."""

    odds: Floats  # the chances of hands, a row for each seat behind one for seats of which nothing is known (odds.py)
    rows: Ints  # where each seat's row begins
    features: Ints  # which weights the features of a move have
    values: Floats  # and the values of these features
    moves: Ints  # the legal moves
    chances: Floats  # and the chance of each
