"""The end of what nobody has used for long: tables with their events, records, analyses, keys, and persons.

A clock that is wrong must not delete everything. So nothing is deleted while the clock is implausibly far beyond the
last time, unless the server has been running like that for long.
"""

import logging
import time
from collections import Counter

from ..ops.limits import Limits
from ..storage.duties import SWEEP
from ..storage.store import DAY_S, Store
from ..storage.tables import DAMAGED
from .registry import TableRegistry
from .table import CLOSED, OVER, PLAYING, WAITING

log = logging.getLogger(__name__)

LONGEST_JUMP_S = 30 * DAY_S
"""How far the clock may be beyond the last deletion."""

PATIENCE_S = DAY_S
"""How long the server runs with such a clock before it is believed."""


class Expiry:
    """Deletes from the store what is old (docs/server.md says when)."""

    def __init__(self, store: Store, tables: TableRegistry, limits: Limits) -> None:
        self._stored = store.expiry
        self._store = store
        self._duties = store.duties
        self._tables = tables
        self._started = time.monotonic()
        self.days = {
            WAITING: limits.keep_waiting_days,
            PLAYING: limits.keep_playing_days,
            OVER: limits.keep_over_days,
            CLOSED: limits.keep_waiting_days,
            DAMAGED: limits.keep_playing_days,
        }
        over = dict.fromkeys(("records", "analyses", "analysed"), limits.keep_over_days)
        self.rows_days = {**over, "keys": limits.keep_keys_days, "transfers": 0.0}

    async def sweep(self) -> None:
        """Delete what is old now, step by step, unless that is another process's duty."""
        self._store.check_clock()
        now = int(time.time())
        if not await self._duties.claim(SWEEP) or not await self._is_plausible(now):
            return
        counts = Counter[str]()
        for status, days in self.days.items():
            while expired := await self._stored.delete_tables(status, int(now - days * DAY_S)):
                self._tables.drop(expired)
                self._stored.tell(expired)
                counts[f"{status} tables"] += len(expired)
        for kind, days in self.rows_days.items():
            while count := await self._stored.delete_rows(kind, int(now - days * DAY_S)):
                counts[kind] += count
        while count := await self._stored.delete_persons():
            counts["persons"] += count
        await self._duties.clean()
        await self._stored.mark(now)
        if counts:
            log.info("swept", extra={"data": {"deleted": dict(counts)}})

    async def _is_plausible(self, now: int) -> bool:
        """Whether the clock can be right, compared with the time of the last deletion, or at first the newest time.

        That is noted at once: from now on the newest times come from this clock.
        """
        last = await self._stored.last_time()
        if last is None:
            newest = await self._stored.newest_time()
            last = now if newest is None else newest
            await self._stored.mark(last)
        if now - last <= LONGEST_JUMP_S:
            return True
        accepted = time.monotonic() - self._started >= PATIENCE_S
        log.error("clock-jump", extra={"data": {"days": (now - last) // DAY_S, "deletes": accepted}})
        return accepted
