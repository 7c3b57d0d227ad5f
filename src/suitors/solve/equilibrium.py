"""Equilibria of endings: the trees of endings.py held in arrays, compiled where that is possible."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..fast import available
from ..rules import Edition, Table, copy_table
from . import endings
from .endings import ACTIONS, COUNT, COUNTERS, DEEPEST, FULL, MEMBERS, NODE, NODES, OFFSET, SETS, WIDEST

ROOM = 1 << 17
"""Nodes of a tree at most where it is compiled."""

ROOM_INTERPRETED = 1 << 12


@dataclass(frozen=True)
class World:
    """One way the hidden cards may lie, what each player knows there (as a hash), and how likely it is."""

    table: Table
    keys: tuple[int, int]
    weight: float


class Ending:
    """A tree over worlds and the strategy found for it so far."""

    def __init__(self, rules: Edition, worlds: Iterable[World], room: int | None = None) -> None:
        """Grow the tree; `full` says whether it was too large (it is then of no use)."""
        self.rules = rules
        self.room = room or (ROOM if available() else ROOM_INTERPRETED)
        self.done = 0
        self.counters = _zeros(COUNTERS)
        self.nodes, self.values = _zeros(self.room * NODE), _zeros(self.room, real=True)
        self.sets, self.slots = _zeros(self.room * MEMBERS), 2 * self.room
        self.table = _zeros(2 * self.slots)
        self._grow(list(worlds))
        actions = int(self.counters[ACTIONS])
        self.regrets, self.sums, self.now = (_zeros(actions, real=True) for _ in range(3))
        size = int(self.counters[NODES])
        self.reach, self.worth = _zeros(3 * size, real=True), _zeros(size, real=True)

    @property
    def full(self) -> bool:
        """Whether there was no room for the whole tree."""
        return bool(self.counters[FULL])

    def _grow(self, worlds: list[World]) -> None:
        total = sum(world.weight for world in worlds)
        self.hidden = 0
        for world in worlds:
            t = world.table
            for card in (*t.hand, t.drawn, t.extra, t.spare, *t.deck[t.top : t.bottom]):
                self.hidden |= 1 << card if card >= 0 else 0
        moves, stack = _zeros((DEEPEST + 2) * WIDEST), _zeros((DEEPEST + 2) * 3)
        keys = _zeros(2 * (DEEPEST + 2))
        for world in worlds:
            keys[0], keys[1] = world.keys
            tree = (self.nodes, self.values, self.sets, self.table, self.slots, self.room)
            self._grow_world(world.table, (keys, self.hidden, world.weight / total, *tree, moves, stack, self.counters))

    def _grow_world(self, t: Table, rest: tuple[Any, ...]) -> None:
        if self.full:
            return
        if not available():
            boards = [copy_table(t) for _ in range(DEEPEST + 2)]
            endings.grow(boards, self.rules, *rest)
            return
        from ..fast.layout import wide_edition, wide_record  # noqa: PLC0415 - only where numpy is installed
        from .endings_compiled import grow  # noqa: PLC0415

        grow(wide_record(t, quiet=False).repeat(DEEPEST + 2), wide_edition(self.rules), rest)

    def improve(self, rounds: int) -> None:
        """Bring the strategy closer to an equilibrium by so many iterations of CFR+."""
        tree = (self.counters, self.nodes, self.values, self.sets)
        rest: tuple[Any, ...] = (*tree, self.regrets, self.sums, self.now, self.reach, self.worth)
        if available():
            from .endings_compiled import improve  # noqa: PLC0415 - only where numba is installed

            improve(rounds, self.done, rest)
        else:
            endings.improve(rounds, self.done, *rest)
        self.done += rounds

    def strategy(self, world: World, seat: int) -> dict[int, float]:
        """What the seat does at the start, in a world: the chance of each sensible move."""
        moves = [0] * WIDEST
        counters = [0] * COUNTERS
        found = endings.set_of(world.keys[seat], seat, 0, self.table, self.slots, self.sets, counters)
        start, count = (int(self.sets[found * MEMBERS + part]) for part in (OFFSET, COUNT))
        endings.average(self.sets, int(self.counters[SETS]), self.sums, self.now)
        endings.list_sensible(world.table, self.rules, self.hidden, moves, 0)
        return {moves[k]: float(self.now[start + k]) for k in range(count)}


def _zeros(n: int, real: bool = False) -> Any:
    if not available():
        return [0.0 if real else 0] * n
    import numpy as np  # noqa: PLC0415 - only where it is installed

    return np.zeros(n, np.float64 if real else np.int64)
