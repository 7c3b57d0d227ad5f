"""A real server: connections that say nothing, slowly or too much; what its logs, numbers and health tell."""

import json
import re
import socket
import urllib.request
from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from suitors.notation import CARD_NAMES
from support.raw_connections import UPGRADE, dial, frame, head, opened, rest, table_at, trickle
from support.servers import API, FREE, TOKEN, Caller, Running, read_metrics, running

LIMITS = vars(FREE) | {"body_s": 0.6, "connections_client": 30, "message_bytes": 1000}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("connections")
    limits = folder / "strict.toml"
    limits.write_text("".join(f"{key} = {value}\n" for key, value in LIMITS.items()))
    with running(folder, "--limits", str(limits)) as found:
        yield found


# Slow, silent, many


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
    ids=["nothing", "half a line", "half a head"],
)
def test_a_connection_that_does_not_finish_its_request_is_closed(server: Running, sent: bytes) -> None:
    with dial(server) as line:
        line.sendall(sent)
        assert rest(line) == b""


def test_a_body_that_does_not_come_is_waited_for_no_longer(server: Running) -> None:
    with dial(server) as line:
        line.sendall(head(server, f"POST {API}/me", "Content-Length: 100", "Content-Type: application/json") + b"{")
        told = rest(line)
        assert told.startswith(b"HTTP/1.1 408 ")
        assert b'"too-slow"' in told
        assert b"nosniff" in told


def test_a_body_that_nobody_reads_does_not_keep_a_connection_open(server: Running) -> None:
    with dial(server) as line:
        line.sendall(head(server, "GET /health", "Content-Length: 1000000"))
        assert line.recv(12) == b"HTTP/1.1 200"
        assert trickle(line)


def test_a_large_body_is_refused_before_it_comes(server: Running) -> None:
    for size in ("Content-Length: 1000000000", "Transfer-Encoding: chunked"):
        with dial(server) as line:
            line.sendall(head(server, f"POST {API}/me", size))
            if "chunked" in size:
                line.sendall(b"4001\r\n" + b"x" * 0x4001 + b"\r\n4000\r\n")
            assert rest(line).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x00\xa5\x01\x00", b"GET /\r\n\r\n", b"\x00" * 100])
def test_what_is_no_http_is_refused(server: Running, sent: bytes) -> None:
    with dial(server) as line:
        line.sendall(sent)
        assert rest(line)[:13] in (b"", b"HTTP/1.1 400 ", b"HTTP/1.1 421 ")
    assert urllib.request.urlopen(f"{server.address}/health", timeout=30).status == 200


def test_one_client_may_hold_so_many_connections(server: Running) -> None:
    most = int(LIMITS["connections_client"])
    lines = [dial(server) for _ in range(most + 10)]
    for line in lines:
        line.sendall(head(server, "GET /health"))
    answered = [line_answers(line) for line in lines]
    for line in lines:
        line.close()
    assert answered.count(True) <= most
    assert answered.count(True) >= most - 10
    assert answered.count(False) >= 10
    assert urllib.request.urlopen(f"{server.address}/health", timeout=30).status == 200  # they have been let go


def line_answers(line: socket.socket) -> bool:
    try:
        return line.recv(12) == b"HTTP/1.1 200"
    except ConnectionError:
        return False


def test_a_socket_that_asks_and_never_reads_is_cut_off(server: Running) -> None:
    ada = Caller(server.address, "Ada")
    _, path = table_at(ada, start=True)
    ping = frame(0x9, b"x" * 125)
    with opened(server, ada, f"{path}/live") as other, dial(server) as line:
        line.sendall(head(server, f"GET {API}{path}/live", *UPGRADE))
        with pytest.raises(ConnectionError):
            line.sendall(ping * 1_000_000)  # a hundred megabytes; the answers are not read
        assert json.loads(other.recv(30))["type"] == "hello"


def test_oversized_messages_end_a_socket_and_only_that(server: Running) -> None:
    ada = Caller(server.address, "Ada")
    _, path = table_at(ada, start=True)
    with opened(server, ada, f"{path}/live") as good, opened(server, ada, f"{path}/live") as bad:
        bad.send("x" * 1001)
        with pytest.raises(ConnectionClosed) as end:
            deque(iter(partial(bad.recv, 30), None))
        assert end.value.rcvd is not None
        assert end.value.rcvd.code == 1009
        good.send(json.dumps({"do": "deal", "state": 0, "id": "mine"}))
        while (told := json.loads(good.recv(30)))["type"] != "answer":
            pass
        assert told["id"] == "mine"


# What is told


def words_in(data: Any) -> set[str]:
    return set(re.findall(r"[a-z_-]+", str(data)))


def test_logs_numbers_and_health_name_nobody_and_no_card(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    with running(tmp_path, "--metrics-token", str(tmp_path / "token")) as server:
        ada = Caller(server.address, "Ada Lovelace")
        ben = Caller(server.address, "Benjamin")
        code = ada("POST", "/me/transfers")["code"]
        ben("POST", "/me/arrivals", code=code, replace=True)  # Ben's device is Ada's now
        table, path = table_at(ada, start=True)
        private, hidden = table_at(ada, open=False)
        ada("PUT", f"{hidden}/seats/0/word", state=private["state"], word="a-word-of-mine")
        with opened(server, ada, f"{path}/live?seat=0") as line:
            scene: dict[str, Any] = {"turn": None}
            status = "playing"
            while status == "playing":
                told = json.loads(line.recv(30))
                if told["type"] == "news":
                    scene, status, state = told["scene"], told["status"], told["state"]
                    if scene["turn"] == 0:
                        line.send(json.dumps({"do": "move", "state": state, "move": scene["legal"][0]}))
        ada("GET", f"{path}/record")
        for bad in (f"{path}/view?seat=7", f"{path}/nothing", "/tables/guess-at-a-table", f"{hidden}/view?seat=x"):
            with pytest.raises(HTTPError):
                ben("GET", bad)
        with pytest.raises(InvalidStatus):
            opened(server, ada, "/tables/guess-at-a-table/live")
        with pytest.raises(InvalidStatus):
            opened(server, ada, f"{path}/live?seat=9")
        numbers = read_metrics(server.address, TOKEN)
        health = json.loads(urllib.request.urlopen(f"{server.address}/health", timeout=30).read())
        keys = [cookie.value for who in (ada, ben) for cookie in who.jar]
        assert server.end() == 0
        lines = (tmp_path / "log").read_text().splitlines()
    entries = [json.loads(entry) for entry in lines]  # JSON Lines, every one of them
    asked = [entry for entry in entries if entry["event"] == "request"]
    assert {"at", "level", "event", "request_id", "method", "path", "status", "ms"} == set(asked[0])
    assert f"{API}/tables/{{table_id}}/live" in {entry["path"] for entry in asked}
    assert [entry["event"] for entry in entries][-1] == "closed"
    secrets = [*keys, code, table["id"], private["id"], "guess-at-a-table", "a-word-of-mine", "Lovelace", "Benjamin"]
    for told in ("\n".join(lines), numbers, str(health)):
        for secret in secrets:
            assert str(secret) not in told
        assert not words_in(told) & set(CARD_NAMES)
    assert health["ok"] is True
    assert re.search(r"^suitors_events_total \d{2,}\.0$", numbers, re.M)
    assert 'suitors_requests_total{method="GET",status="404"}' in numbers
    assert 'suitors_requests_total{method="SOCKET",status="101"} 1.0' in numbers


def test_a_refused_socket_is_no_error_in_the_log(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        for path in (f"{API}/tables/nowhere/live", "/elsewhere"):
            with pytest.raises(InvalidStatus) as refused:
                connect(server.address.replace("http", "ws") + path)
            assert refused.value.response.status_code == 404
        assert server.end() == 0
        lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [line["status"] for line in lines if line["event"] == "request"] == [404, 404]
    told = {line["level"] for line in lines if line["event"] != "unsafe"}  # tests may run as root
    assert told == {"info"}
