"""The trained weights of the quick policy, one set for each kind of game."""

from array import array
from functools import lru_cache
from pathlib import Path

from ..rules import Edition
from .engine.policy import WEIGHTS, WORTH

PATH = Path(__file__).parent / "data" / "policy.bin"
GAMES = ("16-2", "16-3+", "21-2", "21-3+", "32-5+")
"""The kinds of game that play differently: by the size of the deck, and for two players or more."""


def kind_of(ed: Edition) -> int:
    """Which kind of game this is."""
    return 4 if ed.cards == 32 else (0 if ed.cards == 16 else 2) + int(ed.players > 2)


@lru_cache
def weights(ed: Edition) -> list[float]:
    """The weights of the policy for a game: what came of self-play."""
    return _row(ed)[:WEIGHTS]


@lru_cache
def punishing(ed: Edition) -> list[float]:
    """The weights of a policy that was trained against players by chance."""
    return _row(ed)[WEIGHTS + WORTH :]


@lru_cache
def appraisals(ed: Edition) -> list[float]:
    """What each hand is worth when its player's turn is over: the tokens that policy players gain on the others."""
    return _row(ed)[WEIGHTS : WEIGHTS + WORTH]


def _row(ed: Edition) -> list[float]:
    table, length = array("f", PATH.read_bytes()), 2 * WEIGHTS + WORTH
    start = kind_of(ed) * length
    return list(table[start : start + length])
