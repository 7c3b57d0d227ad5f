"""Moves compared in the same worlds: the worse half is left behind again and again, until the last two are compared.

With the same hidden cards and the same chance, two moves differ by what they do and not by their luck. A move begins
with what the network thinks of it, as if it had been tried in a few worlds already; what it really earns soon counts
for more, so that a move of which the network thinks nothing can still be found to be the best.
"""

import time
from collections.abc import Iterator, Mapping
from math import log

from ..outcomes import Scale
from ..tree_search import MARGIN
from ..worlds import Worlds

ROUNDS = 4000
"""Simulated rounds where no time is given, so that the same seed gives the same move."""

FIRST_ROUNDS = 32
"""Simulated rounds between two looks at the clock, to begin with."""

DOUBT = 30
"""The weight of what the network thinks of a move, in worlds."""

OPINION = 0.03
"""What the network takes a move to earn less than the best one, for each e-fold by which its chance is smaller."""

LEAST = 1e-4
"""What the network says of a move at least, so that no single mistake of it is final."""


class Comparison:
    """The moves of a view: the logarithms of their chances, and what they earned in units of a round won.

    `weight` is how much earnings count beside these logarithms.
    """

    def __init__(self, worlds: Worlds, scale: Scale, likely: Mapping[str, float], weight: float) -> None:
        self.worlds, self.scale, self.weight = worlds, scale, weight
        self.logs = {text: log(max(chance, LEAST)) for text, chance in likely.items()}
        self.totals = dict.fromkeys(likely, 0.0)
        self.times = dict.fromkeys(likely, 0)
        self.left = list(likely)
        self.behind: dict[str, dict[str, float]] = {}  # how good all were when a move was left behind
        self.world, self.rounds = 0, FIRST_ROUNDS

    def run(self, began: float, budget_ms: float | None) -> None:
        """Compare the moves, in so many rounds or until the time is up, which all stages share alike."""
        sizes = list(halves(len(self.left)))
        start = time.perf_counter() if budget_ms is not None else 0.0
        known = -1
        for stage, size in enumerate(sizes, 1):
            if self.world > known:  # else the machine did something else, and nothing new was learnt
                self.leave_behind(size)
                known = self.world
            if budget_ms is None:
                self.try_in(max(1, ROUNDS // (len(sizes) * size)))
            else:
                end = began + MARGIN * budget_ms / 1000
                self.try_until(start + (end - start) * stage / len(sizes), budget_ms)

    def leave_behind(self, size: int) -> None:
        """Go on with so many of the best moves."""
        good = self.goodness_of_left()
        self.left = sorted(good, key=lambda text: good[text], reverse=True)
        self.behind |= dict.fromkeys(self.left[size:], good)
        del self.left[size:]

    def try_until(self, end: float, budget_ms: float) -> None:
        """Try the moves that are left until this moment: in chunks as long as a hundredth of the budget."""
        if self.world == 0:
            self.try_in(1)
        while (began := time.perf_counter()) < end:
            self.try_in(max(1, self.rounds // len(self.left)))
            if (time.perf_counter() - began) * 1000 < budget_ms / 100:
                self.rounds *= 2

    def try_in(self, count: int) -> None:
        """Try the moves that are left in so many more worlds."""
        found = self.worlds.outcomes(self.left, self.world, count, learning=True)
        for text, outcomes in zip(self.left, found, strict=True):
            self.totals[text] += self.earnings(outcomes)
            self.times[text] += count
        self.world += count

    def earnings(self, outcomes: list[int]) -> float:
        """What some outcomes earned together."""
        chances = sum(match for _, match in self.scale.worths(outcomes))
        return (chances - len(outcomes) * self.scale.lost) / self.scale.stake

    def goodness(self) -> dict[str, float]:
        """How good each move is: its mean earnings, and the logarithm of its chance divided by the weight.

        One that was left behind is worse than each that is left by as much as it was in the same worlds, or more.
        """
        good = self.goodness_of_left()
        return good | {
            text: min(good[other] + then[text] - then[other] for other in good) for text, then in self.behind.items()
        }

    def goodness_of_left(self) -> dict[str, float]:
        """The same of the moves that are left."""
        means = [self.totals[text] / self.times[text] for text in self.left if self.times[text]]
        best, likeliest = max(means, default=0.0), max(self.logs.values())
        good = {}
        for text in self.left:
            guess = best + OPINION * (self.logs[text] - likeliest)
            earned = (self.totals[text] + DOUBT * guess) / (self.times[text] + DOUBT)
            good[text] = self.logs[text] / self.weight + earned
        return good


def halves(count: int) -> Iterator[int]:
    """How many of so many moves are compared at each stage."""
    yield count
    while count > 2:
        count = max(2, (count + 1) // 2)
        yield count
