"""A server behind a proxy: real ones, with the lines of the page, and headers made by hand."""

import asyncio
import json
import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from suitors.server.errors import Refused
from suitors.server.http.middleware import Middleware
from suitors.server.ops.limits import Limits, client_of
from suitors.server.ops.metrics import Metrics
from suitors.server.ops.proxies import TrustedProxies, read_proxy
from suitors.server.ops.shares import LoopShares
from support.proxies import NAME, PROXIES, Answer, Visitor, answered, options, proxy_before, secure
from support.raw_connections import UPGRADE
from support.servers import API, FREE, Running, running

FEW = 5
LIMITS = vars(FREE) | {"misses_minute": FEW, "connections_client": FEW, "requests_at_once": FEW, "body_s": 30}


class Proxied(SimpleNamespace):
    """A server, the proxy in front of it, and visitors from addresses that nobody had before."""

    server: Running
    port: int
    used: int = 1

    def visitor(self) -> Visitor:
        self.used += 1
        return Visitor(self.port, f"127.0.0.{self.used}")


@pytest.fixture(scope="module", params=PROXIES)
def proxied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    folder = tmp_path_factory.mktemp("proxied")
    limits = folder / "strict.toml"
    limits.write_text("".join(f"{key} = {value}\n" for key, value in LIMITS.items()))
    with running(folder, *options(), "--limits", str(limits)) as server:
        address = server.address.removeprefix("http://")
        with proxy_before(request.param, folder / "proxy", address) as port:
            yield Proxied(server=server, port=port)


def cookie_of(answer: Answer) -> str:
    return next(value for name, value in answer.headers.items() if name.lower() == "set-cookie")


# Real proxies


def test_a_request_has_the_id_that_the_proxy_gives_it_and_not_one_of_its_clients(proxied: Proxied) -> None:
    answers = [proxied.visitor().ask("GET", "/health/live", X_Request_Id="mine-mine-mine") for _ in range(2)]
    ids = {value for answer in answers for name, value in answer.headers.items() if name.lower() == "x-request-id"}
    assert len(ids) == 2
    assert all(re.fullmatch("[0-9a-f-]{32,36}", each) for each in ids)


def test_pages_forms_and_cookies_pass(proxied: Proxied) -> None:
    ada = proxied.visitor()
    assert ada.ask("GET", "/").status == 200
    body, site = json.dumps({"name": "Ada"}).encode(), {"Origin": f"https://{NAME}"}
    made = ada.ask("POST", f"{API}/me", body, Content_Type="application/json", **site)
    assert made.status == 201
    assert "Secure" in cookie_of(made)
    assert ada.ask("POST", f"{API}/me", body, Origin="https://elsewhere.example").status == 403


def test_sockets_pass(proxied: Proxied) -> None:
    ada = proxied.visitor()
    body = json.dumps({"name": "Ada"}).encode()
    made = ada.ask("POST", f"{API}/me", body, Content_Type="application/json")
    cookie = cookie_of(made).partition(";")[0]
    opening = json.dumps({"edition": "classic", "players": 2}).encode()
    table = ada.ask("POST", f"{API}/tables", opening, Content_Type="application/json", Cookie=cookie)
    path = f"{API}/tables/{json.loads(table.body)['id']}/live"
    head = "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {NAME}", f"Cookie: {cookie}", *UPGRADE, "", ""])
    with secure(ada.port, ada.address) as line:
        line.sendall(head.encode())
        told = b""
        while b'{"type":"hello"' not in told and (more := line.recv(65_536)):
            told += more
        assert told.startswith(b"HTTP/1.1 101 ")
        assert b'{"type":"hello"' in told


def test_who_guesses_waits_alone_whatever_address_they_claim(proxied: Proxied) -> None:
    guesser, other = proxied.visitor(), proxied.visitor()
    for number in range(FEW + 3):
        claimed = f"198.51.100.{number}, 203.0.113.{number}"
        status = guesser.ask("GET", f"{API}/tables/guess", X_Forwarded_For=claimed).status
        assert status == (404 if number < FEW else 429)
    assert other.ask("GET", f"{API}/tables/guess", X_Forwarded_For=f"{guesser.address}").status == 404
    assert guesser.ask("GET", "/", X_Forwarded_For="192.0.2.1", Forwarded="for=192.0.2.1").status == 429


def connections_to(port: int) -> int:
    """How many connections the system has from here to a port of this machine."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(line.split()[2].endswith(f":{port:04X}") and line.split()[3] == "01" for line in lines)


def test_one_client_with_many_requests_does_not_lock_others_out(proxied: Proxied) -> None:
    many, other = proxied.visitor(), proxied.visitor()
    process, port = proxied.server.process, int(proxied.server.address.rpartition(":")[2])
    os.kill(process.pid, signal.SIGSTOP)  # so that all of them come at once
    try:
        asked = [many.begin("GET", "/health") for _ in range(4 * FEW)]
        waiting = other.begin("GET", "/health")
        for _ in range(500):
            if connections_to(port) > 4 * FEW:
                break
            time.sleep(0.01)
    finally:
        os.kill(process.pid, signal.SIGCONT)
    assert answered(waiting).status == 200
    assert {answered(each).status for each in asked} <= {200, 429}


@pytest.mark.parametrize("proxied", ["caddy"], indirect=True)  # nginx keeps such bodies to itself
def test_requests_that_do_not_end_are_counted_by_client(proxied: Proxied) -> None:
    slow, other = proxied.visitor(), proxied.visitor()
    head = f"POST {API}/me HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 100\r\n\r\n{{"
    with ExitStack() as stack:
        for _ in range(2 * FEW):
            stack.enter_context(secure(slow.port, slow.address)).sendall(head.encode())
        for _ in range(1_000):
            if slow.ask("GET", "/", X_Forwarded_For="192.0.2.7").status == 429:
                break
        else:
            pytest.fail("any number of requests is taken")
        assert other.ask("GET", "/").status == 200


def test_who_comes_past_the_proxy_is_not_believed(proxied: Proxied) -> None:
    direct, statuses = proxied.visitor().address, []
    for number in range(FEW + 1):
        host = proxied.server.address.removeprefix("http://")
        with closing(HTTPConnection(host, timeout=30, source_address=(direct, 0))) as line:
            line.request("GET", f"{API}/tables/x", headers={"X-Forwarded-For": f"192.0.2.{number}"})
            statuses.append(line.getresponse().status)
    assert statuses == [404] * FEW + [429]


# Headers by hand


def scope(peer: str, kind: str = "http", **headers: str) -> dict[str, Any]:
    raw = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    return {"type": kind, "client": (peer, 1), "scheme": "http" if kind == "http" else "ws", "headers": raw}


@pytest.mark.parametrize(
    ("peer", "named", "client"),
    [
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "6.6.6.6, 198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "6.6.6.6, 198.51.100.7, 10.1.2.3", "198.51.100.7"),
        ("127.0.0.1", "198.51.100.7, 6.6.6.6, 198.51.100.8", "198.51.100.8"),
        ("127.0.0.1", "198.51.100.7, unknown", "127.0.0.1"),
        ("127.0.0.1", "unknown, 198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "198.51.100.7,,", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7:4711", "198.51.100.7"),
        ("127.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"),
        ("127.0.0.1", "2001:db8::7", "2001:db8::7"),
        ("127.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "10.1.2.3", "10.1.2.3"),
        ("::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("2001:db8:1::5", "198.51.100.7", "198.51.100.7"),
        ("198.51.100.9", "198.51.100.7", "198.51.100.9"),
        ("local", "198.51.100.7", "local"),
    ],
)
def test_the_client_is_the_last_that_a_trusted_proxy_names(peer: str, named: str, client: str) -> None:
    proxies = TrustedProxies(map(read_proxy, ["127.0.0.1", "10.0.0.0/8", "2001:db8:1::/48"]))
    asked = scope(peer, x_forwarded_for=named)
    proxies.apply(asked)
    assert asked["client"][0] == client


def test_several_headers_are_one_list() -> None:
    asked = scope("127.0.0.1", x_forwarded_for="198.51.100.7")
    asked["headers"].insert(0, (b"x-forwarded-for", b"6.6.6.6"))
    TrustedProxies([read_proxy("127.0.0.1")]).apply(asked)
    assert asked["client"][0] == "198.51.100.7"


@pytest.mark.parametrize(("kind", "plain", "secured"), [("http", "http", "https"), ("websocket", "ws", "wss")])
def test_the_scheme_is_what_a_trusted_proxy_says(kind: str, plain: str, secured: str) -> None:
    proxies = TrustedProxies([read_proxy("127.0.0.1")])
    told = {"https": secured, "http": plain, "gopher": plain, "": plain, "http, https": secured}
    for said, scheme in told.items():
        for peer, expected in (("127.0.0.1", scheme), ("198.51.100.9", plain)):
            asked = scope(peer, kind, x_forwarded_proto=said)
            proxies.apply(asked)
            assert asked["scheme"] == expected


def test_nobody_is_believed_unless_told_so() -> None:
    asked = scope("127.0.0.1", x_forwarded_for="198.51.100.7", x_forwarded_proto="https")
    TrustedProxies().apply(asked)
    assert (asked["client"][0], asked["scheme"]) == ("127.0.0.1", "http")


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("local", "local"),
        ("a:b", "a:b"),
    ],
)
def test_a_client_is_an_address_or_a_subnet(host: str, client: str) -> None:
    assert client_of({"client": (host, 1)}) == client


async def in_flight() -> tuple[list[int], dict[str, int]]:
    """The statuses of six requests, the fourth and fifth too many at once; and what is counted afterwards."""
    free, statuses = asyncio.Event(), list[int]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await free.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    def render(scope: Any, refusal: Refused) -> tuple[bytes, str]:
        return b"", "text/plain"

    proxies = TrustedProxies([read_proxy("127.0.0.1")])
    limits = Limits(requests_at_once=3)
    middleware = Middleware(app, sockets=app, limits=limits, metrics=Metrics(), render_refusal=render, proxies=proxies)
    served = SimpleNamespace(
        state=SimpleNamespace(server=SimpleNamespace(check_client=lambda _: None, shares=LoopShares(limits)))
    )
    asked = [
        {**scope("127.0.0.1", host="localhost", x_forwarded_for=client), "method": "GET", "path": "/", "app": served}
        for client in ["192.0.2.1"] * 5 + ["192.0.2.2"]
    ]
    tasks = [asyncio.ensure_future(middleware(each, app, send)) for each in asked]  # type: ignore[arg-type]
    await asyncio.sleep(0)
    free.set()
    await asyncio.gather(*tasks)
    return statuses, dict(middleware.running)


def test_a_client_may_have_so_many_requests_answered_at_once() -> None:
    statuses, left = asyncio.run(in_flight())
    assert statuses == [429, 429, 200, 200, 200, 200]
    assert left == {}
