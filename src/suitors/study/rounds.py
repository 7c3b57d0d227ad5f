"""Rounds for studies, in groups that share their deal: everybody's hand stays, and each seat starts once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arena.tally import WHOLE
from ..chance import seed_number
from ..mass.matches import ENDING, FIRST, HAND, HANDS, LENGTH, NO_MOVE, OPENING, WINNERS, Start
from ..mass.play import ints, play
from ..rules import Card, Edition, Option, edition
from ..rules.choices import nth_name
from ..rules.names import pack
from .names import BOTS

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class StudyTable:
    """What is studied: an edition, a number of players, and the bot that plays in every seat."""

    slug: str
    players: int
    bot: str
    seed: int = 0
    options: tuple[tuple[str, Option], ...] = field(default=())

    @cached_property
    def rules(self) -> Edition:
        """The numbers of the edition."""
        return edition(self.slug, self.players, dict(self.options))

    @property
    def guesses(self) -> list[int]:
        """What a Guard may name; none where there is no Guard."""
        rules = self.rules
        return [nth_name(rules, Card.GUARD, k) for k in range(rules.name_count[Card.GUARD])]


class Rounds(NamedTuple):
    """Rounds that were played. The arrays have a row for each group; what is of seats has a further axis."""

    numbers: Ints  # the numbers of the groups, one each
    first: Ints  # who started
    won: Ints  # what each seat won of the round, in parts of WHOLE
    winners: Ints  # the set of winners
    hands: Ints  # the card that each seat was dealt
    opening: Ints  # the first move
    ending: Ints  # how the round ended (End)
    length: Ints  # decisions


def play_rounds(table: StudyTable, numbers: range, threads: int) -> Rounds:
    """The groups of these numbers: as many rounds each as there are players, and everybody starts once."""
    return _play(table, numbers, range(table.players), [NO_MOVE] * table.players, "round", threads)


def play_guesses(table: StudyTable, numbers: range, threads: int) -> Rounds:
    """Groups in which seat 0 begins with a Guard on the next seat, and names everything that can be named in turn."""
    moves = [pack(Card.GUARD, 1, z=name) for name in table.guesses]
    return _play(table, numbers, [0] * len(moves), moves, "guess", threads)


def _play(
    table: StudyTable, numbers: range, first: Sequence[int], moves: Sequence[int], kind: str, threads: int
) -> Rounds:
    """The deals depend on the table and the seed alone, so that all bots are dealt the same cards."""
    size, count = len(first), len(numbers)
    groups = np.asarray(numbers, np.int64)
    rounds = (groups[:, None] * size + np.arange(size)).ravel()
    base = f"{table.seed}/{kind}/{table.slug}/{table.players}"
    with np.errstate(over="ignore"):
        deals = np.repeat(groups + np.int64(seed_number(f"{base}/deal")), size)
        chances = rounds + np.int64(seed_number(f"{base}/chance/{table.bot}"))
    start = Start(
        kinds=ints(np.full((count * size, table.players), BOTS[table.bot])),
        deals=ints(deals),
        chances=ints(chances),
        first=ints(np.tile(first, count)),
        opening=ints(np.tile(moves, count)),
        seating=False,
        whole=False,
    )
    played = play(table.rules, start, parts=WHOLE, threads=threads)
    shape = count, size
    seats = np.arange(table.players)
    return Rounds(
        numbers=groups,
        first=played.rows[:, FIRST].reshape(shape),
        won=played.won[:, : table.players].reshape(*shape, table.players),
        winners=played.rows[:, WINNERS].reshape(shape),
        hands=(played.rows[:, HANDS, None] >> HAND * seats & 31).reshape(*shape, table.players),
        opening=played.rows[:, OPENING].reshape(shape),
        ending=played.rows[:, ENDING].reshape(shape),
        length=played.rows[:, LENGTH].reshape(shape),
    )
