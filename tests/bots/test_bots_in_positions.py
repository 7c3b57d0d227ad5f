"""Beliefs and bots in matches that began in a position: what led there is made up, and they must make sense of it."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from suitors import Belief, Match
from suitors.bots import BOTS
from support.matches import UNTIMED, somewhere
from support.own_editions import Drawn, own_editions
from support.scenes import NAMES


@settings(UNTIMED, max_examples=15)
@given(own_editions(), st.integers(0, 1 << 32), st.integers(0, 12))
def test_beliefs_and_bots_understand_a_match_that_began_in_a_position(drawn: Drawn, seed: int, steps: int) -> None:
    data, players = drawn
    rng = random.Random(seed)
    match = somewhere(Match(data, NAMES[:players], rng=rng), rng, steps)
    if match.turn is None:
        return
    twin = Match(position=match.position(), seed=1)
    view = twin.view(twin.turn)
    belief = Belief(view)
    assert all(match.table.hand[seat] in belief.hands[seat][0] for seat in view.standing if seat != view.seat)
    for name in ("beginner", "novice", "counting", "search"):
        assert BOTS[name](view, rng, 1.0) in view.legal
