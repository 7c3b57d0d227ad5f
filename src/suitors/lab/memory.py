"""What each seat remembers for certain of the others' hands and of the deck: the compilable twin of view/memory.py.

Memories are one array of ints: for each pair of seats up to three cards that the first knows the second to hold
(NO_CARD where it knows fewer), for each seat the set of places in the deck whose cards it knows, and where the deck
begins and ends.
"""

from collections.abc import MutableSequence

from ..rules.editions import Edition
from ..rules.names import NO_CARD, Event, is_card, verb_of
from ..rules.table import COLUMNS, Table

KNOWN = 3
"""How many cards a seat may hold, and another one know of."""

Memories = MutableSequence[int]


def memory_size(players: int) -> int:
    """How long the memories of a table are."""
    return KNOWN * players * players + players + 2


def places_at(players: int) -> int:
    """Where the sets of places begin; the top and the bottom of the deck are behind them."""
    return KNOWN * players * players


def pair_at(players: int, seat: int, other: int) -> int:
    """Where the cards begin that a seat knows another one to hold."""
    return KNOWN * (seat * players + other)


def remember(m: Memories, t: Table, ed: Edition) -> None:
    """Read the events of the last deal or decision."""
    for k in range(0, t.told, COLUMNS):
        learn(m, ed, t.rows[k], t.rows[k + 1], t.rows[k + 2], t.rows[k + 3])


def learn(m: Memories, ed: Edition, event: int, actor: int, target: int, card: int) -> None:
    """Take in one event."""
    match event:
        case Event.ROUND:
            forget_all(m, ed)
        case Event.DEALT | Event.DREW:
            learn_draw(m, ed.players, actor, card)
        case Event.MOVED:
            if is_card(verb_of(card)):
                learn_play(m, ed.players, actor, verb_of(card))
        case Event.SHOWED | Event.RECEIVED:
            learn_hand(m, ed.players, target, actor, card)
        case Event.TRADED:
            learn_trade(m, ed.players, actor, target)
        case Event.DISCARDED:
            for seat in range(ed.players):
                learn_hand(m, ed.players, seat, actor, NO_CARD)
        case Event.REVEALED:
            for seat in range(ed.players):
                learn_hand(m, ed.players, seat, actor, card)
        case Event.RETURNED:
            learn_return(m, ed.players, actor)
        case Event.FACE_UP | Event.TOOK_ASIDE | Event.FOUND_NONE | Event.FIZZLED | Event.MISSED | Event.HIT:
            pass
        case Event.EQUAL | Event.OUT | Event.SHIELDED | Event.UNSHIELDED | Event.MARKED | Event.BET:
            pass
        case Event.TOKEN | Event.ENDED | Event.TIE | Event.WON:
            pass


def forget_all(m: Memories, ed: Edition) -> None:
    """A round begins."""
    at = places_at(ed.players)
    for k in range(at):
        m[k] = NO_CARD
    for k in range(at, at + ed.players):
        m[k] = 0
    m[at + ed.players] = ed.aside + ed.face_up
    m[at + ed.players + 1] = ed.cards


def learn_hand(m: Memories, players: int, seat: int, other: int, card: int) -> None:
    """A seat knows another's one card, or that nothing is known any more."""
    k = pair_at(players, seat, other)
    m[k] = card
    m[k + 1] = NO_CARD
    m[k + 2] = NO_CARD


def learn_draw(m: Memories, players: int, actor: int, card: int) -> None:
    """A card is drawn; whoever knows the top of the deck knows it."""
    places = places_at(players)
    top = m[places + players]
    m[places + players] = top + 1
    for seat in range(players):
        if m[places + seat] >> top & 1:
            k = pair_at(players, seat, actor)
            while m[k] != NO_CARD:
                k += 1
            m[k] = card


def learn_play(m: Memories, players: int, actor: int, card: int) -> None:
    """A card leaves the hand: where it was known, it may have been that very one."""
    for seat in range(players):
        k = pair_at(players, seat, actor)
        if m[k + 2] == card:
            m[k + 2] = NO_CARD
        elif m[k + 1] == card:
            m[k + 1], m[k + 2] = m[k + 2], NO_CARD
        elif m[k] == card:
            m[k], m[k + 1], m[k + 2] = m[k + 1], m[k + 2], NO_CARD


def learn_trade(m: Memories, players: int, a: int, b: int) -> None:
    """What is known of two hands goes along with them."""
    for seat in range(players):
        i = pair_at(players, seat, a)
        j = pair_at(players, seat, b)
        for k in range(KNOWN):
            m[i + k], m[j + k] = m[j + k], m[i + k]


def learn_return(m: Memories, players: int, actor: int) -> None:
    """A card goes under the deck, seen by nobody else: any card known before may be the one that went."""
    places = places_at(players)
    bottom = m[places + players + 1]
    m[places + players + 1] = bottom + 1
    m[places + actor] |= 1 << bottom
    for seat in range(players):
        learn_hand(m, players, seat, actor, NO_CARD)
