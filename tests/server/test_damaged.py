"""A table that cannot be read, or is not possible by the rules of today, is set aside; all others play on."""

import json
import logging
import random
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors import fair
from suitors.records.record import replay
from suitors.rules import RULES_VERSION
from suitors.server.app import make_app
from suitors.server.domain import expiry, registry
from suitors.server.server import Server, Settings
from suitors.server.storage.database import CorruptStore
from suitors.server.storage.folder import FILE
from suitors.server.storage.sqlite import SqliteDatabase
from suitors.server.storage.store import Store
from support.servers import (
    API,
    Clock,
    in_process,
    json_of,
    load_version_1,
    make_move,
    new_person,
    on_loop,
    path_of,
    refused,
    server_of,
    started_table,
    state_of,
    use_key,
)

BROKEN = "bot-to-move"
"""A private table of Ada's and a bot, in the store of version 1: the bot's move is due."""

LAST = 5  # the number of its last event: a move of Ada's


BODY = "UPDATE events SET body"
DAMAGE = {
    "illegal": f"{BODY} = replace(body, 'priest 1', 'king 1') WHERE number = 5",
    "another-seat": f"{BODY} = replace(body, 'seat\":0', 'seat\":1') WHERE number = 5",
    "no-move": f'{BODY} = \'{{"kind":"moved","seat":0}}\' WHERE number = 5',
    "no-json": f"{BODY} = '{{\"kind\":' WHERE number = 5",
    "no-utf-8": f"{BODY} = CAST(x'22ff22' AS TEXT) WHERE number = 5",
    "no-event": f"{BODY} = '17' WHERE number = 5",
    "unknown": f'{BODY} = \'{{"kind":"danced"}}\' WHERE number = 5',
    "another-deck": f"{BODY} = replace(body, 'princess', 'guard') WHERE number = 4",
    "another-start": f"{BODY} = replace(body, 'first\":0', 'first\":7') WHERE number = 4",
    "a-gap": "DELETE FROM events WHERE number = 3",
    "no-seats": f"{BODY} = '\"sat\"' WHERE number = 1",
    "no-opening": "DELETE FROM events WHERE number = 0",
    "another-edition": f"{BODY} = replace(body, 'classic', 'whist') WHERE number = 0",
    "empty": "DELETE FROM events WHERE number >= 0",
}
"""What may be wrong with a table on disk."""


def damage(folder: Path) -> None:
    """Make a move at the table illegal."""
    load_version_1(folder)
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.execute(f"{DAMAGE['illegal']} AND table_id = ?", (BROKEN,))
        db.commit()


def damage_copies(folder: Path) -> None:
    """Damage a copy of the table, which is open to everybody, in each way."""
    load_version_1(folder)
    columns = "host, edition, 1, status, due, updated"
    with closing(sqlite3.connect(folder / FILE)) as db:
        for name, sql in DAMAGE.items():
            given = (name, BROKEN)
            db.execute("INSERT INTO events SELECT ?, number, at, body FROM events WHERE table_id = ?", given)
            db.execute(f"INSERT INTO tables SELECT ?, {columns} FROM tables WHERE id = ?", given)
            db.execute("INSERT INTO members SELECT person, ? FROM members WHERE table_id = ?", given)
            db.execute(f"{sql} AND table_id = ?", (name,))
        db.execute("UPDATE tables SET due = 1, id = CAST(x'ff' AS TEXT) WHERE id = 'stand-in'")
        db.commit()


def repair(folder: Path) -> None:
    """What another program would read: the move is legal by its rules."""
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.execute("UPDATE events SET body = replace(body, 'king 1', 'priest 1') WHERE table_id = ?", (BROKEN,))
        db.commit()


def person(client: TestClient, name: str) -> TestClient:
    """Ada or Ben of the store."""
    return use_key(new_person(client, "x"), f"key-of-{name}")


def noted(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """What was logged of damaged tables."""
    return [record.data for record in caplog.records if record.message == "table-damaged"]  # type: ignore[attr-defined]


def test_damaged_tables_are_set_aside_and_the_others_play(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    damage_copies(tmp_path)
    with caplog.at_level(logging.ERROR), in_process(tmp_path) as client:
        ada, ben = person(client, "Ada"), person(client, "Ben")
        for name in DAMAGE.keys() - {"empty"}:
            refused(ada.get(path_of(name)), 410, "damaged")
        refused(ada.get(path_of("empty")), 404, "not-found")
        make_move({0: ada, 1: ben}, "playing", random.Random(1))
        make_move({0: ada, 1: ben}, started_table(ada, ben), random.Random(1))
        listed = {line["id"]: line["status"] for line in json_of(ada.get(f"{API}/me/tables"))["tables"]}
        assert {listed[name] for name in DAMAGE} == {"damaged"}
        assert listed["playing"] == "playing"
        for path in ("/", "/tables", "/mine"):
            assert client.get(path).status_code == 200
        assert ada.get("/mine").text.count("damaged") == len(DAMAGE)
        on_loop(client, server_of(client).tables.resume)  # as the maintenance does every few seconds
        assert f"suitors_damaged_tables {len(DAMAGE) + 1}.0" in server_of(client).metrics.text().decode()
    lines = {line["table"]: line["why"] for line in noted(caplog)}
    assert len(noted(caplog)) == len(lines)  # each once
    assert lines.keys() == DAMAGE.keys() | {"\ufffd"}
    assert all(re.fullmatch(r"(Event \d .*|It has no events)\.", why) for why in lines.values())
    assert not any(re.search("king|priest|guard|princess", why) for why in lines.values())


def test_a_part_of_the_file_that_is_damaged_costs_the_tables_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = SqliteDatabase.read

    def corrupt(database: SqliteDatabase, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        if "FROM events" in sql and BROKEN in values:
            raise CorruptStore("The store cannot be read: database disk image is malformed.")
        return read(database, sql, values)

    load_version_1(tmp_path)
    monkeypatch.setattr(SqliteDatabase, "read", corrupt)
    with in_process(tmp_path) as client:
        ada = person(client, "Ada")
        refused(ada.get(path_of(BROKEN)), 410, "damaged")
        assert ada.get("/mine").status_code == 200
        assert json_of(ada.get(path_of("playing")))["status"] == "playing"


def test_a_file_that_is_damaged_is_noticed_as_such(tmp_path: Path) -> None:
    load_version_1(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with (tmp_path / FILE).open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    store = Store(tmp_path)
    try:
        with pytest.raises(CorruptStore, match="malformed"):
            store.database.read("SELECT body FROM events")
    finally:
        store.close()


# What people are told


def test_those_at_the_table_are_told_and_nobody_else_is(tmp_path: Path) -> None:
    damage(tmp_path)
    with in_process(tmp_path) as client:
        ada, ben = person(client, "Ada"), person(client, "Ben")
        assert refused(ada.get(path_of(BROKEN)), 410, "damaged")["yours"] == [0]
        for path in ("view", "events", "replay", "legal?seat=0"):
            refused(ada.get(path_of(BROKEN, path)), 410, "damaged")
        refused(ada.post(path_of(BROKEN, "deal"), json={"state": 1}), 410, "damaged")
        page = ada.get(f"/tables/{BROKEN}", headers={"accept": "text/html"})
        assert page.status_code == 410
        assert "This table is damaged" in page.text
        assert f'href="/tables/{BROKEN}/record"' in page.text
        french = ada.get(f"/tables/{BROKEN}", headers={"accept": "text/html", "accept-language": "fr"})
        assert "Cette table est endommagée" in french.text
        for path in ("", "record"):
            refused(ben.get(path_of(BROKEN, *filter(None, [path]))), 404, "not-found")


def test_a_damaged_table_can_be_downloaded_up_to_what_is_wrong_with_it(tmp_path: Path) -> None:
    damage(tmp_path)
    with in_process(tmp_path) as client:
        ada = person(client, "Ada")
        for path in (path_of(BROKEN, "record"), f"/tables/{BROKEN}/record"):
            record = json_of(ada.get(path))
            assert record["damaged"] == f"Event {LAST} cannot be applied: illegal-move."
            match = replay(record)
            assert (len(match.rounds), match.rounds[0].moves, match.turn) == (1, [], 0)
            assert fair.verify(record).honest
    repair(tmp_path)
    with in_process(tmp_path) as client:  # its cards have been shown: nobody plays on there
        ada, ben = person(client, "Ada"), person(client, "Ben")
        assert json_of(ada.get(path_of(BROKEN)))["status"] == "closed"
        assert "has been given up" in ada.get(f"/tables/{BROKEN}").text
        assert json_of(ada.get(path_of(BROKEN, "record")))["rounds"][0]["moves"] == ["priest 1"]
        refused(ada.post(path_of(BROKEN, "deal"), json={"state": LAST + 2}), 409, "not-playing")
        refused(ben.get(path_of(BROKEN)), 404, "not-found")


def test_a_program_that_can_read_a_damaged_table_plays_on(tmp_path: Path) -> None:
    damage(tmp_path)
    for _ in range(2):
        with in_process(tmp_path) as client:
            refused(person(client, "Ada").get(path_of(BROKEN)), 410, "damaged")
    repair(tmp_path)
    with in_process(tmp_path) as client:
        ada = person(client, "Ada")
        listed = {line["id"]: line["status"] for line in json_of(ada.get(f"{API}/me/tables"))["tables"]}
        assert listed[BROKEN] == "playing"
        while state_of(ada, BROKEN) == LAST + 1:
            pass  # the bot's move is still due
        assert "suitors_damaged_tables 0.0" in server_of(client).metrics.text().decode()


def test_damaged_tables_do_not_count_as_unfinished_and_are_deleted_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_version_1(tmp_path)
    with in_process(tmp_path) as client:
        before = on_loop(client, lambda: server_of(client).store.tables.count_unfinished(1))
    damage(tmp_path / "copy")
    with in_process(tmp_path / "copy") as client:
        server = server_of(client)
        refused(person(client, "Ada").get(path_of(BROKEN)), 410, "damaged")
        assert on_loop(client, lambda: server.store.tables.count_unfinished(1)) == before - 1
        clock = Clock(monkeypatch, expiry, registry)
        for days in (29, 58, 61):
            clock.ahead = days * 86_400
            on_loop(client, server.expiry.sweep)
        assert server.tables.damaged == set()
        assert server.store.database.read("SELECT id FROM tables WHERE id = ?", (BROKEN,)) == []


# The version of the rules


def test_stored_matches_and_records_name_the_rules_they_were_played_by(tmp_path: Path) -> None:
    load_version_1(tmp_path)
    with in_process(tmp_path) as client:
        ada, ben = person(client, "Ada"), person(client, "Ben")
        assert json_of(ada.get(path_of("over")))["rules"] == 1  # its deals do not say so: they are as old as that
        assert json_of(ada.get(path_of("over", "record")))["rules"] == 1
        table = started_table(ada, ben)
        loaded = server_of(client).tables.loaded[table["id"]]
        (dealt,) = [event for event, _ in loaded.table.events if event["kind"] == "dealt"]
        assert dealt["rules"] == RULES_VERSION == table["rules"]


def test_a_match_that_goes_on_by_newer_rules_names_these(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_version_1(tmp_path)
    monkeypatch.setattr("suitors.server.domain.commands.RULES_VERSION", 7)
    with in_process(tmp_path) as client:
        ada, ben = person(client, "Ada"), person(client, "Ben")
        assert json_of(ben.get(path_of("resting")))["rules"] == 1
        for who in (ada, ben):
            json_of(who.post(path_of("resting", "deal"), json={"state": state_of(ben, "resting")}))
        assert json_of(ben.get(path_of("resting")))["rules"] == 7


# A start that fails


def serve(folder: Path) -> subprocess.CompletedProcess[str]:
    """A real server that must end by itself."""
    command = [sys.executable, "-m", "suitors", "serve", "--port", "0", "--data", str(folder)]
    environment = {"PATH": "", "HOME": str(folder), "PYTHONPATH": ":".join(sys.path)}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)


def test_a_start_that_fails_ends_the_process_with_a_sentence_and_leaves_no_lock(tmp_path: Path) -> None:
    load_version_1(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("ALTER TABLE tables RENAME TO tabels")
        db.commit()
    done = serve(tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    last = done.stderr.splitlines()[-1]
    assert last == "suitors: The server could not start: The store cannot be read: no such table: tables."
    assert "Traceback" not in done.stderr
    assert all(json.loads(line)["event"] for line in done.stderr.splitlines()[:-1])
    Store(tmp_path).close()  # the folder is free


def test_a_fault_of_the_program_at_its_start_leaves_no_lock_either(tmp_path: Path) -> None:
    def broken(server: Server) -> None:
        raise ZeroDivisionError

    faults: list[Exception] = []
    app = make_app(Settings(tmp_path, sync=False, workers=1), broken, faults.append)
    with pytest.raises(ZeroDivisionError), TestClient(app):
        pass
    assert [type(fault) for fault in faults] == [ZeroDivisionError]
    Store(tmp_path).close()
