"""The switches of the rules as a person reads them who opens a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .themes import read_toml
from .vocabulary import Vocabulary


@dataclass(frozen=True)
class Switch:
    """A switch: what is asked, and what each value means, the default first."""

    key: str
    ruling: str
    title: str
    values: Mapping[str, str]


@lru_cache
def _texts() -> dict[str, Any]:
    return read_toml("switches.toml")


def load_switches(words: Vocabulary) -> list[Switch]:
    """The switches that make a difference in the reader's edition, in the order of the file."""
    keys = () if words.box is None else words.box.switches
    return [_switch(key, text, words) for key, text in _texts().items() if key in keys]


def _switch(key: str, text: Mapping[str, Any], words: Vocabulary) -> Switch:
    said = text[words.lang]
    values = {value: words.fill(meaning) for value, meaning in said["values"].items()}
    return Switch(key, text["ruling"], words.fill(said["title"]), values)
