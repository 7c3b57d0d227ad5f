"""The space of observations, which all environments share."""

import numpy as np
from gymnasium.spaces import Box


def numbers_space(size: int) -> "Box[np.int8]":
    """Rows of so many small numbers."""
    return Box(0, np.iinfo(np.int8).max, (size,), np.int8)
