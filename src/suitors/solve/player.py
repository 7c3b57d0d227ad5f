"""The player's turn: every card in every way, and the best of them."""

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
from .turns import new_agent, new_hand, opponent_turn, pile_size, trade


def player_choice(
    memo: Any, q: int, n: int, p: int, hand: int, agent: int, guarded: int, unseen: int, sw: int
) -> float:
    """The better of calling the agent and drawing; with neither the game is lost (R127)."""
    best = 0.0
    if agent != NONE:
        best = call_agent(memo, q, n, p, hand, agent, guarded, unseen, sw)
    if pile_size(q, n, agent, unseen) > 0:
        best = max(best, draw(memo, q, n, p, hand, agent, guarded, unseen, sw))
    return best


def draw(memo: Any, q: int, n: int, p: int, hand: int, agent: int, guarded: int, unseen: int, sw: int) -> float:
    """The value of drawing: over all cards that may come."""
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            value += count * best_play(memo, q, n, p, hand, kind, agent, guarded, seen(unseen, kind), sw)
    return value / total(unseen)


def call_agent(memo: Any, q: int, n: int, p: int, hand: int, agent: int, guarded: int, unseen: int, sw: int) -> float:
    """The value of playing the agent, whatever it turns out to be."""
    if agent != HIDDEN:
        return play_card(memo, q, n, p, agent, hand, NONE, guarded, unseen, sw)
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            value += count * play_card(memo, q, n, p, kind, hand, NONE, guarded, seen(unseen, kind), sw)
    return value / total(unseen)


def best_play(
    memo: Any, q: int, n: int, p: int, a: int, b: int, agent: int, guarded: int, unseen: int, sw: int
) -> float:
    """The value of holding two cards: the Countess may have to go (R125)."""
    if a == COUNTESS and (b == KING or b == PRINCE):
        return play_card(memo, q, n, p, a, b, agent, guarded, unseen, sw)
    if b == COUNTESS and (a == KING or a == PRINCE):
        return play_card(memo, q, n, p, b, a, agent, guarded, unseen, sw)
    best = play_card(memo, q, n, p, a, b, agent, guarded, unseen, sw)
    if a == b:
        return best
    return max(best, play_card(memo, q, n, p, b, a, agent, guarded, unseen, sw))


def play_card(
    memo: Any, q: int, n: int, p: int, card: int, hand: int, agent: int, guarded: int, unseen: int, sw: int
) -> float:
    """The value of playing a card in the best way, `hand` being what stays."""
    if card == PRINCESS:
        return 0.0
    if card == HANDMAID:
        return opponent_turn(memo, q, n, p, hand, agent, 1, unseen, sw)
    if card == COUNTESS or (guarded == 1 and card != PRINCE):
        return opponent_turn(memo, q, n, p, hand, agent, 0, unseen, sw)
    best = 0.0
    if card == PRINCE:
        best = prince_own(memo, q, n, p, hand, agent, HIDDEN - 1, unseen, sw)
        if agent != NONE:
            best = max(best, prince_own(memo, q, n, p, hand, agent, HIDDEN, unseen, sw))
        if guarded == 1:
            return best
    places = n if n > 0 else 1
    for place in range(places):
        best = max(best, aim(memo, q, n, p, card, place, hand, agent, unseen, sw))
    return best


def aim(memo: Any, q: int, n: int, p: int, card: int, place: int, hand: int, agent: int, unseen: int, sw: int) -> float:
    """The value of playing a card on a place of the queue; without a retinue the place is the Princess's."""
    if card == GUARD:
        return 1.0 if n == 0 else guard(memo, q, n, p, place, hand, agent, unseen, sw)
    if card == PRIEST:
        return priest(memo, q, n, p, place, hand, agent, unseen, sw)
    if card == PRINCE:
        return 1.0 if n == 0 else prince(memo, q, n, p, place, hand, agent, unseen, sw)
    if card == BARON:
        if n == 0:
            return 0.0
        best = baron(memo, q, n, p, place, hand, hand, agent, unseen, sw)
        return best if agent == NONE else max(best, baron_agent(memo, q, n, p, place, hand, agent, unseen, sw))
    best = king(memo, q, n, p, place, hand, agent, False, unseen, sw)
    return best if agent == NONE else max(best, king(memo, q, n, p, place, hand, agent, True, unseen, sw))


def guard(memo: Any, q: int, n: int, p: int, place: int, hand: int, agent: int, unseen: int, sw: int) -> float:
    """A Guard on the retinue: a face-up card goes; of a face-down one the best name is spoken."""
    if at(q, place) != NONE:
        return opponent_turn(memo, drop(q, place), n - 1, p, hand, agent, 0, unseen, sw)
    stays = 0.0
    gain = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            rest = seen(unseen, kind)
            up = opponent_turn(memo, put(q, place, kind), n, p, hand, agent, 0, rest, sw)
            stays += count * up
            if kind != GUARD:
                gone = opponent_turn(memo, drop(q, place), n - 1, p, hand, agent, 0, rest, sw)
                gain = max(gain, count * (gone - up))
    return (stays + gain) / total(unseen)


def guard_named(
    memo: Any, q: int, n: int, p: int, place: int, name: int, hand: int, agent: int, unseen: int, sw: int
) -> float:
    """A Guard on a face-down card of the retinue with one certain name."""
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            rest = seen(unseen, kind)
            if kind == name:
                value += count * opponent_turn(memo, drop(q, place), n - 1, p, hand, agent, 0, rest, sw)
            else:
                value += count * opponent_turn(memo, put(q, place, kind), n, p, hand, agent, 0, rest, sw)
    return value / total(unseen)


def priest(memo: Any, q: int, n: int, p: int, place: int, hand: int, agent: int, unseen: int, sw: int) -> float:
    """A Priest turns a face-down card up."""
    if n == 0 or at(q, place) != NONE:
        return opponent_turn(memo, q, n, p, hand, agent, 0, unseen, sw)
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            rest = seen(unseen, kind)
            value += count * opponent_turn(memo, put(q, place, kind), n, p, hand, agent, 0, rest, sw)
    return value / total(unseen)


def baron(
    memo: Any, q: int, n: int, p: int, place: int, mine: int, hand: int, agent: int, unseen: int, sw: int
) -> float:
    """A Baron with an own card that is known: a lower card of the retinue goes, a higher one ends the game (R114)."""
    theirs = at(q, place)
    if theirs != NONE:
        return baron_result(memo, q, n, p, place, mine, theirs, hand, agent, unseen, sw)
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            up, rest = put(q, place, kind), seen(unseen, kind)
            value += count * baron_result(memo, up, n, p, place, mine, kind, hand, agent, rest, sw)
    return value / total(unseen)


def baron_result(
    memo: Any, q: int, n: int, p: int, place: int, mine: int, theirs: int, hand: int, agent: int, unseen: int, sw: int
) -> float:
    """The value once both cards of the player's comparison lie open."""
    if mine < theirs:
        return 0.0
    if mine > theirs:
        return opponent_turn(memo, drop(q, place), n - 1, p, hand, agent, 0, unseen, sw)
    return opponent_turn(memo, q, n, p, hand, agent, 0, unseen, sw)


def baron_agent(memo: Any, q: int, n: int, p: int, place: int, hand: int, agent: int, unseen: int, sw: int) -> float:
    """A Baron that compares the agent, which is turned up if it is face down (R115)."""
    if agent != HIDDEN:
        return baron(memo, q, n, p, place, agent, hand, agent, unseen, sw)
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            value += count * baron(memo, q, n, p, place, kind, hand, kind, seen(unseen, kind), sw)
    return value / total(unseen)


def prince(memo: Any, q: int, n: int, p: int, place: int, hand: int, agent: int, unseen: int, sw: int) -> float:
    """A Prince on the retinue: the card is discarded and replaced face down, or, by the switch, just removed (R120)."""
    if at(q, place) != NONE:
        return prince_result(memo, q, n, p, place, hand, agent, unseen, sw)
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            up, rest = put(q, place, kind), seen(unseen, kind)
            value += count * prince_result(memo, up, n, p, place, hand, agent, rest, sw)
    return value / total(unseen)


def prince_result(memo: Any, q: int, n: int, p: int, place: int, hand: int, agent: int, unseen: int, sw: int) -> float:
    """The value once the card that the Prince discards from the retinue is seen."""
    if sw & 1 == 1:
        return opponent_turn(memo, drop(q, place), n - 1, p, hand, agent, 0, unseen, sw)
    if pile_size(q, n, agent, unseen) == 0:
        return 0.0
    return opponent_turn(memo, put(q, place, NONE), n, p, hand, agent, 0, unseen, sw)


def prince_own(memo: Any, q: int, n: int, p: int, hand: int, agent: int, own: int, unseen: int, sw: int) -> float:
    """The player's Prince on an own card: HIDDEN stands for the agent, anything else for the hand."""
    if own != HIDDEN:
        return new_hand(memo, q, n, p, hand, agent, unseen, sw, True)
    return new_agent(memo, q, n, p, hand, agent, unseen, sw, True)


def king(
    memo: Any, q: int, n: int, p: int, place: int, hand: int, agent: int, gives_agent: bool, unseen: int, sw: int
) -> float:
    """The player's King: an own card against one of the queue (R123)."""
    return trade(memo, q, n, p, place, hand, agent, gives_agent, unseen, sw, True)
