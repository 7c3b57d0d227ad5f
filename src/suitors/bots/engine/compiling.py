"""The engine compiled: its functions registered with numba as fast/ does with the rules, and what is run as kernels."""

import inspect
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any

from numba.extending import overload, register_jitable

from ...fast.compiler import CALLED_INSIDE, kernel, register
from ...knowledge import notes
from ...solve import equity
from . import deals, odds, policy, reply, sampling

MODULES: tuple[ModuleType, ...] = (equity, notes, odds, policy, deals, reply, sampling)

INTERPRETED = frozenset({"restore"})
"""Functions that only interpreted Python runs."""


INLINED = frozenset(
    {"choice_features", "effect_features", "card_features", "dot", "lower", "name_place", "kept_beside", "score_moves"}
)
"""Small functions with many arguments that are called for every move: calling them would take longer than they do."""


def _restore(tables: Any) -> Callable[[Any], None]:
    def restore(tables: Any) -> None:
        tables[1] = tables[0]

    return restore


@lru_cache
def register_engine() -> None:
    """Register the rules and every function of the engine."""
    register()
    for module in MODULES:
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == module.__name__ and name not in INTERPRETED:
                register_jitable(**CALLED_INSIDE, forceinline=name in INLINED)(function)
    overload(reply.restore)(_restore)


register_engine()


@kernel
def replies(
    tables: Any, eds: Any, position: Any, players: Any, tree: Any, buffers: Any, rng: Any, iterations: int
) -> None:  # pragma: no cover - compiled
    """reply.replies on records."""
    reply.replies(tables, eds[0], position, players, tree, buffers, rng, iterations)


@kernel
def play_chances(
    tables: Any, eds: Any, notes: Any, theta: Any, buffers: Any, move: int, found: Any
) -> None:  # pragma: no cover - compiled
    """policy.play_chances on records."""
    policy.play_chances(tables[0], eds[0], notes, theta, buffers, move, found)


@kernel
def try_moves(
    tables: Any,
    eds: Any,
    position: Any,
    players: Any,
    tree: Any,
    buffers: Any,
    rng: Any,
    seed: int,
    first: int,
    moves: Any,
    outcomes: Any,
    learning: bool,
) -> None:  # pragma: no cover - compiled
    """sampling.try_moves on records."""
    sampling.try_moves(tables, eds[0], position, players, tree, buffers, rng, seed, first, moves, outcomes, learning)
