"""docs/bots.md: its tables list every key of every message, and its figures are measured."""

import json
import random
from collections.abc import Iterator
from statistics import mean
from typing import Any

import pytest

from suitors import Match, Solo, View
from suitors.bots import bots_file, process, session
from suitors.bots.hello import KINDS, read_hello
from suitors.bots.messages import SOLO_KEYS, SeatMessages
from suitors.view.data import view_data
from support.matches import chance_match
from support.repository import blocks, quoted, read_page, rows

PAGE = read_page("bots.md")
HELLO, QUESTION, REQUEST, ANSWER = (json.loads(text) for text in blocks(PAGE, "json"))


def keys(heading: str, first: str = "key") -> set[str]:
    """The keys in the table below a heading whose header begins so."""
    found, reading = set[str](), False
    for cells in rows(PAGE, heading):
        if not cells[0].startswith("`") or cells[0] == first:
            reading = cells[0] == first
        elif reading:
            found.update(quoted(cells[0]))
    return found


@pytest.fixture
def told() -> dict[str, Any]:
    """A message of every kind."""
    view = at_turn(chance_match("premium", 3, 1, 40))
    messages = SeatMessages(view, numbered=True)
    found = [messages.match(view), *messages.question(view, None), *messages.match_over(view, [0], [])]
    return {message["type"]: message for message in found}


def at_turn(match: Match) -> View:
    assert match.turn is not None
    return match.view(match.turn)


@pytest.mark.parametrize("kind", ["match", "round", "question", "round-over", "match-over"])
def test_the_keys_of_messages_are_all(told: dict[str, Any], kind: str) -> None:
    assert keys(kind) == told[kind].keys() - {"type"}


def test_the_keys_of_the_rules_are_all(told: dict[str, Any]) -> None:
    rules = told["match"]["rules"]
    assert keys("match", "key of `rules`") == rules.keys()
    assert keys("match", "key of a card") == {key for card in rules["cards"].values() for key in card}
    aims = next(cells[1] for cells in rows(PAGE, "match") if quoted(cells[0]) == ["aim"])
    assert set(quoted(aims)) == {"nobody", "other", "anyone", "others", "pair"}


def test_the_question_of_the_page_is_one(told: dict[str, Any]) -> None:
    assert QUESTION.keys() == told["question"].keys() - {"actions"}
    assert f"{', '.join(f'`{key}`' for key in SOLO_KEYS)}, `log` and `budget_ms`" in PAGE.replace("\n", " ")


def test_the_hello_of_the_page_is_read() -> None:
    hello = read_hello(HELLO)
    assert hello.option_values({"depth": 5}) == {"depth": 5, "style": "calm"}
    assert keys("hello of the program") == {*HELLO, "actions"} - {"type"}
    assert keys("hello of the program", "key of an option") == {"type", "default", "min", "max", "values"}
    kinds = next(cells[1] for cells in rows(PAGE, "hello of the program") if cells[0] == "`type`")
    assert quoted(kinds) == list(KINDS)


def test_the_limits_are_those_of_the_program() -> None:
    limits = " ".join(cells[1] for cells in rows(PAGE, "Limits"))
    for limit in (session.HELLO_S, session.GRACE_S, session.PATIENCE_S, session.NEWS_S, session.QUIT_S):
        assert f"{limit:.0f} second" in limits
    assert f"{process.LONGEST:,} bytes" in limits


def test_the_keys_of_the_bots_file_are_all() -> None:
    assert keys("bots.toml: names for programs") == set(bots_file.KEYS)
    assert f"up to {bots_file.LONGEST_NAME} letters" in PAGE


def test_the_request_of_version_1_is_as_it_was() -> None:
    assert list(REQUEST) == ["view", "legal", "budget_ms"]
    assert list(ANSWER) == ["move"]
    assert REQUEST["view"].keys() <= view_data(Match("modern", ["a", "b"]).view(0)).keys()


def sizes(slug: str, players: int) -> Iterator[tuple[int, int]]:
    """The bytes of every question of a match by chance, in version 1 and 2."""
    rng = random.Random(1)
    match = Match(slug, [f"Player {seat}" for seat in range(players)], rng=rng)
    told: dict[int | None, SeatMessages] = {}
    while not match.over:
        if match.to_deal:
            match.deal()
            continue
        view = at_turn(match)
        one = {"view": view_data(view), "legal": list(view.legal), "budget_ms": 50.0}
        two = told.setdefault(view.seat, SeatMessages(view)).question(view, 50.0)[-1]
        yield len(json.dumps(one)) + 1, len(json.dumps(two, separators=(",", ":"))) + 1
        match.push(rng.choice(match.moves()))


def test_the_sizes_are_measured() -> None:
    listed = {cells[0]: cells[1:] for cells in rows(PAGE, "Sizes") if cells[0] != "table"}
    for slug, players in (("classic", 2), ("modern", 4), ("premium", 8)):
        figures = [
            f"{round(f(column), -2):,.0f}" for column in zip(*sizes(slug, players), strict=True) for f in (mean, max)
        ]
        assert listed.pop(f"{slug}, {players} players") == figures
    assert listed == {}


def test_a_solo_question_has_the_keys_of_the_page() -> None:
    view = Solo().view(0)
    assert SeatMessages(view).question(view, None)[-1].keys() == {"type", *SOLO_KEYS, "log", "budget_ms"}
