"""The functions of the two games, of the table for several players and of the solo game, under the same names."""

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from .choices import Moves, count_moves, list_moves, nth_move, why_not
from .editions import Edition
from .scoring import starters
from .solitaire import deal_solo, play_solo, solo_starters
from .solitaire_choices import count_solo_moves, list_solo_moves, nth_solo_move, why_not_solo
from .solitaire_table import SoloTable, new_solo
from .table import Table, new_table
from .turn import deal, play

GameTable = TypeVar("GameTable", Table, SoloTable)
"""The table of either game."""


class Engine(NamedTuple, Generic[GameTable]):
    """What a match is played with."""

    new_table: Callable[[Edition], GameTable]
    deal: Callable[[GameTable, Edition, Sequence[int], int], None]
    play: Callable[[GameTable, Edition, int], None]
    count_moves: Callable[[GameTable, Edition], int]
    nth_move: Callable[[GameTable, Edition, int], int]
    list_moves: Callable[[GameTable, Edition, Moves], int]
    why_not: Callable[[GameTable, Edition, int], int]
    starters: Callable[[GameTable, Edition], int]


SEVERAL: Engine[Table] = Engine(new_table, deal, play, count_moves, nth_move, list_moves, why_not, starters)
ALONE: Engine[SoloTable] = Engine(
    new_solo, deal_solo, play_solo, count_solo_moves, nth_solo_move, list_solo_moves, why_not_solo, solo_starters
)
