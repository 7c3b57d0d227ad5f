"""A change is stale only if what it hangs on has changed; what others may do at the table keeps nobody from it."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.server.domain.commands import COMMANDS, MOST_HAND_OVERS, MOST_SITTINGS, MOST_TAKE_BACKS, MOST_WORDS
from support.repository import quoted, read_page, rows
from support.servers import (
    SocketReader,
    change,
    json_of,
    new_person,
    new_table,
    next_decision,
    path_of,
    refused,
    started_table,
    state_of,
)

SCRIPT = {"x-suitors": "script"}


def give_word(who: TestClient, table: dict[str, Any], seat: int, word: str) -> Any:
    return change(who, "PUT", f"seats/{seat}/word", table, word=word)


# Moves


def by_api(who: TestClient, table: dict[str, Any], body: dict[str, Any]) -> int:
    return who.post(path_of(table, "moves"), json=body).status_code


def by_form(who: TestClient, table: dict[str, Any], body: dict[str, Any]) -> int:
    return who.post(f"/tables/{table['id']}/move", data=body, headers=SCRIPT).status_code


def by_socket(who: TestClient, table: dict[str, Any], body: dict[str, Any]) -> int:
    with who.websocket_connect(path_of(table, f"live?seat={body['seat']}")) as socket:
        told = SocketReader(socket)
        socket.send_json({"do": "move", "id": 1, "state": body["state"], "move": body["move"]})
        return 409 if "error" in told.answer() else 200


@pytest.mark.parametrize("play", [by_api, by_form, by_socket])
def test_words_and_stand_ins_of_others_keep_nobody_from_a_move(
    ada: TestClient, ben: TestClient, play: Callable[..., int]
) -> None:
    table, people = started_table(ada, ben), {0: ada, 1: ben}
    state, seat, legal = next_decision(people, table)
    other = 1 - seat
    json_of(give_word(people[other], table, other, "one"))
    json_of(give_word(people[seat], table, seat, "mine"))
    json_of(change(people[other], "POST", f"seats/{other}/hand-over", table, bot="random"))
    json_of(change(people[other], "POST", f"seats/{other}/return", table))
    json_of(give_word(people[other], table, other, "two"))
    assert state_of(ada, table) == state + 5
    body = {"state": state, "seat": seat, "move": legal[0]}
    assert play(people[seat], table, body) in (200, 204)
    assert play(people[seat], table, body) == 409  # once


def test_a_deal_is_asked_for_once_whatever_words_are_given(ada: TestClient, ben: TestClient) -> None:
    table, people = started_table(ada, ben, rest_s=3600), {0: ada, 1: ben}
    while json_of(ada.get(path_of(table, "view")))["view"]["phase"] != "deal":
        state, seat, legal = next_decision(people, table)
        json_of(people[seat].post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": legal[0]}))
    state = state_of(ada, table)
    json_of(give_word(ben, table, 1, "late"))
    for who in (ada, ben):
        json_of(who.post(path_of(table, "deal"), json={"state": state}))
    refused(ben.post(path_of(table, "deal"), json={"state": state}), 409, "stale")


# Before the match


def test_a_start_hangs_on_who_sits_where_and_on_nothing_else(ada: TestClient, ben: TestClient) -> None:
    table = new_table(ada, "modern", 3, seats=[{}, None, {"bot": "random"}], pace_ms=10_000)
    json_of(change(ben, "PUT", "seats/1", table))
    seen = state_of(ada, table)
    json_of(change(ada, "DELETE", "seats/2", table))
    json_of(change(ada, "PUT", "seats/2", table, bot="novice"))
    refused(ada.post(path_of(table, "start"), json={"state": seen}), 409, "stale")  # another bot sits there
    seen = state_of(ada, table)
    json_of(give_word(ben, table, 1, "word"))
    json_of(ada.post(path_of(table, "start"), json={"state": seen}))


def test_a_seat_is_freed_only_if_the_same_person_sits_there(ada: TestClient, ben: TestClient, cleo: TestClient) -> None:
    table = new_table(ada, "modern", 3)
    json_of(change(ben, "PUT", "seats/1", table))
    seen = state_of(ada, table)
    json_of(change(cleo, "PUT", "seats/2", table))
    json_of(give_word(cleo, table, 2, "word"))
    json_of(ada.delete(path_of(table, "seats/1"), params={"state": seen}))  # only other seats have changed
    json_of(change(cleo, "PUT", "seats/1", table))
    refused(ada.delete(path_of(table, "seats/1"), params={"state": seen}), 409, "stale")


def test_others_keep_nobody_from_sitting_down_or_closing_the_table(
    ada: TestClient, ben: TestClient, cleo: TestClient
) -> None:
    table = new_table(ada, "modern", 3)
    seen = state_of(ada, table)
    json_of(change(ben, "PUT", "seats/1", table))
    json_of(cleo.put(path_of(table, "seats/2"), json={"state": seen}))
    refused(ada.put(path_of(table, "seats/2"), json={"state": seen}), 409, "seat-taken")
    json_of(ada.delete(path_of(table), params={"state": seen}))


def test_a_state_that_has_never_been_is_refused_for_every_command(ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben)
    state = state_of(ada, table) + 1
    requests = [("POST", "moves", {"seat": 0, "move": "guard"}), ("POST", "deal", {}), ("POST", "start", {})]
    requests += [("PUT", "seats/0/word", {"word": "x"}), ("POST", "seats/0/hand-over", {}), ("PUT", "seats/0", {})]
    requests += [("POST", "seats/0/return", {}), ("POST", "rematch", {})]
    for method, path, body in requests:
        refused(ada.request(method, path_of(table, path), json={"state": state, **body}), 409, "stale")
    for parts in ([], ["seats/0"]):
        refused(ada.delete(path_of(table, *parts), params={"state": state}), 409, "stale")
    page = ada.post(f"/tables/{table['id']}/sit", data={"state": state, "seat": 0}, headers=SCRIPT)
    assert json_of(page, 409)["error"]["code"] == "stale"


# How often


def test_words_are_few_in_a_round(ada: TestClient, ben: TestClient) -> None:
    table, people = started_table(ada, ben), {0: ada, 1: ben}
    for number in range(MOST_WORDS):
        json_of(give_word(ben, table, 1, f"word {number}"))
    state = state_of(ada, table)
    refused(give_word(ben, table, 1, "one more"), 429, "too-many-changes")
    assert json_of(give_word(ben, table, 1, f"word {MOST_WORDS - 1}")) == {"state": state}  # it is that already
    json_of(give_word(ada, table, 0, "mine"))
    before = json_of(ada.get(path_of(table, "view")))["view"]["round"]
    while json_of(ada.get(path_of(table, "view")))["view"]["round"] == before:
        state, seat, legal = next_decision(people, table)
        json_of(people[seat].post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": legal[0]}))
    json_of(give_word(ben, table, 1, "a new round"))


def test_a_seat_is_not_handed_over_again_and_again(ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben, pace_ms=10_000)
    for _ in range(MOST_HAND_OVERS):
        json_of(change(ben, "POST", "seats/1/hand-over", table, bot="random"))
        json_of(change(ben, "POST", "seats/1/return", table))
    refused(change(ben, "POST", "seats/1/hand-over", table, bot="random"), 429, "too-many-changes")


def test_a_person_sits_down_at_a_table_only_so_often(client: TestClient, ada: TestClient) -> None:
    table, eve = new_table(ada), new_person(client, "Eve")
    for _ in range(MOST_SITTINGS):
        json_of(change(eve, "PUT", "seats/1", table))
        json_of(change(eve, "DELETE", "seats/1", table))
    refused(change(eve, "PUT", "seats/1", table), 429, "too-many-changes")
    json_of(change(ada, "PUT", "seats/1", table))


# The page


def test_the_page_says_what_every_command_hangs_on() -> None:
    told = {name: cells[1] for cells in rows(read_page("api.md"), "States") for name in quoted(cells[0])}
    words = {
        "match": "the match",
        "seating": "who sits where",
        "seat": "who sits in that seat",
        "decision": "the last decision of that seat",
        None: "nothing",
    }
    assert told == {name: words[command.hangs_on] for name, command in COMMANDS.items()} | {"rematch": "the match"}


@pytest.mark.parametrize(
    ("name", "most"),
    [("words", MOST_WORDS), ("times", MOST_HAND_OVERS), ("moves", MOST_TAKE_BACKS), ("times", MOST_SITTINGS)],
)
def test_the_page_says_how_often(name: str, most: int) -> None:
    assert f"{most} {name}" in " ".join(read_page("api.md").split())
