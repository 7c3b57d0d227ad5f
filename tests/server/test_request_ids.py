"""Every request and socket has an id, in its log lines and in the header of its answer."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.server.app import make_app
from suitors.server.ops.logs import JsonLines
from suitors.server.ops.proxies import TrustedProxies, read_proxy
from suitors.server.ops.request_ids import REQUEST_ID
from suitors.server.ops.tasks import BackgroundTasks
from suitors.server.server import Settings
from support.disks import on_bad_disk
from support.quick_client import QuickClient
from support.servers import API, FREE, SITE, new_person, next_decision, path_of, refused, started_table

HEADER = "x-request-id"


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """The lines that are logged meanwhile."""
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("suitors")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


def events(lines: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def test_an_answer_and_its_line_have_one_id_and_each_request_another(client: TestClient) -> None:
    with logged() as lines:
        answers = [client.get(path) for path in ("/health/live", "/health/live", f"{API}/tables/none")]
    ids = [answer.headers[HEADER] for answer in answers]
    assert len(set(ids)) == 3
    assert [line["request_id"] for line in events(lines)] == ids


def test_a_request_that_is_refused_at_once_has_an_id_too(client: TestClient) -> None:
    answer = client.get("/", headers={"host": "elsewhere.example"})
    assert answer.status_code == 421
    assert len(answer.headers[HEADER]) == 16


def test_a_move_that_fails_on_its_way_to_the_disk_is_logged_with_the_id_of_its_request(tmp_path: Path) -> None:
    with on_bad_disk(tmp_path) as (client, disk):
        ada, ben = new_person(client, "Ada"), new_person(client, "Ben")
        people, table = {0: ada, 1: ben}, started_table(ada, ben)
        state, seat, legal = next_decision(people, table)
        given = {"state": state, "seat": seat, "move": legal[0]}
        disk.broken = ("COMMIT",)
        with logged() as lines:
            answer = people[seat].post(path_of(table, "moves"), json=given)
        refused(answer, 503, "store-failed")
        found = {line["event"]: line.get("request_id") for line in events(lines)}
        assert found == dict.fromkeys(("store-failed", "request"), answer.headers[HEADER])
        disk.broken = ()
        with people[seat].websocket_connect(path_of(table, f"live?seat={seat}")) as socket:
            disk.broken = ("COMMIT",)
            with logged() as lines:
                socket.send_json({"do": "move", "state": state, "move": legal[0]})
                while socket.receive()["type"] != "websocket.close":
                    pass
            headers: dict[bytes, bytes] = dict(socket.extra_headers or [])
        assert {line["request_id"] for line in events(lines) if line["event"] == "store-failed"} == {
            headers[HEADER.encode()].decode()
        }


@pytest.mark.parametrize(
    ("trusted", "given", "taken"),
    [
        (True, "0af7651916cd43dd", True),
        (True, "a.b_c-D9" * 8, True),
        (True, "short", False),
        (True, "x" * 65, False),
        (True, 'quote"and space', False),
        (False, "0af7651916cd43dd", False),
    ],
)
def test_a_well_formed_id_of_a_trusted_proxy_is_taken(tmp_path: Path, trusted: bool, given: str, taken: bool) -> None:
    proxies = TrustedProxies([read_proxy("10.0.0.1" if trusted else "10.0.0.2")])
    app = make_app(Settings(tmp_path, sync=False, limits=FREE, workers=1, origins=(SITE,), proxies=proxies))
    with QuickClient(app, client=("10.0.0.1", 1)) as client:
        found = client.get("/health/live", headers={HEADER: given, "x-forwarded-for": "10.9.9.9"}).headers[HEADER]
    assert (found == given) == taken
    assert taken or len(found) == 16


def test_what_the_server_does_by_itself_belongs_to_no_request() -> None:
    seen: list[str | None] = []

    async def note() -> None:
        seen.append(REQUEST_ID.get())

    async def answer() -> None:
        REQUEST_ID.set("a-request")
        await BackgroundTasks().start(note())
        await note()

    asyncio.run(answer())
    assert seen == [None, "a-request"]
