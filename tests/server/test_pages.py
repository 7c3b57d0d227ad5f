"""The pages without a browser: what they answer, and whom they refuse."""

import json
import re
from html import unescape
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest
from fastapi.testclient import TestClient

from suitors.pages import Preferences, asset
from suitors.pages.refusals import refusal_sentence
from suitors.pages.render import FILES, SPRITES
from suitors.records.record import load
from suitors.server.common.cookies import key_cookie
from support.matches import chance_match
from support.page_visits import FRENCH, PEOPLE, PLAIN, SCRIPT, page, playing, sentence, stranger
from support.servers import API, json_of, new_person, new_table, next_decision, server_of, state_of

# Pages


@pytest.mark.parametrize("path", PLAIN)
@pytest.mark.parametrize(("headers", "lang"), [(PEOPLE, "en"), (FRENCH, "fr")])
def test_every_page_answers(path: str, headers: dict[str, str], lang: str, client: TestClient, ada: TestClient) -> None:
    for who in (stranger(client), ada):  # a stranger, and one who has been here
        assert f'<html lang="{lang}"' in page(who.get(path, headers=headers))


def test_the_cookie_says_how_the_visitor_reads(client: TestClient) -> None:
    who = new_person(client, "Reader")
    wishes = {"lang": "fr", "theme": "tempest", "look": "dark", "size": "large", "back": "/rules"}
    answer = who.post("/look", data=wishes, follow_redirects=False)
    assert answer.headers["location"] == "/rules"
    html = page(who.get("/rules"))
    assert '<html lang="fr" data-theme="tempest" data-look="dark" data-size="large">' in html
    who.post("/look", data={"lang": "xx", "theme": "<b>", "size": ""})  # nothing of it can be granted
    assert page(who.get("/rules")) == html


def test_every_link_leads_somewhere(client: TestClient, ada: TestClient, ben: TestClient) -> None:
    waiting = new_table(ada, seats=[{}])["id"]
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


def test_a_page_without_scripts_looks_again_while_another_thinks(ada: TestClient, ben: TestClient) -> None:
    people, table = {0: ada, 1: ben}, playing(ada, ben)["id"]
    _, seat, _ = next_decision(people, table)
    shown = {number: page(who.get(f"/tables/{table}")) for number, who in people.items()}
    assert '<noscript><meta http-equiv="refresh"' in shown[1 - seat]
    assert "http-equiv" not in shown[seat]


def test_names_are_text_and_nothing_else(client: TestClient) -> None:
    name = '"><img src=x>'
    who = new_person(client, name)
    for path in ("/", "/me", f"/tables/{playing(who, edition='solitaire')['id']}"):
        assert "<img src=x" not in page(who.get(path))
    table = new_table(who, seats=[{}, {"name": "'><i>"}], open=True)
    assert "<i>" not in page(who.get(f"/tables/{table['id']}"))
    assert "&lt;img src=x" in page(client.get("/tables"))


@pytest.mark.parametrize(
    "path", ["/nowhere", "/rules/chess", "/tables/nothing", "/games/nothing", "/static/nothing.js"]
)
def test_what_is_not_there_is_a_page_for_people(path: str, client: TestClient) -> None:
    english, french = (sentence(page(stranger(client).get(path, headers=headers), 404)) for headers in (PEOPLE, FRENCH))
    assert english == "Page not found: this table or page does not exist, or it is private."
    assert french not in ("", english)
    assert json_of(client.get(path), 404)["error"]["code"] == "not-found"  # a program


@pytest.mark.parametrize("path", ["/nowhere", "/tables/x/nothing", "/tables/x/move", "/learn/0"])
def test_forms_that_lead_nowhere(path: str, client: TestClient) -> None:
    page(client.post(path, headers=PEOPLE), 404)


@pytest.mark.parametrize(
    "back", ["//evil.example", "/\\evil.example", "https://evil.example/", "evil", "", "javascript:1"]
)
def test_settings_lead_back_to_own_pages_only(back: str, client: TestClient) -> None:
    answer = stranger(client).post("/look", data={"lang": "en", "back": back}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"


def test_settings_lead_back_to_where_the_visitor_was(client: TestClient) -> None:
    answer = stranger(client).post("/look", data={"back": "/tables/x?seat=2"}, follow_redirects=False)
    assert answer.headers["location"] == "/tables/x?seat=2"


def test_the_way_to_another_device(client: TestClient) -> None:
    who, other = new_person(client, "Ada"), stranger(client)
    table = new_table(who, seats=[{}])["id"]
    found = re.search(r'id="transfer-link" readonly value="http://testserver([^"]+)"', page(who.post("/me/transfer")))
    assert found
    page(other.get(found[1]))  # looking at it does nothing
    assert other.post(found[1], follow_redirects=False).headers["location"] == "/mine"
    assert f'href="/tables/{table}"' in page(other.get("/mine"))
    page(stranger(client).post(found[1]), 404)  # it works once
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
        ("theme-court.svg", "image/svg+xml"),
        ("logo.svg", "image/svg+xml"),
        ("suitors.webmanifest", "application/manifest+json"),
    ],
)
def test_files_are_kept_for_good_under_their_exact_address_only(name: str, kind: str, client: TestClient) -> None:
    exact = client.get(asset(name))
    assert exact.status_code == 200
    assert exact.headers["content-type"].split(";")[0] == kind
    assert exact.headers["x-content-type-options"] == "nosniff"
    assert exact.headers["cache-control"] == "public, max-age=31536000, immutable"
    for query in ("", "?v=0", "?v=000000000000", f"?{asset(name).partition('?')[2]}&x=1"):
        loose = client.get(f"/static/{name}{query}")
        assert loose.headers["cache-control"] == "no-cache", query
        assert loose.content == exact.content


def test_there_are_all_files_and_no_others(client: TestClient) -> None:
    for name in (*FILES, *SPRITES, "colours.css", "logo.svg"):
        assert client.get(f"/static/{name}").status_code == 200
    for name in ("nothing", "page.html", "%2e%2e%2fpalette.py", "__init__.py", "templates%2fbase.html", ""):
        assert client.get(f"/static/{name}").status_code == 404, name


# Forms


def form(who: TestClient, table: str, act: str, headers: dict[str, str], **fields: Any) -> Any:
    """Send a form of a table, as it is now unless a state is given."""
    return who.post(f"/tables/{table}/{act}", data=fields, headers=headers, follow_redirects=False)


ACTS = (
    *("sit", "bot", "leave", "start", "close", "move", "deal", "word", "hand-over", "return", "take-back"),
    *("rematch", "share"),
)


@pytest.mark.parametrize("act", ACTS)
def test_a_running_private_table_does_not_exist_for_strangers(act: str, client: TestClient, ada: TestClient) -> None:
    table = playing(ada, edition="solitaire")["id"]
    state = state_of(ada, table)
    for who in (stranger(client), new_person(client, "Eve")):
        fields = {"state": state, "seat": 0, "move": "draw", "word": "x", "name": "Eve"}
        assert sentence(page(form(who, table, act, FRENCH, **fields), 404)).startswith("Page introuvable")
        told = json_of(form(who, table, act, SCRIPT, **fields), 404)
        message = "Page not found: this table or page does not exist, or it is private."
        assert told == {"error": {"code": "not-found", "message": message}}
    assert state_of(ada, table) == state


@pytest.mark.parametrize(
    ("act", "code"), [(act, "forbidden") for act in ("bot", "start", "close", "word")] + [("leave", "forbidden")]
)
def test_strangers_may_sit_down_at_a_waiting_table_and_no_more(
    act: str, code: str, client: TestClient, ada: TestClient
) -> None:
    table = new_table(ada, players=3, seats=[{}])["id"]
    fields = {"state": state_of(ada, table), "seat": 1 if act == "bot" else 0, "word": "x"}
    assert sentence(page(form(stranger(client), table, act, PEOPLE, **fields), 401)) == "Take a seat first."
    eve = new_person(client, "Eve")
    english, french = (sentence(page(form(eve, table, act, h, **fields), 403)) for h in (PEOPLE, FRENCH))
    assert english == refusal_sentence(Preferences(), code, "")
    assert french == refusal_sentence(Preferences("fr"), code, "") != english
    assert json_of(form(eve, table, act, SCRIPT, **fields), 403)["error"] == {"code": code, "message": english}
    assert state_of(ada, table) == fields["state"]


def test_a_stranger_who_sits_down_becomes_somebody(client: TestClient, ada: TestClient) -> None:
    table = new_table(ada, players=3, seats=[{}])["id"]
    eve = stranger(client)
    answer = form(eve, table, "sit", SCRIPT, state=state_of(ada, table), seat=1, name="Eve")
    assert json_of(answer) == {"go": f"/tables/{table}"}  # the page has to look with other eyes
    assert key_cookie(server_of(client)) in answer.headers["set-cookie"]
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "<strong>Eve</strong>" in page(eve.get(f"/tables/{table}"))
    answer = form(eve, table, "leave", PEOPLE, state=state_of(ada, table), seat=1)
    assert answer.headers["location"] == f"/tables/{table}"
    assert "<strong>Eve</strong>" not in page(eve.get(f"/tables/{table}"))


def forms_in(text: str, act: str) -> list[dict[str, str]]:
    """The fields of the forms of a kind on the page of a table, as the page has filled them in."""
    found = re.findall(rf'<form method="post" action="/tables/[^"/]+/{act}"(.*?)</form>', text, re.S)
    return [dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', in_process)) for in_process in found]


def test_who_sits_down_leaves_or_seats_a_bot_is_not_hindered_by_others_who_do(
    client: TestClient, ada: TestClient, ben: TestClient
) -> None:
    table = new_table(ada, players=5, edition="modern", seats=[{}])["id"]
    form(ben, table, "sit", SCRIPT, seat=1, name="Ben")
    seen_by_ada, seen_by_ben = (page(who.get(f"/tables/{table}")) for who in (ada, ben))
    form(new_person(client, "Cleo"), table, "sit", SCRIPT, seat=2, name="Cleo")
    fields = next(fields for fields in forms_in(seen_by_ben, "leave") if fields["seat"] == "1")
    json_of(form(ben, table, "leave", SCRIPT, **fields))
    fields = next(fields for fields in forms_in(seen_by_ben, "sit") if fields["seat"] == "3")
    json_of(form(ben, table, "sit", SCRIPT, **fields, name="Ben again"))
    fields = next(fields for fields in forms_in(seen_by_ada, "bot") if fields["seat"] == "4")
    assert form(ada, table, "bot", SCRIPT, **fields).status_code == 204
    fields = next(fields for fields in forms_in(seen_by_ada, "leave") if fields["seat"] == "1")
    assert json_of(form(ada, table, "leave", SCRIPT, **fields), 409)["error"]["code"] == "stale"  # that was Ben's seat
    sitting = [place["name"] for place in json_of(ada.get(f"{API}/tables/{table}"))["seats"]]
    assert sitting == ["Ada", "", "Cleo", "Ben again", sitting[4]]
    assert sitting[4]


def test_a_form_of_an_older_state_changes_nothing_and_says_so(ada: TestClient, ben: TestClient) -> None:
    people = {0: ada, 1: ben}
    table = playing(ada, ben)["id"]
    state, seat, legal = next_decision(people, table)
    who = people[seat]
    moved = form(who, table, "move", PEOPLE, state=state, seat=seat, move=legal[0])
    assert moved.headers["location"] == f"/tables/{table}?seat={seat}"
    now = state_of(ada, table)
    assert now > state
    for act in ("move", "deal", "rematch", "word", "hand-over", "return"):
        for old in (state, now + 1, 0) if act in ("move", "deal", "rematch") else (now + 1,):
            fields = {"state": old, "seat": seat, "move": legal[0], "word": "x"}
            english, french = (sentence(page(form(who, table, act, h, **fields), 409)) for h in (PEOPLE, FRENCH))
            assert english == "The game has moved on in the meantime: look again, then decide."
            assert french != english
            assert json_of(form(who, table, act, SCRIPT, **fields), 409)["error"]["code"] == "stale"
    assert state_of(ada, table) == now


@pytest.mark.parametrize("state", ["", "x", "-1", "1e3", "²", "9" * 30])
def test_a_form_without_a_good_state_changes_nothing(state: str, ada: TestClient) -> None:
    table = new_table(ada, seats=[{}])["id"]
    now = state_of(ada, table)
    for fields in ({"state": state, "seat": "1"}, {"state": str(now), "seat": state}):
        page(form(ada, table, "bot", PEOPLE, **fields), 422)
    assert state_of(ada, table) == now


def test_what_hangs_on_the_state_of_the_table_must_name_it(ada: TestClient, ben: TestClient) -> None:
    people = {0: ada, 1: ben}
    table = playing(ada, ben)["id"]
    now, seat, legal = next_decision(people, table)
    for act in ("move", "deal", "rematch"):
        page(form(people[seat], table, act, PEOPLE, seat=seat, move=legal[0]), 422)
    assert state_of(ada, table) == now
    waiting = new_table(ada, players=2, seats=[{}])["id"]
    form(ben, waiting, "sit", SCRIPT, seat=1, name="Ben")
    now = state_of(ada, waiting)
    for act in ("start", "leave"):
        page(form(ada, waiting, act, PEOPLE, seat=1), 422)
    assert state_of(ada, waiting) == now


def test_a_move_that_cannot_be_played_is_refused_in_words(ada: TestClient, ben: TestClient) -> None:
    people = {0: ada, 1: ben}
    table = playing(ada, ben)["id"]
    state, seat, _ = next_decision(people, table)
    for move, code, status in (
        ("princess 0 0", "illegal-move", 422),
        ("", "unreadable-move", 422),
        ("⚙" * 50, "unreadable-move", 422),
    ):
        answer = form(people[seat], table, "move", PEOPLE, state=state, seat=seat, move=move)
        assert sentence(page(answer, status)) == refusal_sentence(Preferences(), code, "")
    answer = form(people[1 - seat], table, "move", FRENCH, state=state, seat=1 - seat, move="guard")
    assert sentence(page(answer, 409)) == refusal_sentence(Preferences("fr"), "not-your-turn", "")
    answer = form(people[1 - seat], table, "move", FRENCH, state=state, seat=seat, move="guard")
    assert sentence(page(answer, 403)) == refusal_sentence(Preferences("fr"), "forbidden", "")
    assert state_of(ada, table) == state


def test_the_house_keeps_what_the_first_page_was_last_asked_for(client: TestClient) -> None:
    who = new_person(client, "Ada")
    wishes = {
        "way": "bots",
        "edition": "premium",
        "players": "6",
        "bot": "novice",
        "name": "Ada",
        "switch-bishop_names_one": "false",
    }
    answer = who.post("/tables", data=wishes, follow_redirects=False)
    table = json_of(who.get(f"{API}{answer.headers['location']}"))
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
    wishes: dict[str, str], players: int | None, edition: str | None, client: TestClient
) -> None:
    who = new_person(client, "Ada")
    answer = who.post("/tables", data={"name": "Ada", **wishes}, headers=PEOPLE, follow_redirects=False)
    if players is None:
        page(answer, 422)
    else:
        table = json_of(who.get(f"{API}{answer.headers['location']}"))
        assert (len(table["seats"]), table["edition"]) == (players, edition)
        page(who.get(answer.headers["location"]))


def test_R20_a_match_is_replayed_and_its_record_opened_only_when_it_is_over(ada: TestClient, ben: TestClient) -> None:
    table = playing(ada, ben)["id"]
    for path in ("replay", "record"):
        page(ada.get(f"/tables/{table}/{path}", headers=PEOPLE), 409)
    page(form(ada, table, "share", PEOPLE, state=state_of(ada, table)), 409)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"way": "bots", "edition": "classic", "players": "8"}, "different number of players"),
        ({"way": "pass", "edition": "modern", "names": ",".join("ABCDEFGHIJ")}, "different number of players"),
        ({"way": "pass", "edition": "modern", "names": "Ada"}, "different number of players"),
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


def test_what_cannot_be_opened_makes_nobody_a_person(client: TestClient) -> None:
    who = stranger(client)
    before = server_of(client).store.database.read("SELECT count(*) FROM persons")
    answer = who.post("/tables", data={"way": "bots", "edition": "classic", "players": "8"}, headers=PEOPLE)
    assert answer.status_code == 422
    assert server_of(client).store.database.read("SELECT count(*) FROM persons") == before


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
        ("not JSON", 422, "That file is not a Suitors record: This is not JSON"),
        ("", 422, "That file is not a Suitors record: This is not JSON"),
        ("[]", 422, "That file is not a Suitors record: A record is a JSON object."),
        ('{"format": "chess/1"}', 422, "That file is not a Suitors record: A record says"),
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
    text: str, status: int, words: str, by: str, client: TestClient
) -> None:
    files = {"record": ("game.json", text.encode(), "application/json")}
    body: Any = {"data": {"text": text}} if by == "text" else {"files": files}
    assert words in sentence(page(client.post("/games", headers=PEOPLE, follow_redirects=False, **body), status))
    assert json_of(client.post("/games", headers=SCRIPT, follow_redirects=False, **body), status)["error"]["message"]


def test_a_dropped_record_is_shown_to_whoever_has_its_link_and_can_be_taken_away_again(
    client: TestClient, ada: TestClient
) -> None:
    match = chance_match("modern", 3, 5, 30)
    address = kept(ada, match.record())
    first = page(client.get(address))
    assert "Step 1 of" in first
    for query in ("?step=99999", "?step=-5", "?step=3&eyes=0", "?step=3&eyes=none", "?eyes=7", "?eyes=%22%3E%3Cb%3E"):
        assert "<b>" not in page(client.get(address + query))
    page(client.get(f"{address}?step=x", headers=PEOPLE), 422)
    answer = client.get(f"{address}/record")
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


def test_only_a_table_that_is_played_offers_to_go_back_over_the_moves(ada: TestClient, ben: TestClient) -> None:
    people, table = {0: ada, 1: ben}, playing(ada, ben)["id"]
    state, seat, legal = next_decision(people, table)
    form = {"state": state, "seat": seat, "move": legal[-1]}
    assert people[seat].post(f"/tables/{table}/move", data=form, headers=SCRIPT).status_code == 204
    assert 'id="past"' in page(ada.get(f"/tables/{table}"))
    assert 'id="past"' not in page(ada.get("/learn/2"))


# A table that waits


def test_a_lobby_says_for_whom_it_waits_and_tells_each_what_they_need(client: TestClient) -> None:
    host, guest = stranger(client), stranger(client)
    opened = host.post("/tables", data={"way": "friends", "edition": "classic", "players": "2"}, headers=PEOPLE)
    address = str(opened.url)
    hint, game = "--host 0.0.0.0", "Love Letter is a quick card game"
    here = {**PEOPLE, "host": "127.0.0.1"}  # a link that works on this computer only
    seen = page(host.get(address, headers=here))
    assert "Waiting for one more player." in seen
    assert hint in seen, "whoever runs the server can do something about it"
    assert game not in seen
    seen = page(guest.get(address, headers=here))
    assert hint not in seen
    assert game in seen, "an invited friend reads what they are invited to"
    guest.post(f"{address}/sit", data={"seat": "1", "name": "Ben"}, headers=PEOPLE)
    seen = page(host.get(address, headers=PEOPLE))
    assert "Everybody is here: the match can start." in seen
    assert "Waiting for" not in seen
