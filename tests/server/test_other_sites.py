"""Pages of other sites act for nobody and lock nobody out; names of the server that it does not know are refused."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from support.servers import (
    API,
    SocketReader,
    denied,
    in_process,
    json_of,
    new_person,
    new_table,
    path_of,
    refused,
    state_of,
)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "http://testserver.evil.example"},
        {"origin": "http://testserver@evil.example"},
        {"origin": "file://testserver"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_of_other_sites_cannot_act_for_their_visitors(ada: TestClient, headers: dict[str, str]) -> None:
    table = new_table(ada)
    refused(ada.put(path_of(table, "seats/0"), json={"state": 1}, headers=headers), 403, "cross-site")
    refused(ada.delete(f"{API}/me", headers=headers), 403, "cross-site")
    refused(denied(ada, path_of(table, "live"), **headers), 403, "cross-site")
    assert state_of(ada, table) == 1
    own = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}
    json_of(ada.put(path_of(table, "seats/0"), json={"state": 1}, headers=own))
    with ada.websocket_connect(path_of(table, "live"), headers=own) as line:
        SocketReader(line)


def browser_headers(mode: str, dest: str, site: str = "cross-site") -> dict[str, str]:
    return {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest, "accept": "*/*"}


IMAGE, FRAME, LINK = (
    browser_headers(*how) for how in (("no-cors", "image"), ("navigate", "iframe"), ("navigate", "document"))
)
OLD_IMAGE = {"referer": "https://evil.example/page"}
"""What a browser says when another site's page has an image, a frame or a link; an old one says less."""


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (IMAGE, 403),
        (browser_headers("no-cors", "image", "same-site"), 403),
        (browser_headers("cors", "empty") | {"origin": "https://evil.example"}, 403),
        (FRAME, 403),
        (LINK, 404),
        (OLD_IMAGE, 404),
    ],
)
def test_pages_of_other_sites_do_not_lock_their_visitors_out(
    tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    with in_process(tmp_path, misses_minute=5, requests_s=0.001, requests_burst=20) as client:
        ada = new_person(client, "Ada")
        answers = [client.get(path_of(f"guess-{number}"), headers=headers).status_code for number in range(30)]
        assert set(answers) == {status, 429}
        sockets = [denied(client, f"{API}/tables/x/live", origin="https://evil.example") for _ in range(30)]
        assert {answer.status_code for answer in sockets} <= {403, 429}
        json_of(ada.get(f"{API}/me"))
        assert ada.get("/", headers=browser_headers("navigate", "document", "none")).status_code == 200


def test_links_of_other_sites_lead_to_pages(ada: TestClient) -> None:
    table = new_table(ada)["id"]
    for headers in (LINK, {"referer": "https://mail.example/"}, {"referer": "http://testserver/mine"}):
        assert ada.get(f"/tables/{table}", headers=headers).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "", "[", "localhost.evil.example", "testserver.evil:80", "::1"])
def test_other_names_of_the_server_are_not_answered_to(ada: TestClient, host: str) -> None:
    refused(ada.get("/", headers={"host": host}), 421, "wrong-host")
    refused(denied(ada, f"{API}/tables/x/live", host=host), 421, "wrong-host")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8765", "127.0.0.1:80", "192.168.1.7", "[::1]:8765"])
def test_addresses_and_known_names_are(ada: TestClient, host: str) -> None:
    assert ada.get("/", headers={"host": host}).status_code == 200
