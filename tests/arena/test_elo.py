"""Elo ratings: closed forms, symmetries, and the recovery of known strengths."""

import random
from collections.abc import Mapping
from itertools import combinations
from math import exp, log, log10, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors.arena.elo import SCALE, Pair, Rating, fit
from suitors.arena.tally import WHOLE, Z95, Tally
from support.matches import UNTIMED


def alone(won: int, games: int) -> Tally:
    """So many independent matches."""
    return Tally(games, won * WHOLE, games, won * WHOLE * WHOLE, won * WHOLE)


def elos(ratings: list[Rating]) -> list[float]:
    return [rating.elo for rating in ratings]


@UNTIMED
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_two_bots_have_the_log_odds_of_their_wins_and_its_standard_error(won: int, lost: int) -> None:
    one, other = fit(2, {(0, 1): alone(won, won + lost)})
    assert one.elo - other.elo == pytest.approx(400 * log10((won + 0.5) / (lost + 0.5)), abs=1e-6)
    assert one.elo + other.elo == pytest.approx(0, abs=1e-6)
    half = Z95 * SCALE * sqrt(1 / (won + 0.5) + 1 / (lost + 0.5)) / 2
    assert (one.low, one.high) == pytest.approx((one.elo - half, one.elo + half), rel=1e-6, abs=1e-6)


def test_a_bot_that_won_ten_times_as_often_is_400_points_ahead() -> None:
    one, other = fit(2, {(0, 1): alone(100_000, 110_000)})
    assert one.elo - other.elo == pytest.approx(400, abs=0.1)


@pytest.mark.parametrize("games", [0, 1, 10, 10**6])
def test_perfect_scores_have_ratings_and_intervals(games: int) -> None:
    ratings = fit(4, {pair: alone(0, games) for pair in combinations(range(4), 2)})
    assert elos(ratings) == sorted(elos(ratings))
    assert all(rating.low < rating.elo < rating.high for rating in ratings)
    assert abs(sum(elos(ratings))) < 1e-6


EXTREMES = sorted({0, 1, 999, 10**9, 10**6 - 1, *(10**k + d for k in range(1, 10) for d in (-1, 0, 1))})


@pytest.mark.parametrize("games", EXTREMES)
@pytest.mark.parametrize("won_all", [True, False])
def test_a_perfect_score_of_any_length_is_fitted(games: int, won_all: bool) -> None:
    one, other = fit(2, {(0, 1): alone(games * won_all, games)})
    ahead = 400 * log10(2 * games + 1) * (1 if won_all else -1)
    assert one.elo - other.elo == pytest.approx(ahead, abs=1e-6)
    half = Z95 * SCALE * sqrt(1 / (games + 0.5) + 2) / 2
    assert (one.low, one.high) == pytest.approx((one.elo - half, one.elo + half), rel=1e-6)


@pytest.mark.parametrize("bots", [3, 5, 12, 24])
@pytest.mark.parametrize("games", [1, 10**3 - 1, 10**6 - 1, 10**9])
def test_a_field_in_which_the_earlier_bot_always_wins_is_fitted(bots: int, games: int) -> None:
    tallies = {pair: alone(games, games) for pair in combinations(range(bots), 2)}
    ratings = fit(bots, tallies)
    assert elos(ratings) == sorted(elos(ratings), reverse=True)
    assert elos(ratings) == pytest.approx([-elo for elo in reversed(elos(ratings))], abs=1e-6)
    assert most_likely(ratings, tallies)


@pytest.mark.parametrize("games", [10**6 - 1, 10**9])
def test_bots_that_beat_each_other_in_a_circle_are_equal(games: int) -> None:
    ratings = fit(3, {(0, 1): alone(games, games), (1, 2): alone(games, games), (0, 2): alone(0, games)})
    assert elos(ratings) == pytest.approx([0, 0, 0], abs=1e-6)


@UNTIMED
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.booleans()), min_size=10, max_size=10))
def test_long_and_short_scores_are_fitted_together(results: list[tuple[int, int, bool]]) -> None:
    tallies = {}
    for pair, (won, lost, nil) in zip(combinations(range(5), 2), results, strict=True):
        tallies[pair] = alone(10**won, 10**won + (0 if nil else 10**lost))
    assert most_likely(fit(5, tallies), tallies)


def test_bots_that_have_not_met_are_rated_as_after_half_a_match_won_by_each() -> None:
    apart = {(0, 1): alone(10**9, 10**9), (2, 3): alone(0, 999_999)}
    everybody = {pair: apart.get(pair, Tally()) for pair in combinations(range(4), 2)}
    assert fit(4, apart) == fit(4, everybody)
    assert most_likely(fit(4, apart), everybody)


def test_a_field_without_results_is_even() -> None:
    assert fit(0, {}) == []
    assert fit(1, {}) == [Rating(0, 0, 0)]
    assert elos(fit(3, {})) == [0, 0, 0]
    assert all(rating.low < 0 < rating.high for rating in fit(3, {}))


def most_likely(ratings: list[Rating], tallies: Mapping[Pair, Tally]) -> bool:
    """Whether every bot has won as often as its rating would have it, to a millionth of a match or of its matches."""
    excess = [0.0] * len(ratings)
    total = [1.0] * len(ratings)
    for (a, b), tally in tallies.items():
        ahead = (ratings[a].elo - ratings[b].elo) / SCALE
        won, lost = tally.wins + 0.5, tally.games - tally.wins + 0.5
        more = won / (1 + exp(ahead)) - lost / (1 + exp(-ahead))
        excess[a] += more
        excess[b] -= more
        total[a] += tally.games
        total[b] += tally.games
    return all(abs(x) < 1e-6 * max(1.0, 1e-6 * n) for x, n in zip(excess, total, strict=True))


RESULTS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=6, max_size=6)


@UNTIMED
@given(RESULTS, st.permutations(range(4)))
def test_the_order_of_bots_and_pairs_does_not_matter(results: list[tuple[int, int]], places: list[int]) -> None:
    tallies = {
        pair: alone(won, won + lost) for pair, (won, lost) in zip(combinations(range(4), 2), results, strict=True)
    }
    ratings = fit(4, tallies)
    moved: dict[Pair, Tally] = {}
    for (a, b), tally in reversed(tallies.items()):
        x, y = places[a], places[b]
        moved[min(x, y), max(x, y)] = tally if x < y else tally.turned()
    again = fit(4, moved)
    for bot in range(4):
        one, other = ratings[bot], again[places[bot]]
        assert (one.elo, one.low, one.high) == pytest.approx((other.elo, other.low, other.high), abs=1e-5)


@UNTIMED
@given(st.lists(st.floats(-600, 600), min_size=2, max_size=7))
def test_the_fit_recovers_the_strengths_that_made_the_results(strengths: list[float]) -> None:
    mean = sum(strengths) / len(strengths)
    games = 10**12
    tallies = {
        (a, b): alone(round(games / (1 + exp((strengths[b] - strengths[a]) / SCALE))), games)
        for a, b in combinations(range(len(strengths)), 2)
    }
    assert elos(fit(len(strengths), tallies)) == pytest.approx([x - mean for x in strengths], abs=0.05)


def played(rng: random.Random, strengths: list[float], groups: int) -> Mapping[Pair, Tally]:
    """Results by chance: half of the groups' matches share their luck, as matches on the same deals may."""
    tallies = {pair: Tally() for pair in combinations(range(len(strengths)), 2)}
    for (a, b), tally in tallies.items():
        rate = 1 / (1 + exp((strengths[b] - strengths[a]) / SCALE))
        for _ in range(groups):
            luck = rng.random()
            other = luck if rng.random() < 0.5 else rng.random()
            tally.add(WHOLE * ((luck < rate) + (other < rate)), 2)
    return tallies


def test_the_interval_holds_the_true_rating_in_about_95_of_100_cases() -> None:
    rng, strengths, times = random.Random(11), [-150.0, -20.0, 30.0, 140.0], 150
    held = 0
    for _ in range(times):
        ratings = fit(4, played(rng, strengths, 60))
        held += sum(r.low <= x <= r.high for r, x in zip(ratings, strengths, strict=True))
    assert 0.92 < held / (4 * times) < 0.98


def test_log_odds_are_scaled_as_elo_asks() -> None:
    assert pytest.approx(400 / log(10)) == SCALE
