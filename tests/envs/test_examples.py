"""The examples in the docstrings of the environments do what they say."""

import doctest
import subprocess
import sys
from types import ModuleType

import pytest

import suitors
from suitors.envs import learner, openspiel, solitaire, turns


@pytest.mark.parametrize("module", [learner, openspiel, solitaire, turns], ids=lambda module: module.__name__)
def test_the_examples_do_what_they_say(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize(
    ("package", "module"),
    [("pettingzoo", "suitors.envs"), ("gymnasium", "suitors.envs"), ("pyspiel", "suitors.envs.openspiel")],
)
def test_a_missing_package_is_named_with_the_extra_that_has_it(package: str, module: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"need {package}: pip install 'suitors[lab" in done.stderr


def test_environments_are_known_to_the_package() -> None:
    assert suitors.envs.aec("classic", 2).possible_agents == ["player_0", "player_1"]
