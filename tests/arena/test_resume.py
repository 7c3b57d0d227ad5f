"""Tournaments that are interrupted, killed or torn, and taken up again."""

import errno
import json
import os
import random
import signal
import stat
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from suitors.arena import Journal, Plan, Tournament, write_whole
from suitors.arena.journal import LOG, Finished
from suitors.arena.runner import MatchRunner
from suitors.errors import SuitorsError
from support.bot_programs import command_line, running
from support.matches import call
from support.quick_matches import quick

PLAN = Plan(("random", "random"), (("modern", 2), ("classic", 3)), 4, 1)


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MatchRunner, "play", quick)


def play(folder: Path, *, groups: int = 10**9, resume: bool = True, plan: Plan = PLAN) -> Any:
    """The results after so many groups more."""
    tournament = Tournament(plan)
    with Journal(folder, plan, "1.0") as journal:
        tournament.take_up(journal) if resume else journal.begin()
        for _ in zip(range(groups), tournament.play(journal, jobs=1), strict=False):
            pass
    return tournament.standings.data()


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("groups", range(5))
def test_a_tournament_left_after_any_group_is_taken_up_again(tmp_path: Path, groups: int) -> None:
    whole = play(tmp_path / "whole", resume=False)
    play(tmp_path / "parts", resume=False, groups=groups)
    assert play(tmp_path / "parts") == whole
    assert play(tmp_path / "parts") == whole
    assert (tmp_path / "parts" / LOG).read_bytes() == (tmp_path / "whole" / LOG).read_bytes()


@pytest.mark.usefixtures("settled")
def test_a_log_torn_at_any_byte_is_taken_up_again(tmp_path: Path) -> None:
    whole = play(tmp_path, resume=False)
    log = tmp_path / LOG
    text = log.read_bytes()
    last = text.rindex(b"\n", 0, -1)
    for cut in (*range(0, last, 9), *range(last, len(text))):
        log.write_bytes(text[:cut])
        assert play(tmp_path) == whole
        assert log.read_bytes() == text


@pytest.mark.usefixtures("settled")
def test_a_group_that_is_in_the_log_twice_counts_once_and_the_order_is_free(tmp_path: Path) -> None:
    whole = play(tmp_path, resume=False)
    log = tmp_path / LOG
    head, *groups = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(head + b"".join([*reversed(groups), *groups]))
    assert play(tmp_path) == whole


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"[]",
        b"{}",
        b"\xff",
        b'{"group": 4, "games": 2, "won": 1.0, "decisions": [1], "seconds": [1], "forfeits": [0], "failures": [null]}',
        b'{"group": 99, "games": 2, "won": 1.0, "decisions": [1, 1], "seconds": [1, 1], "forfeits": [0, 0], '
        b'"failures": [null, null]}',
        b'{"group": 1, "games": 2, "won": Infinity, "decisions": [1, 1], "seconds": [1, 1], "forfeits": [0, 0], '
        b'"failures": [null, null]}',
    ],
)
def test_a_damaged_log_is_refused_and_left_alone(tmp_path: Path, line: bytes) -> None:
    play(tmp_path, resume=False, groups=1)
    log = tmp_path / LOG
    text = log.read_bytes() + line + b"\n"
    log.write_bytes(text)
    with pytest.raises(SuitorsError, match=r"Line 3 of .* is damaged"):
        play(tmp_path)
    assert log.read_bytes() == text


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize(
    "change",
    [
        {"won": -1},
        {"won": 2.5},
        {"won": 10**400},
        {"games": 4, "won_squared": 0},
        {"group": 0.5},
        {"bots": [1, 0]},
        {"players": 3},
        {"edition": "classic"},
        {"decisions": [-5, 0]},
        {"decisions": [10**400, 0]},
        {"seconds": [float("nan"), 1]},
        {"seconds": [float("inf"), 1]},
        {"seconds": [-1, 1]},
        {"forfeits": [3, 0], "failures": ["failed", None]},
        {"forfeits": [0, 0], "failures": ["failed", None]},
        {"overruns": [10**6, 0]},
        {"more": 1},
    ],
)
def test_a_line_that_no_match_can_have_led_to_is_damaged(tmp_path: Path, change: dict[str, Any]) -> None:
    play(tmp_path, resume=False, groups=1)
    log = tmp_path / LOG
    head, line = log.read_bytes().splitlines()
    log.write_bytes(head + b"\n" + json.dumps({**json.loads(line), **change}).encode() + b"\n")
    with pytest.raises(SuitorsError, match=r"Line 2 of .* is damaged"):
        play(tmp_path)


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("won_squared", [-1, 0, 10**9])
def test_squares_that_cannot_be_are_damaged(tmp_path: Path, won_squared: int) -> None:
    words = ("tournament", "--bots", "random,novice", "--block", "3", "--games", "6", "--jobs", "1")
    assert call(*words, "--output", str(tmp_path)).status == 0
    log = tmp_path / LOG
    head, line = log.read_bytes().splitlines()
    changed = {**json.loads(line), "won": 3, "won_squared": won_squared}
    log.write_bytes(head + b"\n" + json.dumps(changed).encode() + b"\n")
    done = call(*words, "--output", str(tmp_path), "--resume")
    assert (done.status, done.err) == (2, f"suitors: Line 2 of {log} is damaged.\n")


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("text", [b"my own notes", b"my own notes\n", b'{"format": 1}\n'])
def test_somebody_elses_file_is_refused_and_left_alone(tmp_path: Path, text: bytes) -> None:
    (tmp_path / LOG).write_bytes(text)
    for resume in (True, False):
        with pytest.raises(SuitorsError):
            play(tmp_path, resume=resume)
    assert (tmp_path / LOG).read_bytes() == text


def test_a_folder_with_a_tournament_is_only_used_to_resume_the_same(tmp_path: Path) -> None:
    words = ["tournament", "--bots", "random,random", "--games", "2", "--output", str(tmp_path)]
    assert call(*words).status == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    again = call(*words)
    assert (again.status, again.out) == (2, "")
    assert again.err == f"suitors: {tmp_path} holds a tournament already: --resume goes on with it.\n"
    for more, key in [
        (["--seed", "1"], "seed"),
        (["--games", "4", "--seed", "1"], "games, seed"),
        (["--players", "3"], "tables"),
        (["--bots", "random,random,random"], "bots"),
        (["--budget-ms", "5"], "budget_ms"),
        (["--option", "house_full_tie=none"], "options"),
    ]:
        other = call(*words, "--resume", *more)
        assert (other.status, other.out) == (2, "")
        assert other.err == f"suitors: {tmp_path} holds a tournament with other settings ({key}).\n"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert call(*words, "--resume", "--jobs", "2").status == 0


# More matches than before


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("groups", [0, 1, 4])
def test_a_tournament_that_is_taken_up_again_may_have_more_matches(tmp_path: Path, groups: int) -> None:
    larger = replace(PLAN, games=8)
    whole = play(tmp_path / "whole", resume=False, plan=larger)
    play(tmp_path / "parts", resume=False, groups=groups)
    with (tmp_path / "parts" / LOG).open("ab") as log:
        log.write(b'{"group": 3, "ga')
    assert play(tmp_path / "parts", plan=larger) == whole
    assert (tmp_path / "parts" / LOG).read_bytes() == (tmp_path / "whole" / LOG).read_bytes()
    assert [path.name for path in (tmp_path / "parts").iterdir()] == [LOG]


@pytest.mark.usefixtures("settled")
def test_one_process_at_a_time_plays_a_tournament(tmp_path: Path) -> None:
    words = ("tournament", "--bots", "random,random", "--jobs", "1", "--output", str(tmp_path), "--resume")
    busy = f"suitors: {tmp_path} holds a tournament that another process is playing.\n"
    larger = replace(PLAN, games=8)
    play(tmp_path, resume=False, groups=1)
    with Journal(tmp_path, larger, "1.0") as journal:
        assert (done := call(*words)).status == 2
        assert done.err == busy
        Tournament(larger).take_up(journal)  # which writes the log anew
        assert call(*words).err == busy
    play(tmp_path, plan=larger)


@pytest.mark.usefixtures("settled")
def test_a_tournament_never_has_fewer_matches_than_before(tmp_path: Path) -> None:
    play(tmp_path, resume=False)
    before = (tmp_path / LOG).read_bytes()
    with pytest.raises(SuitorsError, match=r"holds a tournament of 4 matches a pair: --games may grow, not shrink\.$"):
        play(tmp_path, plan=replace(PLAN, games=2))
    assert (tmp_path / LOG).read_bytes() == before


# Blocks of deals


@pytest.mark.usefixtures("settled")
def test_blocks_of_deals_give_the_same_results_in_fewer_lines(tmp_path: Path) -> None:
    single, blocks = replace(PLAN, games=24), replace(PLAN, games=24, block=4)
    whole = play(tmp_path / "single", resume=False, plan=single)
    play(tmp_path / "blocks", resume=False, plan=blocks, groups=2)
    found = play(tmp_path / "blocks", plan=blocks)
    assert found.pop("block") == 4
    assert found == whole
    lines = [len((tmp_path / name / LOG).read_bytes().splitlines()) for name in ("single", "blocks")]
    assert lines == [25, 7]


@pytest.mark.usefixtures("settled")
def test_a_block_whose_squares_are_missing_is_damaged(tmp_path: Path) -> None:
    plan = replace(PLAN, block=2)
    play(tmp_path, resume=False, plan=plan)
    log = tmp_path / LOG
    log.write_bytes(log.read_bytes().replace(b"won_squared", b"won_square"))
    with pytest.raises(SuitorsError, match=r"Line 2 of .* is damaged"):
        play(tmp_path, plan=plan)


@pytest.mark.usefixtures("settled")
def test_a_tournament_in_blocks_may_grow_and_be_merged_from_shards(tmp_path: Path) -> None:
    words = ["tournament", "--bots", "random,novice", "--players", "2,3", "--block", "3", "--jobs", "1"]
    for k in ("1", "2"):
        folder = str(tmp_path / k)
        for games in ("12", "30"):
            more = ["--games", games, "--shard", f"{k}/2", "--output", folder, "--resume"]
            assert call(*words, *more).status == 0
    merged = call("merge", str(tmp_path / "1"), str(tmp_path / "2"), "--output", str(tmp_path / "merged"))
    assert merged.status == 0
    whole = call(*words, "--games", "30", "--output", str(tmp_path / "whole"))
    assert (merged.out, merged.err) == (whole.out, whole.err)
    for name in (LOG, "results.json"):
        assert (tmp_path / "merged" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_blocks_are_played_whole(tmp_path: Path) -> None:
    for games in ("5", "8", "10"):
        done = call("tournament", "--bots", "random,random", "--block", "3", "--games", games)
        assert (done.status, done.out) == (2, "")
        assert done.err == "suitors: With --block 3 the --games are a multiple of 6.\n"


# What is on the disk


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The files and folders that were synced, with their sizes then."""
    found: list[tuple[int, int]] = []

    def fsync(handle: int) -> None:
        status = os.fstat(handle)
        found.append((status.st_ino, 0 if stat.S_ISDIR(status.st_mode) else status.st_size))

    monkeypatch.setattr(os, "fsync", fsync)
    return found


@pytest.mark.usefixtures("settled")
def test_the_log_is_on_the_disk_after_every_second_and_at_the_end(
    tmp_path: Path, synced: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(0, 10_000, 2))
    monkeypatch.setattr("suitors.arena.journal.time", SimpleNamespace(monotonic=lambda: next(clock) / 2.5))
    play(tmp_path, resume=False)
    text = (tmp_path / LOG).read_bytes()
    log = (tmp_path / LOG).stat().st_ino
    sizes = [size for inode, size in synced if inode == log]
    ends = [k + 1 for k, letter in enumerate(text) if letter == ord("\n")]
    assert sizes[-1] == len(text)
    assert set(sizes[:-1]) < set(ends)
    assert len(sizes) > 2
    assert (tmp_path.stat().st_ino, 0) in synced


def test_results_are_on_the_disk_before_they_replace_the_old_ones(
    tmp_path: Path, synced: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results.json").write_text("old")
    replaced: list[int] = []

    def swap(draft: Path, target: Path) -> None:
        replaced.append(len(synced))
        assert synced[-1] == (draft.stat().st_ino, 4)
        draft.rename(target)

    monkeypatch.setattr(Path, "replace", swap)
    write_whole(tmp_path / "results.json", "née")
    assert (replaced, synced[1:]) == ([1], [(tmp_path.stat().st_ino, 0)])
    assert (tmp_path / "results.json").read_text("utf-8") == "née"


def test_a_full_disk_loses_nothing_and_leaves_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    words = ("tournament", "--bots", "random,random", "--jobs", "1", "--output", str(tmp_path))
    assert call(*words, "--games", "4").status == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(os, "fsync", full)
    done = call(*words, "--games", "6", "--resume")
    assert (done.status, done.out) == (2, "")
    assert done.err == f"suitors: {tmp_path / LOG} cannot be written: No space left on device.\n"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_a_link_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for text in ("one", "two"):
        write_whole(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_text() == text


def test_what_is_finished_is_remembered_in_little_room() -> None:
    finished, rng = Finished(), random.Random(3)
    window = list(range(20))
    for number in range(20, 2020):
        gone = window.pop(rng.randrange(len(window)) if len(finished.beyond) < 50 else 0)
        assert gone not in finished
        finished.add(gone)
        assert gone in finished
        window.append(number)
        window.sort()
    assert len(finished) == 2000
    assert len(finished.beyond) <= 60


# Real processes

ASKED = """import json, os, sys
fifo = {fifo!r}
for count, line in enumerate(sys.stdin):
    if count == 60 and os.path.exists(fifo):
        open(fifo, "w").close()
        sys.exit(len(sys.stdin.read()))
    print(json.dumps({{"move": json.loads(line)["legal"][0]}}), flush=True)
"""
"""A bot that says when it has been asked often enough, and then waits to be ended."""


def timeless(folder: Path) -> Any:
    """The results in a folder, without what depends on the machine's speed."""
    data = json.loads((folder / "results.json").read_text())
    for table in (*data["tables"], data["overall"]):
        for row in table["ratings"]:
            row["ms_per_decision"] = 0
    return data


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("ending", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_tournament_that_is_killed_is_taken_up_again(
    tmp_path: Path, ending: signal.Signals, status: int, jobs: str
) -> None:
    fifo, folder = tmp_path / "fifo", tmp_path / "killed"
    os.mkfifo(fifo)
    bot = "cmd:" + command_line(tmp_path, ASKED.format(fifo=str(fifo)))
    words = ["tournament", "--bots", f"random,{bot}", "--editions", "classic", "--games", "12"]
    with running(*words, "--output", str(folder), "--jobs", jobs) as process:
        fifo.open().close()
        process.send_signal(ending) if ending == signal.SIGKILL else os.killpg(process.pid, ending)
        out, err = process.communicate(timeout=60)  # ends when everybody has closed these pipes: nobody is left
    assert (process.returncode, out, err.strip()) == (status, b"", b"")
    assert 1 < len((folder / LOG).read_bytes().splitlines()) < 7
    assert not (folder / "results.json").exists()
    fifo.unlink()
    assert call(*words, "--output", str(folder), "--resume", "--jobs", "1").status == 0
    assert call(*words, "--output", str(tmp_path / "whole"), "--jobs", "1").status == 0
    assert timeless(folder) == timeless(tmp_path / "whole")
