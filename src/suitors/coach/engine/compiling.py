"""The worth of solved endings compiled, on top of the bots' engine and the solver of endings."""

import inspect
from typing import Any

from numba.extending import register_jitable

from ...bots.engine.compiling import register_engine
from ...fast.compiler import CALLED_INSIDE, kernel
from ...solve import endings_compiled
from . import ending_values

NEEDED = (register_engine(), endings_compiled)
"""What has registered the functions that those of this package call."""

for function in vars(ending_values).values():
    if inspect.isfunction(function) and function.__module__ == ending_values.__name__:
        register_jitable(**CALLED_INSIDE)(function)


@kernel
def value_moves(
    tree: Any, state: Any, results: Any, worths: Any, found: int, first: int, totals: Any
) -> bool:  # pragma: no cover - compiled
    """ending_values.value_moves on arrays."""
    return ending_values.value_moves(tree, state, results, worths, found, first, totals)
