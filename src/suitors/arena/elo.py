"""Elo ratings: the Bradley–Terry model fitted to the results of all pairs, with intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from operator import mul
from typing import TypeAlias

from .tally import Z95, Tally

SCALE = 400 / log(10)
"""Elo points in one unit of log odds: 400 points are odds of ten to one."""

PRIOR = 0.5
"""The part of a match that each side of a pair is given beforehand, so that perfect scores have ratings too."""

CLOSE = 1e-10
"""A step of the fit so small that it is the last, in log odds."""

LEAP = 3.0
"""The longest step of the fit: far beyond the peak there is no slope to come back by."""

Pair: TypeAlias = tuple[int, int]
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
    strength = _most_likely(bots, tallies)
    bread = _inverse(_information(strength, tallies))
    meat = [[0.0] * bots for _ in range(bots)]
    for pair, tally in tallies.items():
        rate = (tally.wins + PRIOR) / (tally.games + 2 * PRIOR)
        _stamp(meat, pair, tally.effect() * (tally.games + 2 * PRIOR) * rate * (1 - rate))
    covariance = _product(_product(bread, meat), bread)
    half = [Z95 * SCALE * sqrt(max(0.0, covariance[k][k])) for k in range(bots)]
    return [Rating(SCALE * x, SCALE * x - h, SCALE * x + h) for x, h in zip(strength, half, strict=True)]


def _most_likely(bots: int, tallies: Mapping[Pair, Tally]) -> list[float]:
    """Newton's method in log odds. The likelihood has one peak, so it is found; a step that overshoots is halved."""
    strength, height = [0.0] * bots, _likelihood([0.0] * bots, tallies)
    step = _step(strength, tallies)
    while max(map(abs, step), default=0.0) > CLOSE:
        trial = [x + dx for x, dx in zip(strength, step, strict=True)]
        found = _likelihood(trial, tallies)
        if found < height - CLOSE * abs(height):
            step = [dx / 2 for dx in step]
        else:
            strength, height = trial, found
            step = _step(strength, tallies)
    return strength


def _step(strength: Sequence[float], tallies: Mapping[Pair, Tally]) -> list[float]:
    """Where Newton's method would go from here, but no farther than LEAP."""
    slope = [0.0] * len(strength)
    for (a, b), tally in tallies.items():
        excess = tally.wins + PRIOR - (tally.games + 2 * PRIOR) * _chance(strength[a] - strength[b])
        slope[a] += excess
        slope[b] -= excess
    step = [sum(map(mul, row, slope)) for row in _inverse(_information(strength, tallies))]
    longest = max(map(abs, step), default=0.0)
    return [dx * min(1.0, LEAP / longest) if longest else 0.0 for dx in step]


def _likelihood(strength: Sequence[float], tallies: Mapping[Pair, Tally]) -> float:
    """The logarithm of how likely the results are."""
    total = 0.0
    for (a, b), tally in tallies.items():
        won, lost = tally.wins + PRIOR, tally.games - tally.wins + PRIOR
        ahead = strength[a] - strength[b]
        total += won * log(_chance(ahead)) + lost * log(_chance(-ahead))
    return total


def _information(strength: Sequence[float], tallies: Mapping[Pair, Tally]) -> Matrix:
    """How sharply the results speak; ones are added all over, since a shift of all ratings alike says nothing."""
    matrix = [[1.0] * len(strength) for _ in strength]
    for pair, tally in tallies.items():
        ahead = strength[pair[0]] - strength[pair[1]]
        _stamp(matrix, pair, (tally.games + 2 * PRIOR) * _chance(ahead) * _chance(-ahead))
    return matrix


def _chance(ahead: float) -> float:
    """The chance of winning of a bot so far ahead, in log odds."""
    return 1 / (1 + exp(-ahead))


def _stamp(matrix: Matrix, pair: Pair, weight: float) -> None:
    """Add the weight of a difference between two ratings."""
    a, b = pair
    matrix[a][a] += weight
    matrix[b][b] += weight
    matrix[a][b] -= weight
    matrix[b][a] -= weight


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in left]


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse of a positive definite matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for k in range(size):
        pivot = max(range(k, size), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[size:] for row in rows]
