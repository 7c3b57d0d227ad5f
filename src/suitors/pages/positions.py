"""A position of a match that is over, as a seat knew it and as it was: small enough to stand side by side."""

from dataclasses import dataclass

from ..game import Match, Solo
from ..rules import NO_CARD
from ..view.match import View, as_cards
from ..view.solo import SoloView
from .cards import CardBack, CardFace, CardRenderer

Faces = tuple[CardFace | None, ...]
"""Cards; None is one that lies face down."""


@dataclass(frozen=True)
class SeatCards:
    """A seat and the cards that it has."""

    name: str
    deciding: bool
    standing: bool
    protected: bool
    tokens: int
    hand: Faces
    pile: tuple[CardFace, ...]


@dataclass(frozen=True)
class Position:
    """A table for several."""

    back: CardBack
    seats: tuple[SeatCards, ...]
    deck: int
    top: CardFace | None  # the next card of the deck, where it can be seen
    aside: Faces
    face_up: tuple[CardFace, ...]


@dataclass(frozen=True)
class SoloPosition:
    """A solo game."""

    back: CardBack
    queue: Faces
    agent: Faces
    hand: tuple[CardFace, ...]
    pile: int
    top: CardFace | None
    discards: tuple[CardFace, ...]


def known_position(view: View, renderer: CardRenderer) -> Position:
    """What the seat of a view knew."""
    hands = tuple(view.known[seat] for seat in range(len(view.players)))
    return _position(view, hands, renderer, None, (None,) * view.aside)


def true_position(match: Match, renderer: CardRenderer) -> Position:
    """What was so."""
    view, t = match.view(None), match.table
    aside = match.rounds[-1].deck[: match.rules.aside][match.rules.aside - view.aside :]
    top = renderer.face(t.deck[t.top]) if t.top < t.bottom else None
    return _position(view, hands_of(match), renderer, top, renderer.faces(aside))


def hands_of(match: Match) -> tuple[tuple[int, ...], ...]:
    """What every seat holds."""
    t, held = match.table, match.view(None).held
    found = []
    for seat in range(len(match.players)):
        cards = [t.hand[seat]] + ([t.drawn, t.extra] if seat == t.active else [])
        found.append(as_cards(card for card in cards if card != NO_CARD)[: held[seat]])
    return tuple(found)


def _position(
    view: View, hands: tuple[tuple[int, ...], ...], renderer: CardRenderer, top: CardFace | None, aside: Faces
) -> Position:
    seats = tuple(
        SeatCards(
            name=name,
            deciding=seat == view.turn,
            standing=seat in view.standing,
            protected=seat in view.protected,
            tokens=view.tokens[seat],
            hand=(*renderer.faces(hands[seat]), *(None,) * max(0, view.held[seat] - len(hands[seat]))),
            pile=renderer.faces(view.piles[seat]),
        )
        for seat, name in enumerate(view.players)
    )
    return Position(renderer.back(), seats, view.deck, top, aside, renderer.faces(view.face_up))


def known_solo(view: SoloView, renderer: CardRenderer) -> SoloPosition:
    """What the player of a solo game knew."""
    return _solo(view, view.queue, view.agent, renderer, None)


def true_solo(match: Solo, renderer: CardRenderer) -> SoloPosition:
    """What was so."""
    view, t = match.view(0), match.table
    agent = (t.agent,) if view.agent else ()
    top = renderer.face(t.deck[t.top]) if t.top < t.bottom else None
    return _solo(view, tuple(t.queue[: t.length]), agent, renderer, top)


def _solo(
    view: SoloView,
    queue: tuple[int | None, ...],
    agent: tuple[int | None, ...],
    renderer: CardRenderer,
    top: CardFace | None,
) -> SoloPosition:
    def faces(cards: tuple[int | None, ...]) -> Faces:
        return tuple(None if card is None else renderer.face(card) for card in cards)

    hand, discards = renderer.faces(view.hand), renderer.faces(view.discards)
    return SoloPosition(renderer.back(), faces(queue), faces(agent), hand, view.pile, top, discards)
