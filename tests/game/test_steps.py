"""A step is taken apart once for all who ask for it; another step in its place is another one."""

import pickle
import random

import pytest

from suitors import Match
from suitors.lookup import Lookup
from suitors.view.match import entries_for


def test_after_a_move_that_was_taken_back_another_is_told() -> None:
    rng = random.Random(3)
    match = Match("modern", ["Ada", "Ben", "Cleo", "Dan"], seed=5)
    for _ in range(200):
        if match.over:
            break
        if match.to_deal:
            match.deal()
            continue
        for move in rng.sample(match.moves(), min(3, len(match.moves()))):
            match.push(move)
            last = match.rounds[-1]
            told = match.step_rows(-1, -1)
            for seat in (None, 0, 1, 2, 3):
                assert told.seen_by(seat) == entries_for(last.rows[-1], seat)
            facts, own = match.current_facts((None, 0, 1, 2, 3))
            fresh = match.copy()
            assert (facts, own) == fresh.current_facts((None, 0, 1, 2, 3))
            match.undo()
        match.push(rng.choice(match.moves()))


def test_a_lookup_that_is_full_forgets_all() -> None:
    asked: list[int] = []

    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    doubles = Lookup(double, 2)
    assert [doubles[number] for number in (1, 2, 1, 3, 1)] == [2, 4, 2, 6, 2]
    assert asked == [1, 2, 3, 1]
    assert len(doubles) == 2


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_match_can_be_pickled_by_every_protocol(protocol: int) -> None:
    match = Match("classic", ["Ada", "Ben"], seed=1)
    assert pickle.loads(pickle.dumps(match, protocol)) == match
