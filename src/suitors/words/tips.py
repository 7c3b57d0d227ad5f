"""Tips for players: advice for every card and edition, each with figures that show it.

The texts are in tips.toml. The figures are in tip_figures.json, edition by edition, and are made by benchmarks/tips.py.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from ..notation import CARD_NAMES
from .numbers import decimal, grouped, percent
from .themes import read_toml
from .vocabulary import Vocabulary


@dataclass(frozen=True)
class Figure:
    """A measured number in a sentence: {played} is a share as percents, {played:number} a number with two decimals."""

    value: float
    lang: str

    def __format__(self, form: str) -> str:
        return decimal(self.value, self.lang, 2) if form == "number" else percent(self.value, self.lang)


@lru_cache
def tips_file() -> dict[str, Any]:
    """The texts: [cards.*] and [solo.*] by card, [general.*] with the [editions] that they are for, and [source]."""
    return read_toml("tips.toml")


@lru_cache
def figures_file() -> dict[str, Any]:
    """The figures of each edition, and how they were made."""
    found: dict[str, Any] = json.loads(resources.files(__package__).joinpath("tip_figures.json").read_text("utf-8"))
    return found


def general_tips(edition: str | None) -> tuple[str, ...]:
    """The names of the general tips for an edition; none without one, and none where nothing was measured."""
    return () if edition is None else tuple(tips_file()["editions"].get(edition, ()))


def is_left_out(edition: str, card: int) -> bool:
    """Whether an edition does without the tip for a card, for it would not be true there."""
    return CARD_NAMES[card] in tips_file()["left_out"].get(edition, ())


def card_tip(words: Vocabulary, card: int) -> str | None:
    """The tip for a card; None where the edition lacks the card, there is no text, or nothing was measured for it."""
    if words.box is None or not any(card in deck for deck in words.box.decks.values()):
        return None
    if words.box.slug not in figures_file() or is_left_out(words.box.slug, card):
        return None
    kind, name = "solo" if words.box.solo else "cards", CARD_NAMES[card]
    if name not in tips_file()[kind] or f"{kind}.{name}" not in _made(words)["tips"]:
        return None
    return _tip(words, kind, name)


def edition_tips(words: Vocabulary) -> tuple[str, ...]:
    """The general tips for an edition."""
    if words.edition not in figures_file():
        return ()
    return tuple(_tip(words, "general", name) for name in general_tips(words.edition))


def tips_source(words: Vocabulary) -> str:
    """Where the figures of an edition come from, in a sentence; nothing where there are none."""
    if words.edition not in figures_file():
        return ""
    made = _made(words)
    kind = next(kind for kind in tips_file()["source"] if kind in made)
    text = tips_file()["source"][kind][words.lang]
    return words.fill(text, players=made["players"], **{kind: grouped(made[kind], words.lang)})


def _tip(words: Vocabulary, kind: str, name: str) -> str:
    """A tip with the figures of the edition; where cards are called by their numbers, it may have another text."""
    texts = tips_file()[kind][name]
    by_number = words.box is not None and words.box.by_number
    text = texts.get("number", texts)[words.lang] if by_number else texts[words.lang]
    figures = _made(words)["tips"][f"{kind}.{name}"]
    return words.fill(text, **{key: Figure(figure["value"], words.lang) for key, figure in figures.items()})


def _made(words: Vocabulary) -> dict[str, Any]:
    """The figures of the edition, and how they were made."""
    assert words.edition is not None
    found: dict[str, Any] = figures_file()[words.edition]
    return found
