"""Suitors: every published edition of the card game Love Letter, in one exact rulebook.

Examples:
    >>> import suitors
    >>> match = suitors.Match("classic", ["Ada", "Ben"], seed=1)
    >>> while match.turn is not None:
    ...     match.play(match.legal()[0])
    >>> match.tokens
    (1, 0)
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from .action_table import Actions, actions
from .errors import IllegalMove, InvalidMove, SuitorsError
from .game import Match, Solo
from .knowledge.belief import Belief
from .records.frames import Frames, frames
from .rules import Card, Refusal
from .view.match import View
from .view.solo import SoloView

if TYPE_CHECKING:
    from .bots import BotsByName

    bots: BotsByName

__version__ = "0.1.0"

__all__ = [
    "Actions",
    "Belief",
    "Card",
    "Frames",
    "IllegalMove",
    "InvalidMove",
    "Match",
    "Refusal",
    "Solo",
    "SoloView",
    "SuitorsError",
    "View",
    "__version__",
    "actions",
    "frames",
]

LAZY = ("analysis", "arena", "bots", "envs", "fair", "records", "solve", "view")
"""Packages that `import suitors` makes known, and that are loaded when they are first used."""


def __getattr__(name: str) -> ModuleType:
    if name in LAZY:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *LAZY})
