"""Persons, their keys and devices; several seats of one person; stand-ins for those who leave or are away."""

import html
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.server.domain import people, registry
from support.servers import (
    API,
    FREE,
    Reader,
    at,
    change,
    guest,
    house_of,
    inside,
    make_move,
    on_loop,
    refused,
    said,
    seated,
    state_of,
    table_of,
    to_decide,
)

AWAY_S = FREE.away_s


def nobody(house: TestClient, base_url: str = "http://testserver") -> TestClient:
    """A device without a key."""
    device = TestClient(house.app, base_url, raise_server_exceptions=False)
    device.portal = house.portal
    return device


class Clock:
    """A clock that only the test moves: for the server's modules, not for the event loop."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: Any) -> None:
        self.ahead = 0.0
        real = module.time
        told = SimpleNamespace(time=lambda: real.time() + self.ahead, monotonic=lambda: real.monotonic() + self.ahead)
        monkeypatch.setattr(module, "time", told)


# Keys


def test_the_key_is_in_a_cookie_that_scripts_and_other_sites_cannot_use(house: TestClient) -> None:
    answer = nobody(house).post(f"{API}/me", json={"name": "Ada"})
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert said(answer, 201) == {"name": "Ada"}  # the key is nowhere else
    assert len(answer.cookies["suitors"]) >= 43  # 256 bits
    secure = nobody(house, "https://testserver").post(f"{API}/me", json={"name": "Ada"})
    assert "Secure" in secure.headers["set-cookie"].split("; ")


def test_without_a_key_one_is_asked_who_one_is(house: TestClient) -> None:
    for path in ("me", "me/tables"):
        refused(nobody(house).get(f"{API}/{path}"), 401, "who-are-you")
    refused(nobody(house).post(f"{API}/tables", json={"edition": "classic", "players": 2}), 401, "who-are-you")


def test_a_wrong_key_is_refused_and_taken_away(house: TestClient) -> None:
    device = nobody(house)
    device.cookies.set("suitors", "made-up", domain="testserver.local")
    answer = device.get(f"{API}/me")
    refused(answer, 401, "unknown-key")
    assert 'suitors=""' in answer.headers["set-cookie"]
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert "suitors" not in device.cookies
    said(device.post(f"{API}/me", json={"name": "Ada"}), 201)


def test_a_device_can_be_forgotten(house: TestClient) -> None:
    device, other = guest(house, "Dora"), nobody(house)
    code = said(device.post(f"{API}/me/transfers"), 201)["code"]
    said(other.post(f"{API}/me/arrivals", json={"code": code}), 201)
    kept = device.cookies["suitors"]
    assert device.delete(f"{API}/me").status_code == 204
    assert "suitors" not in device.cookies
    device.cookies.set("suitors", kept, domain="testserver.local")
    refused(device.get(f"{API}/me"), 401, "unknown-key")
    assert said(other.get(f"{API}/me")) == {"name": "Dora"}


def test_a_key_that_is_given_up_while_it_is_looked_up_is_not_remembered(
    house: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = house_of(house).people
    monkeypatch.setattr(found.store, "read", lambda sql, values: [(1, "Ghost")])  # as it was a moment ago
    assert on_loop(house, lambda: found.find("given-up")) is None
    monkeypatch.undo()
    assert on_loop(house, lambda: found.find("given-up")) is None


def test_the_next_person_never_gets_what_a_forgotten_one_had(tmp_path: Path) -> None:
    with inside(tmp_path) as client:
        last = guest(client, "Last")
        table = table_of(last, seats=[{}, {"bot": "random"}], start=True)
        assert last.delete(f"{API}/me").status_code == 204
        on_loop(client, house_of(client).hall.sweep)
        following = guest(client, "Next")
        assert said(following.get(f"{API}/me/tables")) == {"tables": []}
        refused(following.get(at(table)), 404, "not-found")


# Devices


def test_a_transfer_link_works_once_and_both_devices_hold_the_same_seats(house: TestClient, ben: TestClient) -> None:
    phone, laptop, thief = guest(house, "Eve"), nobody(house), nobody(house)
    table = seated(phone, ben)
    link = said(phone.post(f"{API}/me/transfers"), 201)
    assert link["path"] == f"/transfer/{link['code']}"
    answer = laptop.post(f"{API}/me/arrivals", json={"code": link["code"]})
    assert said(answer, 201) == {"name": "Eve"}
    assert "HttpOnly" in answer.headers["set-cookie"]
    refused(thief.post(f"{API}/me/arrivals", json={"code": link["code"]}), 404, "not-found")
    assert "suitors" not in thief.cookies
    assert phone.cookies["suitors"] != laptop.cookies["suitors"]
    for device in (phone, laptop):
        assert said(device.get(at(table)))["yours"] == [0]
    rng = random.Random(1)
    seat = None
    while seat != 0:
        seat, _ = make_move({0: laptop, 1: ben}, table, rng)
    assert said(phone.get(at(table, "view?seat=0"))) == said(laptop.get(at(table, "view?seat=0")))


def test_a_transfer_link_is_a_page_with_a_button(house: TestClient, ben: TestClient) -> None:
    link = said(ben.post(f"{API}/me/transfers"), 201)
    laptop = nobody(house)
    for _ in range(2):  # looking at it uses nothing up
        page = laptop.get(link["path"])
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert '<form method="post">' in page.text
    answer = laptop.post(link["path"], follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/mine")
    assert said(laptop.get(f"{API}/me")) == said(ben.get(f"{API}/me"))
    again = nobody(house).post(link["path"], follow_redirects=False)
    assert (again.status_code, again.cookies.get("suitors")) == (404, None)
    assert "used or is too old" in again.text


def test_a_transfer_link_is_void_after_ten_minutes_and_after_the_next_one(
    house: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, people)
    first = said(ada.post(f"{API}/me/transfers"), 201)
    second = said(ada.post(f"{API}/me/transfers"), 201)
    assert second["seconds"] == 600
    refused(nobody(house).post(f"{API}/me/arrivals", json={"code": first["code"]}), 404, "not-found")
    clock.ahead = 598
    said(nobody(house).post(f"{API}/me/arrivals", json={"code": second["code"]}), 201)
    third = said(ada.post(f"{API}/me/transfers"), 201)
    clock.ahead += 602
    refused(nobody(house).post(f"{API}/me/arrivals", json={"code": third["code"]}), 404, "not-found")


def test_several_tabs_are_told_the_same(ada: TestClient, ben: TestClient) -> None:
    table = seated(ada, ben)
    to_decide({0: ada, 1: ben}, table)
    with ada.websocket_connect(at(table, "live")) as one, ada.websocket_connect(at(table, "live?seat=0")) as two:
        tabs = [Reader(one), Reader(two)]
        make_move({0: ada, 1: ben}, table, random.Random(2))
        assert tabs[0].read() == tabs[1].read()
        assert tabs[0].hello == tabs[1].hello
        assert tabs[0].news == tabs[1].news


# Names


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\u3164",
        "\u2800 \u115f",
        "\u0301",
        "a\u200b",
        "a\x00b",
        "a\nb\x1b[2J",
        "\u202eada",
        "ada\u2066",
        "\u200f",
        "x" * 33,
        "\ue000",
        "\u00ad",
    ],
)
def test_names_that_deceive_or_cannot_be_seen_are_refused(house: TestClient, name: str) -> None:
    refused(nobody(house).post(f"{API}/me", json={"name": name}), 422, "bad-name")
    who = guest(house, "Fay")
    refused(who.patch(f"{API}/me", json={"name": name}), 422, "bad-name")
    assert said(who.get(f"{API}/me")) == {"name": "Fay"}
    table = table_of(who)
    refused(change(who, "PUT", "seats/0", table, name=name), 422, "bad-name")


@pytest.mark.parametrize("name", ["Zoë", "李小龍", "नेहा", "O'Brien & <Söhne>", "x" * 32, "🦊"])
def test_names_of_all_the_world_are_taken(house: TestClient, name: str) -> None:
    assert said(guest(house, f"  {name} ").get(f"{API}/me")) == {"name": name}


def test_html_in_a_name_stays_text(house: TestClient, ben: TestClient) -> None:
    name = "<script>x()</script>"
    who = guest(house, name)
    table = seated(who, ben, open=True)
    answer = who.get(at(table))
    assert said(answer)["seats"][0]["name"] == name
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    page = house.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert table["id"] in page.text
    assert html.escape(name) in page.text
    assert name not in page.text


def test_a_new_name_is_for_the_tables_to_come(house: TestClient, ben: TestClient) -> None:
    who = guest(house, "Gil")
    table = seated(who, ben)
    assert said(who.patch(f"{API}/me", json={"name": "Gilda"})) == {"name": "Gilda"}
    assert said(who.get(at(table)))["seats"][0]["name"] == "Gil"
    assert table_of(who, seats=[{}])["seats"][0]["name"] == "Gilda"


# Seats


def test_one_person_may_hold_several_seats_and_see_each(ada: TestClient) -> None:
    table = table_of(ada, "modern", 3, seats=[{"name": "Anna"}, {"name": "Otto"}, {"bot": "random"}], start=True)
    assert table["yours"] == [0, 1]
    hands = [said(ada.get(at(table, f"view?seat={seat}")))["view"] for seat in (0, 1)]
    assert [view["seat"] for view in hands] == [0, 1]
    refused(ada.get(at(table, "view?seat=2")), 403, "not-your-seat")
    refused(ada.get(at(table, "view?seat=3")), 404, "not-found")
    rng = random.Random(3)
    moved: set[int] = set()
    while moved != {0, 1}:
        moved.add(make_move({0: ada, 1: ada}, table, rng)[0])


def test_tables_where_one_sits_are_listed(house: TestClient, ben: TestClient) -> None:
    who = guest(house, "Hal")
    mine = [table_of(who, seats=[{}])["id"] for _ in range(3)]
    visited = table_of(ben, seats=[{}])
    said(change(who, "PUT", "seats/1", visited))
    assert {line["id"] for line in said(who.get(f"{API}/me/tables"))["tables"]} == {*mine, visited["id"]}


def test_a_seat_can_be_handed_over_and_taken_back(ada: TestClient, ben: TestClient) -> None:
    table, people = seated(ada, ben, edition="house"), {0: ada, 1: ben}
    rng = random.Random(4)
    refused(change(ada, "POST", "seats/1/hand-over", table), 409, "not-away")
    refused(change(ben, "POST", "seats/1/hand-over", table, bot="deep-blue"), 422, "unknown-bot")
    said(change(ben, "POST", "seats/1/hand-over", table, bot="random"))
    shown = said(ada.get(at(table)))["seats"][1]
    assert (shown["kind"], shown["name"], shown["bot"]) == ("person", "Ben", "random")
    state, _, _ = to_decide({0: ada}, table)
    refused(ben.post(at(table, "moves"), json={"state": state, "seat": 1, "move": "guard"}), 409, "handed-over")
    refused(change(ben, "POST", "seats/1/hand-over", table), 409, "bot-plays")
    while ("bot", 1) not in movers(ada, table):
        make_move({0: ada}, table, rng)
        to_decide({0: ada}, table)
    refused(change(ada, "POST", "seats/1/return", table), 403, "forbidden")
    said(change(ben, "POST", "seats/1/return", table))
    refused(change(ben, "POST", "seats/1/return", table), 409, "not-handed-over")
    while ("person", 1) not in movers(ada, table):
        make_move(people, table, rng)


def movers(who: TestClient, table: dict[str, Any]) -> set[tuple[str, int]]:
    """Who has moved in which seat: a person, a bot."""
    events = said(who.get(at(table, "events")))["events"]
    return {(event["by"], event["seat"]) for event in events if event["kind"] == "moved"}


def test_who_is_away_can_be_replaced_and_returns_by_coming_back(
    ada: TestClient, ben: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, registry)
    table = seated(ada, ben)
    clock.ahead = AWAY_S - 5
    refused(change(ada, "POST", "seats/1/hand-over", table), 409, "not-away")
    assert not said(ada.get(at(table)))["seats"][1]["away"]
    clock.ahead = AWAY_S + 5
    assert [seat["away"] for seat in said(ada.get(at(table)))["seats"]] == [False, True]
    said(change(ada, "POST", "seats/1/hand-over", table, bot="random"))
    to_decide({0: ada}, table)
    with ada.websocket_connect(at(table, f"live?since={state_of(ada, table)}")) as socket:
        told = Reader(socket)
        said(ben.get(at(table)))  # Ben looks at the table: that is all
        returned = told.read()
        assert [(event["kind"], event["seat"]) for event in returned["events"]] == [("returned", 1)]
        assert returned["table"]["seats"][1]["bot"] is None


def test_a_socket_keeps_a_player_at_the_table_and_brings_them_back(
    ada: TestClient, ben: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, registry)
    table = seated(ada, ben)
    with ben.websocket_connect(at(table, "live")) as socket:
        told = Reader(socket)
        clock.ahead = 10 * AWAY_S
        refused(change(ada, "POST", "seats/1/hand-over", table), 409, "not-away")
    said(ada.get(at(table)))
    clock.ahead = 20 * AWAY_S
    said(change(ada, "POST", "seats/1/hand-over", table, bot="random"))
    to_decide({0: ada}, table)
    with ben.websocket_connect(at(table, "live")) as socket:
        told = Reader(socket)
        assert told.news[-1]["table"]["seats"][1]["bot"] == "random"
        assert told.read()["events"][0]["kind"] == "returned"


def test_a_stand_in_of_ones_own_choice_stays_until_one_returns(ada: TestClient, ben: TestClient) -> None:
    table = seated(ada, ben)
    said(change(ben, "POST", "seats/1/hand-over", table, bot="random"))
    with ben.websocket_connect(at(table, "live")) as socket:
        told = Reader(socket)
        socket.send_json({"do": "word", "state": -1, "word": ""})  # whatever is answered: greeted we are not
        told.answer()
    assert said(ben.get(at(table)))["seats"][1]["bot"] == "random"
    with ben.websocket_connect(at(table, "live")) as socket:
        told = Reader(socket)
        answer: dict[str, Any] = {}
        while "state" not in answer:  # the bot may move meanwhile
            socket.send_json({"do": "return", "id": 1, "state": told.news[-1]["state"]})
            answer = told.answer()
    assert said(ben.get(at(table)))["seats"][1]["bot"] is None


def test_bots_get_ready_when_they_come_to_a_table_and_not_when_they_are_refused(
    house: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    readied: list[str] = []
    monkeypatch.setattr(house_of(house).thinkers, "prepare", readied.append)
    table = table_of(ada, seats=[{}, {"bot": "random"}], pace_ms=10_000)
    refused(change(ada, "POST", "seats/0/hand-over", table, bot="novice"), 409, "not-playing")
    assert readied == ["random"]
    said(change(ada, "POST", "start", table))
    said(change(ada, "POST", "seats/0/hand-over", table, bot="novice"))
    assert readied == ["random", "novice"]
