"""The rules compiled for an NVIDIA GPU: one thread a table, the same results as everywhere else."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numba import from_dtype, int8, int32
from numpy.typing import NDArray

from ..rules import Option, edition
from ..rules.choices import count_moves, nth_move
from ..rules.editions import Edition
from ..rules.names import Phase
from ..rules.table import clear
from .batch import Batch, Results
from .compiler import patience, register_with
from .games import STATE, deal_if_due, play_if_legal, random_step, seed_chance
from .gpu import cuda, overload
from .layout import WORD_GPU, edition_record, new_tables, quiet_type

THREADS = 128
"""Threads in a block."""

REGISTERS = 32
"""Registers for a thread that plays random matches: few, so that many threads hide each other's waiting for code."""

BLOCKS_A_PROCESSOR = 16
"""Blocks that are started for each multiprocessor; every thread then plays many matches."""


def available() -> bool:
    """Whether there is a GPU to compile for."""
    return bool(cuda.is_available())


@lru_cache
def register() -> None:
    """Let GPU code call the rules."""
    register_with(overload, {})


@lru_cache
def random_kernel(ed: Edition) -> Any:
    """The kernel that plays random matches of one layout: the table lives in the thread's own memory."""
    register()
    layout, cards = from_dtype(quiet_type(ed, WORD_GPU)), ed.cards

    def play_random(eds: Any, seed: int, winners: Any, rounds: Any, moves: Any) -> None:
        t = cuda.local.array(1, layout)[0]
        order = cuda.local.array(cards, int8)
        rng = cuda.local.array(STATE, int32)
        ed = eds[0]
        game = cuda.grid(1)
        steps = 0
        played = 0
        t.phase = Phase.OVER
        running = False
        while True:
            if t.phase == Phase.OVER:
                if running:
                    winners[game] = t.champions
                    rounds[game] = steps - played
                    moves[game] = played
                    game += cuda.gridsize(1)
                if game >= len(winners):
                    return
                running = True
                seed_chance(rng, seed, game)
                clear(t, ed)
                steps = 0
                played = 0
            played += random_step(t, ed, order, rng)
            steps += 1

    return cuda.jit(play_random, max_registers=REGISTERS)


def random_matches(
    slug: str, players: int, matches: int, seed: int = 0, options: Mapping[str, Option] | None = None
) -> Results:
    """As `batch.random_matches`, on the GPU; the results are the same."""
    ed = edition(slug, players, options)
    columns = [cuda.device_array(matches, kind) for kind in (np.int16, np.int32, np.int32)]
    with patience(f"{slug} with {players} players for the GPU"):
        launch_random(ed, seed, columns)
        cuda.synchronize()
    return Results(*(column.copy_to_host() for column in columns))


def launch_random(ed: Edition, seed: int, columns: list[Any]) -> None:
    """Start the random matches that fill these columns of GPU memory: winners, rounds, moves."""
    blocks = cuda.get_current_device().MULTIPROCESSOR_COUNT * BLOCKS_A_PROCESSOR
    random_kernel(ed)[blocks, THREADS](cuda.to_device(edition_record(ed, WORD_GPU)), seed, *columns)


def _deal(tables: Any, eds: Any, decks: Any, first: Any, done: Any) -> None:
    k = cuda.grid(1)
    if k < len(tables):
        done[k] = deal_if_due(tables[k], eds[0], decks[k], first[k])


def _step(tables: Any, eds: Any, moves: Any, refusals: Any) -> None:
    k = cuda.grid(1)
    if k < len(tables):
        refusals[k] = play_if_legal(tables[k], eds[0], moves[k])


def _count(tables: Any, eds: Any, counts: Any) -> None:
    k = cuda.grid(1)
    if k < len(tables):
        counts[k] = count_moves(tables[k], eds[0])


def _list(tables: Any, eds: Any, counts: Any, moves: Any) -> None:
    k = cuda.grid(1)
    if k < len(tables):
        for j in range(counts[k]):
            moves[k, j] = nth_move(tables[k], eds[0], j)


KERNELS: dict[str, Callable[..., None]] = {
    "deal_tables": _deal,
    "step_tables": _step,
    "count_tables": _count,
    "list_tables": _list,
}


@lru_cache
def batch_kernel(name: str) -> Any:
    """A kernel over a batch of tables in GPU memory."""
    register()
    return cuda.jit(KERNELS[name])


class CudaBatch(Batch):
    """As `Batch`, with the tables in GPU memory; reading `tables` copies them back."""

    def __init__(self, slug: str, players: int, size: int, options: Mapping[str, Option] | None = None) -> None:
        super().__init__(slug, players, 0, options)
        self.size = size
        self.on_gpu = cuda.to_device(new_tables(self.rules, size, WORD_GPU))
        self.tables: NDArray[np.void] = self.on_gpu.copy_to_host()

    def _run(self, kernel: str, *columns: NDArray[Any]) -> None:
        on_gpu = [cuda.to_device(column) for column in columns]
        blocks = -(-self.size // THREADS)
        rules = cuda.to_device(edition_record(self.rules, WORD_GPU))
        with patience(f"{self._what} for the GPU"):
            batch_kernel(kernel)[blocks, THREADS](self.on_gpu, rules, *on_gpu)
            cuda.synchronize()
        for column, result in zip(columns, on_gpu, strict=True):
            result.copy_to_host(column)
        self.on_gpu.copy_to_host(self.tables)
