"""The rulebook: pure functions over a small table of ints, run interpreted, on a CPU and on a GPU.

So that one text can be run three ways, the functions here keep to a small subset of Python:

- values are ints, bools and IntEnum members; a set of seats is an int (seats.py);
- a state is a record of ints and fixed-size arrays of ints (table.py, editions.py), changed in place;
- statements are `if`, `for` over `range`, `while`, `match`, assignments, calls and `return`;
- no strings, exceptions, assertions, closures, comprehensions, dicts, sets, `**kwargs`, generators or numpy;
- no random numbers: the order of the shuffled deck comes in through `deal`;
- functions assume legal input; legality is asked of choices.py alone.

Read names.py, then effects.py (a function a card), then turn.py. Compilation lives outside, in suitors.fast.
"""

from .choices import count_moves, nth_move, why_not
from .editions import BOXES, NAMINGS, SWITCHES, Box, Edition, Option
from .engine import ALONE, SEVERAL, Engine, GameTable
from .names import (
    BLANK,
    NO_CARD,
    NOBODY,
    RULES_VERSION,
    Aim,
    Award,
    Card,
    End,
    Event,
    Naming,
    Phase,
    Refusal,
    Verb,
    pack,
)
from .own import BadEdition, check_dealable, edition, edition_data, find_box, is_edition, own_slug
from .scoring import starters
from .solitaire_table import SoloTable
from .table import FIELDS, Table, clear, copy_table, new_table, sizes
from .turn import deal, play

__all__ = [
    "ALONE",
    "BLANK",
    "BOXES",
    "FIELDS",
    "NAMINGS",
    "NOBODY",
    "NO_CARD",
    "RULES_VERSION",
    "SEVERAL",
    "SWITCHES",
    "Aim",
    "Award",
    "BadEdition",
    "Box",
    "Card",
    "Edition",
    "End",
    "Engine",
    "Event",
    "GameTable",
    "Naming",
    "Option",
    "Phase",
    "Refusal",
    "SoloTable",
    "Table",
    "Verb",
    "check_dealable",
    "clear",
    "copy_table",
    "count_moves",
    "deal",
    "edition",
    "edition_data",
    "find_box",
    "is_edition",
    "new_table",
    "nth_move",
    "own_slug",
    "pack",
    "play",
    "sizes",
    "starters",
    "why_not",
]
