"""Analyses of games that are over, worked out once each by the processes of the bots."""

from collections import OrderedDict
from typing import Any

from ...analysis import Point, Review, hints, match_line, solo_review
from ...game import Play, Solo
from ..ops.bot_pool import BotPool
from .loaded import LoadedTable

KEPT = 200
"""Analyses kept in memory."""

Analysis = tuple[Point, ...] | Review
Hints = tuple[tuple[str, float], ...]
"""What each move of a solo game is worth."""


class Analyses:
    """The last analyses by the key of their game: the id of its table, or of its record."""

    def __init__(self, bots: BotPool) -> None:
        self.bots = bots
        self._found: OrderedDict[str, Analysis] = OrderedDict()

    def find(self, key: str) -> Analysis | None:
        """The analysis of a game, if it has been worked out."""
        return self._found.get(key)

    async def make(self, key: str, match: Play) -> Analysis | None:
        """The analysis of a game; None where it cannot be worked out."""
        if key not in self._found:
            found: Analysis | None = await self.bots.work(analyse, match.record(), isinstance(match, Solo))
            if found is None:
                return None
            self._found[key] = found
            if len(self._found) > KEPT:
                self._found.popitem(last=False)
        return self._found[key]

    async def hints(self, loaded: LoadedTable, person: int | None) -> Hints:
        """What the moves of a solo game are worth, for the one who plays it."""
        await loaded.settled()
        if not isinstance(loaded.table.match, Solo) or not loaded.table.seats_of(person):
            return ()
        return await self.bots.work(hints, loaded.table.match.view(0)) or ()


def analyse(record: dict[str, Any], solo: bool) -> Analysis:
    """The analysis of a record; it runs in a process of the bots."""
    return solo_review(record) if solo else match_line(record)
