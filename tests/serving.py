"""Servers for tests: in this process (`inside`), or a real one that can be killed (`running`)."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from suitors.server.app import make_app
from suitors.server.house import Settings
from suitors.server.limits import Limits

API = "/api/v1"
SITE = "http://testserver"
FREE = Limits(
    requests_s=1e6,
    requests_burst=1_000_000,
    persons_hour=1e6,
    misses_minute=1e6,
    messages_s=1e6,
    messages_burst=1_000_000,
    tables=100_000,
    sockets_person=100_000,
    sockets_client=100_000,
    connections_client=100_000,
    think_ms=5.0,
)
"""Limits that no test meets by accident; bots think shortly."""


@contextmanager
def inside(folder: Path, **limits: Any) -> Iterator[TestClient]:
    """A server in this process, with these limits and no others."""
    app = make_app(Settings(folder, sync=False, limits=replace(FREE, **limits), workers=1, origins=(SITE,)))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def guest(client: TestClient, name: str) -> TestClient:
    """Another person at the same server, with cookies of their own."""
    other = TestClient(client.app, raise_server_exceptions=False)
    other.portal = client.portal  # the same event loop
    answer = other.post(f"{API}/me", json={"name": name})
    assert answer.status_code == 201, answer.text
    return other


class Running:
    """A server in a process of its own, on a port of its own."""

    def __init__(self, folder: Path, port: int = 0, *more: str) -> None:
        limits = folder / "limits.toml"
        folder.mkdir(parents=True, exist_ok=True)
        limits.write_text("".join(f"{key} = {value}\n" for key, value in vars(FREE).items()))
        self.folder, self.more = folder, ("--limits", str(limits), *more)
        self.address = ""
        self.start(port)

    def start(self, port: int = 0) -> None:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-m", "suitors", "serve", "--no-open", "--port", str(port), "--data"]
        self.log = (self.folder / "log").open("a")
        self.process = subprocess.Popen(
            [*command, str(self.folder / "data"), *self.more],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Suitors is at "), (line, (self.folder / "log").read_text()[-2000:])
        self.address = line.split()[3].rstrip("/")

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self._gone()

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end; its exit status."""
        self.process.send_signal(how)
        self._gone()
        return self.process.returncode

    def restart(self) -> None:
        """Kill it and start it again at the same address."""
        port = int(self.address.rpartition(":")[2])
        self.kill()
        self.start(port)

    def _gone(self) -> None:
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.log.close()


@contextmanager
def running(folder: Path, *more: str) -> Iterator[Running]:
    """A real server; killed at the end if it still runs."""
    server = Running(folder, 0, *more)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            os.killpg(server.process.pid, signal.SIGKILL)
            server.process.wait()
        if server.process.stdout is not None:
            server.process.stdout.close()
        server.log.close()


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
