"""Many tables for programs that learn, stepped on an NVIDIA GPU: what they tell stays in its memory."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numba import int8, int32

from ..fast.compiler import cached, patience
from ..fast.cuda import register
from ..fast.gpu import cuda, overload
from ..fast.layout import WORD_GPU, edition_record
from ..history import EditionLike
from ..rules import Option
from ..rules.editions import Edition
from .acting import write_mask
from .compiled import register_lab_with, seeded, space_record
from .sharing import SharedArray, borrowed, stream_of
from .space import Space
from .stepping import BEGIN, SKIP, is_legal, random_action, step_table
from .tables import Episode, Tables

MOST_THREADS = 128
"""Threads in a block, at most."""

MOST_SHARED = 48 << 10
"""Bytes of the memory that the threads of a block share: observations and masks are written there first."""

WORD = 4
"""Bytes that a thread copies at once."""

SMALL_WORD = 2
"""Bytes of a plain int in a table: the fewer bytes a step reads and writes, the quicker it is."""


def threads_of(s: Space) -> int:
    """Threads in a block: as many as have room for what they write, in whole warps."""
    room = MOST_SHARED // (s.size + s.actions)
    return min(MOST_THREADS, max(32, room // 32 * 32))


@lru_cache
def register_lab() -> None:
    """Let GPU code call the laboratory's functions."""
    register()
    register_lab_with(overload, {})


@lru_cache
def step_kernel(ed: Edition, s: Space) -> Any:
    """The kernel that steps tables, a thread each. The edition's numbers are constants of its code.

    The rows of a block are written to memory that its threads share, and from there to where they belong in whole
    words, side by side: rows that every thread writes for itself take three times as long.
    """
    register_lab()
    eds, spaces = edition_record(ed, WORD_GPU), space_record(s, WORD_GPU)
    cards, threads, size, actions_ = ed.cards, threads_of(s), s.size, s.actions

    def step(
        tables: Any,
        rngs: Any,
        actions: Any,
        begin: bool,
        whole: bool,
        observations: Any,
        masks: Any,
        legal: Any,
        seats: Any,
        rewards: Any,
        over: Any,
        refused: Any,
    ) -> None:  # pragma: no cover - compiled
        rows = cuda.shared.array(0, int8)
        words = cuda.shared.array(0, int32)
        i = cuda.threadIdx.x
        first = cuda.blockIdx.x * threads
        k = first + i
        if k < len(tables):
            action = int32(BEGIN)
            if not begin:
                action = actions[k]
                if not is_legal(legal[k], actions_, action):
                    cuda.atomic.min(refused, 0, k)
                    action = int32(SKIP)
            t = tables[k]
            order = cuda.local.array(cards, int8)
            into = rows[i * size : (i + 1) * size]
            mask = rows[threads * size + i * actions_ : threads * size + (i + 1) * actions_]
            over[k] = step_table(t, eds[0], spaces[0], order, rngs[k], action, whole, into, rewards[k])
            write_mask(t, eds[0], spaces[0], mask)
            seats[k] = t.decider
        cuda.syncthreads()
        here = min(threads, len(tables) - first)
        for j in range(i, (here * size + WORD - 1) // WORD, threads):
            observations[first * size // WORD + j] = words[j]
        for j in range(i, (here * actions_ + WORD - 1) // WORD, threads):
            masks[first * actions_ // WORD + j] = words[threads * size // WORD + j]

    return cached(lambda cache: cuda.jit(step, cache=cache))


@lru_cache
def choose_kernel(ed: Edition, s: Space) -> Any:
    """The kernel that chooses a legal action by chance at each table."""
    register_lab()
    eds, spaces = edition_record(ed, WORD_GPU), space_record(s, WORD_GPU)

    def choose(tables: Any, rngs: Any, actions: Any) -> None:  # pragma: no cover - compiled
        k = cuda.grid(1)
        if k < len(tables):
            actions[k] = random_action(tables[k], eds[0], spaces[0], rngs[k])

    return cached(lambda cache: cuda.jit(choose, cache=cache))


@lru_cache
def small_kernel(function: Any) -> Any:
    """A kernel for tables of every kind."""
    register_lab()
    return cuda.jit(function)


def _find_illegal(masks: Any, actions: Any, refused: Any) -> None:  # pragma: no cover - compiled
    k = cuda.grid(1)
    if k < len(actions) and not is_legal(masks[k], masks.shape[1], actions[k]):
        cuda.atomic.min(refused, 0, k)


def _copy(numbers: Any, into: Any) -> None:  # pragma: no cover - compiled
    k = cuda.grid(1)
    if k < len(into):
        into[k] = numbers[k]


class CudaVectorEnv(Tables):
    """As `VectorEnv`, with all tables and arrays in GPU memory and the same numbers after every step.

    The arrays (`SharedArray`) go to PyTorch, JAX and CuPy without a copy. Work is put on `stream`, the number of a CUDA
    stream or a stream of numba's (the default stream where none is given), and nothing waits for it on the host.
    """

    def __init__(
        self,
        slug: EditionLike,
        players: int,
        size: int,
        *,
        episode: Episode = "round",
        full: bool = False,
        options: Mapping[str, Option] | None = None,
        seed: int = 0,
        stream: Any = 0,
    ) -> None:
        super().__init__(slug, players, size, episode, full, options, SMALL_WORD)
        self.stream = stream_of(stream)
        threads = threads_of(self.space)
        self._grid = (-(-size // threads), threads, self.stream)
        shared = threads * (self.space.size + self.space.actions)
        self._stepper = step_kernel(self.rules, self.space)[*self._grid, shared]
        self._chooser = choose_kernel(self.rules, self.space)[self._grid]
        self._words = [self._array(-(-size * row // WORD), np.int32) for row in (self.space.size, self.space.actions)]
        self.observations = self._rows(self._words[0], self.space.size)
        self.masks = self._rows(self._words[1], self.space.actions)
        self.seats = SharedArray(self._array(size, np.int8))
        self.rewards = SharedArray(self._array((size, players), np.float32))
        self.over = SharedArray(self._array(size, np.bool_))
        self._tables = self._array(size, self._layout)
        self._chosen = SharedArray(self._array(size, np.int32))
        self._copied = self._array(size, np.int32)
        self._refused = self._array(1, np.int32)
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Begin a new episode at every table, each with the chance that it has in `VectorEnv`."""
        self._dealing, self._choosing = (cuda.to_device(words, stream=self.stream) for words in seeded(self.size, seed))
        self._forget_refusals()
        with patience(f"{self._what} for the GPU"):
            self._step(self._copied, begin=True)

    def step(self, actions: Any, *, check: bool = False) -> None:
        """Take an action at each table: an array in GPU memory with DLPack or the CUDA array interface, or numpy's.

        A table whose action is not legal stays as it is, and `check` says so later. With `check=True` actions are
        checked before any table is changed, as `VectorEnv` does, for which the host waits.
        """
        chosen = self._taken(actions)
        if check:
            self._small(_find_illegal, self.masks.array, chosen, self._refused)
            self.check()
        self._step(chosen, begin=False)

    def check(self) -> None:
        """Wait for all steps; a ValueError if the action of any table was not legal since the last check."""
        table = int(self._refused.copy_to_host(stream=self.stream)[0])
        if table < self.size:
            self._forget_refusals()
            raise ValueError(f"The action of table {table} is not legal.")

    def sample_actions(self) -> SharedArray:
        """A legal action for each table, those of `VectorEnv.sample_actions`; written anew at every call."""
        self._chooser(self._tables, self._choosing, self._chosen.array)
        return self._chosen

    def column(self, name: str) -> SharedArray:
        """A field of every table as it is now, hidden cards too: for critics in training, never for players."""
        fields = self._layout.fields
        assert fields is not None
        kind, offset = fields[name][:2]
        interface = {
            "shape": (self.size, *kind.shape),
            "strides": (self._layout.itemsize, *(kind.base.itemsize for _ in kind.shape)),
            "typestr": kind.base.str,
            "data": (self._tables.__cuda_array_interface__["data"][0] + offset, False),
            "version": 3,
        }
        return SharedArray(self._bound(cuda.from_cuda_array_interface(interface, owner=self._tables, sync=False)))

    def _taken(self, actions: Any) -> Any:
        """Actions as contiguous 32-bit ints in GPU memory; those of other widths are copied there."""
        if isinstance(actions, list | np.ndarray):
            actions = cuda.to_device(np.array(actions, np.int32), stream=self.stream)
        found = borrowed(actions, self.stream)
        self._refuse_shape(tuple(found.shape))
        if found.dtype == np.int32 and found.is_c_contiguous():
            return found
        self._small(_copy, found, self._copied)
        return self._copied

    def _step(self, chosen: Any, begin: bool) -> None:
        self._stepper(
            self._tables,
            self._dealing,
            chosen,
            begin,
            self.whole,
            *self._words,
            *(told.array for told in (self.masks, self.seats, self.rewards, self.over)),
            self._refused,
        )

    def _small(self, function: Any, *arrays: Any) -> None:
        small_kernel(function)[self._grid](*arrays)

    def _forget_refusals(self) -> None:
        self._refused.copy_to_device(np.full(1, self.size, np.int32), stream=self.stream)

    def _array(self, shape: Any, kind: Any) -> Any:
        """An array in GPU memory."""
        return self._bound(cuda.device_array(shape, kind, stream=self.stream))

    def _rows(self, words: Any, length: int) -> SharedArray:
        """The small numbers that words hold, so many for each table."""
        return SharedArray(self._bound(words.view(np.int8)[: self.size * length].reshape(self.size, length)))

    def _bound(self, array: Any) -> Any:
        """An array that is in order on the stream of the tables, which a view of another one does not know."""
        return array.bind(self.stream) if self.stream else array
