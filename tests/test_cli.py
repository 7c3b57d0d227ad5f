"""The command line: what each command prints, and how it ends (contracts.md, part 4)."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from faults import record, tied
from playing import EDITIONS, TABLES, Outcome, call, chance_match
from scenes import scene
from suitors import Match, __version__
from suitors.cli import cli, split_bots
from suitors.records import perft, replay, summary, trace

PROGRAM = [sys.executable, "-m", "suitors"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A file with a good record."""
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record(), indent=1))
    return str(path)


def refused(done: Outcome, *words: str) -> None:
    """Bad input: nothing on standard output, one sentence on standard error, status 2."""
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("suitors: ")
    assert done.err.count("\n") == 1
    assert all(word in done.err for word in words), done.err


# replay


def test_replay_prints_the_summary(file: str) -> None:
    wanted = Outcome(0, json.dumps(summary(replay(record()))) + "\n", "")
    assert call("replay", file) == wanted
    assert call("replay", "-", given=Path(file).read_bytes()) == wanted


def test_replay_with_a_trace_prints_every_decision_first(file: str) -> None:
    match, passed = trace(record())
    done = call("replay", file, "--trace")
    assert done.lines == [*passed, summary(match)]
    assert [list(row) for row in passed] == [["round", "ply", "seat", "legal", "move"]] * len(passed)


def test_replay_prints_the_view_of_a_seat_instead(file: str) -> None:
    match = replay(record())
    deciding = match.turn
    for seat in range(3):
        done = call("replay", file, "--view", str(seat))
        assert (done.status, len(done.lines)) == (0, 1)
        view = done.lines[0]
        assert view["seat"] == seat
        assert view["legal"] == (match.legal() if seat == deciding else [])
        assert len(view["hand"]) == view["held"][seat]


def test_a_spectator_sees_no_hand_and_no_legal_move(file: str) -> None:
    view = call("replay", file, "--view", "none").lines[0]
    assert (view["seat"], view["hand"], view["legal"]) == (None, [], [])


def test_records_that_a_seat_cannot_tell_apart_look_the_same_to_it() -> None:
    one, other = tied(1), tied(1)
    for data in (one, other):
        data["rounds"][0]["moves"] = data["rounds"][0]["moves"][:1]
    deck = other["rounds"][0]["deck"]
    deck[0], deck[-1], deck[-3], deck[-4] = deck[-1], deck[0], deck[-4], deck[-3]
    for seat in ("0", "1", "none"):
        outs = [call("replay", "-", "--view", seat, given=json.dumps(data).encode()).out for data in (one, other)]
        assert outs[0] == outs[1]
    other["rounds"][0]["moves"] = ["guard 1 5"]
    assert call("replay", "-", "--view", "none", given=json.dumps(other).encode()).out != outs[0]


@pytest.mark.parametrize("seat", ["x", "-1", "1.0", "", "None", "000", "٣", "999999999999"])
def test_a_view_needs_a_seat_or_none(file: str, seat: str) -> None:
    refused(call("replay", file, "--view", seat), "--view")


def test_a_view_needs_a_seat_at_the_table(file: str) -> None:
    refused(call("replay", file, "--view", "3"), "no seat 3")


# perft


def brute(match: Match, depth: int) -> int:
    """The number of sequences of moves, counted with whole matches."""
    if depth == 0 or match.turn is None:
        return 1
    total = 0
    for text in match.legal():
        twin = match.copy()
        twin.play(text)
        total += brute(twin, depth - 1)
    return total


@pytest.mark.parametrize("depth", range(4))
@pytest.mark.parametrize(
    ("slug", "players"), [("premium", 2), ("modern", 2), ("house", 4), ("demo", 3), ("classic", 2)]
)
def test_perft_counts_the_sequences_of_moves(slug: str, players: int, depth: int) -> None:
    match = chance_match(slug, players, 4, 3)
    done = call("perft", "-", str(depth), given=json.dumps(match.record()).encode())
    assert done == Outcome(0, f"{brute(match, depth)}\n", "")


def test_perft_counts_second_steps_and_early_ends_too() -> None:
    for match in (
        scene("premium", ["cardinal bishop", "king", "guard", None, None], deck=3),
        scene("modern", ["chancellor guard", "priest"], deck=3),
        scene("house", ["princess guard", "king"], deck=0),
    ):
        for depth in range(4):
            assert perft(match.table, match.rules, depth) == brute(match, depth)


@pytest.mark.parametrize("depth", ["0", "1", "2", "7"])
def test_perft_is_one_where_no_decision_is_due(depth: str) -> None:
    for data in (tied(1), tied(0), chance_match("modern", 2, 1).record()):
        assert call("perft", "-", depth, given=json.dumps(data).encode()).out == "1\n"


@pytest.mark.parametrize("depth", ["-1", "x", "1.5", ""])
def test_perft_needs_a_depth(depth: str) -> None:
    refused(call("perft", "-", depth))


def test_perft_refuses_a_bad_record_in_both_ways() -> None:
    done = call("perft", "-", "1", given=b"[]")
    assert done.status == 2
    assert done.lines[0]["error"]["code"] == "bad-format"
    assert done.err == "suitors: A record is a JSON object.\n"


# match


def arena(*words: str) -> Any:
    """The object that `suitors match --json` prints last."""
    done = call("match", "--json", *words)
    assert (done.status, done.err) == (0, "")
    return done.lines[-1]


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


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_the_same_seed_gives_the_same_matches_and_they_replay(tmp_path: Path, slug: str, players: int) -> None:
    texts, results = [], []
    for name in ("one", "two", "other"):
        seed, path = "2" if name == "other" else "1", tmp_path / name
        bots = ",".join(["random"] * players)
        data = arena("--edition", slug, "--bots", bots, "--games", "2", "--seed", seed, "--records", str(path))
        results.append([{**row, "seconds_per_decision": 0} for row in data["bots"]])
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
        (["--games", "many"], "games"),
        (["--seed", "x"], "seed"),
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
    refused(call("match", "--games", "1", *words), named)


def test_a_comma_inside_quotes_belongs_to_the_command() -> None:
    assert split_bots("random, cmd:bot 'a,b' \"c,d\" ,random") == ["random", "cmd:bot 'a,b' \"c,d\"", "random"]


def test_an_interrupt_ends_with_130(tmp_path: Path) -> None:
    words = ["match", "--games", "1000000", "--records", "-"]
    with subprocess.Popen([*PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b'{"format"')
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in err


# rules and the rest


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("slug", EDITIONS)
def test_rules_prints_every_edition_in_both_languages(slug: str, lang: str) -> None:
    done = call("rules", slug, "--lang", lang)
    assert (done.status, done.err) == (0, "")
    assert ("Rulings" in done.out, "Points tranchés" in done.out) == (lang == "en", lang == "fr")
    assert max(map(len, done.out.splitlines())) <= 100


def test_rules_without_an_edition_lists_them() -> None:
    for lang in ("en", "fr"):
        out = call("rules", "--lang", lang).out
        assert all(f"\n{slug} " in "\n" + out for slug in EDITIONS)


def test_the_demo_speaks_french_by_itself() -> None:
    assert call("rules", "demo").out == call("rules", "demo", "--lang", "fr").out
    assert call("rules", "classic").out == call("rules", "classic", "--lang", "en").out


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["ancient"], "ancient"),
        (["modern", "--theme", "space"], "space"),
        (["modern", "--theme", "mule"], "mule"),
        (["house", "--theme", "tempest"], "tempest"),
        (["house", "--lang", "de"], "de"),
        (["house", "classic"], "classic"),
    ],
)
def test_rules_refuses_what_there_is_not(words: list[str], named: str) -> None:
    refused(call("rules", *words), named)


@pytest.mark.parametrize("command", [[], *([name] for name in cli.commands)])
def test_every_command_has_help(command: list[str]) -> None:
    done = call(*command, "--help")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Usage: suitors")


def test_without_a_command_there_is_help() -> None:
    done = call()
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Usage: suitors")


def test_the_version() -> None:
    assert call("--version") == Outcome(0, f"suitors {__version__}\n", "")


@pytest.mark.parametrize("command", ["replay", "perft"])
def test_a_file_that_is_not_there(command: str) -> None:
    refused(call(command, "/nowhere/record.json", *(["1"] if command == "perft" else [])), "/nowhere/record.json")


@pytest.mark.parametrize("words", ["--nonsense", "nonsense", "replay", "replay - --nonsense", "perft -", "bot"])
def test_an_unknown_or_missing_word(words: str) -> None:
    refused(call(*words.split()))


def test_the_program_as_a_process_gives_the_same_statuses(file: str) -> None:
    for words, status in ((["replay", file], 0), (["replay", "-"], 2), (["rules", "nowhere"], 2)):
        done = subprocess.run([*PROGRAM, *words], input=b"{", capture_output=True, check=False)
        assert done.returncode == status
