"""What a seat can know: how many copies of each character it has not seen, and the chances of hidden cards."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ..knowledge.belief import Belief
from ..notation import CARD_OF
from ..rules import Card
from ..view.match import View
from .cards import CardFace, CardRenderer
from .preferences import Preferences

LEAST_SHOWN = 0.0005
"""Smaller chances are left out."""

LEAST_WRITTEN = 0.01
"""Smaller chances are written as less than this."""


@dataclass(frozen=True)
class ReferenceRow:
    """A character of the deck: how many copies this seat has not seen, and who it knows to hold one."""

    face: CardFace
    copies: int
    unseen: int
    holders: tuple[str, ...]


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


def unseen_copies(view: View) -> Counter[int]:
    """The copies of each character that are not in a pile, face up or in the viewer's hand."""
    counts = Counter({int(card): view.rules.copies[card] for card in Card if view.rules.copies[card]})
    counts.subtract(card for pile in view.piles for card in pile)
    counts.subtract(view.face_up)
    counts.subtract(view.hand)
    return counts


def reference_rows(view: View, renderer: CardRenderer) -> tuple[ReferenceRow, ...]:
    """The characters of the deck, highest first, with their unseen copies."""
    unseen = unseen_copies(view)
    rows = []
    for face in renderer.deck():
        card = int(CARD_OF[face.slug])
        holders = tuple(
            view.players[seat] for seat, known in enumerate(view.known) if seat != view.seat and card in known
        )
        rows.append(ReferenceRow(face, view.rules.copies[card], unseen[card], holders))
    return tuple(rows)


def chances(view: View, renderer: CardRenderer, preferences: Preferences) -> tuple[HiddenCard, ...]:
    """What every opponent may hold, what will be drawn next and what lies aside."""
    if view.round < 0 or view.turn is None:
        return ()
    belief = Belief(view)
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
