"""Moves tried on the same worlds: compiled as interpreted, and each move by itself as beside others."""

import random
from itertools import pairwise

import pytest

from suitors import Match
from suitors.bots.engine.sampling import CHAMPIONS, FIRST_GAIN, GAIN, TIED
from suitors.bots.opponents import model
from suitors.bots.outcomes import Scale
from suitors.coach import valuer
from suitors.coach.valuer import BestReplyValuer, Sampler, rounds_for
from suitors.knowledge.belief import Belief
from suitors.solve.race import match_chances
from support.engine_positions import some_positions, uncompiled
from support.matches import TABLES


def sampler(match: Match) -> Sampler:
    view = match.view(match.turn)
    likelihood, at_random = model(view)
    return Sampler(view, Belief(view, likelihood), at_random, 7)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_compiled_and_interpreted_try_the_same(slug: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for match in some_positions(slug, players, 3, 2):
        moves = match.view(match.turn).legal[:4]
        with monkeypatch.context() as interpreted:
            uncompiled(interpreted)
            interpreted.setattr(valuer, "available", lambda: False)
            slow = sampler(match).run(moves, 60, ())
        quick = sampler(match).run(moves, 60, ())
        assert quick == slow


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 4), ("premium", 7)])
def test_what_comes_of_a_move_does_not_depend_on_the_others_tried(slug: str, players: int) -> None:
    for match in some_positions(slug, players, 5, 3):
        moves = match.view(match.turn).legal[:5]
        together = sampler(match)._try(moves, 100, 30, learning=False)
        for move, worths in zip(moves, together, strict=True):
            assert sampler(match)._try([move], 100, 30, learning=False) == [worths]


def test_a_move_that_falls_behind_is_tried_in_fewer_worlds_unless_it_is_kept() -> None:
    match = Match("modern", ["Ada", "Ben", "Cleo", "Dan"], seed=6)
    while len(match.legal()) < 8:
        match.push(match.moves()[0])
    moves = match.view(match.turn).legal
    counts = list(map(len, sampler(match).run(moves, 2000, ()).worths))
    assert min(counts) < max(counts)
    worst = moves[counts.index(min(counts))]
    kept = sampler(match).run(moves, 2000, (worst,)).worths
    assert len(kept[moves.index(worst)]) == max(map(len, kept))


def test_a_larger_budget_is_more_rounds_and_more_players_fewer() -> None:
    views = [Match("modern", ["Ada", "Ben", "Cleo", "Dan"][:players], seed=1).view(0) for players in (2, 3, 4)]
    assert rounds_for(views[0], 10) == 2 * rounds_for(views[0], 5)
    assert all(rounds_for(a, 10) > rounds_for(b, 10) for a, b in pairwise(views))


def test_outcomes_are_worth_a_share_in_the_round_and_a_chance_of_the_match() -> None:
    scale = Scale(Match("modern", ["Ada", "Ben", "Cleo"], seed=1).view(1))
    gains = 2 << FIRST_GAIN + GAIN
    assert scale.worths([gains | 0b010]) == [(1.0, match_chances(scale.rules, (0, 2, 0), 0b010)[1])]
    assert scale.worths([0b011]) == [(0.5, match_chances(scale.rules, (0, 0, 0), 0b011)[1])]
    assert scale.worths([0b110 << CHAMPIONS | 0b001]) == [(0.0, 0.5)]
    assert scale.worths([0b011 << TIED | 0b010]) == [(1.0, 0.5)]
    assert 0 < scale.stake < 1
    assert scale.lost == match_chances(scale.rules, (1, 0, 0), 0b001)[1]


@pytest.mark.parametrize("slug", ["classic", "modern", "house"])
def test_the_value_of_a_sure_win_is_one_and_of_a_sure_loss_is_none(slug: str) -> None:
    rng = random.Random(4)
    match = Match(slug, ["Ada", "Ben"], rng=rng)
    while "princess" not in match.view(match.turn).legal:
        match = Match(slug, ["Ada", "Ben"], rng=rng)
    view = match.view(match.turn)
    found = BestReplyValuer().values(view, view.legal, 1, 2)
    thrown = found.worths[view.legal.index("princess")]
    assert {round_ for round_, _ in thrown} == {0.0}
    assert {match_ for _, match_ in thrown} == {Scale(view).lost}
