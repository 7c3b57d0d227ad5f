"""Options that the benchmarks share; invalid values are refused with a message."""

import argparse
from collections.abc import Mapping
from math import inf
from typing import TypeVar

from suitors.rules import BOXES

T = TypeVar("T")


def cells(text: str) -> list[tuple[str, int]]:
    """Read a list of tables such as modern-2."""
    there = {f"{slug}-{n}": (slug, n) for slug, box in BOXES.items() for n in box.players if n > 1}
    return [find(word, there) for word in text.split(",")]


def find(word: str, there: Mapping[str, T]) -> T:
    """What a word of the command line means."""
    if word not in there:
        raise argparse.ArgumentTypeError(f"'{word}' is none of {', '.join(there)}")
    return there[word]


def whole(text: str) -> int:
    """Read a whole number from 0 on."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is below 0")
    return number


def count(text: str) -> int:
    """Read a whole number from 1 on."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not a number from 1 on")
    return number


def positive(text: str) -> float:
    """Read a number above 0."""
    number = float(text)
    if not 0 < number < inf:
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return number


def positives(text: str) -> list[float]:
    """Read a list of numbers above 0."""
    return [positive(part) for part in text.split(",")]
