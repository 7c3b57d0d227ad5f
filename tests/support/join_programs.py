"""Programs that join tables of a real server, for tests."""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from support.bot_programs import HEARING
from support.copies import Copy, running_copy
from support.matches import Outcome, call
from support.servers import Caller


def opened(host: Caller, players: int = 2, *bots: str, **settings: Any) -> str:
    """The path of a new table, with house bots in its first seats."""
    settings = {"edition": "classic", "pace_ms": 0, "rest_s": 0, **settings}
    table = host("POST", "/tables", players=players, seats=[{"bot": bot} for bot in bots], **settings)
    return f"/tables/{table['id']}"


def start(host: Caller, path: str) -> None:
    """Start the match."""
    host("POST", f"{path}/start", state=host("GET", path)["state"])


def joining(host: Caller, path: str, *words: str, bot: str = "random") -> AbstractContextManager[Copy]:
    """A program that is about to sit down at the table."""
    return running_copy("-c", HEARING, "join", host.address + path, "--bot", bot, *words)


@contextmanager
def joined(host: Caller, path: str, *words: str, bot: str = "random") -> Iterator[Copy]:
    """A program that has sat down at the table."""
    with joining(host, path, *words, bot=bot) as process:
        line = process.stdout.readline()
        sat_down = r"(The bot sits in seat|Le robot occupe la place) \d\.\n"
        assert re.fullmatch(sat_down, line), (line, outcome_of(process))
        yield process


def outcome_of(process: Copy) -> tuple[int, str, str]:
    """How a program ends, and what else it says."""
    out, err = process.stdout.read(), process.stderr.read()
    return process.wait(60), out, err


def refused(done: Outcome, *words: str) -> None:
    """Status 2, one sentence on standard error, and nothing else."""
    assert (done.status, done.out) == (2, "")
    assert re.fullmatch(r"suitors: .+\.\n", done.err), done.err
    assert all(word in done.err for word in words), done.err


def join(*words: str) -> Outcome:
    """Call the command in this process."""
    return call("join", "--bot", "random", *words)
