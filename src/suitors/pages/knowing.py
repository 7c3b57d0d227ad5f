"""Memory for everyone: how many copies of each character a seat has not seen, and the chances of what is hidden."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ..knowledge.belief import Belief
from ..notation import CARD_OF
from ..rules import Card
from ..view.match import View
from .cards import CardRenderer, Face
from .preferences import Preferences

LEAST = 0.0005
"""Chances below this are not worth a bar."""

FEW = 0.01
"""Chances below this are all written alike."""


@dataclass(frozen=True)
class Remaining:
    """A character of the deck and its copies that this seat has not seen, with those it has seen in a hand."""

    face: Face
    copies: int
    unseen: int
    holders: tuple[str, ...]


@dataclass(frozen=True)
class Bar:
    """The chance of a character."""

    face: Face
    chance: float
    percent: str  # the chance as it is written


@dataclass(frozen=True)
class Hidden:
    """A hidden card: whose it is, or where it lies, and what it may be, the likeliest first."""

    place: str
    bars: tuple[Bar, ...]


def left(view: View) -> Counter[int]:
    """The copies of each character that lie neither in a pile nor open nor in the own hand."""
    counts = Counter({int(card): view.rules.copies[card] for card in Card if view.rules.copies[card]})
    counts.subtract(card for pile in view.piles for card in pile)
    counts.subtract(view.face_up)
    counts.subtract(view.hand)
    return counts


def reference(view: View, renderer: CardRenderer) -> tuple[Remaining, ...]:
    """The deck, highest card first, with what is left of it."""
    unseen = left(view)
    rows = []
    for face in renderer.deck():
        card = int(CARD_OF[face.slug])
        holders = tuple(
            view.players[seat] for seat, known in enumerate(view.known) if seat != view.seat and card in known
        )
        rows.append(Remaining(face, view.rules.copies[card], unseen[card], holders))
    return tuple(rows)


def chances(view: View, renderer: CardRenderer, preferences: Preferences) -> tuple[Hidden, ...]:
    """What every opponent may hold, what will be drawn next and what lies aside."""
    if view.round < 0 or view.turn is None:
        return ()
    belief = Belief(view)
    found = [
        Hidden(view.players[seat], _bars(hand, renderer, preferences))
        for seat in view.standing
        if seat != view.seat
        for hand in belief.hands[seat]
    ]
    more = (
        (preferences.say("Next card of the deck"), belief.next_draw),
        (preferences.say("Card set aside"), belief.aside),
    )
    return (*found, *(Hidden(place, _bars(known, renderer, preferences)) for place, known in more if known is not None))


def _bars(known: Mapping[Card, float], renderer: CardRenderer, preferences: Preferences) -> tuple[Bar, ...]:
    likely = sorted(known.items(), key=lambda pair: (-pair[1], -renderer.rules.value[pair[0]]))
    return tuple(
        Bar(renderer.face(card), chance, written(chance, preferences)) for card, chance in likely if chance >= LEAST
    )


def written(chance: float, preferences: Preferences) -> str:
    """A chance in whole percents; a small one is not said to be none."""
    return preferences.percent(chance) if chance >= FEW else f"<{preferences.percent(FEW)}"
