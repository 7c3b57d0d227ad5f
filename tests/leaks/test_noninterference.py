"""Two matches that a seat cannot tell apart give it byte-identical views; two that it can tell apart do not."""

import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from suitors import Match
from suitors.view.data import view_data
from support.matches import EDITIONS
from support.other_worlds import other_world, same_moves
from support.random_play import games, position
from support.witness import witness


def view_text(match: Match, seat: int | None) -> str:
    return json.dumps(view_data(match.view(seat)))


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
