"""The benchmark of the environments and the solver of small decks do what they say."""

import pytest

from support.repository import load_script


def test_the_benchmark_measures_ours_and_names_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    envs = load_script("benchmarks/envs.py")
    kinds = envs.groups(8)
    for kind in ("PettingZoo", "OpenSpiel"):
        rate = envs.show("ours", kinds[kind][2]["modern 4"], 0.004, 1000.0)
        assert rate > 0
    assert envs.show("theirs", envs.needing("no_such_package_here", lambda: None), 0.004) is None
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].count("×") == lines[1].count("×") == 1
    assert "moves/s with chance" in lines[1]
    assert lines[2].endswith("no_such_package_here is not installed")


def test_a_small_deck_is_solved(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    solve = load_script("tools/solve_deck.py")
    monkeypatch.setattr("sys.argv", ["solve_deck.py", "--iterations", "40"])
    solve.main()
    *_, last = (line for line in capsys.readouterr().out.splitlines() if "NashConv" in line)
    assert float(last.split()[-1]) < 0.02


@pytest.mark.parametrize("cards", ["guard=x", "gard=2", "guard=8,priest=2", "guard=4"])
def test_a_deck_that_cannot_be_solved_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cards: str
) -> None:
    monkeypatch.setattr("sys.argv", ["solve_deck.py", "--cards", cards])
    with pytest.raises(SystemExit) as ended:
        load_script("tools/solve_deck.py").main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.rstrip().endswith(".")
