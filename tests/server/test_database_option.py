"""`suitors serve --database`: what is refused before anything starts, each in one sentence."""

import importlib.util
from pathlib import Path

import psycopg
import pytest

from suitors.server.storage.postgres_schema import VERSIONS
from support.matches import Outcome, call
from support.postgres import Cluster
from support.servers import in_process


def serve(folder: Path, url: str) -> Outcome:
    return call("serve", "--no-open", "--port", "0", "--data", str(folder), "--database", url)


def check_refused(outcome: Outcome, sentence: str) -> None:
    assert (outcome.status, outcome.out) == (2, "")
    assert sentence in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize("url", ["mysql://host/name", "name", "postgresql:/host"])
def test_what_is_no_address_of_a_postgresql_is_refused(tmp_path: Path, url: str) -> None:
    check_refused(serve(tmp_path, url), "--database takes an address such as postgresql://host/name")


@pytest.mark.parametrize("rest", ["/none", "/none?no_such_option=1"])
def test_a_database_that_cannot_be_used_is_refused_without_its_password(tmp_path: Path, rest: str) -> None:
    outcome = serve(tmp_path, f"postgresql://ada:s3cret@127.0.0.1:1{rest}")
    check_refused(outcome, "The database cannot be used")
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


def test_each_process_has_a_folder_of_its_own(tmp_path: Path, database: str) -> None:
    with in_process(tmp_path, database):
        check_refused(serve(tmp_path, database), "Another server is using it")
        assert not (tmp_path / "suitors.sqlite3").exists()


def test_the_first_process_makes_the_store_in_an_empty_database(tmp_path: Path, cluster: Cluster) -> None:
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as db:
        db.execute("CREATE DATABASE quite_empty")
    with in_process(tmp_path / "one", cluster.url("quite_empty")) as one:
        assert one.get("/health/ready").status_code == 200
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as db:
        db.execute("DROP DATABASE quite_empty WITH (FORCE)")
