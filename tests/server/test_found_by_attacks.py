"""What attacks on a running server have found: large forms and names, strange hosts, races, unread answers."""

import asyncio
import json
import threading
from collections import deque
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from uvicorn.protocols.http.flow_control import FlowControl
from websockets.exceptions import ConnectionClosed

from suitors.game import Match
from suitors.server.domain.opening import NewTable
from suitors.server.domain.people import Person
from suitors.server.errors import Refused
from suitors.server.ops.connections import LimitedHttp, limited_http
from suitors.server.ops.limits import Limits
from suitors.server.ops.proxies import TrustedProxies
from suitors.server.web import requests
from support.raw_connections import frame, opened, table_at
from support.servers import (
    Caller,
    in_process,
    json_of,
    new_person,
    new_table,
    path_of,
    refused,
    running,
    server_of,
)

# Forms


def test_a_large_form_is_taken_apart_off_the_loop(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[threading.Thread] = []
    parse = requests.parse_fields

    def parse_fields(body: bytes) -> list[tuple[str, str]]:
        seen.append(threading.current_thread())
        return parse(body)

    async def loop_thread() -> threading.Thread:
        return threading.current_thread()

    monkeypatch.setattr(requests, "parse_fields", parse_fields)
    refused(client.post("/games", data={"text": "%" * 60_000}), 422, "bad-record")
    assert client.portal is not None
    assert client.portal.call(loop_thread) not in seen
    assert len(seen) == 1


@pytest.mark.parametrize("body", ["&" * 200_000, "a=b&" * 51], ids=["empty ones", "too many"])
def test_a_form_has_few_fields(client: TestClient, body: str) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert (
        "at most 50 fields"
        in refused(client.post("/games", content=body, headers=headers), 422, "bad-request")["message"]
    )


def test_a_form_has_one_file_and_its_refusal_one_full_stop(client: TestClient) -> None:
    files = [("file", (f"record-{number}", b"{}")) for number in range(2)]
    error = refused(client.post("/games", files=files), 400, "bad-request")
    assert not error["message"].endswith("..")


def test_what_is_no_form_has_no_fields(client: TestClient) -> None:
    answer = client.post("/look", content="back=/rules", headers={"content-type": "text/plain"}, follow_redirects=False)
    assert answer.headers["location"] == "/"


# Records


@pytest.mark.parametrize("name", ["<" * 101, "Ada\u202enosrep", "\ud800"], ids=["long", "turned round", "half"])
def test_names_in_records_can_be_shown(client: TestClient, name: str) -> None:
    match = Match("classic", ["Ada", "Ben"])
    while match.turn is not None:
        match.play(match.legal()[0])
    record = {**match.record(), "players": [name, "Ben"]}
    refused(client.post("/games", data={"text": json.dumps(record)}), 422, "bad-record")


# Requests


@pytest.mark.parametrize(
    "host",
    [
        "elsewhere.example@127.0.0.1",
        "127.0.0.1/x",
        "localhost?.example",
        "localhost#x",
        'localhost:1">',
        "localhost:123456",
    ],
)
def test_a_host_is_a_name_and_a_port(client: TestClient, host: str) -> None:
    refused(client.get("/me", headers={"host": host}), 421, "wrong-host")


def test_a_request_has_one_host(client: TestClient) -> None:
    for second in ("elsewhere.example", "localhost"):
        refused(client.get("/me", headers=[("host", second), ("host", "localhost")]), 421, "wrong-host")
    assert client.get("/me", headers={"host": "[::1]:8765"}).status_code == 200


# Sockets


def test_texts_that_are_no_text_end_a_socket_and_are_no_error_in_the_log(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ada = Caller(server.address, "Ada")
        _, path = table_at(ada, start=True)
        with opened(server, ada, f"{path}/live") as socket:
            socket.socket.sendall(frame(0x1, b"\xff") * 3)
            with pytest.raises(ConnectionClosed) as end:
                deque(iter(partial(socket.recv, 30), None))
        assert end.value.rcvd is None or end.value.rcvd.code == 1007
        assert server.end() == 0
        lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert {line["level"] for line in lines if line["event"] != "unsafe"} == {"info"}


# Races


def test_tables_opened_at_once_are_counted(tmp_path: Path) -> None:
    with in_process(tmp_path, tables=3) as client:
        server = server_of(client)
        ada = Person(1, "Ada")
        given = NewTable(edition="classic", players=2)

        async def act() -> list[Any]:
            opening = (server.open_table("somewhere", ada, given) for _ in range(10))
            return await asyncio.gather(*opening, return_exceptions=True)

        assert client.portal is not None
        found = client.portal.call(act)
        refusals = [each.code for each in found if isinstance(each, Refused)]
        assert set(refusals) == {"too-many-tables"}
        opened = client.portal.call(server.store.tables.count_unfinished, ada.id)
        assert opened == 10 - len(refusals) == 3


# Memory


def connection_of(kind: type[LimitedHttp], client: str) -> tuple[LimitedHttp, SimpleNamespace]:
    """A connection, and a transport that says how much of its answers is unread."""
    transport = SimpleNamespace(unread=0, aborted=False)
    transport.get_write_buffer_size = lambda: transport.unread
    transport.abort = lambda: setattr(transport, "aborted", True)
    timer = SimpleNamespace(cancel=lambda: None)
    found: Any = object.__new__(kind)
    found.loop, found.transport = SimpleNamespace(call_later=lambda *_: timer), transport
    found.flow, found.account = FlowControl(transport), client  # type: ignore[arg-type]
    return found, transport


def test_a_client_may_leave_so_many_bytes_unread(tmp_path: Path) -> None:
    kind = limited_http(Limits(unread_mb=1), TrustedProxies())
    for client, aborted in (("greedy", True), ("", False)):  # a trusted proxy reads for many
        lines = [connection_of(kind, client) for _ in range(3)]
        for line, transport in lines:
            transport.unread = 400_000
            line.pause_writing()
        assert [transport.aborted for _, transport in lines] == [False, False, aborted]
    other, transport = connection_of(kind, "another")
    transport.unread = 400_000
    other.pause_writing()
    assert not transport.aborted
    transport.unread = 0
    other.resume_writing()
    assert kind.unread_of["another"] == 0


def test_tables_that_nobody_watches_are_few_in_memory(tmp_path: Path) -> None:
    with in_process(tmp_path, idle_tables=5) as client:
        ada, server = new_person(client, "Ada"), server_of(client)
        tables = [new_table(ada)["id"] for _ in range(60)]
        server.tables.unload_idle()
        with ada.websocket_connect(f"{path_of(tables[0])}/live") as socket:
            socket.receive_text()
            for table in tables:
                json_of(ada.get(path_of(table)))
            assert len(server.tables.loaded) < 60
            server.tables.unload_idle()
            assert set(server.tables.loaded) == {tables[0], *tables[-5:]}
