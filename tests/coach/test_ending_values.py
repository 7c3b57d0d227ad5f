"""Solved endings of two: what each move is worth, in the round and in the match."""

import pytest

from suitors import Match
from suitors.bots import arrays
from suitors.bots.ending import ROUNDS, actual, reweighted, worlds_of
from suitors.bots.outcomes import Scale
from suitors.coach import ending as ending_module
from suitors.coach.ending import TOLERANCE, SolvedMoves, value_ending
from suitors.coach.valuation import Valuation
from suitors.knowledge.belief import Belief
from suitors.knowledge.likelihood import uniform
from suitors.notation import CARD_OF, read_move
from suitors.solve import equilibrium
from suitors.solve.equilibrium import Ending
from suitors.view.match import View
from support.matches import FOR_TWO
from support.slow_endings import endings


def valued(view: View) -> Valuation | None:
    return value_ending(view, Belief(view), uniform, view.legal)


def solved(match: Match) -> SolvedMoves | None:
    """The moves of an ending, before they are asked for."""
    view = match.view(match.turn)
    worlds = reweighted(list(worlds_of(view, Belief(view), uniform)), view, Belief(view))
    own = actual(worlds, view)
    if own is None:
        return None
    ending = Ending(view.rules, worlds)
    if ending.full:
        return None
    ending.improve(ROUNDS)
    return SolvedMoves(view, ending, own)


def test_the_last_play_is_worth_the_chance_to_be_ahead() -> None:
    compared = 0
    for match in endings("classic", 0, 30):
        view = match.view(match.turn)
        held, found, value = Belief(view).hands[1 - (view.seat or 0)][0], valued(view), view.rules.value
        assert found is not None
        for move, ((round_, _),) in zip(view.legal, found.worths, strict=True):
            if move in ("handmaid", "countess"):
                kept = next(card for card in view.hand if card != CARD_OF[move])
                lower = sum(chance for card, chance in held.items() if value[card] < value[kept])
                alike = sum(chance for card, chance in held.items() if value[card] == value[kept])
                assert lower - 1e-9 <= round_ <= lower + alike + 1e-9
                compared += 1
    assert compared > 3


def test_in_an_edition_of_one_token_a_round_the_match_follows_from_the_round() -> None:
    for match in endings("classic", 1, 6):
        view = match.view(match.turn)
        found, scale = valued(view), Scale(view)
        if found is not None:
            for ((round_, match_),) in found.worths:
                assert match_ == pytest.approx(scale.lost + scale.stake * round_, abs=0.02)


@pytest.mark.parametrize("slug", FOR_TWO)
def test_what_the_equilibrium_plays_is_about_the_best(slug: str) -> None:
    """No move that it often makes is much worse than another: in the measure in which the ending was solved."""
    compared = 0
    for match in endings(slug, 1, 10):
        there = solved(match)
        if there is None:
            continue
        there.ends = {result: (result, result) for result in there.ends}
        if there.seat == 1:
            there.ends = {result: (1 - result, 1 - result) for result in there.ends}
        found = there.valuation(there.view.legal)
        assert found is not None
        values = {move: worths[0][0] for move, worths in zip(there.view.legal, found.worths, strict=True)}
        chances = there.ending.strategy(there.own, there.seat)
        for move, value in values.items():
            if chances.get(read_move(match.rules, move), 0.0) > 0.2:
                assert value == pytest.approx(max(values.values()), abs=0.03)
                compared += 1
    assert compared


@pytest.mark.parametrize("slug", FOR_TWO)
def test_compiled_and_interpreted_find_the_same(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for match in endings(slug, 0, 4):
        view = match.view(match.turn)
        with monkeypatch.context() as interpreted:
            for module in (arrays, equilibrium, ending_module):
                interpreted.setattr(module, "available", lambda: False)
            slow = valued(view)
        quick = valued(view)
        if slow is not None and quick is not None:
            compared += 1
            assert quick.exact
            assert slow.exact
            assert quick.tolerance == TOLERANCE
            for ours, theirs in zip(quick.worths, slow.worths, strict=True):
                assert ours[0] == pytest.approx(theirs[0])
    assert compared


def test_a_guard_that_cannot_hit_is_worth_the_same_whatever_it_names() -> None:
    compared = 0
    for match in endings("classic", 1, 12):
        view = match.view(match.turn)
        found, unseen = valued(view), Belief(view).unseen
        if found is None:
            continue
        guards = [move.split() for move in view.legal if move.startswith("guard ")]
        vain = {" ".join(move) for move in guards if not unseen[CARD_OF[move[2]]] and CARD_OF[move[2]] not in view.hand}
        values = [worths for move, worths in zip(view.legal, found.worths, strict=True) if move in vain]
        assert all(worths == values[0] for worths in values)
        compared += len(values) > 1
    assert compared


def test_an_ending_that_is_large_is_not_solved() -> None:
    match = Match("classic", ["Ada", "Ben"], seed=1)
    assert valued(match.view(match.turn)) is None


def test_an_end_that_is_not_foreseen_leaves_the_ending_unsolved() -> None:
    there = solved(endings("classic", 0, 1)[0])
    assert there is not None
    there.ends = {-1.0: (0.0, 0.0)}
    assert there.valuation(there.view.legal) is None
