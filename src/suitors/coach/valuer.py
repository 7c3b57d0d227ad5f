"""What moves are worth by the engine of the best reply (bots/best_reply.py).

Rounds are simulated as that bot does it: hidden cards from its belief, opponents by its models of them, the player by
what its search has learnt. The endings of two players that the bot solves are solved here, too.
"""

from collections.abc import Collection, Sequence

from ..bots.best_reply import RANDOM
from ..bots.opponents import Model, model
from ..bots.outcomes import Scale, Worth
from ..bots.tree_search import TreeSearch
from ..bots.worlds import Worlds
from ..chance import Stream
from ..fast import available
from ..knowledge.belief import Belief
from ..view.match import View
from .ending import value_ending
from .valuation import Valuation

QUICK, SLOW = 1200, 20
"""Simulated rounds for a millisecond of budget, to be divided by the square of the players: compiled, and where not."""

LEARNING = 0.25
"""The part of the rounds in which the player learns how to go on; the others are measured."""

ALONE = 0.1
"""The part of a budget for a decision that leaves no choice."""

TOLERANCE = 0.01
"""How far the difference of two moves may be from what more learning would make of it, in parts of the stake."""

FEWEST = 2
"""Worlds in which every move is tried at least."""

MEASURED = 1 << 32
"""The number of the first world that is measured."""


class BestReplyValuer:
    """Values by the engine of the best reply."""

    def belief(self, view: View) -> Belief:
        """The belief of the best reply, which weighs what opponents did by models of them."""
        return Belief(view, model(view)[0])

    def values(
        self, view: View, moves: Sequence[str], seed: int, budget_ms: float, keep: Collection[str] = ()
    ) -> Valuation:
        """The solution of an ending, else what came of simulated rounds."""
        likelihood, at_random = model(view)
        belief = Belief(view, likelihood)
        if solvable(view, likelihood) and len(moves) > 1:
            solved = value_ending(view, belief, likelihood, moves)
            if solved is not None:
                return solved
        rounds = rounds_for(view, budget_ms) * (1 if len(moves) > 1 else ALONE)
        return Sampler(view, belief, at_random, seed).run(moves, max(int(rounds), FEWEST * len(moves)), keep)


def solvable(view: View, likelihood: Model) -> bool:
    """Whether the ending is to be solved, as the bot does: not against a player by chance."""
    return view.rules.players == 2 and likelihood.at_random[0 if view.seat else 1] < RANDOM


def rounds_for(view: View, budget_ms: float) -> int:
    """How many simulated rounds a budget stands for."""
    return round(budget_ms * (QUICK if available() else SLOW) / view.rules.players**2)


class Sampler:
    """Tries moves from one view on the same worlds."""

    def __init__(self, view: View, belief: Belief, at_random: Sequence[float], seed: int) -> None:
        self.worlds = Worlds(TreeSearch(view, belief, Stream(seed)), at_random, seed)
        self.scale = Scale(view)

    def run(self, moves: Sequence[str], rounds: int, keep: Collection[str]) -> Valuation:
        """Learn, then measure in stages: after each the worse half of the moves is left behind."""
        self._try(moves, 0, max(1, int(rounds * LEARNING) // len(moves)), learning=True)
        found: dict[str, list[Worth]] = {move: [] for move in moves}
        stages = max(1, (len(moves) - 1).bit_length())
        each, world, left = int(rounds * (1 - LEARNING)) // stages, MEASURED, list(moves)
        for _ in range(stages):
            worlds = max(FEWEST, each // len(left))
            for move, worths in zip(left, self._try(left, world, worlds, learning=False), strict=True):
                found[move] += worths
            world += worlds
            left = better_half(left, found, keep)
        return Valuation(tuple(found[move] for move in moves), TOLERANCE)

    def _try(self, moves: Sequence[str], first: int, count: int, learning: bool) -> list[list[Worth]]:
        """What came of each move in so many worlds."""
        return [self.scale.worths(outcomes) for outcomes in self.worlds.outcomes(moves, first, count, learning)]


def better_half(moves: Sequence[str], found: dict[str, list[Worth]], keep: Collection[str]) -> list[str]:
    """The half of the moves with the better chance to win the match so far, and those to keep, in their order."""
    total = {move: sum(match for _, match in found[move]) for move in moves}
    ranked = sorted(moves, key=lambda move: -total[move])
    best = {*ranked[: (len(moves) + 1) // 2], *keep}
    return [move for move in moves if move in best]
