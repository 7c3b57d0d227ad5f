"""The puzzles that ship with the package: each follows the rules, holds what its seat knows, and has one best move."""

import random
from collections import Counter
from datetime import date, timedelta

import pytest

from suitors.coach import BestReplyValuer
from suitors.coach.judgement import leading
from suitors.coach.puzzles import (
    LEVELS,
    NEAREST,
    THEMES,
    Puzzle,
    candidates,
    daily_puzzle,
    load_puzzles,
    puzzle_id,
    select,
)
from suitors.coach.rating import EARLY, STEADY, SWIFT, PracticeRating
from suitors.coach.reasons import Values
from suitors.rules import BOXES, Refusal
from suitors.view import view_data
from suitors.view.match import View
from suitors.view.solo import SoloView
from suitors.words import LANGUAGES
from suitors.words.coach import CoachSpeaker
from suitors.words.practice import level_titles, theme_titles
from support.vocabularies import words_of
from tools.puzzles.filters import MARGIN, SOLO_MARGIN, liked_by_novice, verify_solo
from tools.puzzles.panel import EASIEST, HARDEST
from tools.puzzles.themes import same_kind

PUZZLES = list(load_puzzles().values())
ROUNDING = 2e-6

WITHOUT_PUZZLES: frozenset[str] = frozenset()
"""Editions that ship without puzzles."""

MISSING = (
    "There are no puzzles of {}. Mine some for hours with `python3 -m tools.puzzles.mine FILE` and ship them with "
    "`python3 -m tools.puzzles.ship FILE`, or name the edition in WITHOUT_PUZZLES in tests/coach/test_puzzles.py."
)


def test_every_edition_has_puzzles_or_is_said_to_have_none() -> None:
    shipped = {puzzle.edition for puzzle in PUZZLES}
    missing = set(BOXES) - shipped - WITHOUT_PUZZLES
    assert not missing, MISSING.format(", ".join(sorted(missing)))
    assert shipped | WITHOUT_PUZZLES == set(BOXES), "puzzles or WITHOUT_PUZZLES name an edition that does not exist"
    assert not shipped & WITHOUT_PUZZLES, "WITHOUT_PUZZLES names an edition that has some"


def test_there_are_enough_of_every_kind() -> None:
    assert len(PUZZLES) >= 500
    for slug in {puzzle.edition for puzzle in PUZZLES}:
        assert {puzzle.players for puzzle in PUZZLES if puzzle.edition == slug} == set(BOXES[slug].players), slug
        assert len(select(edition=slug)) >= 15, slug
    assert all(len(select(theme=theme)) >= 20 for theme in THEMES)
    assert all(len(select(level=level)) >= 100 for level in LEVELS)
    kinds = Counter(
        same_kind(puzzle.exercise.view, puzzle.exercise.best, puzzle.exercise.liked, puzzle.edition)
        for puzzle in PUZZLES
    )
    assert max(kinds.values()) == 1, "some are too much alike"


def check(puzzle: Puzzle) -> None:
    """Whether a puzzle is one: its position reads back, its moves are those of the rules, and one is best."""
    exercise = puzzle.exercise
    view = exercise.view
    assert view_data(view) == puzzle.data["view"]
    assert puzzle.id == puzzle_id(view)
    assert isinstance(view, SoloView) == BOXES[puzzle.edition].solo
    assert {value.move for value in exercise.moves} == set(view.legal)
    assert all(exercise.why_not(move) == Refusal.FINE for move in view.legal)
    best, *others = exercise.moves
    assert best.move == exercise.best
    assert puzzle.margin >= (SOLO_MARGIN if isinstance(view, SoloView) else MARGIN) - ROUNDING
    lead = (best.match - max(other.match for other in others)) / exercise.stake
    assert lead >= puzzle.margin - ROUNDING / exercise.stake
    assert set(exercise.liked) == liked_by_novice(view)
    assert exercise.best not in exercise.liked
    assert exercise.solves(best.move)
    assert not any(exercise.solves(other.move) for other in others)
    assert set(exercise.reasons) == set(view.legal)
    assert EASIEST <= puzzle.rating <= HARDEST
    assert puzzle.theme in THEMES


def test_every_puzzle_follows_the_rules_and_has_one_best_move_which_a_plain_player_misses() -> None:
    for puzzle in PUZZLES:
        check(puzzle)


def test_a_puzzle_holds_one_round_and_nothing_that_its_seat_does_not_know() -> None:
    for puzzle in PUZZLES:
        view = puzzle.exercise.view
        if isinstance(view, View):
            assert (view.round, len(view.log)) == (0, 1)
            assert view.turn == view.seat
            hidden = [entry for entry in view.log[0] if entry.card is None]
            assert hidden, "cards of others were dealt"
            assert all(len(known) <= held for known, held in zip(view.known, view.held, strict=True))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_reasons_are_said_in_every_language(lang: str) -> None:
    for puzzle in PUZZLES[:: 1 + len(PUZZLES) // 60]:
        exercise = puzzle.exercise
        speaker = CoachSpeaker(
            exercise.view.rules, exercise.view.players, exercise.view.seat, words_of(puzzle.edition, lang)
        )
        for move in exercise.view.legal:
            reason = exercise.reason(move)
            text = speaker.why_good(reason) if move == exercise.best else speaker.why_worse(reason, 0)
            assert text.endswith(".")
            assert "{" not in text
    words = words_of(None, lang)
    assert set(theme_titles(words)) == set(THEMES)
    assert set(level_titles(words.say)) == set(LEVELS)


def sample(solo: bool, count: int) -> list[Puzzle]:
    """Some of the puzzles, the same each time."""
    own = [puzzle for puzzle in PUZZLES if BOXES[puzzle.edition].solo == solo]
    return random.Random(f"sample/{solo}").sample(own, count)


@pytest.mark.parametrize("puzzle", sample(False, 8), ids=lambda puzzle: puzzle.id)
def test_the_engine_still_finds_the_best_move(puzzle: Puzzle) -> None:
    view = puzzle.exercise.view
    assert isinstance(view, View)
    valuation = BestReplyValuer().values(view, view.legal, 99, 2.5 * view.rules.players**2)
    assert view.legal[leading(valuation, 0)] == puzzle.exercise.best
    assert valuation.exact == puzzle.exact


@pytest.mark.parametrize("puzzle", sample(True, 3), ids=lambda puzzle: puzzle.id)
def test_the_solver_still_finds_the_best_move(puzzle: Puzzle) -> None:
    view = puzzle.exercise.view
    assert isinstance(view, SoloView)
    found = verify_solo(view)
    assert found is not None
    assert found.best == puzzle.exercise.best
    assert found.margin == pytest.approx(puzzle.margin, abs=ROUNDING)


def test_moves_that_are_not_legal_are_refused_with_the_reason_of_the_table() -> None:
    puzzle = select(edition="classic")[0]
    assert puzzle.exercise.why_not("dance") == Refusal.NO_FORM
    unheld = next(card for card in ("guard", "priest", "king") if card not in puzzle.data["view"]["hand"])
    assert puzzle.exercise.why_not(unheld if unheld != "guard" else "guard 0 king") == Refusal.NOT_HELD


def test_a_reason_that_is_not_known_is_one_of_values() -> None:
    exercise = PUZZLES[0].exercise
    bare = type(exercise)(exercise.edition, exercise.view, exercise.moves, exercise.best, exercise.stake, {})
    for move in exercise.view.legal:
        reason = bare.reason(move)
        assert isinstance(reason, Values)
        assert reason.best == exercise.best
        assert reason.better >= reason.chance
        assert move in (reason.move, reason.best)


# The daily one, and the next


def test_the_daily_puzzle_comes_once_before_all_have_come() -> None:
    first = date(2026, 11, 17)
    days = [first + timedelta(days=k) for k in range(len(PUZZLES))]
    assert len({daily_puzzle(day).id for day in days}) == len(PUZZLES)
    assert daily_puzzle(first + timedelta(days=len(PUZZLES))) == daily_puzzle(first)
    assert len({daily_puzzle(day).edition for day in days[:30]}) > 3, "they are mixed"


def test_the_next_puzzle_is_new_and_of_a_similar_rating() -> None:
    own = select(theme="baron")
    done = {puzzle.id for puzzle in own if puzzle.rating < 1200}
    found = list(candidates(own, done, 700))
    assert len(found) == NEAREST
    assert not done & {puzzle.id for puzzle in found}
    assert (
        max(puzzle.rating for puzzle in found)
        <= sorted(puzzle.rating for puzzle in own if puzzle.id not in done)[NEAREST - 1]
    )
    again = candidates(own, {puzzle.id for puzzle in own}, 1000)
    assert {puzzle.theme for puzzle in again} == {"baron"}, "all are done: any may come again"


# Ratings


def test_a_rating_rises_by_what_was_not_expected() -> None:
    start = PracticeRating()
    harder, easier = start.after(start.rating + 400, solved=True), start.after(start.rating - 400, solved=True)
    assert harder.rating - start.rating == pytest.approx(SWIFT * 10 / 11)
    assert easier.rating - start.rating == pytest.approx(SWIFT / 11)
    assert start.after(start.rating, solved=False).rating == start.rating - SWIFT / 2
    steady = PracticeRating(1000, EARLY).after(1000, solved=True)
    assert steady == PracticeRating(1000 + STEADY / 2, EARLY + 1)
