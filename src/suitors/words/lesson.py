"""The words of guided games, with cards and people named as the reader's theme and language have them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .themes import read_toml
from .vocabulary import Vocabulary


@dataclass(frozen=True)
class StepWords:
    """What a learner reads at a step: what is so, what to do, and the answer to a move that is not the one meant."""

    title: str
    text: str
    task: str = ""
    wrong: str = ""


@lru_cache
def lesson_file() -> dict[str, Any]:
    """The words of the first game and of the lessons after it."""
    first, course = read_toml("lesson.toml"), read_toml("course.toml")
    return {**first, **course, "steps": first["steps"] | course["steps"]}


def opponents(lang: str) -> tuple[str, ...]:
    """The names of the learner's opponents, in the order of their seats."""
    return tuple(lesson_file()["people"][lang].values())


def start_words(words: Vocabulary) -> StepWords:
    """What is read before the first step."""
    return _filled("start", lesson_file()["start"], words)


def lesson_words(name: str, words: Vocabulary) -> StepWords:
    """What a lesson after the first game is called, and what it is about."""
    return _filled(name, lesson_file()["lessons"][name], words)


def step_words(key: str, words: Vocabulary) -> StepWords:
    """What is read at a step."""
    return _filled(key, lesson_file()["steps"][key], words)


def _filled(key: str, texts: Mapping[str, Mapping[str, str]], words: Vocabulary) -> StepWords:
    """The texts of a step, those of the theme first."""
    own = words.theme.data.get("lesson", {}).get(key, {}).get(words.lang, {})
    people: Mapping[str, str] = lesson_file()["people"][words.lang]
    parts = {"reference": words.say("Reference card"), "know": words.say("What I know")}
    chosen = {**texts[words.lang], **own}
    return StepWords(**{part: words.fill(text, **people, **parts) for part, text in chosen.items()})
