"""Which copy of a card lies where: they are counted in the order in which cards come to light in a round.

The rules know cards, not copies, and no copy may tell anything hidden: so each has its person once everybody sees it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import gcd
from typing import assert_never

from ..rules import Edition, Event
from ..rules.names import is_card, verb_of
from ..view.memory import Entry


def laid_card(entry: Entry) -> int | None:
    """The card that comes to light with an entry, if one does."""
    match entry.event:
        case Event.MOVED:
            return verb_of(entry.card) if entry.card is not None and is_card(verb_of(entry.card)) else None
        case Event.DISCARDED | Event.FACE_UP:
            return entry.card
        case Event.ROUND | Event.DEALT | Event.DREW | Event.TOOK_ASIDE | Event.FOUND_NONE | Event.RETURNED:
            return None
        case Event.FIZZLED | Event.SHOWED | Event.MISSED | Event.HIT | Event.EQUAL | Event.TRADED | Event.RECEIVED:
            return None
        case Event.SHIELDED | Event.UNSHIELDED | Event.MARKED | Event.BET | Event.OUT | Event.REVEALED:
            return None
        case Event.TOKEN | Event.ENDED | Event.TIE | Event.WON:
            return None
        case _:
            assert_never(entry.event)


@dataclass
class Copies:
    """The copies that have come to light in a round. Which is the first depends on who started the round."""

    rules: Edition
    seen: Counter[int] = field(default_factory=Counter)
    start: int = 0
    laid: dict[tuple[Event, int], int] = field(default_factory=dict)  # the last, by event and seat

    def add(self, entry: Entry) -> int | None:
        """Take in what happened; the copy that came to light, the first of a card being 0."""
        if entry.event == Event.ROUND:
            self.seen.clear()
            self.start = entry.actor
        card = laid_card(entry)
        if card is None:
            return None
        copies = self.rules.copies[card]
        copy = (self.start + self.seen[card] * _stride(copies)) % copies
        self.seen[card] += 1
        self.laid[entry.event, entry.actor] = copy
        return copy


def _stride(copies: int) -> int:
    """How far apart copies that follow each other are: all persons of a card come early, and no copy comes twice."""
    return next(step for step in range((copies + 2) // 3, copies + 1) if gcd(step, copies) == 1)


def round_copies(entries: Iterable[Entry], rules: Edition) -> tuple[list[list[int]], list[int]]:
    """The copies in a round so far: those in each pile, and those face up beside the deck."""
    copies, piles, face_up = Copies(rules), [list[int]() for _ in range(rules.players)], list[int]()
    for entry in entries:
        copy = copies.add(entry)
        if copy is not None:
            (face_up if entry.event == Event.FACE_UP else piles[entry.actor]).append(copy)
    return piles, face_up
