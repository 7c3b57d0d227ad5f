"""Keys in cookies that are named after their server, and transfer links, which replace nobody without asking."""

import html
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


# Transfer links


def link_of(who: TestClient) -> str:
    return str(json_of(who.post(f"{API}/me/transfers"), 201)["path"])


def test_a_transfer_link_replaces_nobody_without_asking(client: TestClient) -> None:
    mallory, ada = new_person(client, "Mallory"), new_person(client, "Ada & Co")
    link, key = link_of(mallory), key_of(ada)
    page = ada.get(link)
    assert page.status_code == 200
    for text in ("This link belongs to Mallory.", "on this device you are Ada & Co.", "Replace Ada & Co with Mallory"):
        assert html.escape(text) in page.text
    asked = ada.post(link, follow_redirects=False)  # as the form of a page was that saw nobody here
    assert (asked.status_code, key_of(ada)) == (409, key)
    assert "Replace" in asked.text
    (field,) = re.findall(r'name="replace" value="(\d+)"', page.text)
    for wrong in ("", "yes", str(int(field) + 1)):  # somebody else was here when the page was shown
        assert ada.post(link, data={"replace": wrong}, follow_redirects=False).status_code == 409
    assert json_of(ada.get(f"{API}/me")) == {"name": "Ada & Co"}
    answer = ada.post(link, data={"replace": field}, follow_redirects=False)  # the link still works
    assert (answer.status_code, answer.headers["location"]) == (303, "/mine")
    assert json_of(ada.get(f"{API}/me")) == {"name": "Mallory"}


def test_a_code_replaces_nobody_through_the_api_without_their_consent(client: TestClient) -> None:
    mallory, ada = new_person(client, "Mallory"), new_person(client, "Ada")
    code, key = json_of(mallory.post(f"{API}/me/transfers"), 201)["code"], key_of(ada)
    for more in ({}, {"replace": False}):
        error = refused(ada.post(f"{API}/me/arrivals", json={"code": code, **more}), 409, "would-replace")
        assert "You are Ada here, and would be Mallory" in error["message"]
        assert key_of(ada) == key
    refused(ada.post(f"{API}/me/arrivals", json={"code": code, "replace": "yes"}), 422, "bad-request")
    assert json_of(ada.post(f"{API}/me/arrivals", json={"code": code, "replace": True}), 201) == {"name": "Mallory"}
    assert json_of(ada.get(f"{API}/me")) == {"name": "Mallory"}


def test_a_code_of_ones_own_or_on_a_new_device_needs_no_consent(client: TestClient) -> None:
    ada = new_person(client, "Ada")
    phone = TestClient(client.app)
    phone.portal = client.portal
    for who in (ada, phone):
        code = json_of(ada.post(f"{API}/me/transfers"), 201)["code"]
        assert json_of(who.post(f"{API}/me/arrivals", json={"code": code}), 201) == {"name": "Ada"}


def test_a_link_to_oneself_changes_nothing(client: TestClient) -> None:
    ada = new_person(client, "Ada")
    link, key = link_of(ada), key_of(ada)
    for send in (ada.get, ada.post):
        answer = send(link, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"], key_of(ada)) == (303, "/mine", key)


def test_a_link_that_is_void_says_so_at_once(client: TestClient) -> None:
    for who in (new_person(client, "Ada"), TestClient(client.app)):
        who.portal = client.portal
        answer = who.get("/transfer/made-up")
        assert answer.status_code == 404
        assert "used or is too old" in answer.text
