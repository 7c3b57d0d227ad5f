"""Subscribers of a table: each is sent messages, has a queue for them, and is dropped when it does not keep up."""

import asyncio
from collections import deque
from collections.abc import Callable

CHANGED = b""
"""The message for a subscriber that looks at the table by itself."""


class Subscriber:
    """Whoever is told what happens at a table, through the eyes of a seat, or only that it has changed."""

    def __init__(self, seat: int | None, capacity: int, *, only_changed: bool = False) -> None:
        self.seat = seat
        self.only_changed = only_changed
        self.person: int | None = None
        self.key: str | None = None  # by which the person came
        self.client = ""  # from where they came
        self.pace_ms: int | None = None  # how long a bot's turn should take for them, if not as the table says
        self.capacity = capacity
        self.write: Callable[[bytes], bool] | None = None  # sends a message at once, where the line is free for it
        self.queue: deque[bytes | None] = deque()
        self.ended = False  # whether the end has been sent: nothing more is taken from them
        self.too_slow: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting: asyncio.Future[None] | None = None

    def send(self, message: bytes | None) -> None:
        """Send a message (None: the end), at once if nothing waits before it; else put it into the queue, if it fits.

        To wake whoever reads the queue costs more than all else that is done to send a message.
        """
        waiting = self._waiting is not None and not self._waiting.done()
        if message and waiting and self.write is not None and self.write(message):
            return
        if message is None:
            self.ended = True
        if len(self.queue) < self.capacity:
            self.queue.append(message)
            if self._waiting is not None and waiting:
                self._waiting.set_result(None)
        elif not self.too_slow.done():
            self.too_slow.set_result(None)

    async def next(self) -> bytes | None:
        """The next message; one reader at a time."""
        while not self.queue:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return self.queue.popleft()
