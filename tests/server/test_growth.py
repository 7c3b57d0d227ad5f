"""What could grow without end has one: events, tables, records, keys, the store, and answers that nobody reads."""

import json
import random
import socket
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from fastapi.testclient import TestClient
from uvicorn.protocols.http.flow_control import FlowControl

from suitors.game import open_match
from suitors.rules import BOXES
from suitors.server.http.tables_api import EVENTS_PAGE
from suitors.server.ops.connections import MOST_PIPELINED, limited_http
from suitors.server.ops.limits import Limits
from suitors.server.ops.proxies import TrustedProxies
from suitors.server.storage import people as stored_people
from support.matches import chance_match
from support.raw_connections import head
from support.servers import (
    API,
    FREE,
    Running,
    change,
    in_process,
    json_of,
    make_move,
    new_person,
    new_table,
    next_decision,
    on_loop,
    path_of,
    refused,
    running,
    server_of,
    started_table,
    state_of,
)

RECORD = json.dumps(chance_match("classic", 2, 1, 4).record())


def padded(size: int) -> str:
    """A record of this many bytes."""
    return "{" + " " * (size - len(RECORD)) + RECORD[1:]


def keep(who: TestClient, size: int) -> Any:
    return who.post("/games", data={"text": padded(size)}, follow_redirects=False)


def elsewhere(client: TestClient, address: str) -> TestClient:
    """A device at another address on the network."""
    other = TestClient(client.app, raise_server_exceptions=False, client=(address, 1234))
    other.portal = client.portal
    return other


def say(who: TestClient, seat: int, table: dict[str, Any], word: str) -> Any:
    return change(who, "PUT", f"seats/{seat}/word", table, word=word)


# Events


def test_events_come_in_pages(client: TestClient, ada: TestClient) -> None:
    table = new_table(ada, seats=[{}], open=True)
    for _ in range(EVENTS_PAGE // 2 + 10):
        json_of(change(ada, "PUT", "seats/1", table, bot="random"))
        json_of(change(ada, "DELETE", "seats/1", table))
    stranger = TestClient(client.app, raise_server_exceptions=False)
    stranger.portal = client.portal
    state, first = state_of(ada, table), json_of(stranger.get(path_of(table, "events")))
    assert (len(first["events"]), first["state"], first["more"]) == (EVENTS_PAGE, EVENTS_PAGE, True)
    for limit in (7, EVENTS_PAGE):
        told: list[Any] = []
        page: dict[str, Any] = {"state": 0, "more": True}
        while page["more"]:
            page = json_of(stranger.get(path_of(table, "events"), params={"since": page["state"], "limit": limit}))
            told += page["events"]
        assert [event["state"] for event in told] == list(range(1, state + 1))
        assert page["state"] == state
    assert json_of(ada.get(path_of(table, f"events?since={state}"))) == {"state": state, "events": [], "more": False}
    assert json_of(ada.get(path_of(table, f"events?since={state + 9}")))["state"] == state
    for bad in (0, -1, EVENTS_PAGE + 1, "all"):
        refused(ada.get(path_of(table, f"events?limit={bad}")), 422, "bad-request")


def test_a_seat_may_be_changed_so_often_and_the_match_goes_on(tmp_path: Path) -> None:
    with in_process(tmp_path, changes_seat=5, away_s=1e-6) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        table = started_table(ada, ben)  # each has sat down
        for number in range(4):
            json_of(say(ada, 0, table, f"word {number}"))
        refused(say(ada, 0, table, "too much"), 429, "too-many-changes")
        refused(change(ada, "POST", "seats/0/hand-over", table, bot="random"), 429, "too-many-changes")
        json_of(say(ben, 1, table, "mine"))
        make_move({0: ada, 1: ben}, table, random.Random(1))
        json_of(change(ben, "POST", "seats/0/hand-over", table))  # Ada is away: nobody has to wait


def test_a_waiting_seat_may_be_taken_and_left_so_often(tmp_path: Path) -> None:
    with in_process(tmp_path, changes_seat=4) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        table = new_table(ada, seats=[{}])
        for _ in range(2):
            json_of(change(ben, "PUT", "seats/1", table))
            json_of(change(ben, "DELETE", "seats/1", table))
        refused(change(ben, "PUT", "seats/1", table), 429, "too-many-changes")
        json_of(change(ada, "PUT", "seats/1", table, bot="random"))  # the host, or nobody could start the match


def test_a_table_with_too_many_events_is_closed(tmp_path: Path) -> None:
    with in_process(tmp_path, events_table=12) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        people, rng = {0: ada, 1: ben}, random.Random(2)
        table, other = started_table(ada, ben), started_table(ada, ben)
        for number in range(12 - state_of(ada, table)):  # words only: a round that ends here would be dealt anew first
            json_of(say(people[number % 2], number % 2, table, f"word {number}"))
        assert state_of(ada, table) == 12
        state, seat, legal = next_decision(people, table)
        answer = people[seat].post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": legal[0]})
        refused(answer, 409, "table-full")
        assert json_of(ada.get(path_of(table)))["status"] == "closed"
        assert ada.get(f"/tables/{table['id']}").status_code == 200
        refused(say(ada, 0, table, "more"), 409, "over")
        make_move(people, other, rng)


@pytest.mark.parametrize("slug", BOXES)
def test_no_match_comes_near_the_limits(slug: str) -> None:
    for players in BOXES[slug].players:
        match = open_match(slug, [f"Player {seat}" for seat in range(players)], {})
        rounds = players * (match.rules.goal - 1) + 1 if players > 1 else 1
        events = rounds * (1 + len(match.rounds[0].deck))  # a deal, and a move for every card
        assert events + players * Limits().changes_seat < Limits().events_table


# Tables, records, keys


def test_a_client_may_open_so_many_tables_in_an_hour(tmp_path: Path) -> None:
    with in_process(tmp_path, tables_hour=3.0) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        for _ in range(3):
            table = new_table(ada, seats=[{}])
            json_of(change(ada, "DELETE", "", table))  # closed ones count as well
        for who in (ada, ben):
            answer = who.post(f"{API}/tables", json={"edition": "classic", "players": 2})
            refused(answer, 429, "too-many-new-tables")
            assert int(answer.headers["retry-after"]) > 60
        form = {"way": "bots", "edition": "classic", "players": "2"}
        assert ben.post("/tables", data=form, follow_redirects=False).status_code == 429
        cleo = elsewhere(client, "192.0.2.9")
        json_of(cleo.post(f"{API}/me", json={"name": "Cleo"}), 201)
        new_table(cleo)


def test_a_person_may_keep_so_many_bytes_of_records(tmp_path: Path) -> None:
    with in_process(tmp_path, records_kb=500) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        assert [keep(ada, 240_000).status_code for _ in range(3)] == [303, 303, 429]
        assert keep(ada, 15_000).status_code == 303  # there is room for a smaller one
        assert keep(ben, 240_000).status_code == 303


def test_a_client_may_bring_so_many_bytes_of_records_in_an_hour(tmp_path: Path) -> None:
    with in_process(tmp_path, records_kb_hour=500.0) as client:
        answers = [keep(new_person(client, f"Person {number}"), 240_000) for number in range(3)]
        assert [answer.status_code for answer in answers] == [303, 303, 429]
        assert int(answers[2].headers["retry-after"]) > 60
        cleo = elsewhere(client, "192.0.2.9")
        assert keep(cleo, 240_000).status_code == 303


def test_a_person_has_so_many_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_people, "MOST_KEYS", 3)
    with in_process(tmp_path) as client:
        ada = new_person(client, "Ada")
        for _ in range(6):
            code = json_of(ada.post(f"{API}/me/transfers"), 201)["code"]
            ada = elsewhere(client, "192.0.2.7")
            json_of(ada.post(f"{API}/me/arrivals", json={"code": code}), 201)
        assert server_of(client).store.database.read("SELECT count(*) FROM keys") == [(3,)]
        assert json_of(ada.get(f"{API}/me"))["name"] == "Ada"


# The store


def test_a_full_store_takes_nothing_new_while_games_go_on(tmp_path: Path) -> None:
    with in_process(tmp_path, store_mb=1) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        people, rng = {0: ada, 1: ben}, random.Random(3)
        table = started_table(ada, ben)
        waiting = new_table(ada, seats=[{}])
        statuses = [keep(ada, 200_000).status_code for _ in range(8)]
        assert statuses[:4] == [303] * 4
        assert statuses[-1] == 507
        refused(ada.post(f"{API}/tables", json={"edition": "classic", "players": 2}), 507, "store-full")
        refused(client.post(f"{API}/me", json={"name": "Cleo"}), 507, "store-full")
        assert (
            "The server is full" in client.post("/tables", data={"way": "bots"}, headers={"accept": "text/html"}).text
        )
        make_move(people, table, rng)
        json_of(change(ben, "PUT", "seats/1", waiting))  # so can those that wait already
        json_of(change(ada, "POST", "start", waiting))
        make_move(people, waiting, rng)
        store = server_of(client).store

        async def empty() -> None:
            await store.database.write(lambda db: db.execute("DELETE FROM records"))

        on_loop(client, empty)
        new_table(ada)  # what was deleted has made room


def test_a_disk_that_is_nearly_full_takes_nothing_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with in_process(tmp_path, free_mb=100) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        table = started_table(ada, ben)
        monkeypatch.setattr(server_of(client).store, "free_bytes", lambda: 99_000_000)
        refused(ada.post(f"{API}/tables", json={"edition": "classic", "players": 2}), 507, "store-full")
        make_move({0: ada, 1: ben}, table, random.Random(4))


# Those who do not read


def is_open(line: socket.socket) -> bool:
    """Whether the server still holds its end of a connection; one who does not read cannot tell by reading."""
    ends = [f":{port:04X}" for port in (line.getpeername()[1], line.getsockname()[1])]
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()]
    return any(row[1].endswith(ends[0]) and row[2].endswith(ends[1]) and row[3] == "01" for row in rows[1:])


def narrow(server: Running) -> socket.socket:
    """A connection whose reader takes in little at a time."""
    host, port = server.address.removeprefix("http://").split(":")
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    line.settimeout(30)
    line.connect((host, int(port)))
    return line


def test_a_client_that_does_not_read_is_cut_off(tmp_path: Path) -> None:
    limits = tmp_path / "strict.toml"
    limits.write_text("".join(f"{key} = {value}\n" for key, value in (vars(FREE) | {"read_s": 0.3}).items()))
    with running(tmp_path, "--limits", str(limits)) as server:
        data = urlencode({"text": padded(200_000)}).encode()
        with urllib.request.urlopen(f"{server.address}/games", data, timeout=30) as answer:
            path = urlsplit(answer.url).path
        with narrow(server) as line:
            line.sendall(head(server, f"GET {path}/record") * MOST_PIPELINED)  # more than the system holds for us
            for _ in range(3_000):
                time.sleep(0.005)
                if not is_open(line):
                    break
            else:
                pytest.fail("it is waited for without end")


class Timers:
    """An event loop that has nothing but timers, and a transport that nothing is read from by itself."""

    def __init__(self) -> None:
        self.timers: list[tuple[Any, ...]] = []
        self.unread, self.aborted = 0, False

    def call_later(self, seconds: float, call: Any, *given: Any) -> "Timers":
        self.timers.append((call, *given))
        return self

    def cancel(self) -> None:
        self.timers.clear()

    def pass_time(self) -> None:
        due, self.timers = self.timers, []
        for call, *given in due:
            call(*given)

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.aborted = True


def test_a_client_that_reads_slowly_is_waited_for() -> None:
    timers = Timers()
    connection = object.__new__(limited_http(Limits(), TrustedProxies()))
    connection.loop, connection.transport = timers, timers  # type: ignore[assignment]
    connection.flow = FlowControl(timers)  # type: ignore[arg-type]
    timers.unread = 100_000
    connection.pause_writing()
    while timers.unread > 20_000:
        timers.unread -= 100
        timers.pass_time()
        assert not timers.aborted
    connection.resume_writing()
    timers.unread = 100_000  # the next answer
    connection.pause_writing()
    timers.unread = 99_000
    timers.pass_time()
    timers.unread = 0
    timers.pass_time()
    assert (timers.aborted, timers.timers) == (False, [])  # all of it has been read
    timers.unread = 10
    connection._watch_reader()
    timers.pass_time()
    assert timers.aborted
