"""The `novice` bot: sensible rules of thumb. It remembers what it was shown, but it does not count chances."""

import random
from collections.abc import Callable

from ..notation import read_move
from ..rules import BLANK, NAMINGS, Card, Verb
from ..rules.choices import name_for
from ..rules.names import first_of, second_of, third_of, verb_of
from ..view.match import View
from ..view.solo import SoloView
from . import solo

LIKING = {
    Card.GUARD: 6.0,
    Card.PRIEST: 5.0,
    Card.SPY: 6.0,
    Card.HANDMAID: 5.5,
    Card.BARONESS: 5.0,
    Card.CARDINAL: 4.0,
    Card.SYCOPHANT: 4.0,
    Card.JESTER: 6.5,
    Card.CONSTABLE: 3.0,
    Card.COUNT: 3.0,
    Card.CHANCELLOR: 4.5,
    Card.BISHOP: 3.5,
    Card.COUNTESS: 1.5,
    Card.ASSASSIN: 0.5,
    Card.PRINCESS: -100.0,
}
"""How gladly each card is played, all else equal; the rest depends on what it would do."""


def choose(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """The move that the rules of thumb like best; among equals, any."""
    if isinstance(view, SoloView):
        return solo.by_heuristics(view, rng)
    liked = {text: like(view, read_move(view.rules, text)) for text in view.legal}
    best = max(liked.values())
    return rng.choice([text for text, liking in liked.items() if liking == best])


def like(view: View, move: int) -> float:
    """How much a move is liked."""
    verb = verb_of(move)
    if verb in STEPS:
        return STEPS[Verb(verb)](view, move)
    card = Card(verb)
    kept = kept_beside(view, card)
    effect = EFFECTS[card](view, move, kept) if card in EFFECTS and first_of(move) != BLANK else LIKING.get(card, 2.0)
    return effect + view.rules.value[kept] / 10


def kept_beside(view: View, card: int) -> int:
    """The card that stays if this one is played."""
    hand: list[int] = list(view.hand)
    hand.remove(card)
    return hand[0]


def known(view: View, seat: int) -> int | None:
    """The card that a seat is known to hold."""
    return view.known[seat][0] if view.known[seat] else None


def unseen(view: View, card: int) -> int:
    """How many copies of a card are not in sight."""
    seen: list[int] = [*(c for pile in view.piles for c in pile), *view.face_up, *view.hand]
    return view.rules.copies[card] - seen.count(card)


def named(view: View, move: int, kept: int) -> float:
    """Naming: what was seen for certain, else what is most often unseen."""
    verb, seat, name = verb_of(move), first_of(move), third_of(move)
    card = known(view, seat)
    if card is not None:
        return 20.0 if name_for(view.rules, verb, card) == name else -5.0
    return LIKING[Card.GUARD] + sum(unseen(view, c) for c in Card if name_for(view.rules, verb, c) == name) / 10


def baron(view: View, move: int, kept: int) -> float:
    """Compare with a high card, or where the outcome is known."""
    mine, card = view.rules.value[kept], known(view, first_of(move))
    if card is not None:
        return 15.0 if mine > view.rules.value[card] else -20.0
    return 5.5 if mine >= 5 else -1.0


def dowager_queen(view: View, move: int, kept: int) -> float:
    """Compare with a low card, or where the outcome is known."""
    mine, card = view.rules.value[kept], known(view, first_of(move))
    if card is not None:
        return 15.0 if mine < view.rules.value[card] else -20.0
    return 5.5 if mine <= 3 else -1.0


def prince(view: View, move: int, kept: int) -> float:
    """Make somebody else discard, best the Princess; oneself only to be rid of a low card."""
    seat = first_of(move)
    if seat == view.seat:
        return -100.0 if kept == Card.PRINCESS else 0.5 - view.rules.value[kept] / 5
    return 20.0 if known(view, seat) == Card.PRINCESS else 3.5


def king(view: View, move: int, kept: int) -> float:
    """Trade away a low card, or for a higher one that was seen."""
    mine, card = view.rules.value[kept], known(view, first_of(move))
    if card is not None:
        return 1.0 + view.rules.value[card] - mine
    return 3.0 if mine <= 3 else -1.0


def keep(view: View, move: int) -> float:
    """Keep the highest card, but not the Princess early, who is hard to hold."""
    card = first_of(move)
    early = view.deck > 2 * len(view.standing)
    return 5.5 if card == Card.PRINCESS and early else float(view.rules.value[card])


def look(view: View, move: int) -> float:
    """Look at somebody else's hand."""
    return 0.0 if first_of(move) in (BLANK, view.seat) else 1.0


def redraw(view: View, move: int) -> float:
    """Everybody knows the number: draw another card, unless it is the Princess who would go."""
    return -1.0 if view.hand[0] == Card.PRINCESS else 1.0


def trade(view: View, move: int, kept: int) -> float:
    """A Cardinal who trades others' hands, or the own low card."""
    own = view.seat in (first_of(move), second_of(move))
    return 4.0 if not own or view.rules.value[kept] <= 3 else 1.0


EFFECTS: dict[Card, Callable[[View, int, int], float]] = {
    **dict.fromkeys(NAMINGS, named),
    Card.BARON: baron,
    Card.DOWAGER_QUEEN: dowager_queen,
    Card.PRINCE: prince,
    Card.KING: king,
    Card.CARDINAL: trade,
}
STEPS: dict[Verb, Callable[[View, int], float]] = {
    Verb.KEEP: keep,
    Verb.LOOK: look,
    Verb.REDRAW: redraw,
    Verb.STAY: lambda view, move: 0.0,
}
