"""The pages without a browser: what they answer, whom they refuse, and that they tell a seat no more than it knows."""

import json
import random
import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import WebSocketDenialResponse, WebSocketTestSession

from play import position, texts
from playing import UNTIMED, chance_match
from serving import API, at, change, guest, inside, said, state_of, table_of, to_decide
from suitors import Solo, fair
from suitors.game import open_match
from suitors.notation import CARD_OF
from suitors.pages import Reader, asset
from suitors.pages.refusals import refusal_sentence
from suitors.pages.render import FILES, SPRITES
from suitors.records import load, replay
from suitors.rules import BOXES
from suitors.server import tables
from suitors.viewdata import view_data
from witness import witness

PEOPLE = {"accept": "text/html,application/xhtml+xml"}
FRENCH = {**PEOPLE, "accept-language": "fr-CH, fr;q=0.9, en;q=0.5"}
SCRIPT = {"x-suitors": "script"}
SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
PLAIN = ["/", "/tables", "/mine", "/me", "/rules", "/replay", "/learn", *(f"/rules/{slug}" for slug in BOXES)]


def page(answer: Any, status: int = 200) -> str:
    """The HTML of an answer that must be a page, with all that keeps visitors safe."""
    assert answer.status_code == status, (answer.status_code, answer.text[:2000])
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    for name, value in SECURITY.items():
        assert answer.headers[name] == value, name
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == policy["connect-src"] == "'self'"
    html: str = answer.text
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=", html), "the policy would block it"
    assert html.count("<h1") == 1
    return html


def stranger(house: TestClient) -> TestClient:
    """Somebody who has never been here."""
    who = TestClient(house.app, raise_server_exceptions=False)
    who.portal = house.portal
    return who


def sentence(html: str) -> str:
    """What a page of refusal says."""
    found = re.search(r"</h1><p>(.*?)</p>", html)
    assert found, html
    return unescape(found[1])


def hand_in(html: str) -> list[str]:
    """The cards of the own hand that a page shows, by name, sorted."""
    return sorted(re.sub(r"-\d$", "", key) for key in re.findall(r'id="hand-([a-z0-9-]+)-place"', html))


def playing(host: TestClient, *others: TestClient, **more: Any) -> dict[str, Any]:
    """A table where these people have started, and cards are dealt."""
    table = table_of(host, players=1 + len(others), seats=[{}], **{"rest_s": 3600, **more})
    for seat, other in enumerate(others, 1):
        said(change(other, "PUT", f"seats/{seat}", table))
    said(change(host, "POST", "start", table))
    to_decide(dict(enumerate((host, *others))), table)
    return table


# Pages


@pytest.mark.parametrize("path", PLAIN)
@pytest.mark.parametrize(("headers", "lang"), [(PEOPLE, "en"), (FRENCH, "fr")])
def test_every_page_answers(path: str, headers: dict[str, str], lang: str, house: TestClient, ada: TestClient) -> None:
    for who in (stranger(house), ada):  # a stranger, and one who has been here
        assert f'<html lang="{lang}"' in page(who.get(path, headers=headers))


def test_the_cookie_says_how_the_visitor_reads(house: TestClient) -> None:
    who = guest(house, "Reader")
    wishes = {"lang": "fr", "theme": "tempest", "look": "dark", "size": "large", "back": "/rules"}
    answer = who.post("/look", data=wishes, follow_redirects=False)
    assert answer.headers["location"] == "/rules"
    html = page(who.get("/rules"))
    assert '<html lang="fr" data-theme="tempest" data-look="dark" data-size="large">' in html
    who.post("/look", data={"lang": "xx", "theme": "<b>", "size": ""})  # nothing of it can be granted
    assert page(who.get("/rules")) == html


def test_every_link_leads_somewhere(house: TestClient, ada: TestClient, ben: TestClient) -> None:
    waiting = table_of(ada, seats=[{}])["id"]
    running = playing(ada, ben)["id"]
    alone = playing(ada, edition="solitaire")["id"]
    shared = kept(ada, chance_match("classic", 2, 1).record())
    seen: dict[str, str] = {}
    todo = [*PLAIN, *(f"/tables/{table}" for table in (waiting, running, alone)), shared]
    while todo:
        path, anchor = urldefrag(todo.pop())
        if path not in seen:
            answer = ada.get(path, headers=PEOPLE)
            assert answer.status_code == 200, path
            seen[path] = answer.text
            if "html" in answer.headers["content-type"] and "/learn/" not in path and "?" not in path:
                links = re.findall(r'\s(?:href|src|data-live)="([^"]+)"', answer.text)
                todo += [urljoin(path, unescape(link)) for link in links if "/page" not in link]
        assert not anchor or f'id="{anchor}"' in seen[path], (path, anchor)
    assert len(seen) > 25


def test_names_are_text_and_nothing_else(house: TestClient) -> None:
    name = '"><img src=x>'
    who = guest(house, name)
    for path in ("/", "/me", f"/tables/{playing(who, edition='solitaire')['id']}"):
        assert "<img src=x" not in page(who.get(path))
    table = table_of(who, seats=[{}, {"name": "'><i>"}], open=True)
    assert "<i>" not in page(who.get(f"/tables/{table['id']}"))
    assert "&lt;img src=x" in page(house.get("/tables"))


@pytest.mark.parametrize(
    "path", ["/nowhere", "/rules/chess", "/tables/nothing", "/games/nothing", "/static/nothing.js"]
)
def test_what_is_not_there_is_a_page_for_people(path: str, house: TestClient) -> None:
    english, french = (sentence(page(stranger(house).get(path, headers=headers), 404)) for headers in (PEOPLE, FRENCH))
    assert english == "There is nothing here, or it is not open to you."
    assert french not in ("", english)
    assert said(house.get(path), 404)["error"]["code"] == "not-found"  # a program


@pytest.mark.parametrize("path", ["/nowhere", "/tables/x/nothing", "/tables/x/move", "/learn/0"])
def test_forms_that_lead_nowhere(path: str, house: TestClient) -> None:
    page(house.post(path, headers=PEOPLE), 404)


@pytest.mark.parametrize(
    "back", ["//evil.example", "/\\evil.example", "https://evil.example/", "evil", "", "javascript:1"]
)
def test_settings_lead_back_to_own_pages_only(back: str, house: TestClient) -> None:
    answer = stranger(house).post("/look", data={"lang": "en", "back": back}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"


def test_settings_lead_back_to_where_the_visitor_was(house: TestClient) -> None:
    answer = stranger(house).post("/look", data={"back": "/tables/x?seat=2"}, follow_redirects=False)
    assert answer.headers["location"] == "/tables/x?seat=2"


def test_the_way_to_another_device(house: TestClient) -> None:
    who, other = guest(house, "Ada"), stranger(house)
    table = table_of(who, seats=[{}])["id"]
    found = re.search(r'id="transfer-link" readonly value="http://testserver([^"]+)"', page(who.post("/me/transfer")))
    assert found
    page(other.get(found[1]))  # looking at it does nothing
    assert other.post(found[1], follow_redirects=False).headers["location"] == "/mine"
    assert f'href="/tables/{table}"' in page(other.get("/mine"))
    page(stranger(house).post(found[1]), 404)  # it works once
    assert who.post("/me/forget", follow_redirects=False).headers["location"] == "/"
    assert f'href="/tables/{table}"' not in page(who.get("/mine"))


def test_settings_lead_back_from_the_page_that_a_form_has_answered_with(ada: TestClient) -> None:
    found = re.search('name="back" value="([^"]+)"', page(ada.post("/me/transfer")))
    assert found
    page(ada.get(unescape(found[1]), headers=PEOPLE))


# Files


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("page.css", "text/css"),
        ("table.css", "text/css"),
        ("colours.css", "text/css"),
        ("page.js", "text/javascript"),
        ("live.js", "text/javascript"),
        ("court.svg", "image/svg+xml"),
        ("logo.svg", "image/svg+xml"),
        ("suitors.webmanifest", "application/manifest+json"),
    ],
)
def test_files_are_kept_for_good_under_their_exact_address_only(name: str, kind: str, house: TestClient) -> None:
    exact = house.get(asset(name))
    assert exact.status_code == 200
    assert exact.headers["content-type"].split(";")[0] == kind
    assert exact.headers["x-content-type-options"] == "nosniff"
    assert exact.headers["cache-control"] == "public, max-age=31536000, immutable"
    for query in ("", "?v=0", "?v=000000000000", f"?{asset(name).partition('?')[2]}&x=1"):
        loose = house.get(f"/static/{name}{query}")
        assert loose.headers["cache-control"] == "no-cache", query
        assert loose.content == exact.content


def test_there_are_all_files_and_no_others(house: TestClient) -> None:
    for name in (*FILES, *SPRITES, "colours.css", "logo.svg"):
        assert house.get(f"/static/{name}").status_code == 200
    for name in ("nothing", "page.html", "%2e%2e%2fpalette.py", "__init__.py", "templates%2fbase.html", ""):
        assert house.get(f"/static/{name}").status_code == 404, name


# Forms


def form(who: TestClient, table: str, act: str, headers: dict[str, str], **fields: Any) -> Any:
    """Send a form of a table, as it is now unless a state is given."""
    return who.post(f"/tables/{table}/{act}", data=fields, headers=headers, follow_redirects=False)


ACTS = ("sit", "bot", "leave", "start", "close", "move", "deal", "word", "hand-over", "return", "rematch", "share")


@pytest.mark.parametrize("act", ACTS)
def test_a_running_private_table_does_not_exist_for_strangers(act: str, house: TestClient, ada: TestClient) -> None:
    table = playing(ada, edition="solitaire")["id"]
    state = state_of(ada, table)
    for who in (stranger(house), guest(house, "Eve")):
        fields = {"state": state, "seat": 0, "move": "draw", "word": "x", "name": "Eve"}
        assert sentence(page(form(who, table, act, FRENCH, **fields), 404)).startswith("Il n’y a rien ici")
        told = said(form(who, table, act, SCRIPT, **fields), 404)
        assert told == {"error": {"code": "not-found", "message": "There is nothing here, or it is not open to you."}}
    assert state_of(ada, table) == state


@pytest.mark.parametrize(
    ("act", "code"), [(act, "forbidden") for act in ("bot", "start", "close", "word")] + [("leave", "forbidden")]
)
def test_strangers_may_sit_down_at_a_waiting_table_and_no_more(
    act: str, code: str, house: TestClient, ada: TestClient
) -> None:
    table = table_of(ada, players=3, seats=[{}])["id"]
    fields = {"state": state_of(ada, table), "seat": 1 if act == "bot" else 0, "word": "x"}
    assert sentence(page(form(stranger(house), table, act, PEOPLE, **fields), 401)) == "Take a seat first."
    eve = guest(house, "Eve")
    english, french = (sentence(page(form(eve, table, act, h, **fields), 403)) for h in (PEOPLE, FRENCH))
    assert english == refusal_sentence(Reader(), code, "")
    assert french == refusal_sentence(Reader("fr"), code, "") != english
    assert said(form(eve, table, act, SCRIPT, **fields), 403)["error"] == {"code": code, "message": english}
    assert state_of(ada, table) == fields["state"]


def test_a_stranger_who_sits_down_becomes_somebody(house: TestClient, ada: TestClient) -> None:
    table = table_of(ada, players=3, seats=[{}])["id"]
    eve = stranger(house)
    answer = form(eve, table, "sit", SCRIPT, state=state_of(ada, table), seat=1, name="Eve")
    assert said(answer) == {"go": f"/tables/{table}"}  # the page has to look with other eyes
    assert "suitors=" in answer.headers["set-cookie"]
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "<strong>Eve</strong>" in page(eve.get(f"/tables/{table}"))
    answer = form(eve, table, "leave", PEOPLE, state=state_of(ada, table), seat=1)
    assert answer.headers["location"] == f"/tables/{table}"
    assert "<strong>Eve</strong>" not in page(eve.get(f"/tables/{table}"))


def test_a_form_of_an_older_state_changes_nothing_and_says_so(ada: TestClient, ben: TestClient) -> None:
    people = {0: ada, 1: ben}
    table = playing(ada, ben)["id"]
    state, seat, legal = to_decide(people, table)
    who = people[seat]
    moved = form(who, table, "move", PEOPLE, state=state, seat=seat, move=legal[0])
    assert moved.headers["location"] == f"/tables/{table}?seat={seat}"
    now = state_of(ada, table)
    assert now > state
    for act in ("move", "deal", "word", "hand-over", "return", "rematch"):
        for old in (state, now + 1, 0):
            fields = {"state": old, "seat": seat, "move": legal[0], "word": "x"}
            english, french = (sentence(page(form(who, table, act, h, **fields), 409)) for h in (PEOPLE, FRENCH))
            assert english == "The table has moved on in the meantime: look again, then decide."
            assert french != english
            assert said(form(who, table, act, SCRIPT, **fields), 409)["error"]["code"] == "stale"
    assert state_of(ada, table) == now


@pytest.mark.parametrize("state", ["", "x", "-1", "1e3", "²", "9" * 30])
def test_a_form_without_a_good_state_changes_nothing(state: str, ada: TestClient) -> None:
    table = table_of(ada, seats=[{}])["id"]
    now = state_of(ada, table)
    for fields in ({"state": state, "seat": "1"}, {"state": str(now), "seat": state}):
        page(form(ada, table, "bot", PEOPLE, **fields), 422)
    assert state_of(ada, table) == now


def test_a_move_that_cannot_be_played_is_refused_in_words(ada: TestClient, ben: TestClient) -> None:
    people = {0: ada, 1: ben}
    table = playing(ada, ben)["id"]
    state, seat, _ = to_decide(people, table)
    for move, code, status in (
        ("princess 0 0", "illegal-move", 422),
        ("", "unreadable-move", 422),
        ("⚙" * 50, "unreadable-move", 422),
    ):
        answer = form(people[seat], table, "move", PEOPLE, state=state, seat=seat, move=move)
        assert sentence(page(answer, status)) == refusal_sentence(Reader(), code, "")
    answer = form(people[1 - seat], table, "move", FRENCH, state=state, seat=1 - seat, move="guard")
    assert sentence(page(answer, 409)) == refusal_sentence(Reader("fr"), "not-your-turn", "")
    answer = form(people[1 - seat], table, "move", FRENCH, state=state, seat=seat, move="guard")
    assert sentence(page(answer, 403)) == refusal_sentence(Reader("fr"), "forbidden", "")
    assert state_of(ada, table) == state


def test_the_house_keeps_what_the_first_page_was_last_asked_for(house: TestClient) -> None:
    who = guest(house, "Ada")
    wishes = {
        "way": "bots",
        "edition": "premium",
        "players": "6",
        "bot": "novice",
        "name": "Ada",
        "switch-bishop_names_one": "false",
    }
    answer = who.post("/tables", data=wishes, follow_redirects=False)
    table = said(who.get(f"{API}{answer.headers['location']}"))
    assert [seat["kind"] for seat in table["seats"]] == ["person", *["bot"] * 5]
    assert len({seat["name"] for seat in table["seats"]}) == 6
    assert table["edition"] == "premium"
    assert table["options"] == {**table["options"], "bishop_names_one": False}
    html = page(who.get("/"))
    assert re.search('value="premium"[^>]* checked', html)
    assert "<option selected>6</option>" in html


@pytest.mark.parametrize(
    ("wishes", "players", "edition"),
    [
        ({"way": "friends", "edition": "classic", "players": "8"}, None, None),
        ({"way": "friends", "edition": "modern", "players": "6"}, 6, "modern"),
        ({"way": "friends", "edition": "solitaire"}, None, None),
        ({"way": "solo", "solo": "solitaire-2019"}, 1, "solitaire-2019"),
        ({"way": "solo", "solo": "classic"}, None, None),
        ({"way": "pass", "edition": "classic", "names": "Ada, Ben, Cleo, Dan, Eve"}, None, None),
        ({"way": "pass", "edition": "classic", "names": "Ada, , Ben,Cleo,"}, 3, "classic"),
        ({"way": "pass", "edition": "modern", "names": " ", "players": "4"}, 4, "modern"),
        ({"way": "pass", "edition": "classic", "names": "Ada, \u202eBen"}, None, None),
        ({"way": "bots", "edition": "classic", "bot": "nobody"}, None, None),
    ],
)
def test_odd_wishes_of_the_first_page(
    wishes: dict[str, str], players: int | None, edition: str | None, house: TestClient
) -> None:
    who = guest(house, "Ada")
    answer = who.post("/tables", data={"name": "Ada", **wishes}, headers=PEOPLE, follow_redirects=False)
    if players is None:
        page(answer, 422)
    else:
        table = said(who.get(f"{API}{answer.headers['location']}"))
        assert (len(table["seats"]), table["edition"]) == (players, edition)
        page(who.get(answer.headers["location"]))


def test_R20_a_match_is_replayed_and_its_record_opened_only_when_it_is_over(ada: TestClient, ben: TestClient) -> None:
    table = playing(ada, ben)["id"]
    for path in ("replay", "record"):
        page(ada.get(f"/tables/{table}/{path}", headers=PEOPLE), 409)
    page(form(ada, table, "share", PEOPLE, state=state_of(ada, table)), 409)


# Records


def kept(who: TestClient, record: Any) -> str:
    """Drop a record on the page; where it is kept."""
    answer = who.post("/games", data={"text": json.dumps(record)}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("x" * 300_000, 413, "That file is too large to be a record."),
        ("not JSON", 422, "That file is not a record of Suitors: This is not JSON"),
        ("", 422, "That file is not a record of Suitors: This is not JSON"),
        ("[]", 422, "That file is not a record of Suitors: A record is a JSON object."),
        ('{"format": "chess/1"}', 422, "That file is not a record of Suitors: A record says"),
        (json.dumps({**chance_match("classic", 2, 1, 0).record(), "rounds": []}), 422, "It has no round."),
        (json.dumps({**chance_match("classic", 2, 1, 4).record(), "players": ["Ada"]}), 422, "players"),
    ],
    ids=["too large", "no JSON", "nothing", "a list", "another format", "no round", "too few players"],
)
@pytest.mark.parametrize(
    "by",
    ["text", "file"],
)
def test_what_is_no_record_is_refused_in_a_sentence(
    text: str, status: int, words: str, by: str, house: TestClient
) -> None:
    files = {"record": ("game.json", text.encode(), "application/json")}
    body: Any = {"data": {"text": text}} if by == "text" else {"files": files}
    assert words in sentence(page(house.post("/games", headers=PEOPLE, follow_redirects=False, **body), status))
    assert said(house.post("/games", headers=SCRIPT, follow_redirects=False, **body), status)["error"]["message"]


def test_a_dropped_record_is_shown_to_whoever_has_its_link_and_can_be_taken_away_again(
    house: TestClient, ada: TestClient
) -> None:
    match = chance_match("modern", 3, 5, 30)
    address = kept(ada, match.record())
    first = page(house.get(address))
    assert "Step 1 of" in first
    for query in ("?step=99999", "?step=-5", "?step=3&eyes=0", "?step=3&eyes=none", "?eyes=7", "?eyes=%22%3E%3Cb%3E"):
        assert "<b>" not in page(house.get(address + query))
    page(house.get(f"{address}?step=x", headers=PEOPLE), 422)
    answer = house.get(f"{address}/record")
    assert answer.headers["content-disposition"].startswith('attachment; filename="suitors-')
    assert load(answer.text).record() == match.record()


def test_a_record_with_half_a_letter_is_shown_or_refused(ada: TestClient) -> None:
    record = {**chance_match("classic", 2, 1, 4).record(), "players": ["\ud800", "Ben"]}
    answer = ada.post("/games", data={"text": json.dumps(record)}, headers=PEOPLE)
    assert answer.status_code in (200, 422)


@pytest.mark.parametrize(
    "more", ["1e999", "9" * 400, '"\\ud800"', "[" * 1100 + "]" * 1100], ids=["inf", "big", "half", "deep"]
)
def test_a_record_that_was_taken_in_can_be_taken_away(more: str, ada: TestClient) -> None:
    text = json.dumps(chance_match("classic", 2, 1, 4).record())[:-1] + f', "note": {more}}}'
    answer = ada.post("/games", data={"text": text}, headers=PEOPLE)
    assert answer.status_code == 200
    assert ada.get(f"{answer.url.path}/record").status_code == 200


# Sockets of pages


def connect(who: TestClient, table: str, query: str = "") -> WebSocketTestSession:
    """The socket of a table's page."""
    return who.websocket_connect(f"/tables/{table}/page{query}")


def denied(who: TestClient, path: str) -> int:
    """The status with which a socket is refused."""
    with pytest.raises(WebSocketDenialResponse) as refusal, who.websocket_connect(path):
        pass
    return refusal.value.status_code


def test_the_sockets_of_private_tables_are_closed_to_strangers(
    house: TestClient, ada: TestClient, ben: TestClient
) -> None:
    eve, nobody = guest(house, "Eve"), stranger(house)
    private, public = playing(ada, ben)["id"], playing(ada, ben, open=True)["id"]
    for who in (eve, nobody):
        assert denied(who, f"/tables/{private}/page") == 404
        assert denied(who, f"/tables/{private}/page?seat=0") == 404
        assert denied(who, "/tables/nothing/page") == 404
        with connect(who, public, "?seat=0") as socket:
            html = socket.receive_json()["html"]
            assert 'id="hand"' not in html
            assert hand_in(html) == []
            assert 'id="watching"' in html


def test_one_who_may_watch_no_longer_is_shown_out(house: TestClient, ada: TestClient, ben: TestClient) -> None:
    table = table_of(ada, seats=[{}])
    with connect(guest(house, "Eve"), table["id"]) as socket:
        assert 'class="lobby"' in socket.receive_json()["html"]
        said(change(ben, "PUT", "seats/1", table))
        assert "<strong>Ben</strong>" in socket.receive_json()["html"]
        said(change(ada, "POST", "start", table))
        assert socket.receive()["type"] == "websocket.close"


def test_a_page_shows_the_hands_of_its_person_and_of_nobody_else(house: TestClient, ben: TestClient) -> None:
    ada = guest(house, "Ada")
    table = table_of(ada, players=3, edition="modern", rest_s=3600, seats=[{"name": "Ada"}, None, {"name": "Cleo"}])
    said(change(ben, "PUT", "seats/1", table))
    said(change(ada, "POST", "start", table))
    to_decide({0: ada, 1: ben, 2: ada}, table)
    held = [said(who.get(at(table, f"view?seat={k}")))["view"]["hand"] for k, who in enumerate((ada, ben, ada))]
    with connect(ada, table["id"]) as socket:
        assert hand_in(socket.receive_json()["html"]) == []  # covered: two share this device
        for seat in (0, 1, 2, -1, None, 7, "0", "2"):
            socket.send_json({"seat": seat})
            told = socket.receive_json()
            own = seat is not None and int(seat) in (0, 2)
            assert hand_in(told["html"]) == (sorted(held[int(seat)]) if own and seat is not None else [])
            assert hand_in(page(ada.get(f"/tables/{table['id']}?seat={'' if seat is None else seat}"))) == hand_in(
                told["html"]
            )
    for query in ("", "?seat=0", "?seat=1", "?seat=2", "?seat=-1"):
        with connect(ben, table["id"], query) as socket:  # one seat: one's own eyes, whatever is asked
            assert hand_in(socket.receive_json()["html"]) == sorted(held[1])


BAD = (
    *("", "x", "[]", "5", '{"chosen": 5}', '{"chosen": null}', '{"chosen": "' + "x" * 101 + '"}', '{"seat": 8}'),
    *('{"seat": true}', '{"seat": [0]}', '{"seat": "none"}', '{"seat": 1.0}', '{"chosen": "\\ud800"}', '{"id": {}}'),
)
"""Messages that make no sense."""


def test_bad_messages_are_answered_and_change_nothing(ada: TestClient, ben: TestClient) -> None:
    table = playing(ada, ben)["id"]
    with connect(ada, table) as socket:
        before = socket.receive_json()
        for text in BAD:
            socket.send_text(text)
            error = socket.receive_json()["error"]
            assert error["code"] == "bad-message", text
            assert error["message"].endswith(".")
        socket.send_bytes(b"{}")
        assert socket.receive_json()["error"]["code"] == "bad-message"
        for text in ("{}", '{"chosen": ""}', '{"hint": 1}', '{"do": "move", "move": "guard"}'):
            socket.send_text(text)
            assert socket.receive_json()["html"] == before["html"]


def test_what_is_chosen_is_shown_to_the_one_who_chooses_and_to_nobody_else(ada: TestClient, ben: TestClient) -> None:
    people = {0: ada, 1: ben}
    table = playing(ada, ben)["id"]
    _, seat, legal = to_decide(people, table)
    named = next((move for move in legal if move.count(" ") == 2), None)
    while named is None:  # until somebody has a Guard
        state, seat, legal = to_decide(people, table)
        said(people[seat].post(at(table, "moves"), json={"state": state, "seat": seat, "move": legal[0]}))
        if said(ada.get(at(table, "view")))["view"]["turn"] is None:
            said(change(ada, "POST", "deal", table))
        _, seat, legal = to_decide(people, table)
        named = next((move for move in legal if move.count(" ") == 2), None)
    words = named.rpartition(" ")[0]
    with connect(people[seat], table) as mine, connect(people[1 - seat], table) as theirs:
        plain, other = mine.receive_json()["html"], theirs.receive_json()["html"]
        mine.send_json({"chosen": words})
        assert f'name="move" value="{named}"' in mine.receive_json()["html"]
        theirs.send_json({"chosen": words})
        assert theirs.receive_json()["html"] == other
        mine.send_json({"chosen": ""})
        assert mine.receive_json()["html"] == plain


WORDS = [*CARD_OF, *"0123456789", "²", "q1", "keep", "look", "none", "redraw", "stay", "draw", "agent", "offer", "hand"]
NONSENSE = st.one_of(st.text(max_size=120), st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join))


@pytest.fixture(scope="module")
def corners(house: TestClient) -> list[tuple[TestClient, str]]:
    """Somebody who has to decide, at tables of several editions."""
    games = (("classic", 2), ("modern", 3), ("premium", 5), ("house", 4), ("solitaire", 1))
    found = []
    for edition, players in games:
        who = guest(house, "Corner")
        table = table_of(who, edition, players, rest_s=3600, seats=[{"name": f"C{k}"} for k in range(players)])["id"]
        said(change(who, "POST", "start", table))
        to_decide(dict.fromkeys(range(players), who), table)
        found.append((who, table))
    return found


@settings(UNTIMED, max_examples=150)
@given(data=st.data())
def test_any_words_may_be_chosen_and_any_seat_asked_for(
    corners: list[tuple[TestClient, str]], data: st.DataObject
) -> None:
    who, table = data.draw(st.sampled_from(corners))
    seat = data.draw(st.one_of(st.sampled_from(["", *"01234567", "-1"]), st.text(max_size=4)))
    page(who.get(f"/tables/{table}", params={"chosen": data.draw(NONSENSE), "seat": seat}))


@settings(UNTIMED, max_examples=60)
@given(chosen=NONSENSE)
def test_any_words_may_be_chosen_through_the_socket(corners: list[tuple[TestClient, str]], chosen: str) -> None:
    for who, table in corners[2:]:
        with connect(who, table, "?seat=0") as socket:
            socket.receive_json()
            socket.send_json({"chosen": chosen})
            told = socket.receive_json()
            assert ("html" in told) == (len(chosen) <= 100)
            assert "html" in told or told["error"]["code"] == "bad-message"


# Two matches that a seat cannot tell apart give it the same pages, byte by byte

DECKS: dict[str, list[dict[str, Any]]] = {}
"""The rounds that are dealt at a table, by its id."""

GAMES = [
    ("classic", 2),
    ("classic", 3),
    ("demo", 4),
    ("house", 2),
    ("house", 4),
    ("modern", 2),
    ("modern", 3),
    ("modern", 6),
    ("premium", 2),
    ("premium", 4),
    ("premium", 5),
    ("premium", 8),
    ("solitaire", 1),
    ("solitaire-2019", 1),
]


class Prescribing:
    """The module `fair`, but the decks of some tables are prescribed."""

    @staticmethod
    def draw(match: Any, secret: bytes, table: str, words: list[str]) -> fair.Deal:
        honest = fair.draw(match, secret, table, words)
        if table not in DECKS:
            return honest
        data = DECKS[table][len(match.rounds)]
        return fair.Deal(data["first"], tuple(int(CARD_OF[name]) for name in data["deck"]), honest.seal)

    def __getattr__(self, name: str) -> Any:
        return getattr(fair, name)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[TestClient]]:
    """Nine persons at a server where decks can be prescribed, the last of them a stranger who only watches."""
    with pytest.MonkeyPatch.context() as patch, inside(tmp_path_factory.mktemp("pages")) as client:
        patch.setattr(tables, "fair", Prescribing())
        yield [guest(client, f"P{k}") for k in range(9)]


def some_record(slug: str, players: int, rng: random.Random, steps: int) -> dict[str, Any]:
    """A match of so much random play."""
    if not BOXES[slug].solo:
        return position((slug, players, {}), rng, steps).record()
    solo = Solo(slug, ["P0"], rng=rng)
    while steps and not solo.over:
        solo.push(rng.choice(solo.moves()))
        steps -= 1
    return solo.record()


def noticed(record: dict[str, Any], seat: int | None) -> Any:
    """What the seat could notice, by an opinion that does not rest on the events of the rules; None where illegal."""
    try:
        if len(record["players"]) > 1:
            return witness(record, seat)[1]
        (dealt,) = record["rounds"]
        cuts = [{**dealt, "moves": dealt["moves"][:k]} for k in range(len(dealt["moves"]) + 1)]
        return [view_data(replay({**record, "rounds": [cut]}).view(seat)) for cut in cuts]
    except ValueError:
        return None


def shuffled_a_little(record: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The same match with some cards of one deck elsewhere."""
    rounds = [{**dealt, "deck": dealt["deck"][:]} for dealt in record["rounds"]]
    deck = rng.choice(rounds)["deck"]
    for _ in range(rng.choice((1, 1, 2))):
        i, j = rng.sample(range(len(deck)), 2)
        deck[i], deck[j] = deck[j], deck[i]
    return {**record, "rounds": rounds}


def twins(slug: str, players: int, rng: random.Random, seat: int | None, steps: int) -> tuple[Any, Any]:
    """A record, and another one that the seat cannot tell apart from it."""
    while True:
        record = some_record(slug, players, rng, steps)
        here = noticed(record, seat)
        for _ in range(60):
            other = shuffled_a_little(record, rng)
            if other != record and noticed(other, seat) == here:
                return record, other


class Onlooker:
    """All that the page of one person shows: by its socket, and whenever it is loaded anew."""

    def __init__(self, who: TestClient, table: dict[str, Any], know: str) -> None:
        self.who, self.id, self.lines = who, table["id"], list[bytes]()
        self.secrets = {self.id: b"TABLE", table["commitment"][:16]: b"HASH"}
        self.cookies = {"cookie": f"suitors={who.cookies['suitors']}; suitors-reader=know={know}"}

    def note(self, raw: bytes) -> None:
        for secret, mask in self.secrets.items():
            raw = raw.replace(secret.encode(), mask)
        self.lines.append(raw)

    def look(self, words: str, socket: WebSocketTestSession) -> None:
        """Load the page, and choose something that may make no sense."""
        for query in (f"?chosen={words.replace(' ', '+')}", "?seat=1"):
            answer = self.who.get(f"/tables/{self.id}{query}", headers=self.cookies)
            heads = sorted(f"{k}: {v}" for k, v in answer.headers.items() if k != "date")
            self.note(f"{answer.status_code} {heads} ".encode() + answer.content)
        socket.send_json({"chosen": words})
        self.hear(socket)

    def hear(self, socket: WebSocketTestSession) -> None:
        self.note(socket.receive_text().encode())


def looked_through(crowd: list[TestClient], record: dict[str, Any], seat: int | None, know: str) -> list[bytes]:
    """Play the record at a new table; what the page of this seat (None: the stranger's) showed."""
    players, rng = len(record["players"]), random.Random(1)
    wishes = {"options": record["options"], "open": True, "rest_s": 3600, "seats": [{}]}
    table = table_of(crowd[0], record["edition"], players, **wishes)
    DECKS[table["id"]] = record["rounds"]
    for k in range(1, players):
        said(change(crowd[k], "PUT", f"seats/{k}", table))
    said(change(crowd[0], "POST", "start", table))
    to_decide(dict(enumerate(crowd[:players])), table)
    onlooker = Onlooker(crowd[8 if seat is None else seat], table, know)
    match = open_match(record["edition"], record["players"], record["options"], dealt=False)
    with onlooker.who.websocket_connect(f"/tables/{table['id']}/page", headers=onlooker.cookies) as socket:
        onlooker.hear(socket)
        for number, dealt in enumerate(record["rounds"]):
            match.deal(dealt["deck"], dealt["first"])
            if number:
                said(change(crowd[0], "POST", "deal", table))
                onlooker.hear(socket)
            for move in dealt["moves"]:
                if len(onlooker.lines) < 80 or rng.random() < 0.1:
                    onlooker.look(rng.choice(texts(players)), socket)
                assert match.turn is not None
                said(change(crowd[match.turn], "POST", "moves", table, seat=match.turn, move=move))
                match.play(move)
                onlooker.hear(socket)
    return onlooker.lines


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_pages_of_matches_that_a_seat_cannot_tell_apart_are_the_same(
    slug: str, players: int, crowd: list[TestClient]
) -> None:
    rng = random.Random(f"pages {slug} {players}")
    for seat, know in ((rng.randrange(players), "off"), (rng.randrange(players), "on"), (None, "off")):
        here, there = twins(slug, players, rng, seat, 10 if know == "off" else 4)
        told = looked_through(crowd, here, seat, know)
        assert len(told) > 2 * len(here["rounds"][0]["moves"])
        assert told == looked_through(crowd, there, seat, know)


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("house", 3)])
def test_pages_of_whole_matches_that_a_seat_cannot_tell_apart_are_the_same(
    slug: str, players: int, crowd: list[TestClient]
) -> None:
    rng = random.Random(f"whole pages {slug}")
    here, there = twins(slug, players, rng, 1, 10_000)
    told = looked_through(crowd, here, 1, "off")
    assert b'id=\\"rematch\\"' in told[-1]
    assert told == looked_through(crowd, there, 1, "off")


def test_pages_of_matches_that_a_seat_can_tell_apart_are_not_the_same(crowd: list[TestClient]) -> None:
    rng, tried = random.Random(5), 0
    while tried < 3:
        record = some_record("modern", 3, rng, 10)
        other = shuffled_a_little(record, rng)
        if noticed(other, 1) not in (None, noticed(record, 1)):
            assert looked_through(crowd, record, 1, "off") != looked_through(crowd, other, 1, "off")
            tried += 1


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"way": "bots", "edition": "classic", "players": "8"}, "another number of players"),
        ({"way": "pass", "edition": "modern", "names": ",".join("ABCDEFGHIJ")}, "another number of players"),
        ({"way": "pass", "edition": "modern", "names": "Ada"}, "another number of players"),
        ({"way": "bots", "edition": "modern", "players": "3", "bot": "nobody"}, "no bot"),
        ({"way": "solo", "solo": "modern"}, "no edition"),
        ({"way": "bots", "name": "x" * 33}, "A name has 1 to 32"),
    ],
)
def test_a_table_that_cannot_be_opened_is_refused_in_a_sentence(
    fields: dict[str, str], words: str, ada: TestClient
) -> None:
    answer = ada.post("/tables", data=fields, headers=PEOPLE, follow_redirects=False)
    assert answer.status_code == 422
    assert words in unescape(answer.text)
