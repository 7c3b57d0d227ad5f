"""`suitors check`: every table is folded and every deal held against its seal, and what is damaged is named."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from suitors.server.domain.checks import check_store
from suitors.server.storage.copies import StoreFile
from suitors.server.storage.folder import FILE
from suitors.server.storage.schema import VERSIONS
from suitors.server.storage.tables import Event
from support.matches import call
from support.servers import in_process, new_person, started_table
from support.stores import TABLE, as_nobody, change_events, flip, make_store, set_version

BODY = "UPDATE events SET body"
SWAPPED = "replace(replace(replace(body, 'princess', '*'), 'king', 'princess'), '*', 'king')"
DAMAGE = {
    "Event 5 cannot be applied: illegal-move.": f"{BODY} = replace(body, 'priest 1', 'king 1') WHERE number = 5",
    "Event 5 is no JSON.": f"{BODY} = '{{\"kind\":' WHERE number = 5",
    "Event 3 is missing.": "DELETE FROM events WHERE number = 3",
    "It has no events.": "DELETE FROM events WHERE number >= 0",
    "Event 4 cannot be applied: wrong-seal.": f"{BODY} = json_replace(body, '$.seal', '{'0' * 64}') WHERE number = 4",
    "Event 4 cannot be applied: wrong-deck.": f"{BODY} = {SWAPPED} WHERE number = 4",
    "Event 4 cannot be applied: wrong-first.": f"{BODY} = json_replace(body, '$.first', 1) WHERE number = 4",
    "Event 4 cannot be applied: wrong-": f"{BODY} = json_replace(body, '$.words[0]', 'another') WHERE number = 4",
}
"""What may be wrong with a table, by what is said of it."""


def test_a_store_that_is_whole(tmp_path: Path) -> None:
    file = make_store(tmp_path)
    before = file.read_bytes()
    done = call("check", str(tmp_path))
    assert (done.status, done.err) == (0, "")
    with closing(sqlite3.connect(file)) as db:
        ((tables,), (events,)) = (
            db.execute(f"SELECT count(*) FROM {name}").fetchone() for name in ("tables", "events")
        )
    assert done.out == f"Tables checked: {tables}, with {events} events. All of them are whole.\n"
    assert file.read_bytes() == before
    assert call("check", str(file), "--lang", "fr").out.endswith("Toutes sont intactes.\n")  # a file, such as a backup


@pytest.mark.parametrize(("why", "sql"), DAMAGE.items())
def test_a_damaged_table_is_named_with_its_event(tmp_path: Path, why: str, sql: str) -> None:
    change_events(make_store(tmp_path), sql)
    done = call("check", str(tmp_path))
    assert done.status == 1
    assert done.err.startswith(f"Table {TABLE}: {why}")
    assert len(done.err.splitlines()) == 1
    assert done.out.endswith("Something is damaged.\n")


def test_events_without_a_table_and_ids_that_are_no_text_are_found(tmp_path: Path) -> None:
    file = make_store(tmp_path)
    with closing(sqlite3.connect(file)) as db:
        db.execute("DELETE FROM tables WHERE id = ?", (TABLE,))
        db.execute("UPDATE tables SET id = CAST(x'ff' AS TEXT) WHERE id = 'stand-in'")
        db.commit()
    told = call("check", str(tmp_path)).err.splitlines()
    assert f"Table {TABLE}: Its events belong to no table." in told
    assert "Table \ufffd: Its id is no text." in told


def test_a_file_with_flipped_bytes_is_damaged(tmp_path: Path) -> None:
    file = make_store(tmp_path)
    with closing(sqlite3.connect(file)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    flip(file, (root - 1) * size)
    done = call("check", str(tmp_path))
    assert done.status == 1
    assert done.err.startswith("The file: ")


def test_a_file_that_was_cut_off_is_damaged(tmp_path: Path) -> None:
    file = make_store(tmp_path)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    done = call("check", str(tmp_path))
    assert done.status == 1
    assert "malformed" in done.err


@pytest.mark.parametrize("given", ["nowhere", "diary", "other", "later", "empty"])
def test_what_is_no_store_is_bad_input(tmp_path: Path, given: str) -> None:
    folder = tmp_path / "data"
    if given != "nowhere":
        file = make_store(folder)
        if given == "later":
            set_version(file, len(VERSIONS) + 1)
        else:
            file.write_bytes(b"" if given == "empty" else b"Dear diary, " * 100)
    if given == "other":
        (folder / FILE).unlink()
        with closing(sqlite3.connect(folder / FILE)) as db:
            db.execute("CREATE TABLE recipes (id)")
    done = call("check", str(folder))
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"suitors: {folder}")
    assert given != "later" or f"a store of version {len(VERSIONS) + 1}" in done.err


def test_a_folder_that_is_closed_to_us_is_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_store(tmp_path)
    monkeypatch.chdir(tmp_path)
    for mode, sentence in ((0o000, "cannot be looked into"), (0o755, "cannot be opened")):
        tmp_path.chmod(mode)
        (tmp_path / FILE).chmod(0o600)
        with as_nobody() as other:
            done = call("check", ".")
        tmp_path.chmod(0o700)
        assert not other or (done.status, done.out) == (2, "")
        assert not other or sentence in done.err


def test_a_table_that_a_server_deletes_meanwhile_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, read = make_store(tmp_path), StoreFile.events

    def read_and_delete(store: StoreFile, table: str) -> list[Event]:
        found = read(store, table)
        with closing(sqlite3.connect(file)) as db:
            for column, name in (("table_id", "events"), ("id", "tables")):
                db.execute(f"DELETE FROM {name} WHERE {column} = ?", (table,))
            db.commit()
        return found

    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        monkeypatch.setattr(StoreFile, "events", read_and_delete)
        assert call("check", str(tmp_path)).err == ""
        assert db.execute("SELECT count(*) FROM tables").fetchone() == (0,)


def test_progress_is_told_table_by_table(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with StoreFile(make_store(tmp_path)) as file:
        report = check_store(file, lambda done, tables: told.append((done, tables)))
    assert told == [(done, report.tables) for done in range(1, report.tables + 1)]


def test_a_server_may_be_using_it(tmp_path: Path) -> None:
    with in_process(tmp_path / "data") as client:
        started_table(new_person(client, "Ada"), new_person(client, "Ben"))
        done = call("check", str(tmp_path / "data"))
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith("Tables checked: 1, with ")
