"""What the server does by itself again and again: it survives failures, says how it is, and believes no wrong clock."""

import asyncio
import logging
import random
import resource
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.server import server as server_module
from suitors.server.domain import expiry
from suitors.server.storage import database as database_module
from suitors.server.storage import expiry as stored_expiry
from suitors.server.storage.database import Connection
from suitors.server.storage.folder import FILE
from suitors.server.storage.schema import VERSIONS, migrate
from suitors.server.storage.store import DAY_S, Store
from support.servers import (
    API,
    Clock,
    Running,
    in_process,
    json_of,
    load_version_1,
    make_move,
    new_person,
    new_table,
    on_loop,
    refused,
    running,
    server_of,
    started_table,
)

YEAR_S = 365 * DAY_S


def events_of(caplog: pytest.LogCaptureFixture, event: str) -> list[dict[str, Any]]:
    """The data of all log lines of an event."""
    return [getattr(record, "data", {}) for record in caplog.records if record.message == event]


def count(client: TestClient, table: str) -> int:
    return int(server_of(client).store.database.read(f"SELECT count(*) FROM {table}")[0][0])


# Health


def health(server: Running) -> dict[str, int]:
    """The statuses of the three questions."""
    found = {}
    for path in ("/health", "/health/ready", "/health/live"):
        with closing(HTTPConnection(server.address.removeprefix("http://"), timeout=30)) as line:
            line.request("GET", path)
            found[path] = line.getresponse().status
    return found


def test_a_full_disk_is_seen_by_a_server_that_is_alive(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert set(health(server).values()) == {200}
        before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4_096, before[1]))  # no file grows any more
        assert health(server) == {"/health": 503, "/health/ready": 503, "/health/live": 200}
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)
        assert set(health(server).values()) == {200}


def test_a_disk_with_little_space_is_not_ready(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert json_of(client.get("/health/ready"))["ok"]
    monkeypatch.setattr(server_of(client).store, "free_bytes", lambda: 999_999)  # free_mb is 1 here
    refused(client.get("/health/ready"), 503, "disk-full")
    refused(client.get("/health"), 503, "disk-full")
    assert json_of(client.get("/health/live"))["ok"]


def test_a_disk_that_does_not_answer_is_not_ready(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "READY_S", 0.01)
    store, free = server_of(client).store, threading.Event()

    async def hold() -> None:
        asyncio.ensure_future(store.database.write(lambda db: free.wait(60)))  # noqa: RUF006

    on_loop(client, hold)
    refused(client.get("/health/ready"), 503, "store-failed")
    assert json_of(client.get("/health/live"))["ok"]
    free.set()
    while client.get("/health/ready").status_code != 200:
        pass


# Loops


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maintenance that never rests."""
    monkeypatch.setattr(server_module, "MAINTENANCE_S", 0.001)
    monkeypatch.setattr(server_module, "DELETE_EVERY", 1)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("part", ["expiry.sweep", "tables.unload_idle", "tables.resume"])
def test_maintenance_survives_what_fails(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    owner_name, _, name = part.partition(".")
    failed, worked = threading.Semaphore(0), threading.Semaphore(0)
    with in_process(tmp_path) as client:
        server = server_of(client)
        owner = getattr(server, owner_name)

        def fail() -> None:
            failed.release()
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(owner, name, fail)
        for _ in range(3):
            assert failed.acquire(timeout=60)
        monkeypatch.setattr(owner, name, worked.release)
        for _ in range(3):
            assert worked.acquire(timeout=60)
        assert json_of(client.get("/health/ready"))["ok"]
    assert events_of(caplog, "maintenance-failed")
    assert events_of(caplog, "closed")
    Store(tmp_path).close()  # it has let go of the folder


def test_a_sweep_that_fails_does_not_keep_a_server_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_version_1(tmp_path)
    monkeypatch.setitem(stored_expiry.OLD_ROWS, "keys", "DELETE FROM nothing WHERE ? AND ?")
    with in_process(tmp_path) as client:
        ada = new_person(client, "Ada")
        new_table(ada)
        assert count(client, "tables") > 1


def test_the_end_comes_to_its_end_whatever_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail() -> None:
        raise OSError("the tables do not close")

    with pytest.raises(OSError, match="the tables do not close"), in_process(tmp_path) as client:
        monkeypatch.setattr(server_of(client).tables, "close", fail)
    Store(tmp_path).close()  # the store has been closed nevertheless


def test_the_writer_survives_what_fails(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    resolve = database_module._resolve
    failed = threading.Event()

    def fail(answers: Any) -> None:
        if not failed.is_set():
            failed.set()
            resolve([(future, database_module.StoreFailure("")) for future, _ in answers])
            raise RuntimeError("Event loop is closed")
        resolve(answers)

    monkeypatch.setattr(database_module, "_resolve", fail)
    assert client.get("/health/ready").status_code == 503
    assert client.get("/health/ready").status_code == 200
    assert events_of(caplog, "writer-failed") == [{}]


# The clock


@contextmanager
def a_year_ahead(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TestClient, Clock]]:
    """A server that starts while its clock is a year ahead."""
    with monkeypatch.context() as patched:
        clock = Clock(patched, expiry)
        clock.ahead = YEAR_S + 10 * DAY_S
        with in_process(folder) as client:
            yield client, clock


async def use_keys_now(store: Store) -> None:
    """Let the keys of new persons have been used at the time of the wrong clock."""
    sql = "UPDATE keys SET seen = seen + ? WHERE person > 2"
    await store.database.write(lambda db: db.execute(sql, (YEAR_S,)))


def test_a_clock_that_is_a_year_ahead_deletes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    load_version_1(tmp_path)
    for _ in range(2):  # at the second start there are times of the wrong clock in the store
        with a_year_ahead(tmp_path, monkeypatch) as (client, clock):
            server = server_of(client)
            for hours in (1, 1, 20):
                assert count(client, "tables") == 9
                clock.ahead += hours * 3600
                on_loop(client, server.expiry.sweep)
            new_person(client, "Later")
            on_loop(client, partial(use_keys_now, server.store))
    assert {(data["days"], data["deletes"]) for data in events_of(caplog, "clock-jump")} == {(375, False)}
    assert events_of(caplog, "swept") == []
    with in_process(tmp_path) as client:
        assert count(client, "tables") == 9  # the clock has been put right


def test_a_server_that_was_off_for_a_year_deletes_what_is_old_after_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    load_version_1(tmp_path)
    with a_year_ahead(tmp_path, monkeypatch) as (client, clock):
        clock.ahead += DAY_S
        on_loop(client, server_of(client).expiry.sweep)
        assert count(client, "tables") == 0
        assert count(client, "keys") == 2  # these are kept for longer
    assert [data["deletes"] for data in events_of(caplog, "clock-jump")] == [False, True]
    deleted = {"waiting tables": 2, "playing tables": 5, "over tables": 1, "closed tables": 1}
    assert events_of(caplog, "swept") == [{"deleted": deleted}]


def test_a_clock_that_goes_back_deletes_nothing_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_version_1(tmp_path)
    with in_process(tmp_path) as client:
        clock = Clock(monkeypatch, expiry)
        for days in (20, 40, -300, 0, 3):
            clock.ahead = days * DAY_S
            on_loop(client, server_of(client).expiry.sweep)
        assert on_loop(client, server_of(client).store.expiry.last_time) is not None
        statuses = server_of(client).store.database.read("SELECT DISTINCT status FROM tables")
        assert {status for (status,) in statuses} == {"playing", "over"}


def test_an_empty_store_of_the_version_before_has_no_last_time(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        migrate(db, VERSIONS[:2])
    with closing(Store(tmp_path)) as store:
        expiry = store.expiry
        assert (asyncio.run(expiry.last_time()), asyncio.run(expiry.newest_time())) == (None, None)
        asyncio.run(expiry.mark(12))
        asyncio.run(store.check())
        assert asyncio.run(expiry.last_time()) == 12


# Small steps


def test_a_sweep_is_done_in_small_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(stored_expiry, "ROWS_STEP", 4)
    with in_process(tmp_path) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        table = started_table(ada, ben)
        for _ in range(25):
            new_table(ada)
        for number in range(10):
            new_person(client, f"Person {number}")
        store = server_of(client).store

        def age(db: Connection) -> None:
            db.execute("UPDATE tables SET updated = 0 WHERE status = 'waiting'")
            db.execute("UPDATE keys SET seen = 0 WHERE person > 2")

        on_loop(client, lambda: store.database.write(age))
        before = store.database.commits
        on_loop(client, server_of(client).expiry.sweep)
        assert (count(client, "tables"), count(client, "persons"), count(client, "keys")) == (1, 2, 2)
        assert store.database.commits - before > 25 / stored_expiry.TABLES_STEP + 2 * 10 / 4
        assert events_of(caplog, "swept") == [{"deleted": {"waiting tables": 25, "keys": 10, "persons": 10}}]
        make_move({0: ada, 1: ben}, table, random.Random(5))
        assert json_of(ada.get(f"{API}/me/tables"))["tables"][0]["id"] == table["id"]
