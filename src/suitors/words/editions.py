"""What players read about the editions: one file, checked when it is first read."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Any

from ..rules import BOXES, find_box
from .languages import LANGUAGES
from .own_editions import own_figures, own_texts
from .themes import WordsError, read_toml

SECTIONS = ("setup", "turn", "ends", "match")
"""The sections of an edition's rules in editions.toml."""


@lru_cache
def editions() -> dict[str, Any]:
    """What players read about the editions; a WordsError names what an edition lacks."""
    found = read_toml("editions.toml")
    for slug, lang in product(BOXES, LANGUAGES):
        edition = found.setdefault(slug, {})
        model = found.get(edition.get("like"), {})
        words = edition[lang] = {**model.get(lang, {}), **edition.get(lang, {})}
        for key in ("title", "about", *SECTIONS, *(() if BOXES[slug].solo else ("token",))):
            if not words.get(key):
                raise WordsError(f"The edition '{slug}' has no {key} in words/editions.toml, table [{slug}.{lang}].")
    return found


def edition_texts(slug: str, lang: str) -> Mapping[str, Any]:
    """What players read about an edition: of one's own, what its maker says, and the base's word for tokens."""
    box = find_box(slug)
    published: Mapping[str, Any] = editions()[box.model][lang]
    return {"token": published["token"], **own_texts(box, lang)} if box.base else published


def edition_figures(slug: str, lang: str) -> Mapping[str, str]:
    """What stands in braces in these texts, besides nouns and decks; nothing for published editions."""
    box = find_box(slug)
    return {"base": edition_title(box.base, lang), **own_figures(box, lang)} if box.base else {}


def related_edition(slug: str, how: str) -> str | None:
    """The `larger` or `smaller` edition whose cards are in the same box, or the one that it is `like`, if any."""
    found: str | None = editions().get(slug, {}).get(how)
    return found


def edition_word(slug: str) -> str:
    """What the names of files call an edition: its slug, or the name of one's own in plain letters."""
    box = find_box(slug)
    return (re.sub("[^a-z0-9]+", "-", box.name.lower()).strip("-") or "own-edition") if box.base else slug


def edition_title(slug: str, lang: str) -> str:
    """What an edition is called."""
    return str(edition_texts(slug, lang)["title"])
