"""The bots of docs/bots.md: their lines are taken from the page, saved as they are, and let play."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from support.matches import call

PAGE = Path(__file__).parent.parent.parent / "docs" / "bots.md"


def saved(folder: Path, number: int) -> str:
    """The command line of one of the page's programs, which all have twenty lines at most."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    source = [block for block in blocks if "sys.stdin" in block][number]
    assert len([line for line in source.splitlines() if line]) <= 20
    (folder / "my_bot.py").write_text(source)
    return shlex.join([sys.executable, str(folder / "my_bot.py")])


@pytest.fixture
def program(tmp_path: Path) -> str:
    """The page's bot of version 1 as a program."""
    return f"cmd:{saved(tmp_path, 1)}"


@pytest.mark.parametrize(("edition", "games"), [("classic", 30), ("premium", 4), ("modern", 4)])
def test_the_bot_of_the_page_plays_without_a_forfeit_and_beats_chance(program: str, edition: str, games: int) -> None:
    done = call("match", "--edition", edition, "--bots", f"random,{program}", "--games", str(games), "--json")
    assert (done.status, done.err) == (0, "")
    won = json.loads(done.out.splitlines()[-1])["bots"][1]["won"]
    assert won > games / 2 or games < 30


def test_the_first_bot_of_the_page_plays_without_a_forfeit(tmp_path: Path) -> None:
    done = call("match", "--edition", "premium", "--bots", f"random,cmd2:{saved(tmp_path, 0)}", "--games", "4")
    assert (done.status, done.err) == (0, "")
