"""The command line: what each command prints, and how it ends (docs/contract.md, Commands)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from suitors import Match, __version__
from suitors.cli.root import cli
from suitors.records.record import perft, replay, summary, trace
from support.bad_records import record, tied
from support.matches import EDITIONS, Outcome, call, chance_match
from support.scenes import scene

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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here to write to")
def test_a_full_disk_is_told_of_in_a_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*PROGRAM, "bots"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "suitors: No space left on device.\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_complete_commands(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = call("completion", shell)
    assert (done.status, "_SUITORS_COMPLETE" in done.out) == (0, True)
    monkeypatch.setenv("_SUITORS_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", "suitors edit")
    monkeypatch.setenv("COMP_CWORD", "1" if shell != "fish" else "edit")
    assert "edition" in call().out
