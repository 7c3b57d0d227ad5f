"""What a later attack on a running server has found: names of editions and people, timing, work for other sites."""

import asyncio
import http.cookies
import itertools
import json
import random
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.game import Match
from suitors.server.common.cookies import key_cookie
from suitors.server.domain import people
from suitors.server.domain.analyses import Analyses
from suitors.server.errors import Refused
from suitors.server.ops import bot_pool
from suitors.server.ops.jobs import Jobs
from suitors.server.ops.limits import Limits
from suitors.server.storage import people as stored_people
from suitors.server.storage.folder import FILE
from support.servers import (
    API,
    change,
    in_process,
    json_of,
    key_of,
    new_person,
    new_table,
    path_of,
    refused,
    server_of,
    use_key,
)

# Editions of one's own

BAD_TITLES = ["\ud800", "a\x00b", "\u202egnp", "a\r\nb", "\u200b", "x" * 61, "A" + "\u0301" * 5]
TITLE_IDS = ["half", "nul", "turned round", "two lines", "nothing to see", "long", "many marks"]


def own(name: str, **more: Any) -> dict[str, Any]:
    """What opens a table of an edition with this name for all to see."""
    return {"edition": {"base": "modern", "name": name}, "players": 2, "open": True, **more}


def lists(visitor: TestClient) -> dict[str, int]:
    """The statuses of all that shows the tables of others, or one's own."""
    return {path: visitor.get(path).status_code for path in ("/", "/tables", "/mine", f"{API}/tables")}


@pytest.mark.parametrize("name", BAD_TITLES, ids=TITLE_IDS)
def test_names_of_editions_can_be_shown(client: TestClient, ada: TestClient, name: str) -> None:
    opening = json.dumps(own(name))  # ASCII alone: half a letter arrives as well
    answer = ada.post(f"{API}/tables", content=opening, headers={"content-type": "application/json"})
    refused(answer, 422, "bad-edition")
    assert set(lists(ada).values()) == set(lists(client).values()) == {200}
    match = Match({"base": "modern", "name": "Small"}, ["Ada", "Ben"])
    text = json.dumps({**match.record(), "edition": own(name)["edition"]})
    assert ada.post("/games", data={"text": text}).status_code == 422


def test_an_edition_may_be_called_what_people_call_things(ada: TestClient) -> None:
    for name in ("Small & <b>fine</b>", "Cour d’été – à deux !", "小さな宮廷", "❤️"):
        assert json_of(ada.post(f"{API}/tables", json=own(name)), 201)["edition"]["name"] == name


@pytest.mark.parametrize("edition", ['{"base":"modern","name":"\\ud800"}', '{"base":', "chess"])
def test_a_stored_table_of_no_edition_spoils_no_list(tmp_path: Path, edition: str) -> None:
    with in_process(tmp_path) as client:
        ada = new_person(client, "Ada")
        table, key = new_table(ada, open=True, seats=[{}]), key_of(ada)
        good = new_table(ada, open=True)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("UPDATE tables SET edition = ? WHERE id = ?", (edition, table["id"]))
        body = "UPDATE events SET body = json_set(body, '$.edition', ?) WHERE table_id = ? AND number = 0"
        db.execute(body, (edition, table["id"]))
        db.commit()
    with in_process(tmp_path) as client:
        ada = use_key(client, str(key))
        assert set(lists(ada).values()) == {200}
        assert [found["id"] for found in json_of(ada.get(f"{API}/me/tables"))["tables"]] == [table["id"]]
        assert good["id"] in {found["id"] for found in json_of(ada.get(f"{API}/tables"))["tables"]}
        refused(ada.get(path_of(table)), 410, "damaged")
        assert ada.get(f"/tables/{table['id']}").status_code == 410


# Names


def test_names_at_a_table_are_told_apart(ada: TestClient, ben: TestClient) -> None:
    table = new_table(ada, players=4, seats=[{}])
    for seat, given in enumerate(({"name": "Ada"}, {"name": "ADA"}, {"bot": "novice", "name": "Ａda"}), 1):
        json_of(change(ben if seat == 1 else ada, "PUT", f"seats/{seat}", table, **given))
    names = [seat["name"] for seat in json_of(ada.get(path_of(table)))["seats"]]
    assert names == ["Ada", "Ada II", "ADA III", "Ａda IV"]


def test_a_name_is_free_when_nobody_has_it_any_more(ada: TestClient, ben: TestClient) -> None:
    table = new_table(ada, seats=[{}])
    json_of(ada.delete(path_of(table, "seats", 0), params={"state": 2}))
    json_of(change(ben, "PUT", "seats/1", table, name="Ada"))
    assert [seat["name"] for seat in json_of(ben.get(path_of(table)))["seats"]] == ["", "Ada"]


@pytest.mark.parametrize("mark", ["\ufe0f", "\u034f", "\U000e0101", "\u17b4", "\u180b"])
def test_marks_that_show_nothing_make_no_other_name(client: TestClient, mark: str) -> None:
    assert json_of(new_person(client, f"A{mark}da{mark}").get(f"{API}/me")) == {"name": "Ada"}
    refused(client.post(f"{API}/me", json={"name": mark}), 422, "bad-name")


def test_a_letter_has_few_marks(client: TestClient) -> None:
    refused(client.post(f"{API}/me", json={"name": "A" + "\u0301" * 5}), 422, "bad-name")
    assert json_of(new_person(client, "Ệ בְּ").get(f"{API}/me")) == {"name": "Ệ בְּ"}


# The time that bots take


def test_a_bot_that_thinks_takes_its_whole_time_for_a_forced_move_too(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(bot_pool, "time", SimpleNamespace(perf_counter=lambda: 0.0, sleep=slept.append))
    monkeypatch.setattr(bot_pool, "warm_up", lambda bots, rules: None)
    view = Match("classic", ["Ada", "Ben"], rng=random.Random(1)).view(None)
    forced = replace(view, legal=("countess",))
    for bot in ("expert", "search"):
        assert bot_pool.think(bot, forced, 1, 200.0) == "countess"
    assert slept == [0.2, 0.2]
    for bot in ("expert", "random"):
        assert bot_pool.decide(bot, forced, 1, 200.0) == "countess"
    assert slept == [0.2, 0.2]  # bots that do not think always decide at once


def test_a_visitor_who_wants_bots_to_move_at_once_cannot_time_them(ada: TestClient) -> None:
    table = new_table(ada, seats=[{}, {"bot": "counting"}], start=True)
    ada.post("/look", data={"pace": "quick"})
    with ada.websocket_connect(f"/tables/{table['id']}/page") as socket:
        socket.receive_text()
        assert 0 < server_of(ada).tables.loaded[table["id"]].pace_ms < 900


# Pages of other sites


def test_work_that_another_site_asks_for_is_not_counted_for_its_visitor(
    client: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []

    async def work(who: str, key: Any, *given: Any) -> bytes:
        counted.append(who)
        return b"%PDF"

    monkeypatch.setattr(server_of(client).jobs, "work", work)
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    for headers in ({}, foreign):
        assert ada.get("/print/modern/kit.pdf", headers=headers).status_code == 200
    assert len(set(counted)) == 2


# Keys


@pytest.mark.parametrize("path", ["/tables/{}/page", f"{API}/tables/{{}}/live"])
def test_the_sockets_of_a_device_that_is_forgotten_end(client: TestClient, path: str) -> None:
    here = new_person(client, "Fay")
    table = new_table(here, players=3, seats=[{}, {"bot": "random"}])
    there = use_key(new_person(client, "Guest"), str(key_of(here)))
    code = json_of(here.post(f"{API}/me/transfers"), 201)["code"]
    json_of(there.post(f"{API}/me/arrivals", json={"code": code}), 201)
    with (
        here.websocket_connect(path.format(table["id"])) as forgotten,
        there.websocket_connect(path.format(table["id"])) as kept,
    ):
        assert here.delete(f"{API}/me").status_code == 204
        state = json_of(change(there, "PUT", "seats/2", table, bot="random"))["state"]
        while json.loads(kept.receive_text()).get("state") != state:
            pass
        while (message := forgotten.receive())["type"] != "websocket.close":
            assert json.loads(message["text"]).get("state") != state


def test_a_key_that_is_one_too_many_is_void_at_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(int(time.time()))
    monkeypatch.setattr(people, "time", SimpleNamespace(time=lambda: next(clock)))
    monkeypatch.setattr(stored_people, "MOST_KEYS", 2)
    first = new_person(client, "Fay")
    devices = [first]
    for _ in range(2):
        code = json_of(devices[-1].post(f"{API}/me/transfers"), 201)["code"]
        devices.append(TestClient(client.app, raise_server_exceptions=False))
        devices[-1].portal = client.portal
        json_of(devices[-1].post(f"{API}/me/arrivals", json={"code": code}), 201)
    refused(first.get(f"{API}/me"), 401, "unknown-key")
    assert [json_of(device.get(f"{API}/me"))["name"] for device in devices[1:]] == ["Fay", "Fay"]


# Heads


def test_only_our_own_cookies_are_read(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    unquote = http.cookies._unquote

    def noted(text: str) -> Any:
        read.append(text)
        return unquote(text)

    monkeypatch.setattr(http.cookies, "_unquote", noted)
    slow = '"' + '\\"' * 500 + '"'
    ada = new_person(client, "Ada")
    key, name = str(key_of(ada)), key_cookie(server_of(client))
    given = f'other={slow}; suitors-reader={slow}; theirs=x; {name}={key}; suitors-reader="lang=fr&look=dark"'
    answer = new_person(client, "Ben").get("/me", headers={"cookie": given + "; suitors-reader=" + "x" * 2000})
    assert answer.status_code == 200
    assert 'lang="fr"' in answer.text
    assert "Ada" in answer.text
    assert not [text for text in read if "\\" in text or len(text) > 1024]


@pytest.mark.parametrize(
    "path", ["/deck?" + "a&" * 2048, "/rules/" + "a" * 4096, f"{API}/tables?" + "a" * 4096], ids=len
)
def test_an_address_has_an_end(client: TestClient, path: str) -> None:
    refused(client.get(path), 414, "bad-request")


def test_a_content_type_has_an_end(client: TestClient) -> None:
    headers = {"content-type": "multipart/form-data" + ";" * 300}
    refused(client.post("/look", content="x", headers=headers), 415, "bad-request")


# Work for visitors


class Slow:
    """Processes that do one thing after the other when they are told to; what they have done."""

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.go = asyncio.Semaphore(0)

    async def call(self, function: Any, job: Any, given: Any, limit_s: float) -> tuple[str, int]:
        """Do a job."""
        del function, job, limit_s
        await self.go.acquire()
        self.done.append(given[0])
        return "made", 1


def test_nobody_waits_for_the_turns_of_another_who_wants_the_same() -> None:
    async def act() -> list[Any]:
        jobs, slow = Jobs(1, Limits()), Slow()
        jobs._pool = slow  # type: ignore[assignment]
        mine = [asyncio.ensure_future(jobs.work("A", key, print, key)) for key in ("1", "2", "3", "kit")]
        await asyncio.sleep(0)
        theirs = asyncio.ensure_future(jobs.work("B", "kit", print, "kit"))
        await asyncio.sleep(0)
        for _ in range(4):
            slow.go.release()
        assert await asyncio.gather(*mine, theirs) == ["made"] * 5
        return slow.done

    assert asyncio.run(act()) == ["1", "2", "kit", "3"]


def test_analyses_come_again_after_too_many_waited_for_the_first() -> None:
    async def act() -> None:
        jobs, slow = Jobs(1, replace(Limits(), jobs=1)), Slow()
        jobs._pool = slow  # type: ignore[assignment]
        analyses = Analyses(jobs, SimpleNamespace(), Limits(), SimpleNamespace())  # type: ignore[arg-type]
        busy = [asyncio.ensure_future(jobs.work(who, who, print, who)) for who in ("A", "B")]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="Too many wait"):
            await analyses.prepare()
        for _ in range(3):
            slow.go.release()
        await asyncio.gather(*busy)
        await analyses.prepare()

    asyncio.run(act())


# Forms


def test_a_form_with_a_file_has_few_fields(client: TestClient) -> None:
    fields = {f"field-{number}": "x" for number in range(5)}
    refused(client.post("/games", data=fields, files={"file": ("record", b"{}")}), 400, "bad-request")
    refused(client.post("/games", data={"text": ""}, files={"file": ("record", b"{}")}), 422, "bad-record")


@pytest.mark.parametrize(
    "back", ["//elsewhere.example", "/\\elsewhere.example", "/\t/elsewhere.example", "/\n/x", "x", ""]
)
def test_a_visitor_is_sent_back_to_pages_of_ours_alone(client: TestClient, back: str) -> None:
    answer = client.post("/look", data={"back": back}, headers={"x-suitors": "1"})
    assert json_of(answer) == {"go": "/"}
    assert json_of(client.post("/look", data={"back": "/deck?name=é&x=1"}, headers={"x-suitors": "1"})) == {
        "go": "/deck?name=é&x=1"
    }


# Seats


def test_nobody_keeps_a_table_from_its_start_by_many_changes(tmp_path: Path) -> None:
    with in_process(tmp_path, changes_seat=4) as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        table = new_table(ada, players=3, seats=[{}])
        json_of(change(ben, "PUT", "seats/1", table))
        for _ in range(2):
            json_of(change(ben, "PUT", "seats/2", table, bot="random"))
            json_of(change(ben, "DELETE", "seats/2", table))
        refused(change(ben, "PUT", "seats/2", table, bot="random"), 429, "too-many-changes")
        json_of(change(ada, "DELETE", "seats/1", table))
        for seat in (1, 2):
            json_of(change(ada, "PUT", f"seats/{seat}", table, bot="random"))
        json_of(change(ada, "POST", "start", table))
