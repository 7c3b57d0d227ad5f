"""Plans: who meets whom, where they sit, and the same deals for both sides."""

import json
from collections import Counter
from math import comb
from typing import Any

import pytest

from suitors.arena.plan import Plan, seatings
from suitors.arena.runner import MatchRunner
from support.matches import TABLES


@pytest.mark.parametrize("players", range(2, 9))
def test_seats_are_shared_evenly_and_every_way_comes_once_up_to_mirrors(players: int) -> None:
    ways = set(seatings(players))
    mirrors = {tuple(1 - side for side in way) for way in ways}
    assert len(ways) == len(seatings(players))
    assert ways.isdisjoint(mirrors)
    assert all(abs(sum(way) - players / 2) <= 0.5 for way in ways | mirrors)
    assert len(ways | mirrors) == comb(players, players // 2) * (2 if players % 2 else 1)


def test_the_seatings_at_small_tables() -> None:
    assert seatings(2) == ((0, 1),)
    assert seatings(3) == ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    assert seatings(4) == ((0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0))


def test_every_pair_meets_at_every_table_in_as_many_matches_as_asked() -> None:
    plan = Plan(("a", "b", "c"), (("modern", 2), ("house", 3)), 6, 1)
    met = Counter(plan.place(number)[:2] for number in range(plan.groups))
    assert met == {(table, pair): 3 for table in range(2) for pair in ((0, 1), (0, 2), (1, 2))}
    assert len({plan.place(number) for number in range(plan.groups)}) == plan.groups == 18
    fixtures = [fixture for number in range(plan.groups) for fixture in plan.fixtures(number)]
    assert len({fixture.chance for fixture in fixtures}) == len(fixtures) == 36
    assert Counter(Counter(fixture.deal for fixture in fixtures).values()) == {2: 18}


def test_in_a_group_the_two_bots_change_places() -> None:
    plan = Plan(("a", "b", "c"), (("modern", 5),), 60, 1)
    for number in range(plan.groups):
        one, other = plan.fixtures(number)
        a, b = plan.place(number)[1]
        assert {*one.seating} == {*other.seating} == {a, b}
        assert [{x, y} for x, y in zip(one.seating, other.seating, strict=True)] == [{a, b}] * 5


def decks(record: str | None) -> list[Any]:
    """The decks of a match, and who began."""
    assert record is not None
    return [dealt["deck"] for dealt in json.loads(record)["rounds"]]


@pytest.mark.parametrize(("edition", "players"), [table for table in TABLES if table[1] in (2, 3, 5)])
def test_mirrored_matches_are_dealt_the_same_cards_round_by_round(edition: str, players: int) -> None:
    plan = Plan(("random", "random"), ((edition, players),), 4, 3)
    with MatchRunner(plan.bots, recording=True) as runner:
        first, second = ([runner.play(fixture) for fixture in plan.fixtures(number)] for number in range(2))
    for group in (first, second):
        one, other = (decks(outcome.record) for outcome in group)
        rounds = min(len(one), len(other))
        assert one[:rounds] == other[:rounds]
        assert len({str(deck) for deck in one}) == len(one)
        starts = [json.loads(str(outcome.record))["rounds"][0]["first"] for outcome in group]
        assert starts[0] == starts[1]
    assert first[0].record != first[1].record
    assert decks(first[0].record)[0] != decks(second[0].record)[0]
