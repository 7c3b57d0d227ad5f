"""Servers for tests: in this process (`inside`), or a real one that can be killed (`running`)."""

import json
import os
import random
import signal
import socket
import sqlite3
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from http.cookiejar import CookieJar
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse, WebSocketTestSession

from suitors.server.app import make_app
from suitors.server.common.cookies import key_cookie
from suitors.server.ops.limits import Limits
from suitors.server.server import Server, Settings
from suitors.server.storage.folder import FILE

from .copies import Copy
from .direct_sockets import DirectSockets
from .quick_client import QuickClient

API = "/api/v1"
TOKEN = "a-token-for-metrics"
"""By which the metrics of servers in this process may be read."""

SITE = "http://testserver"
FREE = Limits(
    requests_s=1e6,
    requests_burst=1_000_000,
    requests_at_once=1_000_000,
    persons_hour=1e6,
    misses_minute=1e6,
    messages_s=1e6,
    messages_burst=1_000_000,
    tables=100_000,
    tables_hour=1e6,
    events_table=1_000_000,
    changes_seat=1_000_000,
    records_kb_hour=1e6,
    free_mb=1,
    sockets_person=100_000,
    sockets_client=100_000,
    connections_client=100_000,
    think_ms=5.0,
    loop_s=1e6,
    loop_share=1e6,
    job_s=600.0,
    jobs=1_000_000,
    jobs_client=1_000_000,
    work_s=1e6,
    work_minute_s=1e6,
)
"""Limits that no test meets by accident; bots think shortly."""


@contextmanager
def in_process(folder: Path, database: str = "", **limits: Any) -> Iterator[TestClient]:
    """A server in this process, with these limits and no others."""
    chosen = replace(FREE, **limits)
    app = make_app(
        Settings(folder, database, sync=False, limits=chosen, workers=1, origins=(SITE,), metrics_token=TOKEN)
    )
    app.add_middleware(DirectSockets)
    with QuickClient(app, raise_server_exceptions=False) as client:
        yield client


def new_person(client: TestClient, name: str) -> TestClient:
    """Another person at the same server, with cookies of their own."""
    other = QuickClient(client.app, raise_server_exceptions=False)
    other.portal = client.portal  # the same event loop
    answer = other.post(f"{API}/me", json={"name": name})
    assert answer.status_code == 201, answer.text
    return other


def key_of(who: TestClient) -> str | None:
    """The key of a person, from the cookie that is named after the server."""
    return who.cookies.get(key_cookie(server_of(who)))


def use_key(who: TestClient, key: str) -> TestClient:
    """Let a client be the person with this key."""
    who.cookies.clear()
    who.cookies.set(key_cookie(server_of(who)), key, domain="testserver.local")
    return who


def free_port() -> int:
    """A free port below those that the system gives to callers: one who calls while it is shut cannot get it.

    Each process of tests has ports of its own, so that no two of them choose the same in the same moment.
    """
    mine = 20_000 + 1000 * (int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 12)
    while True:
        port = mine + random.randrange(1000)
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port


class Running:
    """A server in a process of its own, on a port of its own."""

    program = ("-m", "suitors")

    def __init__(self, folder: Path, port: int = 0, *more: str) -> None:
        limits = folder / "limits.toml"
        folder.mkdir(parents=True, exist_ok=True)
        limits.write_text("".join(f"{key} = {value}\n" for key, value in vars(FREE).items()))
        self.folder, self.more = folder, ("--limits", str(limits), *more)
        self.address = ""
        self.start(port or free_port())

    def start(self, port: int = 0) -> None:
        """Start it, and wait until it listens."""
        words = (
            *self.program,
            "serve",
            "--no-open",
            "--port",
            str(port),
            "--data",
            str(self.folder / "data"),
            *self.more,
        )
        self.log = (self.folder / "log").open("a")
        self.process = Copy(*words, stderr=self.log)
        line = self.process.stdout.readline()
        if not line.startswith("Suitors is at "):
            self.clear_away()
            raise AssertionError((line, (self.folder / "log").read_text()[-2000:]))
        self.address = line.split()[3].rstrip("/")

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self._gone()

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end; its exit status."""
        self.process.send_signal(how)
        return self._gone()

    def restart(self) -> None:
        """Kill it and start it again at the same address."""
        port = int(self.address.rpartition(":")[2])
        self.kill()
        self.start(port)

    def clear_away(self) -> None:
        """Kill it and what it has started, if it still runs, and close what it writes to."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.close()
        self.log.close()

    def _gone(self) -> int:
        status = self.process.wait(30)
        self.process.close()
        self.log.close()
        return status


@contextmanager
def running(folder: Path, *more: str) -> Iterator[Running]:
    """A real server; killed at the end if it still runs."""
    server = Running(folder, 0, *more)
    try:
        yield server
    finally:
        server.clear_away()


class Caller:
    """A person who calls a real server over HTTP."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address
        self.jar = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self("POST", "/me", name=name)

    def __call__(self, method: str, path: str, **body: Any) -> Any:
        """Send a request; the answer's JSON. An HTTPError where it is refused."""
        data = json.dumps(body).encode() if body else b"{}" if method in ("POST", "PUT") else None
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + API + path, data, headers, method=method)
        with self.opener.open(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    @property
    def cookie(self) -> str:
        """The Cookie header for a socket."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)


def read_metrics(address: str, token: str) -> str:
    """The metrics of a real server that was started with this token."""
    request = urllib.request.Request(f"{address}/metrics", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


def all_events(caller: Caller, table: str, seat: int) -> list[Any]:
    """All that has happened at a table, as a seat sees it, page by page."""
    found: list[Any] = []
    more = True
    while more:
        page = caller("GET", f"/tables/{table}/events?seat={seat}&since={len(found)}")
        found += page["events"]
        more = page["more"]
    return found


def server_of(client: TestClient) -> Server:
    """The server that a client in this process talks to."""
    server: Server = client.app.state.server  # type: ignore[attr-defined]
    return server


class Clock:
    """The time of some modules, moved on by a test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *modules: Any) -> None:
        self.ahead = 0.0  # seconds
        moved = SimpleNamespace(time=lambda: time.time() + self.ahead, monotonic=lambda: time.monotonic() + self.ahead)
        for module in modules:
            monkeypatch.setattr(module, "time", moved)


def on_loop(client: TestClient, act: Callable[[], Any]) -> Any:
    """What a function, or a coroutine function, gives on the event loop of the server."""
    assert client.portal is not None
    return client.portal.call(act)


# What people do at a table


def json_of(answer: Any, status: int = 200) -> Any:
    """The JSON of an answer that must have this status."""
    assert answer.status_code == status, (answer.status_code, answer.text)
    return answer.json()


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The error of an answer that must be refused like this, in a sentence."""
    error: dict[str, Any] = json_of(answer, status)["error"]
    assert error["code"] == code, error
    assert error["message"].endswith(".")
    return error


def denied(who: TestClient, path: str, **headers: str) -> Any:
    """The answer to a socket that is not opened."""
    with pytest.raises(WebSocketDenialResponse) as error, who.websocket_connect(path, headers=headers):
        pass
    return error.value


def new_table(who: TestClient, edition: str = "classic", players: int = 2, **more: Any) -> dict[str, Any]:
    """A new table where nobody waits for anything."""
    body = {"edition": edition, "players": players, "pace_ms": 0, "rest_s": 0, **more}
    table: dict[str, Any] = json_of(who.post(f"{API}/tables", json=body), 201)
    return table


def path_of(table: dict[str, Any] | str, *rest: Any) -> str:
    """The path of a table, or of a part of it."""
    return "/".join([f"{API}/tables", table if isinstance(table, str) else table["id"], *map(str, rest)])


def state_of(who: TestClient, table: dict[str, Any] | str) -> int:
    """The state that a table is in."""
    return int(json_of(who.get(path_of(table)))["state"])


def change(who: TestClient, method: str, path: str, table: dict[str, Any] | str, **body: Any) -> Any:
    """Change a table as it is now; the raw answer."""
    body["state"] = state_of(who, table)
    if method == "DELETE":
        return who.delete(path_of(table, path) if path else path_of(table), params=body)
    return who.request(method, path_of(table, path), json=body)


def started_table(host: TestClient, *others: TestClient, **more: Any) -> dict[str, Any]:
    """A table where the host and the others sit in this order, and the match has started."""
    table = new_table(host, players=1 + len(others), seats=[{}], **more)
    for seat, other in enumerate(others, 1):
        json_of(change(other, "PUT", f"seats/{seat}", table))
    json_of(change(host, "POST", "start", table))
    while json_of(host.get(path_of(table, "view")))["view"]["round"] < 0:
        pass  # the first deal is on its way
    return table


def next_decision(people: Mapping[int, TestClient], table: dict[str, Any] | str) -> tuple[int, int, list[str]]:
    """The state, the seat that has to decide and its legal moves; waits for deals and bots."""
    for _ in range(20_000):
        for seat, who in people.items():
            told = json_of(who.get(path_of(table, "legal"), params={"seat": seat}))
            if told["legal"]:
                return told["state"], seat, told["legal"]
    raise AssertionError("nobody can decide")


def make_move(people: Mapping[int, TestClient], table: dict[str, Any] | str, rng: random.Random) -> tuple[int, str]:
    """Play any legal move, whoever's turn it is: the seat and the move."""
    state, seat, legal = next_decision(people, table)
    move = rng.choice(legal)
    json_of(people[seat].post(path_of(table, "moves"), json={"state": state, "seat": seat, "move": move}))
    return seat, move


class SocketReader:
    """Somebody at a socket, and all that they have been told."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.hello = socket.receive_json()
        self.news: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        self.read()

    def read(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = self.socket.receive_json()
        (self.news if message["type"] == "news" else self.answers).append(message)
        return message

    def wait(self, people: int) -> dict[str, Any]:
        """Read until one of the first so many seats has to decide, or all is over: the last news."""
        while self.news[-1]["status"] == "playing" and (
            self.news[-1]["scene"]["turn"] is None or self.news[-1]["scene"]["turn"] >= people
        ):
            self.read()
        return self.news[-1]

    def answer(self) -> dict[str, Any]:
        """The answer to the last question, whatever is told before it."""
        known = len(self.answers)
        while len(self.answers) == known:
            self.read()
        return self.answers[-1]

    @property
    def entries(self) -> list[Any]:
        """What this seat was told of the match, step by step."""
        return [event["entries"] for told in self.news for event in told["events"] if "entries" in event]


def load_version_1(folder: Path) -> None:
    """The store of version 1 in this folder, used just now."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.executescript((Path(__file__).parent.parent / "data" / "store-1.sql").read_text("utf-8"))
        db.execute("UPDATE tables SET updated = ?", (int(time.time()),))
        db.execute("UPDATE keys SET seen = ?", (int(time.time()),))
        db.commit()
