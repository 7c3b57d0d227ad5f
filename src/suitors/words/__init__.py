"""Every sentence and name that a person reads, in English and French; no rules."""

from .bots import Character, characters_text, load_characters
from .languages import LANGUAGES, gettext
from .rulebook import rules_text
from .themes import THEMES, Theme, WordsError, load_theme

__all__ = [
    "LANGUAGES",
    "THEMES",
    "Character",
    "Theme",
    "WordsError",
    "characters_text",
    "gettext",
    "load_characters",
    "load_theme",
    "rules_text",
]
