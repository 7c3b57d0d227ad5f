"""Whole analyses: the same for the same, one by one as they come, for some seats, in every edition, and hints."""

import pickle
import random
from collections.abc import Collection, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitors import Match, Solo, SuitorsError, View
from suitors.bots import opponents, use_cores
from suitors.bots.cores import _limit
from suitors.coach import Analysis, BestReplyValuer, Decision, Mark, Review, Valuation, analyse, get_ready, hint
from suitors.coach import valuer as valuer_module
from suitors.coach.data import analysis_data, hint_data
from suitors.knowledge.belief import Belief
from suitors.records.record import RecordError
from support.engine_positions import uncompiled
from support.matches import EDITIONS, TABLES, UNTIMED, chance_match, somewhere
from support.other_worlds import other_world, same_moves
from support.own_editions import Drawn, own_editions
from support.random_play import position
from support.scenes import NAMES
from support.witness import witness

BUDGET = 0.5


def solo_game(seed: int, slug: str = "solitaire") -> Solo:
    rng = random.Random(f"coach/{seed}")
    game = Solo(slug, rng=rng)
    while not game.over:
        game.play(rng.choice(game.legal()))
    return game


# The same for the same


@pytest.mark.parametrize(("slug", "players"), [("modern", 2), ("classic", 3), ("premium", 6)])
def test_the_same_record_and_seed_give_the_same_on_any_number_of_cores(slug: str, players: int) -> None:
    record = chance_match(slug, players, 5, decisions=30).record()
    found: list[Analysis] = []
    try:
        for cores in (1, 2, 4, 2):
            use_cores(cores)
            opponents._rounds.clear()
            found.append(analyse(record, budget_ms=BUDGET, seed=3))
        found.append(analyse(record, budget_ms=BUDGET, seed=3))  # with what has been read before
    finally:
        _limit.clear()
    assert all(other == found[0] for other in found)
    assert analyse(record, budget_ms=BUDGET, seed=4) != found[0]


def test_a_seat_is_judged_the_same_alone_as_beside_others() -> None:
    record = chance_match("modern", 3, 1, decisions=30).record()
    whole = analyse(record, budget_ms=BUDGET)
    for seat in range(3):
        alone = analyse(record, seats=[seat], budget_ms=BUDGET)
        assert alone.decisions == tuple(decision for decision in whole.decisions if decision.seat == seat)
        assert alone.accounts == (whole.accounts[seat],)


def test_what_comes_later_changes_nothing_before_it() -> None:
    match = chance_match("modern", 2, 3, decisions=24)
    whole = analyse(match.record(), budget_ms=BUDGET)
    match.undo()
    match.undo()
    assert analyse(match.record(), budget_ms=BUDGET).decisions == whole.decisions[: len(whole.decisions) - 2]


@pytest.mark.parametrize("slug", EDITIONS)
def test_in_a_world_that_a_seat_cannot_tell_apart_it_is_judged_the_same(slug: str) -> None:
    """Two records that differ only in what a seat has not seen: bit by bit the same decisions of that seat."""
    rng, compared = random.Random(f"twins/{slug}"), 0
    while compared < 2:
        players = rng.choice([n for table, n in TABLES if table == slug])
        real = position((slug, players, {}), rng, rng.randrange(8, 24))
        record, seat = other_world(real, rng), rng.randrange(players)
        there = same_moves(record, seat)
        if there is None or there[1] != witness(real.record(), seat)[1] or same_for_others(real, there[0], seat):
            continue
        here, twin = (analyse(data, budget_ms=BUDGET) for data in (real.record(), record))
        ours, theirs = ([found for found in side.decisions if found.seat == seat] for side in (here, twin))
        assert ours == theirs
        assert here.accounts[seat].skill == twin.accounts[seat].skill
        compared += bool(ours) and here.decisions != twin.decisions  # others were dealt otherwise, and judged so


def same_for_others(match: Match, other: Match, seat: int) -> bool:
    """Whether the other seats cannot tell two matches apart either."""
    seats = [one for one in range(len(match.players)) if one != seat]
    return all(match.view(one) == other.view(one) for one in seats)


# Decisions


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_decision_of_every_table_is_judged(slug: str, players: int) -> None:
    match = chance_match(slug, players, 7, decisions=25)
    found = analyse(match.record(), budget_ms=BUDGET)
    moves = [(index, ply) for index, played in enumerate(match.rounds) for ply in range(len(played.moves))]
    assert [(decision.round, decision.ply) for decision in found.decisions] == moves
    for decision in found.decisions:
        check(decision)


def check(decision: Decision) -> None:
    """What holds for every decision."""
    chances = [value.match for value in decision.moves]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= value.round <= 1 for value in decision.moves)
    assert {decision.move, decision.best} <= {value.move for value in decision.moves}
    assert decision.before == pytest.approx(decision.after + decision.loss)
    assert decision.loss == 0 or decision.interval[0] > 0
    assert (decision.best == decision.move) == (decision.loss == 0)
    assert (decision.reason is not None) == (decision.mark not in (Mark.BEST, Mark.GOOD))
    assert decision.stake > 0
    assert not decision.forced or decision.mark == Mark.BEST


@settings(UNTIMED, max_examples=12)
@given(own_editions(), st.integers(0, 1 << 32))
def test_editions_of_ones_own_are_judged_too(drawn: Drawn, seed: int) -> None:
    edition, players = drawn
    rng = random.Random(seed)
    match = somewhere(Match(edition, NAMES[:players], rng=rng), rng, 10)
    for decision in analyse(match.record(), budget_ms=BUDGET).decisions:
        check(decision)


def test_where_nothing_is_compiled_decisions_are_judged_by_fewer_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    uncompiled(monkeypatch)
    monkeypatch.setattr(valuer_module, "available", lambda: False)
    monkeypatch.setattr("suitors.coach.ending.available", lambda: False)
    for decision in analyse(chance_match("classic", 2, 4, decisions=8).record(), budget_ms=5).decisions:
        check(decision)


def test_throwing_the_princess_away_is_a_blunder() -> None:
    rng = random.Random(4)
    match = Match("classic", ["Ada", "Ben"], rng=rng)
    while "princess" not in match.legal():
        match = Match("classic", ["Ada", "Ben"], rng=rng)
    match.play("princess")
    (decision,) = analyse(match.record(), budget_ms=5).decisions
    assert decision.mark == Mark.BLUNDER
    assert decision.reason is not None
    assert decision.reason.kind == "fall"


def test_decisions_come_one_by_one_and_what_is_not_asked_for_is_not_worked_out() -> None:
    class Counting(BestReplyValuer):
        asked = 0

        def values(self, view: View, *arguments: Any, **named: Any) -> Valuation:
            Counting.asked += 1
            return super().values(view, *arguments, **named)

    match = chance_match("modern", 2, 9, decisions=40)
    review = Review(match.record(), budget_ms=BUDGET, valuer=Counting())
    steps = review.decisions()
    first = next(steps)
    assert review.judged == [first]
    assert review.account(0).steps
    steps.close()  # type: ignore[attr-defined]
    assert Counting.asked < len(review.due)
    again = list(review.decisions())
    assert again[0] == first
    assert review.judged == again
    assert len(again) == len(review.due)


def test_values_can_come_from_anywhere() -> None:
    """Another engine: it thinks that the shortest text is the best move, and counts cards."""

    class Laconic:
        def values(
            self, view: View, moves: Sequence[str], seed: int, budget_ms: float, keep: Collection[str] = ()
        ) -> Valuation:
            return Valuation(tuple([(1 / len(move), 1 / len(move))] for move in moves), exact=True)

        def belief(self, view: View) -> Belief:
            return Belief(view)

    for decision in analyse(chance_match("modern", 3, 2, decisions=20).record(), valuer=Laconic()).decisions:
        shortest = min(len(value.move) for value in decision.moves)
        assert len(decision.best) == shortest
        assert decision.after == pytest.approx(1 / len(decision.move))
        assert decision.exact


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    record = chance_match("classic", 2, 2, decisions=9).record()
    analyse(record, budget_ms=BUDGET, progress=lambda *step: told.append(step))
    assert told == [(k, 9) for k in range(1, 10)]


@pytest.mark.parametrize("seats", [[2], [-1], [0, 7]])
def test_a_seat_that_is_not_there_is_refused(seats: list[int]) -> None:
    with pytest.raises(SuitorsError, match="There is no seat"):
        analyse(chance_match("classic", 2, 2, decisions=3).record(), seats=seats)


def test_a_record_with_faults_is_refused_before_anything_is_judged() -> None:
    record = chance_match("classic", 2, 2, decisions=3).record()
    record["rounds"][-1]["moves"].append("guard 7 king")
    with pytest.raises(RecordError):
        Review(record)


# Hints and JSON


def test_nobody_gets_a_hint_who_has_nothing_to_decide() -> None:
    match = Match("classic", ["Ada", "Ben"], seed=1)
    assert match.turn is not None
    with pytest.raises(SuitorsError, match="has to decide"):
        hint(match.view(1 - match.turn))


def test_all_of_it_is_plain_data() -> None:
    match = chance_match("premium", 5, 3, decisions=40)
    found = analyse(match.record(), budget_ms=20)
    data = analysis_data(found)
    assert plain(data)
    assert len(data["decisions"]) == len(found.decisions)
    assert [account["seat"] for account in data["accounts"]] == list(range(5))
    kinds = {row["reason"]["kind"] for row in data["decisions"] if row["reason"]}
    assert len(kinds) > 1
    match = Match("modern", ["Ada", "Ben"], seed=6)
    found_hint = hint(match.view(0), budget_ms=5)
    assert found_hint is not None
    assert plain(hint_data(found_hint))


def plain(data: Any) -> bool:
    """Whether some data is nothing but what JSON knows."""
    if isinstance(data, dict):
        return all(type(key) is str and plain(value) for key, value in data.items())
    if isinstance(data, list):
        return all(map(plain, data))
    return data is None or type(data) in (str, int, float, bool)


def test_getting_ready_twice_is_once() -> None:
    get_ready()
    get_ready()
    assert get_ready.cache_info().currsize == 1


def test_analyses_cross_to_another_process_and_back() -> None:
    found = analyse(chance_match("modern", 2, 5, decisions=20).record(), budget_ms=20)
    assert any(decision.reason for decision in found.decisions)
    assert pickle.loads(pickle.dumps(found)) == found
