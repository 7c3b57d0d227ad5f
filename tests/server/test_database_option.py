"""`suitors serve --database`: what is refused before anything starts, each in one sentence."""

import importlib.util
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from suitors.server.storage import postgres, postgres_schema
from suitors.server.storage.database import StoreFailure
from suitors.server.storage.postgres_schema import VERSIONS
from suitors.server.storage.store import Store
from support.matches import Outcome, call
from support.postgres import Cluster, new_database
from support.servers import Clock, in_process, on_loop, refused, server_of
from support.stores import make_store


def serve(folder: Path, url: str) -> Outcome:
    return call("serve", "--no-open", "--port", "0", "--data", str(folder), "--database", url)


def check_refused(outcome: Outcome, sentence: str) -> None:
    assert (outcome.status, outcome.out) == (2, "")
    assert sentence in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize("url", ["mysql://host/name", "name", "postgresql:/host"])
def test_what_is_no_address_of_a_postgresql_is_refused(tmp_path: Path, url: str) -> None:
    check_refused(serve(tmp_path, url), "--database takes an address such as postgresql://host/name")


def test_a_database_that_cannot_be_reached_is_refused_without_its_password(tmp_path: Path) -> None:
    outcome = serve(tmp_path, "postgresql://ada:s3cret@127.0.0.1:1/none")
    check_refused(outcome, "The database cannot be used")
    assert "s3cret" not in outcome.err


@pytest.mark.parametrize(
    "rest",
    [":s3cret@127.0.0.1:1/none?no_such_option=1", ":s3cret@[::1/none", ":s3cret%zz@host/x", ":s3cret@host:x:y/x"],
)
def test_an_address_that_cannot_be_read_is_refused_without_its_password(tmp_path: Path, rest: str) -> None:
    url, file = f"postgresql://ada{rest}", str(tmp_path / "file")
    commands = [
        ("check", url),
        ("backup", url, file),
        ("move-data", url, file),
        ("serve", "--database", url, "--backup", file),
    ]
    for outcome in (serve(tmp_path, url), *(call(*words) for words in commands)):
        assert "s3cret" not in outcome.err
        check_refused(outcome, "")
    (tmp_path / "data").mkdir()
    make_store(tmp_path / "data")
    outcome = call("restore", str(tmp_path / "data"), url)
    check_refused(outcome, "")
    assert "s3cret" not in outcome.err


def test_without_the_driver_one_is_told_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for outcome in (serve(tmp_path, "postgresql://host/name"), call("check", "postgresql://host/name")):
        check_refused(outcome, "pip install 'suitors[postgres]'")


def test_a_store_of_a_later_version_is_refused(tmp_path: Path, database: str) -> None:
    with psycopg.connect(database) as db:
        db.execute("UPDATE suitors_version SET version = version + 1")
    check_refused(serve(tmp_path, database), f"The store is of version {len(VERSIONS) + 1}")
    check_refused(call("check", database), "is a store of version")


def test_a_database_that_does_not_hold_every_text_is_refused(tmp_path: Path, cluster: Cluster) -> None:
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as db:
        db.execute("CREATE DATABASE plain ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    try:
        check_refused(serve(tmp_path, cluster.url("plain")), "The encoding of the database is SQL_ASCII")
    finally:
        with psycopg.connect(cluster.url("postgres"), autocommit=True) as db:
            db.execute("DROP DATABASE plain WITH (FORCE)")


def test_a_postgresql_that_is_too_old_is_refused(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_schema, "OLDEST", 99)
    check_refused(serve(tmp_path, database), "PostgreSQL 99 or later is needed")


def test_a_database_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, cluster: Cluster) -> None:
    with new_database(cluster) as name:
        with psycopg.connect(cluster.url(name), autocommit=True) as db:
            db.execute("DROP TABLE suitors_version")
        check_refused(serve(tmp_path, cluster.url(name)), 'relation "persons" already exists')
        check_refused(call("check", cluster.url(name)), "holds no data of a server")


@pytest.mark.parametrize("ahead", [-3 * 86_400, 3_600])
def test_a_process_whose_clock_is_wrong_does_not_start(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch, ahead: float
) -> None:
    Clock(monkeypatch, postgres).ahead = ahead
    check_refused(serve(tmp_path, database), f"{abs(ahead)} seconds {'ahead of' if ahead > 0 else 'behind'}")


def test_a_process_whose_clock_goes_wrong_is_not_ready_and_deletes_nothing(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with in_process(tmp_path, database) as client:
        server = server_of(client)
        clock = Clock(monkeypatch, postgres)
        clock.ahead = 400 * 86_400
        on_loop(client, server.store.messages.alive)
        refused(client.get("/health/ready"), 503, "store-failed")
        with pytest.raises(StoreFailure, match="The clock of this machine"):
            on_loop(client, server.expiry.sweep)
        clock.ahead = 0
        on_loop(client, server.store.messages.alive)
        assert client.get("/health/ready").status_code == 200


def test_each_process_has_a_folder_of_its_own(tmp_path: Path, database: str) -> None:
    with in_process(tmp_path, database):
        check_refused(serve(tmp_path, database), "Another server is using it")
        assert not (tmp_path / "suitors.sqlite3").exists()


def test_processes_that_start_at_once_make_the_store_in_an_empty_database(tmp_path: Path, cluster: Cluster) -> None:
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as db:
        db.execute("CREATE DATABASE quite_empty")

    def start(number: int) -> str:
        with closing(Store(tmp_path / f"{number}", url=cluster.url("quite_empty"))) as store:
            return store.server_id

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(start, range(6)))) == 1  # and all of them find the same
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as db:
        db.execute("DROP DATABASE quite_empty WITH (FORCE)")
