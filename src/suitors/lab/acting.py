"""Moves as numbers and back, and the mask of those that are legal. Seats are counted from the one who decides."""

from collections.abc import MutableSequence

from ..rules.choices import (
    bound,
    choosable,
    count_choices,
    count_moves,
    held,
    must_play_countess,
    nth_choice,
    nth_move,
    nth_name,
)
from ..rules.editions import NAMES, Edition
from ..rules.names import (
    BLANK,
    NO_CARD,
    Aim,
    Card,
    Naming,
    Phase,
    Verb,
    first_of,
    pack,
    second_of,
    third_of,
    verb_of,
)
from ..rules.seats import has
from ..rules.table import Table
from .space import Space

Numbers = MutableSequence[int]

COUNTESS = int(Card.COUNTESS)  # code for a GPU takes no member of an enum as an index


def relative(seat: int, me: int, players: int) -> int:
    """A seat counted clockwise from another one."""
    return seat - me if seat >= me else seat - me + players


def absolute(place: int, me: int, players: int) -> int:
    """The seat that is so many places clockwise from another one."""
    return place + me if place + me < players else place + me - players


def action_of(t: Table, ed: Edition, s: Space, move: int) -> int:
    """The number of a legal move."""
    verb = verb_of(move)
    if verb == Verb.KEEP:
        return s.base[verb] + order_of(t, move)
    x = first_of(move)
    if x == BLANK:
        return s.base[verb]
    first = relative(x, t.decider, s.players)
    y = second_of(move)
    if y == BLANK:
        name = third_of(move)
        place = 0 if name == BLANK else s.name_at[verb * NAMES + name]
        return s.base[verb] + 1 + place * s.players + first
    single = s.players if ed.aim[verb] == Aim.OTHERS else 0
    return s.base[verb] + 1 + single + pair_place(first, relative(y, t.decider, s.players), s.players)


def pair_place(a: int, b: int, players: int) -> int:
    """The place of a pair among all pairs of seats, the lower seat first."""
    low = min(a, b)
    return low * (2 * players - low - 1) // 2 + max(a, b) - low - 1


def order_of(t: Table, move: int) -> int:
    """The place of a Chancellor's choice among the six orders of three cards: the first that means it."""
    kept, returned = first_of(move), second_of(move)
    place = 0
    for i in range(3):
        for j in range(3):
            if i != j:
                if held(t, i) == kept and held(t, j) == returned:
                    return place
                place += 1
    return NO_CARD


def write_mask(t: Table, ed: Edition, s: Space, mask: Numbers) -> None:
    """Write 1 for each action that is legal and 0 for all others."""
    for k in range(s.actions):
        mask[k] = 0
    if t.phase == Phase.PLAY:
        if must_play_countess(t):
            mask[s.base[COUNTESS]] = 1
        else:
            mask_plays(t, ed, s, t.drawn, mask)
            if t.hand[t.active] != t.drawn:
                mask_plays(t, ed, s, t.hand[t.active], mask)
    else:
        for k in range(count_moves(t, ed)):
            mask[action_of(t, ed, s, nth_move(t, ed, k))] = 1


def mask_plays(t: Table, ed: Edition, s: Space, card: int, mask: Numbers) -> None:
    """Write 1 for each way of playing a card."""
    seats = choosable(t, ed, card)
    base = s.base[card]
    if seats == 0:
        mask[base] = 1
    elif ed.naming[card] != Naming.NOTHING:
        mask_names(t, ed, s, card, seats, mask)
    elif ed.aim[card] == Aim.OTHER or ed.aim[card] == Aim.ANYONE:
        for seat in range(s.players):
            if has(seats, seat):
                mask[base + 1 + relative(seat, t.active, s.players)] = 1
    else:
        for k in range(count_choices(t, ed, card, seats)):
            mask[action_of(t, ed, s, nth_choice(ed, card, seats, bound(t, ed, card), k))] = 1


def mask_names(t: Table, ed: Edition, s: Space, card: int, seats: int, mask: Numbers) -> None:
    """Write 1 for each seat of a set with each thing that the card may name of it."""
    for seat in range(s.players):
        if has(seats, seat):
            start = s.base[card] + 1 + relative(seat, t.active, s.players)
            for k in range(ed.name_count[card]):
                mask[start + s.name_at[card * NAMES + nth_name(ed, card, k)] * s.players] = 1


def move_of(t: Table, s: Space, action: int) -> int:
    """The move that an action, which is legal, means."""
    move = s.move[action]
    verb = verb_of(move)
    if verb == Verb.KEEP:
        return ordered(t, action - s.base[verb])
    x = first_of(move)
    if x == BLANK:
        return move
    first = absolute(x, t.decider, s.players)
    y = second_of(move)
    if y == BLANK:
        return pack(verb, first, BLANK, third_of(move))
    second = absolute(y, t.decider, s.players)
    return pack(verb, min(first, second), max(first, second))


def ordered(t: Table, place: int) -> int:
    """The Chancellor's choice that one of the six orders of three cards means."""
    i = place // 2
    j = place % 2 + (1 if place % 2 >= i else 0)
    third = held(t, 3 - i - j)
    return pack(Verb.KEEP, held(t, i), held(t, j), BLANK if t.extra == NO_CARD else third)
