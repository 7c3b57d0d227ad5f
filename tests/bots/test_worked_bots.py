"""The worked bots of docs/bots: each plays whole matches of several editions without a mistake, and beats chance."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from suitors.bots import BOTS, read_programs
from support.matches import call
from support.repository import ROOT

FOLDER = ROOT / "docs" / "bots"
NODE = shutil.which("node") or str(compute_driver_executable()[0])
COMPILER = shutil.which("rustc")
"""Rust's compiler is not needed for anything else; where there is one that works, its bot plays as well."""

if COMPILER and subprocess.run([COMPILER, "--version"], capture_output=True, check=False).returncode:
    COMPILER = None

LANGUAGES = ["python", "javascript", *(["rust"] if COMPILER else [])]


@pytest.fixture(scope="module")
def bots_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bots.toml with the worked bots, as they are called on this machine."""
    folder = tmp_path_factory.mktemp("bots")
    commands = {
        "python": [sys.executable, str(FOLDER / "bot.py")],
        "javascript": [NODE, str(FOLDER / "bot.js")],
        "rust": ["./bot"],
    }
    if COMPILER:
        subprocess.run([COMPILER, "-o", "bot", str(FOLDER / "bot.rs")], cwd=folder, check=True)
    text = "".join(f"[{name}]\ncommand = {json.dumps(commands[name])}\nprotocol = 2\n" for name in LANGUAGES)
    (folder / "bots.toml").write_text(text + "[python.options]\nseed = 5\n")
    return folder / "bots.toml"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("edition", "players", "games"), [("classic", 2, 20), ("modern", 3, 3), ("premium", 5, 5), ("solitaire", 1, 3)]
)
def test_a_worked_bot_plays_without_a_mistake(
    bots_file: Path, language: str, edition: str, players: int, games: int
) -> None:
    bots = ",".join([*["random"] * (players - 1), language])
    words = ("--edition", edition, "--bots", bots, "--games", str(games), "--bots-file", str(bots_file), "--jobs", "1")
    done = call("match", *words, "--json")
    assert (done.status, done.err) == (0, "")
    row = done.lines[-1]["bots"][-1]
    assert row["name"] == language
    assert row["won"] > games / 2 or games < 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_seed_gives_the_same_matches(bots_file: Path, language: str, tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        words = ("--bots", f"{language},random", "--games", "2", "--bots-file", str(bots_file), "--jobs", "1")
        assert call("match", *words, "--records", str(tmp_path / name)).status == 0
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1]


def test_the_file_beside_them_names_all() -> None:
    programs = read_programs(FOLDER / "bots.toml", BOTS)
    assert list(programs) == ["python", "javascript", "rust"]
    assert all(program.protocol == 2 and program.directory == FOLDER for program in programs.values())
    sources = {program.command[-1] for program in programs.values()}
    assert sources == {"bot.py", "bot.js", "./bot"}
    assert sorted(path.name for path in FOLDER.iterdir()) == ["bot.js", "bot.py", "bot.rs", "bots.toml"]
