"""The network and the search together: how much each of them counts."""

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from suitors import Match
from suitors.bots import best_reply, opponents
from suitors.bots.learned import choosing, comparing, searching
from suitors.bots.learned.comparing import Comparison
from suitors.bots.learned.network import network_for
from suitors.bots.learned.reading import read_opponents
from suitors.bots.learned.searching import LEAST_WEIGHT, WEIGHT, WEIGHT_OF_TWO, weight_against
from suitors.bots.tree_search import SearchWorker
from suitors.bots.weights import searchers
from suitors.view.match import View
from support.scenes import NAMES

Player = Callable[[View, random.Random], str]


@pytest.fixture(autouse=True)
def forgotten() -> None:
    """Nothing has been read before."""
    opponents._rounds.clear()


def at_random(view: View, rng: random.Random) -> str:
    return rng.choice(view.legal)


def late_views(other: Player, seed: int) -> list[View]:
    """What seat 1, who plays by the network, sees at its decisions from the fourth round of a match of two on."""
    rng = random.Random(f"late {seed}")
    match = Match("classic", NAMES[:2], rng=rng)
    seen = []
    while len(match.rounds) < 9 and not match.over:
        if match.to_deal:
            match.deal()
            continue
        view = match.view(match.turn)
        if view.seat == 1 and len(match.rounds) > 3 and len(view.legal) > 1:
            seen.append(view)
        match.play((choosing.choose if view.seat == 1 else other)(view, rng))
    return seen


def first_view(slug: str, players: int, moves: int = 3) -> View:
    """What somebody sees who can choose between several moves at the beginning."""
    for seed in range(100):
        match = Match(slug, NAMES[:players], seed=seed)
        view = match.view(match.turn)
        if len(view.legal) >= moves:
            return view
    raise AssertionError("no such decision")


def earning(monkeypatch: pytest.MonkeyPatch, found: Callable[[int], float]) -> None:
    """Simulated rounds bring these earnings by the place of a move among the legal ones."""

    def told(compared: Comparison, count: int) -> None:
        for place, text in enumerate(compared.logs):
            compared.totals[text] += found(place) * 1000 * (text in compared.left)
            compared.times[text] += 1000 * (text in compared.left)

    monkeypatch.setattr(Comparison, "try_in", told)


def earns_all(best: int, place: int) -> float:
    """1 for one of the moves, 0 for all others."""
    return float(place == best)


def test_between_two_earnings_count_against_those_who_do_not_play_as_the_network_does() -> None:
    def weights(other: Player) -> list[float]:
        seen = [view for seed in range(6) for view in late_views(other, seed)]
        return sorted(weight_against(view, read_opponents(view)[0]) for view in seen)

    weak, strong = weights(at_random), weights(choosing.choose)
    assert len(weak) > 30
    assert weak[len(weak) // 2] > 0.95 * WEIGHT_OF_TWO
    assert strong[len(strong) // 2] < 0.4 * WEIGHT_OF_TWO
    assert strong[0] >= 0
    assert weak[-1] <= WEIGHT_OF_TWO


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 4), ("premium", 6)])
def test_others_play_simulated_rounds_as_bots_were_seen_to_play(
    slug: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    begin = SearchWorker.__init__

    def noting(worker: SearchWorker, *words: Any) -> None:
        begin(worker, *words)
        made.append(worker)

    monkeypatch.setattr(SearchWorker, "__init__", noting)
    monkeypatch.setattr(searching, "weight_against", lambda view, likelihood: WEIGHT)
    match = Match(slug, NAMES[:players], seed=4)
    view = match.view(match.turn)
    searching.choose(view, random.Random(1), 1.0)
    (worker,) = made
    assert list(worker.players.others) == searchers(view.rules)


def test_what_is_read_depends_on_the_time_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    given = list[float | None]()

    def noting(view: View, budget_ms: float | None) -> Any:
        given.append(budget_ms)
        return read_opponents(view, budget_ms)

    monkeypatch.setattr(searching, "read_opponents", noting)
    match = Match("premium", NAMES[:6], seed=4)
    view = match.view(match.turn)
    for budget_ms in (4.0, 12.0, None):
        searching.choose(view, random.Random(1), budget_ms)
    assert given == [4.0, 12.0, None]


def test_between_two_only_a_player_at_random_is_met_with_the_best_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_reply, "choose", lambda *_: "best reply")
    monkeypatch.setattr(comparing, "ROUNDS", 1)

    def replies(other: Player) -> list[str]:
        views = [view for seed in range(6) for view in late_views(other, seed)]
        return [searching.choose(view, random.Random(1), None) for view in views]

    weak, strong = replies(at_random), replies(choosing.choose)
    assert len(weak) > 30
    assert weak.count("best reply") > 0.5 * len(weak)
    assert strong.count("best reply") < 0.02 * len(strong)


def test_a_best_reply_has_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    view, given = late_views(at_random, 1)[-1], list[float | None]()
    monkeypatch.setattr(searching, "AT_RANDOM", 0.0)
    monkeypatch.setattr(best_reply, "choose", lambda view, rng, budget_ms: given.append(budget_ms))
    for budget_ms in (None, 500.0, 1e-6):
        searching.choose(view, random.Random(1), budget_ms)
    assert given[0] is None
    assert given[1] is not None
    assert 0 < given[1] < 500
    assert given[2] == 0


def test_among_three_and_more_earnings_always_count_alike() -> None:
    view = first_view("modern", 4)
    assert weight_against(view, read_opponents(view)[0]) == WEIGHT


def test_nothing_is_simulated_against_somebody_who_plays_as_the_network_does(monkeypatch: pytest.MonkeyPatch) -> None:
    view = first_view("classic", 2)
    monkeypatch.setattr(searching, "weight_against", lambda *_: LEAST_WEIGHT / 2)
    monkeypatch.setattr(searching, "TreeSearch", None)
    for seed in range(10):
        assert searching.choose(view, random.Random(seed), 5.0) == choosing.choose(view, random.Random(seed))


def test_between_two_a_move_is_drawn_and_where_all_earn_the_same_by_the_chances_of_the_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = first_view("modern", 2)
    earning(monkeypatch, lambda place: 0.3)
    likely = {move: p for move, p in choosing.chances(view, network_for(view.rules)).items() if p >= choosing.CUT}
    assert len(likely) > 1
    rng = random.Random(5)
    drawn = Counter(searching.choose(view, rng, None) for _ in range(400))
    assert set(drawn) <= set(likely)
    for move, chance in likely.items():
        assert drawn[move] / 400 == pytest.approx(chance / sum(likely.values()), abs=0.09)


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 2), ("modern", 4)])
def test_what_earns_far_more_is_played_whatever_the_network_says(
    slug: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = first_view(slug, players)
    for best, move in enumerate(view.legal):
        earning(monkeypatch, partial(earns_all, best))
        assert searching.choose(view, random.Random(best), None) == move


def test_a_little_more_does_not_outweigh_a_chance_that_is_far_greater(monkeypatch: pytest.MonkeyPatch) -> None:
    view = first_view("classic", 4)
    likely = choosing.chances(view, network_for(view.rules))
    best, worst = max(likely.values()), view.legal.index(min(likely, key=lambda move: likely[move]))
    earning(monkeypatch, lambda place: 0.001 * (place == worst))
    assert likely[searching.choose(view, random.Random(1), None)] == best
