"""Hidden cards drawn from a belief, quickly: belief.py's sums laid out in arrays."""

from typing import NamedTuple

from ...fast.games import below, next_word
from ...knowledge.notes import BARRED, Notes
from ...rules.editions import Edition
from ...rules.names import BLANK, CARDS, NO_CARD
from ...rules.seats import has
from ...rules.table import Table
from .buffers import Floats, Ints

UNDER = 16
"""A place from here on is one of the deck, counted from its start; a lower one is a seat."""


class BeliefArrays(NamedTuple):
    """The cases of a belief. A row of sums has a place for each set of the places of a case."""

    shares: Floats  # for each case the chance of it or an earlier one
    counts: Ints  # for each case, how many places it has
    places: Ints  # for each case, which these are; as many for each as the most has
    kinds: Ints  # the kinds of cards that are unseen
    copies: Ints  # how many copies of every card are unseen
    terms: Floats  # for each case a row for each kind
    ahead: Floats  # for each case a row for each kind, and one more


def draw_deal(t: Table, ed: Edition, me: int, belief: BeliefArrays, pool: Ints, rng: Ints) -> None:
    """Fill the hidden cards of a table: those of one case, then the rest in any order."""
    for seat in range(ed.players):
        if seat != me and has(t.standing, seat):
            t.hand[seat] = NO_CARD
    for k in range(t.top, t.bottom):
        t.deck[k] = NO_CARD
    draw_places(t, belief, draw_case(belief.shares, rng), rng)
    copies = belief.copies
    n = 0
    for card in range(CARDS):
        for _ in range(copies[card]):
            pool[n] = card
            n += 1
    fill_rest(t, ed, me, pool, n, rng)


def draw_case(shares: Floats, rng: Ints) -> int:
    """One of the cases by its share."""
    cases = len(shares)
    if cases == 1:
        return 0
    u = next_word(rng) / 4294967296.0
    case = 0
    while case < cases - 1 and shares[case] < u:
        case += 1
    return case


def draw_places(t: Table, belief: BeliefArrays, case: int, rng: Ints) -> None:
    """Cards for the places of a case, kind by kind from the last: each takes a set of the places that are left."""
    kinds, places, terms, ahead = belief.kinds, belief.places, belief.terms, belief.ahead
    count = belief.counts[case]
    width = len(places) // len(belief.counts)
    sets = 1 << width
    first_term = case * len(kinds) * sets
    first_sum = case * (len(kinds) + 1) * sets
    left = (1 << count) - 1
    k = len(kinds) - 1
    while left != 0 and k >= 0:
        u = next_word(rng) / 4294967296.0 * ahead[first_sum + (k + 1) * sets + left]
        some = left
        while some != 0:
            u -= terms[first_term + k * sets + some] * ahead[first_sum + k * sets + (left ^ some)]
            if u < 0:
                break
            some = (some - 1) & left
        for j in range(count):
            if some >> j & 1:
                put(t, places[case * width + j], kinds[k])
        left ^= some
        k -= 1


def put(t: Table, place: int, card: int) -> None:
    """Put a card where it lies."""
    if place >= UNDER:
        t.deck[place - UNDER] = card
    else:
        t.hand[place] = card


def fill_rest(t: Table, ed: Edition, me: int, pool: Ints, n: int, rng: Ints) -> None:
    """Put the unseen cards that are left, shuffled, into the places that are still empty; the last ones lie aside."""
    for seat in range(ed.players):
        if seat != me and has(t.standing, seat) and t.hand[seat] != NO_CARD:
            n = take_out(pool, n, t.hand[seat])
    for k in range(t.top, t.bottom):
        if t.deck[k] != NO_CARD:
            n = take_out(pool, n, t.deck[k])
    for seat in range(ed.players):
        if seat != me and has(t.standing, seat) and t.hand[seat] == NO_CARD:
            n, t.hand[seat] = take_any(pool, n, rng)
    for k in range(t.top, t.bottom):
        if t.deck[k] == NO_CARD:
            n, t.deck[k] = take_any(pool, n, rng)
    if t.spare != NO_CARD and n > 0:
        t.spare = pool[0]


def take_out(pool: Ints, n: int, card: int) -> int:
    """Take one copy of a card out of the pool; how many cards are left."""
    for k in range(n):
        if pool[k] == card:
            pool[k] = pool[n - 1]
            return n - 1
    return n


def take_any(pool: Ints, n: int, rng: Ints) -> tuple[int, int]:
    """Take any card out of the pool; how many are left, and which it was."""
    k = below(rng, n)
    card = pool[k]
    pool[k] = pool[n - 1]
    return n - 1, card


def resolve_seen(notes: Notes, t: Table) -> None:
    """What others have seen without our knowing what: in this deal it is the card that lies there."""
    for k in range(BARRED):
        if notes[k] == BLANK:
            notes[k] = t.hand[k & 7]
