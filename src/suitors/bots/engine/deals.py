"""Hidden cards drawn from a belief, quickly: belief.py's sums laid out in two arrays, one of ints and one of floats.

The ints: cases, kinds, places a case has at most; then for each case how many places it has and which; then the kinds;
then the unseen copies of every card. The floats: for each case the chance of it or an earlier one; then its terms and
its sums, a row of all sets of places for each kind.
"""

from ...fast.games import below, next_word
from ...rules.editions import Edition
from ...rules.names import BLANK, CARDS, NO_CARD
from ...rules.seats import has
from ...rules.table import Table
from .notes import BARRED, Notes
from .odds import Floats

UNDER = 16
"""A place from here on is one of the deck, counted from its start; a lower one is a seat."""

CASES, KINDS, PLACES, HEADER = 0, 1, 2, 3


def draw_deal(t: Table, ed: Edition, me: int, shape: Notes, sums: Floats, pool: Notes, rng: Notes) -> None:
    """Fill the hidden cards of a table: those of one case, then the rest in any order."""
    for seat in range(ed.players):
        if seat != me and has(t.standing, seat):
            t.hand[seat] = NO_CARD
    for k in range(t.top, t.bottom):
        t.deck[k] = NO_CARD
    cases = shape[CASES]
    left = HEADER + cases * (shape[PLACES] + 1) + shape[KINDS]
    case = draw_case(sums, cases, rng)
    draw_places(t, shape, sums, case, rng)
    n = 0
    for card in range(CARDS):
        for _ in range(shape[left + card]):
            pool[n] = card
            n += 1
    fill_rest(t, ed, me, pool, n, rng)


def draw_case(sums: Floats, cases: int, rng: Notes) -> int:
    """One of the cases by its share."""
    if cases == 1:
        return 0
    u = next_word(rng) / 4294967296.0
    case = 0
    while case < cases - 1 and sums[case] < u:
        case += 1
    return case


def draw_places(t: Table, shape: Notes, sums: Floats, case: int, rng: Notes) -> None:
    """Cards for the places of a case, kind by kind from the last: each takes a set of the places that are left."""
    cases, kinds, width = shape[CASES], shape[KINDS], shape[PLACES]
    row = HEADER + case * (width + 1)
    names = HEADER + cases * (width + 1)
    sets = 1 << width
    terms = cases + case * (2 * kinds + 1) * sets
    ahead = terms + kinds * sets
    left = (1 << shape[row]) - 1
    k = kinds - 1
    while left != 0 and k >= 0:
        u = next_word(rng) / 4294967296.0 * sums[ahead + (k + 1) * sets + left]
        some = left
        while some != 0:
            u -= sums[terms + k * sets + some] * sums[ahead + k * sets + (left ^ some)]
            if u < 0:
                break
            some = (some - 1) & left
        for j in range(shape[row]):
            if some >> j & 1:
                put(t, shape[row + 1 + j], shape[names + k])
        left ^= some
        k -= 1


def put(t: Table, place: int, card: int) -> None:
    """Put a card where it lies."""
    if place >= UNDER:
        t.deck[place - UNDER] = card
    else:
        t.hand[place] = card


def fill_rest(t: Table, ed: Edition, me: int, pool: Notes, n: int, rng: Notes) -> None:
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


def take_out(pool: Notes, n: int, card: int) -> int:
    """Take one copy of a card out of the pool; how many cards are left."""
    for k in range(n):
        if pool[k] == card:
            pool[k] = pool[n - 1]
            return n - 1
    return n


def take_any(pool: Notes, n: int, rng: Notes) -> tuple[int, int]:
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
