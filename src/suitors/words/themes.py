"""Themes: names, effect texts, token words and colours, one TOML file each. Words only, never rules."""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from .. import art
from ..errors import SuitorsError
from ..notation import CARD_NAMES
from ..rules import BOXES, Card
from .languages import LANGUAGES

THEMES = ("court", "tempest", "mule")
"""The built-in themes; the first has names for every edition."""


class WordsError(SuitorsError):
    """A theme or language that does not exist, or a text that it lacks."""

    def __init__(self, message: str) -> None:
        super().__init__("unknown-words", message)


@dataclass(frozen=True)
class Theme:
    """One theme, as its file describes it."""

    slug: str
    data: Mapping[str, Any]

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions that it is for: those it lists, or all that it has every name for."""
        return tuple(self.data.get("editions") or complete_editions(self.data["cards"]))

    def name(self, card: int, lang: str) -> str:
        """A card's title."""
        return str(self._card(card)[lang]["name"])

    def text(self, card: int, lang: str, by_number: bool = False, solo: bool = False) -> str:
        """A card's effect; some have another text where a Guard names a number, and in the solo game."""
        words = self._card(card)[lang]
        special = "text_solo" if solo else "text_number" if by_number else "text"
        return str(words.get(special, words["text"]))

    def find(self, name: str) -> Card | None:
        """The card that a title, person or alias means in any language (R101, R102), or None."""
        wanted = name.casefold().strip()
        for slug, words in self.data["cards"].items():
            titles = [words[lang]["name"] for lang in LANGUAGES]
            titles += [words[lang]["subtitle"] for lang in LANGUAGES if "subtitle" in words[lang]]
            if wanted in {title.casefold() for title in (*titles, *words["persons"], *words["aliases"])}:
                return Card(CARD_NAMES.index(slug))
        return None

    def tokens(self, lang: str) -> str:
        """The word for tokens, in the plural."""
        return str(self.data["tokens"][lang]["many"])

    @property
    def colours(self) -> Mapping[str, str]:
        """Its six colours by name, as #rrggbb."""
        colours: Mapping[str, str] = self.data["colours"]
        return colours

    @property
    def emblems(self) -> str:
        """The set of emblems that it uses."""
        return str(self.data["emblems"])

    @property
    def sprite(self) -> str:
        """The SVG sprite of its emblems: that of a built-in set, or one of its own."""
        return f"theme-{self.slug}" if self.slug not in THEMES else self.emblems

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards that it has words for."""
        return tuple(self.data["cards"])

    def emblem(self, card: int) -> str:
        """The drawing of a card, an SVG in the current colour: its own, or that of its set, or the court's."""
        name = CARD_NAMES[card]
        own = self.data["cards"].get(name, {}).get("drawing")
        return str(own) if own else art.emblem(self.emblems if name in art.names(self.emblems) else "court", name)

    @property
    def back(self) -> str:
        """The ornament on the backs of its cards."""
        return "back-mule" if self.emblems == "mule" else "back"

    def title(self, lang: str) -> str:
        """What it is called."""
        return str(self.data["title"][lang])

    def _card(self, card: int) -> Mapping[str, Any]:
        words: Mapping[str, Any] | None = self.data["cards"].get(CARD_NAMES[card])
        if words is None:
            raise WordsError(f"The theme '{self.slug}' has no words for the card {CARD_NAMES[card]}.")
        return words


def complete_editions(cards: Collection[str]) -> list[str]:
    """The editions whose every card is among the names of these cards."""
    return [
        slug
        for slug, box in BOXES.items()
        if all(CARD_NAMES[card] in cards for deck in box.decks.values() for card in deck)
    ]


_registered: dict[str, Theme] = {}


def register_theme(theme: Theme) -> None:
    """Let a theme be used like the built-in ones."""
    _registered[theme.slug] = theme


def known_themes() -> tuple[str, ...]:
    """The built-in themes, and those that have been registered."""
    return (*THEMES, *_registered)


def load_theme(slug: str) -> Theme:
    """The theme of that name."""
    if slug in _registered:
        return _registered[slug]
    if slug not in THEMES:
        raise WordsError(f"There is no theme '{slug:.40}'; there are {', '.join(known_themes())}.")
    return _built_in_theme(slug)


@lru_cache
def _built_in_theme(slug: str) -> Theme:
    return Theme(slug, read_toml("themes", f"{slug}.toml"))


def read_toml(*path: str) -> dict[str, Any]:
    """A TOML file of this package."""
    return tomllib.loads(resources.files(__package__).joinpath(*path).read_text("utf-8"))
