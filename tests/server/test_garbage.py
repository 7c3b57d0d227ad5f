"""Garbage is looked for when sockets have closed, and not while people play."""

import asyncio
from typing import Any

import pytest

from suitors.server.ops import garbage


class Collector:
    """A stand-in for the module gc that only takes notes."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return lambda: self.notes.append(name)


async def keep(turns: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the collector go round once for each pair of open and closed sockets; what it did."""
    collector, state = Collector(), {"turn": -1}

    async def pause(seconds: float) -> None:
        state["turn"] += 1
        if state["turn"] == len(turns):
            raise asyncio.CancelledError

    def now(k: int) -> int:
        return turns[max(0, state["turn"])][k]

    monkeypatch.setattr(garbage, "gc", collector)
    monkeypatch.setattr(garbage, "sleep", pause)
    with pytest.raises(asyncio.CancelledError):
        await garbage.collect_garbage(lambda: now(0), lambda: now(1))
    assert collector.notes[:3] == ["disable", "collect", "freeze"]
    return collector.notes[3:]


@pytest.mark.parametrize(
    ("turns", "collected"),
    [
        ([(8, 0)] * 5, 0),
        ([(8, 0), (8, 1_000), (8, 1_001)], 1),
        ([(5_000, 0), (5_000, 9_000), (5_000, 10_001), (5_000, 19_000), (5_000, 21_000)], 2),
    ],
    ids=["nobody left", "many left", "as many as twice those who stay"],
)
def test_everything_is_looked_at_when_many_have_left(
    turns: list[tuple[int, int]], collected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = asyncio.run(keep(turns, monkeypatch))
    assert notes.count("collect") == notes.count("unfreeze") == collected
    assert notes.count("freeze") == len(turns)


def test_a_failure_is_logged_and_the_next_turn_comes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failing = iter([OSError("a clock that fails")])

    def monotonic() -> float:
        if caplog.records or state["started"] < 1:
            state["started"] += 1
            return 0.0
        raise next(failing)

    state = {"started": 0}
    monkeypatch.setattr(garbage, "monotonic", monotonic)
    notes = asyncio.run(keep([(8, 0)] * 3, monkeypatch))
    assert [record.message for record in caplog.records] == ["garbage-failed"]
    assert notes.count("freeze") == 2


def test_everything_is_looked_at_after_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100_000, 1_000))
    monkeypatch.setattr(garbage, "monotonic", lambda: float(next(clock)))
    notes = asyncio.run(keep([(8, 0)] * 8, monkeypatch))
    assert notes.count("collect") in (1, 2)
