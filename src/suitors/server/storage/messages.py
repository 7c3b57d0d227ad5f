"""What the processes that share a store tell each other; a server that is one process has nobody to tell."""

from collections.abc import Callable
from typing import Protocol

from .database import Message

Hear = Callable[[int, Message], None]
"""Called on the event loop with the number of the process that tells something, and what."""

Connected = Callable[[bool], None]
"""Called on the event loop when the process hears the others from now on (again), and when it hears them no longer."""


class Messages(Protocol):
    """The line between the processes of one store."""

    @property
    def number(self) -> int:
        """The number by which the others know this process; another one each time that it listens anew."""

    def start(self, hear: Hear, connected: Connected) -> None:
        """Hear the others from now on, and hold the number while that lasts."""

    def tell(self, message: Message) -> None:
        """Tell all others something."""

    def beat(self) -> None:
        """Tell all others that this process lives, if nothing else has told them so of late."""

    def hears(self) -> bool:
        """Whether what is told here has been heard here of late."""

    async def end(self, number: int) -> None:
        """Take the number from a process that tells nothing any more."""

    async def alive(self) -> set[int]:
        """The numbers of the processes that listen now."""

    def close(self) -> None:
        """Hear nothing any more."""


class NoMessages:
    """Of a server that is one process."""

    number = 0

    def start(self, hear: Hear, connected: Connected) -> None:
        """There is nobody to hear."""

    def tell(self, message: Message) -> None:
        """There is nobody to tell."""

    def beat(self) -> None:
        """There is nobody to tell."""

    def hears(self) -> bool:
        """There is nothing to hear."""
        return False

    async def end(self, number: int) -> None:
        """There is nobody else."""

    async def alive(self) -> set[int]:
        """Nobody but this one."""
        return set()

    def close(self) -> None:
        """There is nothing to close."""
