"""The process that serves: a socket that listens, uvicorn, and the browser opened when it does."""

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from .app import make_app
from .ops.connections import limited_http
from .ops.garbage import collect_garbage
from .ops.logs import set_up_logs
from .ops.precautions import warnings
from .ops.websockets import limited_websocket
from .server import Server, Settings
from .storage.database import StoreFailure
from .storage.schema import WrongStore
from .storage.store import Store

log = logging.getLogger(__name__)

GRACE_S = 5
"""How long open requests may take when the server ends."""

SWITCH_S = 0.001
"""How long a thread may keep the event loop from going on, each time: a thread makes replays, another one writes."""

BACKLOG = 2048
"""Connections that may wait to be accepted."""


class FailedStart(Exception):
    """Why the server could not start, in a sentence."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; an OSError where it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(BACKLOG)
    except OSError:
        sock.close()
        raise
    return sock


def run(settings: Settings, sock: socket.socket, *, announce: Callable[[str], None]) -> None:
    """Serve until interrupted. `announce` is given the address once the server has started; a FailedStart if it cannot.

    The socket listens already: whoever connects before uvicorn accepts waits for that moment.
    """
    Store(settings.data, sync=settings.sync, url=settings.postgres).close()  # what is wrong is better said at once
    set_up_logs()
    sys.setswitchinterval(SWITCH_S)
    for sentence in warnings(settings.data):
        log.warning("unsafe", extra={"data": {"why": sentence}})
    host, port = sock.getsockname()[:2]
    address = f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
    tasks, failures = set[asyncio.Task[None]](), list[Exception]()

    def started(server: Server) -> None:
        collecting = collect_garbage(lambda: server.open_sockets, lambda: server.closed_sockets)
        tasks.add(asyncio.ensure_future(collecting))  # the set holds it while the server runs
        announce(address)

    def failed(error: Exception) -> None:
        failures.append(error)
        if isinstance(error, StoreFailure | WrongStore):  # a sentence says it better than the traceback that is logged
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn passes it on when all is closed
    try:
        uvicorn.Server(make_config(settings, started, failed)).run([sock])
    finally:  # uvicorn would end with a status of its own
        if failures:
            raise FailedStart(f"The server could not start: {failures[0]}") from failures[0]


def make_config(
    settings: Settings, started: Callable[[Server], None], failed: Callable[[Exception], None]
) -> uvicorn.Config:
    """How uvicorn runs the application; `started` is called when it can answer, `failed` if it cannot start."""
    return uvicorn.Config(
        make_app(settings, started, failed),
        http=limited_http(settings.limits, settings.proxies),
        ws=limited_websocket(settings.limits),
        ws_max_size=settings.limits.message_bytes,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the middleware reads them
        timeout_graceful_shutdown=GRACE_S,
    )


def open_browser(address: str) -> None:
    """Show the first page, where there is a screen for it; the address has been printed anyway."""
    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
