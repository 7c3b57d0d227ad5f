"""The rules of an edition as people read them: in a browser, on paper, or as what `suitors rules` prints."""

import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any

from ..notation import CARD_NAMES
from ..rules import BOXES, Card, Edition, edition, find_box
from .editions import SECTIONS, edition_figures, edition_texts, edition_title, editions, related_edition
from .languages import gettext
from .themes import THEMES, Theme, WordsError, load_theme, read_toml
from .tips import card_tip, edition_tips, tips_source
from .vocabulary import Vocabulary, cards_named

WIDTH = 88

Text = str | Mapping[str, Any]
"""A paragraph of editions.toml or a sentence of rulings.toml: the same for all media, or a table."""


class Medium(StrEnum):
    """Where the rules are read."""

    TABLE = "table"  # the page in a browser
    PAPER = "paper"  # the leaflet of a kit
    PROGRAM = "program"  # a terminal


class Rulebook:
    """The rules of an edition, in the words of one reader and in one medium."""

    def __init__(self, words: Vocabulary, medium: Medium) -> None:
        assert words.edition is not None
        self.words, self.medium, self.slug = words, medium, words.edition
        self.box = find_box(self.slug)
        self.texts = edition_texts(self.slug, words.lang)
        self.figures = edition_figures(self.slug, words.lang)

    @property
    def title(self) -> str:
        """What the edition is called."""
        return edition_title(self.slug, self.words.lang)

    @property
    def premise(self) -> str:
        """The story with which the rules open."""
        return self.words.premise(self.box.solo)

    @property
    def about(self) -> str:
        """What is special about the edition, in a sentence."""
        return self.words.about

    @property
    def sections(self) -> list[tuple[str, list[str]]]:
        """The headings of the rules, each with its paragraphs; the last of a match is what its winner reads."""
        found = [
            (
                heading,
                [self.words.fill(text, **self.figures) for text in self._read(self.texts[key]) if self._holds(text)],
            )
            for key, heading in zip(SECTIONS, self._headings(), strict=True)
        ]
        if not self.box.solo:
            found[-1][1].append(self.words.victory)
        return found

    def _holds(self, paragraph: str) -> bool:
        """Whether a paragraph speaks of cards that are there; those of published editions always do."""
        return not self.box.base or cards_named(paragraph) <= cards_of(self.slug)

    def _headings(self) -> tuple[str, ...]:
        """The titles of the sections; the solo game has neither rounds nor matches."""
        say = self.words.say
        if self.box.solo:
            return say("Setting up"), say("A turn"), say("Winning and losing"), say("The solo editions")
        return say("Setting up"), say("A turn"), say("The end of a round"), say("Winning the match")

    @property
    def rulings(self) -> list[tuple[str, str]]:
        """The rulings that have something to say here, by number."""
        found = ((number, " ".join(self._sentences(ruling))) for number, ruling in rulings().items())
        return [(number, text) for number, text in found if text]

    def _sentences(self, ruling: Mapping[str, Any]) -> Iterator[str]:
        """What a ruling says in this theme about the cards of this edition."""
        theme = self.words.theme.slug
        if not self._bears(ruling) or theme not in ruling.get("themes", [theme]):
            return
        known = {*cards_of(self.slug), *ruling.get("absent", ())}
        for number, sentence in enumerate(self._read(ruling[self.words.lang])):
            if cards_named(sentence) <= known:
                yield self.words.fill(sentence)
            elif self.box.base and number == 0:
                return  # the other sentences were written to follow this one

    def _bears(self, ruling: Mapping[str, Any]) -> bool:
        """Whether a ruling bears on this edition: on the base of one's own, or on cards that the base lacks."""
        if not self.box.base:
            return self.slug in ruling["scope"]
        if ruling.get("printed"):
            return False
        added = cards_of(self.slug) - cards_of(self.box.base)
        return self.box.base in ruling["scope"] or any(
            cards_named(sentence) & added for sentence in self._read(ruling[self.words.lang])
        )

    def _read(self, texts: Sequence[Text]) -> Iterator[str]:
        """The texts that are for this edition and medium."""
        for text in texts:
            if isinstance(text, str):
                yield text
            elif "editions" not in text or self.box.model in with_alike(text["editions"]):
                found: str = text.get(self.medium, text.get("other", ""))
                if found:
                    yield found


@lru_cache(maxsize=256)
def cards_of(slug: str) -> frozenset[str]:
    """The names of the cards in the decks of an edition."""
    return frozenset(CARD_NAMES[card] for deck in find_box(slug).decks.values() for card in deck)


# The rulings


@lru_cache
def rulings() -> dict[str, Any]:
    """All rulings, by their numbers."""
    found = {key: value for key, value in read_toml("rulings.toml").items() if key != "sections"}
    for number, ruling in found.items():
        named = dict(read_scope(number, words) for words in ruling["editions"])
        slugs = named if ruling.get("printed") else with_alike(named)
        ruling["scope"] = {slug: named.get(slug) or _as_alike(slug, named) for slug in slugs}
    return found


def with_alike(named: Collection[str]) -> list[str]:
    """The editions that a text is for: those that it names, and those that are `like` one of them."""
    return [slug for slug in BOXES if slug in named or related_edition(slug, "like") in named]


def _as_alike(slug: str, named: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """The numbers of players for which a ruling applies to an edition as it does to the one that it is like."""
    return tuple(n for n in named[related_edition(slug, "like") or slug] if n in BOXES[slug].players)


def ruling_sections() -> dict[str, str]:
    """The titles of the sections, by the rulings with which they begin."""
    titles: dict[str, str] = read_toml("rulings.toml")["sections"]
    return titles


def read_scope(number: str, words: str) -> tuple[str, tuple[int, ...]]:
    """The edition that a ruling applies to, and for which numbers of players: from words as modern, premium 5-8."""
    slug, _, numbers = words.partition(" ")
    if slug not in BOXES:
        raise WordsError(f"Ruling {number} names '{words}', but the editions are {', '.join(BOXES)}.")
    players = [str(n) for n in BOXES[slug].players]
    low, dash, high = numbers.partition("-") if numbers else (players[0], "-", players[-1])
    if not dash or low not in players or high not in players or int(low) > int(high):
        raise WordsError(f"Ruling {number} names '{words}', but {slug} is for {players[0]}-{players[-1]} players.")
    return slug, tuple(range(int(low), int(high) + 1))


# The terminal


def rules_text(slug: str | None, lang: str | None, theme: str | Theme = THEMES[0]) -> str:
    """The rules of an edition, in its own language unless another is asked for; without one, the editions."""
    found = theme if isinstance(theme, Theme) else load_theme(theme)
    if slug is None:
        return "\n".join(_list(lang or "en", found))
    check_fits(found, slug)
    words = Vocabulary(found, slug, lang or find_box(slug).language)
    return "\n".join(_rules(Rulebook(words, Medium.PROGRAM)))


def check_fits(theme: Theme, slug: str) -> None:
    """Raise a WordsError where a theme has no names for the cards of an edition."""
    if theme.fits(slug):
        return
    if slug in BOXES:
        raise WordsError(f"The theme '{theme.slug}' has names for {', '.join(theme.editions)} only, not for {slug}.")
    lacking = ", ".join(sorted(cards_of(slug) - set(theme.cards)))
    raise WordsError(f"The theme '{theme.slug}' has no names for these cards of the edition: {lacking}.")


def _list(lang: str, theme: Theme) -> Iterator[str]:
    """The editions; the first theme tells those for which this one has no names."""
    for slug in BOXES:
        words = Vocabulary(theme if theme.fits(slug) else load_theme(THEMES[0]), slug, lang)
        book = Rulebook(words, Medium.PROGRAM)
        yield f"{slug:<15} {book.title} ({editions()[slug]['players']})"
        yield from _wrapped(book.about, " " * 16)
    yield ""
    yield gettext(lang)("suitors rules EDITION prints one of them whole.")


def _rules(book: Rulebook) -> Iterator[str]:
    yield from _title(book.title, "=")
    yield from _wrapped(book.premise)
    yield ""
    yield from _wrapped(book.about)
    yield from _cards(book)
    for heading, paragraphs in book.sections:
        yield ""
        yield from _title(heading, "-")
        for paragraph in paragraphs:
            yield from _wrapped(paragraph)
    if tips := edition_tips(book.words):
        yield ""
        yield from _title(book.words.say("Tips"), "-")
        for tip in (*tips, tips_source(book.words)):
            yield from _wrapped(tip)
    if book.rulings:
        yield ""
        yield from _title(book.words.say("Rulings"), "-")
    for number, text in book.rulings:
        yield from _wrapped(f"{number:<5}{text}", "     ", first="")


def _cards(book: Rulebook) -> Iterator[str]:
    """A list of the cards, highest first, for each deck that the edition has."""
    words, box = book.words, book.box
    decks = {id(deck): (deck, [n for n in box.players if box.decks[n] is deck]) for deck in box.decks.values()}
    told: Mapping[Card, int] = {}
    *_, (largest, _) = decks.values()
    for deck, players in decks.values():
        rules = edition(book.slug, players[0])
        yield ""
        heading = words.say("Cards") if len(decks) == 1 else words.say("Cards with {low}–{high} players")
        yield from _title(heading.format(low=players[0], high=players[-1]), "-")
        for card in sorted(deck, key=lambda card: (-rules.value[card], card)):
            yield from _card(rules, card, words)
            if told.get(card) != deck[card]:
                yield from _people(card, deck[card], words)
            if deck is largest and not box.base:
                yield from _wrapped(_named(words, words.say("Tip"), card_tip(words, card) or ""), "   ")
        told = deck


def _card(rules: Edition, card: Card, words: Vocabulary) -> Iterator[str]:
    head = f"{rules.value[card]}  {words.theme.name(card, words.lang)} ×{rules.copies[card]}"
    text = words.theme.text(card, words.lang, by_number=bool(rules.by_number), solo=rules.players == 1)
    yield from _wrapped(_named(words, head, words.fill(text)), "   ", first="")


def _people(card: Card, copies: int, words: Vocabulary) -> Iterator[str]:
    """Who is on the copies of a card, with a line about each."""
    faces = Counter(words.theme.portrait(card, words.lang, copy) for copy in range(copies))
    for face, count in faces.items():
        person = face.title if words.theme.persons_are_titles else face.subtitle
        name = face.subtitle if len(faces) == 1 else f"{person} ×{count}"
        text = words.fill(face.line)
        yield from _wrapped(_named(words, name, text) if name and text else name or text, "   ")


def _named(words: Vocabulary, name: str, text: str) -> str:
    return words.say("{card}: {text}").format(card=name, text=text)


def _title(text: str, line: str) -> Iterator[str]:
    yield text
    yield line * len(text)


def _wrapped(text: str, indent: str = "", first: str | None = None) -> list[str]:
    start = indent if first is None else first
    return textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False)
