"""Practice: positions to solve on the board of the table, what came of it, and how somebody gets on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from ..coach.puzzles import LEVELS, THEMES, Exercise, Puzzle, daily_puzzle, load_puzzles
from ..coach.rating import PracticeRating
from ..view.match import View
from ..view.solo import SoloView
from ..words.editions import edition_title
from ..words.practice import ExerciseSpeaker, about_puzzle, level_titles, puzzle_of_day, theme_titles
from .board import Board, Occupant, board
from .lesson import LessonTable
from .preferences import Preferences
from .solo_board import SoloBoard, solo_board

PATH = "/practice"


@dataclass(frozen=True)
class Filter:
    """Which puzzles somebody practises; where something is empty, any."""

    theme: str = ""
    edition: str = ""
    level: str = ""

    def fields(self) -> dict[str, str]:
        """Those that are not empty, as fields of a form."""
        return {key: value for key, value in vars(self).items() if value}


@dataclass(frozen=True)
class PracticeTable(LessonTable):
    """What the templates of a table ask for, where the table is a position to solve."""

    id: str = "practice"
    carried: Mapping[str, str] = field(default_factory=dict)  # fields that go with every choice


@dataclass(frozen=True)
class Asked:
    """A position that somebody is asked to solve: where it is, what it is called, and what is said of it."""

    path: str
    title: str
    about: str
    question: str
    next_path: str
    name: str  # of the one who solves it
    filter: Filter = field(default_factory=Filter)


@dataclass(frozen=True)
class Answer:
    """What somebody has answered; no move where they have given up."""

    move: str
    before: PracticeRating | None = None  # where it counted
    after: PracticeRating | None = None
    theme: str = ""


@dataclass(frozen=True)
class MoveRow:
    """A move and what it is worth."""

    move: str
    chances: tuple[str, ...]  # to win the round and the match; of a solo game, to win it
    best: bool
    tried: bool


@dataclass(frozen=True)
class Solution:
    """What is shown after an answer."""

    solved: bool
    verdict: str
    reasons: tuple[str, ...]
    rows: tuple[MoveRow, ...]
    theme: str
    rating: str


@dataclass(frozen=True)
class ThemeRow:
    """How far somebody has come with the puzzles of a theme."""

    slug: str
    title: str
    solved: int
    tried: int
    total: int


def exercise_context(
    exercise: Exercise, asked: Asked, preferences: Preferences, chosen: str = "", answer: Answer | None = None
) -> dict[str, Any]:
    """All that the page of a position needs."""
    exercise = replace(exercise, view=named(exercise.view, asked.name))
    shown = exercise.view if answer is None else replace(exercise.view, legal=())
    occupants = [Occupant(player) for player in shown.players]
    table = PracticeTable(
        title=edition_title(exercise.edition, preferences.lang),
        edition=exercise.edition,
        choose_to=f"{asked.path}#choices",
        act_to=f"{asked.path}#lesson-title",
        here=asked.path,
        seat=shown.seat or 0,
        players=len(shown.players),
        carried=asked.filter.fields(),
    )
    return {
        "edition": exercise.edition,
        "asked": asked,
        "table": table,
        "occupants": occupants,
        "board": _board(exercise, shown, occupants, preferences, chosen),
        "solution": None if answer is None else solution(exercise, answer, preferences),
    }


def named(view: View | SoloView, name: str) -> View | SoloView:
    """The view with the name of the one who solves it."""
    players = tuple(name if seat == view.seat else player for seat, player in enumerate(view.players))
    return replace(view, players=players)


def _board(
    exercise: Exercise, shown: View | SoloView, occupants: Sequence[Occupant], preferences: Preferences, chosen: str
) -> Board | SoloBoard:
    if isinstance(shown, SoloView):
        return solo_board(shown, exercise.edition, preferences, chosen, exercise.why_not)
    return board(shown, occupants, preferences, chosen, exercise.why_not)


def solution(exercise: Exercise, answer: Answer, preferences: Preferences) -> Solution:
    """The verdict on an answer, why, and what every move is worth."""
    speaker = ExerciseSpeaker(exercise, preferences.words_for(exercise.edition))
    best, tried = exercise.best, answer.move
    return Solution(
        solved=bool(tried) and exercise.solves(tried),
        verdict=speaker.verdict(tried),
        reasons=tuple(speaker.reasons(tried)),
        rows=tuple(
            MoveRow(speaker.move(value.move), speaker.chances(value), value.move == best, value.move == tried)
            for value in exercise.moves
        ),
        theme=answer.theme,
        rating=_rating(answer, preferences.say),
    )


def _rating(answer: Answer, say: Callable[[str], str]) -> str:
    """The new rating, and what the answer has changed."""
    if answer.before is None or answer.after is None:
        return ""
    change = round(answer.after.rating) - round(answer.before.rating)
    sign = "+" if change >= 0 else "−"
    text = say("Your rating: {rating} ({change})")
    return text.format(rating=round(answer.after.rating), change=f"{sign}{abs(change)}")


def overview_context(
    preferences: Preferences,
    day: date,
    *,
    solved: Mapping[str, bool],
    rating: PracticeRating | None,
    mistakes: int,
    chosen: Filter,
) -> dict[str, Any]:
    """All that the page of all puzzles needs; `solved` says of the puzzles that were tried whether they were solved."""
    puzzles, daily = load_puzzles(), daily_puzzle(day)
    words = preferences.words_for(None)
    themes = theme_titles(words)
    own = {puzzle_id: done for puzzle_id, done in solved.items() if puzzle_id in puzzles}
    rows = [_theme_row(theme, themes[theme], puzzles, own) for theme in THEMES]
    editions = dict.fromkeys(puzzle.edition for puzzle in puzzles.values())
    return {
        "daily": daily,
        "daily_title": puzzle_of_day(day, words),
        "daily_about": f"{edition_title(daily.edition, preferences.lang)} · {about_puzzle(daily, preferences.say)}",
        "daily_done": own.get(daily.id),
        "themes": [row for row in rows if row.total],
        "subjects": {row.slug: row.title for row in rows if row.total},
        "editions": {slug: edition_title(slug, preferences.lang) for slug in sorted(editions)},
        "levels": {level: level_titles(preferences.say)[level] for level in LEVELS},
        "rating": None if rating is None or not rating.played else round(rating.rating),
        "solved": sum(own.values()),
        "tried": len(own),
        "total": len(puzzles),
        "mistakes": mistakes,
        "chosen": chosen,
    }


def _theme_row(theme: str, title: str, puzzles: Mapping[str, Puzzle], own: Mapping[str, bool]) -> ThemeRow:
    tried = [done for puzzle_id, done in own.items() if puzzles[puzzle_id].theme == theme]
    total = sum(puzzle.theme == theme for puzzle in puzzles.values())
    return ThemeRow(theme, title, sum(tried), len(tried), total)
