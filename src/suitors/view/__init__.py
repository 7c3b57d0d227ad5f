"""What one seat may know: the security boundary between the table and everybody who plays or watches.

memory  the cards a seat has seen, wherever they have moved since
match   the view of a match for several players
solo    the view of a solo game
keys    a text for all that a view says
lines, solo_lines  a position as one line of text
data    both as plain words, lists and numbers for JSON, and back
"""

from .data import read_view, view_data
from .match import View
from .memory import Entry, Memory
from .solo import SoloView

__all__ = ["Entry", "Memory", "SoloView", "View", "read_view", "view_data"]
