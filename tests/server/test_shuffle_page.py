"""Words for the shuffle from pages: given by a script that has seen the commitment, else made by the server."""

import random
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.fair import MADE, commitment, is_own, make_word
from support.page_visits import PEOPLE, SCRIPT, page, stranger
from support.servers import API, in_process, json_of, make_move, new_person, new_table, refused

SOLO = {"way": "solo", "solo": "solitaire"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with in_process(tmp_path_factory.mktemp("shuffle")) as client:
        yield client


def table_at(who: TestClient, path: str) -> dict[str, Any]:
    """The table whose page has this path, by the API."""
    table: dict[str, Any] = json_of(who.get(f"{API}{path}"))
    return table


def test_words_that_the_server_makes_say_so_and_differ() -> None:
    made = {make_word() for _ in range(50)}
    assert len(made) == 50
    assert all(word.startswith(MADE) and len(word) <= 64 and not is_own(word) for word in made)
    assert is_own("rose")
    assert not is_own("")


def test_without_a_script_the_server_makes_a_word_before_the_first_deal(client: TestClient) -> None:
    who = stranger(client)
    answer = who.post("/tables", data=SOLO, headers=PEOPLE, follow_redirects=False)
    table = table_at(who, answer.headers["location"])
    assert table["status"] == "playing"
    assert table["seats"][0]["word"].startswith(MADE)
    html = page(who.get(answer.headers["location"], headers=PEOPLE))
    assert table["commitment"] in html
    assert "The server chose this word" in unescape(html)


def test_a_script_sees_the_commitment_gives_its_words_and_begins(client: TestClient) -> None:
    who = stranger(client)
    form = {"way": "pass", "edition": "classic", "names": "Ada, Ben"}
    told = json_of(who.post("/tables", data=form, headers=SCRIPT))
    table = table_at(who, told["go"])
    assert table["status"] == "waiting"
    assert told["begin"] == {"commitment": table["commitment"], "seats": [0, 1]}
    words = {"word-0": "rose", "word-1": "\u00e9t\u00e9"}
    assert who.post(f"{told['go']}/begin", data=words, headers=SCRIPT).status_code == 204
    table = table_at(who, told["go"])
    assert table["status"] == "playing"
    assert [seat["word"] for seat in table["seats"]] == ["rose", "\u00e9t\u00e9"]
    again = who.post(f"{told['go']}/begin", data={"word-0": "ink"}, headers=SCRIPT)
    refused(again, 409, "started")
    assert table_at(who, told["go"])["seats"][0]["word"] == "rose"


def test_a_bad_word_starts_nothing(client: TestClient) -> None:
    who = stranger(client)
    told = json_of(who.post("/tables", data=SOLO, headers=SCRIPT))
    refused(who.post(f"{told['go']}/begin", data={"word-0": "x" * 65}, headers=SCRIPT), 422, "bad-shuffle")
    refused(stranger(client).post(f"{told['go']}/begin", data={"word-0": "x"}, headers=SCRIPT), 401, "who-are-you")
    refused(
        new_person(client, "Eve").post(f"{told['go']}/begin", data={"word-0": "x"}, headers=SCRIPT), 403, "forbidden"
    )
    assert table_at(who, told["go"])["status"] == "waiting"


def test_whoever_sits_down_has_a_word_and_may_change_it(client: TestClient) -> None:
    ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
    table = new_table(ada, players=2, seats=[{}])["id"]
    ben.post(f"/tables/{table}/sit", data={"seat": 1}, headers=PEOPLE)
    words = [seat["word"] for seat in table_at(ben, f"/tables/{table}")["seats"]]
    assert words[0] == ""  # programs give their own
    assert words[1].startswith(MADE)
    assert ben.post(f"/tables/{table}/word", data={"seat": 1, "word": "rose"}, headers=SCRIPT).status_code == 204
    html = page(ben.get(f"/tables/{table}", headers=PEOPLE))
    assert re.search('name="word"[^>]*value="rose"', html)
    assert "The server chose this word" not in unescape(html)


def test_a_rematch_has_new_words(client: TestClient) -> None:
    who = new_person(client, "Ada")
    table = finished(who)
    state = table_at(who, f"/tables/{table}")["state"]
    told = json_of(who.post(f"/tables/{table}/rematch", data={"state": state}, headers=SCRIPT))
    following = table_at(who, told["go"])
    assert following["status"] == "waiting"
    assert told["begin"] == {"commitment": following["commitment"], "seats": [0]}
    assert following["seats"][0]["word"].startswith(MADE)


def test_the_whole_seals_are_shown_and_the_command_checks_them(client: TestClient) -> None:
    who = new_person(client, "Ada")
    table = finished(who)
    record = json_of(who.get(f"/tables/{table}/record"))
    assert commitment(bytes.fromhex(record["shuffle"]["secret"])) == record["shuffle"]["commitment"]
    html = unescape(page(who.get(f"/tables/{table}", headers=PEOPLE)))
    seal = record["rounds"][0]["seal"]
    assert f'class="digits">{seal}</code>' in html
    assert f"--table={table} --commitment {record['shuffle']['commitment']} --seal 1={seal}</code>" in html


def finished(who: TestClient) -> str:
    """A solo game that has been played to its end."""
    table, rng = new_table(who, "solitaire", 1, seats=[{}], start=True), random.Random(7)
    while table_at(who, f"/tables/{table['id']}")["status"] != "over":
        make_move({0: who}, table, rng)
    return str(table["id"])
