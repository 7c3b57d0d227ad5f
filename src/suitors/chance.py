"""Where a match takes its chance from: a generator that is given, seeded, or the system's own; and copies of it."""

import pickle
import random
import secrets
from collections.abc import MutableSequence, Sequence
from copy import deepcopy
from hashlib import blake2b
from typing import Any, TypeVar

from .errors import SuitorsError, brief
from .fast.games import STATE, below, next_word, seed_chance, shuffle

UNCOPIED = (NotImplementedError, AttributeError, TypeError, pickle.PicklingError)
"""What generators raise that cannot be copied, such as the system's."""

Seed = int | float | str | bytes | bytearray

Item = TypeVar("Item")


class Stream(random.Random):
    """The chance of compiled code (fast/games.py) as a generator of Python's: both draw the same from the same seed."""

    def __new__(cls, seed: int = 0, number: int = 0) -> "Stream":
        """Python's own generator, which every random.Random holds, is not used."""
        return super().__new__(cls, 0)  # type: ignore[call-arg]

    def __init__(self, seed: int = 0, number: int = 0) -> None:
        """Start the stream of this number of a seed of 64 bits."""
        self.words = [0] * STATE
        self.gauss_next = None
        seed_chance(self.words, seed, number)

    def getrandbits(self, k: int, /) -> int:
        """So many random bits."""
        words = -(-k // 32)
        found = 0
        for _ in range(words):
            found = found << 32 | next_word(self.words)
        return found >> 32 * words - k

    def random(self) -> float:
        """A number from 0 to 1, with as many bits as a float has."""
        return self.getrandbits(53) / (1 << 53)

    def choice(self, seq: Sequence[Item]) -> Item:  # type: ignore[override]
        """One of the items; one word is drawn, as in compiled code."""
        return seq[below(self.words, len(seq))]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle in place, as compiled code does."""
        shuffle(x, len(x), self.words)

    def getstate(self) -> tuple[Any, ...]:
        """The words, from which `setstate` goes on."""
        return (*self.words, self.gauss_next)

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Go on from a state."""
        *self.words, self.gauss_next = state


def seed_number(text: str) -> int:
    """The seed of 64 bits that a text stands for."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


def choose_rng(rng: object, seed: Seed | None) -> random.Random:
    """The generator that a caller asks for: `rng` itself, one of `seed`, or the system's."""
    if rng is not None and seed is not None:
        raise SuitorsError("bad-rng", "Give either rng or seed, not both.")
    if seed is not None:
        if not isinstance(seed, Seed):
            raise SuitorsError("bad-rng", f"A seed is a number or a text, not {brief(seed)}.")
        return random.Random(seed)
    if rng is None:
        return secrets.SystemRandom()
    if not isinstance(rng, random.Random):
        raise SuitorsError("bad-rng", f"rng is a random.Random, not {brief(rng)}; use seed= for a number or a text.")
    return rng


def copy_rng(rng: random.Random) -> random.Random:
    """A generator that gives what the other one would, without taking it from it; the system's has nothing to copy."""
    if type(rng) is random.Random:
        twin = random.Random.__new__(random.Random)
        twin.setstate(rng.getstate())
        return twin
    if isinstance(rng, random.SystemRandom):
        return secrets.SystemRandom()
    try:
        return deepcopy(rng)
    except UNCOPIED:
        return secrets.SystemRandom()


def portable_rng(rng: random.Random) -> random.Random | None:
    """The generator, if it can be pickled; None stands for the system's."""
    if type(rng) is random.Random:
        return rng
    try:
        pickle.dumps(rng)
    except UNCOPIED:
        return None
    return rng
