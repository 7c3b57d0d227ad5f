"""Sockets without a network: the protocol of the real server, on a transport that a test feeds and reads."""

import asyncio
import json
from typing import Any

from uvicorn import Config
from uvicorn.server import ServerState

from suitors.server.ops.limits import Limits
from suitors.server.ops.websockets import FastWebSocket, limited_websocket
from support.raw_connections import UPGRADE, frame

TURNS = 30
"""Turns of the event loop after which all has been done that waits for nothing else."""


async def turns(count: int = TURNS) -> None:
    """Let the event loop go on for so many turns."""
    for _ in range(count):
        await asyncio.sleep(0)


class FrameLine(asyncio.Transport):
    """A client at the other end of a socket: it sends bytes and keeps those that it is sent."""

    def __init__(self, app: Any, limits: Limits) -> None:
        super().__init__()
        config = Config(
            app,
            ws=limited_websocket(limits),
            ws_max_size=limits.message_bytes,
            ws_per_message_deflate=False,
            ws_ping_interval=None,
            lifespan="off",
            log_config=None,
        )
        config.load()
        protocol: type[FastWebSocket] = config.ws_protocol_class  # type: ignore[assignment]
        self.socket = protocol(config, ServerState(), {})
        self.told = bytearray()
        self.unread = bytearray()  # sent, while the server does not read
        self.paused = self.closed = False
        self.socket.connection_made(self)

    async def open(self, path: str, cookie: str = "") -> "FrameLine":
        """Ask for a socket, and wait until it has been answered."""
        lines = [f"GET {path} HTTP/1.1", "host: testserver", f"cookie: {cookie}", *UPGRADE, "", ""]
        self.send("\r\n".join(lines).encode())
        while b"\r\n\r\n" not in self.told:
            await turns(1)
        assert self.told.startswith(b"HTTP/1.1 101"), self.told
        del self.told[: self.told.index(b"\r\n\r\n") + 4]
        await turns()
        return self

    def send(self, data: bytes) -> None:
        """Send bytes, which come to the server at once if it reads."""
        if self.closed:
            return
        if self.paused:
            self.unread += data
        else:
            self.socket.data_received(data)

    def ask(self, **message: Any) -> None:
        """Send a message in one frame."""
        self.send(frame(1, json.dumps(message).encode()))

    def frames(self) -> list[tuple[int, bytes]]:
        """All frames that have come so far: the opcode and the payload of each."""
        found, rest = [], bytes(self.told)
        while rest:
            size, start = rest[1], 2
            if size >= 126:
                start = 4 if size == 126 else 10
                size = int.from_bytes(rest[2:start])
            found.append((rest[0] & 15, rest[start : start + size]))
            rest = rest[start + size :]
        return found

    def messages(self, kind: str) -> list[dict[str, Any]]:
        """All messages of this type that have come so far."""
        found = [json.loads(payload) for opcode, payload in self.frames() if opcode == 1]
        return [message for message in found if message["type"] == kind]

    @property
    def code(self) -> int | None:
        """The code by which the server has closed the socket, if it has."""
        return next((int.from_bytes(payload[:2]) for opcode, payload in self.frames() if opcode == 8), None)

    async def answered(self, count: int) -> list[Any]:
        """The ids of the first so many answers, in the order in which they came."""
        while len(self.messages("answer")) < count and not self.closed:
            await asyncio.sleep(0.001)
        return [answer["id"] for answer in self.messages("answer")[:count]]

    # What the protocol does with its transport

    def write(self, data: Any) -> None:
        self.told += data

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False
        unread, self.unread = bytes(self.unread), bytearray()
        if unread:
            asyncio.get_running_loop().call_soon(self.send, unread)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            asyncio.get_running_loop().call_soon(self.socket.connection_lost, None)

    def abort(self) -> None:
        self.close()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("127.0.0.1", 40_000), "sockname": ("127.0.0.1", 80)}.get(name, default)
