"""Several processes on one store: whatever comes in at one is told at all, is done once, and counts everywhere.

Here they are servers on event loops of their own, in one process; tests/server/test_faults.py has real ones.
"""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from suitors import fair
from suitors.server.admin import Admin
from support.servers import (
    API,
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
    use_key,
)

Start = Callable[..., list[TestClient]]

PATIENCE_S = 30.0


@pytest.fixture
def start(database: str, tmp_path: Path) -> Iterator[Start]:
    """Starts so many processes on the same store, with these limits."""
    with ExitStack() as stack:

        def start(count: int, **limits: Any) -> list[TestClient]:
            folders = [tmp_path / f"process-{k}" for k in range(count)]
            return [stack.enter_context(in_process(folder, database, **limits)) for folder in folders]

        yield start


def at(client: TestClient, who: TestClient) -> TestClient:
    """The same person at another process."""
    other = type(who)(client.app, raise_server_exceptions=False)
    other.portal = client.portal
    key = key_of(who)
    assert key is not None
    return use_key(other, key)


def wait_for(true: Callable[[], Any]) -> None:
    """Come back when something holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.005)


def ask(client: TestClient, do: str, **given: Any) -> Any:
    """Let an operator ask one process for something."""
    return on_loop(client, lambda: Admin(server_of(client)).handle({"do": do, **given}, None))


# Tables


def test_a_socket_is_at_one_process_and_the_move_comes_in_at_another(start: Start) -> None:
    one, two = start(2)
    ada, ben = new_person(one, "Ada"), new_person(two, "Ben")
    table = started_table(ada, at(one, ben))
    rng = random.Random(1)
    with at(two, ada).websocket_connect(path_of(table, "live")) as socket:
        told = SocketReader(socket)
        while json_of(ada.get(path_of(table)))["status"] == "playing":
            make_move({0: ada, 1: at(one, ben)}, table, rng)
        while told.news[-1]["status"] == "playing":
            told.read()
        states = [event["state"] for news in told.news for event in news["events"]]
        assert states == list(range(1, len(states) + 1))  # nothing is left out, nothing comes twice
    records = [json_of(who.get(path_of(table, "record"))) for who in (ada, at(two, ada), ben)]
    assert records[0] == records[1] == records[2]
    assert fair.verify(records[0]).honest


def test_two_processes_that_are_asked_for_the_same_move_make_it_once(start: Start) -> None:
    one, two = start(2)
    ada, ben = new_person(one, "Ada"), new_person(one, "Ben")
    table, rng = started_table(ada, ben), random.Random(2)
    there = {0: at(two, ada), 1: at(two, ben)}
    json_of(there[0].get(path_of(table)))
    with ThreadPoolExecutor(2) as hands:
        for _ in range(12):
            if json_of(ada.get(path_of(table)))["status"] != "playing":
                break
            state, seat, legal = next_decision({0: ada, 1: ben}, table)
            click = {"state": state, "seat": seat, "move": rng.choice(legal)}
            sent = [
                hands.submit(who.post, path_of(table, "moves"), json=click) for who in ((ada, ben)[seat], there[seat])
            ]
            answers = sorted(each.result().status_code for each in sent)
            assert answers == [200, 409]
            wait_for(lambda: state_of(ada, table) == state_of(there[0], table))
    events = [json_of(who.get(path_of(table, "events?seat=0"))) for who in (ada, there[0])]
    assert events[0] == events[1]


def test_a_change_that_comes_second_is_decided_anew(start: Start) -> None:
    """Ada and Ben sit down at the same instant at two processes: both do."""
    one, two = start(2)
    ada, ben = new_person(one, "Ada"), new_person(two, "Ben")
    for _ in range(5):
        table = new_table(ada, open=True)
        state = state_of(ben, table)
        with ThreadPoolExecutor(2) as hands:
            sitting = [
                hands.submit(who.put, path_of(table, f"seats/{seat}"), json={"state": state})
                for seat, who in enumerate((ada, ben))
            ]
            assert sorted(json_of(each.result())["state"] for each in sitting) == [state + 1, state + 2]
        wait_for(lambda: state_of(ada, table) == state_of(ben, table) == state + 2)  # noqa: B023
        assert [seat["name"] for seat in json_of(ada.get(path_of(table)))["seats"]] == ["Ada", "Ben"]


def test_lists_know_who_sits_where(start: Start) -> None:
    one, two = start(2)
    ada = new_person(one, "Ada of the one")
    table = new_table(ada, open=True, seats=[{}])
    wait_for(lambda: "Ada of the one" in two.get("/tables").text)
    json_of(change(at(two, ada), "DELETE", "seats/0", table))
    wait_for(lambda: "Ada of the one" not in one.get("/tables").text)


# Who is there


def away_at(client: TestClient, table: dict[str, Any]) -> list[bool]:
    return [seat["away"] for seat in ask(client, "table", table=table["id"])["seats"]]


def test_who_is_connected_at_one_process_is_not_away_at_another(start: Start) -> None:
    one, two = start(2, away_s=0.2)
    ada, ben = new_person(one, "Ada"), new_person(two, "Ben")
    table = started_table(ada, at(one, ben))
    wait_for(lambda: away_at(one, table) == [True, True])
    with ben.websocket_connect(path_of(table, "live")):
        wait_for(lambda: away_at(one, table) == [True, False])
        answer = change(ada, "POST", "seats/1/hand-over", table)
        refused(answer, 409, "not-away")  # Ben is there
    wait_for(lambda: away_at(one, table) == [True, True])


def test_a_process_that_loads_a_table_hears_who_is_connected_elsewhere(start: Start) -> None:
    one, two = start(2, away_s=0.2)
    ada, ben = new_person(one, "Ada"), new_person(one, "Ben")
    table = started_table(ada, ben)
    with ada.websocket_connect(path_of(table, "live")):
        json_of(at(two, ben).get(path_of(table)))
        wait_for(lambda: away_at(two, table) == [False, True])


# What exactly one process does


def test_bots_move_once_wherever_people_look_on(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    clients = start(3)
    ada = new_person(clients[0], "Ada")
    table = new_table(ada, players=4, edition="modern", seats=[{}, *[{"bot": "random"}] * 3], start=True)
    everywhere = [at(client, ada) for client in clients]
    rng = random.Random(3)
    for number in range(200):
        who = everywhere[number % 3]
        if json_of(who.get(path_of(table)))["status"] != "playing":
            break
        legal = json_of(who.get(path_of(table, "legal?seat=0")))
        if legal["legal"]:
            move = {"state": legal["state"], "seat": 0, "move": rng.choice(legal["legal"])}
            assert who.post(path_of(table, "moves"), json=move).status_code in (200, 409)
    wait_for(lambda: json_of(ada.get(path_of(table)))["status"] == "over" or _play_on(ada, table, rng))
    assert fair.verify(json_of(ada.get(path_of(table, "record")))).honest
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    owners = [client for client in clients if table["id"] in server_of(client).store.duties._mine]  # type: ignore[attr-defined]
    assert len(owners) == 1


def _play_on(who: TestClient, table: dict[str, Any], rng: random.Random) -> bool:
    legal = json_of(who.get(path_of(table, "legal?seat=0")))
    if legal["legal"]:
        move = {"state": legal["state"], "seat": 0, "move": rng.choice(legal["legal"])}
        who.post(path_of(table, "moves"), json=move)
    return False


def test_bots_of_a_process_that_ends_go_on_at_another(database: str, tmp_path: Path) -> None:
    with in_process(tmp_path / "two", database) as two:
        with in_process(tmp_path / "one", database) as one:
            ada = new_person(one, "Ada")
            seats = [{}, *[{"bot": "random"}] * 7]
            table = new_table(ada, edition="premium", players=8, seats=seats, start=True, pace_ms=20)
            ada = at(two, ada)
            wait_for(lambda: change(ada, "POST", "seats/0/hand-over", table, bot="random").status_code == 200)
        wait_for(lambda: json_of(ada.get(path_of(table)))["status"] == "over")
        assert fair.verify(json_of(ada.get(path_of(table, "record")))).honest


def test_one_process_deletes_what_is_old(start: Start) -> None:
    clients = start(3)
    swept = [on_loop(client, partial(_sweeps, client)) for client in clients]
    assert sorted(swept) == [False, False, True]


async def _sweeps(client: TestClient) -> bool:
    store = server_of(client).store
    before = store.database.commits
    await server_of(client).expiry.sweep()
    return store.database.commits - before > 5


def test_a_process_that_is_not_told_which_tables_were_deleted_looks_at_all_again(start: Start) -> None:
    """Too many for one notification: who deletes them says only that there were some."""
    one, two = start(2)
    ada = new_person(one, "Ada")
    tables = [new_table(at(two, ada)) for _ in range(3)]
    on_loop(one, partial(_tell, one, ["dropped", None]))
    wait_for(lambda: not server_of(two).tables.loaded)
    assert [json_of(at(two, ada).get(path_of(table)))["status"] for table in tables] == ["waiting"] * 3


async def _tell(client: TestClient, message: list[Any]) -> None:
    server_of(client).store.messages.tell(message)


# What holds everywhere


def test_hourly_quotas_are_of_all_processes_together(start: Start) -> None:
    clients = start(3, persons_hour=4, tables_hour=5)
    found = [clients[k % 3].post(f"{API}/me", json={"name": f"P{k}"}).status_code for k in range(8)]
    assert found == [201] * 4 + [429] * 4
    ada = clients[0]
    given = {"edition": "classic", "players": 2}
    tables = [at(clients[k % 3], ada).post(f"{API}/tables", json=given).status_code for k in range(8)]
    assert tables == [201] * 5 + [429] * 3


def test_a_person_has_so_many_tables_wherever_they_were_opened(start: Start) -> None:
    clients = start(3, tables=4)
    ada = new_person(clients[0], "Ada")
    everywhere = [at(client, ada) for client in clients]
    given = {"edition": "classic", "players": 2}
    with ThreadPoolExecutor(6) as hands:
        opening = [hands.submit(everywhere[k % 3].post, f"{API}/tables", json=given) for k in range(12)]
        assert sorted(each.result().status_code for each in opening) == [201] * 4 + [429] * 8


def test_the_rate_of_requests_is_of_all_processes_together(start: Start) -> None:
    one, two = start(2, requests_burst=20, requests_s=0.01)
    assert [one.get(f"{API}/catalogue").status_code for _ in range(21)] == [200] * 20 + [429]
    wait_for(lambda: two.get("/health/live").status_code == 429)


def test_sockets_are_counted_at_all_processes(start: Start) -> None:
    one, two = start(2, sockets_person=2)
    ada, ben = new_person(one, "Ada"), new_person(one, "Ben")
    table = started_table(ada, ben)
    live = path_of(table, "live")
    with ada.websocket_connect(live), ada.websocket_connect(live):
        wait_for(lambda: sum(server_of(two).sockets_elsewhere(f"person {k}") for k in range(9)) == 2)
        refused(denied(at(two, ada), live), 429, "too-many-sockets")
    wait_for(lambda: sum(server_of(two).sockets_elsewhere(f"person {k}") for k in range(9)) == 0)
    with at(two, ada).websocket_connect(live):
        pass


def test_a_key_that_is_given_up_is_void_everywhere_and_its_sockets_end(start: Start) -> None:
    one, two = start(2)
    ada, ben = new_person(one, "Ada"), new_person(one, "Ben")
    table = started_table(ada, ben)
    there = at(two, ada)
    with there.websocket_connect(path_of(table, "live")) as socket:
        told = SocketReader(socket)
        assert ada.delete(f"{API}/me").status_code == 204
        with pytest.raises(WebSocketDisconnect):
            told.read()
    refused(there.get(f"{API}/me"), 401, "unknown-key")


def test_a_new_name_is_known_everywhere(start: Start) -> None:
    one, two = start(2)
    ada = new_person(one, "Ada")
    there = at(two, ada)
    assert json_of(there.get(f"{API}/me"))["name"] == "Ada"
    json_of(ada.patch(f"{API}/me", json={"name": "Augusta"}))
    wait_for(lambda: json_of(there.get(f"{API}/me"))["name"] == "Augusta")


def test_bans_and_announcements_are_of_all_processes(start: Start, database: str, tmp_path: Path) -> None:
    one, two = start(2)
    ada = new_person(one, "Ada")
    there = at(two, ada)
    table = new_table(ada, open=True)
    ask(one, "announce", text="We restart at noon.")
    wait_for(lambda: "We restart at noon." in two.get("/").text)
    with in_process(tmp_path / "three", database) as three:
        wait_for(lambda: "We restart at noon." in three.get("/").text)
    with there.websocket_connect(path_of(table, "live")) as socket:
        told = SocketReader(socket)
        ask(one, "ban", subject=f"person:{ask(one, 'table', table=table['id'])['host']}")
        with pytest.raises(WebSocketDisconnect):
            told.read()
    refused(there.get(f"{API}/me"), 403, "banned")


def test_a_process_that_is_drained_says_so_to_the_balancer_and_goes_on(start: Start) -> None:
    one, two = start(2)
    ada = new_person(one, "Ada")
    ask(one, "drain")
    refused(one.get("/health/ready"), 503, "draining")
    assert two.get("/health/ready").status_code == 200
    new_table(ada)  # another process goes on with it
