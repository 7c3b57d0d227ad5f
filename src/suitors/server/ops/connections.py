"""The connections of the process: uvicorn's protocol of HTTP, with limits.

All bytes of clients are seen here first, those of sockets then in `websockets.py`. They are read in small pieces, so
that a limit is noticed before much has been parsed. This builds on methods that uvicorn does not document as stable;
pyproject.toml says which versions have them.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .limits import Limits, client_of
from .proxies import TrustedProxies

CLOSING_S = 2
"""How long a connection that is being closed may take to read what it was still sent."""

PIECE = 4_096
"""Bytes that are parsed at a time."""

MOST_HEADERS = 128
MOST_PIPELINED = 16
"""Requests that may wait while another one of the same connection is answered."""

HEAD_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


def limited_http(limits: Limits, proxies: TrustedProxies) -> type["LimitedHttp"]:
    """The protocol of connections with these limits; it has a count of connections of its own."""
    own = {"limits": limits, "proxies": proxies, "counts": Counter[str](), "unread_of": Counter[str]()}
    return type("Http", (LimitedHttp,), own)


class LimitedHttp(HttpToolsProtocol):
    """A connection: counted, timed while a request is on its way, and closed where a head has no end."""

    limits: Limits
    proxies: TrustedProxies
    counts: Counter[str]  # open connections by client
    unread_of: Counter[str]  # bytes of answers that clients have not read, by client
    unread = 0  # the same of this connection, as it was last looked at
    account = ""  # the client that it is counted for; none for a trusted proxy
    reader: asyncio.TimerHandle | None = None  # looks whether the client reads
    in_head = False
    size = 0  # bytes of the request that is being read
    upgraded = False

    def connection_made(self, transport: Any) -> None:
        """Accept it, unless the client has too many. A proxy may have any number: the middleware counts its clients."""
        super().connection_made(transport)
        scope = {"client": self.client}
        self.account = "" if self.proxies.is_proxy(scope) else client_of(scope)
        self.counts[self.account] += 1
        self.timeout = self.loop.call_later(self.limits.body_s, transport.abort)
        if self.account and self.counts[self.account] > self.limits.connections_client:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read what has come."""
        for piece in cut(data, PIECE):
            super().data_received(piece)
            self._count(len(piece))
            if self.upgraded or self.transport.is_closing():
                return
        self._expect_request()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.in_head, self.size = True, 0
        self._abort_after(self.limits.body_s)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header has come. One behind the body, of which there could be any number, is refused."""
        if not self.in_head:
            raise HttpParserError("Trailers are not taken.")
        if len(self.headers) >= MOST_HEADERS:
            self._refuse_head()
            raise HttpParserError("Too many headers.")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head has come. The middleware times the body from here on; this is for bodies it does not read."""
        self.in_head = False
        self._abort_after(2 * self.limits.body_s)
        super().on_headers_complete()
        if len(self.pipeline) > MOST_PIPELINED:
            self.transport.abort()

    def on_message_complete(self) -> None:
        """All of it has come."""
        self.timeout.cancel()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, unless it has been refused already."""
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def handle_websocket_upgrade(self) -> None:
        """It becomes a socket, which the server counts."""
        self.upgraded = True
        self.timeout.cancel()
        self._stop_watching()
        self._release()
        super().handle_websocket_upgrade()
        del self.parser  # it refers to us, and is not needed any more

    def pause_writing(self) -> None:
        """More has been written than the client has read."""
        super().pause_writing()
        self._watch_reader()

    def resume_writing(self) -> None:
        """The client has read nearly all of it."""
        super().resume_writing()
        self._watch_reader()

    def on_response_complete(self) -> None:
        """A request has been answered; some of the answer may still have to be read."""
        super().on_response_complete()
        self._watch_reader()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has been closed."""
        self.timeout.cancel()
        self._stop_watching()
        self._release()
        super().connection_lost(exc)
        for cycle, _ in self.pipeline:
            cycle.on_response = do_nothing  # or they and we would refer to each other
        self.pipeline.clear()

    def _count(self, size: int) -> None:
        """Count bytes of a request, with all that comes beside its body: sizes of chunks, trailers."""
        self.size += size
        longest_body = max(self.limits.body_bytes, self.limits.record_bytes)
        if self.in_head and self.size > self.limits.head_bytes:
            self._refuse_head()
        elif self.size > self.limits.head_bytes + 2 * longest_body:
            self.transport.abort()

    def _expect_request(self) -> None:
        """Time the next request, also where what came is no part of one: an empty line, the end of an unread body."""
        answered = self.cycle is None or self.cycle.response_complete
        if answered and self.timeout.cancelled() and self.timeout_keep_alive_task is None:
            self._abort_after(self.limits.body_s)

    def _watch_reader(self) -> None:
        """Look after a while how much of what waits now has been read; cut off a client with too much unread."""
        self._stop_watching()
        self._note_unread(self.transport.get_write_buffer_size())
        if self.account and self.unread_of[self.account] > self.limits.unread_mb * 1_000_000:
            self.transport.abort()
        elif self.unread:
            self.reader = self.loop.call_later(self.limits.read_s, self._check_reader, self.unread)

    def _stop_watching(self) -> None:
        self._note_unread(0)
        if self.reader is not None:
            self.reader.cancel()
            self.reader = None

    def _note_unread(self, unread: int) -> None:
        self.unread_of[self.account] += unread - self.unread
        self.unread = unread
        if not self.unread_of[self.account]:
            del self.unread_of[self.account]

    def _check_reader(self, unread: int) -> None:
        """Cut off a client that has read nothing since then: what waits for it takes up memory."""
        if self.transport.get_write_buffer_size() >= unread:
            self.transport.abort()
        else:
            self._watch_reader()

    def _refuse_head(self) -> None:
        """Close the connection, with an answer if that cannot be taken for a part of another one."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
        elif not self.transport.is_closing():
            self.transport.write(HEAD_TOO_LARGE)
            self.transport.close()
            self._abort_after(CLOSING_S)

    def _abort_after(self, seconds: float) -> None:
        self.timeout.cancel()
        self.timeout = self.loop.call_later(seconds, self.transport.abort)

    def _release(self) -> None:
        self.counts[self.account] -= 1
        if self.counts[self.account] <= 0:
            del self.counts[self.account]


def do_nothing() -> None:
    """What is done when a request that was never begun has been answered."""


def cut(data: bytes, size: int) -> Iterator[bytes]:
    """The data in pieces of at most this size."""
    if len(data) <= size:
        yield data
    else:
        for start in range(0, len(data), size):
            yield data[start : start + size]
