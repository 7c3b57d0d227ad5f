"""`suitors puzzle`: a position in words, an answer from standard input, the solution, and JSON without it."""

import json
from datetime import UTC, date, datetime

import pytest

from suitors.cli import puzzle as puzzle_module
from suitors.coach.puzzles import THEMES, Puzzle, daily_puzzle, load_puzzles, select
from suitors.words import LANGUAGES
from support.matches import call

SEVERAL = next(puzzle for puzzle in select("counting") if puzzle.players > 2)
ALONE = select("solitaire")[0]


def number_of(puzzle: Puzzle, move: str) -> bytes:
    """What is typed for a move."""
    return f"{1 + puzzle.exercise.view.legal.index(move)}\n".encode()


@pytest.mark.parametrize("puzzle", [SEVERAL, ALONE], ids=["several", "alone"])
def test_the_best_move_is_right_and_any_other_is_not(puzzle: Puzzle) -> None:
    best, worst = puzzle.exercise.best, puzzle.exercise.moves[-1].move
    right = call("puzzle", puzzle.id, given=number_of(puzzle, best))
    assert (right.status, "Right!" in right.out) == (0, True)
    assert call("puzzle", puzzle.id, given=f"nonsense\n999\n{best}\n".encode()).status == 0
    for given in (number_of(puzzle, worst), b"quit\n", b""):
        wrong = call("puzzle", puzzle.id, given=given)
        assert (wrong.status, "The best move: " in wrong.out) == (1, True)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_is_shown_with_its_solution(theme: str, lang: str) -> None:
    done = call("puzzle", "--theme", theme, "--solve", "--lang", lang)
    assert done.status == 0
    assert "{" not in done.out
    ids = {puzzle.id for puzzle in select(theme)}
    assert done.out.splitlines()[0].rpartition(" ")[2] in ids


def test_json_holds_the_solution_only_where_it_is_asked_for() -> None:
    (asked,) = call("puzzle", SEVERAL.id, "--json").lines
    (solved,) = call("puzzle", SEVERAL.id, "--json", "--solve").lines
    assert set(asked) == {"id", "edition", "rating", "view"}
    assert asked["view"]["legal"] == list(SEVERAL.exercise.view.legal)
    assert solved["best"] == SEVERAL.exercise.best
    assert {value["move"] for value in solved["moves"]} == set(asked["view"]["legal"])
    assert json.dumps(solved["reasons"][SEVERAL.exercise.best])


def test_the_puzzle_of_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> "Clock":
            assert tz is UTC
            return cls(2026, 11, 17)

    monkeypatch.setattr(puzzle_module, "datetime", Clock)
    (found,) = call("puzzle", "--daily", "--json").lines
    assert found["id"] == daily_puzzle(date(2026, 11, 17)).id


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (("nothing",), "There is no puzzle 'nothing'."),
        (("--theme", "solitaire", "--edition", "modern"), "There is no such puzzle"),
        (("--theme", "love"), "Invalid value for '--theme'"),
        (("--daily", "--level", "easy"), "Give either an ID"),
        ((next(iter(load_puzzles())), "--daily"), "Give either an ID"),
    ],
)
def test_what_cannot_be_found_is_said_in_a_sentence(given: tuple[str, ...], sentence: str) -> None:
    done = call("puzzle", *given)
    assert done.status == 2
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1
