"""How the tests themselves run: the same examples each time, a limit for each test, and a word on what still runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from support import progress
from support.matches import UNTIMED
from support.progress import ENDING, STALLED, Watch

ROOT = Path(__file__).parent.parent


def start(folder: Path, *options: str, **environment: str) -> "subprocess.Popen[str]":
    """Start pytest with these settings only."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "HYPOTHESIS_"))}
    full = {**inherited, **environment}
    return subprocess.Popen(command, cwd=folder, env=full, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def start_bare(folder: Path, test: str, *options: str) -> "subprocess.Popen[str]":
    """Start a file of tests with no plugins but those for workers and limits."""
    (folder / "test_it.py").write_text(test, "utf-8")
    plugins = ["-p", "xdist", "-p", "pytest_timeout"]
    here = str(Path(__file__).parent)
    return start(folder, *plugins, *options, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTHONPATH=here)


def finish(process: "subprocess.Popen[str]") -> str:
    """All that it prints."""
    with process:
        assert process.stdout
        return process.stdout.read()


# Examples


def test_examples_are_the_same_each_time_unless_one_explores() -> None:
    exploring = settings.get_current_profile_name() == "explore"
    assert settings().derandomize is not exploring
    assert UNTIMED.derandomize is not exploring
    assert settings().deadline is None


@pytest.mark.parametrize(
    ("option", "variable"), [(["--hypothesis-profile=explore"], ""), ([], "explore")], ids=["option", "variable"]
)
def test_one_explores_by_option_or_variable(option: list[str], variable: str) -> None:
    chosen = f"{Path(__file__).relative_to(ROOT)}::test_examples_are_the_same_each_time_unless_one_explores"
    environment = {"HYPOTHESIS_PROFILE": variable} if variable else {}
    said = finish(start(ROOT, "-v", "-n0", *option, chosen, **environment))
    assert "hypothesis profile 'explore'" in said
    assert "1 passed" in said


# Limits

HANGING = """
import collections, itertools, pytest, time
@pytest.mark.timeout(1)
def test_that_hangs():
    while True:
        time.sleep(0.01)
def test_that_passes():
    pass
def test_that_no_signal_interrupts():
    collections.deque(itertools.repeat(0), maxlen=0)
"""


def test_tests_that_hang_are_named_and_the_others_go_on(tmp_path: Path) -> None:
    limits = ["-o", "faulthandler_timeout=4", "-o", "faulthandler_exit_on_timeout=true"]
    said = finish(start_bare(tmp_path, HANGING, "-n1", *limits))
    assert "FAILED test_it.py::test_that_hangs - Failed: Timeout" in said
    assert "crashed while running 'test_it.py::test_that_no_signal_interrupts'" in said
    assert "2 failed, 1 passed" in said


def test_every_test_has_a_limit(pytestconfig: pytest.Config) -> None:
    limit, last = (float(pytestconfig.getini(name)) for name in ("timeout", "faulthandler_timeout"))
    assert 0 < limit < last
    assert pytestconfig.getini("faulthandler_exit_on_timeout") is True


# Progress


def test_nothing_is_said_while_tests_finish() -> None:
    watch = Watch()
    for now in range(1000):
        watch.start(f"test {now}", now)
        assert watch.line(now + 0.9) is None
        watch.finish(f"test {now}", now + 1)
    assert watch.line(5000) is None


def test_a_stalled_run_names_its_tests_at_growing_intervals() -> None:
    watch = Watch()
    watch.start("a", 100)
    watch.start("b", 107)
    said = {now: line for now in range(100, 300) if (line := watch.line(now))}
    assert list(said) == [100 + STALLED, 100 + STALLED * 3, 100 + STALLED * 7]
    assert said[120] == "still running: a (20 s), b (13 s)"


def test_the_last_tests_are_named_sooner() -> None:
    watch = Watch()
    watch.start("a", 0)
    watch.start("b", 1)
    watch.finish("b", 10)
    assert watch.line(10 + ENDING - 1) is None
    assert watch.line(10 + ENDING) == "still running: a (15 s)"


def test_the_longest_are_named_of_many() -> None:
    watch = Watch()
    for number in range(progress.LONGEST + 3):
        watch.start(f"test {number}", number)
    line = watch.line(1000)
    assert line
    assert line.startswith("still running: test 0 (1000 s), test 1")
    assert line.endswith(", and 3 more")


WAITING = """
import pathlib, pytest, time
@pytest.mark.parametrize("number", [1, 2])
def test_waits(number):
    while not pathlib.Path("go").exists():
        time.sleep(0.01)
"""
IMPATIENT = """
from support import progress
progress.STALLED = progress.ENDING = 0.2
pytest_plugins = ["support.progress"]
"""


def test_a_real_run_says_what_it_waits_for(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(IMPATIENT, "utf-8")
    with start_bare(tmp_path, WAITING, "-n2") as process:
        assert process.stdout
        line = next(line for line in process.stdout if line.startswith("still running: "))
        (tmp_path / "go").touch()
        rest = process.stdout.read()
    assert "test_it.py::test_waits[" in line
    assert "2 passed" in rest


def test_a_test_whose_worker_died_is_not_named(tmp_path: Path) -> None:
    watch: list[str] = []
    follower = progress.Progress(watch.append)
    follower.pytest_runtest_logstart("a")
    follower.pytest_handlecrashitem("a")
    assert follower.watch.line(float("inf")) is None
