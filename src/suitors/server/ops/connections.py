"""The connections of the process: uvicorn's two protocols, with limits and a faster way to send.

Both build on methods that uvicorn does not document as stable; pyproject.toml says which versions have them.
"""

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from .limits import Limits, client_of

CLOSING_S = 2
"""How long a socket that is being closed may take to read what it was still sent."""


def limited_http(limits: Limits) -> type[HttpToolsProtocol]:
    """A protocol that closes connections which send nothing, and those beyond the number that a client may have."""
    connections: Counter[str] = Counter()

    class LimitedHttp(HttpToolsProtocol):
        """A connection, counted, and timed while a request is on its way."""

        def connection_made(self, transport: Any) -> None:
            """Accept it, unless the client has too many."""
            super().connection_made(transport)
            self.account = client_of({"client": self.client})
            connections[self.account] += 1
            self.timeout = self.loop.call_later(limits.body_s, transport.abort)
            if connections[self.account] > limits.connections_client:
                transport.abort()

        def on_message_begin(self) -> None:
            """A request begins."""
            super().on_message_begin()
            self._abort_after(limits.body_s)

        def on_headers_complete(self) -> None:
            """Its head has come. The middleware times the body from here on; this is for bodies it does not read."""
            self._abort_after(2 * limits.body_s)
            super().on_headers_complete()

        def on_message_complete(self) -> None:
            """All of it has come."""
            self.timeout.cancel()
            super().on_message_complete()

        def handle_websocket_upgrade(self) -> None:
            """It becomes a socket, which the server counts."""
            self.timeout.cancel()
            self._release()
            super().handle_websocket_upgrade()
            del self.parser  # it refers to us, and is not needed any more

        def connection_lost(self, exc: Exception | None) -> None:
            """It has been closed."""
            self.timeout.cancel()
            self._release()
            super().connection_lost(exc)

        def _abort_after(self, seconds: float) -> None:
            self.timeout.cancel()
            self.timeout = self.loop.call_later(seconds, self.transport.abort)

        def _release(self) -> None:
            connections[self.account] -= 1
            if connections[self.account] <= 0:
                del connections[self.account]

    return LimitedHttp


class FastWebSocket(WebSocketsSansIOProtocol):
    """A socket that sends texts without detours, and that can be closed though the other side does not read."""

    done = False

    async def send(self, message: Any) -> None:
        """Pass a message on. Nearly all are texts on an open socket: these are one frame and one write."""
        ready = self.handshake_complete and self.writable.is_set() and not self.close_sent and not self.disconnected
        if ready and message["type"] == "websocket.send" and self.conn.state is State.OPEN:
            self.transport.write(text_frame(message["text"].encode()))
            return
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # by a refusal; else uvicorn would log an error

    def handle_ping(self) -> None:
        """Answer, unless the other side does not read."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        """The other side does not answer any more."""
        super().keepalive_timeout()
        self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The application has ended."""
        super().on_task_complete(task)
        if self.disconnected:
            vars(self).clear()  # its parts refer to each other: this frees them at once
        else:
            self.done = True
            self.loop.call_later(CLOSING_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has been closed."""
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
