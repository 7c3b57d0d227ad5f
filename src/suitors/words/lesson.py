"""The words of the guided first game, with cards and people named as the reader's theme and language have them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..notation import CARD_NAMES
from ..rules import edition
from .languages import gettext
from .speech import Noun, Speaker
from .themes import Theme, read_toml

EDITION, PLAYERS = "modern", 3
"""What the first game plays, and for how many."""


@dataclass(frozen=True)
class StepWords:
    """What a learner reads at a step: what is so, what to do, and the answer to a move that is not the one meant."""

    title: str
    text: str
    task: str = ""
    wrong: str = ""


@lru_cache
def lesson_file() -> dict[str, Any]:
    """The file of the first game's words."""
    return read_toml("lesson.toml")


def opponents(lang: str) -> tuple[str, ...]:
    """The names of the learner's opponents, in the order of their seats."""
    return tuple(lesson_file()["people"][lang].values())


def start_words(lang: str, theme: Theme) -> StepWords:
    """What is read before the first step."""
    return _filled(lesson_file()["start"][lang], lang, theme)


def step_words(key: str, lang: str, theme: Theme) -> StepWords:
    """What is read at a step."""
    return _filled(lesson_file()["steps"][key][lang], lang, theme)


def _filled(texts: Mapping[str, str], lang: str, theme: Theme) -> StepWords:
    names = _names(lang, theme)
    return StepWords(**{part: text.format(**names) for part, text in texts.items()})


def _names(lang: str, theme: Theme) -> dict[str, Noun | str]:
    """All that can stand in braces: the cards of the edition, the opponents, tokens, and two parts of the page."""
    say, speaker = gettext(lang), Speaker((), None, lang, theme)
    copies = edition(EDITION, PLAYERS).copies
    cards = {name: _card(speaker, card) for card, name in enumerate(CARD_NAMES) if copies[card]}
    parts = {"reference": say("Reference card"), "know": say("What I know")}
    return {**cards, **lesson_file()["people"][lang], **parts, "token": speaker.token()}


def _card(speaker: Speaker, card: int) -> Noun:
    """A card with its article in the forms that a lesson needs."""
    forms = speaker.card(card).forms
    start = forms[""][0].upper() + forms[""][1:]
    return Noun({**forms, "^": start, "name": speaker.theme.name(card, speaker.lang)})
