"""`suitors join`: bots of this machine, in processes of their own, at the tables of a real server."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError

import pytest

from playing import Outcome, call
from programs import GOOD, LOOP, command_line
from programs import running as program
from serving import Caller, Running
from serving import running as serving
from suitors import joining
from suitors.calling import Address, Keys, Trouble, read_address, readable
from suitors.fair import verify
from suitors.joining import read_news
from suitors.records import replay, summary

Process = subprocess.Popen[bytes]
INTERRUPTED = (130, "", "\n")
SLOW_MS = 30
"""How long a house bot's turn takes where something has to happen in the middle of a match."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for all tests that do not kill theirs."""
    with serving(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def host(server: Running) -> Caller:
    """Somebody who opens tables and does not play."""
    return Caller(server.address, "Host")


def opened(host: Caller, players: int = 2, *bots: str, **settings: Any) -> str:
    """The path of a new table, with house bots in its first seats."""
    settings = {"edition": "classic", "pace_ms": 0, "rest_s": 0, **settings}
    table = host("POST", "/tables", players=players, seats=[{"bot": bot} for bot in bots], **settings)
    return f"/tables/{table['id']}"


def start(host: Caller, path: str) -> None:
    """Start the match."""
    host("POST", f"{path}/start", state=host("GET", path)["state"])


@contextmanager
def joined(host: Caller, path: str, *words: str, bot: str = "random") -> Iterator[Process]:
    """A program that has sat down at the table."""
    with program("join", host.address + path, "--bot", bot, *words) as process:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        assert re.fullmatch(r"(The bot sits in seat|Le robot occupe la place) \d\.\n", line), (line, told(process))
        yield process


def told(process: Process) -> tuple[int, str, str]:
    """How a program ends, and what else it says."""
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = process.stdout.read().decode(), process.stderr.read().decode()
    return process.wait(60), out, err


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
        assert told(process) == (0, winner(host, path), "")
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
        sentence = told(ada)[1]
        assert told(ben) == (0, sentence, "")
        assert told(cleo) == (0, in_french(sentence), "")
    assert sentence == winner(host, path)


def test_programs_that_come_at_the_same_moment_all_find_a_seat(host: Caller) -> None:
    path = opened(host, 4)
    with (
        program("join", host.address + path, "--bot", "random") as one,
        program("join", host.address + path, "--bot", "random") as two,
        program("join", host.address + path, "--bot", "random") as three,
        joined(host, path),
    ):
        reached_all = [process.stdout.readline() for process in (one, two, three) if process.stdout]
        assert len(reached_all) == 3
        assert {seat["kind"] for seat in host("GET", path)["seats"]} == {"person"}
        start(host, path)
        assert {told(process) for process in (one, two, three)} == {(0, winner(host, path), "")}


@pytest.mark.parametrize(("edition", "lang"), [("solitaire", "en"), ("solitaire-2019", "fr")])
def test_a_bot_plays_solitaire(host: Caller, edition: str, lang: str) -> None:
    path = opened(host, 1, edition=edition)
    with joined(host, path, "--lang", lang, bot="novice") as process:
        start(host, path)
        status, out, err = told(process)
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
        assert told(process) == (0, in_french(winner(host, path)), "")


def test_a_program_of_any_language_plays(host: Caller, tmp_path: Path) -> None:
    path = opened(host, 2, "random")
    with joined(host, path, "--budget-ms", "50", bot=f"cmd:{command_line(tmp_path, GOOD)}") as process:
        assert host("GET", path)["seats"][1]["name"] == "program (bot)"
        start(host, path)
        assert told(process) == (0, winner(host, path), "")


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
                status, out, err = told(process)
                assert (status, out) == (0, winner(host, path))
                assert set(err.splitlines()) <= {"The server does not answer; trying again."}


def test_a_stopped_program_returns_to_its_seat_with_its_key(host: Caller, tmp_path: Path) -> None:
    path, file = opened(host, 2, "random", pace_ms=SLOW_MS), tmp_path / "keys.json"
    with joined(host, path, "--key", str(file)) as process:
        assert file.stat().st_mode & 0o777 == 0o600
        word = host("GET", path)["seats"][1]["word"]
        process.send_signal(signal.SIGINT)
        assert told(process) == INTERRUPTED
    with joined(host, path, "--key", str(file)) as process:
        start(host, path)
        reached(host, path, 6)
        process.send_signal(signal.SIGINT)
        assert told(process) == INTERRUPTED
    assert host("GET", path)["seats"][1]["word"] == word
    with joined(host, path, "--key", str(file), "--seat", "1") as process:
        assert told(process) == (0, winner(host, path), "")
    with joined(host, path, "--key", str(file)) as process:  # it may come and look again who has won
        assert told(process) == (0, winner(host, path), "")
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"]
    assert json.loads(file.read_text()).keys() == {host.address}


def test_a_key_that_the_server_has_forgotten_is_replaced_and_others_stay(host: Caller, tmp_path: Path) -> None:
    path, file = opened(host, 2, "random"), tmp_path / "keys.json"
    file.write_text(json.dumps({host.address: "forgotten", "https://elsewhere.example": "kept"}))
    with joined(host, path, "--key", str(file)) as process:
        start(host, path)
        assert told(process) == (0, winner(host, path), "")
    keys = json.loads(file.read_text())
    assert keys.pop("https://elsewhere.example") == "kept"
    assert len(keys.pop(host.address)) > 40
    assert not keys


def test_a_seat_that_nobody_could_return_to_is_left_free(host: Caller) -> None:
    path = opened(host)
    with joined(host, path, "--seat", "1") as process:
        process.send_signal(signal.SIGINT)
        assert told(process) == INTERRUPTED
    assert host("GET", path)["seats"][1]["kind"] == "empty"


def test_a_seat_that_was_handed_over_is_taken_back(host: Caller, tmp_path: Path) -> None:
    path, file = opened(host, 2, "random", pace_ms=SLOW_MS), tmp_path / "keys.json"
    with joined(host, path, "--key", str(file)) as process:
        start(host, path)
        owner = Caller(host.address, "Owner")
        for cookie in owner.jar:
            cookie.value = json.loads(file.read_text())[host.address]
        hand_over(owner, path, 1)
        assert told(process) == (0, winner(host, path), "")
    kinds = [event["kind"] for event in owner("GET", f"{path}/events?seat=1")["events"]]
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
        assert told(one) == (2, "", "suitors: The host has freed our seat.\n")
        host("DELETE", f"{path}?state={host('GET', path)['state']}")
        assert told(two) == (2, "", "suitors: The host has closed the table.\n")


# What is refused


def refused(done: Outcome, *words: str) -> None:
    """Status 2, one sentence on standard error, and nothing else."""
    assert (done.status, done.out) == (2, "")
    assert re.fullmatch(r"suitors: .+\.\n", done.err), done.err
    assert all(word in done.err for word in words), done.err


def join(*words: str) -> Outcome:
    """Call the command in this process."""
    return call("join", "--bot", "random", *words)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://127.0.0.1:8765/tables/a-B_9", "http://127.0.0.1:8765"),
        ("http://127.0.0.1:8765/api/v1/tables/a-B_9/", "http://127.0.0.1:8765"),
        ("HTTPS://Play.Example.org/tables/a-B_9?seat=1#hand", "https://play.example.org"),
        ("localhost:8765/tables/a-B_9", "http://localhost:8765"),
        ("http://[::1]:8765/tables/a-B_9", "http://[::1]:8765"),
    ],
)
def test_the_addresses_that_people_have(url: str, origin: str) -> None:
    assert read_address(url) == Address(origin, "a-B_9")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "here",
        "http://127.0.0.1:8765",
        "http://127.0.0.1:8765/tables/",
        "http://127.0.0.1:8765/tables/a/b",
        "http://127.0.0.1:8765/tables/a%20b",
        "http://127.0.0.1:99999/tables/a",
        "http://127.0.0.1:port/tables/a",
        "http://me:secret@127.0.0.1/tables/a",
        "http://[::1/tables/a",
        "http:///tables/a",
        "ftp://127.0.0.1/tables/a",
        "file:///tables/a",
        "http://exa mple/tables/a",
        "http://127.0.0.1/tables/\n",
        "http://127.0.0.1/tables/" + "a" * 65,
    ],
)
def test_other_addresses_are_refused(url: str) -> None:
    refused(join("--", url), "is no table's address")


def test_what_the_command_line_cannot_mean_is_refused(host: Caller, tmp_path: Path) -> None:
    url = host.address + opened(host)
    refused(call("join", url, "--bot", "genius"), "no bot 'genius'", "expert and cmd:PROGRAM")
    refused(join(url, "--seat", "8"), "--seat")
    refused(join(url, "--budget-ms", "0"), "budget")
    refused(join(url, "--name", "\u202e"), "A name has")
    refused(join(url, "--name", ""), "A name has")
    refused(join(url, "--key", str(tmp_path / "no folder" / "keys")), "cannot be written")
    refused(join(url, "--key", str(tmp_path)), "is a directory")
    for text in ("no JSON", "[]", '{"http://a": 1}', '{"http://a": "b\\r\\nc"}'):
        (tmp_path / "keys").write_text(text)
        refused(join(url, "--key", str(tmp_path / "keys")), "not a file of keys")
        assert (tmp_path / "keys").read_text() == text
    assert {seat["kind"] for seat in host("GET", url.removeprefix(host.address))["seats"]} == {"empty"}


def test_tables_without_a_seat_for_us_are_refused(host: Caller) -> None:
    refused(join(f"{host.address}/tables/nowhere"), "no such table")
    path = opened(host, 3, "random", "random", open=True, pace_ms=10_000)
    refused(join(host.address + path, "--seat", "1"), "Seat 1 is taken.")
    refused(join(host.address + path, "--seat", "3"), "no seat 3", "0 to 2")
    host("PUT", f"{path}/seats/2", state=host("GET", path)["state"])
    refused(join(host.address + path), "All seats of this table are taken.")
    start(host, path)
    refused(join(host.address + path), "has begun already")
    host("DELETE", f"{(path := opened(host))}?state=1")
    refused(join(host.address + path), "has been closed")
    private = opened(host, 2, "random", "random")
    host("DELETE", f"{private}/seats/0?state={host('GET', private)['state']}")
    host("PUT", f"{private}/seats/0", state=host("GET", private)["state"])
    start(host, private)
    refused(join(host.address + private), "not open to you")


def test_a_match_that_is_over_is_refused(host: Caller) -> None:
    path = opened(host, 1, edition="solitaire", open=True)
    with joined(host, path) as process:
        start(host, path)
        told(process)
    refused(join(host.address + path), "is over")


def test_without_a_server_there_is_no_table() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{free.getsockname()[1]}"
        refused(join(f"{origin}/tables/a"), f"no server of Suitors at {origin}", "refused")
        refused(join(f"{origin.replace('http', 'https')}/tables/a"), "no server of Suitors")
    refused(join(f"http://{'a' * 70}/tables/a"), "no server of Suitors")


def test_without_the_libraries_there_is_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("calling", "joining"):
        monkeypatch.delitem(sys.modules, f"suitors.{module}")
        monkeypatch.delattr(f"suitors.{module}")
    monkeypatch.setitem(sys.modules, "websockets.exceptions", None)
    refused(join("http://127.0.0.1:1/tables/a"), "pip install 'suitors[server]'")


def test_a_program_that_fails_ends_with_a_sentence(host: Caller, tmp_path: Path) -> None:
    path = opened(host, 2, "random")
    url = host.address + path
    refused(call("join", url, "--bot", f"cmd:{tmp_path}/nothing"), "The bot could not be started")
    wrong = command_line(tmp_path, LOOP + "print(json.dumps({'move': 'pass'}), flush=True)")
    refused(call("join", url, "--bot", f"cmd:{wrong}"), "The bot answered 'pass'")
    assert host("GET", path)["seats"][1]["kind"] == "empty"
    once = LOOP + "print(json.dumps({'move': request['legal'][0]}), flush=True)\n    break"
    with joined(host, path, bot=f"cmd:{command_line(tmp_path, once)}") as process:
        start(host, path)
        status, out, err = told(process)
    assert (status, out) == (2, "")
    assert "suitors: The bot ended instead of answering (exit status 0).\n" in err or "stopped reading" in err


# Servers that are none


TABLE = {
    "state": 1,
    "status": "waiting",
    "edition": "classic",
    "options": {},
    "seats": [{"kind": "empty", "word": ""}, {"kind": "empty", "word": "w"}],
    "yours": [],
}


class Stub(BaseHTTPRequestHandler):
    """Answers by a function from method and path to status, headers and body."""

    answer: Callable[[str, str], tuple[int, dict[str, str], bytes]]

    def handle_one_request(self) -> None:
        self.raw_requestline = self.rfile.readline(65_537)
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, headers, body = type(self).answer(self.command, self.path)
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), "Connection": "close", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def stub(answer: Callable[[str, str], tuple[int, dict[str, str], bytes]]) -> Iterator[str]:
    """The address of a table at a server that is none."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Answering", (Stub,), {"answer": staticmethod(answer)}))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/tables/a"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize(
    ("status", "headers", "body", "words"),
    [
        (301, {"Location": "http://127.0.0.1:1/"}, b"", "it answered 301"),
        (404, {}, b"<h1>Not here</h1>", "it answered 404"),
        (404, {}, b'{"error": "no"}', "it answered 404"),
        (200, {}, b"<h1>Hello</h1>", "no server of Suitors"),
        (200, {"Content-Length": "100"}, b"{", "no server of Suitors"),
        (200, {}, b"[" * 100_000, "no server of Suitors"),
        (200, {}, b"[]", "cannot read"),
        (200, {}, b'{"state": 0}', "cannot read"),
        (200, {}, json.dumps({**TABLE, "yours": [2]}).encode(), "cannot read"),
        (502, {}, b"", "it answered 502"),
        (429, {}, b'{"error": {"code": "too-many", "message": "Wait.", "wait_s": 1}}', "Wait."),
        (403, {}, b'{"error": {"code": "x", "message": "\\u001b[31mRed."}}', "\ufffd[31mRed."),
    ],
)
def test_whatever_answers_a_sentence_says_what_is_wrong(
    status: int, headers: dict[str, str], body: bytes, words: str
) -> None:
    with stub(lambda *_: (status, headers, body)) as url:
        refused(join(url), words)


def test_a_server_that_stays_away_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "PATIENCE_S", 0.3)
    asked = []

    def answer(method: str, path: str) -> tuple[int, dict[str, str], bytes]:
        asked.append((method, path))
        away = path.startswith("/api/v1/tables/a/live")
        return (503 if away else 200), {"Set-Cookie": "suitors=k; Path=/"}, json.dumps(TABLE).encode()

    with stub(answer) as url:
        done = join(url, "--seat", "1")
    assert (done.status, done.out) == (2, "The bot sits in seat 1.\n")
    assert done.err.startswith("The server does not answer; trying again.\nsuitors: There is no server of Suitors at ")
    assert ("POST", "/api/v1/me") in asked
    assert asked[-1] == asked[-2] == ("GET", "/api/v1/tables/a/live?seat=1&since=0")


def test_a_table_that_never_stands_still_is_given_up() -> None:
    stale = b'{"error": {"code": "stale", "message": "The table has moved on.", "state": 2}}'

    def answer(method: str, path: str) -> tuple[int, dict[str, str], bytes]:
        return (409, {}, stale) if method == "PUT" else (200, {}, json.dumps(TABLE).encode())

    with stub(answer) as url:
        refused(join(url), "moves on faster")


def test_an_edition_that_we_do_not_know_is_refused() -> None:
    body = json.dumps({**TABLE, "edition": "future"}).encode()
    with stub(lambda *_: (200, {}, body)) as url:
        refused(join(url), "no edition 'future'")


def test_a_key_goes_only_to_the_server_that_gave_it(tmp_path: Path) -> None:
    keys = Keys(tmp_path / "keys")
    keys.keep("http://a", "one")
    keys.keep("https://a", "two")
    again = Keys(tmp_path / "keys")
    assert [again.find(origin) for origin in ("http://a", "https://a", "http://a:80")] == ["one", "two", None]


@pytest.mark.parametrize(
    "message",
    [None, {}, {"type": "news"}, {"type": "news", "scene": 1}, {"type": "news", "scene": None, "state": 1e999}],
)
def test_messages_that_are_none_are_a_trouble(message: Any) -> None:
    with pytest.raises(Trouble, match="cannot read"), readable():
        read_news(message)
