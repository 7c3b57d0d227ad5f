"""Batches of tables with room for every edition: one layout, so that the rules are compiled once for all of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from suitors.fast.batch import Batch
from suitors.fast.layout import wide_edition, wide_record
from suitors.rules import Edition, Option, new_table
from suitors.rules.shapes import Field, fields
from suitors.rules.table import FIELDS, Table, sizes

POISON = 99
"""Fills what lies beyond an edition's own lengths; no card, seat or number is as high."""


class WideBatch(Batch):
    """As `Batch`, with tables that are longer than the edition needs; the rest of each array is poisoned."""

    def __init__(self, slug: str, players: int, size: int, options: Mapping[str, Option] | None = None) -> None:
        super().__init__(slug, players, size, options, threads=1)
        self.tables = poisoned(wide_record(new_table(self.rules), quiet=False), self.rules, FIELDS).repeat(size)
        self.edition = poisoned(wide_edition(self.rules), self.rules, fields(Edition))

    def exact(self) -> list[Table]:
        """The tables cut to the edition's own lengths; what lies beyond must be as it was."""
        return [self._cut(record) for record in self.tables]

    def _cut(self, record: Any) -> Table:
        t, lengths = Table(), sizes(self.rules)
        for name, shape in FIELDS:
            if shape is None:
                setattr(t, name, int(record[name]))
                continue
            assert set(record[name][lengths[shape.size] :].tolist()) <= {POISON}, name
            setattr(t, name, record[name][: lengths[shape.size]].tolist())
        return t


def poisoned(record: NDArray[np.void], ed: Edition, of: tuple[Field, ...]) -> NDArray[np.void]:
    """A copy of one wide record, in which no zero behind an edition's own numbers passes for a Guard or a seat."""
    poisoned, lengths = record.copy(), sizes(ed)
    for name, shape in of:
        if shape is not None and shape.size in lengths and name in (record.dtype.names or ()):
            poisoned[name][0, lengths[shape.size] :] = POISON
    return poisoned
