"""Leaderboards: the file, what is taken over from a tournament, and the page."""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import markdown  # type: ignore[import-untyped]
import pytest

from suitors.arena.journal import LOG
from suitors.arena.leaderboard import read_leaderboard
from suitors.arena.runner import MatchRunner
from support.matches import Outcome, call
from support.quick_matches import quick
from support.repository import load_script, read_page

OPPONENTS = ["random", "novice"]
EMPTY = {
    "format": "suitors-leaderboard/1",
    "boards": [
        {"edition": "modern", "players": 2, "opponents": OPPONENTS, "games": 8, "budget_ms": None},
        {"edition": "classic", "players": 3, "opponents": ["novice"], "games": 4, "budget_ms": 5},
    ],
    "entries": [
        {"bot": "novice", "kind": "built-in", "about": "Plays | quickly."},
        {"bot": "mine", "kind": "program", "about": "Mine.", "home": "https://example.org/", "release": "1.2"},
    ],
    "results": [],
}


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MatchRunner, "play", quick)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "board.json").write_text(json.dumps(EMPTY))
    (tmp_path / "bots.toml").write_text('[mine]\ncommand = ["/nowhere/at/all"]\n')
    return tmp_path / "board.json"


def play(file: Path, *more: str, name: str = "played") -> Path:
    """A tournament of all opponents and the program."""
    folder = file.parent / name
    words = ("--bots", "random,mine,novice", "--bots-file", str(file.parent / "bots.toml"), "--games", "10")
    done = call("tournament", *words, "--seed", "3", "--jobs", "1", "--output", str(folder), *more)
    assert done.status == 0
    return folder


def add(file: Path, folder: Path) -> Outcome:
    return call("leaderboard", "add", str(file), str(folder))


def test_the_results_of_entries_are_taken_over_from_both_sides(file: Path) -> None:
    folder = play(file)
    done = add(file, folder)
    assert (done.status, done.out, done.err) == (0, "3 results added or changed.\n", "")
    results = {(row["bot"], row["opponent"]): row for row in json.loads(file.read_text())["results"]}
    assert results.keys() == {("mine", "random"), ("mine", "novice"), ("novice", "random")}
    pairs = json.loads((folder / "results.json").read_text())["tables"][0]["pairs"]
    by_name = {tuple(pair["bots"]): pair for pair in pairs}
    assert results["mine", "novice"]["won"] == by_name["mine", "novice"]["won"]
    turned, pair = results["mine", "random"], by_name["random", "mine"]
    assert turned["won"] + pair["won"] == turned["games"] == 10
    assert turned["low"] == pytest.approx(1 - pair["high"])
    assert turned["high"] == pytest.approx(1 - pair["low"])
    assert {(row["seed"], row["version"]) for row in results.values()} == {(3, "0.1.0")}
    assert call("leaderboard", "check", str(file)).out == "2 boards, 2 entries, 3 results: all good.\n"


def test_newer_results_take_the_places_of_older_ones(file: Path) -> None:
    assert add(file, play(file)).status == 0
    before = file.read_text()
    assert add(file, file.parent / "played").out == "0 results added or changed.\n"
    assert file.read_text() == before
    assert add(file, play(file, "--seed", "4", name="again")).out == "3 results added or changed.\n"
    assert len(json.loads(file.read_text())["results"]) == 3


def test_the_score_is_the_mean_over_the_opponents_and_better_bots_come_first(file: Path) -> None:
    add(file, play(file))
    found = read_leaderboard(file)
    places = found.places(found.boards[0])
    assert [place.score for place in places] == sorted((place.score for place in places), reverse=True)
    mine = next(place for place in places if place.bot == "mine")
    assert mine.score == pytest.approx(sum(result.rate for result in mine.results.values()) / 2)
    assert mine.low < mine.score < mine.high
    narrowest = min(result.high - result.low for result in mine.results.values())
    assert mine.high - mine.low < max(result.high - result.low for result in mine.results.values())
    assert mine.high - mine.low > narrowest / 2
    assert found.places(found.boards[1]) == []


def test_the_tables_show_what_was_measured(file: Path) -> None:
    add(file, play(file))
    lines = call("leaderboard", "show", str(file)).out.splitlines()
    assert "| [mine](https://example.org/) | program, 1.2 | Mine. |" in lines
    assert "| `novice` | built-in | Plays \\| quickly. |" in lines
    assert "At least 8 matches against each opponent, without a budget of time." in lines
    assert "At least 4 matches against each opponent, at most 5 ms a decision." in lines
    rows = [line.split(" | ") for line in lines if line.startswith(("| 1 |", "| 2 |"))]
    assert [row[-3:] for row in rows if row[1] == "`mine`"] == [["20", "3", "0.1.0 |"]]
    assert [row[5] for row in rows if row[1] == "`novice`"] == ["–"]


# What is refused


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--games", "6"], "has 6 matches for each pair, modern, 2 players asks for 8."),
        (["--budget-ms", "9"], "was not played on the terms of modern, 2 players: no --budget-ms."),
        (["--players", "4"], "holds no match between an entry and an opponent at one of the boards."),
        (["--option", "house_full_tie=none"], "settings that no board has (options)."),
        (["--editions", "classic", "--players", "3"], "of classic, 3 players: --budget-ms 5."),
        (["--bots", "random,mine,novice,mine"], "holds a tournament with the same bot twice."),
        (["--bots", "random,mine"], "is wrong: 'mine' has not met 'novice' at modern, 2 players."),
    ],
)
def test_a_tournament_on_other_terms_is_refused(file: Path, words: list[str], sentence: str) -> None:
    folder, before = play(file, *words), file.read_text()
    done = add(file, folder)
    assert (done.status, done.out, file.read_text()) == (2, "", before)
    assert sentence in done.err


def test_a_tournament_that_is_not_finished_or_damaged_is_refused(file: Path) -> None:
    folder = play(file)
    results = folder / "results.json"
    text = results.read_text()
    for broken, sentence in [
        ("{", "holds damaged results."),
        ("[" * 100_000, "holds damaged results."),
        ("\udcff", "holds damaged results."),
        (text.replace('"pairs"', '"peers"'), "holds damaged results."),
        (text.replace('"games": 10,\n "seed"', '"games": 8,\n "seed"'), "holds a tournament that is not finished."),
    ]:
        results.write_text(broken, errors="surrogateescape")
        done = add(file, folder)
        assert (done.status, done.err) == (2, f"suitors: {folder} {sentence}\n")
    results.unlink()
    assert "holds no finished tournament: No such file" in add(file, folder).err


def test_results_that_are_not_those_of_the_log_are_refused(file: Path) -> None:
    folder, before = play(file), file.read_text()
    text = (folder / "results.json").read_text()
    data = json.loads(text)
    data["tables"][0]["pairs"][0]["won"] += 0.5
    (folder / "results.json").write_text(json.dumps(data))
    assert add(file, folder).err == f"suitors: {folder} holds results that are not those of its log.\n"
    (folder / "results.json").write_text(text)
    log = folder / LOG
    lines = log.read_bytes().splitlines(keepends=True)
    for kept, sentence in [
        (lines[:-1], f"{folder} holds a tournament that is not finished."),
        ([*lines[:-1], lines[-1][:-1]], f"{folder} holds a tournament that is not finished."),
        ([*lines, b"{}\n"], f"Line {len(lines) + 1} of {log} is damaged."),
    ]:
        log.write_bytes(b"".join(kept))
        done = add(file, folder)
        assert (done.status, done.out, done.err, file.read_text()) == (2, "", f"suitors: {sentence}\n", before)


def changed(*place: str | int, value: Any) -> Callable[[Any], Any]:
    """A change of the data at a place."""

    def change(data: Any) -> None:
        for key in place[:-1]:
            data = data[key]
        if value is KeyError:
            del data[place[-1]]
        else:
            data[place[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (changed("format", value="x"), 'is no leaderboard: it does not say "format": "suitors-leaderboard/1".'),
        (changed("more", value=1), "has to hold format, boards, entries and results, and nothing else."),
        (changed("boards", value={}), "boards is a list of objects."),
        (changed("boards", 0, "edition", value="solitaire"), "boards[0].edition is the slug of an edition for several"),
        (changed("boards", 0, "players", value=7), "modern is not for 7 players."),
        (changed("boards", 1, value=EMPTY["boards"][0]), "a bot or a board is there twice."),
        (changed("boards", 0, "games", value=7), "boards[0].games is an even number of matches, not 7."),
        (changed("boards", 0, "budget_ms", value=True), "boards[0].budget_ms is null, or milliseconds a decision"),
        (changed("boards", 0, "opponents", value=["a", "a"]), "boards[0].opponents is a list of names of bots"),
        (changed("entries", 0, "kind", value="program"), "'novice' is a built-in bot."),
        (changed("entries", 1, "kind", value="built-in"), "'mine' is no built-in bot."),
        (changed("entries", 0, "about", value="two\nlines"), "entries[0].about is a text of up to 200 letters in one"),
        (changed("entries", 1, "home", value="javascript:x"), "entries[1].home is the address of a page"),
        (changed("entries", 1, "colour", value="red"), 'entries[1] has an unknown key "colour".'),
        (changed("entries", 1, "\ud800", value="red"), 'entries[1] has an unknown key "\\ud800".'),
        (changed("entries", 1, "home", value="https://x/)<b>"), "entries[1].home is the address of a page"),
        (changed("boards", 0, "edition", value=[]), "boards[0].edition is the slug of an edition for several, not []."),
        (changed("results", 0, "edition", value={}), "results[0].edition is the slug of an edition for several"),
        (changed("results", 0, "games", value=10**400), "results[0].games is an even number of matches, not 1000"),
        (changed("entries", 0, value={"bot": "mine", "kind": "program", "about": "x"}), "is there twice."),
        (changed("results", 0, "seed", value=KeyError), "results[0] lacks 'seed'."),
        (changed("results", 0, "low", value=2), "results[0].low is a number from 0 to 1, not 2."),
        (changed("results", 0, "low", value=1), "is not between low and high."),
        (changed("results", 0, "won", value=-1), "results[0].won is a number of matches, not -1."),
        (changed("results", 0, "players", value=4), "results[0] is of no board."),
        (changed("results", 0, "bot", value="other"), "results[0] is of 'other', which is not among the entries."),
        (
            changed("results", 0, "opponent", value="search"),
            "'search', who is not an opponent of it at modern, 2 players.",
        ),
        (changed("results", 0, "games", value=4), "results[0] has 4 matches, modern, 2 players asks for 8."),
        (changed("results", 0, value=KeyError), "'mine' has not met 'novice' at modern, 2 players."),
    ],
)
def test_a_bad_leaderboard_is_refused_in_a_sentence(file: Path, change: Callable[[Any], Any], sentence: str) -> None:
    add(file, play(file))
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))
    done = call("leaderboard", "check", str(file))
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"suitors: {file} ")
    assert sentence in done.err


@pytest.mark.parametrize("text", ["", "[]", "null", "\x00", "[" * 100_000])
def test_what_is_no_leaderboard_is_refused(file: Path, text: str) -> None:
    file.write_text(text)
    for words in (["check"], ["show"], ["add"]):
        done = call("leaderboard", *words, str(file), *([str(file.parent)] if words == ["add"] else []))
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "No such file" in call("leaderboard", "check", str(file) + "x").err


def test_a_result_that_is_there_twice_is_refused(file: Path) -> None:
    add(file, play(file))
    data = json.loads(file.read_text())
    data["results"].append(data["results"][0])
    file.write_text(json.dumps(data))
    assert "a result is there twice." in call("leaderboard", "check", str(file)).err


def test_both_sides_of_a_pair_add_up(file: Path) -> None:
    data = json.loads(json.dumps(EMPTY))
    data["boards"][0]["opponents"] = ["novice", "mine"]
    file.write_text(json.dumps(data))
    assert add(file, play(file)).status == 0
    data = json.loads(file.read_text())
    mine, novice = data["results"]
    for change in ({"games": 20, "low": 0, "high": 1}, {"won": novice["won"] + 0.5, "low": 0, "high": 1}):
        data["results"] = [mine, {**novice, **change}]
        file.write_text(json.dumps(data))
        done = call("leaderboard", "check", str(file))
        assert (done.status, done.out) == (2, "")
        assert f"'mine' has won {mine['won']:g} of 10 matches against 'novice', who has won " in done.err


def test_what_an_entry_says_of_itself_is_shown_as_it_is(file: Path) -> None:
    texts = ["<script>x</script>", "[a](javascript:b) **c** `d` _e_ \\| &amp; ![f](g)"]
    data = json.loads(json.dumps(EMPTY))
    data["entries"][1] |= {"bot": "_m_ x", "about": texts[0], "author": texts[1]}
    figures = {"games": 8, "won": 4, "low": 0, "high": 1, "seed": 1, "version": "<i>|"}
    data["results"] = [
        {"edition": "modern", "players": 2, "bot": "_m_ x", "opponent": name, **figures} for name in OPPONENTS
    ]
    file.write_text(json.dumps(data))
    done = call("leaderboard", "show", str(file))
    assert (done.status, done.err) == (0, "")
    shown = markdown.markdown(done.out, extensions=["tables"])
    for text in (*texts, "<i>|"):
        assert html.escape(text, quote=False) in shown
    assert not re.search(r"<(script|i|em|strong|img)\b", shown)
    assert re.findall("<a href=.*?>.*?</a>", shown) == ['<a href="https://example.org/">_m_ x</a>']


# The page of the house


def test_the_page_is_what_the_tool_makes() -> None:
    tool = load_script("tools/leaderboard_page.py")
    assert tool.page() == read_page("leaderboard.md"), "run `python tools/leaderboard_page.py`"


def test_the_house_bots_are_on_every_board_of_the_house() -> None:
    found = read_leaderboard(load_script("tools/leaderboard_page.py").FILE)
    for board in found.boards:
        assert {place.bot for place in found.places(board)} == set(board.opponents)
