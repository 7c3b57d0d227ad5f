"""Many matches of quick bots at once, in numpy arrays and on all cores."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bots.arrays import policy_buffers
from ..bots.engine.likings import WORDS, Glance
from ..bots.weights import weights
from ..fast.compiler import patience
from ..fast.games import STATE
from ..fast.layout import WIDEST, wide_edition, wide_type
from ..knowledge.notes import NOTES, SEATS
from ..lab.memory import memory_size
from ..rules import Edition
from ..rules.choices import MOST_MOVES
from ..rules.names import NOBODY
from .matches import COLUMNS, NO_MOVE, Start, Work

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Played:
    """What came of matches: a row each (its columns are named in matches.py), and numbers for each seat."""

    rows: Ints
    won: Ints  # rounds, in parts
    decided: Ints  # decisions


def new_start(
    kinds: Sequence[Sequence[int]], deals: Sequence[int], chances: Sequence[int], seating: bool = False
) -> Start:
    """Whole matches whose rounds start as they come: how each seat of each plays, and the seeds of each."""
    n = len(deals)
    return Start(
        kinds=ints(kinds),
        deals=ints(deals),
        chances=ints(chances),
        first=ints([NOBODY] * n),
        opening=ints([NO_MOVE] * n),
        seating=seating,
        whole=True,
    )


def ints(numbers: Any) -> Any:
    """Numbers as an array that compiled code takes."""
    return np.asarray(numbers, np.int64)


def play(ed: Edition, start: Start, *, parts: int = 1, threads: int = 1) -> Played:
    """Play matches of an edition; a round that is won counts so many parts, which its winners share.

    The result does not depend on the number of threads.
    """
    n = len(start.deals)
    won = np.zeros((n, SEATS + 1), np.int64)
    won[:, ed.players] = parts
    played = Played(np.zeros((n, COLUMNS), np.int64), won, np.zeros((n, SEATS), np.int64))
    edges = [n * k // threads for k in range(threads + 1)]
    run = partial(_play_part, ed, start, played)
    with patience("matches"):
        run(slice(0, 0))  # it may have to be compiled
    if threads == 1:
        run(slice(0, n))
        return played
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, (slice(low, high) for low, high in pairwise(edges))))
    return played


def _play_part(ed: Edition, start: Start, played: Played, part: slice) -> None:
    """Play some of the matches."""
    own = Start(*map(partial(_cut, part), start))
    table = np.zeros(1, wide_type(quiet=False))
    numbers = played.rows[part], played.won[part], played.decided[part]
    _kernel()(table, wide_edition(ed), _theta(ed), new_work(), own, *numbers)


def _cut(part: slice, column: Any) -> Any:
    """A part of a column; what holds for all matches is no column."""
    return column[part] if isinstance(column, np.ndarray) else column


@lru_cache
def _kernel() -> Any:
    from .compiled import play_matches  # noqa: PLC0415 - loading the compiler takes a second

    return play_matches


@lru_cache
def _theta(ed: Edition) -> NDArray[np.float64]:
    return np.asarray(weights(ed))


def new_work() -> Work:
    """What is written while matches are played, for one thread."""
    return Work(
        notes=_zeros(NOTES),
        memories=_zeros(memory_size(SEATS)),
        glance=Glance(_zeros(SEATS), _zeros(WORDS)),
        buffers=policy_buffers(),
        keys=_zeros(MOST_MOVES),
        streams=_zeros(SEATS, STATE),
        rng=_zeros(STATE),
        order=_zeros(WIDEST["cards"]),
    )


def _zeros(*shape: int) -> Any:
    return np.zeros(shape, np.int64)
