"""The cookie of a key is named after its server, so that servers on one host leave each other's keys alone."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from suitors.client.connection import ApiClient, Keys
from suitors.server.common.cookies import PLAIN_COOKIE, key_cookie
from support.servers import API, in_process, json_of, key_of, new_person, refused, server_of


class Browser:
    """A browser that has the same cookies for two servers on one host, as browsers do."""

    def __init__(self, *servers: TestClient) -> None:
        self.servers = [TestClient(server.app, raise_server_exceptions=False) for server in servers]
        for mine, server in zip(self.servers, servers, strict=True):
            mine.portal = server.portal
            mine.cookies.jar = self.servers[0].cookies.jar


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with ExitStack() as stack:
        yield Browser(*(stack.enter_context(in_process(tmp_path / name)) for name in ("one", "two")))


def test_two_servers_on_one_host_leave_each_others_keys_alone(browser: Browser) -> None:
    one, two = browser.servers
    json_of(one.post(f"{API}/me", json={"name": "Ada"}), 201)
    refused(two.get(f"{API}/me"), 401, "who-are-you")
    json_of(two.post(f"{API}/me", json={"name": "Ben"}), 201)
    two.post("/me", data={"name": "Benjamin"})
    assert [json_of(server.get(f"{API}/me"))["name"] for server in (one, two)] == ["Ada", "Benjamin"]
    two.post("/me/forget")
    refused(two.get(f"{API}/me"), 401, "who-are-you")
    assert json_of(one.get(f"{API}/me")) == {"name": "Ada"}


def test_a_key_in_the_plain_cookie_goes_on_and_gets_one_of_its_own(browser: Browser) -> None:
    one, two = browser.servers
    json_of(one.post(f"{API}/me", json={"name": "Ada"}), 201)
    key = key_of(one) or ""
    one.cookies.clear()
    one.cookies.set(PLAIN_COOKIE, key, domain="testserver.local")
    assert json_of(one.get(f"{API}/me")) == {"name": "Ada"}
    refused(two.get(f"{API}/me"), 401, "unknown-key")
    assert one.cookies[PLAIN_COOKIE] == key  # it is not for the other server to take away
    assert two.get("/").status_code == 200
    assert key_of(one) is None
    assert one.get("/").status_code == 200
    assert key_of(one) == key
    one.post("/me/forget")
    assert (one.cookies.get(PLAIN_COOKIE), key_of(one)) == (None, None)


def test_a_servers_name_is_in_its_data_and_stays(tmp_path: Path) -> None:
    names = set()
    for _ in range(2):
        with in_process(tmp_path) as client:
            names.add(key_cookie(server_of(client)))
    (name,) = names
    assert re.fullmatch("suitors-[0-9a-f]{8}", name)


def test_a_program_keeps_the_key_whatever_the_cookie_is_called(tmp_path: Path) -> None:
    keys = Keys()
    api = ApiClient("http://localhost", keys)
    api._keep_key(["other=1; Path=/", "suitors-reader=lang%3Den; Path=/", "suitors-0a1b2c3d=first; Path=/"])
    assert keys.find("http://localhost") == "first"
    api._keep_key(["suitors=second; Path=/"])
    assert keys.find("http://localhost") == "second"
    with in_process(tmp_path) as client:
        ada = new_person(client, "Ada")
        header = {"cookie": f"{PLAIN_COOKIE}={key_of(ada)}"}
        assert json_of(client.get(f"{API}/me", headers=header)) == {"name": "Ada"}
