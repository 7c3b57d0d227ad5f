"""Tables of editions of one's own: over the API, from the page's form, and what links to their rules."""

import json
import random
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors import Match
from suitors.cli.serve import serve_command
from suitors.pages.links import deck_query, rules_link
from suitors.pages.own_deck import read_deck
from suitors.records import load
from suitors.rules import own_slug
from suitors.words import own_editions
from support.own_editions import WRONG
from support.page_visits import FRENCH, PEOPLE, page
from support.servers import API, json_of, make_move

SMALL: dict[str, Any] = {
    "base": "classic",
    "name": "Small & <b>fine</b>",
    "cards": {"guard": 3, "priest": 2, "bishop": 1, "princess": 1},
    "goals": {"2": 1},
    "face_up": {"2": 0},
}


def opening(edition: object = None, players: int = 2, **more: Any) -> dict[str, Any]:
    """What opens a table of such an edition against a bot."""
    return {
        "edition": SMALL if edition is None else edition,
        "players": players,
        "seats": [{}, {"bot": "novice"}],
        **more,
    }


def test_a_table_of_ones_own_edition_is_played_to_its_end(ada: TestClient) -> None:
    given = opening(start=True, pace_ms=0, rest_s=0, seats=[{}, {"name": "Ben"}])
    table = json_of(ada.post(f"{API}/tables", json=given), 201)
    assert table["edition"] == SMALL
    at, rng = f"{API}/tables/{table['id']}", random.Random(1)
    for _ in range(200):
        if json_of(ada.get(at))["status"] == "over":
            break
        make_move({0: ada, 1: ada}, table, rng)
    assert json_of(ada.get(f"{at}/view", params={"seat": 0}))["view"]["edition"] == SMALL
    record = json_of(ada.get(f"{at}/record"))
    assert record["edition"] == SMALL
    assert load(json.dumps(record)).over
    assert json_of(ada.get(f"{at}/events", params={"since": 0}))["events"][0]["edition"] == SMALL


@pytest.mark.parametrize("what", WRONG)
def test_the_api_refuses_what_is_no_edition_with_a_sentence(what: str, ada: TestClient) -> None:
    answer = ada.post(f"{API}/tables", json=opening(WRONG[what]))
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "bad-edition"


def test_the_api_refuses_what_cannot_be_dealt(ada: TestClient) -> None:
    tiny = {"base": "modern", "cards": {"guard": 2, "king": 1}}
    long = {"base": "modern", "name": "x" * 2000}
    for given, code in (
        (opening(tiny), "bad-edition"),
        (opening(long), "bad-edition"),
        (opening(players=5), "bad-players"),
    ):
        answer = ada.post(f"{API}/tables", json=given)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)


def test_the_form_shows_the_deck_that_is_being_built(ada: TestClient) -> None:
    html = page(ada.get(rules_link(own_slug(SMALL)), headers=PEOPLE))
    assert 'name="cards-guard" value="3"' in html
    assert 'name="cards-king" value="0"' in html
    assert "Shuffle the 7 cards: three Guards, two Priests, the Princess and the Bishop." in html
    assert "&lt;b&gt;fine&lt;/b&gt;" in html
    assert "<b>fine" not in html
    assert 'id="bishop"' in html
    french = page(ada.get("/deck?base=modern&cards-guard=1", headers=FRENCH))
    assert "À 6 joueurs" in french


@pytest.mark.parametrize(
    "query",
    ["base=x", "cards-guard=99", "cards-guard=-1", "cards-x=1", "goals-2=0", "aside-9=1", "values-king=x", "cards-=1"],
)
def test_the_form_says_what_is_wrong(query: str, ada: TestClient) -> None:
    html = page(ada.get(f"/deck?{query}", headers=PEOPLE))
    assert 'role="alert">' in html
    assert 'value="bots"' not in html
    fields = dict(part.split("=") for part in query.split("&"))
    answer = ada.post("/deck", data={**fields, "way": "bots", "players": "2", "bot": "novice"}, headers=PEOPLE)
    assert answer.status_code == 422


def test_the_form_opens_a_table_whose_cards_link_to_the_deck(ada: TestClient) -> None:
    fields = dict(part.split("=", 1) for part in deck_query({**SMALL, "name": "Small"}).split("&"))
    answer = ada.post(
        "/deck", data={**fields, "way": "bots", "players": "2", "bot": "novice", "who": "Ada"}, headers=PEOPLE
    )
    html = page(answer)
    assert unescape(html).count(rules_link(own_slug({**SMALL, "name": "Small"}))) > 1
    assert "Ada" in html
    waiting = ada.post("/deck", data={**fields, "way": "friends", "players": "3", "bot": "novice"}, headers=PEOPLE)
    assert page(waiting)
    assert "Small" in page(ada.get("/mine", headers=PEOPLE))


def test_fields_and_objects_say_the_same() -> None:
    for data in (SMALL, {"base": "house"}, {"base": "premium", "values": {"guard": 3}, "aside": {"8": 2}}):
        fields = dict(part.split("=", 1) for part in deck_query({**data, "name": "x"}).split("&"))
        assert read_deck(fields) == {**data, "name": "x"}


def test_a_server_offers_editions_of_files(ada: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_editions, "_offered", {})
    own_editions.offer_edition(own_slug(SMALL))
    assert rules_link(own_slug(SMALL)) in unescape(page(ada.get("/deck", headers=PEOPLE)))
    assert "--edition" in [option for parameter in serve_command.params for option in parameter.opts]


def test_a_record_of_ones_own_edition_can_be_watched_again(ada: TestClient) -> None:
    match = Match(SMALL, ["Ada", "Ben"], rng=random.Random(4))
    match.play(match.legal()[0])
    answer = ada.post("/games", data={"text": json.dumps(match.record())}, headers=PEOPLE)
    assert "Small" in page(answer)
