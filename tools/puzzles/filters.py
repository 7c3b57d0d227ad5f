"""Is a position a puzzle? A quick look, a second one, then a verification that is thirty times as deep.

A puzzle has one best move: all others are worse by the margin at least, with a confidence of 95% for all of them at
once. The `novice` bot, a plain player, does not find it. It is clearly best as well if nothing is concluded from how
the others played beyond what the rules say, so that nobody has to know the engine's models of its opponents.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from suitors.bots import novice
from suitors.bots.outcomes import Scale
from suitors.bots.solo import solved, table_of, unseen
from suitors.bots.solo_heuristics import SoloHeuristics
from suitors.chance import seed_number
from suitors.coach import BestReplyValuer, Valuation
from suitors.coach.ending import value_ending
from suitors.coach.judgement import difference, leading, spread_factor
from suitors.coach.valuer import QUICK as ROUNDS_A_MS
from suitors.coach.valuer import Sampler
from suitors.knowledge.belief import Belief
from suitors.knowledge.likelihood import uniform
from suitors.notation import read_move, write_move
from suitors.view.match import View
from suitors.view.solo import SoloView

QUICK, SECOND, DEEP, PLAIN = 1_500, 5_000, 150_000, 15_000
"""Simulated rounds of the quick look, of the second one, of the verification, and of the one without reading."""

QUICK_GAP, SECOND_GAP = 0.08, 0.10
"""How far the best move must be ahead of the next in each look, in parts of the stake."""

MARGIN = 0.10
"""How much worse every other move is at least, in parts of the stake: between a mistake and a blunder."""

PLAIN_GAP = 0.05
"""How far the best move must be ahead if nothing is concluded from how the others played, in parts of the stake."""

SOLO_MARGIN = 0.05
"""The same for a solo game, which is solved: as a chance to win."""


@dataclass(frozen=True)
class Verified:
    """A position that is a puzzle: what every move is worth, the best one, and by how much."""

    valuation: Valuation
    best: str
    stake: float
    margin: float  # in parts of the stake


def verify(view: View | SoloView, name: str) -> tuple[Verified | None, bool]:
    """The puzzle that a position is, if it is one, and whether it got as far as the verification."""
    if isinstance(view, SoloView):
        return verify_solo(view), False
    liked, stake = liked_by_novice(view), Scale(view).stake
    valuation = simulate(view, QUICK, f"{name}/quick")
    if not promising(valuation, view.legal, liked, stake, QUICK_GAP):
        return None, False
    if not valuation.exact:
        valuation = simulate(view, SECOND, f"{name}/second")
        if not promising(valuation, view.legal, liked, stake, SECOND_GAP):
            return None, False
        valuation = simulate(view, DEEP, f"{name}/deep")
    k = leading(valuation, 0)
    best, margin = view.legal[k], margin_of(valuation, k, stake)
    if margin < MARGIN or best in liked or gap_without_reading(view, best, name, stake) < PLAIN_GAP:
        return None, True
    return Verified(valuation, best, stake, margin), True


def verify_solo(view: SoloView) -> Verified | None:
    """The same for a solo game, by its exact values."""
    solution = solved(view)
    assert solution is not None
    values = dict(solution.moves)
    (best, most), (_, next_) = solution.moves[:2]
    if most - next_ < SOLO_MARGIN or best in liked_by_novice(view):
        return None
    worths = tuple([(values[move], values[move])] for move in view.legal)
    return Verified(Valuation(worths, exact=True), best, 1.0, most - next_)


def simulate(view: View, rounds: int, name: str) -> Valuation:
    """What the moves are worth by so many simulated rounds, whatever the number of players."""
    budget = rounds * view.rules.players**2 / ROUNDS_A_MS
    return BestReplyValuer().values(view, view.legal, seed_number(name), budget)


def promising(valuation: Valuation, moves: Sequence[str], liked: frozenset[str], stake: float, gap: float) -> bool:
    """Whether one move is far ahead, and not the plain player's."""
    k = leading(valuation, 0)
    gaps = (difference(valuation, k, other, stake)[0] for other in range(len(moves)) if other != k)
    return moves[k] not in liked and min(gaps) >= gap * stake


def margin_of(valuation: Valuation, best: int, stake: float) -> float:
    """By how much the best move is better than each other one at least, in parts of the stake."""
    factor, lowest = spread_factor(len(valuation.worths)), float("inf")
    for other in range(len(valuation.worths)):
        if other != best:
            gap, error = difference(valuation, best, other, stake)
            lowest = min(lowest, gap / stake - factor * error / stake - valuation.tolerance)
    return lowest


def gap_without_reading(view: View, best: str, name: str, stake: float) -> float:
    """How far the best move is ahead if others are taken to have played at random so far; below 0 where it is not.

    Only what the rules say is concluded then from what they did.
    """
    belief = Belief(view)
    valuation = value_ending(view, belief, uniform, view.legal) if view.rules.players == 2 else None
    if valuation is None:
        sampler = Sampler(view, belief, [0.0] * view.rules.players, seed_number(f"{name}/plain"))
        valuation = sampler.run(view.legal, PLAIN, (best,))
    k = view.legal.index(best)
    return min(difference(valuation, k, other, stake)[0] for other in range(len(view.legal)) if other != k) / stake


def liked_by_novice(view: View | SoloView) -> frozenset[str]:
    """The moves among which the `novice` bot chooses."""
    if isinstance(view, SoloView):
        rules = SoloHeuristics(table_of(view, unseen(view)), view.rules)
        liked = {write_move(view.rules, move): rules.liking(move) for move in rules.moves()}
    else:
        glance = novice.glance_at(view)
        liked = {text: novice.like(view, glance, read_move(view.rules, text)) for text in view.legal}
    most = max(liked.values())
    return frozenset(move for move, liking in liked.items() if liking == most)
