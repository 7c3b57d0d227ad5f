"""What a careful player remembers for certain: whose cards they have seen, wherever those have moved since.

A fold over the rows that one seat may see (cards it may not see are None), so that it cannot know more than that seat.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..rules import NO_CARD, Card, Edition, Event
from ..rules.names import verb_of


class Entry(NamedTuple):
    """A row of events as one seat sees it. In a MOVED entry, `card` is the packed move."""

    event: Event
    actor: int
    target: int
    card: int | None


CARDS = tuple(Card)
"""The cards by their numbers."""


@dataclass
class Memory:
    """The cards known to be in each hand and at each place of the deck, in the round that is being played."""

    rules: Edition
    hands: list[list[Card]] = field(default_factory=list)
    deck: dict[int, Card] = field(default_factory=dict)
    top: int = 0
    bottom: int = 0
    face_up: tuple[Card, ...] = ()  # beside the deck

    def _begin(self, actor: int, target: int, card: int | None) -> None:
        """A round begins."""
        del actor, target, card
        self.hands = [[] for _ in range(self.rules.players)]
        self.deck, self.face_up = {}, ()
        self.top, self.bottom = self.rules.aside + self.rules.face_up, self.rules.cards

    def _draw(self, actor: int, target: int, card: int | None) -> None:
        del target
        drawn = self.deck.get(self.top) if card is None else CARDS[card]
        self.top += 1
        if drawn is not None:
            self.hands[actor].append(drawn)

    def _open(self, actor: int, target: int, card: int | None) -> None:
        """A card lies open beside the deck."""
        del actor, target
        self.face_up += () if card is None else (CARDS[card],)

    def _move(self, actor: int, target: int, move: int | None) -> None:
        """A card leaves the hand. If it was known, it may have been that very one: what stays is then not known."""
        del target
        known = self.hands[actor]
        if known and move is not None and verb_of(move) in known:  # a verb that is no card is in no hand
            known.remove(CARDS[verb_of(move)])

    def _return(self, actor: int, target: int, card: int | None) -> None:
        """A card goes under the deck. Where it was not seen, any card known before may be the one that went."""
        del target
        if card is None:
            self.hands[actor] = []
        else:
            self.deck[self.bottom] = CARDS[card]
            self.hands[actor].remove(CARDS[card])
        self.bottom += 1

    def _trade(self, actor: int, target: int, card: int | None) -> None:
        """Two hands change places."""
        del card
        self.hands[actor], self.hands[target] = self.hands[target], self.hands[actor]

    def _hold(self, actor: int, target: int, card: int | None) -> None:
        """A hand is this card, or none."""
        del target
        if card is not None:
            self.hands[actor] = [CARDS[card]] if card != NO_CARD else []

    def _discard(self, actor: int, target: int, card: int | None) -> None:
        """A hand goes face up onto its pile."""
        del target, card
        self.hands[actor] = []

    def under(self) -> dict[int, Card]:
        """The cards known to lie in the draw deck, by their place from the top (0 is drawn next)."""
        if not self.deck:  # as nearly always
            return {}
        return {place - self.top: card for place, card in self.deck.items() if place >= self.top}


Lesson = Callable[[Memory, int, int, int | None], None]

LESSON_OF: dict[Event, Lesson | None] = {
    Event.ROUND: Memory._begin,
    Event.FACE_UP: Memory._open,
    Event.DEALT: Memory._draw,
    Event.DREW: Memory._draw,
    Event.TOOK_ASIDE: Memory._hold,
    Event.FOUND_NONE: None,
    Event.MOVED: Memory._move,
    Event.FIZZLED: None,
    Event.SHOWED: Memory._hold,
    Event.MISSED: None,
    Event.HIT: None,
    Event.EQUAL: None,
    Event.TRADED: Memory._trade,
    Event.RECEIVED: Memory._hold,
    Event.DISCARDED: Memory._discard,
    Event.OUT: None,
    Event.SHIELDED: None,
    Event.UNSHIELDED: None,
    Event.MARKED: None,
    Event.BET: None,
    Event.RETURNED: Memory._return,
    Event.REVEALED: Memory._hold,
    Event.TOKEN: None,
    Event.ENDED: None,
    Event.TIE: None,
    Event.WON: None,
}
"""What is learnt about cards from each event."""


def by_number(lessons: Mapping[Event, Lesson | None]) -> tuple[Lesson | None, ...]:
    """The lessons by the numbers of their events, none of which may be missing."""
    missing = ", ".join(event.name for event in Event if event not in lessons)
    assert not missing, f"LESSON_OF in view/memory.py says nothing of {missing}"
    return tuple(lessons[event] for event in Event)


LESSONS = by_number(LESSON_OF)
