"""Programs that speak version 2: hello, options, a process for every seat, and what becomes of those that fail."""

import json
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from suitors import SoloView, View
from suitors.arena import Series, runner
from suitors.arena.runner import Fixture, MatchRunner
from suitors.bots import BotFailure, Program, ProgramBot, SessionBot, find_bot, session
from suitors.bots.messages import SeatMessages
from support.bot_programs import GOOD, command_line, noting, talking
from support.matches import call
from support.scenes import scene

FOREVER = "time.sleep(3600)"
OPTIONS = {
    "depth": {"type": "integer", "default": 3, "min": 1, "max": 9},
    "doubt": {"type": "number", "default": 0.5, "min": 0},
    "bold": {"type": "boolean", "default": False},
    "book": {"type": "text", "default": ""},
    "style": {"type": "choice", "default": "calm", "values": ["calm", "wild"]},
}

Make = Callable[..., SessionBot]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes bots of the changes to a program that speaks version 2."""
    made: list[SessionBot] = []

    def bot(changes: str = "", **options: Any) -> SessionBot:
        made.append(SessionBot(Program(command_line(tmp_path, talking(changes)), 2, options)))
        return made[-1]

    yield bot
    for each in made:
        each.close()


@pytest.fixture
def view() -> View:
    return scene("modern", ["guard handmaid", "priest"]).view(0)


def ask(bot: SessionBot, view: View, budget_ms: float | None = None) -> str:
    return bot(view, random.Random(), budget_ms)


def failure(bot: SessionBot, view: View, budget_ms: float | None = None) -> str:
    """How the bot fails when it is asked."""
    with pytest.raises(BotFailure) as caught:
        ask(bot, view, budget_ms)
    assert bot.playing == {}
    return str(caught.value)


def notes(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """What programs have written down: their process, and what it was told."""
    lines = (line.split(" ", 1) for line in path.read_text().splitlines())
    return [(process, json.loads(text)) for process, text in lines]


def kinds(path: Path) -> list[str]:
    return [message["type"] for _, message in notes(path)]


# What is said


def test_a_program_is_asked_and_answers(make: Make, view: View, tmp_path: Path) -> None:
    bot = make(noting(tmp_path / "told"))
    assert [ask(bot, view, budget) for budget in (None, 50.0)] == [view.legal[0]] * 2
    bot.close()
    assert kinds(tmp_path / "told") == ["hello", "options", "match", "round", "question", "question", "quit"]
    first, second = (message for _, message in notes(tmp_path / "told") if message["type"] == "question")
    assert (first["budget_ms"], second["budget_ms"]) == (None, 50.0)
    assert first["log"]
    assert second["log"] == []


def test_hello_names_the_version_and_options_are_set(make: Make, view: View, tmp_path: Path) -> None:
    bot = make(noting(tmp_path / "told") + f"\nHELLO['options'] = {OPTIONS!r}", depth=7, style="wild")
    ask(bot, view)
    (_, hello), (_, options), *_ = notes(tmp_path / "told")
    assert (hello["protocol"], hello["name"]) == (2, "Suitors")
    values = {"depth": 7, "doubt": 0.5, "bold": False, "book": "", "style": "wild"}
    assert options == {"type": "options", "values": values}
    assert bot.playing[0].hello is not None
    assert (bot.playing[0].hello.name, bot.playing[0].hello.version) == ("Test", "1")


def test_a_program_that_asks_for_numbers_of_moves_gets_them(make: Make, view: View, tmp_path: Path) -> None:
    ask(make(noting(tmp_path / "told") + "\nHELLO['actions'] = True"), view)
    match, _, question = [message for _, message in notes(tmp_path / "told")][2:]
    assert [match["actions"][number] for number in question["actions"]] == question["legal"]


def test_bots_are_found_by_name() -> None:
    assert find_bot("cmd2:") is find_bot("cmd2: ") is find_bot("cmd3:bot") is None
    bot = find_bot("cmd2:./my-bot --fast")
    assert isinstance(bot, SessionBot)
    assert bot.program == Program("./my-bot --fast", 2)
    named = find_bot("mine", {"mine": Program(("bot", "a,b"), 2)})
    assert isinstance(named, SessionBot)
    assert named.program.command == ("bot", "a,b")


# Seats and matches


def test_every_seat_has_a_process_that_goes_on_to_the_next_match(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "told"
    bot = "cmd2:" + command_line(tmp_path, talking(noting(path)))
    with MatchRunner(["random", bot]) as matches:
        for number in range(2):
            outcome = matches.play(Fixture("modern", (1, 0, 1), f"deal {number}", "chance"))
            assert outcome.forfeit is None
    told = notes(path)
    processes = {process for process, _ in told}
    assert len(processes) == 2
    seats = []
    for process in processes:
        mine = [message for other, message in told if other == process]
        types = [message["type"] for message in mine if message["type"] not in ("round", "round-over", "question")]
        assert types == ["hello", "options", "match", "match-over", "match", "match-over", "quit"]
        seats.append([message["seat"] for message in mine if message["type"] == "match"])
    assert sorted(map(sorted, zip(*seats, strict=True))) == [[0, 2], [0, 2]]


def test_a_seat_is_told_of_its_own_hand_alone(tmp_path: Path) -> None:
    path = tmp_path / "told"
    bot = "cmd2:" + command_line(tmp_path, talking(noting(path)))
    with MatchRunner(["random", bot]) as matches:
        matches.play(Fixture("classic", (1, 1, 0, 0), "deal", "chance"))
    seat_of = {process: message["seat"] for process, message in notes(path) if message["type"] == "match"}
    dealt = [
        (seat_of[process], entry)
        for process, message in notes(path)
        for entry in message.get("log", [])
        if entry["event"] in ("dealt", "drew")
    ]
    assert len(dealt) > 20
    assert all((entry["card"] is not None) == (entry["seat"] == seat) for seat, entry in dealt)


def test_the_end_of_a_match_is_told_with_winners_and_forfeits(tmp_path: Path) -> None:
    path = tmp_path / "told"
    good = "cmd2:" + command_line(tmp_path, talking(noting(path)))
    fails = (
        "def move(message):\n    return {'type': 'move', 'move': message['legal'][0] if message['round'] == 0 else ''}"
    )
    bad = "cmd2:" + command_line(tmp_path, talking(fails))
    with MatchRunner([good, bad]) as matches:
        outcome = matches.play(Fixture("classic", (0, 1), "deal", "chance"))
    assert outcome.forfeit == (1, "answered '', which is not among the legal moves")
    _, over = next(note for note in notes(path) if note[1]["type"] == "match-over")
    assert (over["winners"], over["forfeit"]) == ([0], [1])
    assert sum(over["tokens"]) > 0


@dataclass
class SlowStart(ProgramBot):
    """A program that takes five seconds to start and none to think."""

    now: float = 0.0

    def perf_counter(self) -> float:
        return self.now

    def prepare(self, view: View | SoloView) -> bool:
        self.now += 5.0
        return False

    def __call__(self, view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
        return view.legal[0]

    def end_match(self, view: View | SoloView, winners: Sequence[int], forfeit: Sequence[int]) -> None:
        pass

    def close(self) -> None:
        pass


def test_the_start_of_a_program_is_no_part_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = SlowStart()
    monkeypatch.setattr(runner, "time", bot)
    monkeypatch.setattr(runner, "find_bot", lambda name, programs: bot)
    series = Series("classic", ["one", "two"], 1, budget_ms=200.0)
    list(series.play(1, jobs=1))
    assert bot.now > 5.0
    assert [(score.effort.overruns, score.effort.seconds) for score in series.scores] == [(0, 0.0)] * 2


def test_a_whole_series_with_the_command_in_processes(tmp_path: Path) -> None:
    bot = "cmd2:" + command_line(tmp_path, talking())
    done = call("match", "--bots", f"random,{bot}", "--games", "4", "--jobs", "2", "--json")
    assert (done.status, done.err) == (0, "")
    assert done.lines[-1]["bots"][1]["decisions"] > 0


def test_a_solo_game_is_played(tmp_path: Path) -> None:
    bot = "cmd2:" + command_line(tmp_path, talking())
    done = call("match", "--edition", "solitaire", "--bots", bot, "--games", "2", "--json")
    assert (done.status, done.err) == (0, "")


# Failures


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ("raise SystemExit(3)", "exit status 3"),
        ("HELLO = []", "answered b'[]' instead of an object whose type is 'hello'"),
        ("HELLO = {'move': 'guard'}", "instead of an object whose type is 'hello'"),
        ("HELLO['protocol'] = 1", "speaks version 1 of the protocol, not 2"),
        ("del HELLO['protocol']", "speaks version None of the protocol, not 2"),
        ("HELLO['name'] = ''", "said hello without a name"),
        ("HELLO['version'] = 1", "a version that is no text"),
        ("HELLO['options'] = []", "options that are no object"),
        ("HELLO['options'] = {'k': 3}", "declares its option 'k' in a way"),
        ("HELLO['options'] = {'k': {'type': 'colour', 'default': 'red'}}", "declares its option 'k' in a way"),
        ("HELLO['options'] = {'k': {'type': 'integer', 'default': 3, 'max': 2}}", "declares its option 'k' in a way"),
        ("HELLO['options'] = {'k': {'type': 'integer', 'default': 3, 'min': '2'}}", "declares its option 'k' in a way"),
        ("HELLO['options'] = {'k': {'type': 'integer'}}", "declares its option 'k' in a way"),
        ("HELLO['options'] = {'k': {'type': 'choice', 'default': 'a'}}", "declares its option 'k' in a way"),
        ("HELLO['options'] = {'k': {'type': 'choice', 'default': 'a', 'values': 'a'}}", "its option 'k' in a way"),
        ("READY = HELLO", "instead of an object whose type is 'ready'"),
        ("READY = {'type': 'error', 'message': 'no book'}", "reported an error: 'no book'"),
        ("def move(message):\n    return {'move': message['legal'][0]}", "instead of an object whose type is 'move'"),
        ("def move(message):\n    return {'type': 'move'}", "None, which is not among the legal moves"),
        ("def move(message):\n    return {'type': 'move', 'move': [1]}", "[1], which is not among the legal moves"),
        ("def move(message):\n    print('{', flush=True)", "answered b'{' instead of"),
        ("def move(message):\n    os.write(1, b'\\xff\\n')", "instead of an object whose type is 'move'"),
        ("def move(message):\n    return {'type': 'error', 'message': 'lost'}", "reported an error: 'lost'"),
        ("def move(message):\n    print('x' * 70000)", "65536 bytes"),
    ],
)
def test_a_program_that_fails_is_told_what_it_did(make: Make, view: View, changes: str, message: str) -> None:
    assert message in failure(make(changes), view)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depht": 3}, "has no option 'depht'; it has depth, doubt, bold, book, style"),
        ({"depth": 10}, "takes an integer from 1 to 9 as its option depth, not 10"),
        ({"depth": 2.5}, "takes an integer from 1 to 9 as its option depth, not 2.5"),
        ({"depth": True}, "takes an integer from 1 to 9 as its option depth, not True"),
        ({"doubt": -1}, "takes a number from 0 as its option doubt, not -1"),
        ({"doubt": float("inf")}, "takes a number from 0 as its option doubt, not inf"),
        ({"bold": "yes"}, "takes a boolean as its option bold, not 'yes'"),
        ({"book": 1}, "takes a text as its option book, not 1"),
        ({"style": "sad"}, "takes one of calm, wild as its option style, not 'sad'"),
    ],
)
def test_options_are_checked_against_what_the_program_declares(
    make: Make, view: View, options: dict[str, Any], message: str
) -> None:
    assert failure(make(f"HELLO['options'] = {OPTIONS!r}", **options), view) == message


def test_a_program_of_version_1_is_not_taken_for_one_of_version_2(view: View, tmp_path: Path) -> None:
    old = SessionBot(Program(command_line(tmp_path, GOOD), 2))
    reason = "when it was to say hello (programs of version 1 are called cmd:)"
    assert failure(old, view) == f"ended instead of answering (exit status 1), {reason}"


@pytest.mark.parametrize("limit", ["HELLO_S", "PATIENCE_S"])
def test_a_program_that_hangs_is_not_waited_for(
    make: Make, view: View, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    kind = "hello" if limit == "HELLO_S" else "question"
    bot = make(f"def told(message):\n    message['type'] == '{kind}' and {FOREVER}")
    if limit == "PATIENCE_S":
        bot.prepare(view)
    monkeypatch.setattr(session, limit, 0.05)
    assert failure(bot, view).startswith("did not answer in time")


def test_a_program_that_answers_twice_is_found_out(make: Make, view: View) -> None:
    bot = make(
        "def move(message):\n    say({'type': 'move', 'move': message['legal'][0]})\n    return {'type': 'more'}"
    )
    assert ask(bot, view) == view.legal[0]
    assert '"more"' in failure(bot, view)


def test_after_a_failure_the_program_is_started_anew_and_told_all(make: Make, view: View, tmp_path: Path) -> None:
    mark, path = tmp_path / "mark", tmp_path / "told"
    once = (
        f"def move(message):\n    if not os.path.exists({str(mark)!r}): open({str(mark)!r}, 'w'); raise SystemExit(1)\n"
    )
    bot = make(noting(path) + "\n" + once + "    return {'type': 'move', 'move': message['legal'][0]}")
    assert "exit status 1" in failure(bot, view)
    assert ask(bot, view) == view.legal[0]
    assert kinds(path) == ["hello", "options", "match", "round", "question"] * 2
    questions = [message for _, message in notes(path) if message["type"] == "question"]
    assert questions[0] == questions[1]


def test_a_program_that_does_not_read_the_end_of_a_match_has_lost_nothing(
    make: Make, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "NEWS_S", 0.05)
    long = {"type": "match-over", "log": "x" * 1_000_000}
    monkeypatch.setattr(SeatMessages, "match_over", lambda *_: [long])
    bot = make("def move(message):\n    say({'type': 'move', 'move': message['legal'][0]})\n    time.sleep(3600)")
    ask(bot, view)
    bot.end_match(view, [0], [])
    assert (bot.playing, bot.idle) == ({}, [])


def test_a_program_that_does_not_quit_is_ended(
    make: Make, view: View, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(session, "QUIT_S", 0.05)
    path = tmp_path / "told"
    bot = make(noting(path) + f"\n    message['type'] == 'quit' and {FOREVER}")
    ask(bot, view)
    bot.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(notes(path)[0][0]), 0)


def test_a_program_that_cannot_be_started(view: View) -> None:
    assert failure(SessionBot(Program(("/nowhere/at/all",), 2)), view).startswith("could not be started: ")
