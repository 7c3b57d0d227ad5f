"""Clients that send nonsense, too much, too slowly, or what is not theirs; and what they can learn from outside."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect

from suitors.server.http.middleware import HEADERS
from support.servers import (
    API,
    FREE,
    SocketReader,
    change,
    denied,
    in_process,
    json_of,
    key_of,
    make_move,
    new_person,
    new_table,
    next_decision,
    on_loop,
    path_of,
    refused,
    server_of,
    started_table,
    state_of,
)

FEW = settings(max_examples=60, deadline=None)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=8,
)


def elsewhere(client: TestClient, address: str) -> TestClient:
    """A device at another address on the network."""
    other = TestClient(client.app, raise_server_exceptions=False, client=(address, 1234))
    other.portal = client.portal
    return other


# Nonsense

NEVER = 1_000_000
"""A state that no table is ever in."""

BODIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "name": ("POST", "/me", {"name": "x"}),
    "rename": ("PATCH", "/me", {"name": "x"}),
    "arrive": ("POST", "/me/arrivals", {"code": "x"}),
    "open": (
        "POST",
        "/tables",
        {"edition": "chess", "players": 2, "options": {}, "open": True, "pace_ms": 0, "rest_s": 0, "seats": [{}],
         "start": False},
    ),
    "sit": ("PUT", "/tables/ID/seats/0", {"state": NEVER, "name": "x", "bot": "random"}),
    "start": ("POST", "/tables/ID/start", {"state": NEVER}),
    "move": ("POST", "/tables/ID/moves", {"state": NEVER, "seat": 0, "move": "guard"}),
    "deal": ("POST", "/tables/ID/deal", {"state": NEVER}),
    "word": ("PUT", "/tables/ID/seats/0/word", {"state": NEVER, "word": "x"}),
    "hand-over": ("POST", "/tables/ID/seats/0/hand-over", {"state": NEVER, "bot": "random"}),
    "return": ("POST", "/tables/ID/seats/0/return", {"state": NEVER}),
    "take-back": ("POST", "/tables/ID/seats/0/take-back", {"state": NEVER}),
    "rematch": ("POST", "/tables/ID/rematch", {"state": NEVER}),
}  # fmt: skip


@pytest.mark.parametrize("kind", BODIES)
def test_wrong_types_in_any_field_are_refused_and_break_nothing(client: TestClient, ben: TestClient, kind: str) -> None:
    method, path, good = BODIES[kind]
    who = new_person(client, "Ada")
    table = started_table(who, ben)
    before = json_of(who.get(path_of(table, "view?seat=0")))

    @FEW
    @given(st.sampled_from([*good, "extra", None]), JSON)
    def send(field: str | None, value: Any) -> None:
        assume(field != "state" or type(value) is not int)  # that may be the state of the table
        body = json.dumps(value if field is None else {**good, field: value})
        url = API + path.replace("ID", table["id"])
        answer = who.request(method, url, content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (200, 201, 400, 403, 404, 409, 422), answer.text
        if answer.status_code >= 400:
            assert set(answer.json()) == {"error"}
            assert answer.json()["error"]["message"]

    send()
    assert json_of(who.get(path_of(table, "view?seat=0"))) == before


RAW = {
    "no UTF-8": b'{"name": "\xff\xfe"}',
    "no JSON": b"{",
    "nothing": b"",
    "deep": b"[" * 10_000,
    "half a character": b'{"name": "\\ud800"}',
    "half a character as a key": b'{"name": "x", "\\udfff": 1}',
    "infinity": b'{"edition": "classic", "players": 2, "rest_s": Infinity}',
    "not a number": b'{"edition": "classic", "players": 2, "rest_s": NaN}',
    "a number without end": b'{"edition": "classic", "players": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("path", ["me", "tables"])
@pytest.mark.parametrize("raw", RAW.values(), ids=RAW)
def test_bytes_that_are_no_request_are_refused(ada: TestClient, path: str, raw: bytes) -> None:
    answer = ada.post(f"{API}/{path}", content=raw, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["code"] == "bad-request"


def test_a_form_of_another_page_is_no_json(ada: TestClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = ada.post(f"{API}/me", content=b'{"name": "x"}', headers={"content-type": kind})
        assert answer.status_code in (400, 422)


WRONG_STATE = st.just(NEVER) | JSON.filter(lambda value: type(value) is not int)


def test_garbage_through_a_socket_is_answered_and_the_socket_stays(ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben)
    next_decision({0: ada, 1: ben}, table)
    with ada.websocket_connect(path_of(table, "live")) as line:
        told = SocketReader(line)

        @FEW
        @given(
            JSON
            | st.fixed_dictionaries(
                {"do": st.sampled_from(["move", "deal", "word", "return", "hand-over", "take-back"])},
                optional={"id": JSON, "state": WRONG_STATE, "move": JSON, "word": JSON},
            )
        )
        def send(value: Any) -> None:
            line.send_text(json.dumps(value))
            assert told.answer()["error"]["code"] in ("bad-message", "stale")

        send()
        for text in ("", "{", "null", "[" * 2000, '{"do": []}', '{"do": {}}', '{"do": "move", "id": ' + "9" * 50 + "}"):
            line.send_text(text)
            assert told.answer()["error"]["code"] == "bad-message"
        line.send_bytes(b"\x00\xff")
        assert told.answer()["error"]["code"] == "bad-message"
        make_move({0: ada, 1: ben}, table, random.Random(1))
        assert told.read()["type"] == "news"


def test_nobody_acts_in_the_name_of_another(client: TestClient, ada: TestClient, ben: TestClient) -> None:
    table, eve = started_table(ada, ben, open=True), new_person(client, "Eve")
    state, seat, legal = next_decision({0: ada, 1: ben}, table)
    acts: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "moves", {"seat": seat, "move": legal[0]}),
        ("POST", f"seats/{seat}/hand-over", {}),
        ("POST", f"seats/{seat}/return", {}),
        ("PUT", f"seats/{seat}/word", {"word": "x"}),
        ("POST", "deal", {}),
    ]
    for method, path, body in acts:
        assert eve.request(method, path_of(table, path), json={"state": state, **body}).status_code == 403
    forged = {"state": state, "seat": seat, "move": legal[0], "person": 1}
    refused(eve.post(path_of(table, "moves"), json=forged), 422, "bad-request")
    assert state_of(ada, table) == state


# Too much


def test_large_bodies_are_refused_whether_or_not_they_say_so(ada: TestClient) -> None:
    large = json.dumps({"name": "x" * FREE.body_bytes}).encode()
    told = refused(ada.post(f"{API}/me", content=large), 413, "too-large")
    assert str(FREE.body_bytes) in told["message"]
    answer = ada.post(f"{API}/me", content=(large[k : k + 100] for k in range(0, len(large), 100)))
    refused(answer, 413, "too-large")
    assert answer.headers["connection"] == "close"
    for length in ("-1", "x", "1e3", "9" * 5000):
        refused(ada.post(f"{API}/me", content=b"{}", headers={"content-length": length}), 413, "too-large")


def test_a_flood_is_stopped_and_others_are_not_affected(tmp_path: Path) -> None:
    with in_process(tmp_path, requests_s=0.001, requests_burst=20) as client:
        answers = [client.get(f"{API}/catalogue") for _ in range(25)]
        assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 5
        assert refused(answers[-1], 429, "too-many")["wait_s"] > 0
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert denied(client, f"{API}/tables/x/live").status_code == 429
        other = elsewhere(client, "10.0.0.2")
        assert other.get(f"{API}/catalogue").status_code == 200
        neighbours = [elsewhere(client, f"2001:db8::{k}").get(f"{API}/catalogue").status_code for k in range(25)]
        assert neighbours == [200] * 20 + [429] * 5  # one subnet is one client


@pytest.mark.parametrize("guess", ["table", "socket", "key", "code"])
def test_who_guesses_is_soon_stopped(tmp_path: Path, guess: str) -> None:
    with in_process(tmp_path, misses_minute=5) as client:
        ada = new_person(client, "Ada")
        eve = elsewhere(client, "10.0.0.66")

        def ask(number: int) -> int:
            eve.cookies.clear()
            if guess == "table":
                return eve.get(path_of(f"guess-{number}")).status_code
            if guess == "socket":
                return int(denied(eve, path_of(f"guess-{number}", "live")).status_code)
            if guess == "code":
                return eve.post(f"{API}/me/arrivals", json={"code": f"guess-{number}"}).status_code
            eve.cookies.set("suitors", f"guess-{number}", domain="testserver.local")
            return eve.get(f"{API}/me").status_code

        assert [ask(number) for number in range(8)] == [401 if guess == "key" else 404] * 5 + [429] * 3
        json_of(ada.get(f"{API}/me"))
        blocked = eve.get(f"{API}/catalogue")
        assert int(blocked.headers["retry-after"]) >= 1


def test_persons_tables_and_sockets_are_counted(tmp_path: Path) -> None:
    with in_process(tmp_path, persons_hour=3, tables=2, sockets_person=2, sockets_client=3) as client:
        ada, ben, cleo = (new_person(client, name) for name in ("Ada", "Ben", "Cleo"))
        answer = client.post(f"{API}/me", json={"name": "Dan"})
        refused(answer, 429, "too-many-persons")
        assert int(answer.headers["retry-after"]) > 60
        json_of(elsewhere(client, "10.0.0.2").post(f"{API}/me", json={"name": "Dan"}), 201)
        tables = [new_table(ada, seats=[{}], open=True) for _ in range(2)]
        refused(ada.post(f"{API}/tables", json={"edition": "classic", "players": 2}), 429, "too-many-tables")
        json_of(change(ada, "DELETE", "", tables[0]))
        new_table(ada)
        live = path_of(tables[1], "live")
        with ada.websocket_connect(live), ada.websocket_connect(live):
            refused(denied(ada, live), 429, "too-many-sockets")
            with ben.websocket_connect(live):
                refused(denied(cleo, live), 429, "too-many-sockets")
        with cleo.websocket_connect(live) as line:
            SocketReader(line)


def test_too_many_messages_are_refused_and_then_the_socket_is_closed(tmp_path: Path) -> None:
    with in_process(tmp_path, messages_s=0.001, messages_burst=5) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        table = started_table(ada, ben)
        with (
            ada.websocket_connect(path_of(table, "live")) as line,
            ben.websocket_connect(path_of(table, "live")) as other,
        ):
            told, quiet = SocketReader(line), SocketReader(other)
            codes = []
            with pytest.raises(WebSocketDisconnect) as end:  # noqa: PT012 - which of them ends it is the point
                for _ in range(50):
                    line.send_text("{}")
                    codes.append(told.answer()["error"]["code"])
            assert end.value.code == 4029
            assert codes == ["bad-message"] * 5 + ["too-many"] * 5
            make_move({0: ada, 1: ben}, table, random.Random(2))
            assert quiet.read()["type"] == "news"


def test_a_socket_that_does_not_keep_up_is_let_go_and_the_others_are_not(tmp_path: Path) -> None:
    with in_process(tmp_path, backlog=10) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        table = started_table(ada, ben)
        next_decision({0: ada, 1: ben}, table)
        scope = {
            "type": "websocket", "path": path_of(table, "live"), "query_string": b"", "scheme": "ws",
            "subprotocols": [],
            "headers": [(b"host", b"testserver"), (b"cookie", f"suitors={key_of(ben)}".encode())],
            "extensions": {"websocket.http.response": {}}, "client": ("10.0.0.9", 1), "app": client.app,
        }  # fmt: skip
        sent: list[Any] = []

        async def stuck() -> None:
            """Ben's socket, which takes no more than the first message."""
            opening = iter([{"type": "websocket.connect"}])

            async def receive() -> Any:
                return next(opening, None) or await asyncio.Event().wait()

            async def send(message: Any) -> None:
                sent.append(message)
                if message["type"] == "websocket.send":
                    await asyncio.Event().wait()

            await client.app(scope, receive, send)

        assert client.portal is not None
        slow = client.portal.start_task_soon(stuck)
        loaded = server_of(client).tables.loaded
        with ada.websocket_connect(path_of(table, "live")) as line:
            told = SocketReader(line)
            while on_loop(client, lambda: len(loaded[table["id"]].subscribers)) < 2:
                pass
            rng, moves = random.Random(3), 0
            while not slow.done():
                make_move({0: ada, 1: ben}, table, rng)
                moves += 1
                assert moves < 40
            told_to_ada = [told.news[-1]["state"]]
            while told_to_ada[-1] < state_of(ada, table):
                told_to_ada.append(told.read()["state"])
            assert told_to_ada == sorted(set(told_to_ada))
        assert [message["type"] for message in sent] == ["websocket.accept", "websocket.send", "websocket.close"]
        assert sent[-1]["code"] == 4008
        assert "suitors_slow_sockets_total 1.0" in server_of(client).metrics.text().decode()


# What can be seen from outside


def test_every_answer_carries_the_headers_that_protect_it(
    client: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(table: str) -> None:
        raise RuntimeError(f"a secret about {table}")

    table = new_table(ada)
    answers = [
        ada.get("/"),
        ada.get("/health"),
        ada.get("/metrics"),
        ada.get(f"{API}/openapi.json"),
        ada.get(path_of(table)),
        ada.get("/docs"),
        ada.put("/"),
        ada.get(f"{API}/tables/"),
        ada.post(f"{API}/me", content=b"{"),
        ada.post(f"{API}/me", content=b"x" * 20_000),
        ada.get("/", headers={"host": "evil"}),
        denied(ada, "/nowhere"),
        denied(ada, path_of("nowhere", "live")),
        new_person(client, "x").delete(f"{API}/me"),
    ]
    monkeypatch.setattr(server_of(client).tables, "load", breaks)
    answers.append(ada.get(path_of(table)))
    refused(answers[-1], 500, "broken")
    assert "secret" not in answers[-1].text
    for answer in answers:
        for name, value in HEADERS:
            assert answer.headers[name.decode()] == value.decode(), (answer.url, name)
        assert "server" not in answer.headers
