"""The exact solution of the solo game: the best chance of winning from any position.

`player_turn` and `opponent_turn` are the two kinds of positions that are remembered; everything between them is worked
out on the way. `removes` and `strict` are the switches (R120, R128). All functions keep to the compilable subset; `memo`
is a dict when interpreted and a hash table when compiled (suitors.solve.memo).
"""

from typing import Any

from .memo import recall, remember
from .positions import (
    AGENT,
    BARON,
    BEHIND,
    COUNTESS,
    GUARD,
    HAND,
    HANDMAID,
    HIDDEN,
    KING,
    LENGTH,
    NONE,
    OPPONENT,
    PRIEST,
    PRINCE,
    PRINCESS,
    SHIELD,
    UNSEEN,
    at,
    drop,
    hidden,
    pack_position,
    put,
    seen,
    total,
    unseen_of,
)


def value_of(memo: Any, key: int, sw: int) -> float:
    """The value of a packed position, remembered or worked out."""
    known = recall(memo, key)
    return known if known >= 0.0 else work_out(memo, key, sw)


def work_out(memo: Any, key: int, sw: int) -> float:
    """The recursion: interpreted a plain call, compiled a call through the solver's own address (solve/compiled.py)."""
    return evaluate(memo, key, sw)


def evaluate(memo: Any, key: int, sw: int) -> float:
    """Work out a packed position and remember it."""
    q, n, p = key & 0x3FFFF, key >> LENGTH & 7, key >> BEHIND & 1
    hand, agent, shield, unseen = key >> HAND & 15, key >> AGENT & 15, key >> SHIELD & 1, key >> UNSEEN & 0x1FFF
    if key >> OPPONENT & 1 == 1:
        value = opponent_card(memo, q, n, p, hand, agent, shield, unseen, sw)
    else:
        value = player_choice(memo, q, n, p, hand, agent, shield, unseen, sw)
    remember(memo, key, value)
    return value


def pile_size(q: int, n: int, agent: int, unseen: int) -> int:
    """How many cards are left to draw."""
    return total(unseen) - hidden(q, n) - (1 if agent == HIDDEN else 0)


def player_turn(memo: Any, q: int, n: int, p: int, hand: int, agent: int, guarded: int, unseen: int, sw: int) -> float:
    """The value at the start of the player's turn: play the agent, or draw and play the better card."""
    if n + p == 0:
        return 1.0
    return value_of(memo, pack_position(q, n, p, hand, agent, guarded, unseen), sw)


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


def aim(
    memo: Any, q: int, n: int, p: int, card: int, place: int, hand: int, agent: int, unseen: int, sw: int
) -> float:
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


def prince_result(
    memo: Any, q: int, n: int, p: int, place: int, hand: int, agent: int, unseen: int, sw: int
) -> float:
    """The value once the card that the Prince discards from the retinue is seen."""
    if sw & 1 == 1:
        return opponent_turn(memo, drop(q, place), n - 1, p, hand, agent, 0, unseen, sw)
    if pile_size(q, n, agent, unseen) == 0:
        return 0.0
    return opponent_turn(memo, put(q, place, NONE), n, p, hand, agent, 0, unseen, sw)


def prince_own(
    memo: Any, q: int, n: int, p: int, hand: int, agent: int, own: int, unseen: int, sw: int
) -> float:
    """The player's Prince on an own card: HIDDEN stands for the agent, anything else for the hand."""
    if own != HIDDEN:
        return new_hand(memo, q, n, p, hand, agent, unseen, sw, True)
    return new_agent(memo, q, n, p, hand, agent, unseen, sw, True)


def new_hand(
    memo: Any, q: int, n: int, p: int, hand: int, agent: int, unseen: int, sw: int, mine: bool
) -> float:
    """The hand is discarded and drawn anew (R122); `mine`: by the player's own Prince."""
    if hand == PRINCESS or pile_size(q, n, agent, unseen) == 0:
        return 0.0
    value = 0.0
    for kind in range(GUARD, PRINCESS):
        count = unseen_of(unseen, kind)
        if count > 0:
            value += count * go_on(memo, q, n, p, kind, agent, seen(unseen, kind), sw, mine)
    return value / total(unseen)


def new_agent(
    memo: Any, q: int, n: int, p: int, hand: int, agent: int, unseen: int, sw: int, mine: bool
) -> float:
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


def go_on(
    memo: Any, q: int, n: int, p: int, hand: int, agent: int, unseen: int, sw: int, mine: bool
) -> float:
    """The turn of the other side."""
    if mine:
        return opponent_turn(memo, q, n, p, hand, agent, 0, unseen, sw)
    return player_turn(memo, q, n, p, hand, agent, 0, unseen, sw)


def king(
    memo: Any, q: int, n: int, p: int, place: int, hand: int, agent: int, gives_agent: bool, unseen: int, sw: int
) -> float:
    """The player's King: an own card against one of the queue (R123)."""
    return trade(memo, q, n, p, place, hand, agent, gives_agent, unseen, sw, True)


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


def opponent_turn(
    memo: Any, q: int, n: int, p: int, hand: int, agent: int, shielded: int, unseen: int, sw: int
) -> float:
    """The value before the opponent's turn: an empty queue is won, a lone Princess lost (R128, R129)."""
    if n == 0:
        return 1.0 - p
    if n + p == 1 and sw & 2 == 0:
        return 1.0
    return value_of(memo, pack_position(q, n, p, hand, agent, shielded, unseen) | 1 << OPPONENT, sw)


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
