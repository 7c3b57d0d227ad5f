"""The trained weights of the quick policy, one set for each kind of game, read from data/policy.bin.

The file begins with a line of JSON that says for which cards, features and games it was made; 32-bit floats follow. It
is read by the names of cards, so that adding a card to the game changes no weight of the others.
"""

import json
import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import isfinite, prod
from pathlib import Path
from statistics import median
from typing import Any

from ..knowledge.notes import SEATS
from ..notation import CARD_NAMES
from ..rules import Edition
from .engine.policy import STAGES

PATH = Path(__file__).parent / "data" / "policy.bin"
FORMAT = "suitors-policy/1"
GAMES = ("16-2", "16-3+", "21-2", "21-3+", "32-5+")
"""The kinds of game that play differently: by the size of the deck, and for two players or more."""

CARD, PLACE = "card", "place"
"""Axes as long as there are cards: one entry a card, by its name; and one for each place in a list of names."""

Shape = tuple[int | str, ...]
"""The axes of a group of weights; none for a single weight."""

FEATURES: dict[str, Shape] = {
    "PLAYS": (2, STAGES, CARD, CARD),
    "NAMES": (PLACE,),
    "EXPOSED": (CARD,),
    "OWN_PRINCE": (CARD,),
    "KEPT": (STAGES, CARD),
    "REDRAWN": (CARD,),
    "GUARD_LOG": (),
    "GUARD_SURE": (),
    "BARON_WIN": (),
    "BARON_LOSE": (),
    "PRINCE_PRINCESS": (),
    "PRINCE_VALUE": (),
    "KING_GAIN": (),
    "PEEK_KNOWN": (),
    "TARGET_TOKENS": (),
    "TARGET_NEXT": (),
    "BISHOP_CHANCE": (),
    "DOWAGER_WIN": (),
    "DOWAGER_LOSE": (),
    "TRADE_SELF": (),
    "LOOK_SELF": (),
    "LOOK_NONE": (),
    "RETURN_LAST": (),
}
"""The groups of weights in the order of engine/policy.py, where each name is the place at which its group begins."""

APPRAISALS: dict[str, Shape] = {"WORTH": (3, 2, SEATS - 1, STAGES, CARD)}
PARTS = {"weights": FEATURES, "appraisals": APPRAISALS, "punishing": FEATURES, "searchers": FEATURES}
"""What is stored for each kind of game, in this order."""


class BadPolicy(ValueError):
    """A file of weights that does not fit this program."""


def header(trained: dict[str, list[str]]) -> dict[str, Any]:
    """The first line of a file; `trained` are the names of the cards that each kind of game was trained with."""
    return {"format": FORMAT, "cards": list(CARD_NAMES), "parts": _plain(PARTS), "games": trained}


def _plain(parts: dict[str, dict[str, Shape]]) -> dict[str, Any]:
    return {part: {name: list(shape) for name, shape in groups.items()} for part, groups in parts.items()}


def game_of(ed: Edition) -> str:
    """Which kind of game this is, or which is nearest."""
    if ed.cards > 26:
        return "32-5+"
    return f"{16 if ed.cards < 19 else 21}-{'2' if ed.players == 2 else '3+'}"


def for_two(game: str) -> bool:
    """Whether a kind of game is for two players."""
    return game.endswith("-2")


@lru_cache
def weights(ed: Edition) -> list[float]:
    """The weights of the policy for a game: what came of self-play."""
    return shipped().part("weights", game_of(ed), deck_of(ed))


@lru_cache
def punishing(ed: Edition) -> list[float]:
    """The weights of a policy that was trained against random players."""
    return shipped().part("punishing", game_of(ed), deck_of(ed))


@lru_cache
def searchers(ed: Edition) -> list[float]:
    """The weights that were fitted to what the best reply was seen to play; between two, those of self-play."""
    if ed.players == 2:
        return weights(ed)
    return shipped().part("searchers", game_of(ed), deck_of(ed))


@lru_cache
def appraisals(ed: Edition) -> list[float]:
    """What each hand is worth when its player's turn is over: the tokens that policy players gain on the others."""
    return shipped().part("appraisals", game_of(ed), deck_of(ed))


def deck_of(ed: Edition) -> frozenset[str]:
    """The names of the cards in the deck."""
    return frozenset(name for name, copies in zip(CARD_NAMES, ed.copies, strict=True) if copies)


@lru_cache
def shipped() -> "Policy":
    """The weights that come with the program."""
    return read_policy(PATH)


def read_policy(path: Path) -> "Policy":
    """The weights of a file; BadPolicy where it was made for other features or games."""
    line, _, body = path.read_bytes().partition(b"\n")
    try:
        head = json.loads(line)
        made_for = (head["format"], head["parts"], list(head["games"]))
        cards = {str(name): k for k, name in enumerate(head["cards"])}
        trained = {game: frozenset(map(str, head["games"][game])) for game in GAMES}
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BadPolicy(f"{path.name} does not begin with a line that says what it was made for.") from None
    if made_for != (FORMAT, _plain(PARTS), list(GAMES)):
        raise BadPolicy(f"{path.name} was made for other features or games: train it anew (tools/train_policy.py).")
    if unknown := sorted(cards.keys() - set(CARD_NAMES)):
        raise BadPolicy(f"{path.name} was made for cards that there are not: {', '.join(unknown)}.")
    if any(not names or names - set(CARD_NAMES) for names in trained.values()):
        raise BadPolicy(f"{path.name} does not say with which cards each game was trained.")
    length = sum(_size(shape, len(cards)) for groups in PARTS.values() for shape in groups.values())
    if len(body) != 4 * len(GAMES) * length:
        raise BadPolicy(f"{path.name} holds {len(body)} bytes of weights where {4 * len(GAMES) * length} are due.")
    numbers = array("f", body)
    if sys.byteorder == "big":
        numbers.byteswap()
    if not all(map(isfinite, numbers)):
        raise BadPolicy(f"{path.name} holds weights that are not numbers.")
    rows = {game: numbers[k * length : (k + 1) * length].tolist() for k, game in enumerate(GAMES)}
    return Policy(cards, trained, rows)


@dataclass(frozen=True)
class Policy:
    """All weights of a file: the places of its cards, the cards each game was trained with, and a row for each game."""

    cards: dict[str, int]
    trained: dict[str, frozenset[str]]
    rows: dict[str, list[float]]

    def part(self, part: str, game: str, deck: frozenset[str] = frozenset()) -> list[float]:
        """The weights of a part as engine/policy.py lays them out.

        A card of the deck that the game was not trained with has its weights from another game, or, where no game
        knows it, what is usual for the cards that are known. A card that is neither in the deck nor in the file has 0.
        """
        found: list[float] = []
        start = 0
        for name, groups in PARTS.items():
            for shape in groups.values():
                if name == part:
                    group = Group(self, start, shape)
                    found += (group.weight(game, index, deck) for index in _indices(shape, CARD_NAMES))
                start += _size(shape, len(self.cards))
        return found


@dataclass(frozen=True)
class Group:
    """One group of a policy's weights, which begins at a place of every row. An index names its cards."""

    policy: Policy
    start: int
    shape: Shape

    def weight(self, game: str, index: tuple[Any, ...], deck: frozenset[str]) -> float:
        """The weight for a deck, from wherever there is one."""
        needed = {part for part in index if part in deck}
        for other in sorted(GAMES, key=lambda other: (other != game, for_two(other) != for_two(game))):
            if needed <= self.policy.trained[other]:
                return self._stored(other, index)
        known = self.policy.trained[game]
        choices = [sorted(known) if part in needed - known else [part] for part in index]
        return median(self._stored(game, like) for like in product(*choices))

    def _stored(self, game: str, index: tuple[Any, ...]) -> float:
        """The weight as it is in the file, 0 where it has none."""
        place = 0
        for axis, part in zip(self.shape, index, strict=True):
            length = axis if isinstance(axis, int) else len(self.policy.cards)
            at = self.policy.cards.get(part, length) if axis == CARD else part
            if at >= length:
                return 0.0
            place = place * length + at
        return self.policy.rows[game][self.start + place]


def _size(shape: Shape, cards: int) -> int:
    return prod(axis if isinstance(axis, int) else cards for axis in shape)


def _indices(shape: Shape, cards: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Every index of a group in order: numbers, and the names of cards."""
    lengths = {CARD: cards, PLACE: range(len(cards))}
    return product(*(range(axis) if isinstance(axis, int) else lengths[axis] for axis in shape))
