"""Nothing is acknowledged before it is on disk: every change of a table on a slow disk, and on one that fails."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.server.domain.commands import COMMANDS
from suitors.server.storage.database import StoreFailure
from suitors.server.storage.folder import FILE
from suitors.server.storage.tables import StoredTables
from support.disks import Disk, held_up, on_bad_disk
from support.jobs_here import JobsHere
from support.servers import (
    API,
    FREE,
    change,
    json_of,
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
from support.stored_tables import Stage

BOTS_WAIT: dict[str, Any] = {"pace_ms": 10_000}
LAST_OF_ITS_ROUND = ("king", "guard", "guard", "priest", "baron", "prince", "priest")
"""The top of a deck: with it `baron 1` ends the round."""


@dataclass
class Visit:
    """Two people at a server whose disk can be held up, and a table where the next move ends the round."""

    client: TestClient
    disk: Disk
    folder: Path
    ada: TestClient
    ben: TestClient
    stored: Stage

    def on_disk(self, table: str) -> int:
        """How many events of a table are on disk."""
        with closing(sqlite3.connect(self.folder / FILE)) as db:
            return int(db.execute("SELECT count(*) FROM events WHERE table_id = ?", (table,)).fetchone()[0])

    def all_on_disk(self) -> int:
        """How many events are on disk."""
        with closing(sqlite3.connect(self.folder / FILE)) as db:
            return int(db.execute("SELECT count(*) FROM events").fetchone()[0])


@contextmanager
def visit(folder: Path) -> Iterator[Visit]:
    stored = Stage(folder, "classic", ["Ada", "Ada"], rest_s=0).deal(*LAST_OF_ITS_ROUND).write()
    with on_bad_disk(folder) as (client, disk):
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        for who in (ada, ben):
            json_of(who.get(f"{API}/me"))  # the first use of a key is written down
        yield Visit(client, disk, folder, ada, ben, stored)


Request = Callable[[], Any]
"""The request that changes a table, all that it needs having been done."""


def put(who: TestClient, table: dict[str, Any], path: str, method: str = "PUT", **body: Any) -> Request:
    state = json_of(who.get(path_of(table)))["state"]
    return lambda: who.request(method, path_of(table, path), json={"state": state, **body})


def delete(who: TestClient, table: dict[str, Any], *path: str) -> Request:
    state = json_of(who.get(path_of(table)))["state"]
    return lambda: who.delete(path_of(table, *path), params={"state": state})


def opening(at: Visit) -> Request:
    body = {"edition": "classic", "players": 2, "seats": [{}, {"bot": "random"}], "start": True, **BOTS_WAIT}
    return lambda: at.ada.post(f"{API}/tables", json=body)


def starting(at: Visit) -> Request:
    return put(at.ada, new_table(at.ada, seats=[{}, {"bot": "random"}], **BOTS_WAIT), "start", "POST")


def moving(at: Visit) -> Request:
    """The move that ends a round: the next deal follows at once."""
    json_of(use_key(at.ada, at.stored.key).get(f"{API}/me"))
    body = {"state": json_of(at.ada.get(path_of(at.stored.table)))["state"], "seat": 0, "move": "baron 1"}
    return lambda: at.ada.post(path_of(at.stored.table, "moves"), json=body)


def dealing(at: Visit) -> Request:
    table = finished_round(at)
    return put(at.ada, table, "deal", "POST")


def finished_round(at: Visit) -> dict[str, Any]:
    """A table between two rounds."""
    table, people = started_table(at.ada, at.ben, rest_s=3600), {0: at.ada, 1: at.ben}
    while json_of(at.ada.get(path_of(table, "view")))["view"]["phase"] != "deal":
        state, seat, legal = next_decision(people, table)
        json_of(people[seat].post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": legal[0]}))
    return table


def returning(at: Visit) -> Request:
    table = started_table(at.ada, at.ben)
    json_of(change(at.ada, "POST", "seats/0/hand-over", table, bot="random"))
    next_decision({1: at.ben}, table)
    return put(at.ada, table, "seats/0/return", "POST")


def taking_back(at: Visit) -> Request:
    table = new_table(at.ada, "solitaire", 1, seats=[{}], start=True)
    state, _, legal = next_decision({0: at.ada}, table)
    json_of(at.ada.post(path_of(table, "moves"), json={"state": state, "seat": 0, "move": legal[-1]}))
    return put(at.ada, table, "seats/0/take-back", "POST")


def hinting(at: Visit) -> Request:
    """A hint, which nobody has to work out here."""
    jobs = on_loop(at.client, lambda: JobsHere(FREE))
    jobs.failing = 1
    server_of(at.client).analyses.jobs = jobs
    table, people = started_table(at.ada, at.ben, hints=True), {0: at.ada, 1: at.ben}
    _, seat, _ = next_decision(people, table)
    return put(people[seat], table, f"seats/{seat}/hint", "POST")


def rematching(at: Visit) -> Request:
    """Two tables change at once."""
    table = new_table(at.ada, "solitaire", 1, seats=[{}], start=True)
    while json_of(at.ada.get(path_of(table)))["status"] != "over":
        state, _, legal = next_decision({0: at.ada}, table)
        json_of(at.ada.post(path_of(table, "moves"), json={"state": state, "seat": 0, "move": legal[0]}))
    return put(at.ada, table, "rematch", "POST")


CHANGES: dict[str, Callable[[Visit], Request]] = {
    "open": opening,
    "rematch": rematching,
    "sit": lambda at: put(at.ben, new_table(at.ada), "seats/1"),
    "leave": lambda at: delete(at.ada, new_table(at.ada, seats=[{}]), "seats/0"),
    "start": starting,
    "close": lambda at: delete(at.ada, new_table(at.ada)),
    "move": moving,
    "deal": dealing,
    "word": lambda at: put(at.ada, new_table(at.ada, seats=[{}]), "seats/0/word", word="été"),
    "hand-over": lambda at: put(at.ada, started_table(at.ada, at.ben), "seats/0/hand-over", "POST", bot="random"),
    "return": returning,
    "take-back": taking_back,
    "hint": hinting,
}


def test_every_command_is_tried() -> None:
    assert CHANGES.keys() == COMMANDS.keys() | {"open", "rematch"}


def answered(at: Visit, request: Request) -> Any:
    """The answer to a request that the disk takes; what the server does next by itself, a deal, the disk refuses."""
    with ThreadPoolExecutor(1) as hand:
        at.disk.hold(after=1)
        asked = hand.submit(request)
        while not asked.done() and not at.disk.held.is_set():
            pass
        at.disk.broken = ("COMMIT",)
        at.disk.free.set()
        return asked.result()


@pytest.mark.parametrize("name", CHANGES)
def test_the_state_in_an_answer_is_on_disk(tmp_path: Path, name: str) -> None:
    with visit(tmp_path) as at:
        answer = answered(at, CHANGES[name](at))
        assert answer.status_code in (200, 201), answer.text
        told = answer.json()
        table = told.get("id") or table_of(answer)
        assert told["state"] == at.on_disk(table) == state_of(at.ada, table)


def table_of(answer: Any) -> str:
    """The table that an answer is about."""
    return str(answer.url).split("/tables/")[1].split("/")[0].split("?")[0]


@pytest.mark.parametrize("name", CHANGES)
def test_what_the_disk_refuses_is_not_acknowledged(tmp_path: Path, name: str) -> None:
    with visit(tmp_path) as at:
        request, before = CHANGES[name](at), at.all_on_disk()
        at.disk.broken = ("COMMIT",)
        refused(request(), 503, "store-failed")
        assert at.all_on_disk() == before
        at.disk.broken = ()
        assert request().status_code in (200, 201)


@pytest.mark.parametrize("form", ["bot", "start"])
def test_a_form_that_the_disk_refuses_is_not_acknowledged(tmp_path: Path, form: str) -> None:
    with visit(tmp_path) as at:
        bots = [] if form == "bot" else [{"bot": "random"}] * 3
        table = new_table(at.ada, "modern", 4, seats=[{}, *bots], **BOTS_WAIT)["id"]
        fields = {"seat": "all", "bot": "random"} if form == "bot" else {"state": str(state_of(at.ada, table))}
        before = at.on_disk(table)
        at.disk.broken = ("COMMIT",)
        assert at.ada.post(f"/tables/{table}/{form}", data=fields).status_code == 503
        assert at.on_disk(table) == before == state_of(at.ada, table)


def test_a_table_that_cannot_be_read_again_after_a_failure_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(tables: StoredTables, table: str) -> None:
        raise StoreFailure("disk I/O error")

    with visit(tmp_path) as at, ThreadPoolExecutor(4) as hand:
        request = starting(at)
        (table,) = server_of(at.client).tables.loaded
        at.disk.hold()
        starts = hand.submit(request)
        held_up(at.client, table)
        looks = [path_of(table), path_of(table, "view"), f"/tables/{table}"]
        looking = [hand.submit(at.ada.get, path) for path in looks]
        held_up(at.client, table, len(looks))
        monkeypatch.setattr(StoredTables, "events", unreadable)
        at.disk.broken = ("COMMIT",)
        at.disk.free.set()
        refused(starts.result(), 503, "store-failed")
        assert [look.result().status_code for look in looking] == [503] * len(looks)
