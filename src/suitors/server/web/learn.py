"""The pages of the guided first game. Step N is /learn/N, and the server remembers nothing of a learner."""

from fastapi import APIRouter, Response

from ...pages.lesson import STEPS, answer_wrong_move, start_context, step_context
from ..errors import missing
from .requests import AVisit, Visit

router = APIRouter(include_in_schema=False)

LONGEST = 100
"""Letters in the longest choice or move."""


@router.get("/learn")
async def begin(visit: AVisit) -> Response:
    """What this is, and where it starts."""
    return visit.page("learn.html", **start_context(visit.preferences))


@router.get("/learn/{number:int}")
async def learn(number: int, visit: AVisit, chosen: str = "") -> Response:
    """A step, with what the learner has chosen so far."""
    checked(number)
    return visit.page("learn.html", **step_context(number, visit.preferences, name_of(visit), chosen[:LONGEST]))


@router.post("/learn/{number:int}")
async def attempt(number: int, visit: AVisit) -> Response:
    """The learner's move: the one that the step is about leads on, any other is answered on the same page."""
    move, task = visit.said.get("move", "")[:LONGEST], STEPS[checked(number) - 1].task
    if task and move == task:
        return visit.go(f"/learn/{number + 1}#lesson-title")
    answer, legal = answer_wrong_move(number, move, visit.preferences)
    context = step_context(number, visit.preferences, name_of(visit), answer=answer)
    return visit.page("learn.html", 200 if legal else 422, **context)


def checked(number: int) -> int:
    """The number, if there is such a step."""
    if not 1 <= number <= len(STEPS):
        raise missing("page")
    return number


def name_of(visit: Visit) -> str:
    """What the learner is called at the table."""
    return visit.preferences.say("Guest") if visit.person is None else visit.person.name
