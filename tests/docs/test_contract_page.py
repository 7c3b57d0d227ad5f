"""docs/contract.md: its tables are those of the source, its examples are what the program prints."""

import inspect
import json
import random
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import pytest

import suitors.errors
import suitors.history
import suitors.records.record
from suitors import Solo, View
from suitors.cli.root import cli
from suitors.game import Play
from suitors.notation import CARD_NAMES, NO_MOVE, UNREADABLE, VOCABULARY, read_move, write_move
from suitors.records import load
from suitors.rules import BOXES, SWITCHES, Award, Card, Event, Phase, edition, own_slug
from suitors.rules.own import BASES, KEYS
from suitors.view.data import END_NAMES, view_data
from suitors.view.solo import SoloView
from suitors.words import THEMES
from suitors.words.rulebook import rulings
from support.bad_records import MOVES, SHARED, changed, drop, put, tied
from support.matches import TABLES, call, chance_match
from support.repository import blocks, quoted, read_page, rows

PAGE = read_page("contract.md")
RECORD, OWN, REPLAY, TRACE, ERROR, MATCH, REQUEST, ANSWER, SOLUTION = (
    json.loads(text) for text in blocks(PAGE, "json")
)
CARDS, WORDS = (text.split() for text in blocks(PAGE, "text"))


def below(heading: str, first: str) -> list[list[str]]:
    """The rows of the table below a heading whose header begins so, without that header."""
    found = rows(PAGE, heading)
    start = next(k for k, cells in enumerate(found) if cells[0] == first)
    headers = [k for k, cells in enumerate(found) if k > start and not quoted(cells[0])]
    return found[start + 1 : headers[0] if headers else None]


# Names


def test_the_cards_are_all_and_in_their_order() -> None:
    assert list(CARD_NAMES) == CARDS
    assert {*CARDS, *WORDS} == VOCABULARY


def decks() -> Iterator[list[str]]:
    """Each deck of each edition, as the page's table has it."""
    for slug, box in BOXES.items():
        for deck in {id(deck): deck for deck in box.decks.values()}.values():
            players = [n for n in box.players if box.decks[n] is deck]
            span = f"{players[0]}–{players[-1]}" if len(players) > 1 else str(players[0])
            year = {6: "2012", 7: "2019"}[box.values[Card.KING]]
            yield [f"`{slug}`", span, str(sum(deck.values())), year]


def test_the_editions_are_all_with_their_players_decks_and_values() -> None:
    assert [cells[:4] for cells in below("Names", "slug")] == list(decks())


def test_the_themes_are_all() -> None:
    assert f"**Themes** ({', '.join(f'`{theme}`' for theme in THEMES)})" in PAGE


def test_the_switches_are_all_with_their_values_and_rulings() -> None:
    ruling_of = {ruling["switch"]: number for number, ruling in rulings().items() if "switch" in ruling}
    assert [cells[:3] for cells in below("Names", "switch")] == [
        [f"`{key}`", ", ".join(f"`{json.dumps(value)}`" for value in values), ruling_of[key]]
        for key, values in SWITCHES.items()
    ]


# Moves


@pytest.mark.parametrize(("heading", "slug"), [("Moves", "premium"), ("Moves of the solo game", "solitaire")])
def test_every_example_is_a_move_of_its_form(heading: str, slug: str) -> None:
    for form, example, _ in below(heading, "move"):
        (pattern,), (text,) = quoted(form), quoted(example)
        rules = edition("modern", 2) if "NAMED" in pattern else edition(slug, BOXES[slug].players[-1])
        move = read_move(rules, text)
        assert move not in (NO_MOVE, UNREADABLE), text
        assert write_move(rules, move) == text
        assert re.fullmatch(re.sub(r"\[?[A-Z]+\]?", "[a-z0-9-]+", pattern), text), text


def test_every_kind_of_move_has_its_example() -> None:
    tables = below("Moves", "move") + below("Moves of the solo game", "move")
    shapes = {shape(quoted(example)[0]) for _, example, _ in tables}
    games: list[Play] = [chance_match(slug, players, seed) for slug, players in TABLES for seed in range(6)]
    games += map(solo_game, range(60))
    for game in games:
        for round_ in game.record()["rounds"]:
            assert {shape(move) for move in round_["moves"]} <= shapes


def shape(move: str) -> str:
    """A move with its cards, seats and places left open."""
    kinds = {**dict.fromkeys(CARDS, "CARD"), "hand": "OWN", "agent": "OWN"}
    words = (
        "SEAT" if word.isdigit() else "PLACE" if word[0] == "q" else kinds.get(word, word) for word in move.split()
    )
    return " ".join(words).replace("keep CARD CARD CARD", "keep CARD CARD")


def solo_game(seed: int) -> Solo:
    """A solo game played by chance."""
    rng = random.Random(seed)
    game = Solo(rng=rng, options={"solo_last_card": "strict"})
    while not game.over:
        game.play(rng.choice(game.legal()))
    return game


# Records and commands


def keys(heading: str, first: str) -> list[str]:
    """The keys that a table lists in its first column."""
    return [key for cells in below(heading, first) for key in quoted(cells[0])]


def test_every_command_is_in_the_table() -> None:
    assert set(keys("Commands", "command")) == set(cli.commands)


def test_the_record_replays_as_the_page_says() -> None:
    given = json.dumps(RECORD).encode()
    assert call("replay", "-", given=given).lines == [REPLAY]
    assert call("replay", "-", "--trace", given=given).lines == [TRACE, REPLAY]
    assert keys("replay", "key") == list(REPLAY)


def test_the_keys_of_records_are_all() -> None:
    assert keys("Records", "key") == list(chance_match("premium", 2, 0).record())
    tie_break = load(json.dumps(tied())).record()["rounds"][-1].keys() | {"seats"}
    assert set(keys("Records", "key of a round")) == tie_break


def test_the_keys_of_an_edition_of_ones_own_are_all() -> None:
    assert tuple(keys("Editions of your own", "key")) == KEYS == tuple(OWN)
    assert edition(own_slug(OWN), 2).goal == OWN["goals"]["2"]
    assert ", ".join(BASES) == keys_text("base").replace("`", "").replace(" or ", ", ")


def keys_text(key: str) -> str:
    """What the page says of a key of an edition of one's own."""
    return next(cells[1] for cells in below("Editions of your own", "key") if quoted(cells[0]) == [key])


FAULTS: dict[str, Any] = {
    "bad-json": b"{",
    "bad-format": changed(drop("format")),
    "unknown-edition": changed(drop("edition")),
    "bad-edition": changed(put("edition", value={"base": "modem"})),
    "bad-players": changed(drop("players")),
    "bad-option": changed(put("options", value=None)),
    "after-the-end": {**tied(1), "rounds": [{**SHARED, "moves": [*MOVES.split("/"), "handmaid"]}]},
    "bad-seats": changed(put("rounds", 0, "seats", value=[0, 1])),
    "bad-first": changed(put("rounds", 0, "first", value=9)),
    "bad-deck": changed(put("rounds", 0, "deck", value=[])),
    "unreadable-move": changed(put("rounds", 0, "moves", value=["go"])),
    "illegal-move": changed(put("rounds", 0, "moves", value=["bishop 0 1"])),
}
"""A bad record for each code."""


def test_the_codes_of_errors_are_all() -> None:
    source = "".join(map(inspect.getsource, (suitors.errors, suitors.records.record, suitors.history)))
    raised = set(re.findall(r'Error\(\s*"([a-z-]+)"|__init__\(\s*"([a-z-]+)"', source))
    raisable = {one or other for one, other in raised} - {"bad-seat", "nothing-to-undo", "no-record", "not-solo"}
    assert set(keys("Errors of records", "code")) == set(FAULTS) == raisable | {"bad-json"}


@pytest.mark.parametrize("code", FAULTS)
def test_each_code_is_printed_as_the_page_says(code: str) -> None:
    bad = FAULTS[code]
    done = call("replay", "-", given=bad if isinstance(bad, bytes) else json.dumps(bad).encode())
    assert done.status == 2
    (printed,) = done.lines
    assert printed["error"]["code"] == code
    assert printed["error"].keys() == ERROR["error"].keys()


def test_a_match_is_printed_as_the_page_says() -> None:
    (printed,) = call("match", "--edition", "classic", "--games", "2", "--jobs", "1", "--json").lines
    assert printed.keys() == MATCH.keys()
    assert all(row.keys() == shown.keys() for row, shown in zip(printed["bots"], MATCH["bots"], strict=True))


def test_a_bot_is_asked_and_answers_as_the_page_says() -> None:
    view = load(json.dumps(RECORD)).view(1)
    request = {**REQUEST, "view": view_data(view), "legal": list(view.legal)}
    (answer,) = call("bot", "random", given=json.dumps(request).encode()).lines
    assert answer.keys() == ANSWER.keys()
    (answer,) = call("bot", "random", given=b"{}").lines
    assert answer.keys() == {"error"}


def test_a_solution_is_printed_as_the_page_says() -> None:
    given = json.dumps(Solo(rng=random.Random(4)).record()).encode()
    (printed,) = call("solve", "-", "--json", given=given).lines
    assert printed["value"] == pytest.approx(SOLUTION["value"])
    assert [row["move"] for row in printed["moves"]] == [row["move"] for row in SOLUTION["moves"]]
    assert [row["value"] for row in printed["moves"]] == pytest.approx([row["value"] for row in SOLUTION["moves"]])


# Views


def test_the_keys_of_views_are_all() -> None:
    assert set(keys("Views", "key")) == view_data(chance_match("premium", 5, 1).view(0)).keys()
    assert set(keys("Views", "key of a solo view")) == view_data(Solo().view(0)).keys()


def test_the_phases_are_all() -> None:
    cells = [cells[1] for cells in rows(PAGE, "Views") if quoted(cells[0]) == ["phase"]]
    assert {phase for cell in cells for phase in quoted(cell)} == {phase.name.lower() for phase in Phase}


def log_keys(views: Iterable[View | SoloView]) -> dict[str, set[str]]:
    """The keys of all entries of some logs, by their events."""
    found: dict[str, set[str]] = {}
    for view in views:
        for entry in chain.from_iterable(view_data(view)["log"]):
            found.setdefault(entry["event"], set()).update(entry.keys() - {"event"})
    return found


def test_the_events_are_all_with_their_keys() -> None:
    listed = {quoted(cells[0])[0]: set(quoted(cells[1])) for cells in below("The log", "event")}
    assert list(listed) == [event.name.lower().replace("_", "-") for event in Event]
    matches = [chance_match(slug, players, seed) for slug, players in TABLES for seed in range(8)]
    assert log_keys(match.view(0) for match in matches) == listed
    awards = next(cells[2] for cells in below("The log", "event") if quoted(cells[0]) == ["token"])
    assert quoted(awards) == [award.name.lower() for award in Award]


def test_the_events_of_solo_games_are_all_with_their_keys() -> None:
    table = below("The log", "event of a solo game")
    listed = {event: set(quoted(cells[1])) for cells in table for event in quoted(cells[0])}
    assert log_keys(solo_game(seed).view(0) for seed in range(150)) == listed


def test_the_ends_of_rounds_are_all() -> None:
    page = PAGE.partition("\n### replay\n")[2].partition("\n### ")[0]
    assert all(f"`{name}`" in page for name in END_NAMES.values())
