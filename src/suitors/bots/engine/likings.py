"""Rules of thumb: how much a move is liked by what its player remembers and sees, without counting chances.

The bots `beginner` and `novice` play by them from a view, and compiled matches play by them from a table (mass/).
"""

from typing import NamedTuple

from ...rules.editions import Edition
from ...rules.names import BLANK, CARDS, NO_CARD, Card, Naming, Verb, first_of, second_of, third_of
from .buffers import Ints

NUMBERS = CARDS
"""Where in `Glance.left` the numbers begin, behind the words."""

WORDS = NUMBERS + CARDS
"""How long it is."""


class Glance(NamedTuple):
    """What the rules of thumb look at."""

    known: Ints  # by seat, the card that it is known to hold, or NO_CARD
    left: Ints  # by word that a Guard may say, then by number: how many cards out of sight are called so


def count_left(ed: Edition, glance: Glance, card: int, unseen: int) -> None:
    """Count the copies of a card that are out of sight under its word and its number."""
    left = glance.left
    if unseen > 0:
        left[ed.spoken[card]] += unseen
        left[NUMBERS + ed.value[card]] += unseen


def like_play(ed: Edition, glance: Glance, me: int, move: int, kept: int) -> float:
    """How much playing a card so is liked, if this other one is kept."""
    liked = like_card(move & 31) if first_of(move) == BLANK else like_choice(ed, glance, me, move, kept)
    return liked + ed.value[kept] / 10


def like_card(card: int) -> float:
    """How gladly a card is played, all else equal."""
    match card:
        case Card.JESTER:
            return 6.5
        case Card.GUARD | Card.SPY:
            return 6.0
        case Card.HANDMAID:
            return 5.5
        case Card.PRIEST | Card.BARONESS:
            return 5.0
        case Card.CHANCELLOR:
            return 4.5
        case Card.CARDINAL | Card.SYCOPHANT:
            return 4.0
        case Card.BISHOP:
            return 3.5
        case Card.CONSTABLE | Card.COUNT:
            return 3.0
        case Card.BARON | Card.DOWAGER_QUEEN | Card.PRINCE | Card.KING:
            return 2.0
        case Card.COUNTESS:
            return 1.5
        case Card.ASSASSIN:
            return 0.5
        case Card.PRINCESS:
            return -100.0
    return 0.0


def like_choice(ed: Edition, glance: Glance, me: int, move: int, kept: int) -> float:
    """How much it is liked to play a card on somebody."""
    card = move & 31
    seat = first_of(move)
    known = glance.known[seat]
    mine = ed.value[kept]
    if ed.naming[card] != Naming.NOTHING:
        return like_name(ed, glance, known, card, third_of(move))
    match card:
        case Card.BARON:
            return like_comparison(ed, known, mine, 1, mine >= 5)
        case Card.DOWAGER_QUEEN:
            return like_comparison(ed, known, mine, -1, mine <= 3)
        case Card.PRINCE:
            return like_prince(known, me == seat, kept, mine)
        case Card.KING:
            if known != NO_CARD:
                return 1.0 + ed.value[known] - mine
            return 3.0 if mine <= 3 else -1.0
        case Card.CARDINAL:
            return 4.0 if (me != seat and me != second_of(move)) or mine <= 3 else 1.0
    return like_card(card)


def like_name(ed: Edition, glance: Glance, known: int, card: int, name: int) -> float:
    """Name what was seen for certain, else what is most often out of sight."""
    by_number = ed.naming[card] == Naming.NUMBER
    if known != NO_CARD:
        right = ed.value[known] if by_number else ed.spoken[known]
        return 20.0 if right == name else -5.0
    return 6.0 + glance.left[NUMBERS + name if by_number else name] / 10


def like_comparison(ed: Edition, known: int, mine: int, sign: int, promising: bool) -> float:
    """Compare where the outcome is known or the own card is promising; the sign is that of a card that wins."""
    if known != NO_CARD:
        return 15.0 if (mine - ed.value[known]) * sign > 0 else -20.0
    return 5.5 if promising else -1.0


def like_prince(known: int, oneself: bool, kept: int, mine: int) -> float:
    """Make somebody else discard, best the Princess; oneself only to be rid of a low card."""
    if oneself:
        return -100.0 if kept == Card.PRINCESS else 0.5 - mine / 5
    return 20.0 if known == Card.PRINCESS else 3.5


def like_step(ed: Edition, me: int, move: int, hand: int, early: bool) -> float:
    """How much a second step is liked, with this card in the hand.

    A Chancellor keeps the highest card, but not the Princess early, who is hard to hold; a Cardinal looks at another's
    hand; and a hand whose number a Bishop has told everybody is drawn anew, unless it is the Princess who would go.
    """
    first = first_of(move)
    match move & 31:
        case Verb.KEEP:
            return 5.5 if first == Card.PRINCESS and early else float(ed.value[first])
        case Verb.LOOK:
            return 1.0 if first != BLANK and first != me else 0.0
        case Verb.REDRAW:
            return -1.0 if hand == Card.PRINCESS else 1.0
    return 0.0


def is_early(deck: int, standing: int) -> bool:
    """Whether a round still has two turns or more for everybody, with so many cards in the deck."""
    return deck > 2 * standing
