"""Every sentence and name that a person reads, in English and French; no rules."""

from .bots import Character, characters_text, load_characters
from .languages import LANGUAGE_NAMES, LANGUAGES, gettext
from .rulebook import rules_text
from .themes import THEMES, Theme, WordsError, known_themes, load_theme, register_theme

__all__ = [
    "LANGUAGES",
    "LANGUAGE_NAMES",
    "THEMES",
    "Character",
    "Theme",
    "WordsError",
    "characters_text",
    "gettext",
    "known_themes",
    "load_characters",
    "load_theme",
    "register_theme",
    "rules_text",
]
