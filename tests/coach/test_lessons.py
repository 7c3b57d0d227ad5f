"""What lessons about ideas teach is what the coach would play."""

import pytest

from suitors.bots.outcomes import Scale
from suitors.coach import BestReplyValuer, Mark
from suitors.coach.judgement import judge
from suitors.pages.lesson import Lesson
from suitors.pages.lesson_scripts import IDEAS, LESSONS, SIXTEEN, Script
from suitors.pages.preferences import Preferences
from suitors.view.match import View

TAUGHT = [
    (script, number)
    for script in LESSONS
    if script.about == IDEAS
    for number, step in enumerate(script.steps[SIXTEEN[0]], 1)
    if step.task
]


@pytest.mark.parametrize(("script", "number"), TAUGHT, ids=lambda given: getattr(given, "name", str(given)))
def test_the_task_of_a_lesson_is_the_best_move(script: Script, number: int) -> None:
    lesson = Lesson(script, SIXTEEN[0], Preferences())
    view, task = lesson.match_at(number).view(0), lesson.task(number)
    assert isinstance(view, View)
    valuation = BestReplyValuer().values(view, view.legal, 1, 20.0, keep=(task,))
    assert judge(valuation, view.legal, task, Scale(view).stake).mark is Mark.BEST
