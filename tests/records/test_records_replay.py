"""Records: tie-break rounds, and what a replay tells (docs/contract.md, Records and replay)."""

import copy
import json
import random
from pathlib import Path

import pytest

from suitors.records.record import load, replay, summary, trace
from support.bad_records import SHARED, changed, fault, record, tied
from support.matches import TABLES, chance_match

TIE_OF_FIVE = Path(__file__).parent.parent / "data" / "tie_without_winner.json"
"""Seats 1 and 3 reach the goal together in a round that seat 2 wins: on to a tie-break."""

# Tie-break rounds


def test_a_tie_at_the_goal_calls_for_a_round_of_the_tied() -> None:
    result = summary(replay(tied()))
    assert (result["over"], result["winners"], result["turn"]) == (False, [], None)
    assert result["tokens"] == [7, 7]
    assert result["next"] == {"seats": [0, 1], "first": [0, 1]}


@pytest.mark.parametrize("seats", [None, [], [0], [1, 0], [0, 1, 2], [False, True], [0.0, 1], "01", {"0": 1}])
def test_a_tie_break_round_names_exactly_the_tied_seats(seats: object) -> None:
    data = tied()
    data["rounds"].append({**SHARED, "seats": seats})
    assert fault(data) == ("bad-seats", 7, None)


def test_a_tie_break_round_without_its_seats_is_bad_before_its_first_and_deck() -> None:
    data = tied()
    data["rounds"].append({"first": 9, "deck": None, "moves": ["?"]})
    assert fault(data) == ("bad-seats", 7, None)


def test_tie_breaks_go_on_until_one_leads() -> None:
    data = tied()
    data["rounds"] += [{**SHARED, "seats": [0, 1]}] * 3
    result = summary(replay(data))
    assert (result["tokens"], result["over"]) == ([10, 10], False)
    data["rounds"].append({**SHARED, "seats": [0, 1], "moves": ["guard 1 4", "guard 0 2"]})
    result = summary(replay(data))
    assert (result["tokens"], result["over"], result["winners"]) == ([10, 11], True, [1])


def test_a_shared_match_is_over_at_the_goal() -> None:
    data = {**tied(), "options": {"premium_match_tie": "share"}}
    result = summary(replay(data))
    assert (result["over"], result["winners"], result["next"]) == (True, [0, 1], None)
    data["rounds"] += [{**SHARED, "seats": [0, 1]}]
    assert fault(data) == ("after-the-end", 7, None)


def test_where_no_winner_is_among_the_tied_any_of_them_may_start() -> None:
    data = json.loads(TIE_OF_FIVE.read_text())
    result = summary(replay(data))
    assert result["rounds"][-1]["winners"] == [2]
    assert result["next"] == {"seats": [1, 3], "first": [1, 3]}
    deck = data["rounds"][0]["deck"]
    for first in range(5):
        longer = {**data, "rounds": [*data["rounds"], {"first": first, "seats": [1, 3], "deck": deck, "moves": []}]}
        if first in (1, 3):
            assert summary(replay(longer))["turn"]["seat"] == first
        else:
            assert fault(longer) == ("bad-first", 5, None)


# What a replay tells


def test_the_summary_of_a_running_round() -> None:
    data = record()
    result = summary(replay(data))
    assert list(result) == ["over", "tokens", "winners", "rounds", "turn", "next"]
    assert (result["over"], result["winners"], result["next"]) == (False, [], None)
    assert [list(row) for row in result["rounds"]] == [["winners", "end", "tokens"]]
    assert list(result["turn"]) == ["round", "ply", "seat", "legal"]
    assert (result["turn"]["round"], result["turn"]["ply"]) == (1, 2)
    assert result["turn"]["legal"] == sorted(result["turn"]["legal"])
    assert result["tokens"] == result["rounds"][0]["tokens"]


def test_the_summary_of_a_round_that_both_win() -> None:
    result = summary(replay(tied(1)))
    assert result == {
        "over": False,
        "tokens": [1, 1],
        "winners": [],
        "rounds": [{"winners": [0, 1], "end": "showdown", "tokens": [1, 1]}],
        "turn": None,
        "next": {"seats": [0, 1], "first": [0, 1]},
    }


def test_the_summary_of_a_record_without_rounds() -> None:
    result = summary(replay({**tied(0), "edition": "modern", "players": ["", "", ""]}))
    assert result == {
        "over": False,
        "tokens": [0, 0, 0],
        "winners": [],
        "rounds": [],
        "turn": None,
        "next": {"seats": [0, 1, 2], "first": [0, 1, 2]},
    }


def test_the_trace_has_a_row_for_each_decision_passed() -> None:
    data = tied(1)
    data["rounds"][0]["moves"] = data["rounds"][0]["moves"][:2]
    match, passed = trace(data)
    assert passed[0] == {
        "round": 0,
        "ply": 0,
        "seat": 0,
        "legal": [*(f"guard 1 {number}" for number in range(2, 9)), "priest 1"],
        "move": "guard 1 4",
    }
    assert [(row["ply"], row["seat"], row["move"]) for row in passed] == [(0, 0, "guard 1 4"), (1, 1, "guard 0 6")]
    assert summary(match)["turn"]["ply"] == 2


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_a_record_may_stop_anywhere(slug: str, players: int) -> None:
    whole = chance_match(slug, players, 2).record()
    _, passed = trace(whole)
    for row in random.Random(players).sample(passed, 12):
        cut = copy.deepcopy(whole)
        cut["rounds"] = cut["rounds"][: row["round"] + 1]
        cut["rounds"][-1]["moves"] = cut["rounds"][-1]["moves"][: row["ply"]]
        turn = summary(replay(cut))["turn"]
        assert {**turn, "move": row["move"]} == row


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_the_record_of_a_replayed_record_is_the_same(slug: str, players: int) -> None:
    match = chance_match(slug, players, 3)
    assert load(json.dumps(match.record())).record() == match.record()
    result = summary(match)
    assert result["over"]
    assert result["winners"]
    assert (result["turn"], result["next"]) == (None, None)
    assert result["rounds"][-1]["tokens"] == result["tokens"]


def test_unknown_extra_keys_are_ignored() -> None:
    extra = {"seed": 1e400, "note": [[{}]], "": None}
    data = changed(lambda data: data.update(extra), lambda data: data["rounds"][0].update(extra))
    assert summary(replay(data)) == summary(replay(record()))


def test_a_record_is_not_changed_by_its_replay() -> None:
    data, twin = record(), record()
    trace(data)
    assert data == twin
