"""Persons, their keys and devices; several seats of one person; stand-ins for those who leave or are away."""

import html
import random
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.server.common.cookies import key_cookie
from suitors.server.domain import loaded, people, presence
from support.servers import (
    API,
    FREE,
    Clock,
    SocketReader,
    change,
    in_process,
    json_of,
    key_of,
    make_move,
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

AWAY_S = FREE.away_s


def nobody(client: TestClient, base_url: str = "http://testserver") -> TestClient:
    """A device without a key."""
    device = TestClient(client.app, base_url, raise_server_exceptions=False)
    device.portal = client.portal
    return device


# Keys


def test_the_key_is_in_a_cookie_that_scripts_and_other_sites_cannot_use(client: TestClient) -> None:
    device = nobody(client)
    answer = device.post(f"{API}/me", json={"name": "Ada"})
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert json_of(answer, 201) == {"name": "Ada"}  # the key is nowhere else
    assert len(key_of(device) or "") >= 43  # 256 bits
    secure = nobody(client, "https://testserver").post(f"{API}/me", json={"name": "Ada"})
    assert "Secure" in secure.headers["set-cookie"].split("; ")


def test_without_a_key_one_is_asked_who_one_is(client: TestClient) -> None:
    for path in ("me", "me/tables"):
        refused(nobody(client).get(f"{API}/{path}"), 401, "who-are-you")
    refused(nobody(client).post(f"{API}/tables", json={"edition": "classic", "players": 2}), 401, "who-are-you")


def test_a_wrong_key_is_refused_and_taken_away(client: TestClient) -> None:
    device = use_key(nobody(client), "made-up")
    answer = device.get(f"{API}/me")
    refused(answer, 401, "unknown-key")
    assert f'{key_cookie(server_of(client))}=""' in answer.headers["set-cookie"]
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert key_of(device) is None
    json_of(device.post(f"{API}/me", json={"name": "Ada"}), 201)


def test_a_device_can_be_forgotten(client: TestClient) -> None:
    device, other = new_person(client, "Dora"), nobody(client)
    code = json_of(device.post(f"{API}/me/transfers"), 201)["code"]
    json_of(other.post(f"{API}/me/arrivals", json={"code": code}), 201)
    kept = key_of(device) or ""
    assert device.delete(f"{API}/me").status_code == 204
    assert key_of(device) is None
    refused(use_key(device, kept).get(f"{API}/me"), 401, "unknown-key")
    assert json_of(other.get(f"{API}/me")) == {"name": "Dora"}


def test_a_key_that_is_given_up_while_it_is_looked_up_is_not_remembered(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = server_of(client).people

    async def find(key: bytes) -> tuple[int, str]:
        return (1, "Ghost")  # as it was a moment ago

    monkeypatch.setattr(found.stored, "find", find)
    assert on_loop(client, lambda: found.find("given-up")) is None
    monkeypatch.undo()
    assert on_loop(client, lambda: found.find("given-up")) is None


def test_the_next_person_never_gets_what_a_forgotten_one_had(tmp_path: Path) -> None:
    with in_process(tmp_path) as client:
        last = new_person(client, "Last")
        table = new_table(last, seats=[{}, {"bot": "random"}], start=True)
        assert last.delete(f"{API}/me").status_code == 204
        on_loop(client, server_of(client).expiry.sweep)
        following = new_person(client, "Next")
        assert json_of(following.get(f"{API}/me/tables")) == {"tables": []}
        refused(following.get(path_of(table)), 404, "not-found")


# Devices


def test_a_transfer_link_works_once_and_both_devices_hold_the_same_seats(client: TestClient, ben: TestClient) -> None:
    phone, laptop, thief = new_person(client, "Eve"), nobody(client), nobody(client)
    table = started_table(phone, ben)
    link = json_of(phone.post(f"{API}/me/transfers"), 201)
    assert link["path"] == f"/transfer/{link['code']}"
    answer = laptop.post(f"{API}/me/arrivals", json={"code": link["code"]})
    assert json_of(answer, 201) == {"name": "Eve"}
    assert "HttpOnly" in answer.headers["set-cookie"]
    refused(thief.post(f"{API}/me/arrivals", json={"code": link["code"]}), 404, "not-found")
    assert key_of(thief) is None
    assert key_of(phone) != key_of(laptop)
    for device in (phone, laptop):
        assert json_of(device.get(path_of(table)))["yours"] == [0]
    rng = random.Random(1)
    seat = None
    while seat != 0:
        seat, _ = make_move({0: laptop, 1: ben}, table, rng)
    assert json_of(phone.get(path_of(table, "view?seat=0"))) == json_of(laptop.get(path_of(table, "view?seat=0")))


def test_a_transfer_link_is_a_page_with_a_button(client: TestClient, ben: TestClient) -> None:
    link = json_of(ben.post(f"{API}/me/transfers"), 201)
    laptop = nobody(client)
    for _ in range(2):  # looking at it uses nothing up
        page = laptop.get(link["path"])
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert '<form method="post">' in page.text
    answer = laptop.post(link["path"], follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/mine")
    assert json_of(laptop.get(f"{API}/me")) == json_of(ben.get(f"{API}/me"))
    late = nobody(client)
    again = late.post(link["path"], follow_redirects=False)
    assert (again.status_code, key_of(late)) == (404, None)
    assert "used or is too old" in again.text


def test_a_transfer_link_is_void_after_ten_minutes_and_after_the_next_one(
    client: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, people)
    first = json_of(ada.post(f"{API}/me/transfers"), 201)
    second = json_of(ada.post(f"{API}/me/transfers"), 201)
    assert second["seconds"] == 600
    refused(nobody(client).post(f"{API}/me/arrivals", json={"code": first["code"]}), 404, "not-found")
    clock.ahead = 598
    json_of(nobody(client).post(f"{API}/me/arrivals", json={"code": second["code"]}), 201)
    third = json_of(ada.post(f"{API}/me/transfers"), 201)
    clock.ahead += 602
    refused(nobody(client).post(f"{API}/me/arrivals", json={"code": third["code"]}), 404, "not-found")


def test_several_tabs_are_told_the_same(ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben)
    next_decision({0: ada, 1: ben}, table)
    with (
        ada.websocket_connect(path_of(table, "live")) as one,
        ada.websocket_connect(path_of(table, "live?seat=0")) as two,
    ):
        tabs = [SocketReader(one), SocketReader(two)]
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
def test_names_that_deceive_or_cannot_be_seen_are_refused(client: TestClient, name: str) -> None:
    refused(nobody(client).post(f"{API}/me", json={"name": name}), 422, "bad-name")
    who = new_person(client, "Fay")
    refused(who.patch(f"{API}/me", json={"name": name}), 422, "bad-name")
    assert json_of(who.get(f"{API}/me")) == {"name": "Fay"}
    table = new_table(who)
    refused(change(who, "PUT", "seats/0", table, name=name), 422, "bad-name")


@pytest.mark.parametrize("name", ["Zoë", "李小龍", "नेहा", "O'Brien & <Söhne>", "x" * 32, "🦊"])
def test_names_of_all_the_world_are_taken(client: TestClient, name: str) -> None:
    assert json_of(new_person(client, f"  {name} ").get(f"{API}/me")) == {"name": name}


def test_html_in_a_name_stays_text(client: TestClient, ben: TestClient) -> None:
    name = "<script>x()</script>"
    who = new_person(client, name)
    table = started_table(who, ben, open=True)
    answer = who.get(path_of(table))
    assert json_of(answer)["seats"][0]["name"] == name
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert table["id"] in page.text
    assert html.escape(name) in page.text
    assert name not in page.text


def test_a_new_name_is_for_the_tables_to_come(client: TestClient, ben: TestClient) -> None:
    who = new_person(client, "Gil")
    table = started_table(who, ben)
    assert json_of(who.patch(f"{API}/me", json={"name": "Gilda"})) == {"name": "Gilda"}
    assert json_of(who.get(path_of(table)))["seats"][0]["name"] == "Gil"
    assert new_table(who, seats=[{}])["seats"][0]["name"] == "Gilda"


# Seats


def test_one_person_may_hold_several_seats_and_see_each(ada: TestClient) -> None:
    table = new_table(ada, "modern", 3, seats=[{"name": "Anna"}, {"name": "Otto"}, {"bot": "random"}], start=True)
    assert table["yours"] == [0, 1]
    hands = [json_of(ada.get(path_of(table, f"view?seat={seat}")))["view"] for seat in (0, 1)]
    assert [view["seat"] for view in hands] == [0, 1]
    refused(ada.get(path_of(table, "view?seat=2")), 403, "not-your-seat")
    refused(ada.get(path_of(table, "view?seat=3")), 404, "not-found")
    rng = random.Random(3)
    moved: set[int] = set()
    while moved != {0, 1}:
        moved.add(make_move({0: ada, 1: ada}, table, rng)[0])


def test_tables_where_one_sits_are_listed(client: TestClient, ben: TestClient) -> None:
    who = new_person(client, "Hal")
    mine = [new_table(who, seats=[{}])["id"] for _ in range(3)]
    visited = new_table(ben, seats=[{}])
    json_of(change(who, "PUT", "seats/1", visited))
    assert {line["id"] for line in json_of(who.get(f"{API}/me/tables"))["tables"]} == {*mine, visited["id"]}


def test_a_seat_can_be_handed_over_and_taken_back(ada: TestClient, ben: TestClient) -> None:
    table, people = started_table(ada, ben, edition="house"), {0: ada, 1: ben}
    rng = random.Random(4)
    refused(change(ada, "POST", "seats/1/hand-over", table), 409, "not-away")
    refused(change(ben, "POST", "seats/1/hand-over", table, bot="deep-blue"), 422, "unknown-bot")
    json_of(change(ben, "POST", "seats/1/hand-over", table, bot="random"))
    shown = json_of(ada.get(path_of(table)))["seats"][1]
    assert (shown["kind"], shown["name"], shown["bot"]) == ("person", "Ben", "random")
    state, _, _ = next_decision({0: ada}, table)
    refused(ben.post(path_of(table, "moves"), json={"state": state, "seat": 1, "move": "guard"}), 409, "handed-over")
    refused(change(ben, "POST", "seats/1/hand-over", table), 409, "bot-plays")
    while ("bot", 1) not in movers(ada, table):
        make_move({0: ada}, table, rng)
        next_decision({0: ada}, table)
    refused(change(ada, "POST", "seats/1/return", table), 403, "forbidden")
    json_of(change(ben, "POST", "seats/1/return", table))
    refused(change(ben, "POST", "seats/1/return", table), 409, "not-handed-over")
    while ("person", 1) not in movers(ada, table):
        make_move(people, table, rng)


def movers(who: TestClient, table: dict[str, Any]) -> set[tuple[str, int]]:
    """Who has moved in which seat: a person, a bot."""
    events = json_of(who.get(path_of(table, "events")))["events"]
    return {(event["by"], event["seat"]) for event in events if event["kind"] == "moved"}


def test_who_is_away_can_be_replaced_and_returns_by_coming_back(
    ada: TestClient, ben: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, presence, loaded)
    table = started_table(ada, ben, stand_in="random")
    clock.ahead = AWAY_S / 2
    refused(change(ada, "POST", "seats/1/hand-over", table), 409, "not-away")
    assert not json_of(ada.get(path_of(table)))["seats"][1]["away"]
    clock.ahead = AWAY_S + 5
    assert [seat["away"] for seat in json_of(ada.get(path_of(table)))["seats"]] == [False, True]
    json_of(change(ada, "POST", "seats/1/hand-over", table, bot="random"))
    next_decision({0: ada}, table)
    with ada.websocket_connect(path_of(table, f"live?since={state_of(ada, table)}")) as socket:
        told = SocketReader(socket)
        json_of(ben.get(path_of(table)))  # Ben looks at the table: that is all
        returned = told.read()
        assert [(event["kind"], event["seat"]) for event in returned["events"]] == [("returned", 1)]
        assert returned["table"]["seats"][1]["bot"] is None


def test_the_host_decides_who_stands_in_and_no_opponent_does(
    ada: TestClient, ben: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, presence, loaded)
    table = started_table(ada, ben, stand_in="novice", rest_s=3600)
    assert json_of(ben.get(path_of(table)))["stand_in"] == "novice"
    clock.ahead = 2 * AWAY_S
    assert json_of(ben.get(path_of(table)))["seats"][0]["away"]
    for weak in ("random", "expert"):
        refused(change(ben, "POST", "seats/0/hand-over", table, bot=weak), 403, "forbidden")
    json_of(change(ben, "POST", "seats/0/hand-over", table))
    assert json_of(ben.get(path_of(table)))["seats"][0]["bot"] == "novice"
    json_of(change(ben, "POST", "seats/1/hand-over", table, bot="random"))  # one's own seat is one's own


def test_a_form_lets_the_bot_stand_in_that_the_host_has_chosen(ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben, stand_in="random", rest_s=3600)
    answer = ben.post(f"/tables/{table['id']}/hand-over", data={"seat": 1, "bot": "expert"}, follow_redirects=False)
    assert answer.status_code == 303
    assert json_of(ada.get(path_of(table)))["seats"][1]["bot"] == "random"


def test_a_stand_in_that_there_is_not_is_refused(ada: TestClient) -> None:
    body = {"edition": "classic", "players": 2, "stand_in": "deep-blue"}
    refused(ada.post(f"{API}/tables", json=body), 422, "unknown-bot")


def test_a_socket_keeps_a_player_at_the_table_and_brings_them_back(
    ada: TestClient, ben: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, presence, loaded)
    table = started_table(ada, ben, stand_in="random")
    with ben.websocket_connect(path_of(table, "live")) as socket:
        told = SocketReader(socket)
        clock.ahead = 10 * AWAY_S
        refused(change(ada, "POST", "seats/1/hand-over", table), 409, "not-away")
    json_of(ada.get(path_of(table)))
    clock.ahead = 20 * AWAY_S
    json_of(change(ada, "POST", "seats/1/hand-over", table, bot="random"))
    next_decision({0: ada}, table)
    with ben.websocket_connect(path_of(table, "live")) as socket:
        told = SocketReader(socket)
        assert told.news[-1]["table"]["seats"][1]["bot"] == "random"
        assert told.read()["events"][0]["kind"] == "returned"


def test_a_stand_in_of_ones_own_choice_stays_until_one_returns(ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben)
    json_of(change(ben, "POST", "seats/1/hand-over", table, bot="random"))
    with ben.websocket_connect(path_of(table, "live")) as socket:
        told = SocketReader(socket)
        socket.send_json({"do": "word", "state": -1, "word": ""})  # whatever is answered: greeted we are not
        told.answer()
    assert json_of(ben.get(path_of(table)))["seats"][1]["bot"] == "random"
    with ben.websocket_connect(path_of(table, "live")) as socket:
        told = SocketReader(socket)
        answer: dict[str, Any] = {}
        while "state" not in answer:  # the bot may move meanwhile
            socket.send_json({"do": "return", "id": 1, "state": told.news[-1]["state"]})
            answer = told.answer()
    assert json_of(ben.get(path_of(table)))["seats"][1]["bot"] is None


def test_bots_get_ready_when_they_come_to_a_table_and_not_when_they_are_refused(
    client: TestClient, ada: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    readied: list[str] = []
    monkeypatch.setattr(server_of(client).bots, "prepare", readied.append)
    table = new_table(ada, seats=[{}, {"bot": "random"}], pace_ms=10_000)
    refused(change(ada, "POST", "seats/0/hand-over", table, bot="novice"), 409, "not-playing")
    assert readied == ["random"]
    json_of(change(ada, "POST", "start", table))
    json_of(change(ada, "POST", "seats/0/hand-over", table, bot="novice"))
    assert readied == ["random", "novice"]
