"""The two games behind one set of functions: tables for several players, and the solo game."""

from collections.abc import Callable
from typing import Any, NamedTuple

from .choices import Moves, count_moves, list_moves, nth_move, why_not
from .editions import Edition
from .scoring import starters
from .solitaire import deal_solo, play_solo, solo_starters
from .solitaire_choices import count_solo_moves, list_solo_moves, nth_solo_move, why_not_solo
from .solitaire_table import new_solo
from .table import new_table
from .turn import deal, play


class Engine(NamedTuple):
    """What a match is played with; the first argument of each is a table of its own kind."""

    new_table: Callable[[Edition], Any]
    deal: Callable[..., None]
    play: Callable[[Any, Edition, int], None]
    count_moves: Callable[[Any, Edition], int]
    nth_move: Callable[[Any, Edition, int], int]
    list_moves: Callable[[Any, Edition, Moves], int]
    why_not: Callable[[Any, Edition, int], int]
    starters: Callable[[Any, Edition], int]


SEVERAL = Engine(new_table, deal, play, count_moves, nth_move, list_moves, why_not, starters)
ALONE = Engine(
    new_solo, deal_solo, play_solo, count_solo_moves, nth_solo_move, list_solo_moves, why_not_solo, solo_starters
)


def engine(ed: Edition) -> Engine:
    """The engine of an edition."""
    return ALONE if ed.players == 1 else SEVERAL
