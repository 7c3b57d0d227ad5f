"""The pages of the guided first game. Step N is /learn/N, and the server remembers nothing of a learner."""

from fastapi import APIRouter, Response

from ...pages.lesson import STEPS, answer_wrong_move, start_context, step_context
from ..errors import missing
from .requests import PageRequest, ThePageRequest

router = APIRouter(include_in_schema=False)

LONGEST = 100
"""Letters in the longest choice or move."""


@router.get("/learn")
async def begin(request: ThePageRequest) -> Response:
    """What the guided game is, and where it starts."""
    return request.page("learn.html", **start_context(request.preferences))


@router.get("/learn/{number:int}")
async def learn(number: int, request: ThePageRequest, chosen: str = "") -> Response:
    """A step, with what the learner has chosen so far."""
    checked(number)
    return request.page("learn.html", **step_context(number, request.preferences, name_of(request), chosen[:LONGEST]))


@router.post("/learn/{number:int}")
async def attempt(number: int, request: ThePageRequest) -> Response:
    """The learner's move: the one that the step is about leads on, any other is answered on the same page."""
    move, task = request.form.get("move", "")[:LONGEST], STEPS[checked(number) - 1].task
    if task and move == task:
        return request.redirect(f"/learn/{number + 1}#lesson-title")
    answer, legal = answer_wrong_move(number, move, request.preferences)
    context = step_context(number, request.preferences, name_of(request), answer=answer)
    return request.page("learn.html", 200 if legal else 422, **context)


def checked(number: int) -> int:
    """The number, if there is such a step."""
    if not 1 <= number <= len(STEPS):
        raise missing("page")
    return number


def name_of(request: PageRequest) -> str:
    """What the learner is called at the table."""
    return request.preferences.say("Guest") if request.person is None else request.person.name
