"""Two matches that a seat cannot tell apart give it byte-identical views; two that it can tell apart do not."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from suitors import Match
from suitors.view.data import view_data
from support.matches import EDITIONS
from support.random_play import games, position
from support.witness import witness


def view_text(match: Match, seat: int | None) -> str:
    return json.dumps(view_data(match.view(seat)))


def other_world(match: Match, rng: random.Random) -> dict[str, Any]:
    """The same match with some cards of one round's deck elsewhere; in the last one often a card drawn just now."""
    record = match.record()
    rounds = [{**data, "deck": data["deck"][:]} for data in record["rounds"]]
    if rng.random() < 0.5:
        deck = rounds[-1]["deck"]
        top = min(match.table.top, len(deck) - 1)
        i = rng.randrange(max(0, top - 3), top + 1)
        j = rng.choice([place for place in range(len(deck)) if place != i])
        deck[i], deck[j] = deck[j], deck[i]
        return {**record, "rounds": rounds}
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


@pytest.mark.parametrize("slug", EDITIONS)
@settings(deadline=None, max_examples=80, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(1, 60))
def test_noninterference_and_recall(slug: str, data: st.DataObject, seed: int, steps: int) -> None:
    game, rng = data.draw(games(slug)), random.Random(seed)
    real = position(game, rng, steps)
    record = real.record()
    for _ in range(12):
        other = other_world(real, rng)
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
        real = position(("modern", 3, {}), rng, 12)
        there = same_moves(other_world(real, rng), 1)
        if there is not None:
            outcomes["same" if there[1] == witness(real.record(), 1)[1] else "other"] += 1
    assert outcomes["same"] > 50
    assert outcomes["other"] > 10
