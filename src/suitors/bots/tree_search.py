"""From a view to a search and back to a move: what the search starts from, its trees, and the clock."""

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from ..fast import available
from ..fast.games import STATE, seed_chance
from ..knowledge.belief import Belief
from ..knowledge.notes import NOTES, SEATS
from ..notation import read_move
from ..rules import Edition, Table
from ..solve.equity import stakes
from ..view.match import View
from .arrays import floats, ints, policy_buffers, table_pair, zeros
from .engine.reply import DEEPEST, NO_SLOT, Players, Position, SearchTree, mix, observe, replies, slot_of
from .positions import belief_arrays, public_notes, visible_table
from .weights import punishing, weights

MARGIN = 0.95
"""The part of a budget after which no further chunk is begun."""

FEWEST = 20
"""Rounds that are simulated even if there is no time left."""

TREE, TREE_FIXED = 1 << 16, 1 << 15
"""Slots of a tree that grows until the time is up, and of one that simulates a few thousand rounds."""


class TreeSearch:
    """A search from one view. `at_random` is always each seat's chance to play a simulated round at random.

    `theta` are the weights of the policy by which everybody else plays: those of self-play, if no others are given.
    """

    def __init__(self, view: View, belief: Belief, rng: random.Random, theta: Sequence[float] | None = None) -> None:
        self.view = view
        self.rules = view.rules
        self.table = visible_table(view, belief.evidence.public)
        self.seed = rng.getrandbits(32)
        self.belief = belief_arrays(belief)
        self.notes = public_notes(belief.evidence.public)
        self.stakes = stakes_by_seat(self.table, self.rules)
        self.theta = weights(self.rules) if theta is None else theta
        self.moves = {text: read_move(self.rules, text) for text in view.legal}

    def run(self, at_random: Sequence[float], iterations: int) -> dict[int, int]:
        """Simulate so many rounds; how often each move was tried."""
        worker = SearchWorker(self, at_random, 0, TREE_FIXED)
        worker.simulate(iterations)
        return worker.visits()

    def run_until(self, at_random: Sequence[float], began: float, budget_ms: float, threads: int) -> dict[int, int]:
        """Simulate rounds until the budget is used up, in a tree for each thread; how often each move was tried."""
        workers = [SearchWorker(self, at_random, k, TREE) for k in range(threads if available() else 1)]
        if len(workers) == 1:
            workers[0].simulate_until(began, budget_ms)
            return workers[0].visits()
        with ThreadPoolExecutor(len(workers)) as pool:
            list(pool.map(lambda worker: worker.simulate_until(began, budget_ms), workers))
        return dict(sum((Counter(worker.visits()) for worker in workers), Counter()))

    def own_weights(self, at_random: Sequence[float]) -> list[float]:
        """The weights of the own policy: between the others' and those that punish random players."""
        others = [chance for seat, chance in enumerate(at_random) if seat != self.view.seat]
        part = sum(others) / len(others)
        return [(1 - part) * a + part * b for a, b in zip(self.theta, punishing(self.rules), strict=True)]

    def most_tried(self, visits: Mapping[int, int]) -> str:
        """The move that was tried most often, as text; among equals the first."""
        return max(self.view.legal, key=lambda text: visits.get(self.moves[text], 0))


class SearchWorker:
    """One tree of engine/reply.py, with all the arrays it needs."""

    def __init__(self, search: TreeSearch, at_random: Sequence[float], stream: int, slots: int) -> None:
        self.search = search
        self.tables, self.rules = table_pair(search.table, search.rules)
        self.position = Position(ints(search.notes), zeros(NOTES), search.belief)
        self.players = Players(
            others=floats(search.theta),
            own=floats(search.own_weights(at_random)),
            stakes=floats(search.stakes),
            at_random=floats([*at_random, *[0.0] * (SEATS - len(at_random))]),
        )
        self.tree = SearchTree(zeros(slots), zeros(slots), zeros(slots, real=True), zeros(DEEPEST))
        self.buffers = policy_buffers()
        rng = [0] * STATE
        seed_chance(rng, search.seed, stream)
        self.rng = ints(rng)

    def simulate(self, iterations: int) -> None:
        """Simulate so many more rounds."""
        run = replies
        if available():
            from .engine.compiling import replies as run  # noqa: PLC0415 - only where numba is installed

        run(self.tables, self.rules, self.position, self.players, self.tree, self.buffers, self.rng, iterations)

    def simulate_until(self, began: float, budget_ms: float) -> None:
        """Simulate rounds until the budget is used up, a few in any case: in chunks as long as a hundredth of it."""
        chunk = 1
        self.simulate(FEWEST)
        while in_time(began, budget_ms):
            start = time.perf_counter()
            self.simulate(chunk)
            if (time.perf_counter() - start) * 1000 < budget_ms / 100:
                chunk *= 2

    def visits(self) -> dict[int, int]:
        """How often each legal move was tried at the root."""
        search, seat, tree = self.search, self.search.view.seat, self.tree
        assert seat is not None
        root = observe(search.table, search.notes, search.rules, seat, 1)
        slots = {move: slot_of(tree.keys, mix(root, move), False) for move in search.moves.values()}
        return {move: int(tree.visits[slot]) if slot != NO_SLOT else 0 for move, slot in slots.items()}


def in_time(began: float, budget_ms: float) -> bool:
    """Whether there is time left for another chunk."""
    return (time.perf_counter() - began) * 1000 < budget_ms * MARGIN


def stakes_by_seat(t: Table, rules: Edition) -> list[float]:
    """Each seat's equity if another wins a token, then 1 / what each would gain by winning one itself."""
    found = [0.0] * (2 * SEATS)
    for seat in range(rules.players):
        found[seat] = low = equity_if_lost(t, rules, seat)
        found[SEATS + seat] = 1 / (stakes(t, rules, seat, seat) - low)
    return found


def equity_if_lost(t: Table, rules: Edition, seat: int) -> float:
    """The seat's equity if one of the others wins a token, on average."""
    others = [other for other in range(rules.players) if other != seat]
    return sum(stakes(t, rules, seat, other) for other in others) / len(others)
