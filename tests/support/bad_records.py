"""Records with faults: good ones to start from, ways to damage them, and the fault that is then reported."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from suitors.history import FORMAT
from suitors.records.record import RecordError, load, replay
from support.matches import chance_match

Change = Callable[[Any], object]

DECK = "baron prince princess countess priest guard guard handmaid handmaid guard guard guard king priest baron prince"
MOVES = "guard 1 4/guard 0 6/priest 1/guard 0 3/guard 1 3/guard 0 2/king 1/priest 0/handmaid/prince 1"
SHARED = {"first": 0, "deck": DECK.split(), "moves": MOVES.split("/")}
"""A round of two in the small Premium game that both win: equal cards at the showdown, equal sums of the piles."""


def record() -> dict[str, Any]:
    """A good record of three players: a finished round and a running one."""
    match = chance_match("modern", 3, 7)
    data = match.record()
    data["rounds"] = data["rounds"][:2]
    data["rounds"][1]["moves"] = data["rounds"][1]["moves"][:2]
    return data


def tied(rounds: int = 7) -> dict[str, Any]:
    """A small Premium match in which both players win every round; after seven they are tied at the goal."""
    data = {"format": FORMAT, "edition": "premium", "players": ["Ada", "Ben"], "rounds": [SHARED] * rounds}
    return copy.deepcopy(data)


def fault(data: Any) -> tuple[str, int | None, int | None]:
    """The code, round and ply of the first fault; both ways of reading must agree."""
    with pytest.raises(RecordError) as caught:
        replay(data)
    error = caught.value.data()["error"]
    assert list(error) == ["code", "round", "ply", "message"]
    assert error["message"].endswith(".")
    with pytest.raises(RecordError):
        load(json.dumps(data))
    return error["code"], error["round"], error["ply"]


def changed(*changes: Change) -> dict[str, Any]:
    """The good record with some changes."""
    data = record()
    for change in changes:
        change(data)
    return data


def put(*path: str | int, value: object) -> Change:
    """The change that puts a value somewhere."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return change


def drop(*path: str | int) -> Change:
    """The change that takes a key away."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return change
