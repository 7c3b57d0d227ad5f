"""The pages that people see: views put into HTML. Nothing here knows a table that is not a view.

`reader.py` says for whom a page is written, `choosing.py` and `solo_choosing.py` what may be clicked next, `board.py`
and `solo_board.py` what lies on the table, `knowing.py` what can be known; `templates/` and `static/` are the rest.
"""

from .reader import Reader, read_reader
from .render import asset, render

__all__ = ["Reader", "asset", "read_reader", "render"]
