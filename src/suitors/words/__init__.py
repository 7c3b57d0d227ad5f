"""Every sentence and name that a person reads, in English and French; no rules."""

from .languages import LANGUAGES, gettext
from .rulebook import rules_text
from .themes import THEMES, Theme, WordsError, load_theme

__all__ = ["LANGUAGES", "THEMES", "Theme", "WordsError", "gettext", "load_theme", "rules_text"]
