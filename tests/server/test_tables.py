"""Tables before the match, who may see them, and the one writer: stale, doubled, racing and illegal requests."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from suitors.bots import BOTS
from suitors.rules import BOXES, SWITCHES
from suitors.server.domain.commands import COMMANDS, Caller
from suitors.server.domain.loaded import LoadedTable
from suitors.server.domain.people import Person
from support.servers import (
    API,
    SocketReader,
    change,
    denied,
    json_of,
    make_move,
    new_person,
    new_table,
    next_decision,
    path_of,
    refused,
    server_of,
    started_table,
    state_of,
)

# Opening


def test_the_catalogue_names_all_that_a_table_can_be_opened_with(client: TestClient) -> None:
    told = json_of(client.get(f"{API}/catalogue"))
    assert {line["slug"]: line["players"] for line in told["editions"]} == {
        slug: list(box.players) for slug, box in BOXES.items()
    }
    assert told["switches"] == {key: list(values) for key, values in SWITCHES.items()}
    assert [line["slug"] for line in told["bots"]] == list(BOTS)


def test_a_table_is_what_was_asked_for(ada: TestClient) -> None:
    options = {"house_full_tie": "none", "bishop_names_one": False}
    table = new_table(ada, "house", 3, options=options, open=True, pace_ms=7, rest_s=2.5)
    shown = json_of(ada.get(path_of(table)))
    assert shown == table
    assert shown["options"] == {key: values[0] for key, values in SWITCHES.items()} | options
    given = {"edition": "house", "open": True, "pace_ms": 7, "rest_s": 2.5}
    assert {key: shown[key] for key in given} == given
    assert (shown["status"], shown["state"], shown["yours"], shown["rematch"]) == ("waiting", 1, [], None)
    assert [seat["kind"] for seat in shown["seats"]] == ["empty"] * 3


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"edition": "chess"}, "unknown-edition"),
        ({"edition": "classic", "players": 5}, "bad-players"),
        ({"edition": "solitaire", "players": 2}, "bad-players"),
        ({"options": {"no_such_switch": True}}, "bad-option"),
        ({"options": {"house_full_tie": "some"}}, "bad-option"),
        ({"rest_s": "1"}, "bad-request"),
        ({"rest_s": True}, "bad-request"),
        ({"pace_ms": 1.0}, "bad-request"),
        ({"seats": [{}, {}, {}]}, "bad-seats"),
        ({"seats": [{"bot": "deep-blue"}]}, "unknown-bot"),
        ({"seats": [{"name": "\u202e"}]}, "bad-name"),
        ({"seats": [{}], "start": True}, None),
        ({"seats": [{"bot": "random"}, {"bot": "random"}], "start": True}, None),
    ],
)
def test_a_table_that_cannot_be_is_not_opened(client: TestClient, more: dict[str, Any], code: str | None) -> None:
    who = new_person(client, "Dan")
    answer = who.post(f"{API}/tables", json={"edition": "classic", "players": 2, **more})
    if code is None:
        refused(answer, 409, "nobody-plays" if more["seats"][0] else "seats-empty")
    else:
        refused(answer, 422, code)
    assert json_of(who.get(f"{API}/me/tables")) == {"tables": []}


def test_a_table_can_be_opened_full_and_running(ada: TestClient) -> None:
    seats = [{"name": "Ada's cat"}, None, {"bot": "random"}]
    table = new_table(ada, "modern", 3, seats=seats)
    assert [seat["kind"] for seat in table["seats"]] == ["person", "empty", "bot"]
    assert table["yours"] == [0]
    assert table["seats"][0]["name"] == "Ada's cat"
    running = new_table(ada, "modern", 2, seats=[{}, {"bot": "random", "name": "Turk"}], start=True)
    assert running["status"] == "playing"
    assert [seat["name"] for seat in running["seats"]] == ["Ada", "Turk"]


# Sitting


def test_seats_are_taken_and_left_while_the_table_waits(ada: TestClient, ben: TestClient, cleo: TestClient) -> None:
    table = new_table(ada, "modern", 4)
    json_of(change(ben, "PUT", "seats/2", table))
    refused(change(ada, "PUT", "seats/2", table), 409, "seat-taken")
    refused(change(ada, "PUT", "seats/4", table), 404, "not-found")
    refused(change(ada, "PUT", "seats/-1", table), 404, "not-found")
    refused(change(cleo, "PUT", "seats/0", table, bot="random"), 403, "forbidden")  # nobody's guest
    json_of(change(ben, "PUT", "seats/0", table, bot="random"))
    refused(change(ben, "PUT", "seats/0", table, bot="random"), 409, "seat-taken")
    refused(change(cleo, "DELETE", "seats/2", table), 403, "forbidden")
    refused(change(cleo, "DELETE", "seats/0", table), 403, "forbidden")
    refused(change(ben, "DELETE", "seats/3", table), 409, "seat-empty")
    json_of(change(ben, "DELETE", "seats/2", table))
    json_of(change(ben, "PUT", "seats/3", table))
    json_of(change(ada, "DELETE", "seats/3", table))  # the host may
    json_of(change(ada, "DELETE", "seats/0", table))
    assert [seat["kind"] for seat in json_of(ada.get(path_of(table)))["seats"]] == ["empty"] * 4
    refused(change(ben, "POST", "start", table), 403, "forbidden")
    refused(change(ada, "POST", "start", table), 409, "seats-empty")
    for seat in range(4):
        json_of(change(ada, "PUT", f"seats/{seat}", table, bot="random"))
    refused(change(ada, "POST", "start", table), 409, "nobody-plays")
    json_of(change(ada, "DELETE", "seats/1", table))
    json_of(change(ben, "PUT", "seats/1", table))
    json_of(change(ben, "POST", "start", table))
    next_decision({1: ben}, table)
    for method, path in [("PUT", "seats/0"), ("DELETE", "seats/1"), ("POST", "start"), ("DELETE", "")]:
        refused(change(ada, method, path, table), 409, "started")


def test_a_host_may_close_a_table_that_waits(ada: TestClient, ben: TestClient) -> None:
    table = new_table(ada, seats=[{}], open=True)
    json_of(change(ben, "PUT", "seats/1", table))
    refused(change(ben, "DELETE", "", table), 403, "forbidden")
    json_of(change(ada, "DELETE", "", table))
    assert json_of(ben.get(path_of(table)))["status"] == "closed"
    assert table["id"] not in {line["id"] for line in json_of(ben.get(f"{API}/tables"))["tables"]}
    refused(change(ben, "POST", "start", table), 409, "started")
    refused(change(ben, "PUT", "seats/1/word", table, word="x"), 409, "over")


# Watching


def test_open_tables_are_listed_and_anybody_may_watch(client: TestClient, ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben, open=True)
    stranger = TestClient(client.app, raise_server_exceptions=False)
    stranger.portal = client.portal
    assert table["id"] in {line["id"] for line in json_of(stranger.get(f"{API}/tables"))["tables"]}
    assert f"/tables/{table['id']}" in stranger.get("/").text
    view = json_of(stranger.get(path_of(table, "view")))["view"]
    assert view["seat"] is None
    assert view["hand"] == []
    assert view["legal"] == []
    json_of(stranger.get(path_of(table, "events")))
    for path in ("view", "events", "legal"):
        assert stranger.get(path_of(table, path), params={"seat": 0}).status_code in (401, 403)
        refused(new_person(client, "Dan").get(path_of(table, path), params={"seat": 0}), 403, "not-your-seat")
    with stranger.websocket_connect(path_of(table, "live")) as socket:
        told = SocketReader(socket)
        assert (told.hello["seat"], told.hello["yours"]) == (None, [])
        socket.send_json({"do": "deal", "state": told.news[-1]["state"]})
        assert told.answer()["error"]["code"] == "forbidden"
        make_move({0: ada, 1: ben}, table, random.Random(1))
        assert told.read()["events"][0]["kind"] in ("moved", "dealt")


def test_a_private_table_is_hidden_from_strangers_once_it_has_started(
    ada: TestClient, ben: TestClient, cleo: TestClient
) -> None:
    table = new_table(ada, seats=[{}])
    listed = json_of(cleo.get(f"{API}/tables"))["tables"]
    assert table["id"] not in {line["id"] for line in listed}
    json_of(cleo.get(path_of(table)))  # who has the link may still come
    json_of(change(ben, "PUT", "seats/1", table))
    with cleo.websocket_connect(path_of(table, "live")) as socket:
        watching = SocketReader(socket)
        json_of(change(ada, "POST", "start", table))
        with pytest.raises(WebSocketDisconnect) as gone:
            watching.read()
        assert gone.value.code == 4012
    state = state_of(ada, table)
    nowhere = refused(cleo.get(path_of("no-such-table")), 404, "not-found")
    for path in ("", "view", "events", "record", "replay", "legal?seat=0"):
        assert refused(cleo.get(path_of(table, path) if path else path_of(table)), 404, "not-found") == nowhere
    posts = [("start", {}), ("moves", {"seat": 0, "move": "guard"}), ("deal", {}), ("rematch", {})]
    posts += [("seats/0/hand-over", {}), ("seats/0/return", {}), ("seats/0/take-back", {})]
    for path, body in posts:
        assert refused(cleo.post(path_of(table, path), json={"state": state, **body}), 404, "not-found") == nowhere
    assert json_of(denied(cleo, path_of(table, "live")), 404)["error"] == nowhere


def test_who_has_left_a_seat_does_not_see_the_cards_of_the_next_player(
    ada: TestClient, ben: TestClient, cleo: TestClient
) -> None:
    table = new_table(ada, seats=[{}], open=True)
    json_of(change(ben, "PUT", "seats/1", table))
    with ben.websocket_connect(path_of(table, "live?seat=1")) as socket:
        told = SocketReader(socket)
        json_of(change(ben, "DELETE", "seats/1", table))
        json_of(change(cleo, "PUT", "seats/1", table))
        json_of(change(ada, "POST", "start", table))
        with pytest.raises(WebSocketDisconnect) as gone:
            told.answer()
        assert gone.value.code == 4012
        assert all(news["scene"] is None for news in told.news)
    refused(denied(ben, path_of(table, "live?seat=1")), 403, "not-your-seat")


def test_who_loses_a_seat_while_a_socket_opens_is_not_told_of_it(
    client: TestClient, ada: TestClient, ben: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, tables = new_table(ada, seats=[{}]), server_of(client).tables
    json_of(change(ben, "PUT", "seats/1", table))

    settled, asked = LoadedTable.settled, [0]

    async def late(loaded: LoadedTable) -> None:
        asked[0] += 1
        await settled(loaded)
        if asked[0] == 2:  # when the rights have been checked and the socket is open
            monkeypatch.undo()
            host = Person(loaded.table.host, "Ada")
            await tables.change(loaded, COMMANDS["leave"].decision(Caller(host, 1)))

    monkeypatch.setattr(LoadedTable, "settled", late)
    with ben.websocket_connect(path_of(table, "live?seat=1")) as socket, pytest.raises(WebSocketDisconnect) as gone:
        socket.receive_json()
    assert gone.value.code == 4012


@pytest.mark.parametrize(
    "query", ["seat=8", "seat=", "seat=12", "seat=x", "since=-1", "since=x", "since=" + "9" * 4000]
)
def test_a_socket_with_a_bad_question_is_not_opened(ada: TestClient, ben: TestClient, query: str) -> None:
    table = started_table(ada, ben)
    assert json_of(denied(ada, path_of(table, f"live?{query}")), 422)["error"]["message"]


# One writer


def test_a_stale_state_is_refused_with_the_present_one(ada: TestClient, ben: TestClient) -> None:
    table, people = started_table(ada, ben), {0: ada, 1: ben}
    state, seat, legal = next_decision(people, table)
    for wrong in (0, state - 1, state + 1, 1_000_000):
        for path, body in [("moves", {"seat": seat, "move": legal[0]}), ("deal", {}), ("rematch", {})]:
            error = refused(people[seat].post(path_of(table, path), json={"state": wrong, **body}), 409, "stale")
            assert error["state"] == state
    assert state_of(ada, table) == state


def test_a_double_click_is_one_move_and_a_replayed_request_none(ada: TestClient, ben: TestClient) -> None:
    table, people = started_table(ada, ben), {0: ada, 1: ben}
    state, seat, legal = next_decision(people, table)
    click = {"state": state, "seat": seat, "move": legal[0]}
    before = len(json_of(ada.get(path_of(table, "events")))["events"])

    def press() -> int:
        return people[seat].post(path_of(table, "moves"), json=click).status_code

    with ThreadPoolExecutor(8) as hands:
        assert sorted(hands.map(lambda _: press(), range(8))) == [200] + [409] * 7
    moved = [
        event for event in json_of(ada.get(path_of(table, "events")))["events"][before:] if event["kind"] == "moved"
    ]
    assert len(moved) == 1
    for _ in range(3):
        make_move(people, table, random.Random(2))
    next_decision(people, table)
    now = json_of(ada.get(path_of(table, "view?seat=0")))
    refused(people[seat].post(path_of(table, "moves"), json=click), 409, "stale")
    assert json_of(ada.get(path_of(table, "view?seat=0"))) == now


def test_of_two_who_want_the_same_seat_one_gets_it(ada: TestClient, ben: TestClient, cleo: TestClient) -> None:
    table = new_table(ada)
    state = state_of(ada, table)
    with ThreadPoolExecutor(2) as hands:
        answers = list(hands.map(lambda who: who.put(path_of(table, "seats/0"), json={"state": state}), (ben, cleo)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    loser = next(answer for answer in answers if answer.status_code == 409)
    refused(loser, 409, "seat-taken")
    assert json_of(ada.get(path_of(table)))["seats"][0]["name"] in ("Ben", "Cleo")


def test_refused_moves_change_nothing(ada: TestClient, ben: TestClient) -> None:
    table, people = started_table(ada, ben, edition="modern"), {0: ada, 1: ben}
    state, seat, legal = next_decision(people, table)
    who, other = people[seat], people[1 - seat]
    before = [json_of(one.get(path_of(table, f"view?seat={k}"))) for k, one in people.items()]

    def play(one: TestClient, at_seat: int, move: str) -> Any:
        return one.post(path_of(table, "moves"), json={"state": state, "seat": at_seat, "move": move})

    refused(play(other, 1 - seat, legal[0]), 409, "not-your-turn")
    refused(play(other, seat, legal[0]), 403, "forbidden")
    refused(play(who, 7, legal[0]), 404, "not-found")
    illegal = next(move for move in ("king 0", "king 1", "redraw") if move not in legal)
    refused(play(who, seat, illegal), 422, "illegal-move")
    for text in ("", " ", "guard  1 priest", "GUARD 1 priest", "guard 1 priest\n", "\u0000", "wizard 1", "é" * 100):
        refused(play(who, seat, text), 422, "unreadable-move")
    refused(play(who, seat, "x" * 101), 422, "bad-request")
    refused(who.post(path_of(table, "seats", seat, "return"), json={"state": state}), 409, "not-handed-over")
    with who.websocket_connect(path_of(table, f"live?seat={seat}")) as socket:
        told = SocketReader(socket)
        doubtful: list[tuple[dict[str, Any], str]] = [
            ({"do": "move", "state": state - 1, "move": legal[0]}, "stale"),
            ({"do": "move", "state": state, "move": illegal}, "illegal-move"),
            ({"do": "move", "state": state, "move": "wizard"}, "unreadable-move"),
            ({"do": "deal", "state": state}, "round-runs"),
            ({"do": "return", "state": state}, "not-handed-over"),
        ]
        for question, code in doubtful:
            socket.send_json(question)
            assert told.answer()["error"]["code"] == code
    assert [json_of(one.get(path_of(table, f"view?seat={k}"))) for k, one in people.items()] == before


def test_nothing_can_be_played_before_the_start(ada: TestClient, ben: TestClient) -> None:
    table = new_table(ada, seats=[{}])
    acts: list[tuple[Callable[..., Any], str, dict[str, Any]]] = [
        (ada.post, "moves", {"seat": 0, "move": "guard 1 priest"}),
        (ada.post, "deal", {}),
        (ada.post, "seats/0/hand-over", {}),
        (ada.post, "seats/0/return", {}),
        (ada.post, "seats/0/take-back", {}),
    ]
    for act, path, body in acts:
        refused(act(path_of(table, path), json={"state": table["state"], **body}), 409, "not-playing")
    refused(ada.get(path_of(table, "view")), 409, "not-started")
    refused(ada.get(path_of(table, "legal?seat=0")), 409, "not-started")
    refused(ada.post(path_of(table, "rematch"), json={"state": table["state"]}), 409, "not-over")
    assert state_of(ben, table) == table["state"]
