"""The opponent's turn: the leftmost card acts, and the player offers the hand or the agent."""

from typing import Any

from .positions import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    HIDDEN,
    KING,
    NONE,
    PRIEST,
    PRINCE,
    PRINCESS,
    at,
    drop,
    put,
    seen,
    total,
    unseen_of,
)
from .turns import new_agent, new_hand, player_turn, trade


def opponent_card(
    memo: Any, q: int, n: int, p: int, hand: int, agent: int, shielded: int, unseen: int, sw: int
) -> float:
    """The leftmost card acts, whatever it turns out to be."""
    card, rest = at(q, 0), drop(q, 0)
    if card != NONE:
        return attack(memo, card, rest, n - 1, p, hand, agent, shielded, unseen, sw)
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            left = seen(unseen, kind)
            value += count * attack(memo, kind, rest, n - 1, p, hand, agent, shielded, left, sw)
    return value / total(unseen)


def attack(
    memo: Any, card: int, q: int, n: int, p: int, hand: int, agent: int, shielded: int, unseen: int, sw: int
) -> float:
    """The value of meeting the opponent's card: the player offers what is better, the hand or the agent."""
    if n + p == 0 and (card == BARON or card == KING):
        return 1.0
    if card == HANDMAID:
        return player_turn(memo, q, n, p, hand, agent, 1, unseen, sw)
    if card == COUNTESS or shielded == 1:
        return player_turn(memo, q, n, p, hand, agent, 0, unseen, sw)
    if card == PRIEST:
        return turned_up(memo, q, n, p, hand, agent, unseen, sw)
    best = offer_hand(memo, card, q, n, p, hand, agent, unseen, sw)
    if agent == NONE:
        return best
    return max(best, offer_agent(memo, card, q, n, p, hand, agent, unseen, sw))


def turned_up(memo: Any, q: int, n: int, p: int, hand: int, agent: int, unseen: int, sw: int) -> float:
    """A face-down agent is turned face up."""
    if agent != HIDDEN:
        return player_turn(memo, q, n, p, hand, agent, 0, unseen, sw)
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            value += count * player_turn(memo, q, n, p, hand, kind, 0, seen(unseen, kind), sw)
    return value / total(unseen)


def offer_hand(memo: Any, card: int, q: int, n: int, p: int, hand: int, agent: int, unseen: int, sw: int) -> float:
    """The hand meets a Guard (who knows it), a Baron, a Prince or a King."""
    if card == GUARD:
        return 0.0
    if card == BARON:
        return foe_baron(memo, q, n, p, hand, hand, agent, unseen, sw)
    if card == PRINCE:
        return new_hand(memo, q, n, p, hand, agent, unseen, sw, False)
    return trade(memo, q, n, p, 0, hand, agent, False, unseen, sw, False)


def offer_agent(memo: Any, card: int, q: int, n: int, p: int, hand: int, agent: int, unseen: int, sw: int) -> float:
    """The agent meets a Guard (who only knows it face up), a Baron, a Prince or a King."""
    if card == GUARD:
        return turned_up(memo, q, n, p, hand, agent, unseen, sw) if agent == HIDDEN else 0.0
    if card == PRINCE:
        return new_agent(memo, q, n, p, hand, agent, unseen, sw, False)
    if card == KING:
        return trade(memo, q, n, p, 0, hand, agent, True, unseen, sw, False)
    if agent != HIDDEN:
        return foe_baron(memo, q, n, p, agent, hand, agent, unseen, sw)
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            value += count * foe_baron(memo, q, n, p, kind, hand, kind, seen(unseen, kind), sw)
    return value / total(unseen)


def foe_baron(memo: Any, q: int, n: int, p: int, mine: int, hand: int, agent: int, unseen: int, sw: int) -> float:
    """The opponent's Baron compares the next card in line with an own card that is known (R116, R117)."""
    if n == 0:
        return 0.0
    theirs = at(q, 0)
    if theirs != NONE:
        return player_turn(memo, q, n, p, hand, agent, 0, unseen, sw) if mine >= theirs else 0.0
    value = 0.0
    for kind in range(GUARD, min(mine, COUNTESS) + 1):
        count = unseen_of(unseen, kind)
        if count > 0:
            value += count * player_turn(memo, put(q, 0, kind), n, p, hand, agent, 0, seen(unseen, kind), sw)
    return value / total(unseen)
