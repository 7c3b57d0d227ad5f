"""The sockets of pages: to whom they show what, and that nothing that is sent does harm."""

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import WebSocketDenialResponse, WebSocketTestSession

from suitors.notation import CARD_OF
from support.matches import UNTIMED
from support.page_visits import hand_in, page, playing, stranger
from support.servers import change, json_of, new_person, new_table, next_decision, path_of, server_of


def connect(who: TestClient, table: str, query: str = "") -> WebSocketTestSession:
    """The socket of a table's page."""
    return who.websocket_connect(f"/tables/{table}/page{query}")


def denied(who: TestClient, path: str) -> int:
    """The status with which a socket is refused."""
    with pytest.raises(WebSocketDenialResponse) as refusal, who.websocket_connect(path):
        pass
    return refusal.value.status_code


def test_the_sockets_of_private_tables_are_closed_to_strangers(
    client: TestClient, ada: TestClient, ben: TestClient
) -> None:
    eve, nobody = new_person(client, "Eve"), stranger(client)
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


def test_one_who_may_watch_no_longer_is_shown_out(client: TestClient, ada: TestClient, ben: TestClient) -> None:
    table = new_table(ada, seats=[{}])
    with connect(new_person(client, "Eve"), table["id"]) as socket:
        assert 'class="lobby"' in socket.receive_json()["html"]
        json_of(change(ben, "PUT", "seats/1", table))
        assert "<strong>Ben</strong>" in socket.receive_json()["html"]
        json_of(change(ada, "POST", "start", table))
        assert socket.receive()["type"] == "websocket.close"


def test_a_page_shows_the_hands_of_its_person_and_of_nobody_else(client: TestClient, ben: TestClient) -> None:
    ada = new_person(client, "Ada")
    table = new_table(ada, players=3, edition="modern", rest_s=3600, seats=[{"name": "Ada"}, None, {"name": "Cleo"}])
    json_of(change(ben, "PUT", "seats/1", table))
    json_of(change(ada, "POST", "start", table))
    next_decision({0: ada, 1: ben, 2: ada}, table)
    held = [json_of(who.get(path_of(table, f"view?seat={k}")))["view"]["hand"] for k, who in enumerate((ada, ben, ada))]
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
        for text in ("{}", '{"chosen": ""}', '{"do": "move", "move": "guard"}'):
            socket.send_text(text)
            assert socket.receive_json()["html"] == before["html"]


def test_what_is_chosen_is_shown_to_the_one_who_chooses_and_to_nobody_else(ada: TestClient, ben: TestClient) -> None:
    people = {0: ada, 1: ben}
    table = playing(ada, ben)["id"]
    _, seat, legal = next_decision(people, table)
    named = next((move for move in legal if move.count(" ") == 2), None)
    while named is None:  # until somebody has a Guard
        state, seat, legal = next_decision(people, table)
        json_of(people[seat].post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": legal[0]}))
        if json_of(ada.get(path_of(table, "view")))["view"]["turn"] is None:
            for who in (ada, ben):
                json_of(change(who, "POST", "deal", table))
        _, seat, legal = next_decision(people, table)
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
def corners(client: TestClient) -> list[tuple[TestClient, str]]:
    """Somebody who has to decide, at tables of several editions."""
    games = (("classic", 2), ("modern", 3), ("premium", 5), ("house", 4), ("solitaire", 1))
    found = []
    for edition, players in games:
        who = new_person(client, "Corner")
        table = new_table(who, edition, players, rest_s=3600, seats=[{"name": f"C{k}"} for k in range(players)])["id"]
        json_of(change(who, "POST", "start", table))
        next_decision(dict.fromkeys(range(players), who), table)
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


def test_one_who_has_left_is_shown_as_away_without_a_reload(ada: TestClient, ben: TestClient) -> None:
    table = playing(ada, ben)["id"]
    loaded = server_of(ada).tables.loaded[table]
    with connect(ada, table) as socket:
        assert AWAY not in socket.receive_json()["html"]
        with connect(ben, table) as other:
            other.receive_json()
            loaded.away_s = 0.2
        shown = socket.receive_json()["html"]
        assert AWAY in shown
        assert "Let a bot play for Ben" in shown
        with connect(ben, table):
            assert AWAY not in socket.receive_json()["html"]


AWAY = '<span class="state quiet">away</span>'


def test_a_page_looks_back_and_forgets_it_with_the_next_move(ada: TestClient, ben: TestClient) -> None:
    people, table = {0: ada, 1: ben}, playing(ada, ben)["id"]
    state, seat, legal = next_decision(people, table)
    json_of(people[seat].post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": legal[-1]}))
    with connect(ada, table) as socket:
        assert "last move" in socket.receive_json()["html"]
        socket.send_json({"ago": 1})
        assert "1 move ago" in socket.receive_json()["html"]
        for ago in (-1, 1000, "1", True, None, 1.0):
            socket.send_json({"ago": ago})
            assert socket.receive_json()["error"]["code"] == "bad-message"
    assert "1 move ago" in page(ada.get(f"/tables/{table}?ago=1"))


def test_a_shared_device_that_was_cut_off_while_a_round_was_dealt_is_covered(client: TestClient) -> None:
    ada = new_person(client, "Ada")
    table = new_table(ada, players=2, edition="classic", rest_s=3600, seats=[{"name": "Ada"}, {"name": "Ben"}])
    json_of(change(ada, "POST", "start", table))
    state, seat, _ = next_decision({0: ada, 1: ada}, table)
    with connect(ada, table["id"], f"?seat={seat}&since={state}") as socket:
        assert hand_in(socket.receive_json()["html"]) != []
    with connect(ada, table["id"], f"?seat={seat}&since=1") as socket:
        assert hand_in(socket.receive_json()["html"]) == []
