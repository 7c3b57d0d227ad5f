"""The rules of an edition as readable text: what `suitors rules` prints."""

import textwrap
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from ..rules import BOXES, Card, Edition, edition
from .languages import LANGUAGES, gettext
from .themes import Theme, WordsError, load_theme, read_toml

WIDTH = 88
SECTIONS = ("setup", "turn", "ends", "match")
"""The sections of an edition's rules in editions.toml."""


@lru_cache
def editions() -> dict[str, Any]:
    """What players read about the editions; a WordsError names what an edition lacks."""
    found = read_toml("editions.toml")
    for slug, lang in product(BOXES, LANGUAGES):
        words = found.get(slug, {}).get(lang, {})
        for key in ("title", "about", *SECTIONS):
            if not words.get(key):
                raise WordsError(f"The edition '{slug}' has no {key} in words/editions.toml, table [{slug}.{lang}].")
    return found


def section_titles(lang: str) -> dict[str, str]:
    """The titles of the sections in which an edition is explained, by their keys."""
    _ = gettext(lang)
    titles = (_("Setting up"), _("A turn"), _("The end of a round"), _("Winning the match"))
    return dict(zip(SECTIONS, titles, strict=True))


@lru_cache
def rulings() -> dict[str, Any]:
    """The rulings, by their numbers."""
    found = {key: value for key, value in read_toml("rulings.toml").items() if key != "sections"}
    for number, ruling in found.items():
        ruling["scope"] = dict(read_scope(number, words) for words in ruling["editions"])
    return found


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


def rulings_of(slug: str) -> list[str]:
    """The numbers of the rulings that bear on an edition, none for one that needs no rulings."""
    return [number for number, ruling in rulings().items() if slug in ruling["scope"]]


def rules_text(slug: str | None, lang: str | None, theme: str = "court") -> str:
    """The rules of an edition, in its own language unless another is asked for; without one, the editions."""
    if slug is None:
        return "\n".join(_list(lang or "en"))
    words = load_theme(theme)
    if slug not in words.editions:
        known = ", ".join(words.editions)
        raise WordsError(f"The theme '{theme}' has names for {known} only, not for {slug}.")
    return "\n".join(_rules(slug, lang or BOXES[slug].language, words))


def _list(lang: str) -> Iterator[str]:
    for slug in BOXES:
        words = editions()[slug]
        yield f"{slug:<15} {words[lang]['title']} ({words['players']})"
        yield from _wrapped(words[lang]["about"], " " * 16)
    yield ""
    yield gettext(lang)("suitors rules EDITION prints one of them whole.")


def _rules(slug: str, lang: str, theme: Theme) -> Iterator[str]:
    _, words = gettext(lang), editions()[slug][lang]
    yield from _title(words["title"], "=")
    yield from _wrapped(words["about"])
    yield from _cards(slug, lang, theme)
    for key, heading in section_titles(lang).items():
        yield from _section(heading, words[key])
    numbers = rulings_of(slug)
    if numbers:
        yield ""
        yield from _title(_("Rulings"), "-")
    for number in numbers:
        yield from _wrapped(f"{number:<5}{rulings()[number][lang]}", "     ", first="")


def _cards(slug: str, lang: str, theme: Theme) -> Iterator[str]:
    """A list of the cards, highest first, for each deck that the edition has."""
    _, box = gettext(lang), BOXES[slug]
    decks = {id(deck): (deck, [n for n in box.players if box.decks[n] is deck]) for deck in box.decks.values()}
    for deck, players in decks.values():
        rules = edition(slug, players[0])
        yield ""
        heading = _("Cards") if len(decks) == 1 else _("Cards with {low}–{high} players")
        yield from _title(heading.format(low=players[0], high=players[-1]), "-")
        for card in sorted(deck, key=lambda card: (-rules.value[card], card)):
            yield from _card(rules, card, lang, theme)


def _card(rules: Edition, card: Card, lang: str, theme: Theme) -> Iterator[str]:
    head = f"{rules.value[card]}  {theme.name(card, lang)} ×{rules.copies[card]}"
    text = theme.text(card, lang, by_number=bool(rules.by_number), solo=rules.players == 1)
    line = gettext(lang)("{card}: {text}").format(card=head, text=text)
    yield from _wrapped(line, "   ", first="")


def _section(heading: str, paragraphs: Sequence[str]) -> Iterator[str]:
    yield ""
    yield from _title(heading, "-")
    for paragraph in paragraphs:
        yield from _wrapped(paragraph)


def _title(text: str, line: str) -> Iterator[str]:
    yield text
    yield line * len(text)


def _wrapped(text: str, indent: str = "", first: str | None = None) -> list[str]:
    start = indent if first is None else first
    return textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False)
