"""The examples in the docstrings of the environments do what they say."""

import doctest
from types import ModuleType

import pytest

from suitors.envs import learner, openspiel, solitaire, turns


@pytest.mark.parametrize("module", [learner, openspiel, solitaire, turns], ids=lambda module: module.__name__)
def test_the_examples_do_what_they_say(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed
