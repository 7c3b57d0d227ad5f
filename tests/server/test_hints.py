"""Hints at the table: where the host allows them, from what a seat knows alone, and told in the record."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from suitors.coach import Hint
from suitors.coach.judgement import MoveValue
from suitors.coach.reasons import Values
from suitors.server.domain import analyses as analyses_module
from suitors.server.domain.table import HostedTable, fold
from suitors.view.match import View
from support.jobs_here import JobsHere
from support.servers import (
    API,
    FREE,
    change,
    in_process,
    json_of,
    new_person,
    new_table,
    next_decision,
    on_loop,
    path_of,
    refused,
    server_of,
    state_of,
)

SEEN: list[Any] = []
"""The views that hints were made of."""


def quick_hint(view: Any) -> tuple[Hint, ...]:
    """The first legal move, as a hint."""
    SEEN.append(view)
    values = tuple(MoveValue(move, 0.5, 0.25, 0.01) for move in view.legal)
    return (Hint(view.legal[0], 0.5, 0.25, Values(view.legal[0], 0.25, view.legal[0], 0.25, of_match=True), values),)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that makes hints in this process."""
    with pytest.MonkeyPatch.context() as patch, in_process(tmp_path_factory.mktemp("hints")) as client:
        patch.setattr(analyses_module, "advise", quick_hint)
        server_of(client).analyses.jobs = on_loop(client, lambda: JobsHere(FREE))
        yield client


def jobs(site: TestClient) -> JobsHere:
    found = server_of(site).analyses.jobs
    assert isinstance(found, JobsHere)
    return found


@pytest.fixture
def people(site: TestClient) -> dict[int, TestClient]:
    return {0: new_person(site, "Ada"), 1: new_person(site, "Ben")}


def playing(people: dict[int, TestClient], **wishes: Any) -> dict[str, Any]:
    """A match of these people that is under way."""
    table = new_table(people[0], "modern", len(people), **{"hints": True, "rest_s": 0, "seats": [{}], **wishes})
    for seat in range(1, len(people)):
        json_of(change(people[seat], "PUT", f"seats/{seat}", table))
    json_of(change(people[0], "POST", "start", table))
    return table


def ask(who: TestClient, table: Any, seat: int) -> Any:
    """Ask for a hint through the API."""
    return change(who, "POST", f"seats/{seat}/hint", table)


def next_choice(people: dict[int, TestClient], table: Any) -> tuple[int, int]:
    """The state and the seat that has a choice to make; whoever has none moves."""
    while True:
        state, seat, legal = next_decision(people, table)
        if len(legal) > 1:
            return state, seat
        json_of(people[seat].post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": legal[0]}))


# Who may ask


def test_hints_are_off_unless_the_host_allows_them(people: dict[int, TestClient]) -> None:
    table = playing(people, hints=False)
    assert table["hints"] is False
    _, seat, _ = next_decision(people, table)
    refused(ask(people[seat], table, seat), 403, "no-hints")
    assert "hinted" not in [event["kind"] for event in events_of(people[0], table)]


def test_only_the_one_who_has_to_decide_gets_a_hint(people: dict[int, TestClient], site: TestClient) -> None:
    table = playing(people)
    _, seat, legal = next_decision(people, table)
    before = state_of(people[0], table)
    refused(ask(people[1 - seat], table, 1 - seat), 409, "not-your-turn")
    refused(ask(people[1 - seat], table, seat), 403, "forbidden")
    path = path_of(table, f"seats/{seat}/hint")
    refused(new_person(site, "Stranger").post(path, json={"state": before}), 404, "not-found")
    refused(people[seat].post(path, json={"state": 1}), 409, "stale")
    assert state_of(people[0], table) == before
    SEEN.clear()
    found = json_of(ask(people[seat], table, seat))
    assert found["state"] == before + 1
    assert (found["hint"]["move"], found["hint"]["match"]) == (legal[0], 0.25)
    assert [value["move"] for value in found["hint"]["moves"]] == legal
    assert found["hint"]["reason"]["kind"] == "values"
    (view,) = SEEN
    assert isinstance(view, View)
    assert (view.seat, view.known[1 - seat]) == (seat, ()), (
        "it is made from the view of the seat, and from nothing else"
    )


def test_a_hint_that_is_asked_for_twice_is_one(people: dict[int, TestClient]) -> None:
    table = playing(people)
    _, seat, _ = next_decision(people, table)
    first, again = (json_of(ask(people[seat], table, seat)) for _ in range(2))
    assert first == again
    assert [event["kind"] for event in events_of(people[0], table)].count("hinted") == 1


def test_a_hint_keeps_nobody_from_a_move_and_is_told_to_all(people: dict[int, TestClient]) -> None:
    table = playing(people)
    state, seat, legal = next_decision(people, table)
    json_of(ask(people[seat], table, seat))
    told = events_of(people[1 - seat], table)[-1]
    assert told == {"state": told["state"], "kind": "hinted", "seat": seat}
    body = {"state": state, "seat": seat, "move": legal[0]}
    json_of(people[seat].post(path_of(table, "moves"), json=body))  # with the state before the hint


def events_of(who: TestClient, table: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json_of(who.get(path_of(table, "events")))["events"]
    return found


# The record


def test_the_record_tells_of_hints_and_a_replay_shows_them(people: dict[int, TestClient]) -> None:
    table = playing(people)
    asked: dict[int, list[int]] = {}
    number = 0
    while json_of(people[0].get(path_of(table)))["status"] == "playing":
        state, seat, legal = next_decision(people, table)
        match = server_of(people[0]).tables.loaded[table["id"]].table.started_match
        if number % 3 == 1:
            asked.setdefault(len(match.rounds) - 1, []).append(len(match.rounds[-1].moves))
            state = json_of(ask(people[seat], table, seat))["state"]
        number += 1
        json_of(people[seat].post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": legal[-1]}))
    record = json_of(people[0].get(path_of(table, "record")))
    told = {k: dealt["hints"] for k, dealt in enumerate(record["rounds"]) if "hints" in dealt}
    assert told == asked != {}
    round_, plies = next(iter(asked.items()))
    step = sum(1 + len(dealt["moves"]) for dealt in record["rounds"][:round_]) + plies[0]
    shared = people[0].post(f"/tables/{table['id']}/share")
    for path in (f"/tables/{table['id']}/replay", str(shared.url.path)):
        assert "after a hint" in people[0].get(f"{path}?step={step + 1}").text
        assert "after a hint" not in people[0].get(f"{path}?step={step}").text


def test_a_hint_is_taken_back_with_the_moves_after_it() -> None:
    table = folded("hinted", "moved", "hinted", "moved")
    assert table.hinted == {(0, 0), (0, 1)}
    seat = table.events[-1][0]["seat"]
    table.apply({"kind": "taken-back", "seat": seat, "moves": 1})
    assert table.hinted == {(0, 0), (0, 1)}, "it is for the decision that is due again"
    assert table.hinted_now
    other = next(event["seat"] for event, _ in table.events if event["kind"] == "moved")
    table.apply({"kind": "taken-back", "seat": other, "moves": 1})
    assert table.hinted == {(0, 0)}


def test_a_hint_that_was_seen_stays_in_the_record_though_the_move_before_it_is_taken_back() -> None:
    table = folded("moved", "moved", "hinted")
    table.apply({"kind": "taken-back", "seat": table.started_match.turn, "moves": 2})
    assert table.hinted == {(0, 0)}


def folded(*kinds: str) -> HostedTable:
    """A table where these things have happened."""
    opened = {"kind": "opened", "edition": "classic", "players": 2, "options": {}, "open": False, "pace_ms": 0}
    opened |= {"rest_s": 0, "host": 1, "secret": "00", "hints": True}
    seats = [{"kind": "sat", "seat": seat, "person": 1 + seat, "name": f"P{seat}"} for seat in range(2)]
    table = fold("t", [opened, *seats, {"kind": "started"}])
    deck = ["guard", "guard", "guard", "guard", "handmaid", "priest", "handmaid", "prince", "prince"]
    deck += ["king", "countess", "princess", "guard", "baron", "baron", "priest"]
    table.apply({"kind": "dealt", "first": 0, "deck": deck, "words": ["", ""], "seal": ""})
    for kind in kinds:
        match = table.started_match
        event: dict[str, Any] = {"kind": kind, "seat": match.turn}
        table.apply({**event, "move": match.legal()[0], "by": "person"} if kind == "moved" else event)
    return table


def test_an_older_table_has_hints_only_where_it_is_a_solo_game() -> None:
    base = {"kind": "opened", "players": 1, "options": {}, "open": False, "pace_ms": 0, "rest_s": 0, "host": 1}
    assert fold("t", [{**base, "edition": "solitaire", "secret": "00"}]).hints
    assert not fold("t", [{**base, "edition": "classic", "players": 2, "secret": "00"}]).hints


# Sockets


def test_a_program_is_answered_with_the_hint(people: dict[int, TestClient]) -> None:
    table = playing(people)
    state, seat, legal = next_decision(people, table)
    with people[seat].websocket_connect(f"{API}/tables/{table['id']}/live?seat={seat}&since={state}") as socket:
        told = [socket.receive_json() for _ in range(2)]
        assert [message["type"] for message in told] == ["hello", "news"]
        socket.send_json({"do": "hint", "state": state, "id": 7})
        answer = answer_of(socket)
        assert (answer["id"], answer["state"], answer["hint"]["move"]) == (7, state + 1, legal[0])
        socket.send_json({"do": "hint", "state": 1, "id": 8})
        assert answer_of(socket)["error"]["code"] == "stale"


def answer_of(socket: WebSocketTestSession) -> dict[str, Any]:
    while (message := socket.receive_json())["type"] != "answer":
        pass
    found: dict[str, Any] = message
    return found


def test_a_page_goes_on_while_a_hint_is_worked_out(people: dict[int, TestClient], site: TestClient) -> None:
    table = playing(people)
    state, seat = next_choice(people, table)
    with people[seat].websocket_connect(f"/tables/{table['id']}/page") as socket:
        assert 'form="hint"' in socket.receive_json()["html"]
        on_loop(site, jobs(site).go.clear)
        form = {"state": state, "seat": seat}
        answer = people[seat].post(f"/tables/{table['id']}/hint", data=form, headers={"x-suitors": "script"})
        assert answer.status_code == 204
        shown = socket.receive_json()["html"]
        assert "being worked out" in shown
        socket.send_json({"chosen": ""})
        assert "being worked out" in socket.receive_json()["html"]
        on_loop(site, jobs(site).go.set)
        shown = socket.receive_json()["html"]
        assert "Best: " in shown
        assert "25.0% to win the match" in shown
    other = people[1 - seat].get(f"/tables/{table['id']}").text
    assert 'id="hints"' not in other
    assert "Best: " not in other


def test_a_page_that_goes_leaves_no_hint_to_wait_for(people: dict[int, TestClient], site: TestClient) -> None:
    table = playing(people)
    state, seat = next_choice(people, table)
    on_loop(site, jobs(site).go.clear)
    asked = len(jobs(site).asked)
    with people[seat].websocket_connect(f"/tables/{table['id']}/page") as socket:
        socket.receive_json()
        headers = {"x-suitors": "script"}
        people[seat].post(f"/tables/{table['id']}/hint", data={"state": state, "seat": seat}, headers=headers)
        socket.receive_json()
    on_loop(site, jobs(site).go.set)
    people[seat].get("/me")
    assert len(jobs(site).asked) == asked


def test_without_a_script_the_page_waits_for_its_hint(people: dict[int, TestClient]) -> None:
    table = playing(people)
    state, seat = next_choice(people, table)
    page = people[seat].post(f"/tables/{table['id']}/hint", data={"state": state, "seat": seat}).text
    assert "Best: " in page
    assert "Best: " in people[seat].get(f"/tables/{table['id']}").text


def test_a_hint_that_fails_says_so_and_is_not_tried_for_ever(people: dict[int, TestClient], site: TestClient) -> None:
    table = playing(people)
    state, seat = next_choice(people, table)
    jobs(site).failing = 1
    page = people[seat].post(f"/tables/{table['id']}/hint", data={"state": state, "seat": seat}).text
    assert "too complex" in page
    asked = len(jobs(site).asked)
    people[seat].get(f"/tables/{table['id']}")
    assert len(jobs(site).asked) == asked


def test_a_client_who_asks_for_too_much_is_told_so(people: dict[int, TestClient], site: TestClient) -> None:
    table = playing(people)
    _, seat, _ = next_decision(people, table)
    jobs(site).refusing = 1
    refused(ask(people[seat], table, seat), 429, "too-much-work")


def test_one_click_games_against_bots_and_alone_have_hints(site: TestClient) -> None:
    who = new_person(site, "Ada")
    for way, wish, hints in (("bots", "", True), ("solo", "", True), ("friends", "", False), ("friends", "on", True)):
        form = {"way": way, "edition": "modern", "players": "2", "solo": "solitaire", "hints": wish}
        answer = who.post("/tables", data=form)
        table = str(answer.url.path).rpartition("/")[2]
        assert json_of(who.get(path_of({"id": table})))["hints"] is hints
