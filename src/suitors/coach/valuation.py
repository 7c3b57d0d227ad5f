"""What moves are worth to the seat of a view: the one seam between the coach and whatever plays best."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..bots.outcomes import Worth
from ..knowledge.belief import Belief
from ..view.match import View


@dataclass(frozen=True)
class Valuation:
    """For each move, what came of it in worlds that are the same for all: the k-th world of one is that of another.

    Moves that fell behind were tried in fewer worlds. `tolerance` is how far the difference of two moves may be from
    the truth however often they are tried, in parts of what the round is worth. Where the values are `exact`, they are
    no samples, but one solved value for each move.
    """

    worths: tuple[Sequence[Worth], ...]
    tolerance: float = 0.0
    exact: bool = False


class Valuer(Protocol):
    """Whatever can say what moves are worth."""

    def values(
        self, view: View, moves: Sequence[str], seed: int, budget_ms: float, keep: Collection[str] = ()
    ) -> Valuation:
        """What each of the legal moves is worth to the seat of the view; those in `keep` are measured to the end.

        It depends on the arguments alone: a budget stands for an amount of work, not for a clock.
        """

    def belief(self, view: View) -> Belief:
        """The chances of hidden cards by which it judges."""
