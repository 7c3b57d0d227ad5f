"""Where a match takes its chance from: a generator that is given, seeded, or the system's own; and copies of it."""

import pickle
import random
import secrets
from copy import deepcopy

from .errors import SuitorsError, brief

UNCOPIED = (NotImplementedError, AttributeError, TypeError, pickle.PicklingError)
"""What generators raise that cannot be copied, such as the system's."""

Seed = int | float | str | bytes | bytearray


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
