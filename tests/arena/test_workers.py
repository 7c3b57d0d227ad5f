"""Processes that play: results in order, few of them held, memory that stays flat, and processes that die."""

import pickle
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from suitors.arena import ArenaError, Plan, Series, Tournament
from suitors.arena.runner import BotCrashed, Fixture, MatchRunner, Outcome
from suitors.arena.workers import AHEAD, FEW, Done, Task, WorkerPool, cores, in_order, play_groups
from support.bot_programs import LOOP, command_line
from support.matches import call

FIXTURE = Fixture("classic", (0, 1), "deal", "chance")


def tasks(count: int, drawn: list[int]) -> Iterator[Task]:
    """Groups of one match, noting which have been handed out."""
    for number in range(count):
        drawn.append(number)
        yield number, (FIXTURE,)


def test_results_come_in_order_again() -> None:
    outcome = Outcome([0], [0], [0], [0.0])
    groups = {number: [outcome] * number for number in range(6)}
    mixed = [(number, groups[number]) for number in (2, 0, 1, 5, 4, 3)]
    assert list(in_order(mixed)) == list(groups.values())


def test_only_a_few_groups_are_under_way_at_a_time() -> None:
    drawn: list[int] = []
    seen = set()
    for number, outcomes in play_groups(MatchRunner(["random", "random"]), tasks(60, drawn), 60, jobs=2):
        seen.add(number)
        assert len(drawn) - len(seen) <= 3
        assert max(drawn) <= min(set(range(61)) - seen) + 2 * AHEAD
        assert len(outcomes) == 1
    assert seen == set(range(60))


def test_groups_whose_numbers_are_far_apart_keep_all_processes_busy() -> None:
    drawn: list[int] = []
    apart = ((100 * number, group) for number, group in tasks(12, drawn))
    ahead = [len(drawn) - seen for seen, _ in enumerate(play_groups(MatchRunner(["random"] * 2), apart, 12, jobs=2), 1)]
    assert max(ahead) == 2  # one that another process plays, one that comes next


def test_without_being_asked_few_groups_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    def play(workers: WorkerPool, tasks: object) -> Iterator[Done]:
        started.append(workers.jobs)
        yield from ()

    monkeypatch.setattr(WorkerPool, "__enter__", lambda workers: workers)
    monkeypatch.setattr(WorkerPool, "play", play)
    monkeypatch.setattr("suitors.arena.workers.cores", lambda: 4)
    runner = MatchRunner(["random", "random"])
    for groups, jobs, wanted in [(FEW, None, []), (1, 9, []), (9, 1, []), (FEW + 1, None, [4]), (3, 9, [3])]:
        list(play_groups(runner, tasks(0, []), groups, jobs))
        assert started == wanted
        started.clear()
    assert cores() >= 1


def test_a_process_that_dies_is_told_about(tmp_path: Path) -> None:
    killer = "cmd:" + command_line(tmp_path, LOOP + "os.kill(os.getppid(), 9)")
    done = call("match", "--bots", f"random,{killer}", "--games", "4", "--jobs", "2")
    assert (done.status, done.out) == (1, "")
    assert done.err == "suitors: A process that played matches ended with exit code -9.\n"


def test_what_a_broken_bot_raised_comes_through_a_pipe_whole() -> None:
    error = pickle.loads(pickle.dumps(BotCrashed("expert", "KeyError: 3", "Traceback …\n")))
    assert str(error) == "The bot 'expert' broke down: KeyError: 3.\nTraceback …"


def test_a_runner_has_only_bots_that_there_are() -> None:
    with pytest.raises(ArenaError, match="no bot 'genius'"), MatchRunner(["random", "genius"]):
        pass


def stub(runner: MatchRunner, fixture: Fixture) -> Outcome:
    """A match that takes no time, and in which somebody always fails."""
    return Outcome([840, 0], [840, 0], [10, 10], [0.1, 0.1], (1, f"failed in {fixture.chance}"), "x" * 1000)


@pytest.mark.parametrize("kind", ["series", "tournament"])
def test_memory_stays_flat(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(MatchRunner, "play", stub)
    games = 6000
    tournament = Tournament(Plan(("random", "counting"), (("modern", 2), ("classic", 3)), games // 2, 0))
    series = Series("modern", ["random", "random"], 0)
    played = iter(series.play(games, jobs=1, recording=True) if kind == "series" else tournament.play(jobs=1))
    tracemalloc.start()
    try:
        for _ in range(1000):
            next(played)
        before = tracemalloc.get_traced_memory()[0]
        for _ in played:
            pass
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 200_000  # to keep every match would take more than two million
    assert len(tournament.finished.beyond) == 0
