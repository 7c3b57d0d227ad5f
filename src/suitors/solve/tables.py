"""From the tables of the rules to the solver's positions, and the best move at a table. Compilable like the rules."""

from typing import Any

from ..rules.editions import Edition
from ..rules.names import BLANK, NO_CARD, Card, Phase, Verb, first_of, second_of, third_of
from ..rules.solitaire_choices import count_solo_moves, nth_solo_move
from ..rules.solitaire_table import HAND, SoloTable
from .moves import CALL, NOWHERE, OFFER, OWN_AGENT, OWN_HAND, PLAY, TAKE, move_value
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
    pack_position,
    unseen_bits,
)


def kind_of(card: int) -> int:
    """The solver's kind of a card."""
    match card:
        case Card.GUARD:
            return GUARD
        case Card.PRIEST:
            return PRIEST
        case Card.BARON:
            return BARON
        case Card.HANDMAID:
            return HANDMAID
        case Card.PRINCE:
            return PRINCE
        case Card.KING:
            return KING
        case Card.COUNTESS:
            return COUNTESS
        case Card.PRINCESS:
            return PRINCESS
        case _:
            return NONE


def switches_of(ed: Edition) -> int:
    """The solver's number for the switches of an edition."""
    return ed.removes | ed.strict << 1


def position_of(t: SoloTable, hand: int) -> int:
    """A table as the solver sees it, with this card in hand: what is open, and the multiset of what is not."""
    behind = 1 if t.length > 0 and t.queue[t.length - 1] == Card.PRINCESS else 0
    length = t.length - behind
    queue = 0
    unseen = 0
    for place in range(length):
        if t.up[place] == 1:
            queue |= kind_of(t.queue[place]) << 3 * place
        else:
            unseen += 1 << unseen_bits(kind_of(t.queue[place]))
    for place in range(t.top, t.bottom):
        unseen += 1 << unseen_bits(kind_of(t.deck[place]))
    agent = NONE
    if t.agent != NO_CARD:
        agent = kind_of(t.agent) if t.agent_up == 1 else HIDDEN
        if t.agent_up == 0:
            unseen += 1 << unseen_bits(kind_of(t.agent))
    return pack_position(queue, length, behind, kind_of(hand), agent, t.guarded, unseen)


def value_at(memo: Any, t: SoloTable, sw: int, move: int) -> float:
    """The chance of winning after a legal move at a table, with the best play from there on."""
    verb = move & 31
    place = first_of(move)
    if verb == Verb.AGENT or verb == Verb.DRAW:
        kind = CALL if verb == Verb.AGENT else TAKE
        return move_value(memo, position_of(t, t.hand), sw, kind, NONE, NOWHERE, OWN_HAND, NONE)
    if verb == Verb.OFFER:
        own = OWN_HAND if place == HAND else OWN_AGENT
        return move_value(memo, position_of(t, t.hand), sw, OFFER, kind_of(t.attacker), NOWHERE, own, NONE)
    stays = t.drawn if t.phase == Phase.PLAY and t.hand == verb else t.hand
    own = OWN_HAND if second_of(move) == BLANK or second_of(move) == HAND else OWN_AGENT
    where = NOWHERE if place == BLANK else place
    return move_value(memo, position_of(t, stays), sw, PLAY, kind_of(verb), where, own, kind_of(third_of(move)))


def best_move(memo: Any, t: SoloTable, ed: Edition, sw: int) -> int:
    """The first of the best moves at a table where a decision is due."""
    best = nth_solo_move(t, ed, 0)
    most = -1.0
    for k in range(count_solo_moves(t, ed)):
        move = nth_solo_move(t, ed, k)
        value = value_at(memo, t, sw, move)
        if value > most:
            best, most = move, value
    return best
