"""Running sums: what they hold, and intervals that hold the truth as often as they say."""

import random
from collections.abc import Sequence
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors.arena.tally import WHOLE, Effort, Tally, wilson
from support.matches import UNTIMED

GROUPS = st.lists(st.integers(0, 2 * WHOLE).map(lambda won: (won, 2)), min_size=1, max_size=40)


def tally(groups: Sequence[tuple[int, int]]) -> Tally:
    """A tally of groups, each with what was won and the number of its matches."""
    made = Tally()
    for won, games in groups:
        made.add(won, games)
    return made


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (5, 10, 0.236593, 0.763407),
        (15, 148, 0.062386, 0.160543),
        (81, 263, 0.255289, 0.366196),
        (1, 29, 0.006113, 0.171755),
    ],
)
def test_the_interval_of_independent_matches_is_that_of_wilson(won: int, games: int, low: float, high: float) -> None:
    assert wilson(won / games, games) == pytest.approx((low, high), abs=1e-4)
    alone = tally([(WHOLE, 1)] * won + [(0, 1)] * (games - won))
    assert alone.effect() == pytest.approx(1)
    assert alone.interval() == pytest.approx((low, high), abs=1e-4)


def test_without_a_match_nothing_is_known() -> None:
    assert Tally().interval() == (0.0, 1.0)
    assert Tally().rate == 0.0


@UNTIMED
@given(GROUPS)
def test_the_interval_holds_the_rate_and_is_the_same_from_both_sides(groups: list[tuple[int, int]]) -> None:
    made = tally(groups)
    low, high = made.interval()
    assert 0 <= low <= made.rate <= high <= 1
    assert made.turned().interval() == pytest.approx((1 - high, 1 - low), abs=1e-9)
    assert made.turned().turned() == made
    assert made.turned() == tally([(games * WHOLE - won, games) for won, games in groups])


@UNTIMED
@given(GROUPS, st.randoms(use_true_random=False), st.integers(0, 40))
def test_neither_the_order_nor_the_parts_matter(groups: list[tuple[int, int]], rng: random.Random, cut: int) -> None:
    shuffled = rng.sample(groups, len(groups))
    merged = tally(shuffled[:cut])
    merged.merge(tally(shuffled[cut:]))
    assert merged == tally(groups)


def test_the_spread_is_exact_even_after_millions_of_matches() -> None:
    groups = 10**9
    even = Tally(2 * groups, WHOLE * groups, 4 * groups, WHOLE * WHOLE * groups, 2 * WHOLE * groups)
    assert even.effect() < 1e-8
    assert isclose(even.rate, 0.5)


def test_luck_that_cancels_out_narrows_the_interval_and_luck_shared_widens_it() -> None:
    even, alone, same = (tally(groups * 50) for groups in ([(840, 2)] * 2, [(840, 1), (0, 1)] * 2, [(1680, 2), (0, 2)]))
    widths = [high - low for low, high in (made.interval() for made in (even, alone, same))]
    assert widths[0] < widths[1] / 5 < widths[1] < widths[2] / 1.3


def pair(rng: random.Random, rate: float, kind: str) -> int:
    """What a side wins in two matches on the same deals, luck being shared, cancelling out, or neither."""
    luck = rng.random()
    other = {"shared": luck, "opposite": 1 - luck, "independent": rng.random()}[kind]
    return WHOLE * ((luck < rate) + (other < rate))


@pytest.mark.parametrize("kind", ["independent", "shared", "opposite"])
@pytest.mark.parametrize("rate", [0.5, 0.8])
def test_the_interval_holds_the_truth_in_about_95_of_100_cases(kind: str, rate: float) -> None:
    rng, held, times = random.Random(7), 0, 600
    for _ in range(times):
        low, high = tally([(pair(rng, rate, kind), 2) for _ in range(60)]).interval()
        held += low <= rate <= high
    assert held / times > 0.93
    assert held / times < 0.97 or kind == "opposite"


def test_efforts_add_up_and_the_first_failure_is_kept() -> None:
    total = Effort()
    for effort in (Effort(3, 0.5), Effort(1, 0.25, 1, (9, "later")), Effort(0, 0.0, 2, (4, "first")), Effort()):
        total.merge(effort)
    assert total == Effort(4, 0.75, 3, (4, "first"))
    assert (total.pace, Effort().pace) == (0.1875, 0.0)
