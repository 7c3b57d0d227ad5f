"""The solver for people and programs: values of positions and of every legal move of a solo game."""

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import SuitorsError
from ..fast import available
from ..game import Play, Solo
from ..notation import write_move
from ..rules import BOXES, Card, Edition, Phase, SoloTable, Verb, edition, pack
from ..rules.solitaire_choices import count_solo_moves, nth_solo_move
from .book import COPIES, KeyRecorder, read_book, start
from .memo import UNKNOWN, Memo
from .solo import evaluate
from .tables import kind_of, position_of, switches_of, value_at
from .turns import value_of

PLAY_BITS, START_BITS = 22, 24
"""Slots, as powers of two, for positions reached in play and for the whole game (64 and 256 MB)."""

CROWD = 1_500_000
"""Positions after which the memory begins anew; one of the second turn may need a million more."""

LARGE = 4
"""With so many cards left to draw, a position is worth all cores."""

Report = Callable[[int], None]
"""Called now and then with the number of positions solved so far."""


@dataclass(frozen=True)
class Solution:
    """The value of a position, and of each legal move, best first."""

    value: float
    moves: tuple[tuple[str, float], ...]


class Solver:
    """Solves positions of one setting of the switches, remembering what it has met."""

    def __init__(self, rules: Edition) -> None:
        self.rules = rules
        self.switches = switches_of(rules)
        self.book = read_book(self.switches)
        self.memo = new_memo(self.book)

    def solve(self, t: SoloTable) -> Solution:
        """The value of each legal move where a decision is due; the result where the game is over."""
        moves = [nth_solo_move(t, self.rules, k) for k in range(count_solo_moves(t, self.rules))]
        if not moves:
            return Solution(float(t.champions), ())
        self._make_room()
        best = self.book.get(position_of(t, t.hand), UNKNOWN) if t.phase == Phase.START else UNKNOWN
        values = self._from_book(t, moves, best) if best != UNKNOWN else self._worked_out(t, moves)
        values.sort(key=lambda pair: (-pair[1], pair[0]))
        return Solution(values[0][1], tuple(values))

    def _from_book(self, t: SoloTable, moves: list[int], best: float) -> list[tuple[str, float]]:
        """The values at the start of a turn that the book knows: what calling the agent is not worth, drawing is."""
        called = self._worked_out(t, [pack(Verb.AGENT)])
        if called[0][1] >= best or len(moves) == 1:
            return self._worked_out(t, moves)
        return [*called, (write_move(self.rules, pack(Verb.DRAW)), best)]

    def _worked_out(self, t: SoloTable, moves: list[int]) -> list[tuple[str, float]]:
        """The values of moves, each worked out."""
        self._prepare(t, moves)
        return [(write_move(self.rules, move), self.value(t, move)) for move in moves]

    def value(self, t: SoloTable, move: int) -> float:
        """The chance of winning after a legal move, with the best play from there on."""
        if not available():
            return value_at(self.memo, t, self.switches, move)
        from ..fast.layout import solo_record  # noqa: PLC0415 - only where numpy is installed
        from .compiled import VALUE_AT  # noqa: PLC0415

        return float(VALUE_AT(self.memo, solo_record(t, self.rules), self.switches, move))

    def _prepare(self, t: SoloTable, moves: list[int]) -> None:
        """Let all cores work out what the moves depend on, where that is much."""
        if available() and t.bottom - t.top >= LARGE:
            asked = KeyRecorder()
            for move in moves:
                value_at(asked, t, self.switches, move)
            explore(self.memo, sorted(asked.keys_asked), self.switches)

    def _make_room(self) -> None:
        """Forget what was met in other games before it fills the memory."""
        if crowded(self.memo):
            self.memo = new_memo(self.book)


def crowded(memo: Any) -> bool:
    """Whether the memory might not hold another position and all that follows from it."""
    if isinstance(memo, Memo):
        return len(memo) > CROWD
    from .compiled import filled  # noqa: PLC0415 - only where numba is installed

    return filled(memo) > CROWD


def new_memo(known: Mapping[int, float]) -> Any:
    """A memory that holds some values already: a dict, or the compiled solver's table."""
    if not available():
        memo = Memo(evaluate)
        memo.update(known)
        return memo
    import numpy as np  # noqa: PLC0415 - only where it is installed

    from . import compiled  # noqa: PLC0415

    table = compiled.new_memory(PLAY_BITS)
    compiled.FILL(table, np.array(list(known), np.int64), np.array(list(known.values()), np.float64))
    return table


def solver_for(rules: Edition) -> Solver:
    """The solver of an edition with its switches, made once; a compiled one has another memory."""
    return _solver(rules, available())


@lru_cache
def _solver(rules: Edition, compiled: bool) -> Solver:
    return Solver(rules)


def forget_solvers() -> None:
    """Begin anew with solvers that have met nothing."""
    _solver.cache_clear()


def solve(match: Play) -> Solution:
    """The solution of the position that a solo game has reached."""
    if not isinstance(match, Solo):
        solo = " and ".join(slug for slug, box in BOXES.items() if box.solo)
        raise SuitorsError("not-solo", f"Only the solo editions can be solved: {solo}.")
    options = {key: match.options[key] for key in ("solo_prince", "solo_last_card")}
    return solver_for(edition("solitaire", 1, options)).solve(match.table)


def solve_from_start(rules: Edition, threads: int | None = None, report: Report | None = None) -> dict[Card, float]:
    """Solve the whole game from nothing, without the book: the value of each starting hand."""
    cards = [card for card in Card if rules.copies[card] and card != Card.PRINCESS]
    keys = [start(kind_of(card)) for card in cards]
    values = solve_keys(keys, switches_of(rules), threads, report)
    return {card: values[key] for card, key in zip(cards, keys, strict=True)}


def over_all(values: Mapping[Card, float]) -> float:
    """The value before the hand is dealt."""
    return sum(value * COPIES[kind_of(card)] for card, value in values.items()) / sum(COPIES.values())


def solve_keys(keys: list[int], sw: int, threads: int | None = None, report: Report | None = None) -> dict[int, float]:
    """Solve positions from nothing."""
    if available():
        return solve_table(keys, sw, threads, report)[0]
    memo = Memo(evaluate)
    return {key: value_of(memo, key, sw) for key in keys}


def solve_table(
    keys: list[int], sw: int, threads: int | None = None, report: Report | None = None
) -> tuple[dict[int, float], Any]:
    """The compiled way; the memory is returned too."""
    from . import compiled  # noqa: PLC0415 - only where numba is installed

    table = compiled.new_memory(START_BITS)
    return explore(table, keys, sw, threads, report), table


def explore(
    table: Any, keys: list[int], sw: int, threads: int | None = None, report: Report | None = None
) -> dict[int, float]:
    """Solve positions into a compiled memory; threads begin at different ends and share what they find."""
    import numpy as np  # noqa: PLC0415 - only where it is installed

    from . import compiled  # noqa: PLC0415

    orders = [keys[::-1] if k % 2 else keys for k in range(threads or os.cpu_count() or 1)]
    results = [np.zeros(len(keys)) for _ in orders]
    workers = [
        threading.Thread(target=compiled.VALUES, args=(table, np.array(order, np.int64), sw, result), daemon=True)
        for order, result in zip(orders, results, strict=True)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        while worker.is_alive():
            worker.join(0.25)
            if report is not None:
                report(compiled.filled(table))
    return dict(zip(keys, results[0].tolist(), strict=True))


def simulate(rules: Edition, games: int, seed: int = 0) -> tuple[float, float]:
    """The computed chance of winning, and how often the best moves really won so many random deals (needs numba)."""
    import numpy as np  # noqa: PLC0415 - only where it is installed

    from ..fast.layout import edition_record, solo_type  # noqa: PLC0415
    from .compiled import PLAY_BEST  # noqa: PLC0415

    cards = [card for card in Card if rules.copies[card] and card != Card.PRINCESS]
    values, table = solve_table([start(kind_of(card)) for card in cards], switches_of(rules))
    won = np.zeros(games, np.int8)
    PLAY_BEST(table, np.zeros(1, solo_type(rules)), edition_record(rules), switches_of(rules), seed, 0, won)
    return over_all({card: values[start(kind_of(card))] for card in cards}), float(won.mean())
