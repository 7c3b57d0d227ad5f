"""The socket of a page: the table as HTML whenever it has changed, and the words that its player has chosen so far."""

import asyncio
from dataclasses import replace
from typing import Any

import orjson
from starlette.requests import HTTPConnection

from ...analysis import hints
from ...game import Solo
from ...pages import Preferences, read_preferences, render
from ...pages.preferences import COOKIE as PREFERENCES_COOKIE
from ..domain.registry import CHANGED, Live, Watcher
from ..errors import Refused
from ..http.api import open_to
from ..http.middleware import Receive, Send
from ..server import COOKIE, House
from ..web.table_page import Asked as Wish
from ..web.table_page import look, steps
from .table_socket import Asked, Line, note, parse

LONGEST = 100
"""Letters in the longest choice."""


class PageLine(Line):
    """One page that looks at a table."""

    def __init__(self, house: House, receive: Receive, send: Send, asked: Asked, connection: HTTPConnection) -> None:
        super().__init__(house, receive, send, asked)
        accepted = connection.headers.get("accept-language", "")
        preferences = read_preferences(connection.cookies.get(PREFERENCES_COOKIE), accepted)
        self.preferences: Preferences = preferences.choose({"lang": connection.query_params.get("lang", "")})
        chosen = connection.query_params.get("chosen", "")[:LONGEST]
        self.wish = Wish(_wanted(connection), chosen, link=link_to(connection, asked.live.table.id))
        self.watcher = Watcher(None, house.limits.backlog, looks=True)
        self.hinting: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Show and listen until one side has had enough; what is still being valued then is for nobody."""
        try:
            await super().run()
        finally:
            if self.hinting is not None:
                self.hinting.cancel()

    def _begin(self) -> None:
        """Show the table as it is."""
        self.watcher.tell(CHANGED)

    async def _write(self) -> None:
        while True:
            message = await self.watcher.next()
            if message is None:
                return
            if message is CHANGED:
                while self.watcher.told and self.watcher.told[0] is CHANGED:  # one look is enough for all of it
                    self.watcher.told.popleft()
                await self.house.hall.settled(self.live)
                message = self._shown()
            await self.send({"type": "websocket.send", "text": message.decode()})

    def _shown(self) -> bytes:
        """The table as this person sees it now."""
        if self.wish.since is not None and steps(self.live.table, self.wish.since):
            self.wish = replace(self.wish, chosen="", hints=None)  # they were for another decision
        looked = look(self.house, self.live, self.who, self.preferences, self.wish)
        self.wish = replace(self.wish, since=self.live.table.state)
        html = render(looked.template, self.preferences, me=self.asked.person, **looked.context)
        return orjson.dumps({"html": html, "seat": self.wish.seat, "animations": looked.animations})

    async def _heed(self, text: str | None) -> None:
        """A choice, or whose hand is to be shown."""
        try:
            asked = parse(text)
            if asked.get("hint"):
                self._ask_for_hint()
                return
            chosen, seat = asked.get("chosen", ""), asked.get("seat", self.wish.seat)
            if not isinstance(chosen, str) or len(chosen) > LONGEST or not _seat(seat):
                raise Refused(422, "bad-message", "A page says what is chosen, and through whose eyes it looks.")
        except Refused as refusal:
            self.watcher.tell(orjson.dumps(refusal.data()))
            return
        self.wish = replace(self.wish, chosen=chosen, seat=None if seat is None else int(seat))
        self.watcher.tell(CHANGED)

    def _ask_for_hint(self) -> None:
        """Have the moves valued while the page goes on; one such question at a time."""
        if self.hinting is None or self.hinting.done():
            self.hinting = asyncio.ensure_future(self._hint())
            self.hinting.add_done_callback(note)

    async def _hint(self) -> None:
        """Say what the moves are worth, unless another has been made in the meantime."""
        state = self.live.table.state
        hints = await hints_for(self.house, self.live, self.who)
        if state == self.live.table.state:
            self.wish = replace(self.wish, hints=hints)
            self.watcher.tell(CHANGED)


async def hints_for(house: House, live: Live, person: int | None) -> tuple[tuple[str, float], ...]:
    """What the moves of a solo game are worth, for the one who plays it."""
    await house.hall.settled(live)
    if not isinstance(live.table.match, Solo) or not live.table.seats_of(person):
        return ()
    return await house.thinkers.work(hints, live.table.match.view(0)) or ()


async def page_asked(house: House, connection: HTTPConnection, table: str) -> Asked:
    """The table that a page looks at; a key that is not known counts as none, as on the page itself."""
    try:
        person = await house.person(connection.cookies.get(COOKIE))
    except Refused:
        person = None
    return Asked(await open_to(house, table, person), person, None, 0)


def _wanted(connection: HTTPConnection) -> int | None:
    """Through whose eyes the page looks at first."""
    return seat_in(connection.query_params.get("seat"))


def seat_in(text: str | None) -> int | None:
    """The seat that an address asks for: a number, -1 for nobody's, None for the visitor's own."""
    return int(text) if text is not None and _seat(text) else None


def _seat(seat: Any) -> bool:
    """Whether this can be a seat: a small number, or nothing."""
    return seat is None or (isinstance(seat, int | str) and str(seat) in ("-1", *"01234567"))


def link_to(connection: HTTPConnection, table: str) -> str:
    """The address of a table's page."""
    base = connection.base_url
    scheme = {"ws": "http", "wss": "https"}.get(base.scheme, base.scheme)
    return f"{scheme}://{base.netloc}/tables/{table}"
