"""`suitors match`: what it prints, the same deals for every seat, processes, forfeits and interrupts."""

import json
import os
import random
import signal
from pathlib import Path
from typing import Any

import pytest

from suitors import SoloView, View
from suitors.arena import Series
from suitors.bots import BOTS, BotFailure
from suitors.cli.options import split_bots
from suitors.records.record import replay
from support.bot_programs import GOOD, LOOP, command_line, running
from support.matches import TABLES, call


def arena(*words: str) -> Any:
    """The object that `suitors match --json` prints last."""
    done = call("match", "--json", *words)
    assert (done.status, done.err) == (0, "")
    return done.lines[-1]


def untimed(data: Any) -> Any:
    """The result without what depends on the machine's speed."""
    return {**data, "bots": [{**row, "seconds_per_decision": 0} for row in data["bots"]]}


# What is printed


def test_match_prints_one_object_with_exactly_these_keys() -> None:
    data = arena("--edition", "modern", "--bots", "random,random,random", "--games", "4", "--seed", "9")
    assert list(data) == ["edition", "players", "games", "seed", "bots"]
    assert (data["edition"], data["players"], data["games"], data["seed"]) == ("modern", 3, 4, 9)
    keys = ["name", "won", "rate", "low", "high", "rounds_won", "decisions", "seconds_per_decision"]
    assert [list(row) for row in data["bots"]] == [keys] * 3
    assert sum(row["won"] for row in data["bots"]) == pytest.approx(4, abs=1e-5)
    for row in data["bots"]:
        assert 0 <= row["low"] <= row["rate"] <= row["high"] <= 1
        assert row["rate"] == pytest.approx(row["won"] / 4, abs=1e-5)
        assert row["decisions"] > 0
        assert row["seconds_per_decision"] > 0


@pytest.mark.parametrize(("slug", "players"), [*TABLES, ("solitaire", 1)])
def test_the_same_seed_gives_the_same_matches_and_they_replay(tmp_path: Path, slug: str, players: int) -> None:
    texts, results = [], []
    for name in ("one", "two", "other"):
        seed, path = "2" if name == "other" else "1", tmp_path / name
        bots = ",".join(["random"] * players)
        data = arena("--edition", slug, "--bots", bots, "--games", "2", "--seed", seed, "--records", str(path))
        results.append(untimed(data)["bots"])
        texts.append(path.read_text())
    assert texts[0] == texts[1] != texts[2]
    assert results[0] == results[1]
    done = call("replay", "--batch", str(tmp_path / "one"))
    assert (done.status, [row["over"] for row in done.lines]) == (0, [True, True])


def test_match_speaks_to_people_without_json() -> None:
    done = call("match", "--games", "1", "--lang", "fr")
    assert (done.status, done.err) == (0, "")
    assert done.out.split()[:3] == ["robot", "gagnées", "taux"]
    assert call("match", "--games", "1", "--edition", "demo").out.startswith("robot")
    assert call("match", "--games", "1").out.startswith("bot")


def test_match_takes_switches(tmp_path: Path) -> None:
    path = tmp_path / "records"
    switches = ["--option", "house_full_tie=none", "--option", "bishop_names_one=false"]
    arena("--games", "1", *switches, "--records", str(path))
    options = json.loads(path.read_text())["options"]
    assert (options["house_full_tie"], options["bishop_names_one"]) == ("none", False)


def test_a_comma_inside_quotes_belongs_to_the_command() -> None:
    assert split_bots("random, cmd:bot 'a,b' \"c,d\" ,random") == ["random", "cmd:bot 'a,b' \"c,d\"", "random"]


# Seats, deals and scores


def first(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """A bot without chance."""
    return view.legal[0]


def test_seats_rotate_and_scores_follow_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "a", first)
    monkeypatch.setitem(BOTS, "b", BOTS["random"])
    monkeypatch.setitem(BOTS, "c", first)
    series = Series("modern", ["a", "b", "c"], 5)
    outcomes = list(series.play(7, jobs=1, recording=True))
    matches = [replay(json.loads(str(outcome.record))) for outcome in outcomes]
    assert ["".join(match.players) for match in matches] == ["abc", "bca", "cab", "abc", "bca", "cab", "abc"]
    for k, name in enumerate("abc"):
        won = sum(1 / len(m.winners) for m in matches if m.players.index(name) in m.winners)
        rounds = sum(1 / len(r.winners) for m in matches for r in m.rounds if m.players.index(name) in r.winners)
        row = series.scores[k].data()
        assert (row["won"], row["rounds_won"]) == pytest.approx((won, rounds))


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 3), ("premium", 5)])
def test_the_matches_of_a_group_have_the_same_deals(tmp_path: Path, slug: str, players: int) -> None:
    path, bots = tmp_path / "records", ",".join(["random"] * players)
    arena("--edition", slug, "--bots", bots, "--games", str(2 * players + 1), "--records", str(path))
    dealt = [[row["deck"] for row in record["rounds"]] for record in map(json.loads, path.read_text().splitlines())]
    groups = [dealt[:players], dealt[players : 2 * players], dealt[2 * players :]]
    for group in groups:
        for decks in group:
            rounds = min(len(decks), len(group[0]))
            assert decks[:rounds] == group[0][:rounds]
    assert len({str(group[0][0]) for group in groups}) == 3


def test_bots_without_chance_share_every_deal_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "first", first)
    series = Series("classic", ["first", "first"], 1)
    list(series.play(60, jobs=1))
    row = series.data()["bots"][0]
    assert row["rate"] == 0.5
    assert row["high"] - row["low"] < 0.08


# Processes


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    found = []
    for jobs in ("1", "2"):
        words = ("--bots", "random,random,random", "--games", "20", "--seed", "4", "--jobs", jobs)
        data = arena(*words, "--records", str(tmp_path / jobs))
        found.append((untimed(data), (tmp_path / jobs).read_text()))
    assert found[0] == found[1]


def test_programs_play_in_processes_too(tmp_path: Path) -> None:
    good, path = "cmd:" + command_line(tmp_path, GOOD), tmp_path / "records.jsonl"
    data = arena("--bots", f"random,{good}", "--games", "5", "--records", str(path), "--jobs", "2")
    assert [row["name"] for row in data["bots"]] == ["random", good]
    seats = [json.loads(line)["players"].index(good) for line in path.read_text().splitlines()]
    assert seats == [1, 0, 1, 0, 1]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_with_130_and_nothing_is_left_running(tmp_path: Path, jobs: str) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    waits = f"open({str(fifo)!r}, 'w').close(); sys.stdin.read()"
    bot = "cmd:" + command_line(tmp_path, LOOP + waits)
    words = ["match", "--games", "100", "--bots", f"random,{bot}", "--jobs", jobs]
    with running(*words) as process:
        fifo.open().close()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)  # ends when everybody has closed these pipes, bots too
    assert (process.returncode, out, err.strip()) == (130, b"", b"")


# Failures


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_program_that_fails_loses_by_forfeit_with_a_clear_line(tmp_path: Path, jobs: str) -> None:
    bad = "cmd:" + command_line(tmp_path, LOOP + "print('nonsense', flush=True)")
    done = call("match", "--edition", "classic", "--bots", f"random,{bad}", "--games", "3", "--json", "--jobs", jobs)
    assert done.status == 0
    message = f"{bad} lost 3 by forfeit; the first time it answered b'nonsense' instead of an object with a move.\n"
    assert done.err == message
    assert [row["won"] for row in done.lines[-1]["bots"]] == [3.0, 0.0]


def test_a_forfeit_goes_to_the_others_and_the_series_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
        raise BotFailure("fell asleep")

    monkeypatch.setitem(BOTS, "failing", failing)
    series = Series("modern", ["random", "failing", "random"], 5)
    assert len(list(series.play(6, jobs=1))) == series.games == 6
    assert [score.tally.wins for score in series.scores] == [3.0, 0.0, 3.0]
    assert (series.scores[1].effort.forfeits, series.scores[1].effort.failure) == (6, (0, "fell asleep"))


@pytest.mark.parametrize("answer", ["king 7", "nonsense", None])
def test_a_built_in_bot_that_breaks_is_not_passed_over(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    def broken(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> Any:
        return answer or 1 // 0

    monkeypatch.setitem(BOTS, "broken", broken)
    done = call("match", "--bots", "random,broken", "--games", "2", "--jobs", "1")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("suitors: The bot 'broken' broke down: ")
    assert ("ZeroDivisionError" in done.err) == (answer is None)


# Bad input


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--bots", "random,genius"], "genius"),
        (["--bots", ""], "bot"),
        (["--bots", "cmd:,random"], "cmd:"),
        (["--bots", "random"], "players"),
        (["--bots", "random,random,random,random,random", "--edition", "house"], "players"),
        (["--edition", "ancient"], "ancient"),
        (["--games", "0"], "games"),
        (["--games", "9223372036854775808"], "games"),
        (["--games", "many"], "games"),
        (["--seed", "x"], "seed"),
        (["--jobs", "0"], "jobs"),
        (["--jobs", "all"], "jobs"),
        (["--budget-ms", "0"], "budget"),
        (["--budget-ms", "-5"], "budget"),
        (["--budget-ms", "nan"], "budget"),
        (["--budget-ms", "inf"], "budget"),
        (["--option", "house_full_tie"], "KEY=VALUE"),
        (["--option", "house_full_tie=true"], "house_full_tie"),
        (["--option", "bishop_names_one=1"], "bishop_names_one"),
        (["--option", "x=y"], "x"),
        (["--lang", "de"], "lang"),
        (["--records", "/nowhere/at/all"], "/nowhere/at/all"),
    ],
)
def test_match_refuses_what_it_cannot_play(words: list[str], named: str) -> None:
    done = call("match", "--games", "1", *words)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("suitors: ")
    assert named in done.err
