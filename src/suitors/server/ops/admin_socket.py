"""The admin socket: a private Unix socket in the data folder; one JSON object in on a line, one out.

Whoever may open the file may do everything; so it is made readable for its user alone before it listens.
"""

import asyncio
import json
import logging
import socket
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from ..errors import Refused

log = logging.getLogger(__name__)

SOCKET = "admin.sock"
LONGEST = 8_192
"""Bytes of a request."""

MOST = 16
"""Requests at once."""

WAIT_S = 10.0
"""How long a request may take to arrive."""

Handle = Callable[[dict[str, Any], int | None], Awaitable[dict[str, Any]]]
"""Does what a request asks for; the number is the system's of the user who asks, where it is known."""


class AdminSocket:
    """The socket of one data folder."""

    def __init__(self, folder: Path, handle: Handle) -> None:
        self.path = folder / SOCKET
        self._handle = handle
        self._server: asyncio.Server | None = None
        self._open = 0

    async def start(self) -> None:
        """Listen, where the system has such sockets; what another process has left behind is removed."""
        if not hasattr(socket, "AF_UNIX"):
            return
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.path.unlink(missing_ok=True)
            sock.bind(str(self.path))
            self.path.chmod(0o600)
            self._server = await asyncio.start_unix_server(self._serve, sock=sock, limit=LONGEST)
        except OSError as error:  # the path may be too long
            sock.close()
            log.warning("no-admin-socket", extra={"data": {"why": str(error)}})

    async def close(self) -> None:
        """Listen no longer."""
        if self._server is not None:
            self._server.close()
            self.path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        try:
            answer = await self._answer(reader, _user_of(writer.get_extra_info("socket")))
            writer.write(json.dumps(answer).encode() + b"\n")
            async with asyncio.timeout(WAIT_S):
                await writer.drain()
        except OSError:
            pass  # whoever asked has gone; a TimeoutError is an OSError, too
        finally:
            self._open -= 1
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, user: int | None) -> dict[str, Any]:
        try:
            if self._open > MOST:
                raise Refused(429, "too-many", f"At most {MOST} requests at once are taken.")
            return await self._handle(await self._read(reader), user)
        except Refused as refusal:
            return refusal.data()
        except Exception:
            log.exception("admin-failed")
            return Refused(500, "broken", "Something broke here; it has been noted.").data()

    async def _read(self, reader: asyncio.StreamReader) -> dict[str, Any]:
        """The request."""
        try:
            async with asyncio.timeout(WAIT_S):
                request = json.loads(await reader.readline())
        except TimeoutError:
            raise Refused(408, "too-slow", "The request did not arrive in time.") from None
        except (ValueError, RecursionError):  # a line that is too long is a ValueError, too
            request = None
        if not isinstance(request, dict):
            raise Refused(422, "bad-request", f"A request is a JSON object on one line of at most {LONGEST} bytes.")
        return request


def _user_of(sock: socket.socket) -> int | None:
    """The number of the user at the other end, where the system tells it."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    size = struct.calcsize("3i")
    credentials = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    return int(struct.unpack("3i", credentials)[1])
