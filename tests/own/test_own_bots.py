"""Bots of every level play editions of one's own, and compiled code has room for the largest of them."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitors import Match
from suitors.bots import BOTS, tree_search
from suitors.fast.layout import wide_edition, wide_record
from suitors.knowledge.belief import Belief
from suitors.rules.own import MOST_CARDS, MOST_COPIES
from support.matches import UNTIMED
from support.own_editions import Drawn, own_editions
from support.scenes import NAMES

LARGEST: dict[str, Any] = {
    "base": "premium",
    "cards": {
        "chancellor": 8,
        "guard": 8,
        "cardinal": 8,
        "baroness": 7,
        "baron": 6,
        "jester": 1,
        "bishop": 1,
        "princess": 1,
    },
}


def played(match: Match, bots: list[str], rng: random.Random, decisions: int) -> None:
    """Let bots decide in turn, so many times at most."""
    for k in range(decisions):
        if match.over:
            return
        if match.to_deal:
            match.deal()
        elif match.turn is not None:
            match.play(BOTS[bots[k % len(bots)]](match.view(match.turn), rng, 1.0))


@settings(UNTIMED, max_examples=12)
@given(own_editions(), st.integers(0, 1 << 32))
def test_bots_of_every_level_play_any_edition(drawn: Drawn, seed: int) -> None:
    data, players = drawn
    rng = random.Random(seed)
    played(Match(data, NAMES[:players], rng=rng), list(BOTS), rng, decisions=25)


@settings(UNTIMED, max_examples=12)
@given(own_editions(), st.integers(0, 1 << 32))
def test_beliefs_sum_up_to_one_and_hold_the_truth(drawn: Drawn, seed: int) -> None:
    data, players = drawn
    rng = random.Random(seed)
    match = Match(data, NAMES[:players], rng=rng)
    for _ in range(12):
        if match.turn is None:
            break
        belief = Belief(match.view(match.turn))
        for seat in match.view(None).standing:
            assert sum(belief.hands[seat][0].values()) == pytest.approx(1)
            if seat != match.turn and not belief.error:
                assert match.table.hand[seat] in belief.hands[seat][0]
        match.push(rng.choice(match.moves()))


def test_compiled_code_has_room_for_the_largest_edition() -> None:
    match = Match(LARGEST, NAMES[:8], rng=random.Random(1))
    assert match.rules.cards == MOST_CARDS
    assert max(match.rules.copies) == MOST_COPIES
    assert wide_record(match.table, quiet=False).shape == wide_edition(match.rules).shape == (1,)


def test_the_engine_stays_within_its_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreted, a place outside an array is an IndexError; compiled, it would go unnoticed."""
    monkeypatch.setattr(tree_search, "available", lambda: False)
    monkeypatch.setattr("suitors.bots.arrays.available", lambda: False)
    monkeypatch.setattr("suitors.bots.opponents.available", lambda: False)
    rng = random.Random(3)
    played(Match(LARGEST, NAMES[:8], rng=rng), ["search", "random"], rng, decisions=8)
    small = {"base": "modern", "cards": {"guard": 2, "chancellor": 1, "bishop": 1}, "face_up": {"2": 0}}
    played(Match(small, NAMES[:2], rng=rng), ["expert"], rng, decisions=6)
