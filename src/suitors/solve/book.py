"""The opening book: the values of all positions of the first turn, for each setting of the switches.

From the second turn on any position is solved within a second; the first turn would need the whole game. The book is
written by tools/opening_book.py (about two minutes) and read by the solver.
"""

import zlib
from array import array
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from .positions import BARON, COUNTESS, GUARD, HANDMAID, HIDDEN, KING, PRIEST, PRINCE, pack_position, seen, unseen_bits
from .solo import evaluate

COPIES = {GUARD: 5, PRIEST: 2, BARON: 2, HANDMAID: 2, PRINCE: 2, KING: 1, COUNTESS: 1}
FULL = sum(count << unseen_bits(kind) for kind, count in COPIES.items())
"""What is unseen before anything is dealt: all cards but the Princess."""


def start(hand: int) -> int:
    """The position of a new game with that hand."""
    return pack_position(0, 6, 1, hand, HIDDEN, 0, seen(FULL, hand))


class KeyRecorder(dict[int, float]):
    """A memory that knows everything already and notes what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.keys_asked: set[int] = set()

    def get(self, key: int, default: float | None = None) -> float:  # type: ignore[override]
        """Note the question; any answer will do."""
        self.keys_asked.add(key)
        return 0.5

    def __setitem__(self, key: int, value: float) -> None:
        """Nothing is kept."""


def successors(keys: set[int], sw: int) -> set[int]:
    """The positions whose values the values of these depend on directly."""
    asked = KeyRecorder()
    for key in keys:
        evaluate(asked, key, sw)
    return asked.keys_asked


def book_keys(sw: int) -> list[int]:
    """The positions of the book: new games, those after the first play, those before the second turn."""
    starts = {start(hand) for hand in COPIES}
    played = successors(starts, sw)
    return sorted(starts | played | successors(played, sw))


def file_name(sw: int) -> str:
    """The file of the book for a setting of the switches."""
    return f"opening-{sw}.bin"


def read_book(sw: int) -> Mapping[int, float]:
    """The values of the opening, by position."""
    raw = zlib.decompress(resources.files(__package__).joinpath("data", file_name(sw)).read_bytes())
    half = len(raw) // 2
    keys, values = array("q", raw[:half]), array("d", raw[half:])
    return dict(zip(keys, values, strict=True))


def write_book(folder: Path, sw: int, values: Mapping[int, float]) -> None:
    """Write the book for a setting of the switches."""
    keys = sorted(values)
    raw = array("q", keys).tobytes() + array("d", [values[key] for key in keys]).tobytes()
    folder.joinpath(file_name(sw)).write_bytes(zlib.compress(raw, 9))
