"""The socket of a page: the table as HTML whenever it has changed, and the words that its player has chosen so far."""

from dataclasses import replace

import orjson
from starlette.requests import HTTPConnection

from ...pages import Preferences, render
from ..common.addresses import table_link
from ..common.asgi import Receive, Send
from ..common.cookies import find_key, find_preferences, find_visitor
from ..common.table_page import (
    LONGEST_CHOICE,
    PageQuery,
    dealt_since,
    is_ago,
    is_seat,
    match_changed,
    read_seat,
    read_state,
    table_part,
)
from ..domain.subscribers import CHANGED
from ..errors import Refused
from ..ops.limits import client_of
from ..server import Server
from .base import Socket, SocketRequest, parse

PACES_MS = {"brisk": None, "calm": 2200, "quick": 100}
"""How long a bot's turn takes at a table where somebody sits who has chosen so; None: as the table says.

The shortest is longer than quick bots take to decide, which would tell whether a move was forced.
"""


async def read_request(server: Server, connection: HTTPConnection, table: str) -> SocketRequest:
    """The table that a page shows, if it is open to the visitor."""
    person = await find_visitor(server, connection)
    loaded, key = await server.find_table(table, person), find_key(server, connection)
    return SocketRequest(loaded, person, client_of(connection.scope), key=key)


class PageSocket(Socket):
    """One page that shows a table."""

    def __init__(
        self, server: Server, receive: Receive, send: Send, request: SocketRequest, connection: HTTPConnection
    ) -> None:
        super().__init__(server, receive, send, request, only_changed=True)
        asked = connection.query_params
        self.preferences: Preferences = find_preferences(connection).choose({"lang": asked.get("lang", "")})
        self.query = PageQuery(
            read_seat(asked.get("seat")),
            asked.get("chosen", "")[:LONGEST_CHOICE],
            since=read_state(asked.get("since")),
            link=table_link(connection, request.loaded.table.id),
        )
        self.subscriber.pace_ms = PACES_MS[self.preferences.pace]

    def _begin(self) -> None:
        """Show the table as it is."""
        self.subscriber.send(CHANGED)

    async def _send_all(self) -> None:
        queue = self.subscriber.queue
        while True:
            message = await self.subscriber.next()
            if message is None:
                return
            if message is CHANGED:
                while queue and queue[0] is CHANGED:  # one page is enough for all of it
                    queue.popleft()
                message = await self._run(self._render())
            await self.send({"type": "websocket.send", "text": message.decode()})

    async def _render(self) -> bytes:
        """The table as this person sees it now."""
        await self.loaded.settled()
        table, since = self.loaded.table, self.query.since
        if since is not None and match_changed(table, since):
            self.query = replace(self.query, chosen="", ago=0)  # they were for another decision
        if since is not None and dealt_since(table, since):
            self.query = replace(self.query, seat=None)  # whoever holds the device has a new hand: not for all to see
        part = table_part(self.server, self.loaded, self.person_id, self.preferences, self.query)
        hint = part.context["table"].hint
        if hint is not None and hint.state == "awaited" and part.seat is not None:
            self._start_hint(self._show_hint(part.seat))
        self.query = replace(self.query, since=self.loaded.table.state)
        html = render(part.template, self.preferences, me=self.request.person, **part.context)
        told = {"state": self.loaded.table.state, "announcement": self.server.announcement}
        return orjson.dumps({"html": html, "seat": self.query.seat, "animations": part.animations, **told})

    async def _handle(self, text: str | None) -> None:
        """A choice, whose hand is to be shown, or how many moves back to look."""
        try:
            message = parse(text)
            chosen, seat = message.get("chosen", self.query.chosen), message.get("seat", self.query.seat)
            ago = message.get("ago", 0)
            if not isinstance(chosen, str) or len(chosen) > LONGEST_CHOICE or not is_seat(seat) or not is_ago(ago):
                raise Refused(422, "bad-message", "A page says what is chosen, and through whose eyes it looks.")
        except Refused as refusal:
            self.subscriber.send(orjson.dumps(refusal.data()))
            return
        self.query = replace(self.query, chosen=chosen, seat=None if seat is None else int(seat), ago=ago)
        self.subscriber.send(CHANGED)

    async def _show_hint(self, seat: int) -> None:
        """Have the hint worked out that was asked for, then show it."""
        try:
            await self.server.analyses.hint(self.request.client, self.loaded.table, seat)
        except Refused as refusal:
            self.subscriber.send(orjson.dumps(refusal.data()))
            return
        self.subscriber.send(CHANGED)
