"""A bot that runs here and plays at a table of a server elsewhere, until the match is over."""

import secrets
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from ..fair import is_own
from ..game import open_match
from ..rules import Option, own_slug
from ..view.data import read_view
from ..view.match import View
from ..view.solo import SoloView
from .connection import Address, ApiClient, ClientError, Keys, RequestRefused, Unavailable, reading

TRIES = 50
"""How often a change is tried again at a table that moves on meanwhile."""

FIRST_PAUSE_S, LAST_PAUSE_S = 0.2, 4.0
"""The pauses between attempts to reach a server that does not answer: each is twice the one before."""

PATIENCE_S = 900.0
"""How long a server may be away in the middle of a match."""

Think = Callable[[View | SoloView], str]
"""A bot with its random numbers and its budget."""

T = TypeVar("T")


@dataclass(frozen=True)
class ClientTable:
    """What a client has to know of a table."""

    state: int
    status: str
    edition: str
    options: Mapping[str, Option]
    kinds: tuple[str, ...]  # of its seats: empty, person, bot
    words: tuple[str, ...]
    yours: tuple[int, ...]


@dataclass(frozen=True)
class News:
    """What a client has to know of a message."""

    state: int
    status: str
    due: bool  # our seat has to decide
    asked: bool  # a player has asked for the next round
    scene: Mapping[str, Any] | None


@dataclass(frozen=True)
class MatchResult:
    """How a match ended: who has won it (nobody: a solo game that was lost)."""

    solo: bool
    winners: tuple[str, ...]


def read_table(data: Any) -> ClientTable:
    """The table that the API's JSON describes."""
    seats = data["seats"]
    return ClientTable(
        int(data["state"]),
        str(data["status"]),
        data["edition"] if isinstance(data["edition"], str) else own_slug(data["edition"]),
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
    asked = any(event["kind"] == "ready" for event in data["events"])
    return News(int(data["state"]), str(data["status"]), bool(scene and scene["legal"]), asked, scene)


def read_result(scene: Any) -> MatchResult:
    """Who has won, when all is over."""
    solo = bool(scene.get("solo"))
    winners = ([0] if scene["won"] else []) if solo else scene["winners"]
    return MatchResult(solo, tuple(str(scene["players"][seat]) for seat in winners))


class Outage:
    """A server that does not answer is tried again after pauses that grow, for a limited time."""

    def __init__(self, lost: Callable[[], None]) -> None:
        self._lost = lost
        self._since = 0.0
        self._times = 0

    def wait(self, error: Unavailable) -> None:
        """Pause before the next attempt; from the second on the user is told."""
        now = time.monotonic()
        self._since = self._since if self._times else now
        self._times += 1
        if self._times == 2:
            self._lost()
        if now - self._since > PATIENCE_S:
            raise error
        time.sleep(min(LAST_PAUSE_S, max(error.wait, FIRST_PAUSE_S * 2 ** (self._times - 1))))

    def over(self) -> None:
        """The server answers again."""
        self._times = 0


class RemotePlayer:
    """A bot at a table: it sits down, gives a word to the shuffle, and plays until the match is over."""

    def __init__(self, address: Address, keys: Keys) -> None:
        self.api = ApiClient(address.origin, keys)
        self.path = f"/tables/{address.table}"
        self.seat = -1
        self.state = 0

    def find_table(self, seat: int | None) -> ClientTable:
        """The table as it is, if there is a seat for us. A key that the server does not know any more is dropped."""
        try:
            table = self._read_table()
        except RequestRefused as refused:
            if refused.code != "unknown-key":
                raise
            self.api.keys.forget(self.api.origin)
            table = self._read_table()
        find_seat(table, seat)
        return table

    def sit(self, seat: int | None, name: str) -> int:
        """Sit down, or return to the seat that is ours already; give a word to the shuffle. Returns the seat."""
        if self.api.keys.find(self.api.origin) is None:
            self.api("POST", "/me", name=name)
        self.seat = self._retry(lambda table: self._take(table, find_seat(table, seat), name))
        self._retry(self._give_word)
        return self.seat

    def leave(self) -> None:
        """Free the seat, if the match has not begun and nobody could come back to it: the key is not kept."""
        if self.api.keys.path is None and self.api.keys.find(self.api.origin) is not None:
            with suppress(ClientError):
                self._retry(self._leave_seats)

    def play(self, think: Think, lost: Callable[[], None]) -> MatchResult:
        """Play until the match is over; a server that does not answer is waited for (`lost` is called)."""
        outage = Outage(lost)
        while True:
            try:
                with closing(self._listen()) as messages:
                    for news in messages:
                        if (result := self._handle(news, think)) is not None:
                            return result
                        outage.over()
            except Unavailable as error:
                outage.wait(error)

    def final_view(self) -> View | SoloView:
        """What our seat has seen of the match, now that it is over."""
        data = self.api("GET", f"{self.path}/view?seat={self.seat}")
        with reading():
            return read_view(data["view"])

    def _listen(self) -> Generator[News]:
        """The news of the table from now on. A server that was restored from a backup may be behind us."""
        path, self.state = f"{self.path}/live?seat={self.seat}&since={self.state}", 0
        try:
            with closing(self.api.listen(path)) as messages:
                for message in messages:
                    with reading():
                        news = read_news(message)
                    if news is not None:
                        yield news
        except RequestRefused as refused:
            if refused.code != "not-your-seat":
                raise
            raise ClientError("The host has freed our seat.") from None

    def _read_table(self) -> ClientTable:
        data = self.api("GET", self.path)
        with reading():
            return read_table(data)

    def _retry(self, change: Callable[[ClientTable], T]) -> T:
        """Change the table as it is now; where it has moved on meanwhile, look again."""
        for _ in range(TRIES):
            try:
                return change(self._read_table())
            except RequestRefused as refused:
                if refused.status != 409:
                    raise
        raise ClientError("The table moves on faster than we can follow: try again.")

    def _take(self, table: ClientTable, seat: int, name: str) -> int:
        if seat not in table.yours:
            self.api("PUT", f"{self.path}/seats/{seat}", state=table.state, name=name)
        return seat

    def _leave_seats(self, table: ClientTable) -> None:
        for seat in table.yours if table.status == "waiting" else ():
            self.api("DELETE", f"{self.path}/seats/{seat}?state={table.state}")

    def _give_word(self, table: ClientTable) -> None:
        """Give a word that the server cannot foresee (docs/shuffle.md), unless the seat has one of its own."""
        if table.status in ("waiting", "playing") and not is_own(table.words[self.seat]):
            word = secrets.token_urlsafe(12)
            self.api("PUT", f"{self.path}/seats/{self.seat}/word", state=table.state, word=word)

    def _handle(self, news: News, think: Think) -> MatchResult | None:
        """Play if it is our turn; the result where the match is over."""
        if news.state < self.state:
            return None
        self.state = news.state
        if news.status == "over":
            with reading():
                return read_result(news.scene)
        if news.status == "closed":
            raise ClientError("The host has closed the table.")
        if news.due:
            self._move(think)
        elif news.asked:
            self._change("deal", news.state)
        return None

    def _move(self, think: Think) -> None:
        """Decide and play. After a conflict the table has moved on, and its next news come anyway."""
        data = self.api("GET", f"{self.path}/view?seat={self.seat}")
        with reading():
            state, view = int(data["state"]), read_view(data["view"])
        if not view.legal:
            return
        move = think(view)
        try:
            answer = self.api("POST", f"{self.path}/moves", state=state, seat=self.seat, move=move)
            with reading():
                self.state = int(answer["state"])
        except RequestRefused as refused:
            if refused.status != 409:
                raise
            if refused.code == "handed-over":
                self._change(f"seats/{self.seat}/return", state)

    def _change(self, what: str, state: int) -> None:
        """Take our seat back from a bot of the server, or agree to the next round; the table may have moved on."""
        try:
            self.api("POST", f"{self.path}/{what}", state=state)
        except RequestRefused as refused:
            if refused.status != 409:
                raise


def find_seat(table: ClientTable, seat: int | None) -> int:
    """The seat asked for, one of ours, or the first empty one; a ClientError where none of these can be had."""
    if seat is not None and seat >= len(table.kinds):
        raise ClientError(f"There is no seat {seat} at this table: its seats are 0 to {len(table.kinds) - 1}.")
    if table.yours and seat in (None, *table.yours):
        return table.yours[0] if seat is None else seat
    if table.status != "waiting":
        reasons = {"playing": "The match at this table has begun already.", "over": "The match at this table is over."}
        raise ClientError(reasons.get(table.status, "This table has been closed."))
    empty = [k for k, kind in enumerate(table.kinds) if kind == "empty" and seat in (None, k)]
    if not empty:
        raise ClientError("All seats of this table are taken." if seat is None else f"Seat {seat} is taken.")
    return empty[0]


def try_out(think: Think, table: ClientTable) -> None:
    """Let the bot decide once in a game of the same kind: it may have to load something first, or fail."""
    match = open_match(table.edition, [""] * len(table.kinds), table.options)
    think(match.view(match.turn))
