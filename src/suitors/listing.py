"""The legal moves of a decision as sorted texts, looked up by the little that they depend on.

What can be done with a card depends on the seats that it may choose, and a Chancellor's second step on the cards held.
So the same few lists come again and again, at all tables of an edition.
"""

from functools import lru_cache

from .notation import write_moves
from .rules import Edition, Phase, Table
from .rules.choices import MOST_MOVES, bound, choosable, list_moves, list_plays, must_play_countess

MOST_LISTS = 4096
"""Lists that are kept of an edition."""


class MoveLists:
    """The lists of moves of one edition that have been needed so far."""

    def __init__(self, ed: Edition) -> None:
        self.ed = ed
        self._lists: dict[tuple[int, ...], list[str]] = {}

    def legal(self, t: Table) -> list[str]:
        """The legal moves at a table of this edition."""
        if t.phase == Phase.PLAY and not must_play_countess(t):
            hand, drawn = t.hand[t.active], t.drawn
            plays = self._plays(t, drawn)
            return plays[:] if hand == drawn else sorted(plays + self._plays(t, hand))
        if t.phase == Phase.KEEP:
            return self._orders(t)[:]
        return self._all(t)

    def _plays(self, t: Table, card: int) -> list[str]:
        """The ways of playing a card."""
        key = card, choosable(t, self.ed, card), bound(t, self.ed, card)
        found = self._lists.get(key)
        if found is None:
            row = [0] * MOST_MOVES
            found = self._keep(key, write_moves(self.ed, row[: list_plays(t, self.ed, card, row, 0)]))
        return found

    def _orders(self, t: Table) -> list[str]:
        """The orders in which a Chancellor's cards may be named."""
        key = t.phase, t.hand[t.active], t.drawn, t.extra
        found = self._lists.get(key)
        return self._keep(key, self._all(t)) if found is None else found

    def _all(self, t: Table) -> list[str]:
        row = [0] * MOST_MOVES
        return write_moves(self.ed, row[: list_moves(t, self.ed, row)])

    def _keep(self, key: tuple[int, ...], moves: list[str]) -> list[str]:
        if len(self._lists) >= MOST_LISTS:
            self._lists.clear()
        self._lists[key] = moves
        return moves


move_lists = lru_cache(maxsize=64)(MoveLists)
"""The lists of an edition: the same for all matches that are played by it."""
