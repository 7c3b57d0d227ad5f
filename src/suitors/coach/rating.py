"""How good somebody is at puzzles: plain Elo ratings, where a puzzle is an opponent whose rating stands."""

from dataclasses import dataclass

FIRST = 1000.0
"""The rating of somebody who has solved nothing yet."""

SWIFT, STEADY = 40.0, 20.0
"""How many points a result may move a rating: at first, and later."""

EARLY = 20
"""Puzzles that count as the first."""

SPREAD = 400.0
"""So many points are odds of ten to one."""


@dataclass(frozen=True)
class PracticeRating:
    """A person's rating, and by how many puzzles it came about."""

    rating: float = FIRST
    played: int = 0

    def expects(self, puzzle: float) -> float:
        """The chance to solve a puzzle of this rating.

        Examples:
            >>> PracticeRating(1200).expects(1200)
            0.5
        """
        return float(1 / (1 + 10 ** ((puzzle - self.rating) / SPREAD)))

    def after(self, puzzle: float, solved: bool) -> "PracticeRating":
        """The rating after the first attempt at a puzzle.

        Examples:
            >>> PracticeRating().after(1000, solved=True)
            PracticeRating(rating=1020.0, played=1)
        """
        weight = SWIFT if self.played < EARLY else STEADY
        return PracticeRating(self.rating + weight * (solved - self.expects(puzzle)), self.played + 1)
