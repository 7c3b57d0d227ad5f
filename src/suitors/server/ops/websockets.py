"""The sockets of the process: uvicorn's protocol, with limits and shorter ways for the texts of most messages.

It builds on parts of uvicorn and websockets that these do not document as stable; pyproject.toml says which versions
have them.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, apply_mask  # type: ignore[attr-defined]  # in C where it can be
from websockets.protocol import State
from websockets.streams import StreamReader

from .connections import CLOSING_S, cut
from .limits import Bucket, Limits

PIECE = 1_024
"""Bytes that are parsed at a time: the smallest frame has 6."""

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


def limited_websocket(limits: Limits) -> type["FastWebSocket"]:
    """The protocol of sockets with these limits."""
    return type("WebSocket", (FastWebSocket,), {"limits": limits, "longest": min(LONGEST_SHORT, limits.message_bytes)})


class FastWebSocket(WebSocketsSansIOProtocol):
    """A socket that sends texts without detours, and that can be closed though the other side does not read."""

    limits: Limits
    longest: int  # bytes of a text that is read without the library
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
        for piece in cut(data, PIECE):
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
        if not 0 <= size <= self.longest or data[0] != TEXT or data[1] != MASKED | size or self.frames:
            return None
        if self.conn.state is not State.OPEN or not is_between_frames(self.conn.parser):
            return None
        return apply_mask(data[HEAD:], data[2:HEAD])

    def _take_short(self, text: bytes) -> None:
        """Pass a text on that has come in one frame, without the library's way through all that a frame may be."""
        if not self.rate.take():
            self._end(TOO_MANY)
        elif not self._listens_to(text):
            self.curr_msg_data_type, self.frames = "text", [text]
            super().send_receive_event_to_app()

    def send_receive_event_to_app(self) -> None:
        """Pass a message on, if it is one: a text that is no UTF-8 ends the socket."""
        if self.curr_msg_data_type != "text":
            super().send_receive_event_to_app()
            return
        if self._listens_to(b"".join(self.frames)):
            self.frames = []
        else:
            super().send_receive_event_to_app()

    def _listens_to(self, data: bytes) -> bool:
        """Give a text to whoever takes them at once; whether that, or the end of the socket, is all there is to do."""
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self._end(CloseCode.INVALID_DATA)
            return True
        listener = self.listener
        return listener is not None and self.queue.empty() and not self.close_sent and listener(text)

    def handle_cont(self, event: Any) -> None:
        """Take another part of a message. An empty one adds nothing, and there could be any number of them."""
        if event.data or event.fin:
            super().handle_cont(event)

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
