"""The connections of the process: uvicorn's two protocols, with limits and a faster way to send.

All bytes of clients are seen here first. They are read in small pieces, so that a limit is noticed before much has been
parsed. Both protocols build on methods that uvicorn does not document as stable; pyproject.toml says which versions
have them.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, apply_mask  # type: ignore[attr-defined]  # in C where it can be
from websockets.protocol import State
from websockets.streams import StreamReader

from .limits import Bucket, Limits, client_of
from .proxies import TrustedProxies

CLOSING_S = 2
"""How long a connection that is being closed may take to read what it was still sent."""

HTTP_PIECE, SOCKET_PIECE = 4_096, 1_024
"""Bytes that are parsed at a time: the smallest frame has 6."""

MOST_HEADERS = 128
MOST_PIPELINED = 16
"""Requests that may wait while another one of the same connection is answered."""

HEAD_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"

DIRECT = "suitors.direct"
"""The extension of a socket's scope for texts that need no queue.

Its `write` sends a text at once, or says that it has to wait. Its `listen` takes a function that is given each text
that comes while none waits to be received, and says whether it has taken it.
"""

TEXT, MASKED, HEAD = 0x81, 0x80, 6
"""The first byte of a whole text, what the second has above the size, and how long the head of a short frame is."""

LONGEST_SHORT = 125
"""Bytes of the longest text whose size is in the second byte (RFC 6455, part 5.2)."""

TOO_MANY = 4029
"""The code of a socket that was closed since it sent too much."""


def limited_http(limits: Limits, proxies: TrustedProxies) -> type["LimitedHttp"]:
    """The protocol of connections with these limits; it has a count of connections of its own."""
    own = {"limits": limits, "proxies": proxies, "counts": Counter[str](), "unread_of": Counter[str]()}
    return type("Http", (LimitedHttp,), own)


def limited_websocket(limits: Limits) -> type["FastWebSocket"]:
    """The protocol of sockets with these limits."""
    return type("WebSocket", (FastWebSocket,), {"limits": limits})


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
        for piece in cut(data, HTTP_PIECE):
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


class FastWebSocket(WebSocketsSansIOProtocol):
    """A socket that sends texts without detours, and that can be closed though the other side does not read."""

    limits: Limits
    done = False
    clogged = False  # the other side does not read what it is sent
    listener: Callable[[str], bool] | None = None  # takes texts at once

    def connection_made(self, transport: Any) -> None:
        """The connection has become a socket.

        It may send more frames than messages: who sends too many messages is told so before the socket is closed.
        """
        super().connection_made(transport)
        self.rate = Bucket(2 * self.limits.messages_s, 4 * self.limits.messages_burst)

    def data_received(self, data: bytes) -> None:
        """Read what has come, until there is too much of it. Nearly always it is one short text."""
        text = self._short_text(data)
        if text is not None:
            self._take_short(text)
            return
        for piece in cut(data, SOCKET_PIECE):
            super().data_received(piece)
            if self.transport.is_closing():
                return
        if self.conn.handshake_exc is not None:
            self._refuse_handshake()

    def _refuse_handshake(self) -> None:
        """Send the refusal of the library, which uvicorn does not look at; its parts refer to each other until then."""
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        self.conn.parser.close()
        self.conn.handshake_exc = None
        self.done = True
        self.loop.call_later(CLOSING_S, self.transport.abort)

    def handle_events(self) -> None:
        """Take what has come, if it is not too much: pings, pongs and parts of messages count as messages do."""
        if self.rate.take(len(self.conn.events)):
            super().handle_events()
        else:
            self._end(TOO_MANY)

    def _short_text(self, data: bytes) -> bytes | None:
        """The text, where the data are a whole short one and nothing else that came before is incomplete."""
        size = len(data) - HEAD
        if not 0 <= size <= LONGEST_SHORT or data[0] != TEXT or data[1] != MASKED | size or self.frames:
            return None
        if self.conn.state is not State.OPEN or not is_between_frames(self.conn.parser):
            return None
        return apply_mask(data[HEAD:], data[2:HEAD])

    def _take_short(self, text: bytes) -> None:
        """Pass a text on that has come in one frame, without the library's way through all that a frame may be."""
        if self.rate.take():
            self.curr_msg_data_type, self.frames = "text", [text]
            self.send_receive_event_to_app()
        else:
            self._end(TOO_MANY)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on, if it is one: a text that is no UTF-8 ends the socket."""
        if self.curr_msg_data_type != "text":
            super().send_receive_event_to_app()
            return
        try:
            text = b"".join(self.frames).decode()
        except UnicodeDecodeError:
            self.frames = []
            self._end(CloseCode.INVALID_DATA)
            return
        if self.listener is not None and self.queue.empty() and not self.close_sent and self.listener(text):
            self.frames = []
        else:
            super().send_receive_event_to_app()

    def _end(self, code: int) -> None:
        """Close the socket with this code; at once, if it is being closed already."""
        if self.conn.state is State.OPEN:
            self.conn.send_close(code)
            self.handle_parser_exception()
        else:
            self.transport.abort()

    def handle_connect(self, event: Any) -> None:
        """Let the application send and take texts without waiting, too."""
        super().handle_connect(event)
        if not self.handshake_complete:
            self.scope.setdefault("extensions", {})[DIRECT] = {"write": self.write_text, "listen": self.listen}

    def listen(self, listener: Callable[[str], bool]) -> None:
        """Let the application take texts at once."""
        self.listener = listener

    def write_text(self, text: bytes) -> bool:
        """Send a text as one frame and one write, if the socket is open and the other side keeps up; whether it is."""
        if self.clogged or self.close_sent or self.disconnected or not self.handshake_complete:
            return False
        transport = self.transport
        if transport.is_closing():
            return False
        transport.write(text_frame(text))
        return True

    def pause_writing(self) -> None:
        """More has been written than the other side has read."""
        super().pause_writing()
        self.clogged = True

    def resume_writing(self) -> None:
        """The other side has read nearly all of it."""
        super().resume_writing()
        self.clogged = False

    async def send(self, message: Any) -> None:
        """Pass a message on. Nearly all are texts on an open socket, which need no detours."""
        if message["type"] == "websocket.send" and self.write_text(message["text"].encode()):
            return
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # by a refusal; else uvicorn would log an error

    def handle_ping(self) -> None:
        """Answer, unless the other side does not read."""
        if self.clogged:
            self.transport.abort()
        else:
            super().handle_ping()

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


def do_nothing() -> None:
    """What is done when a request that was never begun has been answered."""


def cut(data: bytes, size: int) -> Iterator[bytes]:
    """The data in pieces of at most this size."""
    if len(data) <= size:
        yield data
    else:
        for start in range(0, len(data), size):
            yield data[start : start + size]


def is_between_frames(parser: Any) -> bool:
    """Whether the parser of the library, a generator, waits for the first byte of a frame."""
    while parser.gi_yieldfrom is not None:
        parser = parser.gi_yieldfrom
    return parser.gi_code is StreamReader.at_eof.__code__


def text_frame(payload: bytes) -> bytes:
    """A whole text as a frame of a server, which is never masked (RFC 6455, part 5.2)."""
    size = len(payload)
    if 126 <= size < 1 << 16:
        return b"\x81\x7e%c%c%b" % (size >> 8, size & 255, payload)
    if size < 126:
        return b"\x81%c%b" % (size, payload)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), payload)
