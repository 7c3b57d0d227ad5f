"""The built-in bots as people of the court: names and characters, and the table that `suitors bots` prints."""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .rulebook import WIDTH
from .themes import THEMES, Theme, load_theme, read_toml


@dataclass(frozen=True)
class Character:
    """One bot as a person of a theme; its words are kept by language."""

    slug: str
    level: int  # 1 is the weakest; 0 is chance, which is no level
    words: Mapping[str, Mapping[str, str]]
    theme: Theme

    def name(self, lang: str) -> str:
        """What people call the bot."""
        return self.theme.opponent(self.slug, lang).get("name", self.words[lang]["name"])

    def character(self, lang: str) -> str:
        """Who it is, in a sentence."""
        return self.theme.opponent(self.slug, lang).get("character", self.words[lang]["character"])

    def thinking(self, lang: str) -> str:
        """How it chooses its moves, in a sentence."""
        return self.words[lang]["thinking"]


@lru_cache
def bot_words() -> dict[str, Any]:
    """The file of the bots: `labels` for the table, `names` for more of the same level, and `bots`."""
    return read_toml("bots.toml")


def more_names(lang: str) -> tuple[str, ...]:
    """Names for bots that sit beside another one of their level."""
    return tuple(bot_words()["names"][lang])


def load_characters(theme: str = THEMES[0]) -> dict[str, Character]:
    """The built-in bots by their slugs, as people of a theme: the levels, weakest first, then chance."""
    people = load_theme(theme)
    return {
        slug: Character(slug, data["level"], {lang: words for lang, words in data.items() if lang != "level"}, people)
        for slug, data in bot_words()["bots"].items()
    }


def characters_text(lang: str) -> str:
    """A table of the bots: slug, level and name, and below them character and thinking."""
    return "\n".join(_table(lang))


def _table(lang: str) -> Iterator[str]:
    labels, people = bot_words()["labels"][lang], load_characters()
    slugs = max(len(word) for word in (labels["bot"], *people)) + 2
    levels = len(labels["level"]) + 2
    yield f"{labels['bot']:<{slugs}}{labels['level']:<{levels}}{labels['name']}"
    indent = " " * (slugs + levels)
    for slug, person in people.items():
        yield f"{slug:<{slugs}}{person.level or '–':<{levels}}{person.name(lang)}"
        for sentence in (person.character(lang), person.thinking(lang)):
            yield from textwrap.wrap(sentence, WIDTH, initial_indent=indent, subsequent_indent=indent)
