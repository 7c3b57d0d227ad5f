"""Budgets are kept: overruns are counted and told, and with --strict-time chance decides instead."""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from suitors.arena import Series, runner
from suitors.bots import BOTS
from suitors.view.match import View
from suitors.view.solo import SoloView
from support.matches import call


@dataclass
class Clock:
    """A clock that only a slow bot moves."""

    now: float = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Instead of `random` and `novice` there are a bot that thinks for half a second, and one that takes no time."""
    clock = Clock()

    def slow(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
        clock.now += 0.5
        return view.legal[0]

    def quick(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
        return view.legal[0]

    monkeypatch.setattr(runner, "time", clock)
    monkeypatch.setitem(BOTS, "novice", slow)
    monkeypatch.setitem(BOTS, "random", quick)
    return clock


def played(*, budget_ms: float | None, strict: bool) -> Series:
    series = Series("classic", ["novice", "random"], 1, budget_ms=budget_ms, strict=strict)
    for _ in series.play(4, jobs=1, recording=True):
        pass
    return series


@pytest.mark.parametrize("strict", [True, False])
def test_overruns_are_counted(clock: Clock, strict: bool) -> None:
    slow, quick = (score.effort for score in played(budget_ms=10, strict=strict).scores)
    assert slow.overruns == slow.decisions > 0
    assert quick.overruns == 0
    assert clock.now == pytest.approx(0.5 * slow.decisions)


@pytest.mark.parametrize("budget_ms", [None, 500, 450])
def test_a_decision_within_its_budget_or_hardly_above_is_none(clock: Clock, budget_ms: float | None) -> None:
    assert [score.effort.overruns for score in played(budget_ms=budget_ms, strict=True).scores] == [0, 0]


def test_strict_time_lets_chance_decide(clock: Clock) -> None:
    records = []
    for strict in (False, True):
        series = Series("classic", ["novice", "random"], 1, budget_ms=10, strict=strict)
        records.append([outcome.record for outcome in series.play(4, jobs=1, recording=True)])
    assert records[0] != records[1]


def test_the_command_tells_overruns(clock: Clock) -> None:
    words = (
        "match",
        "--edition",
        "classic",
        "--bots",
        "novice,random",
        "--games",
        "2",
        "--jobs",
        "1",
        "--budget-ms",
        "10",
    )
    shown, strict = call(*words), call(*words, "--strict-time")
    assert "novice took longer than its budget in" in shown.err
    assert "Chance has decided" not in shown.err
    assert "Chance has decided there instead." in strict.err
    assert "random took" not in shown.err
    assert call("match", "--strict-time").status == 2


def test_a_tournament_keeps_budgets_and_tells_overruns(clock: Clock, tmp_path: Path) -> None:
    words = ("tournament", "--bots", "novice,random", "--editions", "classic", "--games", "4", "--jobs", "1")
    shown = call(*words, "--budget-ms", "10", "--json")
    strict = call(*words, "--budget-ms", "10", "--strict-time", "--json", "--output", str(tmp_path))
    slow, quick = shown.lines[-1]["overall"]["ratings"]
    assert slow["overruns"] == slow["decisions"] > 0
    assert quick["overruns"] == 0
    assert "novice took longer than its budget in" in shown.err
    assert "Chance has decided" not in shown.err
    assert "Chance has decided there instead." in strict.err
    assert "strict_time" not in shown.lines[-1]
    assert strict.lines[-1]["strict_time"] is True
    assert strict.lines[-1]["overall"]["pairs"] != shown.lines[-1]["overall"]["pairs"]
    assert call("tournament", "--strict-time").status == 2


def test_overruns_survive_a_tournament_that_is_taken_up_again(clock: Clock, tmp_path: Path) -> None:
    words = ("tournament", "--bots", "novice,random", "--games", "4", "--jobs", "1", "--budget-ms", "10", "--json")
    output = ("--output", str(tmp_path))
    results = call(*words, *output).lines[-1]
    assert call(*words, *output, "--resume").lines[-1] == results
    assert results["overall"]["ratings"][0]["overruns"] > 0
    refused = call(*words, *output, "--resume", "--strict-time")
    assert (refused.status, "other settings (strict_time)" in refused.err) == (2, True)
