"""Moves compared in the same worlds: which are tried how often, for how long, and what counts in the end."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from types import SimpleNamespace
from typing import Any

import pytest

from suitors import Match
from suitors.bots.learned import comparing
from suitors.bots.learned.comparing import DOUBT, LEAST, OPINION, ROUNDS, Comparison, halves
from suitors.bots.learned.reading import read_opponents
from suitors.bots.outcomes import Scale
from suitors.bots.tree_search import MARGIN, TreeSearch
from suitors.bots.worlds import Worlds
from suitors.knowledge.belief import Belief
from support.engine_positions import some_positions

Gains = Callable[[str, int], float]

UNIT = 1000
"""An outcome of the worlds below is a gain counted in such parts."""


class ToldWorlds:
    """Worlds in which a move earns what a function says."""

    def __init__(self, gains: Gains) -> None:
        self.gains = gains
        self.asked: list[tuple[tuple[str, ...], int, int]] = []

    def outcomes(self, moves: Sequence[str], first: int, count: int, learning: bool) -> list[list[int]]:
        """What came of the moves."""
        assert learning
        self.asked.append((tuple(moves), first, count))
        return [[round(self.gains(move, world) * UNIT) for world in range(first, first + count)] for move in moves]


class PlainScale:
    """Outcomes are worth what they say."""

    lost, stake = 0.25, 0.5

    def worths(self, outcomes: Iterable[int]) -> list[tuple[float, float]]:
        """Only the chance of the match counts."""
        return [(0.0, self.lost + self.stake * outcome / UNIT) for outcome in outcomes]


def compare(
    gains: Gains, likely: Mapping[str, float], weight: float = 1000.0, budget_ms: float | None = None
) -> tuple[Comparison, list[tuple[tuple[str, ...], int, int]]]:
    worlds: Any = ToldWorlds(gains)
    scale: Any = PlainScale()
    found = Comparison(worlds, scale, likely, weight)
    found.run(0.0, budget_ms)
    return found, worlds.asked


def even(count: int) -> dict[str, float]:
    """Moves that are all as likely."""
    return {f"move {k}": 1 / count for k in range(count)}


@pytest.mark.parametrize(
    ("count", "sizes"), [(1, [1]), (2, [2]), (3, [3, 2]), (7, [7, 4, 2]), (40, [40, 20, 10, 5, 3, 2])]
)
def test_the_worse_half_is_left_behind_until_two_are_compared(count: int, sizes: list[int]) -> None:
    assert list(halves(count)) == sizes
    _, asked = compare(lambda move, world: int(move[5:]) / count, even(count))
    assert [len(moves) for moves, _, _ in asked] == sizes
    best_first = [f"move {k}" for k in range(count - 1, -1, -1)]
    for moves, _, _ in asked[1:]:
        assert list(moves) == best_first[: len(moves)]


@pytest.mark.parametrize("count", [2, 5, 16, 61])
def test_all_stages_have_as_many_rounds_and_go_on_in_new_worlds(count: int) -> None:
    _, asked = compare(lambda move, world: 0.5, even(count))
    world = 0
    for moves, first, worlds in asked:
        assert first == world
        world += worlds
        assert worlds == max(1, ROUNDS // (len(list(halves(count))) * len(moves)))
    assert sum(len(moves) * worlds for moves, _, worlds in asked) <= ROUNDS


def test_a_move_of_which_the_network_thinks_nothing_is_found_where_it_earns_more() -> None:
    likely = {"liked": 1 - 2e-9, "overlooked": 1e-9, "bad": 1e-9}
    found, _ = compare(lambda move, world: {"liked": 0.2, "overlooked": 0.35, "bad": 0.0}[move], likely)
    good = found.goodness()
    assert max(good, key=lambda text: good[text]) == "overlooked"


def test_chances_decide_between_moves_that_earn_the_same() -> None:
    found, _ = compare(lambda move, world: 0.4, {"a": 0.1, "b": 0.6, "c": 0.3})
    good = found.goodness()
    assert sorted(good, key=lambda text: -good[text]) == ["b", "c", "a"]


def test_luck_that_all_moves_share_decides_nothing() -> None:
    rng = random.Random(3)
    luck = [rng.random() for _ in range(ROUNDS)]
    found, _ = compare(lambda move, world: 0.1 * int(move[5:]) + 5 * luck[world], even(4))
    good = found.goodness()
    assert max(good, key=lambda text: good[text]) == "move 3"
    assert good["move 3"] - good["move 2"] == pytest.approx(0.1, rel=0.1)


def test_a_few_worlds_count_little_beside_what_the_network_thinks() -> None:
    found, _ = compare(lambda move, world: 0.0, {"a": 0.99, "b": 0.01})
    found.totals, found.times = {"a": 0.0, "b": 0.5 * 2}, {"a": 2, "b": 2}
    behind = OPINION * log(99)
    few = found.goodness()
    assert few["b"] - few["a"] == pytest.approx((0.5 * 2 - behind * DOUBT) / (2 + DOUBT) - log(99) / 1000, abs=0.04)
    found.totals, found.times = {"a": 0.0, "b": 0.5 * 2000}, {"a": 2000, "b": 2000}
    many = found.goodness()
    assert many["b"] - many["a"] == pytest.approx(0.5, abs=0.02)


def test_the_less_earnings_count_the_more_chances_do() -> None:
    gains = {"a": 0.0, "b": 0.2}
    for weight, best in ((5.0, "a"), (500.0, "b")):
        found, _ = compare(lambda move, world: gains[move], {"a": 0.99, "b": 0.01}, weight)
        good = found.goodness()
        assert max(good, key=lambda text: good[text]) == best
    assert found.logs == {"a": log(0.99), "b": log(0.01)}
    found, _ = compare(lambda move, world: 0.0, {"a": 1.0, "b": 0.0})
    assert found.logs["b"] == log(LEAST)


def test_a_move_that_was_left_behind_stays_as_far_behind_the_best() -> None:
    """All were lucky in the first worlds: the ones that went on are not worse for it."""

    def gains(move: str, world: int) -> float:
        return 0.1 * int(move[5:]) + (2.0 if world < 100 else 0.0)

    found, asked = compare(gains, even(8))
    assert len(asked) == 3
    good = found.goodness()
    assert set(good) == set(even(8))
    assert sorted(good, key=lambda text: good[text]) == list(even(8))
    first = asked[0][2]
    assert good["move 7"] - good["move 0"] == pytest.approx(0.7 * first / (first + DOUBT), rel=0.1)


def test_a_move_that_was_left_behind_is_never_better_than_one_that_beat_it_in_the_same_worlds() -> None:
    """Move 0 leads at first and turns out to be the worst; move 3 was behind all that went on."""

    def gains(move: str, world: int) -> float:
        return {"move 0": 0.9 if world < 500 else -5.0, "move 1": 0.5, "move 2": 0.4, "move 3": 0.3}[move]

    found, asked = compare(gains, even(4))
    assert asked[1][0] == ("move 0", "move 1")
    good = found.goodness()
    assert good["move 3"] < good["move 2"] < good["move 0"] < good["move 1"]


# Time


class Clock:
    """A clock that goes on by so much at every round that is played."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, round_ms: float, now_ms: float = 0.0) -> None:
        self.now_ms, self.round_ms = now_ms, round_ms
        monkeypatch.setattr(comparing, "time", SimpleNamespace(perf_counter=self.look))

    def look(self) -> float:
        """The time in seconds."""
        return self.now_ms / 1000

    def gains(self, move: str, world: int) -> float:
        """All moves are alike."""
        self.now_ms += self.round_ms
        return 0.5


@pytest.mark.parametrize("count", [2, 9, 60])
@pytest.mark.parametrize("budget_ms", [4.0, 200.0])
def test_the_time_is_shared_by_all_stages_and_used_up(
    count: int, budget_ms: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, budget_ms / 10_000)
    _, asked = compare(clock.gains, even(count), budget_ms=budget_ms)
    assert MARGIN * budget_ms <= clock.now_ms < budget_ms
    stages = list(halves(count))
    rounds = {size: sum(size * worlds for moves, _, worlds in asked if len(moves) == size) for size in stages}
    for size in stages:
        assert rounds[size] * clock.round_ms == pytest.approx(MARGIN * budget_ms / len(stages), rel=0.25)


def test_a_stage_in_which_nothing_was_tried_leaves_no_move_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine does something else for a while, the stages of that while tell nothing of any move."""
    clock = Clock(monkeypatch, 0.1)

    def gains(move: str, world: int) -> float:
        clock.now_ms += 45.0 if (move, world) == ("move 7", 0) else 0.0
        return clock.gains(move, world)

    _, asked = compare(gains, even(40), budget_ms=80.0)
    sizes = [len(moves) for moves, _, _ in asked]
    assert list(dict.fromkeys(sizes)) == [40, 20, 3, 2]
    assert sizes.count(20) >= 1
    assert clock.now_ms < 81.0


def test_moves_are_told_in_the_order_of_how_good_they_seemed_at_first() -> None:
    """So that the same seed draws the same of several that are as good in the end."""
    found, _ = compare(lambda move, world: 0.5, {"a": 0.2, "b": 0.5, "c": 0.3})
    assert list(found.goodness()) == ["b", "c", "a"]


def test_whoever_is_late_already_tries_every_move_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, 1.0, now_ms=50.0)
    found, asked = compare(clock.gains, even(9), budget_ms=10.0)
    assert [worlds for _, _, worlds in asked] == [1]
    assert set(found.goodness()) == set(even(9))


def test_without_a_budget_nobody_looks_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "time", None)
    compare(lambda move, world: 0.5, even(9))


# Real worlds


def comparison(match: Match, weight: float = 1000.0) -> Comparison:
    view = match.view(match.turn)
    likelihood, at_random = read_opponents(view)
    worlds = Worlds(TreeSearch(view, Belief(view, likelihood), random.Random(1)), at_random, 7)
    return Comparison(worlds, Scale(view), dict.fromkeys(view.legal, 1 / len(view.legal)), weight)


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 4), ("premium", 8)])
def test_the_same_seed_finds_the_same(slug: str, players: int) -> None:
    for match in some_positions(slug, players, 5, 2):
        found = []
        for _ in range(2):
            compared = comparison(match)
            compared.run(0.0, None)
            found.append(compared.goodness())
        assert found[0] == found[1]
        assert set(found[0]) == set(match.legal())


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("house", 3), ("modern", 5), ("premium", 7)])
def test_earnings_are_chances_of_the_match_in_the_measure_of_a_round(slug: str, players: int) -> None:
    for match in some_positions(slug, players, 6, 3):
        compared = comparison(match)
        compared.try_in(40)
        scale, seed = compared.scale, compared.worlds
        outcomes = seed.outcomes(compared.left, 0, 1, learning=False)
        for codes in outcomes:
            ((_, chance),) = scale.worths(codes)
            assert compared.earnings(codes) == pytest.approx((chance - scale.lost) / scale.stake)
        assert all(-1.5 < compared.totals[text] / 40 < 3 for text in compared.left)
