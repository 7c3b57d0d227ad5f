"""Decisions as lines of text: what is read is what was written but for rounding; and what their key depends on."""

import json
from dataclasses import replace
from typing import Any

import pytest

from suitors import Match, Solo
from suitors.coach import ENGINE, BestReplyValuer, analyse
from suitors.coach import kept as kept_module
from suitors.coach.data import decision_data
from suitors.coach.decisions import Settings, find_due
from suitors.coach.kept import DIGITS, Judged, analysis_key, hidden_cards, judge_line, read_line, write_line
from suitors.view.match import View
from support.matches import chance_match

SETTINGS = Settings(20, 1, BestReplyValuer())
SAID = [0.5448, 0.5116, 0.5286, 0.4358, 0.5866, 0.4684, 0.4513, 0.5893, 0.4537, 0.545, 0.4601, 0.4523]
"""What this version of the engine says of the moves of a match."""


def same(found: Any, told: Any) -> bool:
    """Whether two values are the same but for rounding."""
    if isinstance(told, float):
        return bool(found == pytest.approx(told, abs=10**-DIGITS))
    if isinstance(told, dict):
        return isinstance(found, dict) and found.keys() == told.keys() and all(same(found[k], told[k]) for k in told)
    if isinstance(told, list | tuple):
        return len(found) == len(told) and all(same(a, b) for a, b in zip(found, told, strict=True))
    return bool(found == told)


@pytest.mark.parametrize(("slug", "players", "seed"), [("premium", 5, 3), ("modern", 2, 5), ("house", 3, 1)])
def test_a_line_is_read_as_it_was_written(slug: str, players: int, seed: int) -> None:
    match, due = find_due(chance_match(slug, players, seed, decisions=30).record())
    kinds = set()
    for each in due:
        line = judge_line(match, each, SETTINGS)
        assert line is not None
        assert "\n" not in line
        found = read_line(line)
        assert isinstance(each.view, View)
        belief = hidden_cards(SETTINGS.valuer.belief(each.view))
        assert found.hidden is not None
        assert same(found.hidden.hands, belief.hands)
        assert same((found.hidden.next_draw, found.hidden.aside), (belief.next_draw, belief.aside))
        assert (found.decision.round, found.decision.ply, found.decision.seat) == (each.round, each.ply, each.view.seat)
        assert write_line(found) == line, "rounded once, they stay as they are"
        if found.decision.reason is not None:
            kinds.add(found.decision.reason.kind)
    assert len(kinds) > 1


def test_a_whole_analysis_says_the_same_as_its_lines() -> None:
    match = chance_match("premium", 6, 8, decisions=40)
    decisions = analyse(match.record(), budget_ms=5).decisions
    again = [read_line(write_line(Judged(decision, None, 0.5))).decision for decision in decisions]
    assert any(decision.reason for decision in decisions)
    for found, told in zip(again, decisions, strict=True):
        assert same(decision_data(found), decision_data(told))
        assert (type(found.reason), found.mark, found.forced) == (type(told.reason), told.mark, told.forced)


def test_a_solo_game_has_no_belief() -> None:
    game = Solo(seed=4)
    game.play("draw")
    match, (due,) = find_due(game.record())
    line = judge_line(match, due, SETTINGS)
    assert line is not None
    assert read_line(line).hidden is None
    assert read_line(line).decision.exact
    assert 0 < read_line(line).start < 1


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"hidden": null}', "nothing"])
def test_a_line_that_is_none_is_an_error(line: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        read_line(line)


def test_the_key_is_of_all_that_an_analysis_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("modern", ["Ada", "Ben"], seed=6)
    record = match.record()
    key = analysis_key(record, 200, 0)
    assert key == analysis_key(json.loads(json.dumps(record)), 200, 0)
    assert key == analysis_key({**record, "players": ["Carla", "Dan"], "shuffle": {}}, 200, 0)
    others = {analysis_key(record, 100, 0), analysis_key(record, 200, 1)}
    match.play("priest 1")
    others |= {analysis_key(match.record(), 200, 0), analysis_key({**record, "edition": "classic"}, 200, 0)}
    monkeypatch.setattr(kept_module, "ENGINE", -1)
    others |= {analysis_key(record, 200, 0)}
    assert key not in others
    assert len(others) == 5


def test_what_the_engine_says_has_a_version() -> None:
    """Where this fails since values have changed: raise ENGINE, or servers show what they have kept of the old ones."""
    match, due = find_due(chance_match("modern", 2, 5, decisions=12).record())
    lines = [judge_line(match, each, Settings(5, 0, BestReplyValuer())) for each in due]
    found = [read_line(line).decision.after for line in lines if line is not None]
    assert ENGINE == 1
    assert found == pytest.approx(SAID, abs=0.002)  # processors differ in the last digits of a logarithm


def test_what_little_a_lost_match_is_worth_is_kept() -> None:
    found = analyse(chance_match("modern", 2, 5, decisions=1).record(), budget_ms=1).decisions[0]
    decision = replace(found, stake=3e-7)
    assert read_line(write_line(Judged(decision, None, 0.5))).decision.stake == 3e-7
