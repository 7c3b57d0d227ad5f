"""The sockets of the server: which kind of line a client gets on which address."""

import re
from typing import NamedTuple

from starlette.requests import HTTPConnection

from ..errors import missing
from ..http.api import PREFIX
from ..http.middleware import Receive, Scope, Send
from ..server import House
from .page_socket import PageLine, page_asked
from .table_socket import Line, asked_of

TABLE = "tables/([A-Za-z0-9_-]+)"
LIVE = re.compile(f"{PREFIX}/{TABLE}/live")
PAGE = re.compile(f"/{TABLE}/page")


class Route(NamedTuple):
    """What the log calls the path of a socket: the path itself may be a secret link."""

    path: str


async def sockets(scope: Scope, receive: Receive, send: Send) -> None:
    """The application for sockets.

    It stands right behind the gate: thousands of sockets need not keep the whole stack of a web framework waiting.
    """
    house: House = scope["app"].state.house
    line = await _line(house, scope, receive, send)
    accounts = house.admit_socket(scope, line.asked.person)
    try:
        await receive()  # the client's wish to connect
        await send({"type": "websocket.accept"})
        await line.run()
    finally:
        house.free_socket(accounts)


async def _line(house: House, scope: Scope, receive: Receive, send: Send) -> Line:
    """The line that the address asks for."""
    connection = HTTPConnection(scope)
    path = connection.url.path
    if found := LIVE.fullmatch(path):
        scope["route"] = Route(f"{PREFIX}/tables/{{table_id}}/live")
        return Line(house, receive, send, await asked_of(house, connection, found[1]))
    if found := PAGE.fullmatch(path):
        scope["route"] = Route("/tables/{table_id}/page")
        return PageLine(house, receive, send, await page_asked(house, connection, found[1]), connection)
    scope["route"] = Route("-")
    raise missing("page")
