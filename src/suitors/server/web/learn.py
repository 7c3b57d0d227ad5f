"""The pages of the guided first game. Step N is /learn/N, and the server remembers nothing of a learner."""

from fastapi import APIRouter, Response

from ...pages.lesson import Course, answer_wrong_move, course_for, start_context, step_context
from ..errors import missing
from .requests import PageRequest, ThePageRequest

router = APIRouter(include_in_schema=False)

LONGEST = 100
"""Letters in the longest choice or move."""


@router.get("/learn")
async def begin(request: ThePageRequest) -> Response:
    """What the guided game is, and where it starts."""
    return request.page("learn.html", **start_context(course_for(request.preferences)))


@router.get("/learn/{number:int}")
async def learn(number: int, request: ThePageRequest, chosen: str = "") -> Response:
    """A step, with what the learner has chosen so far."""
    course = checked(number, request)
    return request.page("learn.html", **step_context(course, number, name_of(request), chosen[:LONGEST]))


@router.post("/learn/{number:int}")
async def attempt(number: int, request: ThePageRequest) -> Response:
    """The learner's move: the one that the step is about leads on, any other is answered on the same page."""
    move, course = request.form.get("move", "")[:LONGEST], checked(number, request)
    if move and move == course.task(number):
        return request.redirect(f"/learn/{number + 1}#lesson-title")
    answer, legal = answer_wrong_move(course, number, move)
    context = step_context(course, number, name_of(request), answer=answer)
    return request.page("learn.html", 200 if legal else 422, **context)


def checked(number: int, request: PageRequest) -> Course:
    """The visitor's guided game, if it has such a step."""
    course = course_for(request.preferences)
    if not 1 <= number <= len(course.steps):
        raise missing("page")
    return course


def name_of(request: PageRequest) -> str:
    """What the learner is called at the table."""
    return request.preferences.say("Guest") if request.person is None else request.person.name
