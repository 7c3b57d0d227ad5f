"""Taking back a move: only against bots and alone, with the same deal, and as if it had never been made."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors import fair
from suitors.records.record import replay
from suitors.server.domain.commands import MOST_TAKE_BACKS
from suitors.server.domain.table import DamagedTable, HostedTable, fold
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
    path_of,
    refused,
    started_table,
    state_of,
)
from support.stored_tables import NEVER

SCRIPT = {"x-suitors": "script"}


def against_bots(ada: TestClient, players: int = 3, bot: str = "random", **more: Any) -> dict[str, Any]:
    """A match that has started, of one player and bots."""
    seats = [{}, *({"bot": bot} for _ in range(players - 1))]
    table = new_table(ada, more.pop("edition", "classic"), players, seats=seats, **more)
    json_of(change(ada, "PUT", "seats/0/word", table, word="rose"))
    json_of(change(ada, "POST", "start", table))
    return table


def slow_bots(ada: TestClient, **more: Any) -> dict[str, Any]:
    """A match in which it is this player's turn, and bots take their time."""
    while True:
        table = against_bots(ada, pace_ms=10_000, rest_s=3600, **more)
        while view_of(ada, table)["turn"] is None:
            pass  # the first deal is on its way
        if view_of(ada, table)["turn"] == 0:
            return table


def take_back(who: TestClient, table: dict[str, Any], seat: int = 0) -> Any:
    return change(who, "POST", f"seats/{seat}/take-back", table)


def view_of(who: TestClient, table: dict[str, Any], seat: int = 0) -> Any:
    return json_of(who.get(path_of(table, "view"), params={"seat": seat}))["view"]


def all_events(who: TestClient, table: dict[str, Any]) -> list[Any]:
    """All that has happened, as seat 0 is told."""
    found: list[Any] = []
    while len(found) < state_of(who, table):
        found += json_of(who.get(path_of(table, "events"), params={"seat": 0, "since": len(found)}))["events"]
    return found


def told_log(who: TestClient, table: dict[str, Any]) -> list[list[Any]]:
    """The log of seat 0, put together from all events."""
    log: list[list[Any]] = []
    for event in all_events(who, table):
        if "entries" in event:
            log += [[] for _ in range(event["round"] + 1 - len(log))]
            log[event["round"]] += event["entries"]
    return log


def test_the_table_is_as_it_was_before_the_decision(ada: TestClient) -> None:
    table = against_bots(ada, rest_s=3600)
    wait_for_turn(ada, table)
    while not view_of(ada, table)["legal"]:  # the bots have ended the round before
        table = against_bots(ada, rest_s=3600)
        wait_for_turn(ada, table)
    before = view_of(ada, table)
    make_move({0: ada}, table, random.Random(3))
    wait_for_turn(ada, table)  # or for the end of the round, which is taken back as well
    json_of(take_back(ada, table))
    assert view_of(ada, table) == before
    assert told_log(ada, table) == before["log"]


@pytest.mark.parametrize("edition", ["classic", "modern", "solitaire"])
def test_a_match_with_moves_taken_back_ends_in_a_record_that_holds(ada: TestClient, edition: str) -> None:
    rng, taken = random.Random(edition), 0
    while not taken:  # a solo game may be over at the first move
        table = against_bots(ada, 1 if edition == "solitaire" else 3, edition=edition)
        taken = play_unsteadily(ada, table, rng)
    record = json_of(ada.get(path_of(table, "record")))
    assert record["taken_back"] == taken
    assert fair.verify(record, fair.Noted(table["commitment"], table["id"], {0: "rose"})).honest
    match = replay(record)
    assert match.over
    assert view_of(ada, table) == view_data(match.view(0))
    assert told_log(ada, table) == view_of(ada, table)["log"]


def play_unsteadily(ada: TestClient, table: dict[str, Any], rng: random.Random) -> int:
    """Play a match by chance, and take moves back now and then; how many."""
    taken = 0
    while json_of(ada.get(path_of(table)))["status"] == "playing":
        make_move({0: ada}, table, rng)
        if rng.random() < 0.5 and (answer := take_back(ada, table)).status_code == 200:
            taken += 1
            assert answer.json()["state"] == state_of(ada, table)  # nobody but this player can go on
            assert view_of(ada, table)["legal"] != []
        wait_for_turn(ada, table)
    return taken


def wait_for_turn(who: TestClient, table: dict[str, Any]) -> None:
    """Wait until the player of seat 0 has to decide, a round that nobody deals has to start, or the match is over."""
    while json_of(who.get(path_of(table)))["status"] == "playing" and not view_of(who, table)["legal"]:
        if table["rest_s"] and view_of(who, table)["phase"] == "deal" and view_of(who, table)["round"] >= 0:
            break


def test_a_server_that_starts_anew_comes_to_the_same_table(tmp_path: Path) -> None:
    with in_process(tmp_path) as client:
        ada = new_person(client, "Ada")
        table = slow_bots(ada)
        play_first(ada, table)
        json_of(take_back(ada, table))
        before, cookies = view_of(ada, table), ada.cookies
    with in_process(tmp_path) as client:
        client.cookies = cookies
        assert view_of(client, table) == before


def play_first(ada: TestClient, table: dict[str, Any], choose: Callable[[list[str]], str] = min) -> str:
    """Play a move that does not put its player out."""
    state, _, legal = next_decision({0: ada}, table)
    move = choose([move for move in legal if not move.startswith("princess")])
    json_of(ada.post(path_of(table, "moves"), json={"state": state, "seat": 0, "move": move}))
    return move


# A table without a server


def folded(*moves: tuple[int, str]) -> HostedTable:
    """A round of three, the first of them a person, after these moves."""
    events: list[dict[str, Any]] = [
        {
            "kind": "opened",
            "edition": "classic",
            "players": 3,
            "options": {},
            "open": False,
            "pace_ms": NEVER,
            "rest_s": 0,
            "host": 1,
            "secret": "00" * 32,
        },
        {"kind": "sat", "seat": 0, "person": 1, "name": "Ada"},
        {"kind": "bot-sat", "seat": 1, "bot": "random", "name": "Pip"},
        {"kind": "bot-sat", "seat": 2, "bot": "random", "name": "Rosamund"},
        {"kind": "started"},
    ]
    tops = ["baron", "guard", "priest", "handmaid", "king", "guard", "priest", "guard"]
    rest = [*["guard"] * 2, "baron", "handmaid", *["prince"] * 2, "countess", "princess"]
    dealt = {"kind": "dealt", "first": 0, "deck": tops + rest, "words": [""] * 3, "seal": "00" * 32}
    played = [{"kind": "moved", "seat": seat, "move": move, "by": "person"} for seat, move in moves]
    return fold("table", [*events, dealt, *played])


LINE = ((0, "guard 2 princess"), (1, "priest 0"), (2, "handmaid"))


def test_nobody_who_thinks_for_a_seat_can_tell_that_moves_were_taken_back() -> None:
    table = folded(*LINE)
    table.apply({"kind": "taken-back", "seat": 0, "moves": 3})
    assert table.started_match.turn == 0
    other = ((0, "guard 1 princess"), (1, "priest 2"))
    for seat, move in other:
        table.apply({"kind": "moved", "seat": seat, "move": move, "by": "person"})
    straight = folded(*other).started_match
    for eyes in (0, 1, 2, None):
        assert table.started_match.view(eyes) == straight.view(eyes)
    assert table.started_match.record() == straight.record()


@pytest.mark.parametrize("moves", [0, 2, 4, -3, "3", None])
def test_a_stored_event_that_takes_back_anything_else_is_damage(moves: Any) -> None:
    table = folded(*LINE)
    stored = [event for event, _ in table.events]
    with pytest.raises(DamagedTable):
        fold("table", [*stored, {"kind": "taken-back", "seat": 0, "moves": moves}])


# Who may, and when


def test_nothing_is_taken_back_where_others_play(ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben)
    make_move({0: ada, 1: ben}, table, random.Random(0))
    for seat, who in enumerate((ada, ben)):
        refused(take_back(who, table, seat), 409, "others-play")
    shared = new_table(ada, seats=[{}, {"name": "Ben"}], start=True)  # two people at one device
    make_move({0: ada, 1: ada}, shared, random.Random(0))
    refused(take_back(ada, shared), 409, "others-play")


def test_it_is_for_the_player_of_the_seat_in_a_match_that_runs(ada: TestClient, ben: TestClient) -> None:
    table = against_bots(ada, open=True, pace_ms=10_000)
    refused(take_back(ben, table), 403, "forbidden")
    refused(take_back(ada, table, 1), 403, "forbidden")
    refused(take_back(ada, table, 7), 404, "not-found")
    waiting = new_table(ada, seats=[{}, {"bot": "random"}])
    refused(take_back(ada, waiting), 409, "not-playing")
    over = against_bots(ada, 2)
    while json_of(ada.get(path_of(over)))["status"] == "playing":
        make_move({0: ada}, over, random.Random(1))
        wait_for_turn(ada, over)
    refused(take_back(ada, over), 409, "not-playing")  # the secret of the shuffle is open now


def test_a_seat_that_a_bot_plays_for_takes_nothing_back(ada: TestClient) -> None:
    table = slow_bots(ada)
    play_first(ada, table)
    json_of(change(ada, "POST", "seats/0/hand-over", table))
    refused(take_back(ada, table), 409, "handed-over")


def by_api(who: TestClient, table: dict[str, Any], state: int) -> int:
    body = {"state": state}
    return int(who.post(path_of(table, "seats", 0, "take-back"), json=body).status_code)


def by_form(who: TestClient, table: dict[str, Any], state: int) -> int:
    data = {"state": state, "seat": 0}
    return int(who.post(f"/tables/{table['id']}/take-back", data=data, headers=SCRIPT).status_code)


def by_socket(who: TestClient, table: dict[str, Any], state: int) -> int:
    with who.websocket_connect(path_of(table, "live?seat=0")) as socket:
        told = SocketReader(socket)
        socket.send_json({"do": "take-back", "id": 1, "state": state})
        return 409 if "error" in told.answer() else 200


@pytest.mark.parametrize("give", [by_api, by_form, by_socket])
def test_it_is_not_done_twice_but_bots_may_move_meanwhile(
    ada: TestClient, give: Callable[[TestClient, dict[str, Any], int], int]
) -> None:
    for _ in range(50):  # until bots have moved, and this player is to play again in the same round
        table = against_bots(ada, bot="novice")
        next_decision({0: ada}, table)
        round_ = view_of(ada, table)["round"]
        play_first(ada, table)
        wait_for_turn(ada, table)
        if view_of(ada, table)["round"] == round_ and view_of(ada, table)["legal"]:
            break
    seen = last_decision(ada, table)
    assert seen < state_of(ada, table)
    assert give(ada, table, seen - 1) == 409  # before the move was made
    assert give(ada, table, seen) in (200, 204)
    assert give(ada, table, seen) == 409


def last_decision(ada: TestClient, table: dict[str, Any]) -> int:
    """The state after the last move of seat 0."""
    return int(
        max(event["state"] for event in all_events(ada, table) if event["kind"] == "moved" and event["seat"] == 0)
    )


def test_it_is_not_done_without_end(ada: TestClient) -> None:
    table = slow_bots(ada)
    for _ in range(MOST_TAKE_BACKS):
        play_first(ada, table)
        json_of(take_back(ada, table))
    play_first(ada, table)
    refused(take_back(ada, table), 429, "too-many-changes")
