"""Whole matches over HTTP and over sockets: every edition, rounds, words, records, replays, rematches, reopening."""

import random
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors import fair
from suitors.records.record import replay
from suitors.rules import BOXES
from suitors.view.data import view_data
from support.servers import (
    SocketReader,
    change,
    in_process,
    json_of,
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
)

TABLES = [(slug, players) for slug, box in BOXES.items() for players in box.players]
PEOPLE = 2
"""So many seats are people's in a whole match: the first plays over HTTP, the second over a socket."""


def play_mixed(ada: TestClient, socket: SocketReader, table: str, rng: random.Random) -> None:
    """Play to the end: seat 0 over HTTP, seat 1 over the socket (a solo game: in turn), the others are bots."""
    while (now := socket.wait(PEOPLE))["status"] == "playing":
        seat, state = now["scene"]["turn"], now["state"]
        if seat == socket.hello["seat"] and (seat == 1 or rng.random() < 0.5):
            move = rng.choice(now["scene"]["legal"])
            socket.socket.send_json({"do": "move", "id": state, "state": state, "move": move})
            told = socket.answer()
            assert told == {"type": "answer", "id": state, "state": state + 1}
        else:
            legal = json_of(ada.get(path_of(table, "legal"), params={"seat": seat}))
            assert legal["state"] == state
            move = rng.choice(legal["legal"])
            json_of(ada.post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": move}))
            socket.read()


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_match_of_every_edition_runs_to_its_end_and_can_be_checked(
    ada: TestClient, ben: TestClient, edition: str, players: int
) -> None:
    wishes: list[dict[str, str]] = [{}, *({"bot": "random"} for _ in range(PEOPLE, players))]
    table = new_table(ada, edition, players)
    for seat, wish in zip([0, *range(PEOPLE, players)], wishes, strict=True):
        json_of(change(ada, "PUT", f"seats/{seat}", table, **wish))
    reader, seat = (ben, 1) if players > 1 else (ada, 0)
    if reader is ben:
        json_of(change(ben, "PUT", "seats/1", table))
    json_of(change(reader, "PUT", f"seats/{seat}/word", table, word="été"))
    with reader.websocket_connect(path_of(table, "live")) as socket:
        told = SocketReader(socket)
        assert told.hello["seat"] == seat
        json_of(change(ada, "POST", "start", table))
        told.read()
        play_mixed(ada, told, table["id"], random.Random(f"{edition} {players}"))

    record = json_of(ada.get(path_of(table, "record")))
    noted = fair.Noted(table["commitment"], table["id"], {seat: "été"})
    assert fair.verify(record, noted).honest
    match = replay(record)
    assert match.over
    whole = json_of(reader.get(path_of(table, "view"), params={"seat": seat}))["view"]
    assert whole == view_data(match.view(seat))
    for eyes in (*range(players), "none"):
        shown = json_of(ada.get(path_of(table, "replay"), params={"seat": eyes}))
        log = view_data(match.view(None if eyes == "none" else int(eyes)))["log"]
        by_round: list[list[Any]] = [[] for _ in log]
        for step in shown["steps"]:
            by_round[step["round"]] += step["entries"]
        assert by_round == log
        if eyes == seat:
            assert [step["entries"] for step in shown["steps"]] == told.entries
    states = [event["state"] for news in told.news for event in news["events"]]
    assert states == list(range(1, len(states) + 1))  # nothing twice, nothing left out


def test_a_record_and_a_replay_are_refused_before_the_end(ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben)
    for path in ("record", "replay"):
        refused(ada.get(path_of(table, path)), 409, "not-over")
    next_decision({0: ada, 1: ben}, table)
    for path in ("record", "replay"):
        refused(ada.get(path_of(table, path)), 409, "not-over")


def test_rounds_wait_for_the_rest_unless_the_players_deal(ada: TestClient, ben: TestClient) -> None:
    people = {0: ada, 1: ben}
    table = started_table(ada, ben, rest_s=3600)
    rng = random.Random(1)
    view = json_of(ada.get(path_of(table, "view")))["view"]
    refused(change(ada, "POST", "deal", table), 409, "round-runs")
    while view["phase"] != "deal":
        make_move(people, table, rng)
        view = json_of(ada.get(path_of(table, "view")))["view"]
    stranger = new_person(ada, "Cleo")
    json_of(stranger.get(path_of(started_table(ada, ben, open=True), "view")))  # anybody may look
    assert stranger.post(path_of(table, "deal"), json={"state": state_of(ada, table)}).status_code == 404
    for who in (ben, ada):
        json_of(change(who, "POST", "deal", table))
    view = json_of(ada.get(path_of(table, "view")))["view"]
    assert (view["round"], view["phase"]) == (1, "play")


def test_words_count_from_the_next_deal_on_and_everybody_sees_them(ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben, edition="classic")
    people, rng = {0: ada, 1: ben}, random.Random(2)
    json_of(change(ben, "PUT", "seats/1/word", table, word="\x00rose\u202e"))
    assert json_of(ada.get(path_of(table)))["seats"][1]["word"] == "\x00rose\u202e"
    refused(change(ada, "PUT", "seats/1/word", table, word="mine"), 403, "forbidden")
    refused(change(ada, "PUT", "seats/7/word", table, word="mine"), 404, "not-found")
    refused(change(ada, "PUT", "seats/0/word", table, word="w" * 65), 422, "bad-request")
    while json_of(ada.get(path_of(table)))["status"] == "playing":
        make_move(people, table, rng)
        if json_of(ada.get(path_of(table)))["status"] == "playing":
            next_decision(people, table)
    record = json_of(ada.get(path_of(table, "record")))
    assert record["rounds"][0]["words"] == ["", ""]
    assert {tuple(round_["words"]) for round_ in record["rounds"][1:]} == {("", "\x00rose\u202e")}
    assert fair.verify(record).honest
    refused(change(ben, "PUT", "seats/1/word", table, word="late"), 409, "over")


def finished(ada: TestClient, ben: TestClient, **more: Any) -> dict[str, Any]:
    """A short match that is over: its table."""
    table = started_table(ada, ben, edition="house", **more)
    rng = random.Random(3)
    while json_of(ada.get(path_of(table)))["status"] == "playing":
        make_move({0: ada, 1: ben}, table, rng)
        if json_of(ada.get(path_of(table)))["status"] == "playing":
            next_decision({0: ada, 1: ben}, table)
    return json_of(ada.get(path_of(table)))  # type: ignore[no-any-return]


def test_a_rematch_is_a_new_table_with_the_same_seats_and_a_new_commitment(ada: TestClient, ben: TestClient) -> None:
    table = finished(ada, ben, options={"house_full_tie": "none"})
    stranger = new_person(ada, "Cleo")
    assert stranger.post(path_of(table, "rematch"), json={"state": table["state"]}).status_code == 404
    with ben.websocket_connect(path_of(table, "live?since=0")) as socket:
        told = SocketReader(socket)
        following = json_of(change(ada, "POST", "rematch", table), 201)
        assert told.read()["events"] == [{"state": table["state"] + 1, "kind": "rematch", "table": following["id"]}]
    assert following["id"] != table["id"]
    assert following["commitment"] != table["commitment"]
    assert following["status"] == "waiting"
    assert [seat["name"] for seat in following["seats"]] == ["Ada", "Ben"]
    assert {key: following[key] for key in ("edition", "options", "open", "pace_ms", "rest_s")} == {
        key: table[key] for key in ("edition", "options", "open", "pace_ms", "rest_s")
    }
    refused(change(ben, "POST", "rematch", table), 409, "rematch-open")
    assert json_of(ben.get(path_of(table)))["rematch"] == following["id"]
    assert json_of(ben.get(path_of(following)))["yours"] == [1]
    json_of(change(ben, "POST", "start", following))  # anybody who sits there
    make_move({0: ada, 1: ben}, following["id"], random.Random(4))
    refused(change(ben, "POST", "rematch", following), 409, "not-over")


def test_a_match_goes_on_after_the_server_was_closed_and_opened_again(tmp_path: Path) -> None:
    rng = random.Random(5)
    with in_process(tmp_path / "data") as client:
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        people = {0: ada, 1: ben}
        table = started_table(ada, ben, edition="premium")
        over = finished(ada, ben)
        waiting = new_table(ada, seats=[{}])
        for _ in range(5):
            make_move(people, table, rng)
        next_decision(people, table)
        paths = [
            path_of(table),
            path_of(table, "view?seat=0"),
            path_of(table, "events"),
            path_of(over, "record"),
            path_of(waiting),
        ]
        before = [json_of(ada.get(path)) for path in paths]
    with in_process(tmp_path / "data") as client:
        again = [TestClient(client.app, raise_server_exceptions=False, cookies=who.cookies) for who in (ada, ben)]
        for who in again:
            who.portal = client.portal
        people = dict(enumerate(again))
        assert [json_of(again[0].get(path)) for path in paths] == before
        assert json_of(again[1].get("/api/v1/me")) == {"name": "Ben"}
        while json_of(again[0].get(path_of(table)))["status"] == "playing":
            make_move(people, table, rng)
            if json_of(again[0].get(path_of(table)))["status"] == "playing":
                next_decision(people, table)
        assert fair.verify(json_of(again[0].get(path_of(table, "record")))).honest
        json_of(change(again[1], "PUT", "seats/1", waiting))
        json_of(change(again[0], "POST", "start", waiting))


def test_a_server_resumes_what_was_pending_when_it_was_closed(tmp_path: Path) -> None:
    with in_process(tmp_path / "data") as client:
        ada = new_person(client, "Ada")
        slow = new_table(ada, pace_ms=10_000, seats=[{}, {"bot": "random"}], start=True)
        resting = started_table(ada, ada, rest_s=3600)
        rng = random.Random(6)
        while json_of(ada.get(path_of(resting, "view")))["view"]["phase"] == "play":
            make_move({0: ada, 1: ada}, resting, rng)
        while (turn := json_of(ada.get(path_of(slow, "view")))["view"]["turn"]) != 1:
            if turn == 0:
                make_move({0: ada}, slow, rng)
    with in_process(tmp_path / "data") as client:
        tables = server_of(client).tables
        found = {loaded.table.id: loaded.pending for loaded in tables.loaded.values()}
        assert {table: each.bot for table, each in found.items() if each} == {
            slow["id"]: "random"
        }  # before anybody asks
        pending = on_loop(client, lambda: tables.load(resting["id"])).pending  # a deal to people waits for one of them
        assert pending is not None
        assert (pending.round, pending.bot) == (1, None)
