"""Real proxies in front of a real server, set up by the very files that deploy/ has for them."""

import re
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPSConnection
from pathlib import Path
from typing import NamedTuple

import pytest

import run
from support.repository import ROOT
from support.servers import free_port

NAME = "play.example.org"
SERVER = "127.0.0.1:8765"
"""The server's name and address on the page."""

UNCHECKED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
UNCHECKED.check_hostname, UNCHECKED.verify_mode = False, ssl.CERT_NONE

PAGE = (ROOT / "docs" / "server.md").read_text("utf-8")
OPERATIONS = (ROOT / "docs" / "operations.md").read_text("utf-8")
DEPLOY = ROOT / "deploy"


def on_page(language: str, named: str = SERVER) -> str:
    """The lines of the page in this language where something is named."""
    found = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(next(lines for lines in found if named in lines))


def options() -> list[str]:
    """The options that the page starts a server behind a proxy with."""
    return on_page("console", "--trust-proxy").removeprefix("$ suitors serve --no-open ").split()


def program(name: str) -> str:
    """The path of a program that proxies need; without it the test is skipped."""
    found = run.find_proxy(name)
    if found is None:
        pytest.skip(f"{name} is not installed here, and could not be fetched by `python3 run.py test`")
    return found


def balanced(language: str, servers: Sequence[str]) -> str:
    """What the page on operation has for several processes, with these in place of its two."""
    (lines,) = re.findall(rf"```{language}\n(.*?)```", OPERATIONS, re.DOTALL)
    for named, server in zip(("127.0.0.1:8701", "127.0.0.1:8702"), servers, strict=True):
        assert named in lines
        lines = lines.replace(named, server)
    return str(lines)


def nginx(folder: Path, port: int, servers: Sequence[str]) -> list[str]:
    """The command that starts nginx as its file says."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subject = ["-subj", f"/CN={NAME}", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    subprocess.run(
        [program("openssl"), "req", "-x509", "-nodes", *subject, "-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )
    lines = (DEPLOY / "nginx.conf").read_text("utf-8").replace("listen 443", f"listen 127.0.0.1:{port}")
    if len(servers) == 1:
        lines = lines.replace(SERVER, servers[0])
    else:
        lines = balanced("nginx", servers) + lines.replace(SERVER, "suitors")
    lines = re.sub(r"(ssl_certificate) .*;", rf"\1 {certificate};", lines)
    lines = re.sub(r"(ssl_certificate_key) .*;", rf"\1 {key};", lines)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = " ".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off; master_process off; pid {folder / 'pid'}; error_log {folder / 'proxy.log'}; "
        f"events {{}} http {{ access_log off; {places}\n{lines}}}\n",
        "utf-8",
    )
    return [program("nginx"), "-p", str(folder), "-e", str(folder / "proxy.log"), "-c", str(config)]


def caddy(folder: Path, port: int, servers: Sequence[str]) -> list[str]:
    """The command that starts Caddy as its file says, with certificates of its own making."""
    settings = f"https_port {port}\nauto_https disable_redirects\nlocal_certs\nskip_install_trust\nadmin off\n"
    storage = f"storage file_system {folder / 'storage'}\n"
    config = folder / "Caddyfile"
    lines = (DEPLOY / "Caddyfile").read_text("utf-8").replace(SERVER, servers[0])
    lines = lines if len(servers) == 1 else balanced("caddyfile", servers)
    config.write_text(f"{{\n{settings}{storage}}}\n{lines}", "utf-8")
    return [program("caddy"), "run", "--config", str(config), "--adapter", "caddyfile"]


PROXIES: dict[str, Callable[[Path, int, Sequence[str]], list[str]]] = {"nginx": nginx, "caddy": caddy}


@contextmanager
def proxy_before(kind: str, folder: Path, *servers: str) -> Iterator[int]:
    """A proxy in front of the processes at these hosts and ports; the port that it listens on."""
    folder.mkdir()
    port = free_port()
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "output").open("w") as output:
        process = subprocess.Popen(PROXIES[kind](folder, port, servers), stdout=output, stderr=output, env=home)
        try:
            while not _answers(port):
                assert process.poll() is None, (folder / "output").read_text()
            yield port
        finally:
            process.kill()
            process.wait()


def _answers(port: int) -> bool:
    try:
        Visitor(port).ask("GET", "/health/live")
    except OSError:
        time.sleep(0.02)
        return False
    return True


class _Connection(HTTPSConnection):
    """A connection to this machine that asks for the name on the page."""

    def __init__(self, port: int, address: str) -> None:
        super().__init__(NAME, port, timeout=30)
        self.source = address

    def connect(self) -> None:
        """Connect from the visitor's address."""
        self.sock = secure(self.port, self.source)


def secure(port: int, address: str) -> ssl.SSLSocket:
    """A connection to the proxy from this address of this machine."""
    line = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(address, 0))
    return UNCHECKED.wrap_socket(line, server_hostname=NAME)


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes


class Visitor:
    """Somebody who comes through a proxy, from an address of their own."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port = port
        self.address = address

    def begin(self, method: str, path: str, body: bytes | None = None, **headers: str) -> HTTPSConnection:
        """Send a request and do not wait for the answer."""
        connection = _Connection(self.port, self.address)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {"Host": NAME, **named})
        return connection

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Send a request and wait for the answer."""
        return answered(self.begin(method, path, body, **headers))


def answered(connection: HTTPSConnection) -> Answer:
    """The answer to a request that was sent."""
    with closing(connection), connection.getresponse() as answer:
        return Answer(answer.status, dict(answer.headers), answer.read())
