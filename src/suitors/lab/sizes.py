"""Inputs and actions that mean the same at tables of several sizes, so that one network can play at all of them.

They are those of the widest table; at a smaller one, questions about seats that are not there are answered no.
"""

from collections import Counter
from collections.abc import Sequence

from ..rules.editions import Edition
from .inputs import MOST, Input, inputs
from .space import Space, space

NEVER = Input(0, MOST, 0)
"""A question to which the answer is always no."""


def common_inputs(eds: Sequence[Edition], score: bool) -> list[Input]:
    """All questions of games of one deck, the widest last, with the columns of that one; and which seats there are."""
    widest = space(eds[-1], full=True)
    first = widest.seats_at
    asked = [
        Input(_column(question.column, space(ed, full=True), widest), question.low, question.high)
        for ed in reversed(eds)
        for question in inputs(ed, score)
    ]
    seats = [Input(first + seat * widest.stride, 0, MOST) for seat in range(eds[0].players, widest.players)]
    return list(dict.fromkeys([*asked, *seats]))


def inputs_at(ed: Edition, eds: Sequence[Edition], score: bool) -> list[Input]:
    """The common questions of some games, with the columns of one of them."""
    here, widest = space(ed, full=True), space(eds[-1], full=True)
    gap = widest.history_at - here.history_at
    found = []
    for question in common_inputs(eds, score):
        if question.column < here.history_at:
            found.append(question)
        elif question.column < widest.history_at:
            found.append(NEVER)
        else:
            found.append(question._replace(column=question.column - gap))
    return found


def actions_at(ed: Edition, widest: Edition) -> list[int]:
    """The numbers that the actions of a game have at the widest table."""
    numbers = {move: number for number, move in enumerate(_numbered(space(widest).move))}
    return [numbers[move] for move in _numbered(space(ed).move)]


def _column(column: int, here: Space, widest: Space) -> int:
    return column if column < here.history_at else column - here.history_at + widest.history_at


def _numbered(moves: Sequence[int]) -> list[tuple[int, int]]:
    """Moves with a number each, since the actions of a Chancellor all have the same."""
    seen: Counter[int] = Counter()
    found = []
    for move in moves:
        found.append((move, seen[move]))
        seen[move] += 1
    return found
