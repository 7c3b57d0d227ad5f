"""What players read about the editions: one file, checked when it is first read."""

from functools import lru_cache
from itertools import product
from typing import Any

from ..rules import BOXES
from .languages import LANGUAGES
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


def edition_title(slug: str, lang: str) -> str:
    """What an edition is called."""
    return str(editions()[slug][lang]["title"])
