"""What PostgreSQL has that SQLite has not: connections that are lost, notifications with a limit, and gaps in them."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import psycopg
import pytest
from fastapi.testclient import TestClient

from suitors.server.storage import postgres, postgres_messages
from suitors.server.storage.database import StoreFailure, TakenNumber, UnknownOutcome, Write
from suitors.server.storage.postgres import LONGEST_NOTICE, KeptConnection, LostConnection, PostgresDatabase
from suitors.server.storage.store import Store
from suitors.server.storage.tables import Event, TableWrite
from support.postgres import Cluster, new_database
from support.servers import (
    API,
    SocketReader,
    change,
    in_process,
    json_of,
    make_move,
    new_person,
    new_table,
    path_of,
    refused,
    server_of,
    started_table,
    state_of,
)


@pytest.fixture
def store(database: str, tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path, sync=False, url=database)) as store:
        yield store


def lose(monkeypatch: pytest.MonkeyPatch, *, after: bool, times: int = 1) -> None:
    """Let the connection be lost so often, before or after what is done with it."""
    run, left = KeptConnection.run, [times]

    def fragile(line: KeptConnection, work: Callable[[Any], Any], deadline: float) -> Any:
        if not left[0] or "_transact" not in work.__code__.co_names:
            return run(line, work, deadline)
        left[0] -= 1
        if after:
            run(line, work, deadline)
        line.close()
        raise LostConnection

    monkeypatch.setattr(KeptConnection, "run", fragile)


async def add(store: Store, *events: Event, number: int = 0) -> None:
    await store.tables.append([TableWrite("t", 1, number, [*events], [], None)])


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("times", [1, 2])
def test_an_event_whose_connection_is_lost_is_written_once(
    store: Store, monkeypatch: pytest.MonkeyPatch, after: bool, times: int
) -> None:
    lose(monkeypatch, after=after, times=1 if after else times)
    asyncio.run(add(store, {"kind": "opened"}, {"kind": "started"}))
    assert asyncio.run(store.tables.events("t")) == [{"kind": "opened"}, {"kind": "started"}]


def test_an_event_whose_connection_is_lost_again_and_again_may_or_may_not_have_happened(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(monkeypatch, after=False, times=100)
    with pytest.raises(UnknownOutcome):
        asyncio.run(add(store, {"kind": "opened"}))


def test_a_write_that_another_process_has_stood_in_the_way_of_is_done_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    transact, left = PostgresDatabase._transact, [2]

    def stopped(database: PostgresDatabase, db: Any, batch: list[Write]) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise psycopg.errors.DeadlockDetected
        return transact(database, db, batch)

    monkeypatch.setattr(PostgresDatabase, "_transact", stopped)
    asyncio.run(add(store, {"kind": "opened"}))
    assert asyncio.run(store.tables.events("t")) == [{"kind": "opened"}]


def test_an_event_of_another_process_is_not_taken_for_ones_own(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(add(store, {"kind": "opened"}))
    lose(monkeypatch, after=False)
    with pytest.raises(TakenNumber):
        asyncio.run(add(store, {"kind": "closed"}))
    assert asyncio.run(store.tables.events("t")) == [{"kind": "opened"}]


def test_of_a_person_whose_connection_is_lost_with_the_commit_nobody_knows(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_process(tmp_path, database) as client:
        lose(monkeypatch, after=True)
        error = refused(client.post(f"{API}/me", json={"name": "Ada"}), 503, "store-failed")
        assert "look whether it has happened" in error["message"]
        assert client.post(f"{API}/me", json={"name": "Ada"}).status_code == 201


def test_connections_that_were_cut_while_nobody_used_them_are_made_anew(store: Store, database: str) -> None:
    ada = asyncio.run(store.people.create("Ada", b"a" * 32, 1))
    for number in range(3):
        with psycopg.connect(database, autocommit=True) as db:
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'suitors'")
        assert asyncio.run(store.people.create("Ben", bytes([number]) * 32, 1)) > ada
        assert asyncio.run(store.people.find(b"a" * 32)) == (ada, "Ada")


def test_without_a_database_everything_fails_soon_and_goes_on_when_it_is_back(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "PATIENCE_S", 0.2)
    with new_database(cluster) as name, closing(Store(tmp_path, url=cluster.url(name))) as store:
        with psycopg.connect(cluster.url("postgres"), autocommit=True) as db:
            db.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
            for _ in range(2):
                with pytest.raises(StoreFailure, match="cannot be reached"):
                    asyncio.run(store.people.find(b"a"))
                with pytest.raises(StoreFailure, match=r"cannot be reached|was lost"):
                    asyncio.run(add(store, {"kind": "opened"}))
            db.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
        asyncio.run(add(store, {"kind": "opened"}))
        assert asyncio.run(store.tables.events("t")) == [{"kind": "opened"}]


# Notifications


def test_notices_hold_everything_in_order_and_none_is_too_long(store: Store) -> None:
    database = store.database
    assert isinstance(database, PostgresDatabase)
    sizes = [10, 7_000, 7_500, 30, 20_000, 900, 7_700]
    told = [["events", f"t{k}", k, [{"kind": "word", "word": "é" * (size // 2)}]] for k, size in enumerate(sizes)]
    notices = database._notices([Write({}, None, [message]) for message in told])
    assert all(len(notice.encode()) <= LONGEST_NOTICE for notice in notices)
    heard = [message for notice in notices for message in orjson.loads(notice)[1:]]
    assert [message[1] for message in heard] == [message[1] for message in told]
    assert [message for message in heard if message[3] is None] == [["events", "t4", 4, None]]
    assert [message for message in heard if message[3] is not None] == [m for m in told if m[1] != "t4"]


@pytest.mark.parametrize(
    "payload",
    ["", "hello", "[]", "7", "null", '{"a": 1}', '["x"]', "[1, 2]", "[5, []]", "[5, [[]]]", '[5, ["events"]]'],
)
def test_what_somebody_else_says_on_our_channel_does_no_harm(
    servers: tuple[TestClient, TestClient], payload: str
) -> None:
    one, two = servers
    with psycopg.connect(server_of(one).settings.postgres, autocommit=True) as db:
        db.execute("SELECT pg_notify('suitors', %s)", (payload,))
    ada = new_person(one, "Ada")
    table = new_table(ada, open=True, seats=[{}])
    there = same_person(two, ada)
    with there.websocket_connect(path_of(table, "live")) as socket:
        told = SocketReader(socket)
        json_of(change(ada, "PUT", "seats/1", table))
        told.read()  # what happened at the other process


@pytest.fixture(scope="module")
def servers(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, TestClient]]:
    """Two processes on one store."""
    folder = tmp_path_factory.mktemp("servers")
    with (
        new_database(cluster) as name,
        in_process(folder / "one", cluster.url(name)) as one,
        in_process(folder / "two", cluster.url(name)) as two,
    ):
        yield one, two


def test_a_process_that_hears_nothing_at_all_listens_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection is there, but nothing comes through it, not even what the process tells by itself."""
    monkeypatch.setattr(postgres_messages, "SILENCE_S", 0.3)
    monkeypatch.setattr(postgres_messages, "BEAT_S", 0.05)
    heard: list[bool] = []
    numbers: set[int] = set()

    async def listen(beats: bool) -> None:
        store.messages.start(lambda *_: None, heard.append)
        end = time.monotonic() + 1.2
        while time.monotonic() < end:
            numbers.add(store.messages.number)
            if beats:
                store.messages.beat()
            await asyncio.sleep(0.02)
        await asyncio.to_thread(store.messages.close)

    asyncio.run(listen(beats=True))
    assert (len(numbers - {0}), set(heard)) == (1, {True})
    store.messages._closing.clear()  # type: ignore[attr-defined]
    asyncio.run(listen(beats=False))
    assert len(numbers - {0}) > 2  # each time it listens it has another number


def test_a_connection_over_which_nothing_comes_is_cut(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    database = store.database
    assert isinstance(database, PostgresDatabase)
    monkeypatch.setattr(postgres, "STUCK_S", 0.2)

    async def wait() -> str:
        reading = asyncio.ensure_future(database.fetch("SELECT pg_sleep(?)", (60,)))
        while not reading.done():
            await asyncio.sleep(0.05)
            database.cut_stuck()
        return str(reading.exception())

    assert "lost again and again" in asyncio.run(wait())
    assert asyncio.run(store.people.find(b"a")) is None  # the next that is asked for is answered


def same_person(client: TestClient, who: TestClient) -> TestClient:
    """Somebody at another process."""
    there = type(who)(client.app, raise_server_exceptions=False)
    there.portal, there.cookies = client.portal, who.cookies
    return there


def test_who_has_heard_more_at_another_process_hears_nothing_twice(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_process(tmp_path / "one", database) as one, in_process(tmp_path / "two", database) as two:
        ada, ben = new_person(one, "Ada"), new_person(one, "Ben")
        table, rng = started_table(ada, ben), random.Random(1)
        there = same_person(two, ada)
        state_of(there, table)
        monkeypatch.setattr(server_of(two).tables, "take_in", lambda *_: None)  # it has not heard of it yet
        make_move({0: ada, 1: ben}, table, rng)
        known = state_of(ada, table)
        with there.websocket_connect(path_of(table, f"live?since={known}")) as socket:
            told = SocketReader(socket)
            assert told.hello["table"]["state"] == known
            assert told.news[0]["events"] == []


def test_who_has_sat_down_at_one_process_may_connect_at_another_at_once(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_process(tmp_path / "one", database) as one, in_process(tmp_path / "two", database) as two:
        ada, ben = new_person(one, "Ada"), new_person(one, "Ben")
        table = new_table(ada, seats=[{}])
        there = same_person(two, ben)
        state_of(there, table)
        monkeypatch.setattr(server_of(two).tables, "take_in", lambda *_: None)  # it has not heard of it yet
        json_of(change(ben, "PUT", "seats/1", table))
        with there.websocket_connect(path_of(table, "live?seat=1")) as socket:
            assert SocketReader(socket).hello["yours"] == [1]


@pytest.mark.parametrize("lost", ["one", "its events"])
def test_what_a_notice_did_not_tell_is_read_from_the_store(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    with in_process(tmp_path / "one", database) as one, in_process(tmp_path / "two", database) as two:
        ada, ben = new_person(one, "Ada"), new_person(one, "Ben")
        table, rng = started_table(ada, ben), random.Random(1)
        there = same_person(two, ada)
        assert state_of(there, table) == state_of(ada, table)
        tables = server_of(two).tables
        take_in, seen = tables.take_in, list[int]()

        def deaf(table_id: str, number: int, events: list[Event] | None) -> None:
            seen.append(number)
            if lost == "its events":
                take_in(table_id, number, None)
            elif len(seen) != 2:
                take_in(table_id, number, events)

        monkeypatch.setattr(tables, "take_in", deaf)
        for _ in range(4):
            make_move({0: ada, 1: ben}, table, rng)
        last = state_of(ada, table)
        while len(seen) < 4 or tables.loaded[table["id"]].table.state < last:
            pass
        assert json_of(there.get(path_of(table, "events?seat=0"))) == json_of(ada.get(path_of(table, "events?seat=0")))
