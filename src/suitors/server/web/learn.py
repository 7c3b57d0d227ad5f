"""The pages of guided games. Step N of the first is /learn/N, of others /learn/NAME/N; nothing of a learner is kept."""

from fastapi import APIRouter, Response

from ...pages.lesson import Lesson, answer_wrong_move, find_lesson, first_game, start_context, step_context
from ...pages.lesson_scripts import FIRST
from ..errors import missing
from .requests import PageRequest, ThePageRequest

router = APIRouter(include_in_schema=False)

LONGEST = 100
"""Letters in the longest choice or move."""


@router.get("/learn")
async def begin(request: ThePageRequest) -> Response:
    """What the guided game is, and the lessons after it."""
    return request.page("learn.html", **start_context(request.preferences))


@router.get("/learn/{number:int}")
async def learn(number: int, request: ThePageRequest, chosen: str = "") -> Response:
    """A step of the first game, with what the learner has chosen so far."""
    return show(FIRST, number, request, chosen)


@router.get("/learn/{name}/{number:int}")
async def learn_more(name: str, number: int, request: ThePageRequest, chosen: str = "") -> Response:
    """A step of another lesson."""
    return show("" if name == FIRST else name, number, request, chosen)


@router.post("/learn/{number:int}")
async def attempt(number: int, request: ThePageRequest) -> Response:
    """The learner's move in the first game."""
    return answer(FIRST, number, request)


@router.post("/learn/{name}/{number:int}")
async def attempt_more(name: str, number: int, request: ThePageRequest) -> Response:
    """The learner's move in another lesson."""
    return answer("" if name == FIRST else name, number, request)


def show(name: str, number: int, request: PageRequest, chosen: str) -> Response:
    """The page of a step."""
    lesson = checked(name, number, request)
    return request.page("learn.html", **step_context(lesson, number, name_of(request), chosen[:LONGEST]))


def answer(name: str, number: int, request: PageRequest) -> Response:
    """The move that the step is about leads on, any other is answered on the same page."""
    move, lesson = request.form.get("move", "")[:LONGEST], checked(name, number, request)
    if move and move == lesson.task(number):
        return request.redirect(f"{lesson.path}/{number + 1}#lesson-title")
    told, legal = answer_wrong_move(lesson, number, move)
    context = step_context(lesson, number, name_of(request), answer=told)
    return request.page("learn.html", 200 if legal else 422, **context)


def checked(name: str, number: int, request: PageRequest) -> Lesson:
    """The lesson for the visitor, if there is such a step."""
    lesson = first_game(request.preferences) if name == FIRST else find_lesson(name, request.preferences)
    if lesson is None or not 1 <= number <= len(lesson.steps):
        raise missing("page")
    return lesson


def name_of(request: PageRequest) -> str:
    """What the learner is called at the table."""
    return request.preferences.say("Guest") if request.person is None else request.person.name
