"""The rounds of a study as rows of a Parquet file, written bit by bit (extra `data`)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow
import pyarrow.parquet
from numpy.typing import NDArray

from ..mass.matches import HAND
from ..notation import CARD_NAMES, write_move
from ..rules import End
from ..rules.names import CARDS
from ..view.data import END_NAMES
from .rounds import Rounds, StudyTable

TEXT = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
SCHEMA = pyarrow.schema(
    [
        *((name, TEXT) for name in ("edition", "bot")),
        *((name, pyarrow.int64()) for name in ("players", "deal", "first")),
        *((name, TEXT) for name in ("seats", "hands", "opening", "end", "winners")),
        ("decisions", pyarrow.int64()),
    ]
)
"""Lists of seats and cards are texts with spaces between, as in `suitors export`; rounds of one deal share a number."""


class RowsWriter:
    """Writes rounds to a file."""

    def __init__(self, path: Path) -> None:
        self.writer = pyarrow.parquet.ParquetWriter(path, SCHEMA)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.writer.close()

    def write(self, table: StudyTable, rounds: Rounds) -> None:
        """Add rounds."""
        self.writer.write_table(pyarrow.table(columns_of(table, rounds), schema=SCHEMA))


def columns_of(table: StudyTable, rounds: Rounds) -> list[Any]:
    """The columns in the order of the schema."""
    groups, size = rounds.first.shape
    n, zeros = groups * size, np.zeros(groups * size, np.int64)
    shifts = HAND * np.arange(table.players)
    hands = (rounds.hands << shifts).sum(axis=2)
    return [
        texts(zeros, lambda _: table.slug),
        texts(zeros, lambda _: table.bot),
        np.full(n, table.players),
        np.repeat(rounds.numbers, size),
        rounds.first.ravel(),
        texts(zeros, lambda _: " ".join(map(str, range(table.players)))),
        texts(hands, lambda packed: " ".join(_cards(packed, table.players))),
        texts(rounds.opening, lambda move: write_move(table.rules, move)),
        texts(rounds.ending, lambda end: END_NAMES[End(end)]),
        texts(rounds.winners, _seats),
        rounds.length.ravel(),
    ]


def texts(numbers: NDArray[np.int64], write: Callable[[int], str]) -> Any:
    """Numbers as texts; each text is kept once."""
    kinds, codes = np.unique(numbers.ravel(), return_inverse=True)
    words = pyarrow.array([write(number) for number in kinds.tolist()], pyarrow.string())
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(codes.astype(np.int32)), words)


def _cards(packed: int, players: int) -> list[str]:
    found = [packed >> HAND * seat & 31 for seat in range(players)]
    return [CARD_NAMES[card] for card in found if card < CARDS]


def _seats(of: int) -> str:
    return " ".join(str(seat) for seat in range(of.bit_length()) if of >> seat & 1)
