"""Tables set up as a test wants them, with chosen decks and moves already made, in a store that is not open yet."""

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from suitors.notation import CARD_NAMES
from suitors.rules import BOXES, edition
from suitors.server.domain.opening import opened
from suitors.server.domain.people import People
from suitors.server.domain.table import fold, new_id
from suitors.server.storage.store import Store
from suitors.server.storage.tables import Event, Summary, TableWrite

NEVER = 10_000_000
"""A pace, in milliseconds, at which bots never come to move."""


@dataclass
class Stage:
    """A table that waits in the store: its id, and the key of the person who sits in its seats."""

    folder: Path
    edition: str
    people: Sequence[str]  # the names of the seats that the person has
    bots: Sequence[str] = ()  # the bots in the other seats, behind them; `novice=Pip` is one called Pip
    options: dict[str, Any] = field(default_factory=dict)
    pace_ms: int = 0
    rest_s: float = 3600
    open: bool = False
    hints: bool = False  # solo games have them always
    events: list[Event] = field(default_factory=list)
    table: str = field(default_factory=new_id)
    key: str = ""

    @property
    def players(self) -> int:
        return len(self.people) + len(self.bots)

    def deal(self, *tops: str, first: int = 0) -> "Stage":
        """Deal a round: these cards come first in the deck, the others behind them in their order."""
        rest = [CARD_NAMES[card] for card in edition(self.edition, self.players, self.options).box]
        for card in tops:
            rest.remove(card)
        self.events.append(
            {"kind": "dealt", "first": first, "deck": [*tops, *rest], "words": [""] * self.players, "seal": "00" * 32}
        )
        return self

    def play(self, *moves: str) -> "Stage":
        """Play moves; whose they are follows from the match."""
        self.events += [{"kind": "moved", "seat": -1, "move": move, "by": "person"} for move in moves]
        return self

    def write(self) -> "Stage":
        """Put the table into the store of a server that is to be started on this folder."""
        with ThreadPoolExecutor(1) as pool:  # a browser's driver has a loop of its own in this thread
            pool.submit(asyncio.run, self._write()).result()
        return self

    def _opening(self, host: int) -> Event:
        settings: dict[str, Any] = {"open_": self.open, "pace_ms": self.pace_ms, "rest_s": self.rest_s}
        settings["hints"] = self.hints or BOXES[self.edition].solo
        return opened(host, self.edition, self.players, self.options, **settings)

    async def _write(self) -> None:
        store = Store(self.folder, sync=False)
        try:
            person, self.key = await People(store.people).create(self.people[0])
            assert self.players in BOXES[self.edition].players
            told = [self._opening(person.id)]
            told += [{"kind": "sat", "seat": k, "person": person.id, "name": n} for k, n in enumerate(self.people)]
            told += [{"kind": "word", "seat": k, "word": f"word-{k}"} for k in range(len(self.people))]
            for k, wish in enumerate(self.bots):
                bot, _, name = wish.partition("=")
                named = name or f"{bot.title()} {k + 1}"
                told.append({"kind": "bot-sat", "seat": len(self.people) + k, "bot": bot, "name": named})
            told.append({"kind": "started"})
            table = fold(self.table, told)
            for event in self.events:
                if event["kind"] == "moved":
                    event["seat"] = table.started_match.turn
                table.apply(event)
            now = int(time.time())
            summary = Summary(table.id, table.host, table.edition, table.open, table.status, table.must_resume, now)
            events = [*told, *self.events]
            await store.tables.append([TableWrite(table.id, now, 0, events, [person.id], summary)])
        finally:
            store.close()
