"""Analyses of games that are over, and hints for solo games: worked out by the processes for what visitors ask for."""

import asyncio
from typing import Any

from ...analysis import Point, Review, get_ready, hints, match_line, solo_review
from ...game import Play, Solo
from ..ops.jobs import Jobs
from .loaded import LoadedTable
from .replay import count_steps

READY_S = 600.0
"""How long it may take to compile what analyses need, once on a machine."""

MOST_STEPS = 1_000
"""Steps of the longest match that is analysed; a match for two of 13 rounds has about 150."""

Analysis = tuple[Point, ...] | Review
Hints = tuple[tuple[str, float], ...]
"""What each move of a solo game is worth."""


def can_analyse(match: Play) -> bool:
    """Whether the chance of winning can be worked out: in games for one and two, of a sensible length."""
    return len(match.players) <= 2 and count_steps(match) <= MOST_STEPS


class Analyses:
    """Analyses by the key of their game: the id of its table, or of its record."""

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self._preparing: asyncio.Future[None] | None = None

    def find(self, key: str) -> Analysis | None:
        """The analysis of a game, if it has been worked out and is still kept."""
        found: Analysis | None = self.jobs.results.find(("analysis", key))
        return found

    async def make(self, client: str, key: str, match: Play) -> Analysis | None:
        """The analysis of a game for a client; None where it cannot be worked out."""
        found = self.find(key)
        if found is None:
            await self.prepare()
            given = match.record(), isinstance(match, Solo)
            found = await self.jobs.work(client, ("analysis", key), analyse, *given)
        return found

    async def hints(self, client: str, loaded: LoadedTable, person: int | None) -> Hints:
        """What the moves of a solo game are worth, for the one who plays it."""
        await loaded.settled()
        if not isinstance(loaded.table.match, Solo) or not loaded.table.seats_of(person):
            return ()
        key, view = ("hints", loaded.table.id, loaded.table.state), loaded.table.match.view(0)
        await self.prepare()
        return await self.jobs.work(client, key, hints, view) or ()

    async def prepare(self) -> None:
        """Have everything compiled that is needed here, which may take longer than any job."""
        if self._preparing is None:
            self._preparing = asyncio.ensure_future(self.jobs.prepare(get_ready, READY_S))
            self._preparing.add_done_callback(self._prepared)
        await asyncio.shield(self._preparing)

    def _prepared(self, ended: asyncio.Future[None]) -> None:
        """Let the next who asks try again where it could not be done, since too many waited."""
        if ended.cancelled() or ended.exception() is not None:
            self._preparing = None

    def close(self) -> None:
        """End the preparation."""
        if self._preparing is not None:
            self._preparing.cancel()


def analyse(record: dict[str, Any], solo: bool) -> Analysis:
    """The analysis of a record; it runs in a process of its own."""
    return solo_review(record) if solo else match_line(record)
