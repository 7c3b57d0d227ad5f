"""The picture of how policies became better."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools.train import curve


def run(folder: Path, edition: str, points: int) -> Path:
    """A run with snapshots that were measured after 1, 2, 4 … seconds, and become better and better."""
    folder.mkdir()
    found = {f"after-{2**k:06.1f}": [2.0**k, [0.1 * k, 0.01], [-0.6 + 0.1 * k, 0.01]] for k in range(points)}
    (folder / "measured.json").write_text(json.dumps({"edition": edition, "points": found}), "utf-8")
    return folder


def draw(runs: list[Path], picture: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The picture that the program makes."""
    monkeypatch.setattr("sys.argv", ["curve", *map(str, runs), "--picture", str(picture)])
    curve.main()
    return picture.read_text("utf-8")


def test_every_run_is_a_line_in_both_panels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [run(tmp_path / name, name, 5 + k) for k, name in enumerate(("classic", "modern", "house"))]
    text = draw(runs, tmp_path / "curve.svg", monkeypatch)
    root = ElementTree.fromstring(text)
    names = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [names.count(run.name) for run in runs] == [2, 2, 2]
    lines = re.findall(r'<path d="M([\d.]+ [\d.]+(?:L[\d.]+ [\d.]+)+)"', text)
    assert [line.count("L") + 1 for line in lines] == [5, 6, 7, 5, 6, 7]
    for line in lines:
        places = [tuple(map(float, place.split())) for place in line.split("L")]
        assert places == sorted(places)
        assert [y for _, y in places] == sorted((y for _, y in places), reverse=True)
    assert "house: after 64 seconds +0.600 against random play" in text
    assert draw(runs, tmp_path / "again.svg", monkeypatch) == text


def test_a_run_without_snapshots_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="There are no snapshots in"):
        draw([tmp_path], tmp_path / "curve.svg", monkeypatch)


def test_a_run_that_was_not_measured_to_its_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "measured.json").write_text("{", "utf-8")
    with pytest.raises(SystemExit, match="is torn"):
        draw([tmp_path], tmp_path / "curve.svg", monkeypatch)


def test_who_is_never_ahead_or_learns_longer_stays_within_the_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"after-0001.0": [1.0, [0.0, 0.1], [0.0, 0.1]], "after-0900.0": [900.0, [0.0, 0.1], [0.0, 0.1]]}
    (tmp_path / "measured.json").write_text(json.dumps({"edition": "house & garden", "points": points}), "utf-8")
    text = draw([tmp_path], tmp_path / "curve.svg", monkeypatch)
    ElementTree.fromstring(text)
    assert f"L{curve.RIGHT:.1f} " in text


def test_there_are_not_more_runs_than_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit) as caught:
        draw([tmp_path] * (len(curve.COLOURS) + 1), tmp_path / "curve.svg", monkeypatch)
    assert caught.value.code == 2
