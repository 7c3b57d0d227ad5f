"""Keys of views: equal for equal information, different for different, and the same in every version."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors import Match, Solo, SoloView, View
from suitors.view import read_view, view_data
from support.matches import TABLES, UNTIMED, chance_match
from support.scenes import NAMES


def information(view: View | SoloView) -> Any:
    """What a view holds, without the players' names."""
    return {key: value for key, value in view_data(view).items() if key != "players"}


@UNTIMED
@given(st.sampled_from(TABLES), st.integers(0, 3), st.integers(1, 12), st.integers(1, 12))
def test_keys_are_equal_exactly_where_the_information_is(
    game: tuple[str, int], seed: int, steps: int, other: int
) -> None:
    matches = [chance_match(*game, seed, n) for n in (steps, other)]
    views = [match.view(seat) for match in matches for seat in (None, 0, 1)]
    for one in views:
        for two in views:
            assert (one.key() == two.key()) == (information(one) == information(two))


def test_what_a_seat_cannot_see_is_not_in_its_key() -> None:
    decks = [["king", "guard", "guard", "priest", "baron", "prince", "priest", "guard", "handmaid"]] * 2
    rest = ["prince", "countess", "guard", "baron", "handmaid", "guard", "princess"]
    keys = []
    for deck, hidden in zip(decks, (rest, rest[::-1]), strict=True):
        match = Match("classic", NAMES[:2], dealt=False)
        match.deal([*deck, *hidden], first=0)
        keys.append([match.view(seat).key() for seat in (None, 0, 1)])
    assert keys[0] == keys[1]
    assert len(set(keys[0])) == 3


def test_names_are_no_information_and_a_view_from_json_has_the_same_key() -> None:
    one, other = (Match("modern", names, seed=1) for names in (("Ada", "Ben"), ("Cleo", "Dan")))
    assert one.view(0).key() == other.view(0).key() != one.view(1).key()
    assert read_view(json.loads(json.dumps(view_data(one.view(0))))).key() == one.view(0).key()
    assert Solo("solitaire", seed=1).view(0).key() == Solo("solitaire-2019", seed=1).view(0).key()
    switched = Match("modern", ("Ada", "Ben"), {"bishop_names_one": False}, seed=1)
    assert switched.view(0).key() != one.view(0).key()


def test_keys_are_those_of_every_version() -> None:
    rng = random.Random(5)
    match = Match("premium", NAMES[:5], rng=rng)
    for _ in range(12):
        match.push(match.moves()[0])
    assert match.view(2).key()[:16] == "f9fbedb7362b74b0"
    assert Solo(seed=2).view(0).key()[:16] == "f05bad5a6e4b7b8b"


def test_a_view_without_its_log_has_no_key() -> None:
    with pytest.raises(ValueError, match="without its log"):
        replace(Match("modern", NAMES[:2], seed=1).view(0), log=()).key()
