"""Contests between bots: journals that go on after an interrupt and add up, and the program that shows them."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from math import inf
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from suitors import Match
from suitors.arena.tally import WHOLE
from suitors.records.record import load
from support.engine_positions import dealt
from support.repository import ROOT


@pytest.fixture
def contests() -> ModuleType:
    """`benchmarks/contests.py`."""
    return import_module("benchmarks.contests")


@pytest.fixture
def strength(contests: ModuleType) -> Any:
    """`benchmarks/strength.py`, with these contests."""
    return import_module("benchmarks.strength")


class AtOnce(Executor):
    """Plays each match in this process as soon as it is handed in; the one after so many is interrupted."""

    def __init__(self) -> None:
        self.tasks: list[Any] = []
        self.most = inf

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        if len(self.tasks) == self.most:
            raise KeyboardInterrupt
        self.tasks += arguments
        future = Future[Any]()
        future.set_result(function(*arguments, **named))
        return future

    def handed_in(self) -> list[Any]:
        """What was handed in since this was asked last."""
        found, self.tasks = self.tasks, []
        return found


@pytest.fixture
def pool(contests: ModuleType, monkeypatch: pytest.MonkeyPatch) -> AtOnce:
    """What contests are played in, instead of processes."""
    pool = AtOnce()
    monkeypatch.setattr(contests, "ProcessPoolExecutor", lambda *_: pool)
    monkeypatch.setattr(contests, "get_ready", lambda: None)
    return pool


@pytest.fixture
def recorded(contests: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The records of the matches that are played."""
    records = []

    def note(record: str) -> Any:
        records.append(json.loads(record))
        return load(record)

    monkeypatch.setattr(contests, "load", note)
    return records


def between(contests: ModuleType, players: int, seed: int = 0) -> Any:
    """A contest of bots that need no time."""
    return contests.Contest("classic", players, "novice", "beginner", 10.0, seed)


def numbers(task: Any) -> tuple[int, int, int]:
    """A match in numbers: how many play, its deal, its rotation."""
    return task.contest.players, task.group, task.rotation


def figures(result: Any) -> Any:
    """All that does not depend on how quick the machine is."""
    decisions = sum(line["decisions"][0] for lines in result.groups.values() for line in lines)
    return result.contest, result.tally, result.tokens, result.forfeits, decisions


def test_matches_of_all_contests_are_played_in_turn_and_in_whole_rotations(contests: ModuleType) -> None:
    two, three = between(contests, 2), between(contests, 3)
    found = [numbers(task) for task in contests.tasks([two, three], 4, 7, {})]
    groups = [(2, 7), (3, 7), (2, 8), (3, 8)]  # with four matches the second rotation of three is begun, and so ended
    assert found == [(players, group, rotation) for players, group in groups for rotation in range(players)]
    found = [numbers(task) for task in contests.tasks([two, three], 5, 0, {})]
    groups = [(2, 0), (3, 0), (2, 1), (3, 1), (2, 2)]
    assert found == [(players, group, rotation) for players, group in groups for rotation in range(players)]
    assert not list(contests.tasks([two, three], 0, 0, {}))
    assert not list(contests.tasks([], 5, 0, {}))


def test_a_deal_is_the_same_in_every_rotation_and_another_in_each_group(
    contests: ModuleType, recorded: list[dict[str, Any]]
) -> None:
    for task in contests.tasks([between(contests, 4)], 12, 0, {}):
        contests.play_match(task)
    groups = [recorded[start : start + 4] for start in range(0, 12, 4)]
    assert sum(len(group) for group in groups) == len(recorded)
    for group in groups:
        for rounds in zip(*(record["rounds"] for record in group), strict=False):
            assert all(deal["deck"] == rounds[0]["deck"] for deal in rounds)
        assert len({record["rounds"][0]["first"] for record in group}) == 1
        assert sorted(record["players"].index("novice") for record in group) == [0, 1, 2, 3]
        assert all(record["players"].count("beginner") == 3 for record in group)
    contests.play_match(contests.Task(between(contests, 4, seed=1), 0, 0))
    assert len({tuple(record["rounds"][0]["deck"]) for record in recorded}) == len(groups) + 1


@pytest.mark.parametrize("players", [2, 3])
def test_what_is_written_of_a_match_is_of_the_one_seat_and_of_all_others(
    players: int, contests: ModuleType, recorded: list[dict[str, Any]]
) -> None:
    for task in contests.tasks([between(contests, players)], 4 * players, 0, {}):
        line = contests.play_match(task)
        match = load(json.dumps(recorded[-1]))
        seat = recorded[-1]["players"].index("novice")
        assert line["won"] == (WHOLE // len(match.winners) if seat in match.winners else 0)
        assert line["tokens"] == [match.tokens[seat], sum(match.tokens)]
        assert sum(line["decisions"]) == sum(len(played["moves"]) for played in recorded[-1]["rounds"])
        assert line["forfeits"] == [0, 0]


def test_a_match_that_is_played_again_ends_the_same(contests: ModuleType) -> None:
    for task in contests.tasks([between(contests, 2), between(contests, 4)], 8, 3, {}):
        one, again = contests.play_match(task), contests.play_match(task)
        assert one.pop("seconds") != [0, 0] != again.pop("seconds")
        assert one == again


def test_contests_go_on_after_an_interrupt(
    contests: ModuleType, pool: AtOnce, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted, journal = [between(contests, 2), between(contests, 3)], tmp_path / "matches.jsonl"
    whole = contests.play(wanted, 6, jobs=1)
    everything = pool.handed_in()
    assert len(everything) == 12
    assert "Interrupted" not in capsys.readouterr().err

    pool.most = 8
    contests.play(wanted, 6, jobs=1, journal=journal)
    pool.handed_in()
    assert "Interrupted" in capsys.readouterr().err
    before = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    assert 0 < len(before) <= 8
    there = {(line["players"], line["group"], line["rotation"]) for line in before}
    assert len(there) == len(before)

    pool.most = inf
    found = contests.play(wanted, 6, jobs=1, journal=journal)
    assert pool.handed_in() == [task for task in everything if numbers(task) not in there]
    after = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    assert after[: len(before)] == before
    assert len(after) == 12
    for results in (found, contests.read_journals([journal]), contests.play(wanted, 6, jobs=1, journal=journal)):
        assert [figures(results[contest]) for contest in wanted] == [figures(whole[contest]) for contest in wanted]
    assert not pool.tasks
    assert journal.read_text("utf-8").count("\n") == 12


def torn(contests: ModuleType, tmp_path: Path) -> tuple[Any, Path]:
    """A contest, and a journal of four of its matches the last line of which was written by half."""
    contest, journal = between(contests, 2), tmp_path / "matches.jsonl"
    contests.play([contest], 4, jobs=1, journal=journal)
    whole = journal.read_bytes()
    *_, last = whole.splitlines()
    journal.write_bytes(whole[: -len(last) // 2])
    return contest, journal


def test_lines_that_are_no_matches_are_left_out_wherever_they_are(
    contests: ModuleType, pool: AtOnce, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contest, journal = between(contests, 2), tmp_path / "matches.jsonl"
    contests.play([contest], 4, jobs=1, journal=journal)
    first, *others = journal.read_text("utf-8").splitlines()
    line = json.loads(first)
    parts = '{"won": 2000} {"tokens": null} {"tokens": [1]} {"players": 0} {"rotation": 2} {"group": "0"} {"seed": []}'
    worse = [json.dumps({**line, **json.loads(part)}) for part in re.findall("{.*?}", parts)]
    spoilt = [first[:30], "[]", "3", "null", '{"edition": "classic"}', *worse]
    journal.write_text("\n".join([first, *spoilt, *others]), "utf-8")
    assert contests.read_journals([journal])[contest].tally.games == 4
    assert [line.partition(" left out ")[2] for line in capsys.readouterr().err.splitlines()] == [
        repr(text[:40]) for text in spoilt
    ]


def test_a_torn_line_is_left_out_with_a_word_and_its_match_played_again(
    contests: ModuleType, pool: AtOnce, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contest, journal = torn(contests, tmp_path)
    *_, last = pool.handed_in()
    assert capsys.readouterr().err == ""
    assert contests.read_journals([journal])[contest].tally.games == 3
    said = capsys.readouterr().err
    assert said.startswith(f"{journal}: left out ")
    assert said.count("\n") == 1
    assert contests.play([contest], 4, jobs=1, journal=journal)[contest].tally.games == 4
    assert pool.handed_in() == [last]


def test_no_match_is_lost_that_is_written_after_a_torn_line(contests: ModuleType, pool: AtOnce, tmp_path: Path) -> None:
    contest, journal = torn(contests, tmp_path)
    contests.play([contest], 4, jobs=1, journal=journal)
    assert contests.read_journals([journal])[contest].tally.games == 4


def test_a_match_that_is_in_two_journals_counts_once(contests: ModuleType, pool: AtOnce, tmp_path: Path) -> None:
    contest, one, other = between(contests, 3), tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    contests.play([contest], 6, jobs=1, journal=one)
    contests.play([contest], 6, jobs=1, first=1, journal=other)
    both = {numbers(task) for task in pool.handed_in()}
    assert len(both) == 9
    whole = contests.play([contest], 9, jobs=1)[contest]
    for journals in ([one, other], [other, one], [one, one, other, other]):
        assert figures(contests.read_journals(journals)[contest]) == figures(whole)


def test_matches_that_end_at_once_are_written_in_the_order_in_which_they_began(
    contests: ModuleType, pool: AtOnce, tmp_path: Path
) -> None:
    journal = tmp_path / "matches.jsonl"
    contests.play([between(contests, 2)], 24, jobs=24, journal=journal)
    written = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    assert [(2, line["group"], line["rotation"]) for line in written] == [numbers(task) for task in pool.handed_in()]


def test_journals_of_several_machines_add_up(contests: ModuleType, pool: AtOnce, tmp_path: Path) -> None:
    wanted, journals = [between(contests, 2), between(contests, 4)], [tmp_path / f"{k}.jsonl" for k in range(3)]
    parts = [contests.play(wanted, 8, jobs=1, first=4 * k, journal=path) for k, path in enumerate(journals)]
    found = contests.read_journals(journals)
    assert list(found) == wanted
    for contest in wanted:
        each = [part[contest].tally for part in parts]
        assert [tally.games for tally in each] == [8, 8, 8]
        assert found[contest].tally.games == 24
        assert found[contest].tally.won == sum(tally.won for tally in each)
        assert sum(found[contest].pace_ms) > 0
    assert len(set(map(numbers, pool.handed_in()))) == 48


def test_matches_of_another_seed_are_another_contest(contests: ModuleType, pool: AtOnce, tmp_path: Path) -> None:
    wanted, journal = [between(contests, 2, seed) for seed in (1, 2)], tmp_path / "matches.jsonl"
    for contest in wanted:
        assert contests.play([contest], 2, jobs=1, journal=journal)[contest].tally.games == 2
    assert [contest.seed for contest in contests.read_journals([journal])] == [1, 2]


def test_no_match_is_begun_when_the_time_is_over(contests: ModuleType, pool: AtOnce) -> None:
    contest = between(contests, 2)
    assert contests.play([contest], 4, jobs=1, seconds=0.0)[contest].tally.games == 0
    assert not pool.tasks


def run_strength(*words: str) -> str:
    """What the program prints."""
    command = [sys.executable, "-m", "benchmarks.strength", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def result_rows(printed: str) -> list[str]:
    """The lines of its table, without the two of its head."""
    return [line for line in printed.splitlines() if line.startswith("| ")][2:]


def test_the_program_goes_on_with_its_journal_and_shows_it_again(
    strength: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "matches.jsonl"
    words = ["--cells", "classic-2", "--pairs", "novice-beginner", "--jobs", "1", "--output", str(journal)]
    (row,) = result_rows(run_strength(*words, "--games", "4"))
    before = journal.read_text("utf-8").splitlines()
    assert row.startswith("| `classic`, 2 players | novice | beginner | 10 | 4 |")
    assert len(before) == 4
    (row,) = result_rows(run_strength(*words, "--games", "6"))
    after = journal.read_text("utf-8").splitlines()
    assert row.startswith("| `classic`, 2 players | novice | beginner | 10 | 6 |")
    assert after[:4] == before
    assert len(after) == 6
    monkeypatch.setattr("sys.argv", ["strength.py", "--report", str(journal)])
    strength.main()
    assert result_rows(capsys.readouterr().out) == [row]
    assert journal.read_text("utf-8").splitlines() == after


@pytest.mark.parametrize(
    ("option", "words", "wrong", "there"),
    [
        ("--cells", "classic-9", "classic-9", ["premium-8", "modern-2", "classic-4"]),
        ("--cells", "modern-2,classic", "classic", ["premium-8", "modern-2", "classic-4"]),
        ("--cells", "solitaire-1", "solitaire-1", ["premium-8", "modern-2", "classic-4"]),
        ("--pairs", "novice", "novice", ["novice-beginner", "expert-plain search", "best reply-network"]),
        ("--pairs", "novice-beginner,novice-wizard", "novice-wizard", ["novice-beginner", "expert-plain search"]),
    ],
)
def test_words_that_name_nothing_are_refused_with_those_that_do(
    option: str,
    words: str,
    wrong: str,
    there: list[str],
    strength: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["strength.py", option, words])
    with pytest.raises(SystemExit) as stopped:
        strength.main()
    assert stopped.value.code == 2
    _, found, offered = capsys.readouterr().err.rstrip("\n").rpartition(f"argument {option}: '{wrong}' is none of ")
    assert found
    assert set(there) <= set(offered.split(", "))
    assert wrong not in offered.split(", ")


def test_words_that_name_tables_and_pairs_are_understood(strength: Any) -> None:
    assert strength.cells("premium-6,classic-2") == [("premium", 6), ("classic", 2)]
    assert strength.pairs("expert-best reply,random-network") == [("expert", "best reply"), ("random", "network")]
    assert len(strength.cells(strength.CELLS)) == len(strength.pairs(strength.PAIRS)) == 5
    for target in strength.TARGETS:
        assert strength.cells(f"{target.edition}-{target.players}")
        assert strength.pairs(f"expert-{target.lower}")


def test_a_report_of_a_file_that_is_not_there_says_so(
    strength: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["strength.py", "--report", str(tmp_path / "none.jsonl")])
    with pytest.raises(SystemExit) as stopped:
        strength.main()
    assert stopped.value.code == 2
    assert "there is no file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--games -3", "-3 is below 0"),
        ("--budget-ms 0", "0 is not a number above 0"),
        ("--budget-ms nan", "nan is not a number above 0"),
        ("--jobs -1", "-1 is below 0"),
        ("--seconds -1", "-1 is not a number above 0"),
        ("--output /there/is/none/of/this/name.jsonl", "cannot be written"),
        ("--output /", "cannot be written"),
    ],
)
def test_numbers_and_places_that_make_no_sense_are_refused(
    words: str, said: str, strength: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["strength.py", *words.split()])
    with pytest.raises(SystemExit) as stopped:
        strength.main()
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err


def test_a_process_that_ends_loses_no_match_that_has_ended(
    contests: ModuleType,
    pool: AtOnce,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contest, journal = between(contests, 2), tmp_path / "matches.jsonl"
    played = contests.play_match
    ended = iter([False, True, False, False])

    def play_match(task: object) -> object:
        if next(ended):
            raise BrokenProcessPool
        return played(task)

    def submit(function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        future = Future[Any]()
        try:
            future.set_result(function(*arguments))
        except BrokenProcessPool as error:
            future.set_exception(error)
        return future

    monkeypatch.setattr(contests, "play_match", play_match)
    monkeypatch.setattr(pool, "submit", submit)
    found = contests.play([contest], 4, jobs=1, journal=journal)
    assert "A process that played matches has ended" in capsys.readouterr().err
    assert found[contest].tally.games == contests.read_journals([journal])[contest].tally.games == 2


def test_other_bots_are_another_contest(contests: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contests.Contest("classic", 2, "novice", "beginner", 1.0, 0)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "novice.py").write_text("another one")
    monkeypatch.setattr(contests, "PACKAGE", tmp_path)
    contests.bots_digest.cache_clear()
    try:
        assert contests.Contest("classic", 2, "novice", "beginner", 1.0, 0) != before
    finally:
        contests.bots_digest.cache_clear()


def test_every_bot_of_the_benchmarks_plays_a_legal_move(contests: ModuleType) -> None:
    match = Match("classic", ["Ada", "Ben"], seed=3)
    for name, choose in contests.MORE_BOTS.items():
        assert choose(match.view(match.turn), Random(1), 5.0) in match.legal(), name


def test_the_local_best_response_asks_the_network_about_players_that_are_unlike_it() -> None:
    attack = import_module("benchmarks.local_best_response")
    rng, match = Random(2), Match("classic", ["Ada", "Ben"], seed=3)
    late = []
    while not match.over:
        if match.to_deal:
            match.deal()
        view = match.view(match.turn)
        observed = attack.certain(view).observed
        late += [chances for discards, chances in observed.chances.items() if discards > 3]
        match.play(rng.choice(view.legal))
    assert late
    assert all(list(random) != list(by_network) for random, _, by_network in late)


def test_the_local_best_response_strikes_where_it_knows_the_card() -> None:
    attack = import_module("benchmarks.local_best_response")
    match = dealt("classic", ["guard", "baron"], "priest guard handmaid")
    for move in ("priest 1", "guard 0 princess"):
        match.play(move)
    assert attack.choose(match.view(0), Random(1), None) == "guard 1 baron"


def test_a_digest_of_bots_is_of_their_code_and_of_what_only_benchmarks_play(
    contests: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = contests.bots_digest.__wrapped__
    before = digest()
    assert digest() == before
    attack = import_module("benchmarks.local_best_response")
    other = tmp_path / "local_best_response.py"
    other.write_text(Path(str(attack.__file__)).read_text("utf-8") + "# another one\n", "utf-8")
    monkeypatch.setattr(attack, "__file__", str(other))
    assert digest() != before


@pytest.mark.parametrize("name", ["luck", "reading", "foresight"])
def test_other_benchmarks_of_bots_refuse_tables_that_there_are_not(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", [name, "--cells", "modern-4,modern"])
    with pytest.raises(SystemExit) as stopped:
        import_module(f"benchmarks.{name}").main()
    assert stopped.value.code == 2
    assert "'modern' is none of premium-2" in capsys.readouterr().err
