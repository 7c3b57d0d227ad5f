"""What `suitors join` refuses: addresses, tables, keys, programs, and servers that are none."""

import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from suitors.client import player
from suitors.client.connection import Address, ClientError, Keys, read_address, reading
from suitors.client.player import read_news
from support.bot_programs import LOOP, command_line
from support.join_programs import join, joined, opened, outcome_of, refused, start
from support.matches import call
from support.servers import Caller


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
        outcome_of(process)
    refused(join(host.address + path), "is over")


def test_without_a_server_there_is_no_table() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{free.getsockname()[1]}"
        refused(join(f"{origin}/tables/a"), f"no server of Suitors at {origin}", "refused")
        refused(join(f"{origin.replace('http', 'https')}/tables/a"), "no server of Suitors")
    refused(join(f"http://{'a' * 70}/tables/a"), "no server of Suitors")


def test_without_the_libraries_there_is_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("connection", "player"):
        monkeypatch.delitem(sys.modules, f"suitors.client.{module}")
        monkeypatch.delattr(f"suitors.client.{module}")
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
        status, out, err = outcome_of(process)
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
    monkeypatch.setattr(player, "PATIENCE_S", 0.3)
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
    with pytest.raises(ClientError, match="cannot read"), reading():
        read_news(message)
