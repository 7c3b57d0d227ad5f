"""`suitors admin`: what an operator can do on a running server, through a socket that only its user can open."""

import json
import os
import random
import socket
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from suitors.server.domain import registry
from suitors.server.domain.bans import MOST_BANS, read_subject
from suitors.server.errors import Refused
from suitors.server.ops.admin_socket import LONGEST, SOCKET
from suitors.server.ops.audit import AUDIT
from support.matches import Outcome, call
from support.quick_client import QuickClient
from support.servers import (
    API,
    change,
    denied,
    in_process,
    json_of,
    make_move,
    new_person,
    new_table,
    path_of,
    refused,
    running,
    server_of,
    started_table,
)
from support.stores import as_nobody


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("admin") / "data"


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with in_process(folder) as client:
        yield client


def admin(folder: Path, *words: str) -> Outcome:
    return call("admin", "--data", str(folder), *words)


def done(folder: Path, *words: str) -> str:
    """What the command prints, which must succeed."""
    outcome = admin(folder, *words)
    assert (outcome.status, outcome.err) == (0, "")
    return outcome.out


def fails(folder: Path, *words: str) -> str:
    """What the command says of bad input."""
    outcome = admin(folder, *words)
    assert (outcome.status, outcome.out) == (2, "")
    return outcome.err


def raw(folder: Path, request: bytes) -> dict[str, Any]:
    """The answer to a request in bytes."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(30)
        line.connect(str(folder / SOCKET))
        line.sendall(request)
        answer: dict[str, Any] = json.loads(line.makefile("rb").readline())
    return answer


def read_on(socket_: WebSocketTestSession) -> None:
    """Read until the socket is closed."""
    while True:
        socket_.receive_json()


def audited(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / AUDIT).read_text("utf-8").splitlines()]


def number_of(who: TestClient) -> int:
    """The number of a person."""
    made = new_table(who, seats=[{}])
    (seat,) = [seat for seat in server_of(who).tables.loaded[made["id"]].table.seats if seat.person is not None]
    assert seat.person is not None
    return seat.person


# Tables


def test_tables_are_listed_and_inspected_without_cards_or_keys(client: TestClient, folder: Path) -> None:
    ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
    table = started_table(ada, ben)["id"]
    listed = [json.loads(line) for line in done(folder, "tables", "--status", "playing").splitlines()]
    assert table in [line["id"] for line in listed]
    assert set(listed[0]) == {"id", "edition", "status", "open", "host", "updated"}
    assert json.loads(done(folder, "tables", "--limit", "1"))["id"]
    told = done(folder, "table", table)
    assert server_of(client).tables.loaded[table].table.secret.hex() not in told
    found = json.loads(told)
    keys = {"id", "edition", "open", "status", "state", "host", "round", "turn", "sockets", "seats"}
    assert set(found) == keys
    assert [(seat["name"], set(seat)) for seat in found["seats"]] == [
        (name, {"seat", "name", "person", "bot", "away"}) for name in ("Ada", "Ben")
    ]
    assert "There is no such table" in fails(folder, "table", "nowhere")


def test_a_table_can_be_closed_and_nobody_plays_on(client: TestClient, folder: Path) -> None:
    ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
    table = started_table(ada, ben)
    assert done(folder, "close", table["id"]) == f"Table {table['id']} is closed.\n"
    assert json_of(ada.get(path_of(table)))["status"] == "closed"
    refused(change(ada, "POST", "moves", table, seat=0, move="guard 1 priest"), 409, "not-playing")
    assert "The table is closed already." in fails(folder, "close", table["id"])


@pytest.mark.parametrize("name", ["-LLyQRF53Grd71DsrcMODw", "-h1yQRF53Grd71DsrcMODw", "--help_3Grd71DsrcMODwxx"])
def test_the_id_of_a_table_may_begin_with_a_hyphen(
    name: str, client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "new_id", lambda: name)
    made = new_table(new_person(client, "Ada"), seats=[{}])
    assert made["id"] == name
    assert json.loads(done(folder, "table", name))["id"] == name
    assert done(folder, "close", name) == f"Table {name} is closed.\n"


# Bans and names


def test_a_banned_person_is_not_answered_and_their_sockets_end(client: TestClient, folder: Path) -> None:
    ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
    number, table = number_of(ada), started_table(ada, ben)
    with ada.websocket_connect(path_of(table, "live")) as socket_:
        assert done(folder, "ban", f"person:{number}", "--reason", "spoils games") == f"person:{number} is banned.\n"
        with pytest.raises(WebSocketDisconnect):
            read_on(socket_)
    refused(ada.get(path_of(table)), 403, "banned")
    assert ada.get("/", headers={"accept": "text/html"}).status_code == 403
    assert denied(ada, path_of(table, "live")).status_code == 403
    assert json_of(ben.get(path_of(table)))["status"] == "playing"
    (listed,) = [json.loads(line) for line in done(folder, "bans").splitlines()]
    assert (listed["subject"], listed["reason"]) == (f"person:{number}", "spoils games")
    assert done(folder, "unban", f"person:{number}") == f"person:{number} is banned no longer.\n"
    assert ada.get(path_of(table)).status_code == 200
    assert "There is no such ban" in fails(folder, "unban", f"person:{number}")


def test_a_banned_address_is_not_answered_after_a_restart_either(tmp_path: Path) -> None:
    def ask(client: TestClient, address: str) -> int:
        other = QuickClient(client.app, raise_server_exceptions=False, client=(address, 1))
        other.portal = client.portal
        return other.get(f"{API}/tables").status_code

    with in_process(tmp_path) as client:
        for subject in ("192.0.2.7", "198.51.100.0/24", "2001:db8::1"):
            done(tmp_path, "ban", subject)
    with in_process(tmp_path) as client:
        banned = ("192.0.2.7", "198.51.100.200", "2001:db8::ffff", "::ffff:192.0.2.7")
        assert [ask(client, address) for address in banned] == [403] * 4
        assert [ask(client, address) for address in ("192.0.2.8", "198.51.101.1", "2001:db8:0:1::1")] == [200] * 3
        done(tmp_path, "unban", "192.0.2.7")
        assert ask(client, "192.0.2.7") == 200


@pytest.mark.parametrize("subject", ["", "everybody", "person:", "person:x", "192.0.2.7/24", "1.2.3", "person:9" * 7])
def test_bans_are_of_addresses_networks_and_persons(subject: str) -> None:
    with pytest.raises(Refused, match="A ban is of an address"):
        read_subject(subject)


def test_there_are_only_so_many_bans(client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("suitors.server.domain.bans.MOST_BANS", 0)
    assert MOST_BANS == 1000
    assert "bans already" in fails(folder, "ban", "192.0.2.99")
    assert done(folder, "bans") == ""


def test_a_person_can_be_renamed(client: TestClient, folder: Path) -> None:
    ada = new_person(client, "Rude")
    number = number_of(ada)
    assert done(folder, "rename", str(number), "  Ada  ") == f"Person {number} is called Ada now.\n"
    assert json_of(ada.get(f"{API}/me"))["name"] == "Ada"
    assert "A name has 1 to 32 letters" in fails(folder, "rename", str(number), "\u202eevil")
    assert "There is no such person" in fails(folder, "rename", "999999", "Ada")


# Pages, and the end


def test_an_announcement_is_on_all_pages_at_once(client: TestClient, folder: Path) -> None:
    ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
    table = started_table(ada, ben)
    with ada.websocket_connect(f"/tables/{table['id']}/page") as page:
        assert page.receive_json()["announcement"] == ""
        assert done(folder, "announce", "Back at <b>noon</b>") == "All pages show: Back at <b>noon</b>\n"
        assert page.receive_json()["announcement"] == "Back at <b>noon</b>"
        for path in ("/", "/rules", f"/tables/{table['id']}"):
            assert '<div id="announcement" role="status">Back at &lt;b&gt;noon&lt;/b&gt;</div>' in ada.get(path).text
        assert done(folder, "announce", "--clear") == "Pages show no announcement.\n"
        assert page.receive_json()["announcement"] == ""
    assert '<div id="announcement" role="status" hidden></div>' in ada.get("/").text
    assert "Give either a TEXT or --clear." in fails(folder, "announce")
    assert "none invisible" in fails(folder, "announce", "\u202e")
    assert "at most 280" in fails(folder, "announce", "x" * 281)


def test_a_server_that_is_drained_opens_no_tables_and_plays_on(client: TestClient, folder: Path) -> None:
    ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
    table = started_table(ada, ben)
    assert done(folder, "drain").startswith("No new tables are opened; matches in memory: ")
    try:
        answer = ada.post(f"{API}/tables", json={"edition": "classic", "players": 2})
        refused(answer, 503, "draining")
        assert answer.headers["retry-after"] == "60"
        make_move({0: ada, 1: ben}, table, random.Random(1))
    finally:
        assert done(folder, "drain", "--off") == "New tables are opened again.\n"
    new_table(ada)


def test_a_real_server_ends_when_told_and_what_a_killed_one_left_is_no_harm(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert f"No server is running on {data}." in fails(data, "tables")
    with running(tmp_path) as server:
        server.kill()
        assert (data / SOCKET).exists()
        assert f"No server is running on {data}." in fails(data, "tables")
        server.start()
        assert done(data, "stop") == "The server ends.\n"
        server.process.wait(30)
        assert server.process.returncode in (0, -15)
        assert '"event": "closed"' in (tmp_path / "log").read_text()
    assert not (data / SOCKET).exists()
    assert audited(data)[-1]["do"] == "stop"


@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_another_user_of_the_machine_may_not_connect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    with in_process(tmp_path):
        tmp_path.chmod(mode)
        assert stat.S_IMODE((tmp_path / SOCKET).stat().st_mode) == 0o600
        monkeypatch.chdir(tmp_path)  # the folders above are closed to others
        assert done(Path(), "tables") == ""  # and it loads what another user may not be able to read
        with as_nobody() as other:
            outcome = admin(Path(), "tables")
        assert outcome.status == (2 if other else 0)
        assert not other or "Only the user who runs the server" in outcome.err


# The socket


@pytest.mark.parametrize(
    "request_",
    [b"\n", b"hello\n", b"[1]\n", b"{}\n", b'{"do": 7}\n', b'{"do": "dance"}\n', b"\xff\xfe\n", b"[" * 5000 + b"\n"],
)
def test_what_is_no_request_is_refused(client: TestClient, folder: Path, request_: bytes) -> None:
    assert raw(folder, request_)["error"]["code"] == "bad-request"


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "table"},
        {"do": "table", "table": 7},
        {"do": "table", "table": "x" * 65},
        {"do": "tables", "limit": 0},
        {"do": "tables", "status": "lost"},
        {"do": "stop", "now": True},
        {"do": "rename", "person": 2**70, "name": "Ada"},
        {"do": "ban", "subject": "192.0.2.7", "reason": "x" * 300},
    ],
)
def test_what_is_wrong_with_a_request_is_said(client: TestClient, folder: Path, request_: dict[str, Any]) -> None:
    assert raw(folder, json.dumps(request_).encode() + b"\n")["error"]["code"] == "bad-request"


def test_a_request_that_is_too_long_is_refused(client: TestClient, folder: Path) -> None:
    assert raw(folder, b"x" * (LONGEST + 1))["error"]["code"] == "bad-request"


def test_many_may_ask_at_once(client: TestClient, folder: Path) -> None:
    subjects = [f"203.0.113.{k}/32" for k in range(12)]
    before = len(audited(folder)) if (folder / AUDIT).exists() else 0
    with ThreadPoolExecutor(12) as pool:
        given = [json.dumps({"do": "ban", "subject": subject}).encode() + b"\n" for subject in subjects]
        answers = list(pool.map(lambda request: raw(folder, request), given))
        assert sorted(answer["subject"] for answer in answers) == sorted(subjects)
        list(pool.map(lambda subject: server_unban(folder, subject), subjects))
    assert done(folder, "bans") == ""
    assert len(audited(folder)) == before + 25


def server_unban(folder: Path, subject: str) -> None:
    assert raw(folder, json.dumps({"do": "unban", "subject": subject}).encode() + b"\n") == {"subject": subject}


# The audit log


def test_everything_is_noted_and_only_the_user_can_read_it(client: TestClient, folder: Path) -> None:
    before = len(audited(folder)) if (folder / AUDIT).exists() else 0
    done(folder, "ban", "192.0.2.50", "--reason", "a\nb")
    fails(folder, "unban", "192.0.2.51")
    done(folder, "unban", "192.0.2.50")
    lines = audited(folder)[before:]
    assert [(line["do"], line["outcome"]) for line in lines] == [("ban", "ok"), ("unban", "not-found"), ("unban", "ok")]
    assert lines[0]["given"] == {"subject": "192.0.2.50", "reason": "a\nb"}
    assert lines[0]["user"] in (None, os.geteuid())
    assert stat.S_IMODE((folder / AUDIT).stat().st_mode) == 0o600


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with in_process(tmp_path):
        (tmp_path / AUDIT).mkdir()
        assert "The audit log could not be written" in fails(tmp_path, "bans")
