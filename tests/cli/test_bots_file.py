"""`bots.toml`: programs under short names, in every command that lets bots play."""

import json
import sys
from pathlib import Path

import pytest

from suitors.bots import BOTS, Program, read_programs
from support.bot_programs import GOOD, talking
from support.matches import Outcome, call

LONG = "a-name-of-22-letters-x"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bots.toml, which is not the one where the program runs."""
    (tmp_path / "old.py").write_text(GOOD)
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "new.py").write_text(
        talking(
            "assert sys.argv[1] == 'a,b'\nHELLO['options'] = {'depth': {'type': 'integer', 'default': 1, 'max': 4}}"
        )
    )
    python = json.dumps(sys.executable)
    (tmp_path / "bots.toml").write_text(
        f'[old]\ncommand = [{python}, "old.py"]\n\n'
        f'[{LONG}]\ncommand = [{python}, "new.py", "a,b"]\nprotocol = 2\ndirectory = "programs"\n'
        "options = { depth = 3 }\n"
    )
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path


def refused(done: Outcome, *words: str) -> None:
    """Bad input: nothing on standard output, one sentence on standard error, status 2."""
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("suitors: ")
    assert done.err.count("\n") == 1
    assert all(word in done.err for word in words), done.err


def test_a_file_gives_programs_names(folder: Path) -> None:
    assert read_programs(folder / "bots.toml", BOTS) == {
        "old": Program((sys.executable, "old.py"), 1, {}, folder),
        LONG: Program((sys.executable, "new.py", "a,b"), 2, {"depth": 3}, folder / "programs"),
    }


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_named_programs_play_and_are_shown_whole(folder: Path, jobs: str, tmp_path: Path) -> None:
    words = ("match", "--bots", f"old,{LONG}", "--bots-file", str(folder / "bots.toml"), "--games", "3", "--jobs", jobs)
    done = call(*words, "--records", str(tmp_path / "records"))
    assert (done.status, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()] == ["bot", "old", LONG]
    assert set(json.loads((tmp_path / "records").read_text().splitlines()[0])["players"]) == {"old", LONG}


def test_the_file_of_the_folder_is_found_where_a_name_asks_for_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("match", "--bots", "old,random", "--games", "1").status == 2
    monkeypatch.chdir(folder)
    assert call("match", "--bots", "old,random", "--games", "1").status == 0
    (folder / "bots.toml").write_text("nonsense")
    assert call("match", "--bots", "random,random", "--games", "1").status == 0
    refused(call("match", "--bots", "old,random", "--games", "1"), "bots.toml is not TOML")


def test_a_tournament_of_named_programs_shows_them_whole_and_notes_their_commands(folder: Path) -> None:
    words = ("tournament", "--bots", f"old,random,{LONG}", "--bots-file", str(folder / "bots.toml"), "--games", "2")
    done = call(*words, "--jobs", "1")
    assert (done.status, done.err) == (0, "")
    assert done.out.count(LONG) == 2
    results = call(*words, "--jobs", "1", "--json").lines[-1]
    assert results["programs"][LONG] == {
        "command": [sys.executable, "new.py", "a,b"],
        "protocol": 2,
        "options": {"depth": 3},
    }


def test_a_tournament_with_another_command_is_not_taken_up(folder: Path, tmp_path: Path) -> None:
    words = ("tournament", "--bots", "old,random", "--bots-file", str(folder / "bots.toml"), "--games", "2")
    output = ("--output", str(tmp_path / "results"))
    assert call(*words, *output).status == 0
    assert call(*words, *output, "--resume").status == 0
    text = (folder / "bots.toml").read_text()
    (folder / "bots.toml").write_text(text.replace('"old.py"', '"old.py", "-v"'))
    refused(call(*words, *output, "--resume"), "other settings (programs)")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[a]\n", ["a.command", "list of texts"]),
        ("a = 1\n", ["a.command", "list of texts"]),
        ('[a]\ncommand = "python3 a.py"\n', ["a.command", "list of texts"]),
        ("[a]\ncommand = []\n", ["a.command", "list of texts"]),
        ("[a]\ncommand = ['x', 1]\n", ["a.command", "list of texts"]),
        ("[a]\ncommand = ['x']\nprotocol = 3\n", ["a.protocol is 1 or 2, not 3"]),
        ("[a]\ncommand = ['x']\nprotocol = true\n", ["a.protocol is 1 or 2, not True"]),
        ("[a]\ncommand = ['x']\nprotokol = 2\n", ["a.protokol is unknown", "protocol"]),
        ("[a]\ncommand = ['x']\ndirectory = 'none'\n", ["a.directory is 'none', which is no folder"]),
        ("[a]\ncommand = ['x']\ndirectory = 1\n", ["a.directory is a text"]),
        ("[a]\ncommand = ['x']\noptions = 1\n", ["a.options is a table"]),
        ("[a]\ncommand = ['x']\nprotocol = 2\n[a.options]\nk = []\n", ["a.options is a table"]),
        ("[a]\ncommand = ['x']\n[a.options]\nk = 1\n", ["a.options needs protocol = 2"]),
        ("[expert]\ncommand = ['x']\n", ["'expert'", "built-in"]),
        ("['a,b']\ncommand = ['x']\n", ["'a,b'", "22 letters"]),
        ("[a-name-of-23-letters-xy]\ncommand = ['x']\n", ["22 letters"]),
        ("[a\n", ["is not TOML"]),
    ],
)
@pytest.mark.parametrize("command", ["match", "tournament", "join"])
def test_a_bad_file_is_refused_with_its_name_and_the_key(
    tmp_path: Path, command: str, text: str, words: list[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    named = ("http://127.0.0.1:9/tables/a", "--bot", "a") if command == "join" else ("--bots", "a,random")
    refused(call(command, *named, "--bots-file", str(path)), str(path), *words)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    refused(call("match", "--bots-file", str(tmp_path / "none.toml")), "none.toml cannot be read")
    (tmp_path / "latin.toml").write_bytes(b"[\xe9]")
    refused(call("match", "--bots-file", str(tmp_path / "latin.toml")), "latin.toml cannot be read: it is not UTF-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("depht = 3", [f"{LONG}.options.depht", "has no option 'depht'; it has depth"]),
        ("depth = 5", [f"{LONG}.options.depth", "takes an integer to 4 as its option depth, not 5"]),
    ],
)
def test_an_option_that_the_program_does_not_take_is_refused(folder: Path, options: str, words: list[str]) -> None:
    path = folder / "bots.toml"
    path.write_text(path.read_text().replace("depth = 3", options))
    refused(call("match", "--bots", f"{LONG},random", "--bots-file", str(path)), "bots.toml is wrong", *words)
    assert call("match", "--bots", "old,random", "--bots-file", str(path), "--games", "1").status == 0


def test_a_name_that_no_file_has_is_refused(folder: Path) -> None:
    done = call("match", "--bots", "older,random", "--bots-file", str(folder / "bots.toml"))
    refused(done, "There is no bot 'older'", "expert and cmd:PROGRAM, cmd2:PROGRAM and the names in a bots.toml")


def test_a_long_command_is_shown_whole(folder: Path) -> None:
    name = f"cmd:{sys.executable} {folder / 'old.py'}"
    assert name in call("match", "--bots", f"random,{name}", "--games", "1").out
