"""What a program of version 2 is told: all that its seat may know, once, and nothing else."""

import json
import random
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from suitors import Match, Solo, SoloView, View, actions
from suitors.bots.messages import SOLO_KEYS, TABLE_KEYS, Message, SeatMessages, rules_data
from suitors.game import Play
from suitors.records.record import replay
from suitors.rules import BOXES, edition
from suitors.view.data import read_view, view_data
from support.matches import EDITIONS, TABLES, chance_match
from support.other_worlds import other_world, same_moves
from support.random_play import games, position
from support.witness import witness

TOLD_ONCE = {"edition", "players", "options", "goal", "seat", "solo"}
"""Keys of views that stand in the message `match`."""

SMALL = {"base": "modern", "cards": {"spy": 2, "guard": 4, "baron": 2, "bishop": 1}}

IMPLIED = {"turn", "winners", "won"}
"""Keys that are the same in every question: it is our turn, and nobody has won yet."""


def positions(record: dict[str, Any]) -> Iterator[Play]:
    """The match of a record before each of its decisions, and at its end."""
    done: list[dict[str, Any]] = []
    for data in record["rounds"]:
        for ply in range(len(data["moves"])):
            yield replay({**record, "rounds": [*done, {**data, "moves": data["moves"][:ply]}]})
        done.append(data)
    yield replay(record)


def all_told(record: dict[str, Any], seat: int) -> list[Message]:
    """Every message that the program of a seat gets in the course of a record."""
    told: list[Message] = []
    messages: SeatMessages | None = None
    for match in positions(record):
        view = match.view(seat)
        if messages is None:
            messages = SeatMessages(view)
            told.append(messages.match(view))
        if match.turn == seat:
            assert messages.belongs_to(view)
            told += messages.question(view, 50.0)
    assert messages is not None
    return told + messages.match_over(view, match.winners, [])


def of_type(told: list[Message], kind: str) -> list[Message]:
    return [message for message in told if message["type"] == kind]


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 4), ("premium", 6), ("house", 3)])
def test_the_logs_of_all_messages_are_the_log_of_the_view(slug: str, players: int) -> None:
    match = chance_match(slug, players, 3)
    for seat in range(players):
        told = all_told(match.record(), seat)
        logs = list(chain.from_iterable(message["log"] for message in told if "log" in message))
        assert logs == list(chain.from_iterable(view_data(match.view(seat))["log"]))


@pytest.mark.parametrize(("slug", "players"), TABLES)
@pytest.mark.parametrize("seed", range(3))
def test_rounds_and_their_results_are_those_of_the_match(slug: str, players: int, seed: int) -> None:
    match = chance_match(slug, players, seed)
    view = match.view(0)
    told = SeatMessages(view).match_over(view, match.winners, [])
    begun, ended, over = of_type(told, "round"), of_type(told, "round-over"), told[-1]
    data = match.record()["rounds"]
    assert [row["round"] for row in begun] == list(range(len(data)))
    assert [row["first"] for row in begun] == [row["first"] for row in data]
    assert [row["seats"] for row in begun] == [row.get("seats", list(range(players))) for row in data]
    assert [row["winners"] for row in ended] == [list(row.winners) for row in match.rounds]
    assert [row["tokens"] for row in ended] == [list(row.tokens) for row in match.rounds]
    assert [row["tokens"] for row in begun] == [[0] * players, *(row["tokens"] for row in ended[:-1])]
    assert (over["winners"], over["tokens"]) == (list(match.winners), list(match.view(0).tokens))
    assert (over["forfeit"], over["log"]) == ([], [])


@pytest.mark.parametrize("seed", range(4))
def test_a_solo_game_is_told_too(seed: int) -> None:
    rng = random.Random(seed)
    game = Solo(rng=rng)
    while not game.over:
        game.play(rng.choice(game.legal()))
    told = all_told(game.record(), 0)
    logs = list(chain.from_iterable(message["log"] for message in told if "log" in message))
    assert logs == view_data(game.view(0))["log"][0]
    (ended,) = of_type(told, "round-over")
    assert (ended["end"], ended["winners"]) == (("won", [0]) if game.winners else ("lost", []))
    assert all(question.keys() == {"type", *SOLO_KEYS, "log", "budget_ms"} for question in of_type(told, "question"))


def test_a_question_has_every_key_of_the_view_that_changes() -> None:
    match = chance_match("premium", 3, 1, 7)
    assert match.turn is not None
    view = match.view(match.turn)
    *_, question = SeatMessages(view).question(view, None)
    assert question.keys() == {"type", *TABLE_KEYS, "log", "budget_ms"}
    data = view_data(view)
    assert all(question[key] == data[key] for key in TABLE_KEYS)
    assert {*TABLE_KEYS, "log"} | TOLD_ONCE - {"solo"} | IMPLIED - {"won"} == data.keys()
    assert {*SOLO_KEYS, "log"} | TOLD_ONCE - {"edition", "goal"} | IMPLIED - {"winners"} == view_data(
        Solo().view(0)
    ).keys()


@pytest.mark.parametrize(
    ("slug", "players", "decisions"), [("classic", 2, 30), ("premium", 5, 30), (json.dumps(SMALL), 2, 2)]
)
def test_the_view_can_be_put_together_again(slug: str, players: int, decisions: int) -> None:
    match = chance_match(slug, players, 2, decisions)
    seat = match.turn
    assert seat is not None
    logs: list[list[Message]] = []
    for message in all_told(match.record(), seat)[:-1]:
        if message["type"] == "match":
            begun = message
        if message["type"] == "round":
            logs.append([])
        if "log" in message:
            logs[-1] += message["log"]
    constant = {"goal": begun["rules"]["goal"], "turn": begun["seat"], "winners": [], "log": logs}
    assert read_view({**begun, **message, **constant}) == match.view(seat)


def test_a_program_that_comes_late_is_told_all() -> None:
    match = chance_match("modern", 3, 5, 40)
    assert match.turn is not None
    view = match.view(match.turn)
    ended = len(view.log) - 1
    assert ended > 1
    told = SeatMessages(view).question(view, None)
    assert [message["type"] for message in told] == [*["round", "round-over"] * ended, "round", "question"]
    assert told[-1]["log"] == view_data(view)["log"][-1]


def test_another_match_is_recognised() -> None:
    views: list[View | SoloView] = []
    for seed in (1, 2):
        match = chance_match("modern", 3, seed, 12)
        views += [match.view(seat) for seat in range(3)]
    for view in views:
        messages = SeatMessages(view)
        messages.question(view, None)
        assert [messages.belongs_to(other) for other in views] == [other is view for other in views]


# The rules


@pytest.mark.parametrize(("slug", "players"), [*TABLES, ("solitaire", 1), ("solitaire-2019", 1)])
def test_the_deck_and_the_rules_are_stated(slug: str, players: int) -> None:
    box, rules = BOXES[slug], rules_data(edition(slug, players))
    cards = {name: (data["copies"], data["value"]) for name, data in rules["cards"].items()}
    assert cards == {
        card.name.lower().replace("_", "-"): (copies, box.values[card]) for card, copies in box.decks[players].items()
    }
    assert (rules["goal"], rules["aside"]) == (box.goals[players], box.aside[players])
    assert rules["face_up"] == box.face_up.get(players, 0)
    assert rules["deck"] == sum(copies for copies, _ in cards.values()) - box.solo


@pytest.mark.parametrize(("slug", "players"), [("classic", 4), ("premium", 5)])
def test_what_cards_name_and_choose_is_what_is_legal(slug: str, players: int) -> None:
    rules, named = rules_data(edition(slug, players)), set()
    for seed in range(40):
        for match in positions(chance_match(slug, players, seed, 12).record()):
            for word, *rest in map(str.split, match.legal()):
                if "names" in rules["cards"].get(word, {}) and rest:
                    assert rest[1] in rules["cards"][word]["names"]
                    named.add((word, rest[1]))
                elif word in rules["cards"]:
                    most = {"nobody": 0, "other": 1, "anyone": 1, "others": 2, "pair": 2}[rules["cards"][word]["aim"]]
                    assert len(rest) <= most
    assert {("guard", name) for name in rules["cards"]["guard"]["names"]} <= named


def test_an_edition_of_ones_own_is_stated() -> None:
    match = Match(SMALL, ["a", "b"])
    view = match.view(0)
    told = SeatMessages(view).match(view)
    assert told["edition"] == SMALL
    assert {name: card["copies"] for name, card in told["rules"]["cards"].items()} == SMALL["cards"]


@pytest.mark.parametrize(("slug", "players", "decisions"), [("classic", 2, 4), ("modern", 3, 30), ("premium", 8, 11)])
def test_moves_come_with_their_numbers_where_they_are_asked_for(slug: str, players: int, decisions: int) -> None:
    match = chance_match(slug, players, 2, decisions)
    assert match.turn is not None
    view = match.view(match.turn)
    messages = SeatMessages(view, numbered=True)
    assert messages.match(view)["actions"] == list(actions(slug, players).texts)
    numbers = messages.question(view, None)[-1]["actions"]
    assert [actions(slug, players).text(view, number) for number in numbers] == list(view.legal)


# Leaks


def told_bytes(record: dict[str, Any], seat: int) -> str:
    return "\n".join(json.dumps(message) for message in all_told(record, seat))


@pytest.mark.parametrize("slug", EDITIONS)
@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(1, 30))
def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_bytes(
    slug: str, data: st.DataObject, seed: int, steps: int
) -> None:
    game, rng = data.draw(games(slug)), random.Random(seed)
    real = position(game, rng, steps)
    for _ in range(6):
        other, seat = other_world(real, rng), rng.randrange(game[1])
        there = same_moves(other, seat)
        if there is None:
            continue
        same = witness(real.record(), seat)[1] == there[1]
        assert (told_bytes(real.record(), seat) == told_bytes(other, seat)) == same


# Sizes


def test_a_question_is_small_however_long_the_match() -> None:
    record = chance_match("modern", 4, 1).record()
    views = [match.view(0) for match in positions(record) if match.turn == 0]
    whole = [len(json.dumps({"view": view_data(view), "legal": view.legal, "budget_ms": 50.0})) for view in views]
    told = of_type(all_told(record, 0), "question")
    sizes = [len(json.dumps(question, separators=(",", ":"))) for question in told]
    assert len(whole) == len(sizes) > 10
    assert max(sizes) < 3000 < max(whole)
