"""The laboratory's functions for compiled code, and how its tables are laid out there."""

from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any

import numba.extending
import numpy as np
from numpy.typing import NDArray

from ..fast.compiler import INLINED, TELLERS, Overload, functions, register, register_functions
from ..fast.games import STATE, seed_chance
from ..fast.layout import quiet_type, record_of
from ..knowledge import notes
from ..knowledge.notes import NOTES
from ..rules.editions import Edition
from . import acting, masks, memory, observing, stepping
from .checks import check_seed
from .memory import Memories, learn_at_once, memory_size
from .space import HISTORY, VERBS, Space
from .stepping import recall

LAB_MODULES: tuple[ModuleType, ...] = (notes, acting, masks, memory, observing, stepping)
"""Where the laboratory's compilable functions are."""

CHOOSING = 1 << 40
"""Added to a table's number it is that of the chance by which actions are chosen: no deal depends on them."""


def register_lab_with(overload: Overload, options: dict[str, Any]) -> None:
    """Let compiled code call the laboratory's functions. A table that keeps its memories learns without rows."""
    TELLERS["memories"] = learn_at_once
    register_functions(overload, options, (f for f in functions(LAB_MODULES) if f is not recall))

    def recalling(m: Any, t: Any, ed: Any) -> Callable[..., None]:
        return recall if "rows" in t.fields else _learnt

    overload(recall, jit_options=options, strict=False)(recalling)


def _learnt(m: Memories, t: Any, ed: Edition) -> None:
    """All is learnt already."""


@lru_cache
def register_lab() -> None:
    """Let code compiled for the CPU call the laboratory's functions."""
    register()
    register_lab_with(numba.extending.overload, INLINED)


@lru_cache
def lab_type(ed: Edition, word: int) -> np.dtype[np.void]:
    """The layout of a table that keeps the notes, memories and last decisions that observations are made of."""
    quiet = quiet_type(ed, word)
    parts: list[Any] = [(name, quiet[name]) for name in quiet.names or ()]
    kept = [("notes", np.int32, NOTES), ("memories", np.int16, memory_size(ed.players)), ("past", np.int32, HISTORY)]
    return np.dtype(parts + [(name, kind, (length,)) for name, kind, length in kept], align=True)


def space_record(s: Space, word: int) -> NDArray[np.void]:
    """The numbers of observations and actions as an array of one record."""
    return record_of(s, {"actions": s.actions, "verbs": VERBS}, word)


def seeded(size: int, seed: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The chance of each table: for its deals, and for actions that are chosen by chance."""
    tables, number = np.arange(size), check_seed(seed)
    return _streams(number, tables), _streams(number, tables + CHOOSING)


def _streams(seed: int, games: NDArray[np.int64]) -> NDArray[np.int32]:
    """The streams of many games of one seed, a row each: `seed_chance` on whole columns."""
    words: list[Any] = [0] * STATE
    seed_chance(words, seed, games)  # type: ignore[arg-type]
    columns = np.broadcast_arrays(games, *words)[1:]
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(np.uint32)).view(np.int32)
