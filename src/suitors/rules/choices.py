"""Legality, stated once: whom a card may choose, what it may name, and why a move is refused.

`reach` and `bound` say whom a card may choose; the counting (`count_moves`, `nth_move`) and the explaining (`why_not`)
both stand on them. The moves of a decision are numbered from 0, so that a random one needs no list.
"""

from .editions import NAMES, Edition
from .names import (
    BLANK,
    NO_CARD,
    NOBODY,
    Aim,
    Card,
    Naming,
    Phase,
    Refusal,
    Verb,
    first_of,
    is_card,
    pack,
    second_of,
    third_of,
)
from .seats import has, lowest, nth, only, size, without
from .table import Table

MOST_MOVES = 160
"""More moves than any decision has: a Guard and a Bishop held among eight players make 133."""

Moves = list[int]


def must_play_countess(t: Table) -> bool:
    """Whether the Countess is held with the King or a Prince, by name (R12, R13)."""
    a = t.hand[t.active]
    b = t.drawn
    if a == Card.COUNTESS:
        return b == Card.KING or b == Card.PRINCE
    return b == Card.COUNTESS and (a == Card.KING or a == Card.PRINCE)


def bound(t: Table, ed: Edition, card: int) -> int:
    """The seat that the card must choose because a Sycophant marked it, or NOBODY (R53, R55, R57)."""
    if t.mark == NOBODY or not has(t.standing, t.mark):
        return NOBODY
    aim = ed.aim[card]
    if t.mark == t.active and ed.free_actor == 1 and (aim == Aim.OTHER or aim == Aim.OTHERS):
        return NOBODY
    return t.mark


def reach(t: Table, ed: Edition, card: int) -> int:
    """The set of seats that the card may choose, marks apart: in the round, not protected (R1, R4, R23, R59)."""
    aim = ed.aim[card]
    if aim == Aim.NOBODY:
        return 0
    others = without(t.standing & ~t.shielded, t.active)
    if aim == Aim.ANYONE or aim == Aim.PAIR:
        return others | only(t.active)
    return others


def choosable(t: Table, ed: Edition, card: int) -> int:
    """The set of seats that may stand in a choice of the card; empty if the card has no effect (R2, R55, R62)."""
    seats = reach(t, ed, card)
    aim = ed.aim[card]
    must = bound(t, ed, card)
    if must != NOBODY:
        if not has(seats, must):
            return 0
        if aim == Aim.OTHER or aim == Aim.ANYONE:
            return only(must)
    if aim == Aim.PAIR and seats & (seats - 1) == 0:
        return 0
    return seats


def count_choices(t: Table, ed: Edition, card: int, seats: int) -> int:
    """In how many ways the card may choose among the seats, which are `choosable`."""
    n = size(seats)
    aim = ed.aim[card]
    if aim == Aim.OTHERS:
        return n * (n + 1) // 2 if bound(t, ed, card) == NOBODY else n
    if aim == Aim.PAIR:
        return n * (n - 1) // 2 if bound(t, ed, card) == NOBODY else n - 1
    return n


def count_names(ed: Edition, card: int) -> int:
    """How many things the card may name; 1 for a card that names nothing."""
    return ed.name_count[card] if ed.naming[card] != Naming.NOTHING else 1


def nth_name(ed: Edition, card: int, k: int) -> int:
    """The k-th thing that the card may name."""
    return ed.names[card * NAMES + k]


def name_for(ed: Edition, card: int, held: int) -> int:
    """What the card, which names something, must name to be right about a held card."""
    return ed.spoken[held] if ed.naming[card] == Naming.CARD else ed.value[held]


def count_plays(t: Table, ed: Edition, card: int) -> int:
    """In how many ways the card may be played; a card without a choice has one."""
    seats = choosable(t, ed, card)
    if seats == 0:
        return 1
    return count_choices(t, ed, card, seats) * count_names(ed, card)


def nth_play(t: Table, ed: Edition, card: int, k: int) -> int:
    """The k-th way of playing the card, as a move."""
    return nth_choice(ed, card, choosable(t, ed, card), bound(t, ed, card), k)


def nth_choice(ed: Edition, card: int, seats: int, must: int, k: int) -> int:
    """The k-th way of playing the card among the seats, which are `choosable`, where `must` is its `bound`."""
    if seats == 0:
        return pack(card)
    if ed.naming[card] != Naming.NOTHING:
        n = ed.name_count[card]
        return pack(card, nth(seats, k // n), BLANK, nth_name(ed, card, k % n))
    aim = ed.aim[card]
    if aim == Aim.OTHER or aim == Aim.ANYONE:
        return pack(card, nth(seats, k))
    return nth_pair(card, seats, must, k, aim == Aim.OTHERS)


def nth_pair(card: int, seats: int, must: int, k: int, single: bool) -> int:
    """The k-th choice of two seats, `must` among them if it is a seat; with `single`, of one seat first."""
    if single:
        singles = size(seats) if must == NOBODY else 1
        if k < singles:
            return pack(card, nth(seats, k) if must == NOBODY else must)
        k -= singles
    if must != NOBODY:
        other = nth(without(seats, must), k)
        return pack(card, min(must, other), max(must, other))
    low = 0
    n = size(seats) - 1
    while k >= n:
        k -= n
        n -= 1
        low += 1
    return pack(card, nth(seats, low), nth(seats, low + 1 + k))


def count_moves(t: Table, ed: Edition) -> int:
    """How many moves are legal; 0 where no decision is due."""
    if t.phase == Phase.PLAY:
        if must_play_countess(t):
            return 1
        n = count_plays(t, ed, t.drawn)
        if t.hand[t.active] != t.drawn:
            n += count_plays(t, ed, t.hand[t.active])
        return n
    if t.phase == Phase.KEEP:
        return count_orders(t)
    if t.phase == Phase.LOOK:
        return 3
    return 2 if t.phase == Phase.ANSWER else 0


def nth_move(t: Table, ed: Edition, k: int) -> int:
    """The k-th legal move; k is below `count_moves`."""
    if t.phase == Phase.PLAY:
        if must_play_countess(t):
            return pack(Card.COUNTESS)
        n = count_plays(t, ed, t.drawn)
        if k < n:
            return nth_play(t, ed, t.drawn, k)
        return nth_play(t, ed, t.hand[t.active], k - n)
    if t.phase == Phase.KEEP:
        return nth_order(t, k)
    if t.phase == Phase.LOOK:
        return pack(Verb.LOOK, nth(t.traded, k) if k < 2 else BLANK)
    return pack(Verb.REDRAW if k == 0 else Verb.STAY)


def list_moves(t: Table, ed: Edition, into: Moves) -> int:
    """Write all legal moves into a row of MOST_MOVES, in the order of `nth_move`; how many they are."""
    if t.phase != Phase.PLAY or must_play_countess(t):
        n = count_moves(t, ed)
        for k in range(n):
            into[k] = nth_move(t, ed, k)
        return n
    n = list_plays(t, ed, t.drawn, into, 0)
    if t.hand[t.active] != t.drawn:
        n = list_plays(t, ed, t.hand[t.active], into, n)
    return n


def list_plays(t: Table, ed: Edition, card: int, into: Moves, start: int) -> int:
    """Write the ways of playing the card into the places from start on; the first place behind them."""
    seats = choosable(t, ed, card)
    if seats != 0 and ed.naming[card] != Naming.NOTHING:
        return list_names(ed, card, seats, into, start)
    must = bound(t, ed, card)
    end = start + (1 if seats == 0 else count_choices(t, ed, card, seats))
    for k in range(start, end):
        into[k] = nth_choice(ed, card, seats, must, k - start)
    return end


def list_names(ed: Edition, card: int, seats: int, into: Moves, start: int) -> int:
    """The same for a card that names something, among these seats."""
    end = start
    while seats:
        seat = lowest(seats)
        seats = without(seats, seat)
        for k in range(ed.name_count[card]):
            into[end] = pack(card, seat, BLANK, nth_name(ed, card, k))
            end += 1
    return end


def held(t: Table, k: int) -> int:
    """The k-th card in the deciding player's hand, NO_CARD behind the last."""
    if k == 0:
        return t.hand[t.active]
    return t.drawn if k == 1 else t.extra


def count_orders(t: Table) -> int:
    """In how many different orders the Chancellor's cards may be named (equal cards are one)."""
    a, b, c = held(t, 0), held(t, 1), held(t, 2)
    if c == NO_CARD:
        return 1 if a == b else 2
    pairs = (a == b) + (b == c) + (a == c)
    if pairs == 0:
        return 6
    return 3 if pairs == 1 else 1


def nth_order(t: Table, k: int) -> int:
    """The k-th order of the Chancellor's cards: the one kept, then those returned."""
    n = 2 if t.extra == NO_CARD else 3
    for i in range(n):
        for j in range(n):
            if i != j and first_order(t, i, j):
                if k == 0:
                    third = held(t, 3 - i - j)
                    return pack(Verb.KEEP, held(t, i), held(t, j), third if n == 3 else BLANK)
                k -= 1
    return pack(Verb.KEEP)


def first_order(t: Table, i: int, j: int) -> bool:
    """Whether no earlier choice of two places names the same cards as places i and j do."""
    for a in range(i + 1):
        for b in range(3):
            if a != b and (a < i or b < j) and held(t, a) == held(t, i) and held(t, b) == held(t, j):
                return False
    return True


def why_not(t: Table, ed: Edition, move: int) -> int:
    """FINE if the move is legal, else the first reason why it is not."""
    verb = move & 31
    if t.phase == Phase.DEAL or t.phase == Phase.OVER:
        return Refusal.NO_DECISION
    if is_card(verb) != (t.phase == Phase.PLAY) or verb > Verb.STAY:
        return Refusal.WRONG_STEP
    if t.phase == Phase.PLAY:
        return why_not_play(t, ed, move)
    if t.phase == Phase.KEEP:
        return why_not_keep(t, move)
    if t.phase == Phase.LOOK:
        return why_not_look(t, move)
    if verb < Verb.REDRAW or move != pack(verb):
        return Refusal.WRONG_STEP
    return Refusal.FINE


def why_not_play(t: Table, ed: Edition, move: int) -> int:
    """Why a card may not be played in this way."""
    card = move & 31
    if card != t.hand[t.active] and card != t.drawn:
        return Refusal.NOT_HELD
    if card != Card.COUNTESS and must_play_countess(t):
        return Refusal.COUNTESS_FIRST
    seats = choosable(t, ed, card)
    if seats == 0:
        return Refusal.FINE if move == pack(card) else Refusal.CHOOSES_NOBODY
    refusal = why_not_seats(t, ed, card, seats, first_of(move), second_of(move))
    if refusal != Refusal.FINE:
        return refusal
    return why_not_name(ed, card, third_of(move))


def why_not_seats(t: Table, ed: Edition, card: int, seats: int, low: int, high: int) -> int:
    """Why a card with these choosable seats may not choose that one, or those two."""
    if low == BLANK:
        return Refusal.MUST_CHOOSE
    aim = ed.aim[card]
    if high == BLANK and aim == Aim.PAIR:
        return Refusal.TWO_SEATS
    if high != BLANK and (aim == Aim.OTHER or aim == Aim.ANYONE):
        return Refusal.ONE_SEAT
    if high <= low:
        return Refusal.SEAT_ORDER
    if not has(seats, low):
        return why_barred(t, ed, card, low)
    if high != BLANK and not has(seats, high):
        return why_barred(t, ed, card, high)
    must = bound(t, ed, card)
    if must != NOBODY and must != low and must != high:
        return Refusal.MARK_IGNORED
    return Refusal.FINE


def why_barred(t: Table, ed: Edition, card: int, seat: int) -> int:
    """Why a seat is not choosable for a card."""
    if seat >= ed.players:
        return Refusal.NO_SUCH_SEAT
    if not has(t.standing, seat):
        return Refusal.OUT_OF_ROUND
    if seat == t.active and not has(reach(t, ed, card), seat):
        return Refusal.NOT_ONESELF
    if has(t.shielded, seat):
        return Refusal.PROTECTED
    return Refusal.MARK_IGNORED


def why_not_name(ed: Edition, card: int, name: int) -> int:
    """Why a card may not name that (R14, R36)."""
    if ed.naming[card] == Naming.NOTHING:
        return Refusal.FINE if name == BLANK else Refusal.NAMES_NOTHING
    if name == BLANK:
        return Refusal.MUST_NAME
    for k in range(ed.name_count[card]):
        if name == nth_name(ed, card, k):
            return Refusal.FINE
    return Refusal.NOT_NAMEABLE


def why_not_keep(t: Table, move: int) -> int:
    """Why the Chancellor's cards may not be kept and returned in this way."""
    if move & 31 != Verb.KEEP:
        return Refusal.WRONG_STEP
    for k in range(count_orders(t)):
        if nth_order(t, k) == move:
            return Refusal.FINE
    return Refusal.WRONG_CARDS


def why_not_look(t: Table, move: int) -> int:
    """Why the Cardinal's player may not look there."""
    seat = first_of(move)
    if move & 31 != Verb.LOOK:
        return Refusal.WRONG_STEP
    if move != pack(Verb.LOOK, seat) or (seat != BLANK and not has(t.traded, seat)):
        return Refusal.DID_NOT_TRADE
    return Refusal.FINE
