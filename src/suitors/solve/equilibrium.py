"""Equilibria of endings: the trees of endings.py held in arrays, compiled where that is possible."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..fast import available
from ..rules import Edition, Table, copy_table
from . import endings
from .endings import (
    ACTIONS,
    COUNT,
    COUNTERS,
    DEEPEST,
    FULL,
    MEMBERS,
    NODE,
    NODES,
    OFFSET,
    WIDEST,
    CfrState,
    GameTree,
    Levels,
)

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
        self.done = 0
        size = room or (ROOM if available() else ROOM_INTERPRETED)
        self.tree = GameTree(
            nodes=_zeros(size * NODE),
            values=_zeros(size, real=True),
            sets=_zeros(size * MEMBERS),
            table=_zeros(4 * size),
            counters=_zeros(COUNTERS),
        )
        self._grow(list(worlds))
        nodes, actions = (int(self.tree.counters[part]) for part in (NODES, ACTIONS))
        self.state = CfrState(
            regrets=_zeros(actions, real=True),
            sums=_zeros(actions, real=True),
            now=_zeros(actions, real=True),
            reach=_zeros(3 * nodes, real=True),
            worth=_zeros(nodes, real=True),
        )

    @property
    def full(self) -> bool:
        """Whether there was no room for the whole tree."""
        return bool(self.tree.counters[FULL])

    def _grow(self, worlds: list[World]) -> None:
        total = sum(world.weight for world in worlds)
        self.hidden = 0
        for world in worlds:
            t = world.table
            for card in (*t.hand, t.drawn, t.extra, t.spare, *t.deck[t.top : t.bottom]):
                self.hidden |= 1 << card if card >= 0 else 0
        deep = DEEPEST + 2
        levels = Levels(keys=_zeros(deep * 2), moves=_zeros(deep * WIDEST), stack=_zeros(deep * 3))
        for world in worlds:
            if not self.full:
                levels.keys[0], levels.keys[1] = world.keys
                self._grow_world(world.table, world.weight / total, levels)

    def _grow_world(self, t: Table, weight: float, levels: Levels) -> None:
        if not available():
            boards = [copy_table(t) for _ in range(DEEPEST + 2)]
            endings.grow(boards, self.rules, self.hidden, weight, self.tree, levels)
            return
        from ..fast.layout import wide_edition, wide_record  # noqa: PLC0415 - only where numpy is installed
        from .endings_compiled import grow  # noqa: PLC0415

        records = wide_record(t, quiet=False).repeat(DEEPEST + 2)
        grow(records, wide_edition(self.rules), self.hidden, weight, self.tree, levels)

    def improve(self, rounds: int) -> None:
        """Bring the strategy closer to an equilibrium by so many iterations of CFR+."""
        run = endings.improve
        if available():
            from .endings_compiled import improve as run  # noqa: PLC0415 - only where numba is installed

        run(rounds, self.done, self.tree, self.state)
        self.done += rounds

    def strategy(self, world: World, seat: int) -> dict[int, float]:
        """What the seat does at the start, in a world: the chance of each sensible move."""
        moves = [0] * WIDEST
        found = endings.set_of(self.tree, world.keys[seat], seat, 0)
        start, count = (int(self.tree.sets[found * MEMBERS + part]) for part in (OFFSET, COUNT))
        endings.average(self.tree, self.state)
        endings.list_sensible(world.table, self.rules, self.hidden, moves, 0)
        return {moves[k]: float(self.state.now[start + k]) for k in range(count)}


def _zeros(n: int, real: bool = False) -> Any:
    if not available():
        return [0.0 if real else 0] * n
    import numpy as np  # noqa: PLC0415 - only where it is installed

    return np.zeros(n, np.float64 if real else np.int64)
