"""The pages that people see: views put into HTML. Nothing here knows a table that is not a view.

preferences               language, theme and look, kept in a cookie
choosing, solo_choosing   what may be clicked next
board, solo_board         what lies on the table
knowing                   what a seat can know: copies left, chances
templates/, static/       the HTML, style sheets and scripts
"""

from .preferences import Preferences, read_preferences
from .render import asset, render

__all__ = ["Preferences", "asset", "read_preferences", "render"]
