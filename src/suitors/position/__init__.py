"""Positions as one line of text, and tables that begin in one.

fields   the parts of a line, read as what they stand for; what a line gives
tables   the tables of matches
solo     the tables of solo games
"""

from .fields import Position
from .solo import read_solo_position, solo_table_line
from .tables import read_position, table_line

__all__ = ["Position", "read_position", "read_solo_position", "solo_table_line", "table_line"]
