"""The value of one move: what the solver says of each choice that a solo game offers."""

from typing import Any

from .opponent import offer_agent, offer_hand
from .player import baron, baron_agent, call_agent, draw, guard, guard_named, king, play_card, priest, prince
from .positions import AGENT, BARON, BEHIND, GUARD, HAND, KING, LENGTH, NONE, PRIEST, PRINCE, SHIELD, UNSEEN, at
from .turns import new_agent, new_hand, opponent_turn

CALL, TAKE, PLAY, OFFER = 0, 1, 2, 3
"""Kinds of choices: call the agent, draw, play a card, offer an own card to the opponent's."""

NOWHERE, OWN_HAND, OWN_AGENT = -1, 8, 9
"""Where a card may be aimed besides the places of the queue, which are 0 to 6."""


def move_value(memo: Any, key: int, sw: int, kind: int, card: int, place: int, own: int, name: int) -> float:
    """The value of a choice in a packed position, in which `hand` is the card that stays."""
    q, n, p = key & 0x3FFFF, key >> LENGTH & 7, key >> BEHIND & 1
    hand, agent, shield, unseen = key >> HAND & 15, key >> AGENT & 15, key >> SHIELD & 1, key >> UNSEEN & 0x1FFF
    if kind == CALL:
        return call_agent(memo, q, n, p, hand, agent, shield, unseen, sw)
    if kind == TAKE:
        return draw(memo, q, n, p, hand, agent, shield, unseen, sw)
    if kind == OFFER:
        if own == OWN_HAND:
            return offer_hand(memo, card, q, n, p, hand, agent, unseen, sw)
        return offer_agent(memo, card, q, n, p, hand, agent, unseen, sw)
    if place == NOWHERE:
        return play_bare(memo, q, n, p, card, hand, agent, shield, unseen, sw)
    return aimed(memo, q, n, p, card, place, own, name, hand, agent, unseen, sw)


def play_bare(
    memo: Any, q: int, n: int, p: int, card: int, hand: int, agent: int, guarded: int, unseen: int, sw: int
) -> float:
    """A card that chooses nothing."""
    if card == GUARD or card == PRIEST or card == BARON or card == KING:
        return opponent_turn(memo, q, n, p, hand, agent, 0, unseen, sw)
    return play_card(memo, q, n, p, card, hand, agent, guarded, unseen, sw)


def aimed(
    memo: Any, q: int, n: int, p: int, card: int, place: int, own: int, name: int, hand: int, agent: int, unseen: int,
    sw: int,
) -> float:  # fmt: skip
    """A card aimed at a place of the queue or at an own card."""
    if place == OWN_HAND:
        return new_hand(memo, q, n, p, hand, agent, unseen, sw, True)
    if place == OWN_AGENT:
        return new_agent(memo, q, n, p, hand, agent, unseen, sw, True)
    if card == PRIEST:
        return priest(memo, q, n, p, place, hand, agent, unseen, sw)
    if card == KING:
        return king(memo, q, n, p, place, hand, agent, own == OWN_AGENT, unseen, sw)
    if n == 0:
        return 0.0 if card == BARON else 1.0
    if card == PRINCE:
        return prince(memo, q, n, p, place, hand, agent, unseen, sw)
    if card == BARON:
        if own == OWN_AGENT:
            return baron_agent(memo, q, n, p, place, hand, agent, unseen, sw)
        return baron(memo, q, n, p, place, hand, hand, agent, unseen, sw)
    if at(q, place) != NONE:
        return guard(memo, q, n, p, place, hand, agent, unseen, sw)
    return guard_named(memo, q, n, p, place, name, hand, agent, unseen, sw)
