"""Many tables for programs that learn, stepped together on the CPU by the compiled rules."""

import inspect
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numba.extending import register_jitable
from numpy.typing import ArrayLike, NDArray

from ..bots.engine import notes as engine_notes
from ..bots.engine.notes import NOTES
from ..errors import check_edition, check_players
from ..fast.compiler import CALLED_INSIDE, kernel, patience, register
from ..fast.games import STATE, seed_chance
from ..fast.layout import edition_record, record_of, table_type
from ..rules import Option, edition, find_box
from ..rules.names import Phase
from ..rules.table import clear
from . import acting, memory, observing, stepping
from .acting import write_mask
from .memory import memory_size
from .observing import observe
from .space import HISTORY, SLOT, VERBS, space
from .stepping import begin_round, episode_over, take_action, write_rewards

BEGIN = -1
"""In place of an action: begin a new episode."""


@lru_cache
def _register() -> None:
    """Let compiled code call the laboratory's functions."""
    register()
    for module in (engine_notes, acting, memory, observing, stepping):
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                register_jitable(**CALLED_INSIDE, forceinline=True)(function)


_register()


@kernel
def step_tables(
    tables: Any,
    eds: Any,
    spaces: Any,
    notes: Any,
    memories: Any,
    past: Any,
    rngs: Any,
    observations: Any,
    masks: Any,
    seats: Any,
    rewards: Any,
    over: Any,
    actions: Any,
    whole: bool,
) -> None:  # pragma: no cover - compiled
    """Take an action at each table, begin a new episode where one is over, and look at what has to be decided next.

    It is one function, for it takes long to compile: with the action BEGIN a table begins anew.
    """
    ed, s = eds[0], spaces[0]
    order: Any = np.empty(ed.cards, np.int64)
    for k in range(len(tables)):
        t = tables[k]
        over[k] = False
        if actions[k] != BEGIN:
            take_action(t, ed, notes[k], memories[k], past[k], s, actions[k])
            over[k] = episode_over(t, whole)
        for seat in range(ed.players):
            rewards[k, seat] = 0.0
        if over[k]:
            write_rewards(t, ed, whole, rewards[k])
        if over[k] or actions[k] == BEGIN:
            clear(t, ed)
        if t.phase == Phase.DEAL:
            begin_round(t, ed, notes[k], memories[k], past[k], order, rngs[k])
        seats[k] = t.decider
        observe(t, ed, notes[k], memories[k], past[k], s, t.decider, observations[k])
        write_mask(t, ed, s, masks[k])


class VectorEnv:
    """Tables of one edition and number of players, each waiting for an action.

    The arrays are written anew at every step and are never copied: `observations` and `masks` of the seats that decide,
    `seats` that say which these are, `rewards` of all seats, and `over` where an episode has ended and a new one begun.
    """

    def __init__(
        self,
        slug: str,
        players: int,
        size: int,
        *,
        episode: Literal["round", "match"] = "round",
        full: bool = False,
        options: Mapping[str, Option] | None = None,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        if size < 1 or episode not in ("round", "match") or find_box(check_edition(slug)).solo:
            raise ValueError(
                "A vector has at least one table, of a game for several, and episodes of a round or a match."
            )
        check_players(slug, ("",) * players)
        self.rules = edition(slug, players, options)
        self.space = space(self.rules, full)
        self.whole = episode == "match"
        self.size = size
        self.observations = np.zeros((size, self.space.size), np.int8)
        self.masks = np.zeros((size, self.space.actions), np.int8)
        self.seats = np.zeros(size, np.int8)
        self.rewards = np.zeros((size, players), np.float32)
        self.over = np.zeros(size, np.bool_)
        self._state = (
            np.zeros(size, table_type(self.rules)),
            np.zeros((size, NOTES), np.int32),
            np.zeros((size, memory_size(players)), np.int64),
            np.zeros((size, HISTORY * SLOT), np.int8),
            np.zeros((size, STATE), np.int64),
        )
        self._fixed = (
            edition_record(self.rules),
            record_of(self.space, {"actions": self.space.actions, "verbs": VERBS}),
        )
        self._what = f"{slug} with {players} players"
        count = min(threads or os.cpu_count() or 1, size)
        self._slices = [slice(int(a), int(b)) for a, b in pairwise(np.linspace(1, size, count + 1).astype(int))]
        self._pool = ThreadPoolExecutor(count) if count > 1 else None
        self.reset(seed)

    def __len__(self) -> int:
        return self.size

    def reset(self, seed: int = 0) -> None:
        """Begin a new episode at every table; table k has the chance of its own number, for any number of threads."""
        for k in range(self.size):
            seed_chance(self._state[-1][k], seed, k)
        self._run(np.full(self.size, BEGIN, np.int32))

    def step(self, actions: ArrayLike) -> None:
        """Take an action at each table; all of them must be legal (`masks`)."""
        chosen = np.ascontiguousarray(actions, np.int32)
        self._check(chosen)
        self._run(chosen)

    def _check(self, chosen: NDArray[np.int32]) -> None:
        """Refuse actions that are not legal before any table is changed."""
        if chosen.shape != (self.size,):
            raise ValueError(
                f"{self.size} actions are needed, one for each table; these have the shape {chosen.shape}."
            )
        inside = (chosen >= 0) & (chosen < self.space.actions)
        legal = inside & (np.take_along_axis(self.masks, np.where(inside, chosen, 0)[:, None], 1)[:, 0] == 1)
        if not legal.all():
            table = int(np.argmin(legal))
            raise ValueError(f"The action {int(chosen[table])} is not legal at table {table}.")

    def _run(self, chosen: NDArray[np.int32]) -> None:
        """Step the tables in parts, one a thread; the first table goes ahead, as it may have to compile."""

        def part(of: slice) -> None:
            tables, *columns = (column[of] for column in self._state)
            told = (self.observations, self.masks, self.seats, self.rewards, self.over)
            step_tables(tables, *self._fixed, *columns, *(column[of] for column in told), chosen[of], self.whole)

        if self._pool is None:
            with patience(self._what):
                part(slice(0, self.size))
            return
        with patience(self._what):
            part(slice(0, 1))
        for done in [self._pool.submit(part, of) for of in self._slices]:
            done.result()
