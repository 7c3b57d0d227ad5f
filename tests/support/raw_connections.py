"""Connections to a real server on which a test sends what it likes, byte by byte."""

import os
import socket
from base64 import b64encode
from typing import Any

from websockets.sync.client import ClientConnection, connect

from support.servers import API, Caller, Running

KEY = b64encode(os.urandom(16)).decode()
UPGRADE = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {KEY}")
"""The headers that ask for a socket."""


def dial(server: Running) -> socket.socket:
    """A new connection."""
    host, port = server.address.removeprefix("http://").split(":")
    line = socket.create_connection((host, int(port)), timeout=30)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def head(server: Running, first: str, *lines: str) -> bytes:
    """The head of a request."""
    host = server.address.removeprefix("http://")
    return "\r\n".join([f"{first} HTTP/1.1", f"Host: {host}", *lines, "", ""]).encode()


def rest(line: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    told = b""
    try:
        while chunk := line.recv(65_536):
            told += chunk
    except ConnectionError:
        pass
    return told


def trickle(line: socket.socket, bit: bytes = b"x") -> bool:
    """Send on, bit by bit: whether the other side closes at last."""
    line.settimeout(0.05)
    for _ in range(500):
        try:
            line.sendall(bit)
            if not line.recv(65_536):
                return True
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


def frame(opcode: int, payload: bytes = b"", *, last: bool = True) -> bytes:
    """A short frame of a client, with a mask of zeros."""
    return bytes((0x80 * last | opcode, 0x80 | len(payload), 0, 0, 0, 0)) + payload


def table_at(ada: Caller, **more: Any) -> tuple[dict[str, Any], str]:
    """A new table where a person and a quick bot sit, and its path."""
    seats = [{}, {"bot": "random"}]
    body = {"edition": "classic", "players": 2, "pace_ms": 0, "rest_s": 0, "seats": seats, "open": True, **more}
    table = ada("POST", "/tables", **body)
    return table, f"/tables/{table['id']}"


def opened(server: Running, who: Caller, path: str) -> ClientConnection:
    """An open socket."""
    address = server.address.replace("http", "ws") + API + path
    return connect(address, additional_headers={"Cookie": who.cookie}, compression=None)
