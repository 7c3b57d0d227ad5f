"""A bot that runs here, at a table of a server elsewhere: from the door to the end of the match."""

import secrets
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from ..game import open_match
from ..rules import Option
from ..view.data import read_view
from ..view.match import View
from ..view.solo import SoloView
from .connection import Address, Away, Keys, Refusal, Server, Trouble, readable

TRIES = 50
"""How often something is tried again at a table that moves on meanwhile."""

FIRST_PAUSE_S, LAST_PAUSE_S = 0.2, 4.0
"""The pauses between attempts to reach a server that has gone: each is twice the one before."""

PATIENCE_S = 900.0
"""How long a server may be away in the middle of a match."""

Think = Callable[[View | SoloView], str]
"""A bot that has its chance and its budget already."""

T = TypeVar("T")


@dataclass(frozen=True)
class Table:
    """What a guest has to know of a table."""

    state: int
    status: str
    edition: str
    options: Mapping[str, Option]
    kinds: tuple[str, ...]  # of its seats: empty, person, bot
    words: tuple[str, ...]
    yours: tuple[int, ...]


@dataclass(frozen=True)
class News:
    """What a guest has to know of a message."""

    state: int
    status: str
    due: bool  # our seat has to decide
    scene: Mapping[str, Any] | None


@dataclass(frozen=True)
class End:
    """How a match ended: who has won it (nobody: a solo game that was lost)."""

    solo: bool
    winners: tuple[str, ...]


def read_table(data: Any) -> Table:
    """The table that the API's JSON describes."""
    seats = data["seats"]
    return Table(
        int(data["state"]),
        str(data["status"]),
        str(data["edition"]),
        dict(data["options"]),
        tuple(str(seat["kind"]) for seat in seats),
        tuple(str(seat["word"]) for seat in seats),
        tuple(range(len(seats)).index(seat) for seat in data["yours"]),
    )


def read_news(data: Any) -> News | None:
    """The news in a message, if it is one of that kind."""
    if data["type"] != "news":
        return None
    scene = data["scene"]
    return News(int(data["state"]), str(data["status"]), bool(scene and scene["legal"]), scene)


def read_end(scene: Any) -> End:
    """Who has won, when all is over."""
    solo = bool(scene.get("solo"))
    winners = ([0] if scene["won"] else []) if solo else scene["winners"]
    return End(solo, tuple(str(scene["players"][seat]) for seat in winners))


class Outage:
    """The time without a server: pauses that grow, and an end to patience."""

    def __init__(self, lost: Callable[[], None]) -> None:
        self._lost = lost
        self._since = 0.0
        self._times = 0

    def wait(self, away: Away) -> None:
        """Pause once more before the next attempt; the first of them needs no words."""
        now = time.monotonic()
        self._since = self._since if self._times else now
        self._times += 1
        if self._times == 2:
            self._lost()
        if now - self._since > PATIENCE_S:
            raise away
        time.sleep(min(LAST_PAUSE_S, max(away.wait, FIRST_PAUSE_S * 2 ** (self._times - 1))))

    def over(self) -> None:
        """The server is there again."""
        self._times = 0


class Guest:
    """A bot at a table: it sits down, gives a word to the shuffle, and plays until the match is over."""

    def __init__(self, address: Address, keys: Keys) -> None:
        self.server = Server(address.origin, keys)
        self.path = f"/tables/{address.table}"
        self.seat = -1
        self.state = 0

    def arrive(self, wish: int | None) -> Table:
        """The table as it is, if there is a seat for us at it. A key that the server has forgotten is put away."""
        try:
            table = self._look()
        except Refusal as refusal:
            if refusal.code != "unknown-key":
                raise
            self.server.keys.forget(self.server.origin)
            table = self._look()
        find_seat(table, wish)
        return table

    def sit(self, wish: int | None, name: str) -> int:
        """Sit down, or return to the seat that is ours already; give a word to the shuffle. The seat."""
        if self.server.keys.find(self.server.origin) is None:
            self.server("POST", "/me", name=name)
        self.seat = self._insist(lambda table: self._take(table, find_seat(table, wish), name))
        self._insist(self._speak)
        return self.seat

    def leave(self) -> None:
        """Free the seat, if the match has not begun and nobody could come back to it: the key is not kept."""
        if self.server.keys.path is None and self.server.keys.find(self.server.origin) is not None:
            with suppress(Trouble):
                self._insist(self._rise)

    def play(self, think: Think, lost: Callable[[], None]) -> End:
        """Play until the match is over; a server that goes away (`lost` is told) is waited for."""
        outage = Outage(lost)
        while True:
            try:
                with closing(self._listen()) as told:
                    for news in told:
                        if (end := self._hear(news, think)) is not None:
                            return end
                        outage.over()
            except Away as away:
                outage.wait(away)

    def _listen(self) -> Generator[News]:
        """What is told at the table from now on. A server that came back from a copy of its store may be behind us."""
        path, self.state = f"{self.path}/live?seat={self.seat}&since={self.state}", 0
        try:
            with closing(self.server.listen(path)) as messages:
                for message in messages:
                    with readable():
                        news = read_news(message)
                    if news is not None:
                        yield news
        except Refusal as refusal:
            if refusal.code != "not-your-seat":
                raise
            raise Trouble("The host has freed our seat.") from None

    def _look(self) -> Table:
        data = self.server("GET", self.path)
        with readable():
            return read_table(data)

    def _insist(self, wish: Callable[[Table], T]) -> T:
        """Do something with the table as it is now; where it has moved on meanwhile, look again."""
        for _ in range(TRIES):
            try:
                return wish(self._look())
            except Refusal as refusal:
                if refusal.status != 409:
                    raise
        raise Trouble("The table moves on faster than we can follow: try again.")

    def _take(self, table: Table, seat: int, name: str) -> int:
        if seat not in table.yours:
            self.server("PUT", f"{self.path}/seats/{seat}", state=table.state, name=name)
        return seat

    def _rise(self, table: Table) -> None:
        for seat in table.yours if table.status == "waiting" else ():
            self.server("DELETE", f"{self.path}/seats/{seat}?state={table.state}")

    def _speak(self, table: Table) -> None:
        """Give a word that the server cannot foresee (docs/shuffle.md), unless the seat has one."""
        if table.status in ("waiting", "playing") and not table.words[self.seat]:
            word = secrets.token_urlsafe(12)
            self.server("PUT", f"{self.path}/seats/{self.seat}/word", state=table.state, word=word)

    def _hear(self, news: News, think: Think) -> End | None:
        """Take in the news, and play if it is for us to decide."""
        if news.state < self.state:
            return None
        self.state = news.state
        if news.status == "over":
            with readable():
                return read_end(news.scene)
        if news.status == "closed":
            raise Trouble("The host has closed the table.")
        if news.due:
            self._move(think)
        return None

    def _move(self, think: Think) -> None:
        """Decide and play. A conflict means that the table has moved on, which will be told; so nothing is lost."""
        data = self.server("GET", f"{self.path}/view?seat={self.seat}")
        with readable():
            state, view = int(data["state"]), read_view(data["view"])
        if not view.legal:
            return
        move = think(view)
        try:
            answer = self.server("POST", f"{self.path}/moves", state=state, seat=self.seat, move=move)
            with readable():
                self.state = int(answer["state"])
        except Refusal as refusal:
            if refusal.status != 409:
                raise
            if refusal.code == "handed-over":
                self._return(state)

    def _return(self, state: int) -> None:
        """Take our seat back from a bot of the house."""
        try:
            self.server("POST", f"{self.path}/seats/{self.seat}/return", state=state)
        except Refusal as refusal:
            if refusal.status != 409:
                raise


def find_seat(table: Table, wish: int | None) -> int:
    """The seat wished for, one of ours, or the first empty one; a Trouble where none of these can be had."""
    if wish is not None and wish >= len(table.kinds):
        raise Trouble(f"There is no seat {wish} at this table: its seats are 0 to {len(table.kinds) - 1}.")
    if table.yours and wish in (None, *table.yours):
        return table.yours[0] if wish is None else wish
    if table.status != "waiting":
        told = {"playing": "The match at this table has begun already.", "over": "The match at this table is over."}
        raise Trouble(told.get(table.status, "This table has been closed."))
    empty = [seat for seat, kind in enumerate(table.kinds) if kind == "empty" and wish in (None, seat)]
    if not empty:
        raise Trouble("All seats of this table are taken." if wish is None else f"Seat {wish} is taken.")
    return empty[0]


def rehearse(think: Think, table: Table) -> None:
    """Let the bot decide once in a game of the same kind: it may have to load something first, or fail."""
    match = open_match(table.edition, [""] * len(table.kinds), table.options)
    think(match.view(match.turn))
