"""Bots: the built-in ones, programs over JSON Lines, and what becomes of those that fail."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from suitors import Match, SoloView, View
from suitors.bots import BOTS, BotFailure, Choose, CommandBot, command, find_bot, process
from suitors.view.data import read_view, view_data
from support.bad_records import record
from support.bot_programs import GOOD, LOOP, command_line
from support.matches import TABLES, call, chance_match
from support.scenes import scene

FOREVER = "time.sleep(3600)"


class Programs:
    """Writes small programs and makes bots of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bots: list[CommandBot] = []

    def words(self, source: str) -> str:
        """The command line of a program with this source."""
        return command_line(self.folder, source)

    def bot(self, source: str) -> CommandBot:
        """A bot that is a program with this source."""
        self.bots.append(CommandBot(self.words(source)))
        return self.bots[-1]


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    made = Programs(tmp_path)
    yield made
    for bot in made.bots:
        bot.close()


@pytest.fixture
def view() -> View:
    return scene("modern", ["guard handmaid", "priest"]).view(0)


def failure(bot: Choose, view: View | SoloView, budget_ms: float | None = None) -> str:
    """How the bot fails when it is asked."""
    with pytest.raises(BotFailure) as caught:
        bot(view, random.Random(), budget_ms)
    return str(caught.value)


# Built-in bots


def test_the_random_bot_chooses_every_legal_move_equally_often(view: View) -> None:
    rng, times = random.Random(1), 1000
    found = Counter(BOTS["random"](view, rng, None) for _ in range(times * len(view.legal)))
    assert set(found) == set(view.legal)
    chi_square = sum((count - times) ** 2 / times for count in found.values())
    assert chi_square < 30  # nine degrees of freedom: more than 30 once in 2000 times


def test_bots_are_found_by_name() -> None:
    assert find_bot("random") is BOTS["random"]
    assert find_bot("genius") is find_bot("cmd:") is find_bot("cmd: ") is find_bot("") is None
    bot = find_bot("cmd:./my-bot --fast")
    assert isinstance(bot, CommandBot)
    assert (bot.command, bot.process) == ("./my-bot --fast", None)


# Programs


def test_a_program_is_asked_and_answers(programs: Programs, view: View) -> None:
    bot = programs.bot(GOOD)
    assert [bot(view, random.Random(), budget) for budget in (None, 50.0)] == [view.legal[0]] * 2


def test_a_program_reads_the_view_the_moves_and_the_budget(
    programs: Programs, view: View | SoloView, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    bot = programs.bot(f"line = input()\nopen({str(seen)!r}, 'w').write(line)\nprint('{{}}')")
    failure(bot, view, 50.0)
    wanted = {"view": view_data(view), "legal": list(view.legal), "budget_ms": 50.0}
    assert json.loads(seen.read_text()) == json.loads(json.dumps(wanted))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("raise SystemExit(3)", "exit status 3"),
        (LOOP + "raise SystemExit(4)", "ended instead of answering (exit status 4)"),
        (LOOP + "os.abort()", "ended instead of answering (exit status -6)"),
        (LOOP + "print('nonsense', flush=True)", "answered b'nonsense' instead of an object with a move"),
        (LOOP + "print('[' * 5000, flush=True)", "instead of an object with a move"),
        (LOOP + "print('9' * 5000, flush=True)", "instead of an object with a move"),
        (LOOP + "print('[]', flush=True)", "instead of an object with a move"),
        (LOOP + "print('{}', flush=True)", "instead of an object with a move"),
        (LOOP + "print(flush=True)", "answered b'' instead of an object with a move"),
        (LOOP + "os.write(1, b'\\xff\\n')", "instead of an object with a move"),
        (LOOP + 'print(\'{"move": "king 1"}\', flush=True)', "'king 1', which is not among the legal moves"),
        (LOOP + "print('{\"move\": [1]}', flush=True)", "[1], which is not among the legal moves"),
        (LOOP + "print('{\"move\": null}', flush=True)", "None, which is not among the legal moves"),
        ("while True: print('x' * 1000, end='')", "answered more than 65536 bytes without a line's end"),
    ],
)
def test_a_program_that_fails_is_told_what_it_did(
    programs: Programs, view: View | SoloView, source: str, message: str
) -> None:
    bot = programs.bot(source)
    assert message in failure(bot, view)
    assert bot.process is None


@pytest.mark.parametrize("name", ["/nowhere/at/all", "'unclosed", "''", "a\0b"])
def test_a_program_that_cannot_be_started(view: View | SoloView, name: str) -> None:
    assert failure(CommandBot(name), view).startswith("could not be started: ")


def test_a_program_that_hangs_is_not_waited_for(
    programs: Programs, view: View | SoloView, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("START_S", "GRACE_S"):
        monkeypatch.setattr(command, limit, 0.05)
    bot = programs.bot(LOOP + FOREVER)
    for _ in range(2):
        assert failure(bot, view, 1.0) == "did not answer in time"
    monkeypatch.setattr(command, "PATIENCE_S", 0.05)
    assert failure(programs.bot(LOOP + FOREVER), view) == "did not answer in time"


def test_the_very_first_answer_may_take_longer(
    programs: Programs, view: View | SoloView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "GRACE_S", 0.0)
    bot = programs.bot(GOOD + "\n    " + FOREVER)
    assert bot(view, random.Random(), 1.0) == view.legal[0]
    assert failure(bot, view, 1.0) == "did not answer in time"


def test_a_program_that_does_not_even_read_is_not_waited_for(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "PATIENCE_S", 0.05)
    match = Match("modern", ["x" * 1_000_000, "y"])
    assert match.turn is not None
    bot = programs.bot("import time\n" + FOREVER)
    assert failure(bot, match.view(match.turn)) == "did not answer in time"


def test_a_long_request_arrives_whole(programs: Programs) -> None:
    match = Match("modern", ["x" * 1_000_000, "y"])
    assert match.turn is not None
    view = match.view(match.turn)
    assert programs.bot(GOOD)(view, random.Random(), None) == view.legal[0]


def test_a_program_that_closes_its_output_but_lives_on(
    programs: Programs, view: View | SoloView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "EXIT_WAIT_S", 0.05)
    bot = programs.bot(LOOP + "os.close(1); " + FOREVER)
    assert failure(bot, view) == "ended instead of answering (still running)"


def test_what_a_program_has_started_is_ended_with_it(programs: Programs, view: View) -> None:
    child = "subprocess.Popen(['sleep', '3600']); print('?', flush=True)"
    assert "instead of an object" in failure(programs.bot(LOOP + child), view)


def test_after_a_failure_the_program_is_started_anew(programs: Programs, view: View | SoloView, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    once = f"if not os.path.exists({str(mark)!r}): open({str(mark)!r}, 'w'); raise SystemExit(1)\n    "
    bot = programs.bot(LOOP + once + "print(json.dumps({'move': request['legal'][0]}), flush=True)")
    assert "exit status 1" in failure(bot, view)
    assert bot(view, random.Random(), None) == view.legal[0]


# suitors bot


def request(seat_view: View) -> dict[str, Any]:
    """A request as a program would send it."""
    return {"view": view_data(seat_view), "legal": list(seat_view.legal), "budget_ms": 50}


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_a_view_comes_back_from_its_words_unchanged(slug: str, players: int) -> None:
    for decisions in (0, 5, 17, 40, 10_000):
        match = chance_match(slug, players, 8, decisions)
        for seat in (*range(players), None):
            data = json.loads(json.dumps(view_data(match.view(seat))))
            assert read_view(data) == match.view(seat)
            assert view_data(read_view(data)) == data


def test_R92_a_showdown_without_a_card_comes_back_from_its_words_unchanged() -> None:
    match = scene("house", ["prince guard", "king"], deck=0)
    match.play("prince 1")
    for seat in (0, 1, None):
        data = json.loads(json.dumps(view_data(match.view(seat))))
        assert {"event": "revealed", "seat": 1, "card": None} in data["log"][0]
        assert read_view(data) == match.view(seat)


def test_the_bot_command_answers_each_line() -> None:
    views = [match.view(match.turn) for match in (chance_match("premium", 5, k, 4 * k) for k in range(8)) if match.turn]
    raw = "\n\n".join(json.dumps(request(view)) for view in views).encode()
    done = call("bot", "random", "--seed", "3", given=raw)
    assert (done.status, done.err) == (0, "")
    assert [list(row) for row in done.lines] == [["move"]] * len(views)
    assert all(row["move"] in view.legal for row, view in zip(done.lines, views, strict=True))
    assert call("bot", "random", "--seed", "3", given=raw).out == done.out


def test_a_bad_request_is_answered_with_an_error_and_the_next_one_is_read(view: View) -> None:
    good = request(view)
    entry = {"event": "round", "seat": 0, "seats": [10**12]}
    bad: list[Any] = [None, [], {}, 1, "view", {"view": 1, "legal": []}, {"view": {}, "legal": ["king"]}, record()]
    bad += [{**good, "legal": []}, {**good, "legal": None}, {"view": good["view"]}]
    for key, value in [("edition", "ancient"), ("players", []), ("phase", 1), ("log", [[entry]]), ("piles", [["x"]])]:
        bad.append({**good, "view": {**good["view"], key: value}})
    lines = [json.dumps(row) for row in bad] + ["{", "NaN", "[" * 5000, json.dumps(good)]
    done = call("bot", "random", given="\n".join(lines).encode() + b"\n\xff\n")
    assert (done.status, done.err) == (0, "")
    keys = [next(iter(row)) for row in done.lines]
    assert keys == ["error"] * (len(bad) + 3) + ["move", "error"]


@pytest.mark.parametrize("budget", ["86400001", "1e300", "1e999", "Infinity", "NaN", '"50"', "[]"])
@pytest.mark.parametrize("bot", ["expert", "search"])
def test_no_request_makes_a_bot_think_for_ever(view: View, bot: str, budget: str) -> None:
    raw = json.dumps(request(view)).replace('"budget_ms": 50', f'"budget_ms": {budget}').encode()
    assert len(view.legal) > 1
    done = call("bot", bot, given=raw)
    assert done.status == 0
    assert [list(row) for row in done.lines] == [["error"]]


def test_an_unknown_bot_is_refused() -> None:
    done = call("bot", "genius")
    assert (done.status, done.out) == (2, "")
    assert "genius" in done.err
