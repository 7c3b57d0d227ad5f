"""Options that the training tools share."""

import argparse
from math import inf

from benchmarks.options import count, positive, whole
from suitors.rules import BOXES

__all__ = [
    "EDITIONS",
    "add_game",
    "check_game",
    "check_tables",
    "count",
    "duration",
    "factor",
    "pair",
    "positive",
    "whole",
]

EDITIONS = [slug for slug, box in BOXES.items() if max(box.players) > 1]


def add_game(parser: argparse.ArgumentParser) -> None:
    """Let a command line name the game of a network."""
    parser.add_argument("edition", choices=EDITIONS)
    parser.add_argument("--players", type=sizes, default=[2], help="one number, or several for one network")
    parser.add_argument("--score", action="store_true", help="play for the match, knowing all tokens")


def check_tables(parser: argparse.ArgumentParser, given: argparse.Namespace, parts: int, sizes: int) -> None:
    """Stop where there are not enough tables for each part of a batch to have some of every size."""
    if given.tables // sizes < parts:
        parser.error(f"{given.tables} tables are too few: at least {parts * sizes} are needed.")


def check_game(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """Stop where the edition is not for these numbers of players."""
    there = [number for number in BOXES[given.edition].players if number > 1]
    if wrong := sorted(set(given.players) - set(there)):
        parser.error(f"{given.edition} is for {', '.join(map(str, there))} players, not {', '.join(map(str, wrong))}.")


def sizes(text: str) -> list[int]:
    """Read a list of numbers of players."""
    return sorted({int(number) for number in text.split(",")})


def pair(text: str) -> tuple[float, float]:
    """Read two numbers."""
    first, last = text.split(",")
    return float(first), float(last)


def duration(text: str) -> float:
    """Read a number from 0 on."""
    number = float(text)
    if not 0 <= number < inf:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 on.")
    return number


def factor(text: str) -> float:
    """Read a number above 1."""
    number = float(text)
    if not 1 < number < inf:
        raise argparse.ArgumentTypeError(f"{text} is not a number above 1.")
    return number
