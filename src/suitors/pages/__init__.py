"""The pages that people see: views rendered as HTML. Nothing here has access to more of a match than a view.

preferences               language, theme and look, kept in a cookie
choices, solo_choices     what may be clicked next
board, solo_board         what lies on the table
chances                   what a seat can know: unseen copies, chances of hidden cards
templates/, static/       the HTML, style sheets and scripts
"""

from .preferences import Preferences, read_preferences
from .render import asset, render

__all__ = ["Preferences", "asset", "read_preferences", "render"]
