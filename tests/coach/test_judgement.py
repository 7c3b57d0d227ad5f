"""Values, errors, losses and marks from samples."""

import random
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors.bots.outcomes import Worth
from suitors.coach.judgement import DOUBT, ERRORS, THRESHOLDS, Judgement, Mark, judge, spread_factor
from suitors.coach.valuation import Valuation

MOVES = ("guard 1 priest", "handmaid", "prince 0", "prince 1")


def sampled(chances: Sequence[float], n: int, seed: int, stake: float = 1.0) -> Valuation:
    """Moves that win the round with these chances, in the same worlds for all."""
    rng = random.Random(seed)
    worlds = [rng.random() for _ in range(n)]
    return Valuation(tuple([(float(u < p), 0.2 + stake * (u < p)) for u in worlds] for p in chances))


def solved(values: Sequence[float]) -> Valuation:
    return Valuation(tuple([(value, value)] for value in values), exact=True)


def test_values_are_means_and_the_best_comes_first() -> None:
    found = judge(sampled((0.3, 0.5, 0.4, 0.1), 5000, 1, 0.5), MOVES, "prince 0", 0.5)
    assert [value.move for value in found.moves] == ["handmaid", "prince 0", "guard 1 priest", "prince 1"]
    for value, chance in zip(found.moves, (0.5, 0.4, 0.3, 0.1), strict=True):
        assert value.round == pytest.approx(chance, abs=0.03)
        assert value.match == pytest.approx(0.2 + 0.5 * value.round)
        assert 0 < value.error < 0.01
    assert (found.best.move, found.played.move) == ("handmaid", "prince 0")
    assert found.loss == pytest.approx(found.best.match - found.played.match) == pytest.approx(0.05, abs=0.02)
    assert 0 < found.interval[0] < found.loss < found.interval[1]


def test_a_loss_is_in_the_interval_as_often_as_promised() -> None:
    """Four moves of which three are alike: the interval of the loss of the fourth holds the truth."""
    held = 0
    for seed in range(300):
        found = judge(sampled((0.5, 0.5, 0.5, 0.45), 400, seed), MOVES, "prince 1", 1.0)
        held += found.interval[0] <= 0.05 <= found.interval[1]
    assert held >= 300 * (1 - DOUBT)


def test_moves_alike_are_hardly_ever_marked() -> None:
    """Moves of the same chance in worlds of their own: the luckiest of them must not make the others mistakes."""
    rng, wrong = random.Random(5), 0
    for _ in range(300):
        worths: list[list[Worth]] = [
            [(float(u), float(u)) for u in (rng.random() < 0.5 for _ in range(300))] for _ in MOVES
        ]
        found = judge(Valuation(tuple(worths)), MOVES, MOVES[0], 1.0)
        wrong += found.loss > 0
        assert found.loss > 0 or (found.best == found.played and found.mark == Mark.BEST)
    assert wrong <= 300 * DOUBT


def test_the_error_is_that_of_pairs_of_worlds() -> None:
    valuation = sampled((0.5, 0.3, 0.2, 0.1), 2000, 3)
    found = judge(valuation, MOVES, "handmaid", 1.0)
    gaps = [a[1] - b[1] for a, b in zip(valuation.worths[0], valuation.worths[1], strict=True)]
    assert found.loss == pytest.approx(fmean(gaps))
    half = NormalDist().inv_cdf(1 - DOUBT / 6) * stdev(gaps) / len(gaps) ** 0.5
    assert found.interval == pytest.approx((found.loss - half, found.loss + half), abs=half / 50)


def test_nothing_is_certain_because_nothing_else_was_seen() -> None:
    few = Valuation(tuple([(p, p)] * 2 for p in (1.0, 0.0)))
    assert judge(few, MOVES[:2], "handmaid", 1.0).interval[0] == 0
    many = Valuation(tuple([(p, p)] * 300 for p in (1.0, 0.0)))
    assert judge(many, MOVES[:2], "handmaid", 1.0).mark == Mark.BLUNDER


def test_of_equal_moves_the_one_that_was_played_is_the_best() -> None:
    for played in MOVES[:2]:
        found = judge(solved((0.5, 0.5, 0.2, 0.1)), MOVES, played, 1.0)
        assert (found.best.move, found.loss, found.mark) == (played, 0, Mark.BEST)
        assert found.moves[0].move == played


@pytest.mark.parametrize("stake", [1.0, 0.25, 0.01])
@pytest.mark.parametrize(
    ("part", "mark"),
    [(0.0, "best"), (0.019, "good"), (0.021, "inaccuracy"), (0.061, "mistake"), (0.149, "mistake"), (0.16, "blunder")],
)
def test_marks_are_by_the_part_of_the_stake_that_was_lost(part: float, mark: str, stake: float) -> None:
    found = judge(solved((0.6, 0.6 - part * stake)), MOVES[:2], "handmaid", stake)
    assert found.mark == mark
    assert (found.mark in ERRORS) == (part > 0.02)


def test_the_thresholds_go_down() -> None:
    assert list(THRESHOLDS) == [Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY]
    assert sorted(THRESHOLDS.values(), reverse=True) == list(THRESHOLDS.values())


def test_a_solution_that_may_be_a_little_wrong_marks_nothing_within_that() -> None:
    near = Valuation(([(0.5, 0.5)], [(0.496, 0.496)]), 0.005, exact=True)
    assert judge(near, MOVES[:2], "handmaid", 1.0).loss == 0
    far = Valuation(([(0.5, 0.5)], [(0.4, 0.4)]), 0.005, exact=True)
    assert judge(far, MOVES[:2], "handmaid", 1.0).interval == pytest.approx((0.095, 0.105))


def test_what_more_learning_may_change_is_within_the_error_too() -> None:
    samples = sampled((0.5, 0.47, 0.2, 0.1), 100_000, 2)
    near = judge(samples, MOVES, "handmaid", 1.0)
    wide = judge(Valuation(samples.worths, 0.05), MOVES, "handmaid", 1.0)
    assert near.mark != Mark.BEST
    assert wide.mark == Mark.BEST
    assert wide.interval[1] == pytest.approx(near.interval[1] + 0.05)


def test_the_best_move_may_still_lose_a_little() -> None:
    """Where another is nearly as good, it may be the better one; where all others are far behind, not."""
    near = judge(sampled((0.5, 0.5, 0.2, 0.1), 300, 8), MOVES[:4], MOVES[0], 1.0)
    assert near.interval[0] == near.loss == 0 < near.interval[1] < 0.1
    assert judge(sampled((0.9, 0.2), 3000, 8), MOVES[:2], MOVES[0], 1.0).interval == (0, 0)


def test_a_move_that_was_left_behind_is_measured_where_both_were_tried() -> None:
    best: list[Worth] = [(1.0, 1.0)] * 50 + [(0.0, 0.0)] * 150
    left: list[Worth] = [(0.0, 0.0)] * 25 + [(1.0, 1.0)] * 25
    found = judge(Valuation((best, left)), MOVES[:2], "guard 1 priest", 1.0)
    assert found.moves[0].match == 0.25
    assert found.moves[1].match == 0
    assert found.best.move == "guard 1 priest", "a lucky few worlds are not a better mean"


def test_room_is_what_a_choice_is_worth() -> None:
    assert judge(solved((0.6, 0.2)), MOVES[:2], "handmaid", 1.0).room == pytest.approx(0.2)
    assert judge(solved((0.6,)), MOVES[:1], MOVES[0], 1.0).room == 0


def test_intervals_are_wider_the_more_moves_there_are() -> None:
    assert spread_factor(2) == pytest.approx(1.96, abs=0.01)
    assert spread_factor(1) == spread_factor(2) < spread_factor(5) < spread_factor(90)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=4), st.integers(0, 3), st.floats(0.001, 1))
def test_values_stay_chances_and_losses_add_up(values: list[float], place: int, stake: float) -> None:
    moves = MOVES[: len(values)]
    found: Judgement = judge(solved(values), moves, moves[place % len(values)], stake)
    assert all(0 <= value.match <= 1 for value in found.moves)
    assert found.played.match + found.loss == pytest.approx(found.best.match)
    assert found.interval[0] <= found.loss <= found.interval[1]
