"""A finished match played again, step by step: a deal is a step, and so is a move."""

from collections.abc import Iterator
from itertools import islice

from ...game import Play


def replay(match: Play) -> Iterator[Play]:
    """The match after each of its steps; it is the same object each time, one step further."""
    copy = type(match)(match.edition, match.players, match.options, dealt=False)
    for round_ in match.rounds:
        copy.start(round_.deck, round_.first)
        yield copy
        for move in round_.moves:
            copy.push(move)
            yield copy


def at_step(match: Play, step: int) -> Play:
    """The match as it was after a step; the first has the number 0."""
    return next(islice(replay(match), step, None))


def count_steps(match: Play) -> int:
    """How many steps a match has."""
    return sum(1 + len(round_.moves) for round_ in match.rounds)
