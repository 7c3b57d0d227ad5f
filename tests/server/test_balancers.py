"""Two processes behind a real balancer, set up by the lines of docs/operations.md, one of which is killed."""

import json
import time
from collections.abc import Iterator

import pytest

from support.postgres import Cluster, new_database
from support.processes import several
from support.proxies import NAME, PROXIES, Visitor, options, proxy_before, secure
from support.raw_connections import UPGRADE
from support.servers import API, Running

JSON = {"Content_Type": "application/json"}

IN_A_ROW, TRIES = 10, 400
"""How many requests must come through before a balancer has noticed that a process is gone, and how many are sent."""


@pytest.fixture(scope="module")
def servers(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Running]]:
    with new_database(cluster) as name:
        urls = [cluster.url(name)] * 2
        with several(tmp_path_factory.mktemp("balanced"), *urls, more=options()) as servers:
            yield servers


def hello(visitor: Visitor, table: str, cookie: str) -> bytes:
    """What a socket is told first."""
    path = f"{API}/tables/{table}/live"
    head = "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {NAME}", f"Cookie: {cookie}", *UPGRADE, "", ""])
    with secure(visitor.port, visitor.address) as line:
        line.sendall(head.encode())
        told = b""
        while b'{"type":"hello"' not in told and (more := line.recv(65_536)):
            told += more
    return told


def notices(visitor: Visitor) -> bool:
    """Whether a balancer that passes a POST on only once comes to send all of them to processes that are there."""
    row = 0
    for _ in range(TRIES):
        row = 0 if visitor.ask("POST", f"{API}/tables", b"{}", **JSON).status == 502 else row + 1
        if row == IN_A_ROW:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("kind", PROXIES)
def test_a_process_that_is_killed_is_not_missed(
    kind: str, servers: list[Running], tmp_path_factory: pytest.TempPathFactory
) -> None:
    addresses = [server.address.removeprefix("http://") for server in servers]
    folder = tmp_path_factory.mktemp("balancer") / "proxy"
    with proxy_before(kind, folder, *addresses) as port:
        ada = Visitor(port, "127.0.0.9")
        made = ada.ask("POST", f"{API}/me", json.dumps({"name": "Ada"}).encode(), **JSON)
        cookie = next(value for name, value in made.headers.items() if name.lower() == "set-cookie").partition(";")[0]
        opening = json.dumps({"edition": "classic", "players": 2}).encode()
        tables = [
            json.loads(ada.ask("POST", f"{API}/tables", opening, Cookie=cookie, **JSON).body)["id"] for _ in range(4)
        ]
        servers[0].kill()
        assert kind == "nginx" or notices(ada)
        for table in tables:
            assert ada.ask("GET", f"{API}/tables/{table}", Cookie=cookie).status == 200
            assert ada.ask("POST", f"{API}/tables", opening, Cookie=cookie, **JSON).status == 201
            assert b'{"type":"hello"' in hello(ada, table, cookie)
        servers[0].start(int(servers[0].address.rpartition(":")[2]))
