"""Practice: positions to solve on the board of the table, what came of it, and how somebody gets on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from ..coach.puzzles import LEVELS, THEMES, Exercise, Puzzle, daily_puzzle, load_puzzles
from ..coach.rating import PracticeRating
from ..coach.reasons import Comparison, Exposed, Fall, Last, Telling, Trade
from ..view.match import View
from ..view.solo import SoloView
from ..words.coach import CoachSpeaker
from ..words.editions import edition_title
from ..words.practice import level_titles, puzzle_of_day, theme_titles
from .board import Board, Occupant, board
from .lesson import LessonTable
from .preferences import Preferences
from .solo_board import SoloBoard, solo_board

PATH = "/practice"

OF_POSITION = (Comparison, Fall, Trade, Telling, Exposed, Last)
"""The reasons against a move that are true of it before anybody has made it."""


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
    view, say = exercise.view, preferences.say
    speaker = CoachSpeaker(view.rules, view.players, view.seat, preferences.words_for(exercise.edition))
    solved = bool(answer.move) and exercise.solves(answer.move)
    best = speaker.move(exercise.best)
    verdict = say("The best move is {best}.")
    if solved:
        verdict = say("Right! {move} is the best move.")
        if answer.move != exercise.best:
            verdict = say("Right! {move} is as good as the best move.")
    elif answer.move:
        verdict = say("Not the best: the best move is {best}.")
    return Solution(
        solved=solved,
        verdict=verdict.format(best=best, move=speaker.move(answer.move) if answer.move else ""),
        reasons=tuple(_reasons(exercise, answer.move, solved, speaker)),
        rows=tuple(_rows(exercise, answer.move, speaker)),
        theme=answer.theme,
        rating=_rating(answer, say),
    )


def _reasons(exercise: Exercise, tried: str, solved: bool, speaker: CoachSpeaker) -> Iterator[str]:
    """Why the move that was tried is worse, or else why the best one is good, and why another is not that looks so."""
    seat = exercise.view.seat or 0
    if tried and not solved:
        yield speaker.why_worse(exercise.reason(tried), seat)
        return
    favour = exercise.reason(exercise.best)
    yield speaker.why_good(favour)
    for tempting in exercise.liked[:1]:
        against = exercise.reason(tempting)
        if isinstance(against, OF_POSITION) and against != favour:
            looks = speaker.say("{move} may look better.").format(move=speaker.move(tempting))
            yield f"{looks} {speaker.why_worse(against, seat)}"


def _rows(exercise: Exercise, tried: str, speaker: CoachSpeaker) -> list[MoveRow]:
    """Every move with its chances, best first."""
    solo = isinstance(exercise.view, SoloView)
    rows = []
    for value in exercise.moves:
        chances = (value.match,) if solo else (value.round, value.match)
        told = tuple(speaker.chance(chance, 1) for chance in chances)
        rows.append(MoveRow(speaker.move(value.move), told, value.move == exercise.best, value.move == tried))
    return rows


def _rating(answer: Answer, say: Callable[[str], str]) -> str:
    """The new rating, and what the answer has changed."""
    if answer.before is None or answer.after is None:
        return ""
    change = round(answer.after.rating) - round(answer.before.rating)
    sign = "+" if change >= 0 else "−"
    text = say("Your rating: {rating} ({change})")
    return text.format(rating=round(answer.after.rating), change=f"{sign}{abs(change)}")


def about_puzzle(puzzle: Puzzle, preferences: Preferences) -> str:
    """What is said of a puzzle before it is solved: the theme would tell too much."""
    level = level_titles(preferences.say)[puzzle.level]
    return preferences.say("{level}, rated {rating}").format(level=level, rating=puzzle.rating)


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
        "daily_about": f"{edition_title(daily.edition, preferences.lang)} · {about_puzzle(daily, preferences)}",
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
