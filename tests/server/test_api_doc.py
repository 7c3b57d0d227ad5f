"""docs/api.md: its program plays a match, its JSON is what the server sends, its tables are complete."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import suitors.server
from suitors import Match
from suitors.fair import LONGEST_WORD
from suitors.server.domain import serializers
from suitors.server.domain.analyses import Progress, analysis_data
from suitors.server.domain.commands import COMMANDS
from suitors.server.domain.names import LONGEST_NAME
from suitors.server.http.models import HintAnswer
from suitors.server.ops.websockets import TOO_MANY
from suitors.server.sockets import base, table_socket
from support.repository import blocks, quoted, read_page, rows
from support.servers import API, SITE, in_process, new_person, running

PAGE = read_page("api.md")
SOURCES = sorted(Path(suitors.server.__file__).parent.rglob("*.py"))


OPENING, TABLE, STALE, NEWS, COMMAND, ANSWER, HINT, ANALYSIS = (json.loads(text) for text in blocks(PAGE, "json"))


@pytest.fixture
def ada(tmp_path: Path) -> Iterator[TestClient]:
    """A person at a server."""
    with in_process(tmp_path) as client:
        yield new_person(client, "Ada")


# The program


def test_the_program_of_the_page_plays_a_whole_match(tmp_path: Path) -> None:
    (source,) = blocks(PAGE, "python")
    assert len([line for line in source.splitlines() if line]) <= 25
    (tmp_path / "play.py").write_text(source)
    with running(tmp_path) as server:
        program = [sys.executable, str(tmp_path / "play.py"), server.address]
        done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    players = {"Twenty Lines", "Rosamund the Lady-in-Waiting"}
    assert done.stdout.endswith(" won.\n")
    assert set(done.stdout.removesuffix(" won.\n").split(" and ")) <= players


# The JSON


def same_keys(shown: Any, sent: Any) -> bool:
    """Whether two pieces of JSON have the same keys and types wherever both have something."""
    if isinstance(shown, dict):
        return (
            isinstance(sent, dict) and shown.keys() == sent.keys() and all(same_keys(shown[k], sent[k]) for k in shown)
        )
    if isinstance(shown, list):
        return isinstance(sent, list) and all(same_keys(one, sent[0]) for one in shown[:1] if sent)
    return shown is None or sent is None or type(shown) is type(sent)


def test_the_table_of_the_page_is_opened_as_shown(ada: TestClient) -> None:
    answer = ada.post(f"{API}/tables", json=OPENING)
    assert answer.status_code == 201, answer.text
    table = answer.json()
    assert same_keys(TABLE, table)
    changing = ("id", "commitment")
    assert {k: v for k, v in table.items() if k not in changing} == {
        k: v for k, v in TABLE.items() if k not in changing
    }
    plain = ada.post(f"{API}/tables", json={"edition": "classic", "players": 2}).json()
    assert all(plain[key] == table[key] for key in ("options", "open", "pace_ms", "rest_s", "status"))


def test_messages_are_as_shown(ada: TestClient) -> None:
    table = ada.post(f"{API}/tables", json={**OPENING, "pace_ms": 0, "rest_s": 0, "start": True}).json()
    news: dict[str, Any] = {}
    with ada.websocket_connect(f"{API}/tables/{table['id']}/live", headers={"Origin": SITE}) as socket:
        hello = socket.receive_json()
        assert hello.keys() == {"type", "seat", "yours", "table"}
        assert hello["table"].keys() == TABLE.keys() - {"yours"}
        while not (news.get("scene") and news["scene"]["legal"]):
            news = socket.receive_json()
        assert news.keys() == NEWS.keys()
        assert same_keys(NEWS["scene"], news["scene"])
        move = {**COMMAND, "state": news["state"], "move": news["scene"]["legal"][0]}
        assert move.keys() == COMMAND.keys()
        socket.send_json(move)
        answer = news
        while answer["type"] != "answer":
            news, answer = answer, socket.receive_json()
        assert same_keys(ANSWER, answer)
        assert answer["id"] == COMMAND["id"]
        socket.send_json(move)
        while answer.get("error") is None:
            answer = socket.receive_json()
        assert answer.keys() == {"type", "id", "error"}
        assert same_keys(STALE["error"], answer["error"])
    moved = [event for event in events_of(ada, table["id"]) if event["kind"] == "moved"]
    assert moved[0].keys() == NEWS["events"][0].keys()


def events_of(ada: TestClient, table: str) -> list[dict[str, Any]]:
    """The events of a table."""
    events: list[dict[str, Any]] = ada.get(f"{API}/tables/{table}/events").json()["events"]
    return events


def test_a_stale_request_is_answered_as_shown(ada: TestClient) -> None:
    table = ada.post(f"{API}/tables", json=OPENING).json()
    answer = ada.post(f"{API}/tables/{table['id']}/start", json={"state": 1})
    assert answer.status_code == 409
    assert same_keys(STALE, answer.json())
    assert answer.json()["error"]["message"] == STALE["error"]["message"].replace("10", "3")


def test_hints_and_analyses_are_as_shown() -> None:
    assert same_keys(HINT, HintAnswer(**HINT).model_dump())
    assert HINT["hint"]["moves"][0]["move"] == HINT["hint"]["move"]
    match = Match("classic", ["Ada", "Ben"], seed=1)
    assert same_keys(ANALYSIS, analysis_data(match, Progress("running", (None, None))))


# The tables


def test_every_request_is_on_the_page_with_its_keys(ada: TestClient) -> None:
    schema = ada.get(f"{API}/openapi.json").json()
    listed = {
        quoted(cells[0])[0]: quoted(cells[1])
        for cells in rows(PAGE, "Persons") + rows(PAGE, "Tables") + rows(PAGE, "Puzzles")
        if quoted(cells[0])
    }
    offered = {
        f"{method.upper()} {path.removeprefix(API)}": call
        for path, calls in schema["paths"].items()
        for method, call in calls.items()
        if path.startswith(API)
    }
    assert listed.keys() == offered.keys()
    for request, call in offered.items():
        body = call.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        keys = set(
            schema["components"]["schemas"].get(body.get("$ref", "").rpartition("/")[2], {}).get("properties", [])
        )
        asked = {parameter["name"] for parameter in call.get("parameters", []) if parameter["in"] == "query"}
        named = {key for text in listed[request] for key in re.findall(r"\w+", text)}
        assert named == keys | asked or request == "POST /tables", request
    assert set(OPENING) == set(schema["components"]["schemas"]["NewTable"]["properties"])


def test_every_kind_of_event_is_on_the_page_with_its_keys() -> None:
    listed = {}
    for kinds, keys in [cells for cells in rows(PAGE, "The socket") if quoted(cells[0])]:
        for kind, own in zip(kinds.split("·"), keys.split("·") if "·" in keys else [keys] * 2, strict=False):
            listed[quoted(kind)[0]] = quoted(re.sub(r"\(.*?\)", "", own))
    in_the_match = ["round", "entries"]
    wanted = {
        kind: [*keys, *(in_the_match if kind in serializers.MATCH_ONLY else [])]
        for kind, keys in serializers.PUBLIC.items()
    }
    assert listed == wanted


def test_every_close_code_is_on_the_page() -> None:
    codes = [int(cells[0]) for cells in rows(PAGE, "The socket") if cells[0].isdigit()]
    assert codes == [base.TOO_SLOW, base.COME_AGAIN, TOO_MANY]


REQUESTS = {
    "sit": "PUT /tables/{table_id}/seats/{seat}",
    "leave": "DELETE /tables/{table_id}/seats/{seat}",
    "start": "POST /tables/{table_id}/start",
    "close": "DELETE /tables/{table_id}",
    "move": "POST /tables/{table_id}/moves",
    "deal": "POST /tables/{table_id}/deal",
    "word": "PUT /tables/{table_id}/seats/{seat}/word",
    "hand-over": "POST /tables/{table_id}/seats/{seat}/hand-over",
    "return": "POST /tables/{table_id}/seats/{seat}/return",
    "take-back": "POST /tables/{table_id}/seats/{seat}/take-back",
    "hint": "POST /tables/{table_id}/seats/{seat}/hint",
}
"""The request by which each command is given over HTTP."""


def test_every_command_is_among_the_requests_of_the_page_with_what_it_takes() -> None:
    listed = {quoted(cells[0])[0]: quoted(cells[1]) for cells in rows(PAGE, "Tables") if quoted(cells[0])}
    assert REQUESTS.keys() == COMMANDS.keys()
    for name, command in COMMANDS.items():
        taken = {key.strip("?=") for key in listed[REQUESTS[name]]}
        in_path = {"seat"} if "{seat}" in REQUESTS[name] else set()
        assert taken | in_path == {"state", *command.fields, *(["seat"] if command.has_seat else [])}, name


def test_every_command_of_the_socket_is_on_the_page_with_what_it_takes() -> None:
    sentence = " ".join(PAGE.split()).partition("`do` is ")[2].partition(", each with")[0]
    found = re.findall(r"`([a-z-]+)`(?: \(with `([a-z]+)`\))?", sentence)
    told = {name: tuple(filter(None, [field])) for name, field in found}
    assert told == {name: command.fields for name, command in COMMANDS.items() if command.on_socket}
    assert list(told) == list(table_socket.ACCEPTED)


def refusals() -> Iterator[tuple[int | None, str]]:
    """Every code in the server's source, with its status where that is written beside it."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                words = [argument.value if isinstance(argument, ast.Constant) else None for argument in node.args]
                if node.func.id == "Refused" and isinstance(words[1], str):
                    yield (words[0] if isinstance(words[0], int) else None), words[1]
                if node.func.id == "conflict" and isinstance(words[0], str):
                    yield 409, words[0]


PASSED_ON = ("unknown-edition", "bad-option", "unreadable-move", "illegal-move", "bad-shuffle")
"""Codes of the rules and the shuffle, which the server passes on as 422."""


def test_every_code_is_on_the_page_with_its_status() -> None:
    listed = {(int(status), code) for status, codes, _ in rows(PAGE, "Errors")[1:] for code in quoted(codes)}
    found = {(status, code) for status, code in refusals() if status is not None}
    assert listed == found | {(422, code) for code in PASSED_ON}
    assert {code for _, code in refusals()} <= {code for _, code in listed}


def test_the_page_knows_the_longest_name_and_word() -> None:
    assert f"a name is 1 to {LONGEST_NAME} visible characters" in PAGE
    assert f"a word of at most {LONGEST_WORD} characters" in PAGE
