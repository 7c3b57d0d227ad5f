"""Shards of a tournament: each played by itself, then put together."""

import json
import re
import resource
from pathlib import Path
from typing import Any

import pytest

from suitors.arena.journal import LOG
from suitors.arena.runner import MatchRunner
from suitors.arena.shards import parse_shard
from suitors.errors import SuitorsError
from support.matches import Outcome, call
from support.quick_matches import quick

WORDS = ("tournament", "--bots", "random,novice,random", "--editions", "modern,classic", "--players", "2,3")
SMALL = """base = "house"
name = "Small"
cards = { handmaid = 6, priest = 2 }

[options]
house_full_tie = "none"
"""


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MatchRunner, "play", quick)


def play(folder: Path, *more: str, games: int = 6) -> Outcome:
    done = call(*WORDS, "--games", str(games), "--jobs", "1", "--output", str(folder), *more)
    assert done.status == 0, done.err
    return done


def play_shards(folder: Path, of: int, *more: str, games: int = 6) -> list[str]:
    folders = [folder / f"shard-{k}" for k in range(1, of + 1)]
    for k, part in enumerate(folders, 1):
        play(part, "--shard", f"{k}/{of}", *more, games=games)
    return [str(part) for part in folders]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refusal(*words: str) -> str:
    """The sentence with which a merge is refused."""
    done = call("merge", *words)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    return done.err


@pytest.mark.parametrize("of", [1, 2, 5, 40])
def test_merged_shards_are_the_files_of_one_run(tmp_path: Path, of: int) -> None:
    whole = play(tmp_path / "whole")
    parts = play_shards(tmp_path, of)
    done = call("merge", *reversed(parts), "--output", str(tmp_path / "merged"))
    assert (done.status, done.err, done.out) == (0, whole.err, whole.out)
    assert files(tmp_path / "merged") == files(tmp_path / "whole")
    assert all([path.name for path in Path(part).iterdir()] == [LOG] for part in parts)


def test_there_may_be_more_shards_than_open_files(tmp_path: Path) -> None:
    parts = play_shards(tmp_path, 40, games=2)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = max(int(path.name) for path in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 8, hard))
    try:
        assert call("merge", *parts, "--output", str(tmp_path / "merged")).status == 0
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("chunk", [1, 100, 1000])
def test_a_log_is_read_bit_by_bit(tmp_path: Path, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("suitors.arena.shards.CHUNK", chunk)
    parts = play_shards(tmp_path, 2)
    assert call("merge", *parts, "--output", str(tmp_path / "merged")).status == 0
    play(tmp_path / "whole")
    assert files(tmp_path / "merged") == files(tmp_path / "whole")


def test_a_merge_takes_own_editions_programs_and_switches_along(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    (tmp_path / "bots.toml").write_text('[mine]\ncommand = ["/nowhere/at/all", "x"]\nprotocol = 2\n')
    words = ["--bots", "random,mine", "--bots-file", str(tmp_path / "bots.toml"), "--players", "2", "--strict-time"]
    words += ["--editions", f"{tmp_path / 'small.toml'},house", "--budget-ms", "9", "--option", "house_full_tie=none"]
    play(tmp_path / "whole", *words)
    parts = play_shards(tmp_path, 2, *words)
    assert call("merge", *parts, "--output", str(tmp_path / "merged"), "--lang", "fr", "--json").status == 0
    whole, merged = files(tmp_path / "whole"), files(tmp_path / "merged")
    assert (merged[LOG], merged["results.json"]) == (whole[LOG], whole["results.json"])
    assert b"Classement Elo" in merged["ratings.svg"]


def test_a_merged_tournament_can_be_taken_up_with_more_matches_and_so_can_a_shard(tmp_path: Path) -> None:
    parts = play_shards(tmp_path, 2)
    assert call("merge", *parts, "--output", str(tmp_path / "merged")).status == 0
    play(tmp_path / "merged", "--resume", games=10)
    for k, part in enumerate(parts, 1):
        play(Path(part), "--shard", f"{k}/2", "--resume", games=10)
    assert call("merge", *parts, "--output", str(tmp_path / "again")).status == 0
    play(tmp_path / "whole", games=10)
    assert files(tmp_path / "merged") == files(tmp_path / "again") == files(tmp_path / "whole")


def test_a_log_whose_groups_are_in_any_order_and_twice_is_merged_as_one_in_order(tmp_path: Path) -> None:
    parts = play_shards(tmp_path, 2)
    log = Path(parts[1]) / LOG
    head, *groups = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(head + b"".join([*reversed(groups), *groups]) + b'{"group": 1')
    assert call("merge", *parts, "--output", str(tmp_path / "merged")).status == 0
    play(tmp_path / "whole")
    assert files(tmp_path / "merged") == files(tmp_path / "whole")


def test_a_shard_is_taken_up_again_as_itself_alone(tmp_path: Path) -> None:
    play(tmp_path, "--shard", "2/3")
    words = (*WORDS, "--games", "6", "--jobs", "1", "--output", str(tmp_path), "--resume")
    for more in ((), ("--shard", "1/3"), ("--shard", "2/4")):
        done = call(*words, *more)
        assert (done.status, done.err) == (2, f"suitors: {tmp_path} holds a tournament with other settings (shard).\n")
    assert call(*words, "--shard", "2/3").status == 0


def test_a_shard_prints_the_results_of_its_part(tmp_path: Path) -> None:
    results = [play(tmp_path / str(k), "--shard", f"{k}/2", "--json").lines[-1] for k in (1, 2)]
    assert [part["shard"] for part in results] == [[1, 2], [2, 2]]
    assert sum(part["overall"]["games"] for part in results) == 3 * 4 * 6


# What is refused


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b", "1 / 2", "١/٢", "1/9999999"])
def test_a_shard_is_one_of_so_many(text: str) -> None:
    with pytest.raises(SuitorsError, match="K from 1 to N"):
        parse_shard(text)
    assert call(*WORDS, "--output", "x", "--shard", text).status == 2


def test_a_shard_needs_a_folder() -> None:
    done = call(*WORDS, "--shard", "1/2")
    assert (done.status, done.err) == (
        2,
        "suitors: --shard needs an --output for its log, which suitors merge reads.\n",
    )


@pytest.mark.parametrize(
    ("more", "key"), [(["--seed", "1"], "seed"), (["--bots", "random,novice"], "bots"), (["--players", "2"], "tables")]
)
def test_shards_of_another_tournament_are_refused(tmp_path: Path, more: list[str], key: str) -> None:
    one, _ = play_shards(tmp_path, 2)
    play(tmp_path / "other", "--shard", "2/2", *more)
    err = refusal(one, str(tmp_path / "other"), "--output", str(tmp_path / "merged"))
    assert err == f"suitors: {one} and {tmp_path / 'other'} are shards of different tournaments ({key}).\n"
    assert not (tmp_path / "merged").exists()


def test_shards_of_another_version_are_refused(tmp_path: Path) -> None:
    parts = play_shards(tmp_path, 2)
    for part, words in zip(reversed(parts), ("different tournaments (version)", "played by version 0.0"), strict=True):
        log = Path(part) / LOG
        log.write_bytes(re.sub(rb'"version": "[^"]*"', b'"version": "0.0"', log.read_bytes()))
        assert words in refusal(*parts, "--output", str(tmp_path / "merged"))


def test_missing_and_double_shards_are_refused(tmp_path: Path) -> None:
    parts, out = play_shards(tmp_path, 12, games=2), ("--output", str(tmp_path / "merged"))
    assert refusal(*parts[:2], *parts[3:], *out) == "suitors: Not all shards are there; missing: 3/12.\n"
    assert refusal(*parts[:3], *out).endswith("4/12, 5/12, 6/12, 7/12, 8/12, 9/12, 10/12, 11/12 and 1 more.\n")
    twice = f"suitors: Shard 1/12 is there twice: in {parts[0]} and in {parts[0]}.\n"
    assert refusal(*parts, parts[0], *out) == twice
    play(tmp_path / "third", "--shard", "1/3", games=2)
    assert "is shard 1/12" in (err := refusal(*parts, str(tmp_path / "third"), *out))
    assert "third is shard 1/3: they do not fit." in err
    assert not (tmp_path / "merged").exists()


def test_an_unfinished_shard_is_refused_until_it_is_finished(tmp_path: Path) -> None:
    parts, out = play_shards(tmp_path, 2), ("--output", str(tmp_path / "merged"))
    log = Path(parts[1]) / LOG
    text = log.read_bytes()
    for cut in (text.rindex(b"\n", 0, -1) + 1, len(text) - 1, text.index(b"\n") + 1):
        log.write_bytes(text[:cut])
        assert refusal(*parts, *out) == f"suitors: Shard 2/2 in {parts[1]} is not finished: --resume goes on with it.\n"
        assert not (tmp_path / "merged").exists()
        play(Path(parts[1]), "--shard", "2/2", "--resume")
        assert log.read_bytes() == text
    assert call("merge", *parts, *out).status == 0


BAD_SETTINGS: list[tuple[str, Any]] = [
    ("tables", []),
    ("tables", [["modern", "2"]]),
    ("bots", [1, 2]),
    ("seed", "x"),
    ("seed", 1.5),
    ("budget_ms", -1),
    ("budget_ms", "1"),
    ("budget_ms", float("nan")),
    ("shard", "1/2"),
]


def test_damaged_and_missing_logs_are_refused(tmp_path: Path) -> None:
    parts, out = play_shards(tmp_path, 2), ("--output", str(tmp_path / "merged"))
    log = Path(parts[0]) / LOG
    text = log.read_bytes()
    head, first, rest = text.split(b"\n", 2)
    data = json.loads(head)
    bad_heads = [{**data, "shard": 3}, {**data, "shard": ["x", 2]}, {**data, "tables": [["ancient", 2]]}]
    bad_heads += [{**data, "bots": ["random"]}, {**data, "games": None}, {**data, "more": 1}, {**data, "tables": 4}]
    bad_heads += [{**data, key: value} for key, value in BAD_SETTINGS]
    for number, broken in [
        (1, b""),
        (1, b"notes\n"),
        *((1, json.dumps(bad).encode() + b"\n") for bad in bad_heads),
        (2, head + b"\nnonsense\n" + rest),
        (text.count(b"\n") + 1, text + b"nonsense\n"),
        (3, b"\n".join([head, first, first.replace(b'"group": 0', b'"group": 1'), rest])),
    ]:
        log.write_bytes(broken)
        assert refusal(*parts, *out) == f"suitors: Line {number} of {log} is damaged.\n"
    log.unlink()
    assert refusal(*parts, *out) == f"suitors: {log} cannot be read: No such file or directory.\n"
    assert not (tmp_path / "merged").exists()


def test_a_whole_tournament_is_no_shard(tmp_path: Path) -> None:
    play(tmp_path / "whole")
    err = refusal(str(tmp_path / "whole"), "--output", str(tmp_path / "merged"))
    assert err == f"suitors: {tmp_path / 'whole'} holds no shard of a tournament, but a whole one.\n"


def test_a_merge_writes_over_nothing(tmp_path: Path) -> None:
    parts = play_shards(tmp_path, 2)
    before = files(Path(parts[0]))
    assert refusal(*parts, "--output", parts[0]) == f"suitors: {parts[0]} holds a tournament already.\n"
    assert files(Path(parts[0])) == before
    assert "cannot be written" in refusal(*parts, "--output", "/dev/null/x")
    assert call("merge", "--output", str(tmp_path / "merged")).status == 2
    assert call("merge", *parts).status == 2
