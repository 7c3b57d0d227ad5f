"""`suitors join`: bots of this machine, in processes of their own, at the tables of a real server."""

import json
import signal
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError

import pytest

from suitors.fair import verify
from suitors.records.record import replay, summary
from support.bot_programs import GOOD, command_line, noting, talking
from support.join_programs import joined, joining, opened, outcome_of, start
from support.servers import Caller, all_events
from support.servers import running as serving

INTERRUPTED = (130, "", "\n")
SLOW_MS = 100
"""How long a house bot's turn takes where something has to happen in the middle of a match."""


def reached(host: Caller, path: str, more: int) -> None:
    """Wait until the table has moved on by so many states."""
    goal, until = host("GET", path)["state"] + more, monotonic() + 30
    while (table := host("GET", path))["state"] < goal:
        assert table["status"] != "over"
        assert monotonic() < until
        sleep(0.01)


def winner(host: Caller, path: str) -> str:
    """The sentence about who has won, by the record; whose deals are honest."""
    record = host("GET", f"{path}/record")
    assert verify(record).honest
    names = [record["players"][seat] for seat in summary(replay(record))["winners"]]
    if len(names) == 1:
        return f"{names[0]} has won the match.\n"
    return f"{', '.join(names)} have won the match together.\n"


def in_french(sentence: str) -> str:
    """What French players read of it."""
    one = sentence.replace("has won the match", "a gagné la partie")
    return one.replace("have won the match together", "ont gagné la partie ensemble")


# Whole matches


@pytest.mark.parametrize(
    ("edition", "bots", "bot"),
    [("classic", ["random"], "random"), ("premium", ["novice"] * 4, "novice"), ("modern", ["random"] * 2, "counting")],
)
def test_a_bot_plays_a_whole_match(host: Caller, edition: str, bots: list[str], bot: str) -> None:
    path = opened(host, len(bots) + 1, *bots, edition=edition, open=True)
    with joined(host, path, bot=bot) as process:
        seat = host("GET", path)["seats"][-1]
        assert (seat["kind"], seat["name"]) == ("person", f"{bot} (bot)")
        start(host, path)
        assert outcome_of(process) == (0, winner(host, path), "")
    words = [round_["words"][-1] for round_ in host("GET", f"{path}/record")["rounds"]]
    assert set(words) == {host("GET", path)["seats"][-1]["word"]}
    assert len(words[0]) > 10


def test_programs_alone_play_at_a_table_whose_host_only_starts_it(host: Caller) -> None:
    path = opened(host, 3)
    with (
        joined(host, path, "--name", "Ada", "--seat", "2", bot="novice") as ada,
        joined(host, path, "--name", "Ben") as ben,
        joined(host, path, "--name", "Cleo", "--lang", "fr") as cleo,
    ):
        assert [seat["name"] for seat in host("GET", path)["seats"]] == ["Ben", "Cleo", "Ada"]
        start(host, path)
        sentence = outcome_of(ada)[1]
        assert outcome_of(ben) == (0, sentence, "")
        assert outcome_of(cleo) == (0, in_french(sentence), "")
    assert sentence == winner(host, path)


def test_programs_that_come_at_the_same_moment_all_find_a_seat(host: Caller) -> None:
    path = opened(host, 4)
    with (
        joining(host, path) as one,
        joining(host, path) as two,
        joining(host, path) as three,
        joined(host, path),
    ):
        reached_all = [process.stdout.readline() for process in (one, two, three)]
        assert len(reached_all) == 3
        assert {seat["kind"] for seat in host("GET", path)["seats"]} == {"person"}
        start(host, path)
        assert {outcome_of(process) for process in (one, two, three)} == {(0, winner(host, path), "")}


def test_a_bot_is_ready_for_the_next_round_when_somebody_else_is(host: Caller) -> None:
    path = opened(host, 2, rest_s=3600)
    host("PUT", f"{path}/seats/0", state=host("GET", path)["state"])
    with joined(host, path):
        start(host, path)
        until = monotonic() + 30
        while (view := host("GET", f"{path}/view?seat=0"))["view"]["round"] < 1:
            assert monotonic() < until
            if view["view"]["legal"]:
                host("POST", f"{path}/moves", state=view["state"], seat=0, move=view["view"]["legal"][0])
            elif view["view"]["phase"] == "deal" and view["view"]["round"] == 0:
                with suppress(HTTPError):  # it may have been dealt by now
                    host("POST", f"{path}/deal", state=view["state"])


@pytest.mark.parametrize(("edition", "lang"), [("solitaire", "en"), ("solitaire-2019", "fr")])
def test_a_bot_plays_solitaire(host: Caller, edition: str, lang: str) -> None:
    path = opened(host, 1, edition=edition)
    with joined(host, path, "--lang", lang, bot="novice") as process:
        start(host, path)
        status, out, err = outcome_of(process)
    assert (status, err) == (0, "")
    won = bool(summary(replay(host("GET", f"{path}/record")))["winners"])
    assert (
        out
        == {
            ("en", True): "The game is won.\n",
            ("en", False): "The game is lost.\n",
            ("fr", True): "La partie est gagnée.\n",
            ("fr", False): "La partie est perdue.\n",
        }[lang, won]
    )


def test_a_demo_table_speaks_french(host: Caller) -> None:
    path = opened(host, 2, "random", edition="demo")
    with joined(host, path) as process:
        start(host, path)
        assert outcome_of(process) == (0, in_french(winner(host, path)), "")


def test_a_program_of_any_language_plays(host: Caller, tmp_path: Path) -> None:
    path = opened(host, 2, "random")
    with joined(host, path, "--budget-ms", "50", bot=f"cmd:{command_line(tmp_path, GOOD)}") as process:
        assert host("GET", path)["seats"][1]["name"] == "program (bot)"
        start(host, path)
        assert outcome_of(process) == (0, winner(host, path), "")


def test_a_program_of_version_2_is_told_the_whole_match(host: Caller, tmp_path: Path) -> None:
    path, told = opened(host, 2, "random"), tmp_path / "told"
    with joined(host, path, bot=f"cmd2:{command_line(tmp_path, talking(noting(told)))}") as process:
        start(host, path)
        assert outcome_of(process) == (0, winner(host, path), "")
    heard: dict[str, list[Any]] = {}
    for process_id, text in (line.split(" ", 1) for line in told.read_text().splitlines()):
        heard.setdefault(process_id, []).append(json.loads(text))
    kinds = {process_id: [message["type"] for message in part] for process_id, part in heard.items()}
    assert sum(each.count("match") for each in kinds.values()) == 2  # the first is a trial, perhaps in another seat
    (played,) = (process_id for process_id, each in kinds.items() if "match-over" in each)
    assert kinds[played][-2:] == ["match-over", "quit"]
    messages = heard[played]
    assert summary(replay(host("GET", f"{path}/record")))["winners"] == messages[-2]["winners"]


# Interruptions


def test_a_server_that_is_killed_and_comes_back_finds_its_guests_again(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        host = Caller(server.address, "Host")
        path = opened(host, 3, "random", pace_ms=SLOW_MS, edition="modern")
        with joined(host, path) as one, joined(host, path) as two:
            start(host, path)
            for _ in range(2):
                reached(host, path, 6)
                server.restart()
            for process in (one, two):
                status, out, err = outcome_of(process)
                assert (status, out) == (0, winner(host, path))
                assert set(err.splitlines()) <= {"The server does not answer; trying again."}


def test_a_stopped_program_returns_to_its_seat_with_its_key(host: Caller, tmp_path: Path) -> None:
    path, file = opened(host, 2, "random", pace_ms=SLOW_MS), tmp_path / "keys.json"
    with joined(host, path, "--key", str(file)) as process:
        assert file.stat().st_mode & 0o777 == 0o600
        word = host("GET", path)["seats"][1]["word"]
        process.send_signal(signal.SIGINT)
        assert outcome_of(process) == INTERRUPTED
    with joined(host, path, "--key", str(file)) as process:
        start(host, path)
        reached(host, path, 6)
        process.send_signal(signal.SIGINT)
        assert outcome_of(process) == INTERRUPTED
    assert host("GET", path)["seats"][1]["word"] == word
    with joined(host, path, "--key", str(file), "--seat", "1") as process:
        assert outcome_of(process) == (0, winner(host, path), "")
    with joined(host, path, "--key", str(file)) as process:  # it may come and look again who has won
        assert outcome_of(process) == (0, winner(host, path), "")
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"]
    assert json.loads(file.read_text()).keys() == {host.address}


def test_a_key_that_the_server_has_forgotten_is_replaced_and_others_stay(host: Caller, tmp_path: Path) -> None:
    path, file = opened(host, 2, "random"), tmp_path / "keys.json"
    file.write_text(json.dumps({host.address: "forgotten", "https://elsewhere.example": "kept"}))
    with joined(host, path, "--key", str(file)) as process:
        start(host, path)
        assert outcome_of(process) == (0, winner(host, path), "")
    keys = json.loads(file.read_text())
    assert keys.pop("https://elsewhere.example") == "kept"
    assert len(keys.pop(host.address)) > 40
    assert not keys


def test_a_seat_that_nobody_could_return_to_is_left_free(host: Caller) -> None:
    path = opened(host)
    with joined(host, path, "--seat", "1") as process:
        process.send_signal(signal.SIGINT)
        assert outcome_of(process) == INTERRUPTED
    assert host("GET", path)["seats"][1]["kind"] == "empty"


def test_a_seat_that_was_handed_over_is_taken_back(host: Caller, tmp_path: Path) -> None:
    path, file = opened(host, 2, "random", pace_ms=SLOW_MS), tmp_path / "keys.json"
    with joined(host, path, "--key", str(file)) as process:
        start(host, path)
        owner = Caller(host.address, "Owner")
        for cookie in owner.jar:
            cookie.value = json.loads(file.read_text())[host.address]
        hand_over(owner, path, 1)
        assert outcome_of(process) == (0, winner(host, path), "")
    kinds = [event["kind"] for event in all_events(owner, path.rpartition("/")[2], 1)]
    assert kinds.index("handed") < kinds.index("returned")


def hand_over(owner: Caller, path: str, seat: int) -> None:
    """Let a house bot play on for a seat, however fast the table moves on."""
    while True:
        state = owner("GET", path)["state"]
        try:
            owner("POST", f"{path}/seats/{seat}/hand-over", state=state, bot="random")
            return
        except HTTPError as error:
            with error:
                if json.loads(error.read())["error"]["code"] != "stale":
                    raise


def test_what_the_host_undoes_ends_the_program(host: Caller) -> None:
    path = opened(host)
    with joined(host, path) as one, joined(host, path) as two:
        host("DELETE", f"{path}/seats/0?state={host('GET', path)['state']}")
        assert outcome_of(one) == (2, "", "suitors: The host has freed our seat.\n")
        host("DELETE", f"{path}?state={host('GET', path)['state']}")
        assert outcome_of(two) == (2, "", "suitors: The host has closed the table.\n")
