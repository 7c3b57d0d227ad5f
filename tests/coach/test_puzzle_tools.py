"""The tool that makes puzzles: what it looks for, how it goes on where it stopped, and what it ships."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from suitors import Match
from suitors.coach import Valuation, puzzles
from suitors.coach.puzzles import FILE, load_puzzles, read_puzzle
from suitors.rules import BOXES
from suitors.view.match import View
from suitors.view.solo import SoloView
from support.repository import read_page
from tools.puzzles import filters, mine, ship
from tools.puzzles.panel import EASIEST, HARDEST, WEIGHTS, rate
from tools.puzzles.themes import theme_of

Line = dict[str, Any]


def valuation(*chances: float, worlds: int = 4000, exact: bool = False) -> Valuation:
    """Moves that win so often, in worlds that do not depend on each other."""
    if exact:
        return Valuation(tuple([(chance, chance)] for chance in chances), 0.005, exact=True)
    won = [
        [float((k * (7 + 2 * m)) % worlds < chance * worlds) for k in range(worlds)] for m, chance in enumerate(chances)
    ]
    return Valuation(tuple([(one, one) for one in row] for row in won), 0.01)


# Filters


def test_a_margin_is_what_is_sure_against_every_other_move() -> None:
    assert filters.margin_of(valuation(0.2, 0.7, 0.5, exact=True), 1, 1.0) == pytest.approx(0.195)
    assert filters.margin_of(valuation(0.2, 0.7, 0.5, exact=True), 1, 0.5) == pytest.approx(0.395)
    few, many = (filters.margin_of(valuation(0.7, 0.5, worlds=n), 0, 1.0) for n in (400, 4000))
    assert 0.05 < few < many < 0.19
    assert filters.margin_of(valuation(0.5, 0.7), 0, 1.0) < 0


@pytest.mark.parametrize(
    ("chances", "liked", "found"), [((0.7, 0.5), "b", True), ((0.7, 0.5), "a", False), ((0.55, 0.5), "b", False)]
)
def test_a_position_promises_something_where_the_plain_player_errs(
    chances: tuple[float, ...], liked: str, found: bool
) -> None:
    assert filters.promising(valuation(*chances, exact=True), "ab", frozenset(liked), 1.0, 0.1) is found


def test_a_puzzle_is_verified_thrice_and_none_is_taken_that_only_a_reader_of_minds_would_find(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = Match("modern", ["Ada", "Ben"], seed=6)
    view, asked = match.view(0), list[int]()
    assert view.legal == ("handmaid", "priest 1")
    found = {"gap": 0.2, "values": (0.7, 0.4)}

    def simulate(view: View, rounds: int, name: str) -> Valuation:
        asked.append(rounds)
        return valuation(*found["values"])  # type: ignore[misc]

    monkeypatch.setattr(filters, "simulate", simulate)
    monkeypatch.setattr(filters, "liked_by_novice", lambda view: frozenset({"priest 1"}))
    monkeypatch.setattr(filters, "gap_without_reading", lambda *given: found["gap"])
    puzzle, deep = filters.verify(view, "x")
    assert puzzle is not None
    assert (puzzle.best, deep, asked) == ("handmaid", True, [filters.QUICK, filters.SECOND, filters.DEEP])
    assert filters.MARGIN < puzzle.margin < 0.3 / puzzle.stake
    found["gap"] = 0.0
    assert filters.verify(view, "x") == (None, True)
    found["values"] = (0.5, 0.5)
    assert filters.verify(view, "x") == (None, False)


def test_without_reading_the_others_are_taken_to_have_played_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filters, "PLAIN", 400)
    puzzle = next(puzzle for puzzle in load_puzzles().values() if puzzle.players == 2 and not puzzle.exact)
    view, exercise = puzzle.exercise.view, puzzle.exercise
    assert isinstance(view, View)
    assert filters.gap_without_reading(view, exercise.best, "x", exercise.stake) > 0
    worst = exercise.moves[-1].move
    assert filters.gap_without_reading(view, worst, "x", exercise.stake) < 0


# Mining


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few rounds for each look, and bots that think shortly."""
    for name in ("QUICK", "SECOND", "DEEP", "PLAIN"):
        monkeypatch.setattr(filters, name, 60)
    monkeypatch.setattr(mine, "ITERATIONS", 20)


def test_every_edition_is_played_with_every_number_of_players() -> None:
    assert set(mine.TABLES) == {(slug, players) for slug, box in BOXES.items() for players in box.players}


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("premium", 3), ("solitaire-2019", 1)])
def test_a_match_is_looked_through_the_same_way_each_time(
    slug: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = mine.TABLES.index((slug, players))
    monkeypatch.setattr(mine, "rounds_of", lambda number, whole=mine.rounds_of: first_rounds(whole(number)))
    lines = [mine.examine(number) for _ in range(2)]
    assert lines[0] == lines[1]
    assert lines[0]["edition"] == slug
    assert lines[0]["seen"] > 0


def first_rounds(rounds: Iterator[list[View | SoloView]]) -> Iterator[list[View | SoloView]]:
    """The beginning of a match: the one before its first deal is empty."""
    for _ in range(3):
        yield next(rounds, [])


def test_views_are_cut_to_their_round_and_tie_breaks_left_out() -> None:
    seen = 0
    for views in mine.rounds_of(mine.TABLES.index(("classic", 2))):
        for view in views:
            assert isinstance(view, View)
            assert (view.round, len(view.log), view.tied) == (0, 1, ())
            assert len(view.legal) > 1
            seen += 1
    assert seen > 10


@pytest.mark.usefixtures("quick")
def test_what_is_found_is_written_with_all_that_is_known_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = next(puzzle for puzzle in load_puzzles().values() if puzzle.edition == "modern" and puzzle.players == 2)
    view, exercise = puzzle.exercise.view, puzzle.exercise
    worths = tuple([(value.round, value.match)] for move in view.legal for value in [exercise.value(move)])
    found = filters.Verified(Valuation(worths, exact=True), exercise.best, exercise.stake, puzzle.margin)
    line = ship.finish(mine.puzzle_data(view, found, "modern", puzzle.data["from"]))
    assert {key: line[key] for key in ("id", "view", "best", "liked", "edition", "margin")} == {
        key: puzzle.data[key] for key in ("id", "view", "best", "liked", "edition", "margin")
    }
    assert set(line["reasons"]) == set(view.legal)
    assert set(line["panel"]) == set(WEIGHTS)


def test_it_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, asked = tmp_path / "found.jsonl", list[int]()
    line = {"match": 0, "edition": "modern", "players": 2, "seen": 3, "deep": 1, "puzzles": [{}]}

    def examine(number: int) -> Line:
        asked.append(number)
        return {**line, "match": number}

    monkeypatch.setattr(mine, "examine", examine)
    monkeypatch.setattr(mine, "get_ready", lambda: None)
    file.write_text(json.dumps(line) + '\n{"match": 1, "edi')
    monkeypatch.setattr(sys, "argv", ["mine", str(file), "--matches", "3"])
    mine.main()
    assert asked == [1, 2]
    assert [found["match"] for found in mine.whole_lines(file)] == [0, 1, 2]
    assert "3 puzzles" in capsys.readouterr().err


# Shipping


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    """Puzzles that ship, as they were found."""
    chosen = list(load_puzzles().values())[::12]
    return [{**puzzle.data, "panel": dict.fromkeys(WEIGHTS, 0.5)} for puzzle in chosen]


def test_themes_follow_from_position_and_moves() -> None:
    for puzzle in load_puzzles().values():
        why = puzzle.data["reasons"][puzzle.data["liked"][0]]["kind"]
        assert (
            theme_of(puzzle.exercise.view, puzzle.exercise.best, puzzle.exercise.liked, why, puzzle.exact)
            == puzzle.theme
        )
        card = puzzle.exercise.best.split()[0]
        assert puzzle.theme != "counting" or card in ("guard", "bishop")
        assert puzzle.theme != "ending" or puzzle.exact or puzzle.data["view"]["deck"] <= 1
        assert card != "countess" or puzzle.theme in ("bluff", "solitaire")


def test_of_puzzles_that_are_alike_the_widest_margin_is_kept(lines: list[Line]) -> None:
    first = ship.finish(lines[0])
    wider = {**first, "id": "wider", "margin": first["margin"] + 0.1}
    others = [ship.finish(line) for line in lines[1:]]
    assert {line["id"] for line in ship.different([first, wider, first, *others])} == {
        "wider",
        *(line["id"] for line in others),
    }


def test_groups_are_cut_evenly(lines: list[Line]) -> None:
    many = [{**lines[0], "id": str(k), "margin": k / 100, "theme": "baron" if k < 6 else "bluff"} for k in range(8)]
    chosen = ship.balanced(many, 4)
    assert sorted(line["id"] for line in chosen) == ["4", "5", "6", "7"]
    assert len(ship.balanced(many, 99)) == 8


def test_the_same_puzzles_give_the_same_bytes_and_are_counted(
    lines: list[Line], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tmp_path / "found.jsonl"
    found.write_text(json.dumps({"seen": 50, "deep": 9, "puzzles": lines}) + "\n")
    monkeypatch.setattr(puzzles, "__file__", str(tmp_path / "puzzles.py"))
    monkeypatch.setattr(sys, "argv", ["ship", str(found)])
    ship.main()
    first, told = (tmp_path / FILE).read_bytes(), capsys.readouterr().out
    ship.main()
    assert (tmp_path / FILE).read_bytes() == first
    assert f"1 matches, 50 decisions, 9 verified, {len(lines)} puzzles, {len(lines)} different" in told
    assert told.splitlines()[-2].endswith(f" | {len(lines)} |")
    assert all(set(read_puzzle(json.dumps(ship.finish(line))).data) >= set(ship.KEYS) for line in lines[:3])


def test_the_page_has_the_counts_of_what_ships() -> None:
    *table, levels = ship.counts(list(load_puzzles().values()))
    page = read_page("practice.md")
    assert "\n".join(table) in page
    numbers = re.findall(r"\d+", levels)
    assert re.search(r"\n{} are easy, {} of medium difficulty, {} hard\.\n".format(*numbers), page)


def test_what_few_find_is_rated_higher() -> None:
    never, always = dict.fromkeys(WEIGHTS, 0.0), dict.fromkeys(WEIGHTS, 1.0)
    assert rate(always, 2, 1.0) == EASIEST
    assert rate(never, 99, 0.1) <= HARDEST
    assert rate(always, 2, 0.1) < rate(always, 8, 0.1) < rate({**always, "search": 0.5}, 8, 0.1) < rate(never, 8, 0.1)
