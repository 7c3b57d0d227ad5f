"""`suitors tournament`: results, processes, forfeits and bad input."""

import json
import random
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from suitors import SoloView, View
from suitors.arena import Plan, Tournament
from suitors.bots import BOTS
from support.bot_programs import GOOD, LOOP, command_line
from support.matches import call

TWO = ("--bots", "random,random", "--games", "4")


def untimed(data: Any) -> Any:
    """The results without what depends on the machine's speed."""
    for table in (*data["tables"], data["overall"]):
        for row in table["ratings"]:
            row["ms_per_decision"] = 0
    return data


def held(*words: str) -> Any:
    """The object that `suitors tournament --json` prints last."""
    done = call("tournament", "--json", *words)
    assert (done.status, done.err) == (0, "")
    return untimed(done.lines[-1])


def weak(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """A bot that throws the Princess away whenever it can, and plays the Guard last."""
    return max(view.legal)


# Results


def test_the_results_add_up() -> None:
    words = ("--bots", "random,random,random", "--editions", "modern,classic", "--players", "2,3", "--games", "6")
    data = held(*words, "--seed", "5")
    assert list(data) == ["format", "bots", "tables", "games", "seed", "budget_ms", "overall"]
    assert [(table["edition"], table["players"]) for table in data["tables"]] == [
        ("modern", 2),
        ("modern", 3),
        ("classic", 2),
        ("classic", 3),
    ]
    overall = data["overall"]
    assert overall["games"] == sum(table["games"] for table in data["tables"]) == 4 * 3 * 6
    for table in (*data["tables"], overall):
        assert len(table["pairs"]) == len(table["ratings"]) == 3
        assert sum(row["won"] for row in table["ratings"]) == pytest.approx(table["games"], abs=1e-4)
        assert sum(row["elo"] for row in table["ratings"]) == pytest.approx(0, abs=0.05)
        for row in table["pairs"]:
            assert 0 <= row["low"] <= row["rate"] <= row["high"] <= 1
        for row in table["ratings"]:
            assert row["low"] < row["elo"] < row["high"]
            assert 0 <= row["rate_low"] <= row["rate"] <= row["rate_high"] <= 1
            assert (row["forfeits"], row["failure"]) == (0, None)
    for bot in range(3):
        for key in ("games", "won", "decisions"):
            parts = [table["ratings"][bot][key] for table in data["tables"]]
            assert overall["ratings"][bot][key] == pytest.approx(sum(parts), abs=1e-4)


def test_a_better_bot_is_found_at_every_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "weak", weak)
    words = ("--bots", "weak,random", "--editions", "classic", "--players", "2,3,4", "--games", "40", "--jobs", "1")
    data = held(*words)
    for table in (*data["tables"], data["overall"]):
        assert table["pairs"][0]["bots"] == ["weak", "random"]
        assert table["pairs"][0]["high"] < 0.5
        assert table["ratings"][0]["elo"] < 0 < table["ratings"][1]["elo"]


def test_the_same_bot_twice_shares_everything_evenly_where_there_is_no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "weak", weak)
    data = held("--bots", "weak,weak", "--editions", "modern", "--players", "2,3", "--games", "20", "--jobs", "1")
    assert [table["pairs"][0]["rate"] for table in data["tables"]] == [0.5, 0.5]


def test_the_number_of_processes_changes_nothing() -> None:
    words = ("--bots", "random,random,random", "--players", "2,3", "--games", "6", "--seed", "8")
    assert held(*words, "--jobs", "1") == held(*words, "--jobs", "2")
    assert held(*words, "--jobs", "1") != held(*words[:-1], "9", "--jobs", "1")


def test_people_get_tables_in_their_language(tmp_path: Path) -> None:
    done = call("tournament", *TWO, "--editions", "modern,house", "--lang", "fr", "--output", str(tmp_path))
    assert (done.status, done.err) == (0, "")
    headings = [line for line in done.out.splitlines() if line and not line.startswith(" ")]
    assert headings == ["modern, 2 joueurs", "house, 2 joueurs", "Toutes les tables"]
    assert done.out.count("robot") == 3
    assert "Classement Elo" in (tmp_path / "ratings.svg").read_text("utf-8")
    assert "All tables" not in call("tournament", *TWO).out


def test_the_printed_square_holds_each_rate_where_it_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "weak", weak)
    words = ("--bots", "weak,random,random", "--games", "20", "--jobs", "1")
    data = held(*words)
    lines = call("tournament", *words).out.splitlines()
    square = {line.split()[0]: line.split()[1:] for line in lines[7:10]}
    ranks = sorted(range(3), key=lambda bot: -data["overall"]["ratings"][bot]["elo"])
    for (a, b), row in zip(combinations(range(3), 2), data["overall"]["pairs"], strict=True):
        x, y = ranks.index(a), ranks.index(b)
        assert square[str(x + 1)][1 + y] == f"{row['rate']:.1%}"
        assert square[str(y + 1)][1 + x] == f"{1 - row['rate']:.1%}"


def test_the_folder_holds_log_results_and_picture(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    data = held(*TWO, "--output", str(folder))
    assert sorted(path.name for path in folder.iterdir()) == ["groups.jsonl", "ratings.svg", "results.json"]
    assert untimed(json.loads((folder / "results.json").read_text())) == data
    ElementTree.parse(folder / "ratings.svg")
    head, *groups = map(json.loads, (folder / "groups.jsonl").read_text().splitlines())
    assert head["bots"] == ["random", "random"]
    assert [row["group"] for row in groups] == [0, 1]
    assert sum(row["won"] for row in groups) == data["overall"]["pairs"][0]["won"]


def test_an_odd_number_of_matches_is_made_even_and_said_so() -> None:
    done = call("tournament", "--bots", "random,random", "--games", "3", "--json")
    assert done.err == "Every deal is played from both sides: 4 matches.\n"
    assert done.lines[-1]["overall"]["games"] == done.lines[-1]["games"] == 4


def test_tables_that_there_are_not_are_left_out_and_said_so() -> None:
    done = call("tournament", *TWO, "--editions", "classic,solitaire", "--players", "2,5,1", "--json")
    assert done.status == 0
    assert [(row["edition"], row["players"]) for row in done.lines[-1]["tables"]] == [("classic", 2)]
    left = ["classic with 5", "classic with 1", "solitaire with 2", "solitaire with 5", "solitaire with 1"]
    message = [f"Left out: {what} players, where no two bots can meet." for what in left]
    assert done.err.splitlines() == message


# Failures


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_programs_that_fail_lose_by_forfeit_and_the_tournament_goes_on(tmp_path: Path, jobs: str) -> None:
    good, crash, flood, nonsense = (
        "cmd:" + command_line(tmp_path, source)
        for source in (GOOD, "raise SystemExit(3)", LOOP + "print('x' * 70000, flush=True)", LOOP + "print(flush=True)")
    )
    bots = [good, crash, flood, nonsense, "cmd:/nowhere/at/all"]
    words = ("--bots", ",".join(bots), "--editions", "classic", "--players", "3", "--games", "2", "--json")
    done = call("tournament", *words, "--jobs", jobs)
    assert done.status == 0
    rows = done.lines[-1]["overall"]["ratings"]
    assert rows[0]["forfeits"] == 0
    assert rows[0]["won"] == rows[0]["games"] == 8
    assert all(row["forfeits"] >= 2 for row in rows[1:])
    assert sum(row["forfeits"] for row in rows) == 20
    for bot, message in zip(
        bots[1:], ("exit status 3", "65536 bytes", "answered b''", "could not be started"), strict=True
    ):
        assert any(line.startswith(bot) and message in line for line in done.err.splitlines())
    assert rows[0]["elo"] > max(row["elo"] for row in rows[1:])


def test_a_side_that_fails_in_one_of_its_seats_wins_with_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = "cmd:/nowhere/at/all"
    tournament = Tournament(Plan(("random", bad), (("modern", 5),), 6, 0))
    rows = list(tournament.play(jobs=1))
    assert [row.won for row in rows] == [2 * 840] * 3


def test_a_built_in_bot_that_breaks_ends_it_with_a_clear_message(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
        return view.legal[99]

    monkeypatch.setitem(BOTS, "broken", broken)
    done = call("tournament", "--bots", "random,random,broken", "--games", "2", "--output", str(tmp_path))
    assert (done.status, done.out) == (1, "")
    assert "The bot 'broken' broke down: IndexError" in done.err
    assert len((tmp_path / "groups.jsonl").read_text().splitlines()) == 2


# Bad input


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--bots", "random"], "two bots"),
        (["--bots", "random,genius"], "genius"),
        (["--bots", ""], "bot"),
        (["--editions", "ancient"], "ancient"),
        (["--editions", ""], "edition"),
        (["--players", "x"], "--players"),
        (["--players", "2,,3"], "--players"),
        (["--players", "-2"], "--players"),
        (["--players", "٣"], "--players"),
        (["--players", "9999999999"], "--players"),
        (["--games", "0"], "games"),
        (["--games", "9223372036854775808"], "games"),
        (["--seed", "x"], "seed"),
        (["--jobs", "0"], "jobs"),
        (["--budget-ms", "nan"], "budget"),
        (["--lang", "de"], "lang"),
        (["--resume"], "--output"),
        (["--output", "/dev/null"], "/dev/null"),
        (["--output", "/dev/null/folder"], "/dev/null/folder"),
        (["--output", "/proc/nowhere"], "/proc/nowhere"),
    ],
)
def test_a_tournament_refuses_what_it_cannot_play(words: list[str], named: str) -> None:
    done = call("tournament", *TWO, *words)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("suitors: ")
    assert named in done.err


def test_a_tournament_without_a_table_is_refused() -> None:
    done = call("tournament", *TWO, "--editions", "house", "--players", "7")
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines()[-1] == "suitors: There is no table left to play at."


def test_a_switch_reaches_every_match(tmp_path: Path) -> None:
    words = ("--bots", "random,novice", "--games", "20", "--editions", "house", "--jobs", "1")
    assert held(*words) != held(*words, "--option", "house_full_tie=none")
    assert held(*words) == held(*words, "--option", "house_full_tie=all")
    bad = call("tournament", *words, "--option", "house_full_tie=some")
    assert (bad.status, "may be 'all' or 'none'" in bad.err) == (2, True)


# Editions of one's own

SMALL = """base = "house"
name = "Small"
cards = { handmaid = 6, priest = 2 }
goals = { 2 = 1 }
aside = { 2 = 1 }

[options]
house_full_tie = "none"
"""


@pytest.fixture
def small(tmp_path: Path) -> str:
    """The file of an edition of one's own."""
    (tmp_path / "small.toml").write_text(SMALL)
    return str(tmp_path / "small.toml")


def test_edition_files_are_played_beside_published_editions(small: str, tmp_path: Path) -> None:
    words = (
        "--bots",
        "random,random",
        "--games",
        "4",
        "--editions",
        f"{small},classic",
        "--output",
        str(tmp_path / "x"),
    )
    data = held(*words)
    edition, published = (table["edition"] for table in data["tables"])
    assert (edition["base"], edition["name"], published) == ("house", "Small", "classic")
    assert data["edition_options"] == [{"house_full_tie": "none"}, {}]
    assert "Small, 2 players" in (tmp_path / "x" / "ratings.svg").read_text("utf-8")
    done = call("tournament", *words[:-1], str(tmp_path / "y"))
    assert [line for line in done.out.splitlines() if line.endswith("players")] == [
        "Small, 2 players",
        "classic, 2 players",
    ]
    assert held(*words, "--resume") == data


def test_the_switches_of_the_command_go_before_those_of_a_file(small: str, tmp_path: Path) -> None:
    words = ("--bots", "random,novice", "--games", "60", "--editions", small, "--jobs", "1")
    (tmp_path / "plain.toml").write_text(SMALL.partition("[options]")[0])
    plain = held(*words[:5], str(tmp_path / "plain.toml"), *words[6:])
    assert held(*words, "--option", "house_full_tie=all")["overall"] == plain["overall"]
    assert held(*words)["overall"] != plain["overall"]


def test_numbers_of_players_for_whom_the_deck_is_too_small_are_left_out(small: str) -> None:
    Path(small).write_text(SMALL.replace("aside = { 2 = 1 }", "aside = { 2 = 1, 3 = 9 }"))
    done = call("tournament", *TWO, "--editions", small, "--players", "2,3", "--json")
    assert done.status == 0
    assert [row["players"] for row in done.lines[-1]["tables"]] == [2]
    assert done.err == "Left out: Small with 3 players, where no two bots can meet.\n"


def test_a_bad_edition_file_is_refused(small: str) -> None:
    Path(small).write_text("base = 'modem'")
    done = call("tournament", *TWO, "--editions", f"classic,{small}")
    assert (done.status, done.out, "small.toml, line 1" in done.err) == (2, "", True)
