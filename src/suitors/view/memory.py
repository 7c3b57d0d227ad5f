"""What a careful player remembers for certain: whose cards they have seen, wherever those have moved since.

A fold over the rows that one seat may see (cards it may not see are None), so that it cannot know more than that seat.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, assert_never

from ..rules import NO_CARD, Edition, Event
from ..rules.names import is_card, verb_of


class Entry(NamedTuple):
    """A row of events as one seat sees it. In a MOVED entry, `card` is the packed move."""

    event: Event
    actor: int
    target: int
    card: int | None


@dataclass
class Memory:
    """The cards known to be in each hand and at each place of the deck, in the round that is being played."""

    rules: Edition
    hands: list[list[int]] = field(default_factory=list)
    deck: dict[int, int] = field(default_factory=dict)
    top: int = 0
    bottom: int = 0
    face_up: tuple[int, ...] = ()  # beside the deck

    def learn(self, entry: Entry) -> None:
        """Take in the next row."""
        event, actor, target, card = entry
        match event:
            case Event.ROUND:
                self.hands = [[] for _ in range(self.rules.players)]
                self.deck, self.face_up = {}, ()
                self.top, self.bottom = self.rules.aside + self.rules.face_up, self.rules.cards
            case Event.DEALT | Event.DREW:
                self._draw(actor, card)
            case Event.FACE_UP:
                self.face_up += () if card is None else (card,)
            case Event.MOVED:
                if card is not None and is_card(verb_of(card)):
                    self._leave(actor, verb_of(card))
            case Event.RETURNED:
                self._return(actor, card)
            case Event.TRADED:
                self.hands[actor], self.hands[target] = self.hands[target], self.hands[actor]
            case Event.SHOWED | Event.RECEIVED | Event.TOOK_ASIDE | Event.REVEALED:
                if card is not None:
                    self.hands[actor] = [card] if card != NO_CARD else []
            case Event.DISCARDED:
                self.hands[actor] = []
            case Event.FOUND_NONE | Event.FIZZLED | Event.MISSED | Event.HIT | Event.EQUAL | Event.OUT:
                pass
            case Event.SHIELDED | Event.UNSHIELDED | Event.MARKED | Event.BET:
                pass
            case Event.TOKEN | Event.ENDED | Event.TIE | Event.WON:
                pass
            case _:
                assert_never(event)

    def under(self) -> dict[int, int]:
        """The cards known to lie in the draw deck, by their place from the top (0 is drawn next)."""
        return {place - self.top: card for place, card in self.deck.items() if place >= self.top}

    def _draw(self, seat: int, card: int | None) -> None:
        card = self.deck.get(self.top) if card is None else card
        self.top += 1
        if card is not None:
            self.hands[seat].append(card)

    def _leave(self, seat: int, card: int) -> None:
        """A card leaves the hand. If it was known, it may have been that very one: what stays is then not known."""
        if card in self.hands[seat]:
            self.hands[seat].remove(card)

    def _return(self, seat: int, card: int | None) -> None:
        """A card goes under the deck. Where it was not seen, any card known before may be the one that went."""
        if card is None:
            self.hands[seat] = []
        else:
            self.deck[self.bottom] = card
            self.hands[seat].remove(card)
        self.bottom += 1
