"""What cards are made of: tell, draw, discard, show, trade, redraw, knock out."""

from .editions import Edition
from .names import EVERYBODY, NO_CARD, Award, Card, Event
from .seats import only, without
from .table import COLUMNS, Table


def tell(t: Table, event: int, actor: int, target: int, card: int, audience: int) -> None:
    """Write a row of events. Everybody learns of it; only the audience learns the card."""
    k = t.told
    t.rows[k] = event
    t.rows[k + 1] = actor
    t.rows[k + 2] = target
    t.rows[k + 3] = card
    t.rows[k + 4] = audience
    t.told = k + COLUMNS


def announce(t: Table, event: int, actor: int, target: int) -> None:
    """Tell everybody something that shows no card."""
    tell(t, event, actor, target, NO_CARD, EVERYBODY)


def draw(t: Table, seat: int) -> int:
    """Take the top card of the deck, which is not empty."""
    card = t.deck[t.top]
    t.top += 1
    tell(t, Event.DREW, seat, seat, card, only(seat))
    return card


def discard(t: Table, seat: int, card: int) -> None:
    """Lay a card face up on its player's pile."""
    t.piles[t.discards] = card
    t.owners[t.discards] = seat
    t.discards += 1


def in_pile(t: Table, seat: int, card: int) -> int:
    """How many such cards lie in a player's pile."""
    n = 0
    for k in range(t.discards):
        if t.piles[k] == card and t.owners[k] == seat:
            n += 1
    return n


def show(t: Table, seat: int, to: int) -> None:
    """Let one player see another's hand."""
    tell(t, Event.SHOWED, seat, to, t.hand[seat], only(to))


def trade(t: Table, a: int, b: int) -> None:
    """Two players trade hands; each learns what came and knows what went."""
    t.hand[a], t.hand[b] = t.hand[b], t.hand[a]
    announce(t, Event.TRADED, a, b)
    tell(t, Event.RECEIVED, a, b, t.hand[a], only(a))
    tell(t, Event.RECEIVED, b, a, t.hand[b], only(b))


def award(t: Table, seat: int, reason: int) -> None:
    """Give a token."""
    t.tokens[seat] += 1
    announce(t, Event.TOKEN, seat, reason)


def lose_hand(t: Table, seat: int) -> int:
    """Discard the hand face up, without effect, and say what it was (NO_CARD for none)."""
    card = t.hand[seat]
    if card != NO_CARD:
        t.hand[seat] = NO_CARD
        discard(t, seat, card)
        tell(t, Event.DISCARDED, seat, seat, card, EVERYBODY)
    return card


def knock_out(t: Table, seat: int) -> None:
    """Out of the round; a Constable that lies in the pile by now pays (R6, R45), the hand goes face up."""
    t.standing = without(t.standing, seat)
    t.shielded = without(t.shielded, seat)
    announce(t, Event.OUT, seat, seat)
    if in_pile(t, seat, Card.CONSTABLE) > 0:
        award(t, seat, Award.CONSTABLE)
        t.paid = 1
    lose_hand(t, seat)


def redraw(t: Table, seat: int) -> None:
    """Discard the hand and draw anew; whoever discards the Princess is out and draws nothing (R8)."""
    if lose_hand(t, seat) == Card.PRINCESS:
        knock_out(t, seat)
    else:
        draw_anew(t, seat)


def draw_anew(t: Table, seat: int) -> None:
    """Draw a new hand: from the deck, else the card set aside, else nothing at all (R9, R38, R92)."""
    if t.top < t.bottom:
        t.hand[seat] = draw(t, seat)
    elif t.spare != NO_CARD:
        t.hand[seat] = t.spare
        t.spare = NO_CARD
        tell(t, Event.TOOK_ASIDE, seat, seat, t.hand[seat], only(seat))
    else:
        announce(t, Event.FOUND_NONE, seat, seat)


def number(t: Table, ed: Edition, seat: int) -> int:
    """The number in a player's hand; no card at all is below every card (R92)."""
    card = t.hand[seat]
    return ed.value[card] if card != NO_CARD else NO_CARD
