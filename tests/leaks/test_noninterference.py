"""Two matches that a seat cannot tell apart give it byte-identical views; two that it can tell apart do not."""

import json
import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from suitors import Match
from suitors.view.data import view_data
from support.random_play import Game, games, position
from support.witness import witness


def view_text(match: Match, seat: int | None) -> str:
    return json.dumps(view_data(match.view(seat)))


def other_world(record: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The same match with some cards of one round's deck elsewhere."""
    rounds = [{**data, "deck": data["deck"][:]} for data in record["rounds"]]
    deck = rng.choice(rounds)["deck"]
    for _ in range(rng.choice((1, 1, 2, 3))):
        i, j = rng.sample(range(len(deck)), 2)
        deck[i], deck[j] = deck[j], deck[i]
    return {**record, "rounds": rounds}


def same_moves(record: dict[str, Any], seat: int | None) -> tuple[Match, list[Any]] | None:
    """The match and the seat's notes, if the same moves are legal in this world too."""
    try:
        return witness(record, seat)
    except ValueError:
        return None


@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
@given(games(), st.integers(0, 2**32), st.integers(1, 60))
def test_noninterference_and_recall(game: Game, seed: int, steps: int) -> None:
    rng = random.Random(seed)
    record = position(game, rng, steps).record()
    for _ in range(12):
        other = other_world(record, rng)
        seat = rng.choice((None, *range(game[1])))
        there = same_moves(other, seat)
        if there is None:
            continue
        match, notes = witness(record, seat)
        assert (view_text(match, seat) == view_text(there[0], seat)) == (notes == there[1])


def test_the_worlds_of_this_test_are_often_the_same_and_often_not() -> None:
    rng = random.Random(4)
    outcomes = {"same": 0, "other": 0}
    for _ in range(400):
        record = position(("modern", 3, {}), rng, 12).record()
        there = same_moves(other_world(record, rng), 1)
        if there is not None:
            outcomes["same" if there[1] == witness(record, 1)[1] else "other"] += 1
    assert outcomes["same"] > 50
    assert outcomes["other"] > 10
