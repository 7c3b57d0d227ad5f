"""What each seat remembers for certain of the others' hands and of the deck: the compilable twin of view/memory.py.

Memories are one array of ints: for each pair of seats up to three cards that the first knows the second to hold
(NO_CARD where it knows fewer); for each seat the set of those who know one of its cards, since mostly nobody does, and
the set of cards put under the deck that it knows, by the order in which they were put there; how many of those have
been drawn (less than 0 as long as cards of the shuffled deck are left) and put there; and for each seat the set of
those of whom it cannot tell what they know of its hand, which came to it from another.
"""

from collections.abc import MutableSequence
from typing import Any

from ..rules.editions import Edition
from ..rules.names import NO_CARD, Event, is_card, verb_of
from ..rules.seats import has, only, without
from ..rules.table import COLUMNS, Table

KNOWN = 3
"""How many cards a seat may hold, and another one know of."""

Memories = MutableSequence[int]


def memory_size(players: int) -> int:
    """How long the memories of a table are."""
    return doubts_at(players) + players


def knowers_at(players: int) -> int:
    """Where the sets of those who know one of a seat's cards begin."""
    return KNOWN * players * players


def places_at(players: int) -> int:
    """Where the sets of known cards under the deck begin."""
    return knowers_at(players) + players


def deck_at(players: int) -> int:
    """Where it is kept how many of the cards under the deck have been drawn, and how many were put there."""
    return places_at(players) + players


def doubts_at(players: int) -> int:
    """Where the sets begin of those of whom a seat cannot tell what they know of its hand."""
    return deck_at(players) + 2


def pair_at(players: int, seat: int, other: int) -> int:
    """Where the cards begin that a seat knows another one to hold."""
    return KNOWN * (seat * players + other)


def remember(m: Memories, t: Table, ed: Edition) -> None:
    """Read the events of the last deal or decision."""
    for k in range(0, t.told, COLUMNS):
        if t.rows[k] == Event.ROUND:
            forget_all(m, ed)
        else:
            learn(m, ed.players, t.rows[k], t.rows[k + 1], t.rows[k + 2], t.rows[k + 3])


def learn_at_once(t: Any, event: int, actor: int, target: int, card: int, audience: int) -> None:
    """Take in an event as it is told: compiled tables that keep their memories have no rows of events."""
    learn(t.memories, len(t.hand), event, actor, target, card)


def learn(m: Memories, players: int, event: int, actor: int, target: int, card: int) -> None:
    """Take in one event; a round's beginning is `forget_all`."""
    match event:
        case Event.DEALT | Event.DREW:
            learn_draw(m, players, actor, card)
        case Event.MOVED:
            if is_card(verb_of(card)):
                learn_play(m, players, actor, verb_of(card))
        case Event.SHOWED | Event.RECEIVED:
            learn_hand(m, players, target, actor, card)
        case Event.TRADED:
            learn_trade(m, players, actor, target)
        case Event.DISCARDED:
            forget_hand(m, players, actor)
        case Event.REVEALED:
            for seat in range(players):
                learn_hand(m, players, seat, actor, card)
        case Event.RETURNED:
            learn_return(m, players, actor)
        case (
            Event.ROUND | Event.FACE_UP | Event.TOOK_ASIDE | Event.FOUND_NONE | Event.FIZZLED | Event.MISSED | Event.HIT
        ):
            pass
        case Event.EQUAL | Event.OUT | Event.SHIELDED | Event.UNSHIELDED | Event.MARKED | Event.BET:
            pass
        case Event.TOKEN | Event.ENDED | Event.TIE | Event.WON:
            pass


def forget_all(m: Memories, ed: Edition) -> None:
    """A round begins."""
    knowers, deck = knowers_at(ed.players), deck_at(ed.players)
    for k in range(knowers):
        m[k] = NO_CARD
    for k in range(knowers, deck):
        m[k] = 0
    m[deck] = ed.aside + ed.face_up - ed.cards
    m[deck + 1] = 0
    for seat in range(ed.players):
        m[doubts_at(ed.players) + seat] = 0


def learn_hand(m: Memories, players: int, seat: int, other: int, card: int) -> None:
    """A seat has seen another's one card, or NO_CARD; the other one knows that."""
    k = pair_at(players, seat, other)
    m[k] = card
    m[k + 1] = NO_CARD
    m[k + 2] = NO_CARD
    m[doubts_at(players) + other] = without(m[doubts_at(players) + other], seat)
    if card != NO_CARD:
        m[knowers_at(players) + other] |= only(seat)


def forget_hand(m: Memories, players: int, other: int) -> None:
    """Nobody knows any more what a seat holds."""
    for seat in range(players):
        if has(m[knowers_at(players) + other], seat):
            learn_hand(m, players, seat, other, NO_CARD)
    m[knowers_at(players) + other] = 0
    m[doubts_at(players) + other] = 0


def learn_draw(m: Memories, players: int, actor: int, card: int) -> None:
    """A card is drawn; whoever put it under the deck knows it."""
    deck = deck_at(players)
    top = m[deck]
    m[deck] = top + 1
    if top < 0:
        return
    for seat in range(players):
        if has(m[places_at(players) + seat], top):
            k = pair_at(players, seat, actor)
            while m[k] != NO_CARD:
                k += 1
            m[k] = card
            m[knowers_at(players) + actor] |= only(seat)


def learn_play(m: Memories, players: int, actor: int, card: int) -> None:
    """A card leaves the hand: where it was known, it may have been that very one."""
    knowers = m[knowers_at(players) + actor]
    if knowers == 0:
        return
    for seat in range(players):
        if has(knowers, seat):
            lose_card(m, pair_at(players, seat, actor), card)
            if m[pair_at(players, seat, actor)] == NO_CARD:
                m[knowers_at(players) + actor] = without(m[knowers_at(players) + actor], seat)


def lose_card(m: Memories, k: int, card: int) -> None:
    """Take a card from those that are known from place k on, if it is among them."""
    if m[k + 2] == card:
        m[k + 2] = NO_CARD
    elif m[k + 1] == card:
        m[k + 1], m[k + 2] = m[k + 2], NO_CARD
    elif m[k] == card:
        m[k], m[k + 1], m[k + 2] = m[k + 1], m[k + 2], NO_CARD


def learn_trade(m: Memories, players: int, a: int, b: int) -> None:
    """What is known of two hands goes along with them; who receives one cannot tell what third seats know of it.

    A third seat may have seen the card that is handed over, or the one that was played instead.
    """
    knowers, doubts = knowers_at(players), doubts_at(players)
    m[doubts + a] = m[doubts + b] = (1 << players) - 1
    m[knowers + a], m[knowers + b] = m[knowers + b], m[knowers + a]
    for seat in range(players):
        i = pair_at(players, seat, a)
        j = pair_at(players, seat, b)
        for k in range(KNOWN):
            m[i + k], m[j + k] = m[j + k], m[i + k]


def learn_return(m: Memories, players: int, actor: int) -> None:
    """A card goes under the deck, seen by nobody else: any card known before may be the one that went."""
    deck = deck_at(players)
    m[places_at(players) + actor] |= 1 << m[deck + 1]
    m[deck + 1] += 1
    forget_hand(m, players, actor)
