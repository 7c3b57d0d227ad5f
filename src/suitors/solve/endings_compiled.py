"""The solver of endings compiled with numba."""

import inspect
from collections.abc import Callable
from typing import Any

from numba.extending import overload, register_jitable

from ..fast.compiler import CALLED_INSIDE, kernel, register
from . import endings, equity

INLINED = frozenset({"new_node", "set_of", "open_level"})
"""Functions with few lines and many arrays: calling them would take longer than they do."""

register()
for module in (equity, endings):
    for function in vars(module).values():
        if inspect.isfunction(function) and function.__module__ == module.__name__ and function is not endings.lay:
            register_jitable(**CALLED_INSIDE, forceinline=function.__name__ in INLINED)(function)


@overload(endings.lay)  # type: ignore[untyped-decorator]
def _lay(boards: Any, level: Any) -> Callable[[Any, Any], None]:
    def lay(boards: Any, level: Any) -> None:
        boards[level + 1] = boards[level]

    return lay


@kernel
def grow(
    boards: Any, eds: Any, hidden: int, weight: float, tree: Any, levels: Any
) -> None:  # pragma: no cover - compiled
    """endings.grow on records."""
    endings.grow(boards, eds[0], hidden, weight, tree, levels)


@kernel
def improve(rounds: int, done: int, tree: Any, state: Any) -> None:  # pragma: no cover - compiled
    """endings.improve on arrays."""
    endings.improve(rounds, done, tree, state)
