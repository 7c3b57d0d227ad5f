"""Programs as bots: what is known of one before it runs, and what the two versions of the protocol have in common."""

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..view.match import View
from ..view.solo import SoloView

OptionValue = bool | int | float | str

PROTOCOLS = (1, 2)


@dataclass(frozen=True)
class Program:
    """A program that can play: how to start it, and what to say to it."""

    command: str | tuple[str, ...]  # a command line, or its words
    protocol: int = 1
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    directory: Path | None = None  # where it runs; where this process runs if None


class ProgramBot(ABC):
    """A bot that is a program in any language. It is started when it is needed and ended by `close`."""

    @abstractmethod
    def __call__(self, view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
        """Ask the program for a move; chance is its own affair. After a failure it is started anew."""

    @abstractmethod
    def prepare(self, view: View | SoloView) -> bool:
        """Get ready for a question, outside of the program's time; whether it still has to start after that."""

    @abstractmethod
    def end_match(self, view: View | SoloView, winners: Sequence[int], forfeit: Sequence[int]) -> None:
        """A match has ended for the seat of the view: who has won, and who has lost by failing."""

    @abstractmethod
    def close(self) -> None:
        """End the program, and whatever it has started."""
