"""Errors in theme files, each with its line."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from .themes import WordsError


class ThemeFileError(WordsError):
    """What is wrong in a theme file, and in which line."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path.name}, line {line}: {message}.")
        self.line = line


PART = r"""(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)"""
DOTTED = rf"\s*{PART}(?:\s*\.\s*{PART})*\s*"
"""A part of a key, quoted or bare, and a key of several."""


def line_of(text: str, where: tuple[str, ...]) -> int:
    """The line of a key, or of the nearest key above it."""
    best, line = 0, 1
    for number, keys in _keys(text):
        shared = next(
            (k for k, (a, b) in enumerate(zip(keys, where, strict=False)) if a != b), min(len(keys), len(where))
        )
        if shared > best and shared == min(len(keys), len(where)):
            best, line = shared, number
    return line


def _keys(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The keys of a TOML file with their lines."""
    table: tuple[str, ...] = ()
    lists = Counter[tuple[str, ...]]()
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(rf"\s*(\[+)({DOTTED})\]", line):
            table = _parts(head[2])
            if head[1] == "[[":
                lists[table] += 1
                table = (*table, str(lists[table] - 1))
            yield number, table
        elif key := re.match(rf"\s*({DOTTED})\s*=", line):
            yield number, (*table, *_parts(key[1]))


def _parts(key: str) -> tuple[str, ...]:
    """The parts of a dotted key."""
    return tuple(part.strip("\"'") for part in re.findall(PART, key))
