"""Themes: names, effect texts, token words and colours, one TOML file each. Words only, never rules."""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

from .. import art
from ..art.colours import WHITE, parse, readable, write
from ..errors import SuitorsError
from ..notation import CARD_NAMES, CARD_OF
from ..rules import BOXES, Card, find_box
from .languages import LANGUAGES

THEMES = ("court", "tempest", "mule")
"""The built-in themes; the first has names for every edition."""

ORNAMENTS = {"back": "back", "seal": "seal", "broken": "seal-broken", "token": "crown"}
"""The ornaments of a theme that names no others."""


class WordsError(SuitorsError):
    """A theme or language that does not exist, or a text that it lacks."""

    def __init__(self, message: str) -> None:
        super().__init__("unknown-words", message)


@dataclass(frozen=True)
class Person:
    """Somebody who is on one or more copies of a card."""

    name: str
    copies: int
    emblem: str  # the id of the drawing
    line: str  # who that is, in a sentence or two


@dataclass(frozen=True)
class Portrait:
    """A card, or one copy of it, as people see it: title, subtitle, drawing and a line about it."""

    title: str
    subtitle: str
    emblem: str
    line: str


@dataclass(frozen=True, eq=False)
class Theme:
    """One theme, as its file describes it."""

    slug: str
    data: Mapping[str, Any]

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions that it is for: those it lists, or all that it has every name for."""
        return tuple(self.data.get("editions") or complete_editions(self.data["cards"]))

    def fits(self, edition: str) -> bool:
        """Whether it is for an edition; for one's own, it needs words for all of its cards."""
        if edition in BOXES:
            return edition in self.editions
        return all(CARD_NAMES[card] in self.cards for deck in find_box(edition).decks.values() for card in deck)

    # Texts

    def title(self, lang: str) -> str:
        """What it is called."""
        return str(self.data["title"][lang])

    def about(self, lang: str) -> str:
        """What it is, in a sentence."""
        return str(self.data["about"][lang])

    def premise(self, lang: str, solo: bool = False) -> str:
        """The story with which the rules open; the solo game may have its own."""
        told: Mapping[str, str] = self.data["premise"]
        return self.data.get("premise_solo", told)[lang] if solo else told[lang]

    def victory(self, lang: str) -> str:
        """What is read when a match is won."""
        return str(self.data["victory"][lang])

    def sentences(self, lang: str) -> Mapping[str, str]:
        """What it says instead of the program's own sentences, by the English ones."""
        return {sentence: said[lang] for sentence, said in self.data.get("sentences", {}).items()}

    def tokens(self, lang: str) -> Mapping[str, Any] | None:
        """The noun for its tokens, or None where it calls them as the edition does."""
        found: Mapping[str, Any] | None = self.data.get("tokens", {}).get(lang)
        return found

    def opponent(self, bot: str, lang: str) -> Mapping[str, str]:
        """The name and character of a bot, where the theme has its own."""
        found: Mapping[str, str] = self.data.get("opponents", {}).get(bot, {}).get(lang, {})
        return found

    # Cards

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards that it has words for."""
        return tuple(self.data["cards"])

    def words(self, card: int, lang: str) -> Mapping[str, Any]:
        """All that it says of a card in a language; a WordsError where the name or the text is missing."""
        found: Mapping[str, Any] = self._card(card).get(lang, {})
        for key in ("name", "text"):
            if key not in found:
                raise self._lacks(card, f"{lang}.{key}")
        return found

    def name(self, card: int, lang: str) -> str:
        """A card's title."""
        return str(self.words(card, lang)["name"])

    def names(self, card: int, lang: str) -> tuple[str, ...]:
        """Every name under which people may call a card (R101, R102): persons and subtitle, or just the title."""
        own, words = self.name(card, lang), self.words(card, lang)
        if not self.persons_are_titles:
            return (own,)
        people = [person.name for person in self.persons(card, lang)]
        return tuple(dict.fromkeys([*(people or [own]), *([words["subtitle"]] if "subtitle" in words else [])]))

    def text(self, card: int, lang: str, by_number: bool = False, solo: bool = False) -> str:
        """A card's effect; some have another text where a Guard names a number, and in the solo game."""
        words = self.words(card, lang)
        special = "text_solo" if solo else "text_number" if by_number else "text"
        return str(words.get(special, words["text"]))

    @property
    def persons_are_titles(self) -> bool:
        """Whether a copy is called after its person, rather than the person standing below the card's title."""
        return bool(self.data.get("persons_are_titles", False))

    def persons(self, card: int, lang: str) -> tuple[Person, ...]:
        """The persons on the copies of a card, in the order in which the copies are counted."""
        return tuple(
            Person(
                name=in_language(person["name"], lang),
                copies=person.get("copies", 1),
                emblem=person.get("emblem", CARD_NAMES[card]),
                line=in_language(person.get("line", ""), lang),
            )
            for person in self._card(card).get("persons", ())
        )

    def person(self, card: int, copy: int, lang: str) -> Person | None:
        """The person on one copy of a card, the first being 0; None where the card has no persons."""
        persons = self.persons(card, lang)
        for person in persons:
            copy -= person.copies
            if copy < 0:
                return person
        return persons[-1] if persons else None

    def portrait(self, card: int, lang: str, copy: int | None = None) -> Portrait:
        """What one copy of a card shows, or, without a copy, what stands for all of them."""
        words, persons = self.words(card, lang), self.persons(card, lang)
        person = (persons[0] if len(persons) == 1 else None) if copy is None else self.person(card, copy, lang)
        subtitle, line = str(words.get("subtitle", "")), str(words.get("line", ""))
        if person is None:
            return Portrait(words["name"], subtitle, CARD_NAMES[card], line)
        if self.persons_are_titles:
            return Portrait(person.name, subtitle, person.emblem, person.line)
        return Portrait(words["name"], person.name, person.emblem, person.line)

    @cached_property
    def known_names(self) -> Mapping[str, str]:
        """Everything that a card may be called in any language, in lower case, with the card's name in records."""
        found = {}
        for slug, words in self.data["cards"].items():
            spoken = [self.words(CARD_OF[slug], lang) for lang in LANGUAGES]
            titles = [said[key] for said in spoken for key in ("name", "subtitle") if key in said]
            persons = [in_language(person["name"], lang) for person in words.get("persons", ()) for lang in LANGUAGES]
            for title in (slug, *titles, *persons, *words.get("aliases", ())):
                found[title.casefold()] = slug
        return found

    def find(self, name: str) -> Card | None:
        """The card that a title, person or alias means in any language (R101, R102), or None."""
        slug = self.known_names.get(name.casefold().strip())
        return None if slug is None else Card(CARD_NAMES.index(slug))

    def read_move(self, text: str) -> str:
        """A move that somebody typed, with every card by its name in records."""
        names = "|".join(re.escape(name) for name in sorted(self.known_names, key=len, reverse=True))
        plain = " ".join(text.casefold().split())
        article = "(?:the |le |la |les |l['’])?"
        return re.sub(rf"(?<![\w-]){article}({names})(?![\w-])", lambda found: self.known_names[found[1]], plain)

    # Pictures

    @property
    def colours(self) -> Mapping[str, str]:
        """Its six colours by name, as #rrggbb."""
        colours: Mapping[str, str] = self.data["colours"]
        return colours

    def tint(self, card: int) -> str:
        """The second ink of a card's drawing, on page and paper: so light that the lines in the first one are clear."""
        name, court = CARD_NAMES[card], load_theme(THEMES[0])
        given = self.data["cards"].get(name, {}).get("tint") or court.data["cards"][name].get("tint")
        if given is None:
            raise court._lacks(card, "tint")
        return write(readable(parse(given), (parse(self.colours["ink"]),), WHITE))

    @property
    def sprite(self) -> str:
        """The SVG sprite that holds its drawings."""
        return f"theme-{self.slug}"

    def ornament(self, use: str) -> str:
        """The ornament for a use: the back of the cards, the seal, a broken seal, the emblem on a token."""
        return str(self.data.get("ornaments", {}).get(use, ORNAMENTS[use]))

    def emblem(self, card: int) -> str:
        """The drawing of a card, an SVG in two inks: its own, or that of its set, or the court's."""
        return self.drawings()[CARD_NAMES[card]]

    def drawings(self) -> dict[str, str]:
        """All drawings of its cards and persons by their ids."""
        found = {}
        for slug, card in self.data["cards"].items():
            found[slug] = card.get("drawing") or self._drawn(slug)
            for person in card.get("persons", ()):
                if "emblem" in person:
                    found[person["emblem"]] = person.get("drawing") or self._drawn(person["emblem"])
        return found

    def _drawn(self, name: str) -> str:
        kind = str(self.data["emblems"])
        return art.emblem(kind if name in art.names(kind) else THEMES[0], name)

    def _lacks(self, card: int, key: str) -> WordsError:
        place = f"words/themes/{self.slug}.toml, table [cards.{CARD_NAMES[card]}]"
        return WordsError(f"The theme '{self.slug}' has no {key} for a card: {place}.")

    def _card(self, card: int) -> Mapping[str, Any]:
        words: Mapping[str, Any] | None = self.data["cards"].get(CARD_NAMES[card])
        if words is None:
            raise WordsError(f"The theme '{self.slug}' has no words for the card {CARD_NAMES[card]}.")
        return words


def in_language(text: str | Mapping[str, str], lang: str) -> str:
    """A text in a language; a plain one is the same in all."""
    return text if isinstance(text, str) else text[lang]


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
