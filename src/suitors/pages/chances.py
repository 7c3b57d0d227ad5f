"""What a seat can know: how many copies of each character it has not seen, and the chances of hidden cards."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..coach.kept import HiddenCards
from ..knowledge.belief import Belief
from ..notation import CARD_OF
from ..rules import Card
from ..view.match import View
from ..words.tips import card_tip
from .cards import CardFace, CardRenderer
from .preferences import Preferences

LEAST_SHOWN = 0.0005
"""Smaller chances are left out."""

LEAST_WRITTEN = 0.01
"""Smaller chances are written as less than this."""


CERTAIN = 1 - 1e-9
"""A chance that is one, but for rounding."""


@dataclass(frozen=True)
class ReferenceRow:
    """A character of the deck: how many copies this seat has not located, and who it knows to hold one."""

    face: CardFace
    copies: int
    unseen: int
    holders: tuple[str, ...]
    tip: str


@dataclass(frozen=True)
class ChanceBar:
    """The chance that a hidden card is a certain character."""

    face: CardFace
    chance: float
    percent: str


@dataclass(frozen=True)
class HiddenCard:
    """A hidden card: whose it is or where it lies, and what it may be, likeliest first."""

    place: str
    bars: tuple[ChanceBar, ...]


@dataclass(frozen=True)
class Odds:
    """Whether somebody holds a card of this name, for all that the seat knows."""

    certain: bool
    impossible: bool
    percent: str  # only where the reader wants to see chances


class NameOdds:
    """What a player may hold, for the names that could be guessed."""

    def __init__(self, view: View, target: int, preferences: Preferences) -> None:
        self.belief = Belief(view)
        self.hand: Mapping[Card, float] = self.belief.hands[target][0] if self.belief.hands[target] else {}
        self.preferences = preferences

    def of(self, cards: Iterable[int]) -> Odds:
        """The odds that the player holds one of these cards."""
        chance = sum(self.hand.get(Card(card), 0.0) for card in cards)
        exact = not self.belief.error
        percent = percent_text(chance, self.preferences) if self.preferences.know == "on" else ""
        return Odds(exact and chance >= CERTAIN, exact and chance == 0, percent)


def unlocated_copies(view: View) -> Counter[int]:
    """The copies of each character of which the viewer does not know where they are."""
    counts = Counter({int(card): view.rules.copies[card] for card in Card if view.rules.copies[card]})
    counts.subtract(card for pile in view.piles for card in pile)
    counts.subtract(card for known in view.known for card in known)
    counts.subtract(view.under.values())
    counts.subtract(view.face_up)
    return counts


def reference_rows(view: View, renderer: CardRenderer) -> tuple[ReferenceRow, ...]:
    """The characters of the deck, highest first, with the copies that the viewer has not located."""
    unseen = unlocated_copies(view)
    rows = []
    for face in renderer.deck():
        card = int(CARD_OF[face.slug])
        holders = tuple(
            view.players[seat] for seat, known in enumerate(view.known) if seat != view.seat and card in known
        )
        tip = card_tip(renderer.words, card) or ""
        rows.append(ReferenceRow(face, view.rules.copies[card], unseen[card], holders, tip))
    return tuple(rows)


def chances(view: View, renderer: CardRenderer, preferences: Preferences) -> tuple[HiddenCard, ...]:
    """What every opponent may hold, what will be drawn next and what lies aside."""
    return () if view.round < 0 or view.turn is None else hidden_cards(view, Belief(view), renderer, preferences)


def hidden_cards(
    view: View, belief: Belief | HiddenCards, renderer: CardRenderer, preferences: Preferences
) -> tuple[HiddenCard, ...]:
    """The chances of a belief, card by card."""
    found = [
        HiddenCard(place, _bars(hand, renderer, preferences))
        for seat in view.standing
        if seat != view.seat
        for place, hand in zip(_places(view, seat, renderer), belief.hands[seat], strict=True)
    ]
    more = (
        (renderer.words.say("Next card of the deck"), belief.next_draw),
        (renderer.words.say("Card set aside"), belief.aside),
    )
    return (
        *found,
        *(HiddenCard(place, _bars(known, renderer, preferences)) for place, known in more if known is not None),
    )


def _places(view: View, seat: int, renderer: CardRenderer) -> list[str]:
    """What the cards of a player are called: just by the name, or numbered where there are several."""
    name, held = view.players[seat], view.held[seat]
    if held == 1:
        return [name]
    return [renderer.words.say("{name}, card {number}").format(name=name, number=k + 1) for k in range(held)]


def _bars(known: Mapping[Card, float], renderer: CardRenderer, preferences: Preferences) -> tuple[ChanceBar, ...]:
    likely = sorted(known.items(), key=lambda pair: (-pair[1], -renderer.rules.value[pair[0]]))
    return tuple(
        ChanceBar(renderer.face(card), chance, percent_text(chance, preferences))
        for card, chance in likely
        if chance >= LEAST_SHOWN
    )


def percent_text(chance: float, preferences: Preferences) -> str:
    """A chance in whole percents; a small one is not written as 0%."""
    return preferences.percent(chance) if chance >= LEAST_WRITTEN else f"<{preferences.percent(LEAST_WRITTEN)}"
