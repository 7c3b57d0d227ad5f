"""The cards: one function each, which reads like the card. All assume a legal choice (choices.py).

`me` is the active player, whose played card already lies in the pile; `foe` is the chosen player.
"""

from .acts import announce, award, discard, draw, draw_anew, knock_out, lose_hand, number, redraw, show, tell, trade
from .editions import Edition
from .names import BLANK, NO_CARD, Award, Card, End, Event, Phase, first_of, second_of, third_of
from .scoring import end_match
from .seats import only, size
from .table import Table


def resolve(t: Table, ed: Edition, me: int, move: int) -> None:
    """Apply the played card, which chose somebody or chooses nobody."""
    foe = first_of(move)
    match move & 31:
        case Card.GUARD:
            guard(t, ed, me, foe, third_of(move))
        case Card.PRIEST:
            priest(t, me, foe)
        case Card.BARON:
            baron(t, ed, me, foe)
        case Card.HANDMAID:
            handmaid(t, me)
        case Card.PRINCE:
            prince(t, foe)
        case Card.CHANCELLOR:
            chancellor(t, me)
        case Card.KING:
            king(t, me, foe)
        case Card.PRINCESS:
            princess(t, me)
        case Card.CARDINAL:
            cardinal(t, foe, second_of(move))
        case Card.BARONESS:
            baroness(t, me, foe, second_of(move))
        case Card.SYCOPHANT:
            sycophant(t, me, foe)
        case Card.JESTER:
            jester(t, me, foe)
        case Card.DOWAGER_QUEEN:
            dowager_queen(t, ed, me, foe)
        case Card.BISHOP:
            bishop(t, ed, me, foe, third_of(move))
        case Card.SPY | Card.COUNT | Card.CONSTABLE | Card.COUNTESS | Card.ASSASSIN:
            pass  # they do nothing when played


def guard(t: Table, ed: Edition, me: int, foe: int, name: int) -> None:
    """Name a character or number: whoever holds it is out. An Assassin turns the blade (R31, R50)."""
    held = t.hand[foe]
    if held == Card.ASSASSIN:
        assassin(t, me, foe)
    elif ed.spoken[held] == name:
        announce(t, Event.HIT, me, foe)
        knock_out(t, foe)
    else:
        announce(t, Event.MISSED, me, foe)


def assassin(t: Table, me: int, foe: int) -> None:
    """The Guard's player is out; the Assassin is discarded and replaced, unless the round is over (R51)."""
    knock_out(t, me)
    lose_hand(t, foe)
    if size(t.standing) > 1:
        draw_anew(t, foe)


def priest(t: Table, me: int, foe: int) -> None:
    """See a hand."""
    show(t, foe, to=me)


def baron(t: Table, ed: Edition, me: int, foe: int) -> None:
    """Compare hands in secret; the lower card leaves the round (R16, R17)."""
    difference = compare(t, ed, me, foe)
    if difference < 0:
        knock_out(t, me)
    elif difference > 0:
        knock_out(t, foe)


def dowager_queen(t: Table, ed: Edition, me: int, foe: int) -> None:
    """Compare hands in secret; the higher card leaves the round (R65)."""
    difference = compare(t, ed, me, foe)
    if difference > 0:
        knock_out(t, me)
    elif difference < 0:
        knock_out(t, foe)


def compare(t: Table, ed: Edition, me: int, foe: int) -> int:
    """Show the two hands to each other; by how much mine is higher. A tie is public, the cards are not (R16)."""
    show(t, foe, to=me)
    show(t, me, to=foe)
    difference = number(t, ed, me) - number(t, ed, foe)
    if difference == 0:
        announce(t, Event.EQUAL, me, foe)
    return difference


def handmaid(t: Table, me: int) -> None:
    """Nobody else may choose me until my next turn begins (R3, R4)."""
    t.shielded |= only(me)
    announce(t, Event.SHIELDED, me, me)


def prince(t: Table, foe: int) -> None:
    """Somebody, perhaps myself, discards the hand and draws anew."""
    redraw(t, foe)


def king(t: Table, me: int, foe: int) -> None:
    """Trade hands."""
    trade(t, me, foe)


def princess(t: Table, me: int) -> None:
    """Whoever plays her is out (R7)."""
    knock_out(t, me)


def chancellor(t: Table, me: int) -> None:
    """Draw two cards, or the last one; then one is kept and the rest returned. An empty deck does nothing (R74)."""
    if t.top == t.bottom:
        return
    t.drawn = draw(t, me)
    t.extra = draw(t, me) if t.top < t.bottom else NO_CARD
    t.phase = Phase.KEEP


def keep(t: Table, me: int, move: int) -> None:
    """The Chancellor's second step: keep one card, put the others under the deck in this order (R75, R76)."""
    t.hand[me] = first_of(move)
    t.drawn = NO_CARD
    t.extra = NO_CARD
    put_under(t, me, second_of(move))
    if third_of(move) != BLANK:
        put_under(t, me, third_of(move))


def put_under(t: Table, me: int, card: int) -> None:
    """Put a card under the deck; only its player knows which."""
    t.deck[t.bottom] = card
    t.bottom += 1
    tell(t, Event.RETURNED, me, me, card, only(me))


def cardinal(t: Table, low: int, high: int) -> None:
    """Two players trade hands; then I may look at one of the two (R61, R63)."""
    trade(t, low, high)
    t.traded = only(low) | only(high)
    t.phase = Phase.LOOK


def look(t: Table, me: int, seat: int) -> None:
    """The Cardinal's second step: see one of the traded hands, or neither."""
    t.traded = 0
    if seat != BLANK:
        show(t, seat, to=me)


def baroness(t: Table, me: int, low: int, high: int) -> None:
    """See one or two hands (R64)."""
    show(t, low, to=me)
    if high != BLANK:
        show(t, high, to=me)


def sycophant(t: Table, me: int, foe: int) -> None:
    """The very next card, if it chooses at all, must choose this player (R53, R54)."""
    t.mark = foe
    announce(t, Event.MARKED, me, foe)


def jester(t: Table, me: int, foe: int) -> None:
    """Bet on another player: a token for me if they win the round (R47, R48)."""
    t.bettor = me
    t.favourite = foe
    announce(t, Event.BET, me, foe)


def bishop(t: Table, ed: Edition, me: int, foe: int, name: int) -> None:
    """Name a number: a hit is a token at once, which may win the match; then the hit player may redraw (R31, R35).

    Where nothing can be drawn, they are not asked (R38).
    """
    if number(t, ed, foe) != name:
        announce(t, Event.MISSED, me, foe)
        return
    announce(t, Event.HIT, me, foe)
    award(t, me, Award.BISHOP)
    if t.tokens[me] >= ed.goal:
        end_match(t, ed, End.MATCH_WON)
    elif t.top < t.bottom or t.spare != NO_CARD:
        t.phase = Phase.ANSWER
        t.decider = foe


def answer(t: Table, foe: int, again: bool) -> None:
    """The hit player's answer to a Bishop (R39)."""
    if again:
        redraw(t, foe)


def lay_down(t: Table, me: int, card: int) -> None:
    """Move the chosen one of the two held cards to the pile; the other stays in the hand (R17)."""
    if t.hand[me] == card:
        t.hand[me] = t.drawn
    t.drawn = NO_CARD
    discard(t, me, card)
