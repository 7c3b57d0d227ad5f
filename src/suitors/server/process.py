"""Running the server: uvicorn with a doorman, the browser opened when it listens, a clean end."""

import asyncio
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections import Counter
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from .app import make_app
from .http.middleware import client_of
from .ops.garbage import collect_garbage
from .ops.limits import Limits
from .ops.logs import set_up_logs
from .server import House, Settings
from .storage.store import Store

GRACE_S = 5
"""How long open requests may take when the server ends."""

PARTING_S = 2
"""How long a socket that is being closed may take to read what it was still told."""


def doorman(limits: Limits) -> type[HttpToolsProtocol]:
    """Connections that say nothing are closed, and so are more than so many of one client."""
    inside: Counter[str] = Counter()

    class Doorman(HttpToolsProtocol):
        """A connection, counted, and timed while a request is on its way."""

        def connection_made(self, transport: Any) -> None:
            """Let it in, if there is room for this client."""
            super().connection_made(transport)
            self.whose = client_of({"client": self.client})
            inside[self.whose] += 1
            self.impatience = self.loop.call_later(limits.body_s, transport.abort)
            if inside[self.whose] > limits.connections_client:
                transport.abort()

        def on_message_begin(self) -> None:
            """A request begins."""
            super().on_message_begin()
            self._wait(limits.body_s)

        def on_headers_complete(self) -> None:
            """Its head has come. The gate keeps the time from here on, and we, where it does not read the body."""
            self._wait(2 * limits.body_s)
            super().on_headers_complete()

        def on_message_complete(self) -> None:
            """All of it has come."""
            self.impatience.cancel()
            super().on_message_complete()

        def handle_websocket_upgrade(self) -> None:
            """It becomes a socket, which the house counts."""
            self.impatience.cancel()
            _leave(inside, self.whose)
            super().handle_websocket_upgrade()
            del self.parser  # it holds us, and we are done

        def connection_lost(self, exc: Exception | None) -> None:
            """It has gone."""
            self.impatience.cancel()
            _leave(inside, self.whose)
            super().connection_lost(exc)

        def _wait(self, seconds: float) -> None:
            self.impatience.cancel()
            self.impatience = self.loop.call_later(seconds, self.transport.abort)

    return Doorman


class Usher(WebSocketsSansIOProtocol):
    """A socket that is quick to tell, and whose other side need not read for it to be closed."""

    done = False

    async def send(self, message: Any) -> None:
        """Pass a message on. A text on an open socket is by far the most of them: it is one frame and one write."""
        ready = self.handshake_complete and self.writable.is_set() and not self.close_sent and not self.disconnected
        if ready and message["type"] == "websocket.send" and self.conn.state is State.OPEN:
            self.transport.write(text_frame(message["text"].encode()))
            return
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # by a refusal; else uvicorn would call it an error in the log

    def handle_ping(self) -> None:
        """Answer, where answers are read."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        """Nobody answers there any more."""
        super().keepalive_timeout()
        self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """We have done with it."""
        super().on_task_complete(task)
        if self.disconnected:
            vars(self).clear()  # its parts hold each other: so they go at once
        else:
            self.done = True
            self.loop.call_later(PARTING_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        super().connection_lost(exc)
        if self.done:
            vars(self).clear()


def text_frame(payload: bytes) -> bytes:
    """A whole text as a frame of a server, which is never masked (RFC 6455, part 5.2)."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + payload
    return b"\x81\x7f" + size.to_bytes(8, "big") + payload


def _leave(inside: Counter[str], whose: str) -> None:
    inside[whose] -= 1
    if inside[whose] <= 0:
        del inside[whose]


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; an OSError where it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError:
        sock.close()
        raise
    return sock


def run(settings: Settings, sock: socket.socket, *, proxy: bool, opened: Callable[[str], None]) -> None:
    """Serve until interrupted. `opened` hears the address once it answers."""
    Store(settings.data, sync=settings.sync).close()  # what is wrong with it is better said before the server starts
    set_up_logs()
    limits = settings.limits
    app = make_app(settings)
    config = uvicorn.Config(
        app,
        http=doorman(limits),
        ws=Usher,
        ws_max_size=limits.message_bytes,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=proxy,
        forwarded_allow_ips="*" if proxy else None,
        timeout_graceful_shutdown=GRACE_S,
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn passes it on when all is closed
    host, port = sock.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    Announcing(config, app, lambda: opened(f"http://{shown}:{port}/")).run([sock])


class Announcing(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, opened: Callable[[], None]) -> None:
        super().__init__(config)
        self.app = app
        self.opened = opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        if self.started:
            house: House = self.app.state.house
            self.broom = asyncio.ensure_future(collect_garbage(lambda: house.present, lambda: house.parted))
            self.opened()


def open_browser(address: str) -> None:
    """Show the first page, where there is a screen for it; the address has been printed anyway."""
    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
