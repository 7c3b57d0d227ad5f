"""Figures with their intervals: sums over groups of rounds that share their deal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arena.tally import Tally
from ..rules import edition_data
from .rounds import StudyTable

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Answer:
    """What rounds say to one question: rows of figures, whose first columns say of what they are."""

    question: str
    table: StudyTable
    rounds: int
    rows: Sequence[dict[str, Any]]
    fair: float | None = None  # the rate if nothing made a difference

    def data(self) -> dict[str, Any]:
        """The answer as it stands in JSON."""
        return {
            "question": self.question,
            "edition": edition_data(self.table.slug),
            "players": self.table.players,
            "bot": self.table.bot,
            "rounds": self.rounds,
            "fair": None if self.fair is None else round(self.fair, 6),
            "rows": list(self.rows),
        }


class Sums:
    """Running sums of what was won in so many kinds of cases, group by group; nothing is kept of a single round."""

    def __init__(self, kinds: int) -> None:
        self.sums = [[0] * kinds for _ in range(5)]

    def add(self, won: Ints, games: Ints) -> None:
        """Count groups: what was won in each kind of case, in parts of WHOLE, and of how many cases."""
        squares = (games, won, games * games, won * won, won * games)
        for sums, column in zip(self.sums, squares, strict=True):
            for kind, number in enumerate(column.sum(axis=0).tolist()):
                sums[kind] += number

    def merge(self, other: "Sums") -> None:
        """Count all groups of other sums."""
        for sums, more in zip(self.sums, other.sums, strict=True):
            sums[:] = map(sum, zip(sums, more, strict=True))

    def tally(self, kind: int) -> Tally:
        """The cases of one kind."""
        return Tally(*(sums[kind] for sums in self.sums))

    def figures(self, kind: int) -> dict[str, Any]:
        """The rate of one kind with its interval."""
        tally = self.tally(kind)
        low, high = tally.interval()
        return {"rate": round(tally.rate, 6), "low": round(low, 6), "high": round(high, 6)}
