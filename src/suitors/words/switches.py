"""The switches of the rules as a person reads them who opens a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .themes import read_toml


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


def load_switches(keys: frozenset[str], lang: str) -> list[Switch]:
    """These switches in a language, in the order of the file."""
    return [
        Switch(key, text["ruling"], text[lang]["title"], text[lang]["values"])
        for key, text in _texts().items()
        if key in keys
    ]
