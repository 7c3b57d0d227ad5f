"""From what moves are worth to a judgement of the one that was played.

Values are chances to win the match; a loss is also given in parts of the stake, which is how much the round is worth
then: 1 is a whole round thrown away. A difference is measured on worlds that both moves were tried in. Intervals are so
wide that, with a confidence of 95%, they hold for all moves at once, and by what the engine itself may be wrong.
Whatever lies within them is no loss, and a mark says what was lost at least, by the lower end.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from ..bots.outcomes import Worth
from .valuation import Valuation

DOUBT = 0.05
"""How often one of the intervals of a decision may be wrong."""

ROUNDING = 1e-9
"""A difference as small as this is none."""


class Mark(StrEnum):
    """How good a decision was."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


THRESHOLDS = {Mark.BLUNDER: 0.15, Mark.MISTAKE: 0.06, Mark.INACCURACY: 0.02}
"""The part of the stake that was lost at least, for each mark; worst first."""

ERRORS = frozenset(THRESHOLDS)

TO_PRACTISE = frozenset({Mark.MISTAKE, Mark.BLUNDER})
"""The marks of decisions that practice has again."""
"""The marks of decisions that were not good."""


@dataclass(frozen=True)
class MoveValue:
    """What a move is worth: its chance to win the round and the match, and the standard error of the latter."""

    move: str
    round: float
    match: float
    error: float


@dataclass(frozen=True)
class Judgement:
    """What the moves of a decision are worth, best first, and what the one that was played lost."""

    moves: tuple[MoveValue, ...]
    played: MoveValue
    best: MoveValue  # the one that was played, where none is better for sure
    stake: float
    loss: float
    interval: tuple[float, float]

    @property
    def mark(self) -> Mark:
        """How good the decision was."""
        if self.loss == 0:
            return Mark.BEST
        sure = self.interval[0] / self.stake
        return next((mark for mark, least in THRESHOLDS.items() if sure >= least), Mark.GOOD)

    @property
    def room(self) -> float:
        """What the decision is worth beyond any move by chance: the best value less the mean."""
        return max(0.0, self.played.match + self.loss - sum(value.match for value in self.moves) / len(self.moves))


def judge(valuation: Valuation, moves: Sequence[str], played: str, stake: float) -> Judgement:
    """Hold the move that was played against all the others."""
    mine = moves.index(played)
    best, values = compare(valuation, moves, stake, mine)
    low, high = loss_interval(valuation, mine, stake)
    sure = best != mine and low > ROUNDING
    return Judgement(
        moves=tuple(sorted(values, key=lambda value: (-value.match, value.move != moves[best]))),
        played=values[mine],
        best=values[best] if sure else values[mine],
        stake=stake,
        loss=difference(valuation, best, mine, stake)[0] if sure else 0.0,
        interval=(low, high),
    )


def loss_interval(valuation: Valuation, mine: int, stake: float) -> tuple[float, float]:
    """What a move loses at least and at most against those that were tried to the end."""
    factor, low, high = spread_factor(len(valuation.worths)), 0.0, 0.0
    for other in tried_to_the_end(valuation):
        if other != mine:
            gap, error = difference(valuation, other, mine, stake)
            half = factor * error + valuation.tolerance * stake
            low, high = max(low, gap - half), max(high, gap + half)
    return low, high


def compare(valuation: Valuation, moves: Sequence[str], stake: float, mine: int) -> tuple[int, list[MoveValue]]:
    """The best move, of equals the one that was played, and what every move is worth: so much less than the best."""
    best = leading(valuation, mine)
    round_, match = (sum(worth[k] for worth in valuation.worths[best]) / len(valuation.worths[best]) for k in (0, 1))
    base = 0.0 if valuation.exact else deviation(valuation.worths[best], stake)
    values = []
    for k, move in enumerate(moves):
        less, error = difference(valuation, best, k, stake)
        paired = zip(valuation.worths[best], valuation.worths[k], strict=False)
        gaps = [a[0] - b[0] for a, b in paired]
        rest = round_ - sum(gaps) / len(gaps)
        values.append(
            MoveValue(move, min(1.0, max(0.0, rest)), min(1.0, max(0.0, match - less)), sqrt(base**2 + error**2))
        )
    return best, values


def leading(valuation: Valuation, mine: int) -> int:
    """The move with the best chance to win the match, of those that were tried to the end."""
    totals = {k: sum(match for _, match in valuation.worths[k]) for k in tried_to_the_end(valuation)}
    top = max(totals.values()) - ROUNDING * len(valuation.worths[mine])
    return mine if totals.get(mine, -1.0) >= top else next(k for k, total in totals.items() if total >= top)


def tried_to_the_end(valuation: Valuation) -> list[int]:
    """The moves that were tried in all worlds."""
    most = max(map(len, valuation.worths))
    return [k for k, worths in enumerate(valuation.worths) if len(worths) == most]


def difference(valuation: Valuation, best: int, other: int, stake: float) -> tuple[float, float]:
    """How much less another move is worth than one, on worlds that both were tried in, and the standard error."""
    if best == other:
        return 0.0, 0.0
    pairs = Counter((a[1], b[1]) for a, b in zip(valuation.worths[best], valuation.worths[other], strict=False))
    gaps = [(a - b, count) for (a, b), count in pairs.items()]
    total = sum(gap * count for gap, count in gaps)
    n = pairs.total()
    if valuation.exact:
        return total / n, 0.0
    squares = sum(gap * gap * count for gap, count in gaps)
    return total / n, standard_error(total, squares, n, stake)


def deviation(worths: Sequence[Worth], stake: float) -> float:
    """The standard error of a mean chance to win the match."""
    counts = Counter(match for _, match in worths)
    mean = sum(match * count for match, count in counts.items()) / len(worths)
    return standard_error(0.0, sum((match - mean) ** 2 * count for match, count in counts.items()), len(worths), stake)


def standard_error(total: float, squares: float, n: int, stake: float) -> float:
    """From sums over n worlds, as if a gain and a loss of the stake had been seen, too: n alike are no certainty."""
    return sqrt(((squares + 2 * stake * stake) / (n + 2) - (total / (n + 2)) ** 2) / n)


@lru_cache
def spread_factor(moves: int) -> float:
    """How many standard errors wide the intervals are on either side, so that all of a decision hold together."""
    return NormalDist().inv_cdf(1 - DOUBT / 2 / max(1, moves - 1))
