"""The script that holds predicted chances against what happened."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from support.repository import load_script


def test_chances_that_come_true_are_told_in_bins() -> None:
    script = load_script("tools/calibration.py")
    lines = list(script.table([[(0.25, 0.0), (0.22, 1.0)], [(1.0, 1.0)], [(0.27, 0.0), (0.22, 0.0)]]))
    assert lines[2] == "| 20–30% | 4 | 24.0% | 25.0 ± 25.0% |"
    assert lines[3].startswith("| 90–100% | 1 | 100.0% | 100.0")
    assert len(lines) == 4


def test_points_hold_predictions_against_results() -> None:
    script = load_script("tools/calibration.py")
    script.ITERATIONS, script.BUDGET_MS = 20, 0.5
    found = script.points(0)
    assert len(found) == script.JUDGED
    for chance, won, match, result in found:
        assert 0 <= chance <= 1
        assert 0 <= match <= 1
        assert {won, result} <= {0.0, 0.5, 1.0}


def test_it_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script, file = load_script("tools/calibration.py"), tmp_path / "points.jsonl"
    asked: list[int] = []

    class Pool:
        def __init__(self, jobs: int) -> None:
            assert jobs == 1

        def map(self, points: Any, numbers: range) -> Any:
            asked.extend(numbers)
            return [[(0.5, 1.0, 0.5, 0.0)] for _ in numbers]

        def shutdown(self, cancel_futures: bool) -> None:
            assert cancel_futures

    monkeypatch.setattr(script, "ProcessPoolExecutor", Pool)
    file.write_text(json.dumps([(0.5, 1.0, 0.5, 0.0)]) + "\n[[0.3, 0.")
    monkeypatch.setattr(sys, "argv", ["calibration", str(file), "--matches", "4", "--jobs", "1"])
    script.main()
    assert asked == [1, 2, 3]
    assert len([json.loads(line) for line in file.read_text().splitlines()]) == 4
    assert "The match, 4 matches" in capsys.readouterr().out
