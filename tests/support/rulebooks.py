"""The rules of all editions, as tests read them."""

from functools import cache
from itertools import chain

import pytest

from suitors.rules import BOXES, Card
from suitors.words import LANGUAGES, THEMES, load_theme
from suitors.words.rulebook import Medium, Rulebook
from suitors.words.vocabulary import Vocabulary

WRITTEN = [(theme, slug) for theme in THEMES for slug in BOXES if slug in load_theme(theme).editions]
SOLO = [slug for slug, box in BOXES.items() if box.solo]
SEVERAL = [slug for slug, box in BOXES.items() if not box.solo]

everywhere = pytest.mark.parametrize(("theme", "slug"), WRITTEN)
in_both_languages = pytest.mark.parametrize("lang", LANGUAGES)
in_every_medium = pytest.mark.parametrize("medium", Medium)


@cache
def book(theme: str, slug: str, lang: str, medium: Medium) -> Rulebook:
    """The rules of an edition in one theme, language and medium."""
    return Rulebook(Vocabulary(load_theme(theme), slug, lang), medium)


def paragraphs(found: Rulebook) -> list[str]:
    """The rules without the rulings."""
    return [found.about, *chain.from_iterable(texts for _, texts in found.sections)]


def all_texts(found: Rulebook) -> list[str]:
    """All that the rules say but the story with which they open, which is the theme's."""
    return [*paragraphs(found), *(text for _, text in found.rulings)]


def names(theme: str, card: Card, lang: str) -> set[str]:
    """What a card may be called in a text."""
    noun = Vocabulary(load_theme(theme), None, lang).card(card)
    return {format(noun, form) for form in ("name", "s")}
