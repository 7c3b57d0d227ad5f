"""Figures in the first line of a network's file: written without a change of the weights, and refused where wrong."""

import shutil
from pathlib import Path

import pytest

from suitors.bots.learned.network import DATA, load_network, read_body, read_head
from suitors.rules import edition
from tools.train import figures


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr("sys.argv", ["figures", *words])
    figures.main()


def test_figures_are_added_and_the_weights_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "classic-2.net"
    shutil.copy(DATA / path.name, path)
    before, body = read_head(path), read_body(path)
    run(monkeypatch, str(path), "lead over random play=0.5", "won a=b=0.25")
    after = read_head(path)
    assert after["figures"] == before["figures"] | {"lead over random play": 0.5, "won a=b": 0.25}
    assert {**after, "figures": {}} == {**before, "figures": {}}
    assert read_body(path) == body
    assert len(load_network(path, edition("classic", 2)).actions)
    assert "lead over random play: 0.5" in capsys.readouterr().out


def test_a_file_of_other_games_is_left_as_it_is_unless_it_is_said_that_it_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "classic-2.net"
    head, body = (DATA / path.name).read_bytes().split(b"\n", 1)
    for part, said in (("games", "was made for other cards"), ("rules", "was made for other rules")):
        digest = read_head(DATA / path.name)[part]["2"].encode()
        path.write_bytes(head.replace(digest, b"0") + b"\n" + body)
        spoilt = path.read_bytes()
        for words in (["lead=1"], []):
            with pytest.raises(SystemExit):
                run(monkeypatch, str(path), *words)
            assert said in capsys.readouterr().err
            assert path.read_bytes() == spoilt
    run(monkeypatch, str(path), "--renew")
    assert read_head(path) == read_head(DATA / path.name)


def test_to_look_at_figures_writes_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(figures, "write_file", None)
    run(monkeypatch, str(DATA / "classic-2.net"))
    assert "lead over random play" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lead=0.5"], "name a network"),
        (["{}", "lead"], "neither a .net file nor a name=number"),
        (["{}", "lead=nan"], "neither a .net file nor a name=number"),
        (["{}", "=1"], "neither a .net file nor a name=number"),
        (["none.net", "lead=1"], "none.net"),
        (["{}", "lead=1"], "not those it was made with"),
    ],
)
def test_what_is_no_figure_or_no_network_is_refused_and_nothing_written(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "classic-2.net"
    path.write_bytes((DATA / path.name).read_bytes() + b"x")
    with pytest.raises(SystemExit) as stopped:
        run(monkeypatch, *(word.format(path) for word in words))
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
    assert path.read_bytes() == (DATA / path.name).read_bytes() + b"x"
