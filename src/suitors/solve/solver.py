"""The solver for people and programs: values of positions and of every legal move of a solo game."""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import SuitorsError
from ..fast import available
from ..game import Play, Solo
from ..notation import write_move
from ..rules import BLANK, NO_CARD, Card, Edition, Phase, SoloTable, Verb, edition, engine
from ..rules.names import first_of, second_of, third_of, verb_of
from ..rules.solitaire_table import HAND as HAND_PLACE
from .book import COPIES, read_book, start
from .memo import Memo
from .moves import CALL, NOWHERE, OFFER, OWN_AGENT, OWN_HAND, PLAY, TAKE, move_value
from .positions import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    HIDDEN,
    KING,
    NONE,
    PRIEST,
    PRINCE,
    PRINCESS,
    pack_position,
    unseen_bits,
)
from .solo import evaluate
from .turns import value_of

KIND: dict[int, int] = {
    Card.GUARD: GUARD,
    Card.PRIEST: PRIEST,
    Card.BARON: BARON,
    Card.HANDMAID: HANDMAID,
    Card.PRINCE: PRINCE,
    Card.KING: KING,
    Card.COUNTESS: COUNTESS,
    Card.PRINCESS: PRINCESS,
}
"""The solver's kinds, by card."""

PLAY_BITS, START_BITS = 21, 24
"""Slots, as powers of two, for positions reached in play and for the whole game (32 and 256 MB)."""


@dataclass(frozen=True)
class Solution:
    """The value of a position, and of each legal move, best first."""

    value: float
    moves: tuple[tuple[str, float], ...]


def switches_of(rules: Edition) -> int:
    """The solver's number for the switches of an edition."""
    return rules.removes | rules.strict << 1


def position_of(t: SoloTable) -> int:
    """A table as the solver sees it: what is open, and the multiset of what is not."""
    behind = int(t.length > 0 and t.queue[t.length - 1] == Card.PRINCESS)
    length = t.length - behind
    queue = sum(KIND[t.queue[k]] << 3 * k for k in range(length) if t.up[k])
    unseen = [t.queue[k] for k in range(length) if not t.up[k]] + list(t.deck[t.top : t.bottom])
    agent = NONE
    if t.agent != NO_CARD:
        agent = KIND[t.agent] if t.agent_up else HIDDEN
        unseen += [] if t.agent_up else [t.agent]
    counts = sum(1 << unseen_bits(KIND[card]) for card in unseen)
    return pack_position(queue, length, behind, KIND[t.hand], agent, t.guarded, counts)


class Solver:
    """Solves positions of one setting of the switches, remembering what it has met."""

    def __init__(self, rules: Edition) -> None:
        self.switches = switches_of(rules)
        self.rules = rules
        self._memo: Any = None

    @property
    def memo(self) -> Any:
        """What is known so far, the opening book to begin with."""
        if self._memo is None:
            self._memo = new_memo(read_book(self.switches), PLAY_BITS)
        return self._memo

    def solve(self, t: SoloTable) -> Solution:
        """The value of each legal move where a decision is due; the value of the game where it is over."""
        game = engine(self.rules)
        moves = [game.nth_move(t, self.rules, k) for k in range(game.count_moves(t, self.rules))]
        if not moves:
            return Solution(float(t.champions), ())
        values = [(write_move(self.rules, move), self.value(t, move)) for move in moves]
        values.sort(key=lambda pair: (-pair[1], pair[0]))
        return Solution(values[0][1], tuple(values))

    def value(self, t: SoloTable, move: int) -> float:
        """The chance of winning after a legal move, with the best play."""
        verb = verb_of(move)
        if verb in (Verb.AGENT, Verb.DRAW):
            return self._ask(position_of(t), CALL if verb == Verb.AGENT else TAKE, NONE, NOWHERE, 0, 0)
        if verb == Verb.OFFER:
            own = OWN_HAND if first_of(move) == HAND_PLACE else OWN_AGENT
            return self._ask(position_of(t), OFFER, KIND[t.attacker], NOWHERE, own, 0)
        return self._play(t, move)

    def _play(self, t: SoloTable, move: int) -> float:
        """The value of playing a card: the position is the one without it."""
        stays = t.drawn if t.phase == Phase.PLAY and t.hand == verb_of(move) else t.hand
        key = position_of(t)
        key = key & ~(15 << 22) | KIND[stays] << 22
        place = NOWHERE if first_of(move) == BLANK else first_of(move)
        name = 0 if third_of(move) == BLANK else KIND[third_of(move)]
        own = OWN_HAND if second_of(move) in (BLANK, HAND_PLACE) else OWN_AGENT
        return self._ask(key, PLAY, KIND[verb_of(move)], place, own, name)

    def _ask(self, *question: int) -> float:
        key, *choice = question
        return float(_move_value()(self.memo, key, self.switches, *choice))


@lru_cache
def _move_value() -> Callable[..., float]:
    """The function that values a move, compiled where it can be."""
    if not available():
        return move_value
    from .compiled import MOVE  # noqa: PLC0415 - only where numba is installed

    compiled: Callable[..., float] = MOVE
    return compiled


def new_memo(known: Any, bits: int) -> Any:
    """A memory that holds some values already: a dict, or the compiled solver's table."""
    if not available():
        memo: Any = Memo(evaluate)
        memo.update(known)
        return memo
    import numpy as np  # noqa: PLC0415 - only where it is installed

    from . import compiled  # noqa: PLC0415

    memo = compiled.new_memory(bits)
    compiled.fill(memo, np.array(list(known), np.int64), np.array(list(known.values()), np.float64))
    return memo


@lru_cache
def solver_for(removes: int, strict: int) -> Solver:
    """The solver for a setting of the switches, made once."""
    options = {
        "solo_prince": "remove" if removes else "replace",
        "solo_last_card": "strict" if strict else "win",
    }
    return Solver(edition("solitaire", 1, options))


def solve(match: Play) -> Solution:
    """The solution of the position that a solo game has reached."""
    if not isinstance(match, Solo):
        raise SuitorsError("not-solo", "Only the solo editions can be solved: solitaire and solitaire-2019.")
    return solver_for(match.rules.removes, match.rules.strict).solve(match.table)


def solve_from_start(
    rules: Edition, threads: int | None = None, report: Callable[[int], None] | None = None
) -> dict[int, float]:
    """Solve the whole game, without the book: the value of each starting hand, by card."""
    hands = sorted(COPIES)
    values = solve_keys([start(hand) for hand in hands], switches_of(rules), threads, report)
    card_of = {kind: card for card, kind in KIND.items()}
    return {card_of[hand]: values[start(hand)] for hand in hands}


def over_all(values: dict[int, float]) -> float:
    """The value before the hand is dealt."""
    return sum(values[card] * COPIES[KIND[card]] for card in values) / sum(COPIES.values())


def solve_keys(
    keys: list[int], sw: int, threads: int | None = None, report: Callable[[int], None] | None = None
) -> dict[int, float]:
    """Solve positions from nothing; threads explore from different ends and share one memory."""
    if not available():
        memo = Memo(evaluate)
        return {key: value_of(memo, key, sw) for key in keys}
    import numpy as np  # noqa: PLC0415 - only where it is installed

    from . import compiled  # noqa: PLC0415

    memory = compiled.new_memory(START_BITS)
    n = threads or os.cpu_count() or 1
    orders = [keys if k % 2 == 0 else keys[::-1] for k in range(n)]
    results = [np.zeros(len(keys)) for _ in orders]
    workers = [
        threading.Thread(target=compiled.VALUES, args=(memory, np.array(order), sw, result), daemon=True)
        for order, result in zip(orders, results, strict=True)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        while worker.is_alive():
            worker.join(0.25)
            if report is not None:
                report(compiled.filled(memory))
    return dict(zip(keys, results[0].tolist(), strict=True))
