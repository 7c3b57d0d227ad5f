"""The next round: dealt when all players who are there have asked for it, and not before, unless the rest is over."""

import random
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.server.domain import loaded as presence
from support.servers import (
    Clock,
    SocketReader,
    change,
    json_of,
    make_move,
    new_table,
    path_of,
    refused,
    started_table,
    state_of,
)


def between_rounds(people: dict[int, TestClient], table: dict[str, Any]) -> dict[str, Any]:
    """Play the first round to its end."""
    rng = random.Random(5)
    while view_of(people[0], table)["phase"] != "deal":
        make_move(people, table, rng)
    return table


def view_of(who: TestClient, table: dict[str, Any]) -> Any:
    return json_of(who.get(path_of(table, "view")))["view"]


def ready(who: TestClient, table: dict[str, Any]) -> list[bool]:
    return [seat["ready"] for seat in json_of(who.get(path_of(table)))["seats"]]


@pytest.fixture
def resting(ada: TestClient, ben: TestClient) -> dict[str, Any]:
    """A table of two people after its first round."""
    return between_rounds({0: ada, 1: ben}, started_table(ada, ben, rest_s=3600))


def test_it_waits_until_everybody_has_asked(ada: TestClient, ben: TestClient, resting: dict[str, Any]) -> None:
    state = state_of(ada, resting)
    assert json_of(change(ada, "POST", "deal", resting))["state"] == state + 1
    assert ready(ben, resting) == [True, False]
    assert view_of(ada, resting)["phase"] == "deal"
    assert json_of(change(ada, "POST", "deal", resting))["state"] == state + 1  # to ask again changes nothing
    json_of(ben.post(path_of(resting, "deal"), json={"state": state}))  # what others ask for makes nothing stale
    assert view_of(ada, resting)["round"] == 1
    assert ready(ben, resting) == [False, False]


def test_everybody_is_told_who_has_asked(ada: TestClient, ben: TestClient, resting: dict[str, Any]) -> None:
    with ben.websocket_connect(path_of(resting, "live")) as socket:
        told = SocketReader(socket)
        json_of(change(ada, "POST", "deal", resting))
        news = told.read()
        assert [(event["kind"], event["seat"]) for event in news["events"]] == [("ready", 0)]
        assert news["table"]["seats"][0]["ready"]
        socket.send_json({"do": "deal", "state": news["state"]})
        assert [event["kind"] for event in told.read()["events"]] == ["dealt"]


def test_bots_are_not_waited_for(ada: TestClient, ben: TestClient) -> None:
    bots = new_table(ada, players=3, seats=[{}, {"bot": "random"}, {"bot": "random"}], rest_s=3600, start=True)
    for _ in range(20_000):
        if (view := view_of(ada, bots))["phase"] == "deal" and view["round"] == 0:
            break
        if legal := json_of(ada.get(path_of(bots, "legal"), params={"seat": 0}))["legal"]:
            change(ada, "POST", "moves", bots, seat=0, move=legal[0])
    json_of(change(ada, "POST", "deal", bots))
    assert view_of(ada, bots)["round"] == 1


def test_a_seat_that_was_handed_over_is_not_waited_for(
    ada: TestClient, ben: TestClient, resting: dict[str, Any]
) -> None:
    json_of(change(ben, "POST", "seats/1/hand-over", resting))
    json_of(change(ada, "POST", "deal", resting))
    assert view_of(ada, resting)["round"] == 1


def test_nobody_waits_for_one_who_is_away(
    ada: TestClient, ben: TestClient, resting: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    json_of(change(ada, "POST", "deal", resting))
    assert view_of(ada, resting)["phase"] == "deal"
    Clock(monkeypatch, presence).ahead = 1e6  # nobody has shown a sign since
    json_of(change(ada, "POST", "deal", resting))
    assert view_of(ada, resting)["round"] == 1


def test_two_at_one_device_ask_once(ada: TestClient) -> None:
    table = new_table(ada, players=2, seats=[{}, {"name": "Ben"}], rest_s=3600, start=True)
    between_rounds({0: ada, 1: ada}, table)
    json_of(change(ada, "POST", "deal", table))
    assert view_of(ada, table)["round"] == 1


def test_the_rest_ends_the_waiting(ada: TestClient, ben: TestClient) -> None:
    table = started_table(ada, ben, rest_s=0.2)
    rng, view = random.Random(5), view_of(ada, table)
    while view["round"] < 1:
        if view["phase"] == "play":
            make_move({0: ada, 1: ben}, table, rng)
        view = view_of(ada, table)
    assert view["phase"] == "play"


def test_a_host_who_only_watches_asks_for_nothing(ada: TestClient, ben: TestClient, cleo: TestClient) -> None:
    table = new_table(cleo, players=2, rest_s=3600)
    for seat, who in enumerate((ada, ben)):
        json_of(change(who, "PUT", f"seats/{seat}", table))
    json_of(change(cleo, "POST", "start", table))
    while view_of(ada, table)["round"] < 0:
        pass  # the first deal is on its way
    between_rounds({0: ada, 1: ben}, table)
    refused(change(cleo, "POST", "deal", table), 403, "forbidden")


# The page


def page_of(who: TestClient, table: dict[str, Any], **headers: str) -> str:
    return str(who.get(f"/tables/{table['id']}", headers={"accept-language": "en", **headers}).text)


def test_the_page_says_whom_it_waits_for(ada: TestClient, ben: TestClient, resting: dict[str, Any]) -> None:
    assert "The next round starts when everybody is ready." in page_of(ada, resting)
    json_of(change(ada, "POST", "deal", resting))
    asked, other = page_of(ada, resting), page_of(ben, resting)
    assert "Waiting for Ben." in asked
    assert "Next round" not in asked
    assert 'http-equiv="refresh"' in asked  # without a script it looks again
    assert "The others are waiting for you." in other
    assert "Next round" in other
    assert "On attend Ben." in page_of(ada, resting, **{"accept-language": "fr"})


def test_who_is_freed_from_a_seat_is_told(ada: TestClient, ben: TestClient, cleo: TestClient) -> None:
    table = new_table(ada, players=3, seats=[{}])
    sentence = "The host has freed your seat."
    for seat, who in ((1, ben), (2, cleo)):
        json_of(change(who, "PUT", f"seats/{seat}", table))
    json_of(change(cleo, "DELETE", "seats/2", table))  # of her own will
    json_of(change(ada, "DELETE", "seats/1", table))
    assert sentence in page_of(ben, table)
    for who in (ada, cleo):
        assert sentence not in page_of(who, table)
    json_of(change(ben, "PUT", "seats/2", table))
    assert sentence not in page_of(ben, table)
