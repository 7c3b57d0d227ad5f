"""Many tables for programs that learn, stepped together on the CPU by the compiled rules."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..fast.compiler import kernel, patience
from ..fast.layout import WORD_CPU, edition_record
from ..history import EditionLike
from ..rules import Option
from ..rules.editions import Edition
from .compiled import register_lab, seeded, space_record
from .masks import look_up_mask, mask_rows
from .space import space
from .stepping import BEGIN, is_legal, random_action, step_table
from .tables import Episode, Tables

register_lab()


@lru_cache
def step_kernel(ed: Edition) -> Callable[..., None]:
    """The kernel that steps tables and writes observations, full ones or without the past.

    The numbers of the edition are constants of its code, which makes it a quarter faster.
    """
    s, cards = space(ed, full=True), ed.cards
    eds, spaces = edition_record(ed), space_record(s, WORD_CPU)
    plays, opens = mask_rows(ed, s)

    def step_tables(
        tables: Any,
        rngs: Any,
        actions: Any,
        whole: bool,
        observations: Any,
        masks: Any,
        seats: Any,
        rewards: Any,
        over: Any,
    ) -> None:  # pragma: no cover - compiled
        order: Any = np.empty(cards, np.int8)
        for k in range(len(tables)):
            t = tables[k]
            into, won = observations[k], rewards[k]
            over[k] = step_table(t, eds[0], spaces[0], order, rngs[k], actions[k], whole, into, won)
            look_up_mask(t, eds[0], spaces[0], plays, opens, masks, k)
            seats[k] = t.decider

    return kernel(step_tables)


@lru_cache
def choose_kernel(ed: Edition) -> Callable[..., None]:
    """The kernel that chooses a legal action by chance at each table."""
    eds, spaces = edition_record(ed), space_record(space(ed, full=True), WORD_CPU)

    def choose_actions(tables: Any, rngs: Any, actions: Any) -> None:  # pragma: no cover - compiled
        for k in range(len(tables)):
            actions[k] = random_action(tables[k], eds[0], spaces[0], rngs[k])

    return kernel(choose_actions)


@kernel
def first_illegal(masks: Any, actions: Any) -> int:  # pragma: no cover - compiled
    """The first table whose action is not legal, -1 if all are."""
    for k in range(len(actions)):
        if not is_legal(masks[k], masks.shape[1], actions[k]):
            return k
    return -1


class VectorEnv(Tables):
    """Tables of one edition and number of players, each waiting for an action.

    The arrays are written anew at every step and are never copied: `observations` and `masks` of the seats that decide,
    `seats` that say which these are, `rewards` of all seats, and `over` where an episode has ended and a new one begun.
    They are for reading: what is legal is looked up in `masks`.
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
        threads: int | None = None,
    ) -> None:
        super().__init__(slug, players, size, episode, full, options, WORD_CPU)
        self.observations = np.zeros((self.size, self.space.size), np.int8)
        self.masks = np.zeros((self.size, self.space.actions), np.int8)
        self.seats = np.zeros(self.size, np.int8)
        self.rewards = np.zeros((self.size, self.rules.players), np.float32)
        self.over = np.zeros(self.size, np.bool_)
        self._tables = np.zeros(self.size, self._layout)
        self._chosen = np.zeros(self.size, np.int32)
        count = max(1, min(threads or os.cpu_count() or 1, self.size))
        self._slices = [slice(int(a), int(b)) for a, b in pairwise(np.linspace(0, self.size, count + 1).astype(int))]
        self._compiled = set[Callable[..., None]]()
        self._pool: tuple[int, ThreadPoolExecutor] | None = None
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Begin a new episode at every table; table k has the chance of its own number, for any number of threads."""
        self._dealing, self._choosing = seeded(self.size, seed)
        self._step(np.full(self.size, BEGIN, np.int32))

    def step(self, actions: ArrayLike) -> None:
        """Take an action at each table; unless all of them are legal (`masks`), nothing is changed."""
        given = np.asarray(actions)
        self._refuse_shape(given.shape)
        if given.dtype.kind not in "iu":
            raise ValueError(f"Actions are whole numbers, not of the type {given.dtype}.")
        chosen = np.ascontiguousarray(given, np.int32)
        narrowed = chosen != given
        wrong = int(narrowed.argmax()) if narrowed.any() else first_illegal(self.masks, chosen)
        if wrong >= 0:
            raise ValueError(f"The action {int(given[wrong])} is not legal at table {wrong}.")
        self._step(chosen)

    def sample_actions(self) -> NDArray[np.int32]:
        """A legal action for each table, all equally likely; the array is written anew at every call."""
        self._run(self._chooser, self._choosing, self._chosen)
        return self._chosen

    def column(self, name: str) -> NDArray[Any]:
        """A field of every table as it is now, hidden cards too: for critics in training, never for players."""
        found: NDArray[Any] = self._tables[name]
        return found

    @cached_property
    def _stepper(self) -> Callable[..., None]:
        return step_kernel(self.rules)

    @cached_property
    def _chooser(self) -> Callable[..., None]:
        return choose_kernel(self.rules)

    def _step(self, chosen: NDArray[np.int32]) -> None:
        told = (self.observations, self.masks, self.seats, self.rewards, self.over)
        self._run(self._stepper, self._dealing, chosen, self.whole, *told)

    def _run(self, run: Callable[..., None], *columns: Any) -> None:
        """Run over the tables in parts, one a thread; what is not compiled yet runs over no table first."""

        def part(of: slice) -> None:
            run(self._tables[of], *(c[of] if isinstance(c, np.ndarray) else c for c in columns))

        if run not in self._compiled:
            with patience(self._what):
                part(slice(0, 0))
            self._compiled.add(run)
        if len(self._slices) == 1:
            part(slice(0, self.size))
        else:
            for done in [self._threads().submit(part, of) for of in self._slices]:
                done.result()

    def _threads(self) -> ThreadPoolExecutor:
        """The threads of this process; a fork of it has none of them."""
        if self._pool is None or self._pool[0] != os.getpid():
            self._pool = os.getpid(), ThreadPoolExecutor(len(self._slices))
        return self._pool[1]

    def __getstate__(self) -> dict[str, Any]:
        """What is copied and stored: all but threads and compiled code."""
        kept = {name: part for name, part in vars(self).items() if name not in ("_stepper", "_chooser")}
        return {**kept, "_pool": None, "_compiled": set()}
