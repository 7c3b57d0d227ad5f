"""What the other processes that share the store tell of tables: events that they wrote, and who is connected there."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

from ..storage.tables import Event
from .registry import TableRegistry

log = logging.getLogger(__name__)


class TablePeers:
    """Tells a registry what happens at other processes."""

    def __init__(self, tables: TableRegistry) -> None:
        self._tables = tables
        self.kinds: dict[str, Callable[..., None]] = {
            "events": self._events,
            "here": self._here,
            "who": self._who,
            "seen": self._seen,
            "skip": self._skip,
            "free": self._free,
            "dropped": self._dropped,
        }

    def _events(self, process: int, table: str, number: int, events: list[Event] | None) -> None:
        del process
        self._tables.take_in(table, number, events)

    def _here(self, process: int, table: str, there: list[tuple[int, int | None]]) -> None:
        """Who has sockets at another process now."""
        loaded = self._tables.loaded.get(table)
        if loaded is not None:
            loaded.set_elsewhere(process, dict(there))

    def _who(self, process: int, table: str) -> None:
        """Another process has loaded a table: tell it who is here."""
        del process
        loaded = self._tables.loaded.get(table)
        if loaded is not None and loaded.told_presence:
            self._tables.presence.tell(loaded, again=True)

    def _seen(self, process: int, table: str, person: int) -> None:
        """A player has shown a sign at another process."""
        del process
        loaded = self._tables.loaded.get(table)
        if loaded is not None:
            was_away = loaded.is_away(person)
            loaded.last_seen[person] = time.monotonic()
            loaded.expect_away(person)
            if was_away:
                loaded.refresh_pages()

    def _skip(self, process: int, table: str, round_: int) -> None:
        """Somebody at another process wants to see the end of a round of bots."""
        del process
        loaded = self._tables.loaded.get(table)
        if loaded is not None:
            loaded.hurry_up(round_)

    def _free(self, process: int, tables: list[str] | None) -> None:
        """Another process does no longer what has to be done at these tables."""
        del process
        self._tables.store.duties.forget(tables)
        self._tables.update_duties(tables)

    def _dropped(self, process: int, tables: list[str] | None) -> None:
        """Another process has deleted these tables."""
        del process
        self._tables.drop(self._tables.loaded if tables is None else tables)

    def forget_process(self, process: int) -> None:
        """Another process has ended: nobody is connected there any more."""
        for loaded in list(self._tables.loaded.values()):
            if process in loaded.elsewhere:
                loaded.set_elsewhere(process, {})

    async def meet_again(self) -> None:
        """Find out what has happened while the others were out of hearing, and tell them who is here."""
        loaded = self._tables.note_gap()
        for each in loaded:
            each.elsewhere.clear()
        ends: list[Any] = await asyncio.gather(*map(self._tables.catch_up, loaded), return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception):
                log.error("duty-failed", exc_info=end)
        for each in self._tables.loaded.values():
            self._tables.presence.tell(each, again=True)
            self._tables.store.messages.tell(["who", each.table.id])
