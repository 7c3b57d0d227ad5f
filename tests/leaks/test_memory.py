"""What a seat remembers of the events that it has seen."""

import pytest

from suitors.rules import Event
from suitors.view.memory import LESSON_OF, LESSONS, by_number


def test_every_event_teaches_something_or_nothing_and_one_that_is_forgotten_is_named() -> None:
    assert len(LESSONS) == len(Event)
    known = dict(LESSON_OF)
    del known[Event.BET]
    with pytest.raises(AssertionError, match=r"LESSON_OF in view/memory\.py says nothing of BET"):
        by_number(known)
