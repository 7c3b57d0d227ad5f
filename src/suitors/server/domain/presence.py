"""Who is connected to the tables of this process, and what the other processes are told of it."""

import time
from collections.abc import Callable

from ..storage.messages import Messages
from .loaded import LoadedTable
from .subscribers import Subscriber

SIGN_PART = 0.25
"""After which part of the time by which a player counts as away the other processes hear of a sign again."""


class Presence:
    """Keeps account of who is there. `returned` is called for a player whose seat a bot has played meanwhile."""

    def __init__(self, messages: Messages, returned: Callable[[LoadedTable, int], None]) -> None:
        self._messages = messages
        self._returned = returned

    def subscribe(self, loaded: LoadedTable, subscriber: Subscriber, person: int | None) -> None:
        """Tell somebody what happens at the table from now on."""
        subscriber.person = person
        loaded.subscribers.add(subscriber)
        if person is not None:
            was_away = person in loaded.table.members() and loaded.is_away(person)
            loaded.sockets[person] += 1
            self.mark(loaded, person)
            if was_away:
                loaded.refresh_pages()
        loaded.hurry.set()  # they may like another pace
        self.tell(loaded)
        for member in loaded.table.members():
            loaded.expect_away(member)

    def unsubscribe(self, loaded: LoadedTable, subscriber: Subscriber, person: int | None) -> None:
        """End a subscription."""
        loaded.subscribers.discard(subscriber)
        loaded.last_used = time.monotonic()
        if person is not None:
            loaded.sockets[person] -= 1
            loaded.last_seen[person] = time.monotonic()
            loaded.expect_away(person)
            self.tell(loaded)

    def mark(self, loaded: LoadedTable, person: int) -> None:
        """A person is here; seats that a bot plays for them since they were away are given back."""
        now, before = time.monotonic(), loaded.last_seen.get(person, loaded.since)
        if now - before > loaded.away_s * SIGN_PART and not loaded.is_connected(person):
            self._messages.tell(["seen", loaded.table.id, person])
        loaded.last_seen[person] = now
        if any(loaded.table.seats[k].absent for k in loaded.table.seats_of(person)):
            self._returned(loaded, person)

    def tell(self, loaded: LoadedTable, *, again: bool = False) -> None:
        """Tell the other processes which players are here, if that has changed."""
        here = loaded.presence()
        if again or here != loaded.told_presence:
            loaded.told_presence = here
            self._messages.tell(["here", loaded.table.id, [*here.items()]])

    def skip_round(self, loaded: LoadedTable, person: int | None) -> None:
        """Let the bots finish the round at once, if this person may ask for that; whichever process moves for them."""
        if loaded.skip_round(person):
            self._messages.tell(["skip", loaded.table.id, loaded.skipped_round])
