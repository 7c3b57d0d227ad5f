"""The solver compiled: its memory is a hash table in one array, which several threads fill together.

The array begins with the address of the compiled `evaluate`, through which the recursion goes (numba cannot infer the
types of so wide a mutual recursion by itself). Behind it lie pairs of a position and its value.
"""

import inspect
from functools import lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, cfunc, float64, int64, types
from numba.extending import intrinsic, overload, register_jitable
from numpy.typing import NDArray

from ..fast import games
from ..fast.compiler import CALLED_INSIDE, cached, kernel, register
from ..rules import solitaire
from ..rules.names import Phase
from . import memo as memory
from . import moves, opponent, player, positions, solo, tables, turns

HEADER = 2
"""Numbers before the first pair: the address of `evaluate`, and how many slots there are."""

TRIES = 1024
"""How many slots are tried for a position; in a crowded table it is worked out again instead of remembered."""

SPREAD = -7046029254386353131
"""The golden ratio in 64 bits: multiplying by it spreads positions over the table."""


@intrinsic  # type: ignore[untyped-decorator]
def call_address(typing: Any, address: Any, data: Any, size: Any, key: Any, sw: Any) -> Any:
    """Call the function at an address with the table and a position."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(ir.DoubleType(), [word.as_pointer(), word, word, word])
        function = builder.inttoptr(arguments[0], kind.as_pointer())
        return builder.call(function, [builder.inttoptr(arguments[1], word.as_pointer()), *arguments[2:]])

    return float64(int64, int64, int64, int64, int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def swap_if(typing: Any, address: Any, old: Any, new: Any) -> Any:
    """Write a number to an address if the old one is still there, with no other thread between; what was there."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        pair = builder.cmpxchg(place, arguments[1], arguments[2], "seq_cst", "seq_cst")
        return builder.extract_value(pair, 0)

    return int64(int64, int64, int64), generate


def slot(memo: Any, key: int, attempt: int) -> int:
    """Where a position may be."""
    slots: int = memo[1]
    return HEADER + ((key * SPREAD >> 20) + attempt & slots - 1) * 2


def _recall(memo: Any, key: Any) -> Any:
    def recall(memo: Any, key: Any) -> Any:
        for attempt in range(TRIES):
            k = slot(memo, key, attempt)
            if memo[k] == key:
                return memo.view(np.float64)[k + 1]
            if memo[k] == 0:
                return -1.0
        return -1.0

    return recall


def _remember(memo: Any, key: Any, value: Any) -> Any:
    def remember(memo: Any, key: Any, value: Any) -> Any:
        for attempt in range(TRIES):
            k = slot(memo, key, attempt)
            found = memo[k]
            if found == 0:
                found = swap_if(memo.ctypes.data + 8 * k, 0, key)
            if found == 0 or found == key:
                memo.view(np.float64)[k + 1] = value
                return

    return remember


def _work_out(memo: Any, key: Any, sw: Any) -> Any:
    def work_out(memo: Any, key: Any, sw: Any) -> Any:
        return call_address(memo[0], memo.ctypes.data, len(memo), key, sw)

    return work_out


def _register() -> None:
    for module in (positions, turns, player, opponent, solo, moves, tables):
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                register_jitable(**CALLED_INSIDE, forceinline=module is positions)(function)
    register_jitable(**CALLED_INSIDE)(slot)
    overload(memory.recall)(_recall)
    overload(memory.remember)(_remember)
    overload(memory.work_out)(_work_out)


def _evaluate(data: Any, size: int, key: int, sw: int) -> float:
    return solo.evaluate(carray(data, (size,)), key, sw)


def _values(memo: Any, keys: Any, sw: int, values: Any) -> None:
    for k in range(len(keys)):
        values[k] = turns.value_of(memo, keys[k], sw)


def _fill(memo: Any, keys: Any, values: Any) -> None:
    for k in range(len(keys)):
        memory.remember(memo, keys[k], values[k])


def _play_best(memo: Any, solos: Any, eds: Any, sw: int, seed: int, first_game: int, won: Any) -> None:
    """Play random deals by the best moves; game k has the stream of number first_game + k."""
    t, ed = solos[0], eds[0]
    rng: Any = np.empty(games.STATE, np.int64)
    order: Any = np.empty(ed.cards, np.int64)
    for k in range(len(won)):
        games.seed_chance(rng, seed, first_game + k)
        for card in range(ed.cards):
            order[card] = ed.box[card]
        games.shuffle(order, ed.cards, rng)
        solitaire.deal_solo(t, ed, order, 0)
        while t.phase != Phase.OVER:
            solitaire.play_solo(t, ed, tables.best_move(memo, t, ed, sw))
        won[k] = t.champions


register()
_register()
VALUES = kernel(_values)
VALUE_AT = kernel(tables.value_at)
FILL = kernel(_fill)
PLAY_BEST = kernel(_play_best)


@lru_cache
def compiled_evaluate() -> Any:
    """`evaluate` as a function with an address, compiled when it is first needed."""
    kind = float64(types.CPointer(int64), int64, int64, int64)
    return cached(lambda cache: cfunc(kind, error_model="numpy", cache=cache)(_evaluate))


def new_memory(bits: int) -> NDArray[np.int64]:
    """An empty table of 2**bits slots."""
    memo = np.zeros(HEADER + (2 << bits), np.int64)
    memo.view(np.float64)[HEADER + 1 :: 2] = memory.UNKNOWN
    memo[0], memo[1] = compiled_evaluate().address, 1 << bits
    return memo


def filled(memo: NDArray[np.int64]) -> int:
    """How many positions a table holds."""
    return int(np.count_nonzero(memo[HEADER::2]))
