"""The two kinds of positions that are remembered, and what both sides do with the player's own cards.

`memo` is a dict when interpreted and a hash table when compiled (memo.py). `sw` holds the switches: 1 for a Prince that
removes (R120), 2 for a strict last card (R128). `q`, `n` and `p` are the retinue, its length, and whether the Princess
stands behind it (positions.py). Everything here keeps to the subset of Python that can be compiled.
"""

from typing import Any

from .memo import recall, work_out
from .positions import GUARD, HIDDEN, NONE, OPPONENT, PRINCESS, at, hidden, pack_position, put, seen, total, unseen_of


def value_of(memo: Any, key: int, sw: int) -> float:
    """The value of a packed position, remembered or worked out."""
    known = recall(memo, key)
    return known if known >= 0.0 else work_out(memo, key, sw)


def pile_size(q: int, n: int, agent: int, unseen: int) -> int:
    """How many cards are left to draw."""
    return total(unseen) - hidden(q, n) - (1 if agent == HIDDEN else 0)


def player_turn(memo: Any, q: int, n: int, p: int, hand: int, agent: int, guarded: int, unseen: int, sw: int) -> float:
    """The value at the start of the player's turn: play the agent, or draw and play the better card."""
    if n + p == 0:
        return 1.0
    return value_of(memo, pack_position(q, n, p, hand, agent, guarded, unseen), sw)


def opponent_turn(
    memo: Any, q: int, n: int, p: int, hand: int, agent: int, shielded: int, unseen: int, sw: int
) -> float:
    """The value before the opponent's turn: an empty queue is won, a lone Princess lost (R128, R129)."""
    if n == 0:
        return 1.0 - p
    if n + p == 1 and sw & 2 == 0:
        return 1.0
    return value_of(memo, pack_position(q, n, p, hand, agent, shielded, unseen) | 1 << OPPONENT, sw)


def go_on(memo: Any, q: int, n: int, p: int, hand: int, agent: int, unseen: int, sw: int, mine: bool) -> float:
    """The turn of the other side."""
    if mine:
        return opponent_turn(memo, q, n, p, hand, agent, 0, unseen, sw)
    return player_turn(memo, q, n, p, hand, agent, 0, unseen, sw)


def new_hand(memo: Any, q: int, n: int, p: int, hand: int, agent: int, unseen: int, sw: int, mine: bool) -> float:
    """The hand is discarded and drawn anew (R122); `mine`: by the player's own Prince."""
    if hand == PRINCESS or pile_size(q, n, agent, unseen) == 0:
        return 0.0
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            value += count * go_on(memo, q, n, p, kind, agent, seen(unseen, kind), sw, mine)
    return value / total(unseen)


def new_agent(memo: Any, q: int, n: int, p: int, hand: int, agent: int, unseen: int, sw: int, mine: bool) -> float:
    """The agent is discarded and a new one comes face down (R122)."""
    if agent == PRINCESS or pile_size(q, n, agent, unseen) == 0:
        return 0.0
    if agent != HIDDEN:
        return go_on(memo, q, n, p, hand, HIDDEN, unseen, sw, mine)
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            value += count * go_on(memo, q, n, p, hand, HIDDEN, seen(unseen, kind), sw, mine)
    return value / total(unseen)


def trade(
    memo: Any, q: int, n: int, p: int, place: int, hand: int, agent: int, gives_agent: bool, unseen: int, sw: int,
    mine: bool,
) -> float:  # fmt: skip
    """An own card and a card of the queue change places; without a retinue it is the Princess who comes (R124)."""
    given = hand if not gives_agent else NONE if agent == HIDDEN else agent
    if n == 0:
        if gives_agent:
            return go_on(memo, given, 1, 0, hand, PRINCESS, unseen, sw, mine)
        return go_on(memo, given, 1, 0, PRINCESS, agent, unseen, sw, mine)
    taken, left = at(q, place), put(q, place, given)
    if gives_agent:
        return go_on(memo, left, n, p, hand, HIDDEN if taken == NONE else taken, unseen, sw, mine)
    if taken != NONE:
        return go_on(memo, left, n, p, taken, agent, unseen, sw, mine)
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            value += count * go_on(memo, left, n, p, kind, agent, seen(unseen, kind), sw, mine)
    return value / total(unseen)
