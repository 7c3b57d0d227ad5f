"""The pages of practice: all puzzles, one of them, the puzzle of the day, and one's own mistakes again."""

import random
from datetime import UTC, date, datetime
from urllib.parse import urlencode

from fastapi import APIRouter, Response

from ...coach.puzzles import LEVELS, THEMES, Exercise, candidates, daily_puzzle, select
from ...pages.practice import PATH, Answer, Asked, Filter, exercise_context, overview_context
from ...rules import BOXES
from ...words.practice import about_puzzle, puzzle_of_day, theme_titles
from ..domain.practice import Mistake, find_puzzle
from .learn import name_of
from .requests import PageRequest, ThePageRequest
from .tables import find_table

router = APIRouter(include_in_schema=False)

LONGEST = 100
"""Letters in the longest choice or move."""

MISTAKES = f"{PATH}/mistakes"


@router.get(PATH)
async def overview(request: ThePageRequest, theme: str = "", edition: str = "", level: str = "") -> Response:
    """All puzzles, and how far the visitor has come."""
    practice, person = request.server.practice, request.person_id
    tries = await practice.tries(person)
    context = overview_context(
        request.preferences,
        today(),
        solved={puzzle: found.solved > 0 for puzzle, found in tries.items()},
        rating=await practice.rating(person),
        mistakes=len(await practice.mistakes(person)),
        chosen=read_filter(theme, edition, level),
    )
    return request.page("practice.html", **context)


@router.get(f"{PATH}/daily")
async def daily(request: ThePageRequest) -> Response:
    """The puzzle of today."""
    return request.redirect(f"{PATH}/{daily_puzzle(today()).id}")


@router.get(f"{PATH}/next")
async def next_puzzle(request: ThePageRequest, theme: str = "", edition: str = "", level: str = "") -> Response:
    """A puzzle that suits the visitor: new, and near to their rating."""
    chosen, practice = read_filter(theme, edition, level), request.server.practice
    puzzles = select(chosen.theme, chosen.edition, chosen.level)
    if not puzzles:
        return request.redirect(f"{PATH}?{urlencode(chosen.fields())}")
    rating = await practice.rating(request.person_id)
    found = random.choice(list(candidates(puzzles, await practice.tries(request.person_id), rating.rating)))
    return request.redirect(with_filter(f"{PATH}/{found.id}", chosen))


@router.get(MISTAKES)
async def next_mistake(request: ThePageRequest) -> Response:
    """A mistake of the visitor's own; where there is none, what practice is."""
    found = await request.server.practice.mistakes(request.person_id)
    return request.redirect(f"{MISTAKES}/{random.choice(found).id}" if found else PATH)


@router.get(f"{MISTAKES}/{{table_id}}/{{round_}}/{{ply}}")
async def mistake_page(table_id: str, round_: str, ply: str, request: ThePageRequest, chosen: str = "") -> Response:
    """A position in which the visitor made a mistake."""
    mistake, exercise = await find_mistake(request, table_id, round_, ply)
    context = exercise_context(exercise, ask_mistake(request, mistake), request.preferences, chosen[:LONGEST])
    return request.page("puzzle.html", **context)


@router.post(f"{MISTAKES}/{{table_id}}/{{round_}}/{{ply}}")
async def solve_mistake(table_id: str, round_: str, ply: str, request: ThePageRequest) -> Response:
    """The visitor's second attempt."""
    mistake, exercise = await find_mistake(request, table_id, round_, ply)
    move = request.text("move")
    await request.server.practice.try_mistake(request.known_person().id, mistake, exercise, move)
    asked = ask_mistake(request, mistake)
    return request.page("puzzle.html", **exercise_context(exercise, asked, request.preferences, "", Answer(move)))


@router.get(f"{PATH}/{{puzzle_id}}")
async def puzzle_page(
    puzzle_id: str, request: ThePageRequest, chosen: str = "", theme: str = "", edition: str = "", level: str = ""
) -> Response:
    """A puzzle, with what the visitor has chosen so far."""
    asked = ask_puzzle(request, puzzle_id, read_filter(theme, edition, level))
    exercise = find_puzzle(puzzle_id).exercise
    return request.page("puzzle.html", **exercise_context(exercise, asked, request.preferences, chosen[:LONGEST]))


@router.post(f"{PATH}/{{puzzle_id}}")
async def solve(puzzle_id: str, request: ThePageRequest) -> Response:
    """The visitor's answer: right or wrong, what every move is worth, and why."""
    puzzle, move = find_puzzle(puzzle_id), request.text("move")
    person = await request.ensure_person()
    rated = await request.server.practice.try_puzzle(person.id, puzzle, move)
    answer = Answer(move, theme=theme_titles(request.preferences.words_for(None))[puzzle.theme])
    if rated is not None:
        answer = Answer(move, rated.before, rated.after, answer.theme)
    asked = ask_puzzle(request, puzzle_id, read_filter(*(request.text(key) for key in ("theme", "edition", "level"))))
    return request.page("puzzle.html", **exercise_context(puzzle.exercise, asked, request.preferences, "", answer))


def today() -> date:
    """The day, which is the same everywhere."""
    return datetime.now(UTC).date()


def read_filter(theme: str, edition: str, level: str) -> Filter:
    """What an address asks for; a word that is not known stands for anything."""
    return Filter(
        theme if theme in THEMES else "", edition if edition in BOXES else "", level if level in LEVELS else ""
    )


def with_filter(path: str, chosen: Filter) -> str:
    """An address with what the visitor practises."""
    return f"{path}?{urlencode(chosen.fields())}" if chosen.fields() else path


def ask_puzzle(request: PageRequest, puzzle_id: str, chosen: Filter) -> Asked:
    """What the page of a puzzle says besides the position."""
    puzzle, preferences = find_puzzle(puzzle_id), request.preferences
    title = preferences.say("Find the best move")
    if puzzle == daily_puzzle(today()):
        title = puzzle_of_day(today(), preferences.words_for(None))
    return Asked(
        path=f"{PATH}/{puzzle_id}",
        title=title,
        about=about_puzzle(puzzle, preferences.say),
        question=preferences.say("It is your turn. One move is clearly best for what you know: find it."),
        next_path=with_filter(f"{PATH}/next", chosen),
        name=name_of(request),
        filter=chosen,
    )


def ask_mistake(request: PageRequest, mistake: Mistake) -> Asked:
    """What the page of a mistake says besides the position."""
    say = request.preferences.say
    about = say("Round {number} of one of your games").format(number=mistake.decision.round + 1)
    return Asked(
        path=f"{MISTAKES}/{mistake.id}",
        title=say("Your mistakes again"),
        about=about,
        question=say("You made a mistake here. Find a better move."),
        next_path=MISTAKES,
        name=name_of(request),
    )


async def find_mistake(request: PageRequest, table_id: str, round_: str, ply: str) -> tuple[Mistake, Exercise]:
    """A mistake of the visitor's, and its position in the match of the table."""
    mistake = await request.server.practice.find_mistake(request.person_id, f"{table_id}/{round_}/{ply}")
    loaded = await find_table(request, table_id)
    exercise = await request.server.in_thread(request.client, mistake.exercise, loaded.table.started_match)
    return mistake, exercise
