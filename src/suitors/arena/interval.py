"""Intervals of win rates."""

from math import sqrt

Z95 = 1.959963984540054
"""How many standard errors hold 95% of a normal distribution."""


def wilson(won: float, games: int) -> tuple[float, float]:
    """The 95% score interval of a rate; sound near 0 and 1 and for shared wins, which only narrow the spread."""
    if games == 0:
        return 0.0, 1.0
    rate, z2 = won / games, Z95 * Z95 / games
    centre = (rate + z2 / 2) / (1 + z2)
    half = Z95 / (1 + z2) * sqrt(rate * (1 - rate) / games + z2 / (4 * games))
    return max(0.0, centre - half), min(1.0, centre + half)
