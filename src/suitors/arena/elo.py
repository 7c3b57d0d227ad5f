"""Elo ratings: the Bradley–Terry model fitted to the results of all pairs, with intervals.

In plain Python: a tournament runs without numpy, and the fields are small.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, log, log1p, sqrt
from operator import mul
from typing import TypeAlias

from .tally import Z95, Tally

SCALE = 400 / log(10)
"""Elo points in one unit of log odds: 400 points are odds of ten to one."""

PRIOR = 0.5
"""The part of a match that each side of a pair is given beforehand, so that perfect scores have ratings too."""

STEPS = 1000
"""The most steps of the fit. 24 bots of which the better one wins all of 10**9 matches take 139."""

CLOSE = 1e-9
"""A step of the fit so small that it is the last, in log odds."""

Pair: TypeAlias = tuple[int, int]
"""Two bots by their places in the list, the lower one first."""

Matrix: TypeAlias = list[list[float]]


@dataclass(frozen=True)
class Rating:
    """A bot's rating, 0 being the mean of the field, with its 95% interval."""

    elo: float
    low: float
    high: float


def fit(bots: int, tallies: Mapping[Pair, Tally]) -> list[Rating]:
    """The most likely ratings, given what the first bot of each pair has won against the second.

    The interval is that of the sandwich estimator: how far a rating would move if other deals had been played, the
    matches of a group counting together.
    """
    everybody = {pair: tallies.get(pair, Tally()) for pair in combinations(range(bots), 2)}
    strength = _most_likely(bots, everybody)
    information = _information(strength, everybody)
    ratings = []
    for bot, x in enumerate(strength):
        moves = _solve(information, [(bot == k) - 1 / bots for k in range(bots)])
        variance = sum((moves[a] - moves[b]) ** 2 * _noise(tally) for (a, b), tally in everybody.items())
        half = Z95 * sqrt(variance)
        ratings.append(Rating(SCALE * x, SCALE * (x - half), SCALE * (x + half)))
    return ratings


def _most_likely(bots: int, tallies: Mapping[Pair, Tally]) -> list[float]:
    """Newton's method in log odds, with steps that always raise the likelihood, and no more than STEPS of them.

    The likelihood is concave, and while no difference of two strengths changes by more than d, its curvature changes
    by a factor of at most exp(d). So if Newton's step changes a difference by up to `reach`, the part
    log(1 + reach) / reach of it is never too long; close to the peak that is the whole step.
    """
    strength = [0.0] * bots
    for _ in range(STEPS):
        step = _solve(_information(strength, tallies), _slope(strength, tallies))
        reach = max(step, default=0.0) - min(step, default=0.0)
        if reach:
            strength = [x + dx * log1p(reach) / reach for x, dx in zip(strength, step, strict=True)]
        if reach <= CLOSE:
            break
    return [x - sum(strength) / bots for x in strength]


def _slope(strength: Sequence[float], tallies: Mapping[Pair, Tally]) -> list[float]:
    """How much more each bot has won than it would be expected to."""
    slope = [0.0] * len(strength)
    for (a, b), tally in tallies.items():
        ahead = strength[a] - strength[b]
        won, lost = tally.wins + PRIOR, tally.games - tally.wins + PRIOR
        excess = won * _chance(-ahead) - lost * _chance(ahead)  # not won - (won + lost) * chance, where digits cancel
        slope[a] += excess
        slope[b] -= excess
    return slope


def _information(strength: Sequence[float], tallies: Mapping[Pair, Tally]) -> Matrix:
    """How sharply the results of each pair tell the difference of the two."""
    matrix = [[0.0] * len(strength) for _ in strength]
    for (a, b), tally in tallies.items():
        ahead = strength[a] - strength[b]
        matrix[a][b] = matrix[b][a] = (tally.games + 2 * PRIOR) * _chance(ahead) * _chance(-ahead)
    return matrix


def _noise(tally: Tally) -> float:
    """The variance of what the first bot of a pair has won."""
    rate = (tally.wins + PRIOR) / (tally.games + 2 * PRIOR)
    return tally.effect() * (tally.games + 2 * PRIOR) * rate * (1 - rate)


def _chance(ahead: float) -> float:
    """The chance of winning of a bot so far ahead, in log odds."""
    return 1 / (1 + exp(-ahead)) if ahead >= 0 else exp(ahead) / (1 + exp(ahead))


def _solve(weights: Matrix, sums: Sequence[float]) -> list[float]:
    """The x with x[0] = 0 for which, in every row i, the sum over k of weights[i][k] * (x[i] - x[k]) is sums[i].

    By elimination from the last row to the second, written for equations of this form: only positive numbers are
    added to the weights, so that they keep their digits however much they differ in size.
    """
    matrix, right = [list(row) for row in weights], list(sums)
    for last in range(len(right) - 1, 0, -1):
        row = matrix[last][:last]
        total = sum(row)
        for k, weight in enumerate(row):
            right[k] += right[last] * weight / total
            matrix[k][:last] = [x + weight * y / total for x, y in zip(matrix[k][:last], row, strict=True)]
    found = [0.0] * len(right)
    for k in range(1, len(right)):
        found[k] = (right[k] + sum(map(mul, matrix[k][:k], found))) / sum(matrix[k][:k])
    return found
