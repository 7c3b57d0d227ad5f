"""The rules' records as numpy records, made from the same lists of fields as the interpreted objects."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rules.editions import NAMES, Edition
from ..rules.names import CARDS
from ..rules.own import MOST_CARDS, MOST_COPIES
from ..rules.shapes import Field, fields
from ..rules.solitaire_table import SOLO_FIELDS, SoloTable, solo_sizes
from ..rules.table import COLUMNS, FIELDS, Table, new_table, sizes

EDITION_FIELDS = fields(Edition)
MOST_SEATS = 8
WORD_CPU, WORD_GPU = 8, 4
"""Bytes of a plain int: a CPU is quickest with 8, a GPU with 4."""


@lru_cache
def table_type(ed: Edition, word: int = WORD_CPU) -> np.dtype[np.void]:
    """The layout of a table of this edition and number of players."""
    return _layout(FIELDS, sizes(ed), word)


@lru_cache
def quiet_type(ed: Edition, word: int = WORD_CPU) -> np.dtype[np.void]:
    """The layout of a table that nobody watches: it has no rows of events."""
    return _layout(tuple(field for field in FIELDS if field.name != "rows"), sizes(ed), word)


@lru_cache
def edition_type(ed: Edition, word: int = WORD_CPU) -> np.dtype[np.void]:
    """The layout of an edition's numbers."""
    return _layout(EDITION_FIELDS, {"cards": ed.cards, "characters": CARDS, "names": CARDS * NAMES}, word)


def _layout(of: tuple[Field, ...], lengths: Mapping[str, int], word: int) -> np.dtype[np.void]:
    parts: list[Any] = []
    for name, shape in of:
        parts.append((name, f"i{word}") if shape is None else (name, f"i{shape.width}", (lengths[shape.size],)))
    return np.dtype(parts, align=True)


WIDEST = {
    "seats": MOST_SEATS,
    "cards": MOST_CARDS,
    "deck": MOST_CARDS + 2 * MOST_COPIES,
    "rows": COLUMNS * (18 + 4 * MOST_SEATS),
    "characters": CARDS,
    "names": CARDS * NAMES,
}
"""Lengths that hold every edition, of one's own too, for code that is compiled once for all of them."""


@lru_cache
def wide_type(quiet: bool = True) -> np.dtype[np.void]:
    """The layout of a table of any edition; unless somebody watches, without rows of events."""
    return _layout(tuple(field for field in FIELDS if not quiet or field.name != "rows"), WIDEST, WORD_CPU)


def wide_record(t: Table, quiet: bool = True) -> NDArray[np.void]:
    """An interpreted table as an array of one wide record."""
    return _widened(t, wide_type(quiet))


@lru_cache
def wide_edition(ed: Edition) -> NDArray[np.void]:
    """An edition's numbers as an array of one wide record."""
    return _widened(ed, _layout(EDITION_FIELDS, WIDEST, WORD_CPU))


def _widened(of: object, layout: np.dtype[np.void]) -> NDArray[np.void]:
    record = np.zeros(1, layout)
    for name in layout.names or ():
        numbers = getattr(of, name)
        if isinstance(numbers, int):
            record[name] = numbers
        else:
            record[name][0, : len(numbers)] = numbers
    return record


@lru_cache
def edition_record(ed: Edition, word: int = WORD_CPU) -> NDArray[np.void]:
    """An edition's numbers as an array of one record."""
    record = np.zeros(1, edition_type(ed, word))
    for name, _ in EDITION_FIELDS:
        record[name] = getattr(ed, name)
    return record


def record_of(numbers: object, lengths: Mapping[str, int], word: int = WORD_CPU) -> NDArray[np.void]:
    """A frozen record of plain numbers as an array of one record; `lengths` are those of its arrays of unusual size."""
    sizes_ = {"characters": CARDS, "names": CARDS * NAMES, **lengths}
    return _widened(numbers, _layout(fields(type(numbers)), sizes_, word))


def new_tables(ed: Edition, n: int, word: int = WORD_CPU) -> NDArray[np.void]:
    """An array of n new tables."""
    tables = np.zeros(n, table_type(ed, word))
    tables[:] = to_record(new_table(ed), ed, word)
    return tables


def to_record(t: Table, ed: Edition, word: int = WORD_CPU) -> Any:
    """An interpreted table as a record."""
    record = np.zeros(1, table_type(ed, word))
    for name, _ in FIELDS:
        record[name] = getattr(t, name)
    return record[0]


@lru_cache
def solo_type(ed: Edition, quiet: bool = True) -> np.dtype[np.void]:
    """The layout of a solo table, without rows of events unless somebody watches."""
    told = tuple(field for field in SOLO_FIELDS if not quiet or field.name != "rows")
    return _layout(told, solo_sizes(ed), WORD_CPU)


def solo_record(t: SoloTable, ed: Edition, quiet: bool = True) -> Any:
    """An interpreted solo table as a record."""
    record = np.zeros(1, solo_type(ed, quiet))
    for name in record.dtype.names or ():
        record[name] = getattr(t, name)
    return record[0]


def to_table(record: Any) -> Table:
    """A record as an interpreted table."""
    t = Table()
    for name, shape in FIELDS:
        setattr(t, name, int(record[name]) if shape is None else record[name].tolist())
    return t
