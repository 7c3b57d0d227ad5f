"""Legal moves that are looked up are those that the rules list, at every table and in every phase."""

import random

import pytest

from suitors import Match
from suitors.notation import write_moves
from suitors.rules import SWITCHES
from support.matches import TABLES
from support.random_play import new_match, step

STEPS = 200
"""Steps of a game: enough for each key of the lists to come again with other cards and marks."""


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_what_is_looked_up_is_what_the_rules_list(slug: str, players: int) -> None:
    rng = random.Random(f"{slug} {players}")

    def any_match() -> Match:
        return new_match((slug, players, {key: rng.choice(values) for key, values in SWITCHES.items()}), rng)

    match = any_match()
    for _ in range(STEPS):
        if match.over:
            match = any_match()
        if not match.to_deal:
            assert match.legal() == sorted(write_moves(match.rules, match.moves()))
        step(match, rng)
