"""From a view to a search and back to a move: the belief laid out for the engine, the board, and the clock."""

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from typing import Any

from ..fast import available
from ..fast.games import STATE, seed_chance
from ..knowledge.belief import Belief
from ..knowledge.public import Public
from ..notation import read_move
from ..rules import NO_CARD, Edition, Table, copy_table
from ..rules.choices import MOST_MOVES
from ..solve.equity import stakes
from ..view.match import View
from .engine.notes import BARRED, LEFT, NOTES, SEATS
from .engine.odds import ODDS
from .engine.policy import MOST_FEATURES
from .engine.reply import DEEPEST, NO_SLOT, mix, observe, replies, slot_of
from .weights import punishing, weights

MARGIN = 0.95
"""The part of a budget after which no further chunk is begun."""

FEWEST = 20
"""Rounds that are simulated even if there is no time left."""

ROOM = 16
"""Numbers of 8 bytes on either side of an array: two lines of a processor's cache."""

TREE, TREE_FIXED = 1 << 16, 1 << 15
"""Slots of a tree that grows until the time is up, and of one that simulates a few thousand rounds."""


class Mind:
    """A position as a search sees it: everything that is known laid out in arrays, compiled or not."""

    def __init__(self, view: View, belief: Belief, rng: random.Random) -> None:
        self.view = view
        self.rules = view.rules
        self.belief = belief
        self.board = board(belief)
        self.seed = rng.getrandbits(32)
        self.shape, self.sums = lay_out(belief)
        self.notes = notes_of(belief)
        self.scale = [0.0] * (2 * SEATS)
        for seat in range(self.rules.players):
            self.scale[seat] = low = stakes_low(self.board, self.rules, seat)
            self.scale[SEATS + seat] = 1 / (stakes(self.board, self.rules, seat, seat) - low)
        self.theta = weights(self.rules)
        self.moves = {text: read_move(self.rules, text) for text in view.legal}

    def think(self, wild: Sequence[float], iterations: int) -> dict[int, int]:
        """Simulate so many rounds; how often each move was tried."""
        thought = Thought(self, wild, 0, TREE_FIXED)
        thought.more(iterations)
        return thought.visits()

    def think_until(self, wild: Sequence[float], began: float, budget_ms: float, threads: int) -> dict[int, int]:
        """Simulate rounds until the budget is used up, in a tree for each thread; how often each move was tried."""
        thoughts = [Thought(self, wild, k, TREE) for k in range(threads if available() else 1)]
        if len(thoughts) == 1:
            thoughts[0].more_until(began, budget_ms)
            return thoughts[0].visits()
        with ThreadPoolExecutor(len(thoughts)) as pool:
            list(pool.map(lambda thought: thought.more_until(began, budget_ms), thoughts))
        return dict(sum((Counter(thought.visits()) for thought in thoughts), Counter()))

    def against(self, wild: Sequence[float]) -> list[float]:
        """The weights of the own policy: between those of self-play and those that punish players by chance."""
        others = [chance for seat, chance in enumerate(wild) if seat != self.view.seat]
        part = sum(others) / len(others)
        return [(1 - part) * a + part * b for a, b in zip(self.theta, punishing(self.rules), strict=True)]

    def most_tried(self, visits: Mapping[int, int]) -> str:
        """The move that was tried most often, as text; among equals the first."""
        return max(self.view.legal, key=lambda text: visits.get(self.moves[text], 0))


class Thought:
    """One tree of engine/reply.py, with all it works on."""

    def __init__(self, mind: Mind, wild: Sequence[float], stream: int, slots: int) -> None:
        self.mind = mind
        self.slots = slots
        rng = [0] * STATE
        seed_chance(rng, mind.seed, stream)
        self.keys, self.counts, self.totals = zeros(slots), zeros(slots), zeros(slots, real=True)
        world = (ints(mind.notes), zeros(NOTES), ints(mind.shape), floats(mind.sums))
        everybody = floats([*wild, *[0.0] * (SEATS - len(wild))])
        minds = (floats(mind.theta), floats(mind.against(wild)), floats(mind.scale), everybody)
        tree = (self.keys, self.counts, self.totals, slots, zeros(DEEPEST))
        self.rest = (world, minds, tree, paper(), ints(rng))
        self.tables, self.rules = tables(mind)

    def more(self, iterations: int) -> None:
        """Simulate so many more rounds."""
        if not available():
            replies(self.tables, self.rules, *self.rest, iterations)
            return
        from .engine.compiling import replies as compiled  # noqa: PLC0415 - only where numba is installed

        compiled(self.tables, self.rules, (*self.rest, iterations))

    def more_until(self, began: float, budget_ms: float) -> None:
        """Simulate rounds until the budget is used up, a few in any case: in chunks as long as a hundredth of it."""
        chunk = 1
        self.more(FEWEST)
        while in_time(began, budget_ms):
            start = time.perf_counter()
            self.more(chunk)
            if (time.perf_counter() - start) * 1000 < budget_ms / 100:
                chunk *= 2

    def visits(self) -> dict[int, int]:
        """How often each legal move was tried at the root."""
        mind, seat = self.mind, self.mind.view.seat
        assert seat is not None
        root = observe(mind.board, mind.notes, mind.rules, seat, 1)
        slots = {move: slot_of(self.keys, mix(root, move), self.slots, False) for move in mind.moves.values()}
        return {move: int(self.counts[slot]) if slot != NO_SLOT else 0 for move, slot in slots.items()}


def in_time(began: float, budget_ms: float) -> bool:
    """Whether there is time left for another chunk."""
    return (time.perf_counter() - began) * 1000 < budget_ms * MARGIN


def ints(numbers: Sequence[int]) -> Any:
    """An array of ints: numpy's if the engine is compiled."""
    found = zeros(len(numbers))
    found[:] = numbers
    return found


def floats(numbers: Sequence[float]) -> Any:
    """An array of floats."""
    found = zeros(len(numbers), real=True)
    found[:] = numbers
    return found


def zeros(n: int, real: bool = False) -> Any:
    """An array of so many zeros, with room around it: threads that write near each other's arrays slow down."""
    if not available():
        return [0.0 if real else 0] * n
    import numpy as np  # noqa: PLC0415 - only where it is installed

    return np.zeros(n + 2 * ROOM, np.float64 if real else np.int64)[ROOM : ROOM + n]


def paper() -> tuple[Any, ...]:
    """What the policy writes on."""
    odds, moves = zeros((SEATS + 1) * ODDS, real=True), (zeros(MOST_MOVES), zeros(MOST_MOVES, real=True))
    return (odds, zeros(MOST_FEATURES), zeros(MOST_FEATURES, real=True), *moves)


def tables(mind: Mind) -> tuple[Any, Any]:
    """The position and a board to play on, and the edition's numbers."""
    return twice(mind.board, mind.rules)


def twice(t: Table, rules: Edition) -> tuple[Any, Any]:
    """A table and a board to play on, and the edition's numbers, for the engine."""
    if not available():
        return [t, copy_table(t)], rules
    from ..fast.layout import wide_edition, wide_record  # noqa: PLC0415 - only where numpy is installed

    return wide_record(t).repeat(2), wide_edition(rules)


def board(belief: Belief) -> Table:
    """The table that the view shows, its hidden cards blank."""
    view, t = belief.view, copy_table(belief.evidence.public.table)
    t.phase = view.phase
    t.active, t.decider = view.active or 0, view.turn or 0
    t.tokens = list(view.tokens)
    t.tied = sum(1 << seat for seat in view.tied)
    hand, t.drawn, t.extra = (*view.hand, NO_CARD, NO_CARD, NO_CARD)[:3]
    assert view.seat is not None
    t.hand[view.seat] = hand
    return t


def lay_out(belief: Belief) -> tuple[list[int], list[float]]:
    """The belief as engine/deals.py reads it."""
    parts = [(share, part) for share, part in zip(belief.shares, belief.sums, strict=True) if share > 0]
    width = max(len(part.places) for _, part in parts)
    shape = [len(parts), len(belief.kinds), width]
    sums = list(accumulate(share for share, _ in parts))
    for _, part in parts:
        shape += [len(part.places), *part.places, *([0] * (width - len(part.places)))]
        rows = part.terms + part.ahead
        pad = [0.0] * ((1 << width) - 1 - part.full)
        for row in rows:
            sums += row
            sums += pad
    return shape + [int(card) for card in belief.kinds] + list(belief.unseen), sums


def notes_of(belief: Belief) -> list[int]:
    """What the players know of each other, and the cards not in sight, at the position of a belief."""
    return noted(belief.evidence.public)


def noted(public: Public) -> list[int]:
    """The notes on the public table as engine/notes.py keeps them."""
    rules, n = public.rules, public.rules.players
    notes = [NO_CARD] * NOTES
    for seat in range(n):
        notes[seat * SEATS : seat * SEATS + n] = public.seen[seat * n : seat * n + n]
    notes[BARRED : BARRED + SEATS] = public.barred + [0] * (SEATS - n)
    left = list(rules.copies)
    for card in (*public.face_up, *public.table.piles[: public.table.discards]):
        left[card] -= 1
    notes[LEFT:] = left
    return notes


def stakes_low(t: Table, rules: Edition, seat: int) -> float:
    """The seat's equity if one of the others wins a token, on average."""
    others = [other for other in range(rules.players) if other != seat]
    return sum(stakes(t, rules, seat, other) for other in others) / len(others)
