"""What is on disk: failures, one server a folder, versions and their migrations."""

import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from starlette.websockets import WebSocketDisconnect

from suitors import fair
from suitors.server.storage import sqlite as sqlite_module
from suitors.server.storage.folder import FILE, LOCK
from suitors.server.storage.schema import VERSIONS, WrongStore, migrate
from suitors.server.storage.sqlite import SqliteDatabase
from suitors.server.storage.store import Store
from support.disks import held_up, on_bad_disk
from support.matches import Outcome, call
from support.servers import (
    API,
    SocketReader,
    change,
    in_process,
    json_of,
    load_version_1,
    make_move,
    new_person,
    new_table,
    next_decision,
    on_loop,
    path_of,
    refused,
    server_of,
    started_table,
    use_key,
)

# What is written


def test_a_match_only_ever_adds_events(tmp_path: Path) -> None:
    with in_process(tmp_path) as client:
        said_to_disk: list[str] = []
        database = server_of(client).store.database
        assert isinstance(database, SqliteDatabase)
        database._writer.set_trace_callback(said_to_disk.append)
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        table, rng = started_table(ada, ben), random.Random(1)
        for _ in range(10):
            make_move({0: ada, 1: ben}, table, rng)
        touching = {line.split("SELECT")[0].strip() for line in said_to_disk if "events" in line.split("SELECT")[0]}
        assert touching == {"INSERT INTO events"}


# A disk that fails


@pytest.mark.parametrize("broken", [("COMMIT",), ("",), ("INSERT",)], ids=["commit", "everything", "insert"])
def test_what_the_disk_refuses_has_not_happened_and_nobody_is_told(tmp_path: Path, broken: tuple[str, ...]) -> None:
    with on_bad_disk(tmp_path) as (client, disk):
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        people = {0: ada, 1: ben}
        table = started_table(ada, ben)
        state, seat, legal = next_decision(people, table)
        before = [json_of(who.get(path_of(table, f"view?seat={k}"))) for k, who in people.items()]
        click = {"state": state, "seat": seat, "move": legal[0]}
        with people[1 - seat].websocket_connect(path_of(table, "live")) as socket:
            told = SocketReader(socket)
            disk.broken = broken
            refused(people[seat].post(path_of(table, "moves"), json=click), 503, "store-failed")
            refused(ada.post(f"{API}/tables", json={"edition": "classic", "players": 2}), 503, "store-failed")
            assert [client.get(path).status_code for path in ("/health", "/health/ready", "/health/live")] == [
                503,
                503,
                200,
            ]
            with pytest.raises(WebSocketDisconnect) as gone:
                told.read()
            assert gone.value.code == 4012  # come again
        assert [json_of(who.get(path_of(table, f"view?seat={k}"))) for k, who in people.items()] == before
        with people[seat].websocket_connect(path_of(table, "live")) as socket:
            told = SocketReader(socket)
            socket.send_json({"do": "move", "state": state, "move": legal[0]})
            with pytest.raises(WebSocketDisconnect):
                told.read()
        disk.broken = ()
        assert client.get("/health").status_code == 200
        json_of(people[seat].post(path_of(table, "moves"), json=click))
        assert len(json_of(ada.get(f"{API}/me/tables"))["tables"]) == 1
        make_move(people, table, random.Random(2))


def test_nobody_sees_a_change_before_it_is_on_disk(tmp_path: Path) -> None:
    with on_bad_disk(tmp_path) as (client, disk), ThreadPoolExecutor(4) as hands:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        people = {0: ada, 1: ben}
        table = started_table(ada, ben)
        for lands in (False, True):
            state, seat, legal = next_decision(people, table)
            click = {"state": state, "seat": seat, "move": legal[0]}
            before = json_of(ada.get(path_of(table, "view")))
            disk.free.clear()
            moving = hands.submit(people[seat].post, path_of(table, "moves"), json=click)
            held_up(client, table["id"])
            looking = hands.submit(ben.get, path_of(table, "view"))
            held_up(client, table["id"], 1)
            racing = hands.submit(ada.post, path_of(table, "deal"), json={"state": state})
            held_up(client, table["id"], 2)
            disk.broken = () if lands else ("COMMIT",)
            disk.free.set()
            assert moving.result().status_code == (200 if lands else 503)
            seen = json_of(looking.result())
            assert seen["state"] == state + lands
            assert lands or seen == before
            assert refused(racing.result(), 409, "stale")["state"] == state + lands
            disk.broken = ()


def test_a_move_is_made_even_if_its_player_hangs_up_meanwhile(tmp_path: Path) -> None:
    with on_bad_disk(tmp_path) as (client, disk):
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        people = {0: ada, 1: ben}
        table = started_table(ada, ben)
        state, seat, legal = next_decision(people, table)
        with people[1 - seat].websocket_connect(path_of(table, "live")) as socket:
            told = SocketReader(socket)
            with people[seat].websocket_connect(path_of(table, "live")) as hasty:
                SocketReader(hasty)
                disk.free.clear()
                hasty.send_json({"do": "move", "state": state, "move": legal[0]})
                held_up(client, table["id"])
            while on_loop(client, lambda: len(server_of(client).tables.loaded[table["id"]].subscribers)) > 1:
                pass
            disk.free.set()
            assert told.read()["state"] == state + 1


def test_bots_go_on_when_the_disk_has_recovered(tmp_path: Path) -> None:
    with on_bad_disk(tmp_path) as (client, disk):
        ada = new_person(client, "Ada")
        table = new_table(ada, seats=[{}, {"bot": "random"}])
        disk.free.clear()
        with ThreadPoolExecutor(1) as hands:
            started = hands.submit(change, ada, "POST", "start", table)
            assert disk.held.wait(60)
            disk.broken = ("INSERT INTO events SELECT",)
            disk.free.set()
            json_of(started.result())  # it was written before the disk broke; the deal is what fails
        loaded = server_of(client).tables.loaded
        while table["id"] in loaded:
            pass
        disk.broken = ()
        on_loop(client, server_of(client).tables.resume)  # as the maintenance does every few seconds
        make_move({0: ada}, table, random.Random(3))


# One server a folder


def serve(folder: Path) -> Outcome:
    return call("serve", "--no-open", "--port", "0", "--data", str(folder))


def test_a_second_server_on_the_same_folder_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with in_process(tmp_path):
        with pytest.raises(WrongStore, match="Another server is using it"):
            Store(tmp_path)
        outcome = serve(tmp_path)
        assert (outcome.status, outcome.out) == (2, "")
        assert "Another server is using it" in outcome.err
        assert len(outcome.err.splitlines()) == 1
    Store(tmp_path).close()  # it has let go


def test_what_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"Dear diary, this is no database. " * 50)
    for _ in range(2):
        outcome = serve(tmp_path)
        assert (outcome.status, outcome.out) == (2, "")
        assert "cannot be read as a store" in outcome.err
    assert (tmp_path / FILE).read_bytes().startswith(b"Dear diary")
    (tmp_path / LOCK).write_bytes(b"Nor is this one. " * 100)
    assert serve(tmp_path).status == 2


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    outcome = serve(tmp_path / "file" / "data")
    assert outcome.status == 2
    assert "cannot be the data folder" in outcome.err


# Versions


def contents(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / FILE)) as db:
        return [str(db.execute("PRAGMA user_version").fetchone()), *db.iterdump()]


def test_every_table_of_a_store_of_version_1_goes_on(tmp_path: Path) -> None:
    load_version_1(tmp_path)
    with in_process(tmp_path) as client:
        ada, ben = new_person(client, "x"), new_person(client, "y")
        for who, key in ((ada, "key-of-Ada"), (ben, "key-of-Ben")):
            use_key(who, key)
        assert [json_of(who.get(f"{API}/me"))["name"] for who in (ada, ben)] == ["Ada", "Ben"]
        people, rng = {0: ada, 1: ben}, random.Random(4)
        states = {line["id"]: line["status"] for line in json_of(ada.get(f"{API}/me/tables"))["tables"]}
        running = ["bot-to-move", "playing", "resting", "solo", "stand-in"]
        assert states == dict.fromkeys(running, "playing") | {
            "waiting": "waiting",
            "rematch": "waiting",
            "over": "over",
            "closed": "closed",
        }
        assert fair.verify(json_of(ben.get(path_of("over", "record")))).honest
        assert json_of(ben.get(path_of("over")))["rematch"] == "rematch"
        assert json_of(ada.get(path_of("waiting")))["seats"][0]["word"] == "été"
        json_of(change(ben, "POST", "seats/1/return", "stand-in"))
        for who in (ada, ben):
            json_of(change(who, "POST", "deal", "resting"))
        json_of(change(ada, "POST", "start", "rematch"))
        for table in (*running, "rematch"):
            seats = json_of(ada.get(path_of(table)))["seats"]
            mine = {k: people[k] for k, seat in enumerate(seats) if seat["kind"] == "person"}
            while json_of(ada.get(path_of(table)))["status"] == "playing":
                if json_of(ada.get(path_of(table, "view")))["view"]["phase"] == "deal":
                    for who in mine.values():
                        change(who, "POST", "deal", table)
                elif any(json_of(who.get(path_of(table, f"legal?seat={k}")))["legal"] for k, who in mine.items()):
                    make_move(mine, table, rng)
            assert fair.verify(json_of(ada.get(path_of(table, "record")))).honest


LATER = ("ALTER TABLE persons ADD COLUMN colour TEXT NOT NULL DEFAULT 'wax';", "CREATE TABLE clubs (name TEXT);")
BAD = "CREATE TABLE half (name TEXT); UPDATE persons SET name = 'gone'; CREATE TABLE persons (id INTEGER);"


def test_a_later_version_takes_over_step_by_step_and_the_earlier_one_then_refuses(tmp_path: Path) -> None:
    load_version_1(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        migrate(db, [*VERSIONS, *LATER])
        assert db.execute("PRAGMA user_version").fetchone() == (len(VERSIONS) + 2,)
        assert db.execute("SELECT name, colour FROM persons").fetchall() == [("Ada", "wax"), ("Ben", "wax")]
        assert db.execute("SELECT count(*) FROM clubs").fetchone() == (0,)
        migrate(db, [*VERSIONS, *LATER])  # nothing is left to do
    before = contents(tmp_path)
    outcome = serve(tmp_path)
    assert outcome.status == 2
    assert f"The store is of version {len(VERSIONS) + 2}" in outcome.err
    assert contents(tmp_path) == before


def test_a_migration_that_fails_half_way_leaves_the_version_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_version_1(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        migrate(db)
    before = contents(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(sqlite_module, "migrate", partial(migrate, versions=[*VERSIONS, BAD]))
        with pytest.raises(WrongStore, match="already exists"):
            Store(tmp_path)
    assert contents(tmp_path) == before
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        with pytest.raises(sqlite3.OperationalError):
            migrate(db, [*VERSIONS, LATER[0], BAD])
        assert db.execute("PRAGMA user_version").fetchone() == (len(VERSIONS) + 1,)  # the good step is done
        assert db.execute("SELECT name FROM persons ORDER BY id").fetchall() == [("Ada",), ("Ben",)]
        assert db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'half'").fetchall() == []
