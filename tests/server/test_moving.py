"""Data taken from SQLite to PostgreSQL and back, row by row; backups, restores and checks of a database."""

import asyncio
import random
import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from suitors.server.storage import moving
from suitors.server.storage import rows as rows_module
from suitors.server.storage.database import StoreFailure
from suitors.server.storage.folder import FILE
from suitors.server.storage.moving import _reading, _writing, move_data
from suitors.server.storage.store import Store
from support.kills import killed
from support.matches import Outcome, call
from support.postgres import Cluster, new_database
from support.servers import API, in_process, json_of, make_move, new_person, path_of, started_table, use_key
from support.stores import TABLE, change_events, make_store


def contents(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as db:
        return [line for line in db.iterdump() if line.startswith("INSERT")]


def count(url: str, table: str) -> int:
    with psycopg.connect(url) as db:
        found = db.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
    assert found is not None
    return int(found[0])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with tables, and with somebody who has been forgotten."""
    folder = tmp_path / "data"
    make_store(folder)
    with closing(Store(folder, sync=False)) as store:
        for name in ("Zoë ’", "last"):
            asyncio.run(store.people.create(name, name.encode() * 5, 1_000_000))
        asyncio.run(store.records.add("r", 1, '{"a": "é"}', now=5, most=9, most_bytes=99))
        asyncio.run(store.analyses.keep("a", '{"a": "é"}\n', 5))
        asyncio.run(store.analyses.note_seats("a", TABLE, {0: 1, 1: 2}, 5))
        asyncio.run(store.practice.note(1, "p", True, 5, lambda _: (1020.25, 1)))
        asyncio.run(store.practice.note(2, f"{TABLE}/0/1", False, 5))
        asyncio.run(_forget_last(store))
    return folder


async def _forget_last(store: Store) -> None:
    await store.people.delete_key(b"last" * 5)
    assert await store.expiry.delete_persons() == 1


@pytest.fixture
def another(cluster: Cluster) -> Iterator[str]:
    """A second database."""
    with new_database(cluster) as name:
        yield cluster.url(name)


def test_everything_goes_there_and_back_as_it_was(folder: Path, database: str, tmp_path: Path) -> None:
    there = call("move-data", str(folder), database)
    assert there.status == 0, there.err
    assert count(database, "events") > 50
    assert count(database, "persons") == 3
    back = call("move-data", database, str(tmp_path / "back"), "--lang", "fr")
    assert (back.status, "les mêmes qu’avant" in back.out) == (0, True), back.err
    assert contents(tmp_path / "back" / FILE) == contents(folder / FILE)
    assert stat.S_IMODE((tmp_path / "back" / FILE).stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "back").iterdir() if "part" in path.name] == []


def test_a_moved_match_goes_on_and_nobody_gets_a_number_again(folder: Path, database: str, tmp_path: Path) -> None:
    move_data(folder, database)
    with in_process(tmp_path / "server", database) as client:
        ada, ben = use_key(new_person(client, "x"), "key-of-Ada"), use_key(new_person(client, "y"), "key-of-Ben")
        assert json_of(ada.get(f"{API}/me"))["name"] == "Ada"
        make_move({0: ada, 1: ben}, "playing", random.Random(1))
    with psycopg.connect(database) as db:
        numbers = [row[0] for row in db.execute("SELECT id FROM persons ORDER BY id")]
    assert 4 not in numbers  # the number of the forgotten one
    assert numbers[-2:] == [5, 6]


def test_data_is_moved_from_one_database_to_another(folder: Path, database: str, another: str) -> None:
    assert move_data(folder, database) == move_data(database, another)
    assert count(another, "events") == count(database, "events")


def test_nothing_is_moved_onto_other_data(folder: Path, database: str, tmp_path: Path) -> None:
    move_data(folder, database)
    for source, target in ((str(folder), database), (database, str(folder))):
        outcome = call("move-data", source, target)
        assert outcome.status == 2
        assert "holds data already" in outcome.err
        assert len(outcome.err.splitlines()) == 1


def test_nothing_is_moved_that_a_server_uses(folder: Path, database: str, another: str, tmp_path: Path) -> None:
    with in_process(folder):
        assert "Another server is using it" in call("move-data", str(folder), database).err
    with in_process(tmp_path / "server", database):
        for given in ((database, another), (str(folder), database)):
            outcome = call("move-data", *given)
            assert outcome.status == 2
            assert "A server is using it" in outcome.err


@pytest.mark.parametrize(
    ("source", "target", "sentence"),
    [
        ("nothing", "{database}", "holds no data of a server"),
        ("{data}", "postgresql://nobody@127.0.0.1:1/none", "cannot be reached"),
        ("postgresql://nobody@127.0.0.1:1/none", "new", "cannot be reached"),
        ("{empty}", "new", "holds no data of a server"),
        ("{file}", "{database}", "is no data folder"),
    ],
)
def test_bad_places_are_refused_in_a_sentence(
    source: str, target: str, sentence: str, folder: Path, cluster: Cluster, database: str, tmp_path: Path
) -> None:
    known = {"data": folder, "database": database, "empty": cluster.url("postgres"), "file": folder / FILE}
    places = [place.format(**known) if "{" in place else place for place in (source, target)]
    outcome = call("move-data", *(str(tmp_path / place) if "/" not in place else place for place in places))
    assert (outcome.status, outcome.out) == (2, "")
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
    assert count(database, "persons") == 0


def test_text_that_is_none_stays_where_it_is_and_is_named(folder: Path, database: str) -> None:
    change_events(folder / FILE, "UPDATE events SET body = CAST(x'ff00' AS TEXT) WHERE number = 2")
    outcome = call("move-data", str(folder), database)
    assert outcome.status == 2
    assert f"events {TABLE} 2 is damaged" in outcome.err
    assert count(database, "events") == count(database, "persons") == 0  # all or nothing


def test_rows_that_are_not_the_same_are_noticed(
    folder: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = rows_module.SqliteRows.write

    def spoil(rows: Any, kind: rows_module.Kind, batch: Any) -> None:
        write(rows, kind, [(*row[:-1], "spoilt") if row[:2] == (TABLE, 3) else row for row in batch])

    move_data(folder, database)
    monkeypatch.setattr(rows_module.SqliteRows, "write", spoil)
    with pytest.raises(StoreFailure, match=f"events {TABLE} 3 is not the same"):
        move_data(database, tmp_path / "new")
    assert not (tmp_path / "new" / FILE).stat().st_size


def test_a_server_that_starts_while_data_is_moved_waits_for_its_end(
    folder: Path, database: str, tmp_path: Path
) -> None:
    def start() -> tuple[str, Any, Any]:
        with closing(Store(tmp_path / "server", url=database)) as store:
            return (
                store.server_id,
                asyncio.run(store.people.find(b"last" * 5)),
                store.database.read("SELECT count(*) FROM events"),
            )

    with closing(Store(folder, sync=False)) as store:
        name = store.server_id
    with ThreadPoolExecutor(1) as pool:
        with _reading(folder) as before, _writing(database) as after:
            starting = pool.submit(start)
            with pytest.raises(TimeoutError):
                starting.result(0.5)
            rows_module.copy_all(before, after)
        found = starting.result(30)
    assert (found[0], found[1]) == (name, None)
    assert found[2][0][0] > 50


@pytest.mark.parametrize("place", ["compare", "copy_all"])
def test_a_move_that_is_killed_has_not_happened_and_can_be_done_again(
    folder: Path, database: str, tmp_path: Path, place: str
) -> None:
    module = rows_module if place == "compare" else moving
    assert killed(module, place, lambda: move_data(folder, database))
    assert count(database, "events") == count(database, "persons") == 0
    rows = move_data(folder, database)
    assert killed(module, place, lambda: move_data(database, tmp_path / "back"))
    assert not (tmp_path / "back" / FILE).stat().st_size
    assert move_data(database, tmp_path / "back") == rows


def test_a_restore_into_a_database_that_is_killed_has_not_happened(folder: Path, database: str) -> None:
    assert killed(rows_module, "compare", lambda: call("restore", str(folder / FILE), database))
    assert count(database, "events") == 0
    assert call("restore", str(folder / FILE), database).status == 0


# Backups


def played(client: Any) -> str:
    ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
    table = started_table(ada, ben)
    for _ in range(5):
        make_move({0: ada, 1: ben}, table, random.Random(2))
    return str(table["id"])


def test_a_database_is_backed_up_checked_and_restored_while_servers_run(
    database: str, another: str, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.sqlite3"
    with in_process(tmp_path / "server", database) as client:
        table = played(client)
        checked = call("check", database)
        assert (checked.status, "All of them are whole" in checked.out) == (0, True), checked.err
        saved = call("backup", database, str(backup))
        assert saved.status == 0, saved.err
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    restored = call("restore", str(backup), another)
    assert restored.status == 0, restored.err
    assert count(another, "events") == count(database, "events") > 5
    assert call("restore", str(backup), str(tmp_path / "folder")).status == 0
    for url in ("", another):
        with in_process(tmp_path / ("again" if url else "folder"), url) as client:
            assert client.get(path_of(table)).status_code == 404  # it is private, and still there
    assert call("check", str(backup)).status == 0


def test_a_backup_is_not_restored_onto_other_data(database: str, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite3"
    with in_process(tmp_path / "server", database) as client:
        played(client)
        assert call("backup", database, str(backup)).status == 0
        assert "A server is using it" in call("restore", str(backup), database).err
    for more in ((), ("--replace",)):
        outcome: Outcome = call("restore", str(backup), database, *more)
        assert outcome.status == 2
        assert "empty" in outcome.err or "make a new one" in outcome.err


def test_damage_in_a_database_is_named(folder: Path, database: str, another: str, tmp_path: Path) -> None:
    move_data(folder, database)
    with psycopg.connect(database) as db:
        db.execute("DELETE FROM events WHERE table_id = %s AND number = 3", (TABLE,))
    outcome = call("check", database)
    assert outcome.status == 1
    assert f"Table {TABLE}: Event 3 is missing." in outcome.err
    saved = call("backup", database, str(tmp_path / "b"))
    assert (saved.status, f"Table {TABLE}: Event 3 is missing." in saved.err) == (1, True)
    assert call("restore", str(tmp_path / "b"), another).status == 1
    assert count(another, "events") == 0
    assert call("restore", str(tmp_path / "b"), another, "--damaged").status == 1
    assert count(another, "events") == count(database, "events")


def test_an_old_backup_is_brought_up_to_date(database: str, tmp_path: Path) -> None:
    file = make_store(tmp_path / "old")  # of version 1
    assert call("restore", str(file), database).status == 0
    assert count(database, "tables") == 9
