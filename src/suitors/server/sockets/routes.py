"""The sockets of the server: which kind of socket a client gets at which address."""

import re
from typing import NamedTuple

from starlette.requests import HTTPConnection

from ..common.addresses import API
from ..common.asgi import Receive, Scope, Send
from ..errors import missing
from ..ops.limits import client_of
from ..ops.shares import LONGEST_WAIT_S
from ..ops.websockets import DIRECT
from ..server import Server
from . import page_socket, table_socket
from .base import Socket

TABLE = "tables/([A-Za-z0-9_-]+)"
LIVE = re.compile(f"{API}/{TABLE}/live")
PAGE = re.compile(f"/{TABLE}/page")


class Route(NamedTuple):
    """The pattern of a socket's path, for the log: the path itself may be a secret link."""

    path: str


async def sockets(scope: Scope, receive: Receive, send: Send) -> None:
    """The application for sockets.

    It comes right after the middleware: thousands of sockets need not keep the whole stack of a web framework waiting.
    """
    server: Server = scope["app"].state.server
    client = client_of(scope)
    accounts = server.admit_socket(client)
    try:
        socket = await server.shares.run(client, _find(server, scope, receive, send), LONGEST_WAIT_S)
        server.admit_person(accounts, socket.request.person)
        await receive()  # the client's request to connect
        await send({"type": "websocket.accept"})
        await socket.run()
    finally:
        server.release_socket(accounts)


async def _find(server: Server, scope: Scope, receive: Receive, send: Send) -> Socket:
    """The socket that the address asks for."""
    connection = HTTPConnection(scope)
    path = connection.url.path
    if found := LIVE.fullmatch(path):
        scope["route"] = Route(f"{API}/tables/{{table_id}}/live")
        request = await table_socket.read_request(server, connection, found[1])
        return table_socket.TableSocket(server, receive, send, request, scope.get("extensions", {}).get(DIRECT))
    if found := PAGE.fullmatch(path):
        scope["route"] = Route("/tables/{table_id}/page")
        request = await page_socket.read_request(server, connection, found[1])
        return page_socket.PageSocket(server, receive, send, request, connection)
    scope["route"] = Route("-")
    raise missing("page")
