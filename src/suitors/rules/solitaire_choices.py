"""Legality in a solo game: which places may be chosen, and why a move is refused."""

from .choices import Moves, count_names, nth_name
from .editions import Edition
from .names import BLANK, NO_CARD, Card, Phase, Refusal, Verb, first_of, is_card, pack, second_of, third_of
from .solitaire_table import AGENT, HAND, SoloTable, targets


def owns(t: SoloTable) -> int:
    """How many own places there are: the hand, and the agent while there is one."""
    return 1 if t.agent == NO_CARD else 2


def own_place(k: int) -> int:
    """The k-th own place."""
    return HAND if k == 0 else AGENT


def solo_countess(t: SoloTable) -> bool:
    """Whether the Countess is in the hand with the King or a Prince (R125)."""
    if t.hand == Card.COUNTESS:
        return t.drawn == Card.KING or t.drawn == Card.PRINCE
    return t.drawn == Card.COUNTESS and (t.hand == Card.KING or t.hand == Card.PRINCE)


def guard_ways(t: SoloTable, ed: Edition, place: int) -> int:
    """In how many ways a Guard may choose a place: with each name, or with none if the card lies face up (R111)."""
    return 1 if t.up[place] == 1 else count_names(ed, Card.GUARD)


def count_solo_plays(t: SoloTable, ed: Edition, card: int) -> int:
    """In how many ways the card may be played; a card without a choice has one."""
    n = targets(t)
    if card == Card.PRINCE:
        return n + owns(t)
    if card == Card.PRIEST:
        return max(1, n)
    if card == Card.BARON or card == Card.KING:
        return max(1, n * owns(t))
    if card == Card.GUARD:
        ways = 0
        for place in range(n):
            ways += guard_ways(t, ed, place)
        return max(1, ways)
    return 1


def nth_solo_play(t: SoloTable, ed: Edition, card: int, k: int) -> int:
    """The k-th way of playing the card, as a move."""
    n = targets(t)
    if card == Card.PRINCE:
        return pack(card, k if k < n else own_place(k - n))
    if n == 0:
        return pack(card)
    if card == Card.PRIEST:
        return pack(card, k)
    if card == Card.BARON or card == Card.KING:
        return pack(card, k // owns(t), own_place(k % owns(t)))
    if card == Card.GUARD:
        return nth_solo_guard(t, ed, k)
    return pack(card)


def nth_solo_guard(t: SoloTable, ed: Edition, k: int) -> int:
    """The k-th way of playing a Guard, with a target there."""
    place = 0
    while k >= guard_ways(t, ed, place):
        k -= guard_ways(t, ed, place)
        place += 1
    return pack(Card.GUARD, place, BLANK, BLANK if t.up[place] == 1 else nth_name(ed, Card.GUARD, k))


def count_solo_moves(t: SoloTable, ed: Edition) -> int:
    """How many moves are legal; 0 where no decision is due."""
    if t.phase == Phase.START:
        return 2 if t.top < t.bottom else 1
    if t.phase == Phase.PLAY:
        if solo_countess(t):
            return 1
        n = count_solo_plays(t, ed, t.drawn)
        return n + count_solo_plays(t, ed, t.hand) if t.hand != t.drawn else n
    if t.phase == Phase.AGENT:
        return count_solo_plays(t, ed, t.drawn)
    return 2 if t.phase == Phase.OFFER else 0


def nth_solo_move(t: SoloTable, ed: Edition, k: int) -> int:
    """The k-th legal move; k is below `count_solo_moves`."""
    if t.phase == Phase.START:
        return pack(Verb.AGENT if k == 0 else Verb.DRAW)
    if t.phase == Phase.OFFER:
        return pack(Verb.OFFER, own_place(k))
    if t.phase == Phase.PLAY and solo_countess(t):
        return pack(Card.COUNTESS)
    n = count_solo_plays(t, ed, t.drawn)
    if k < n:
        return nth_solo_play(t, ed, t.drawn, k)
    return nth_solo_play(t, ed, t.hand, k - n)


def list_solo_moves(t: SoloTable, ed: Edition, into: Moves) -> int:
    """Write all legal moves into a row, in the order of `nth_solo_move`; how many they are."""
    n = count_solo_moves(t, ed)
    for k in range(n):
        into[k] = nth_solo_move(t, ed, k)
    return n


def why_not_solo(t: SoloTable, ed: Edition, move: int) -> int:
    """FINE if the move is legal, else the first reason why it is not."""
    verb = move & 31
    if t.phase == Phase.DEAL or t.phase == Phase.OVER:
        return Refusal.NO_DECISION
    if t.phase == Phase.START:
        return why_not_start(t, move)
    if t.phase == Phase.OFFER:
        fits = move == pack(Verb.OFFER, HAND) or move == pack(Verb.OFFER, AGENT)
        return Refusal.FINE if fits else Refusal.WRONG_STEP
    if not is_card(verb):
        return Refusal.WRONG_STEP
    if verb != t.drawn and (t.phase == Phase.AGENT or verb != t.hand):
        return Refusal.NOT_HELD
    if t.phase == Phase.PLAY and verb != Card.COUNTESS and solo_countess(t):
        return Refusal.COUNTESS_FIRST
    return why_not_solo_play(t, ed, move)


def why_not_start(t: SoloTable, move: int) -> int:
    """Why a turn may not begin in this way."""
    if move == pack(Verb.AGENT):
        return Refusal.FINE
    if move != pack(Verb.DRAW):
        return Refusal.WRONG_STEP
    return Refusal.FINE if t.top < t.bottom else Refusal.PILE_EMPTY


def why_not_solo_play(t: SoloTable, ed: Edition, move: int) -> int:
    """Why a held card may not be played in this way."""
    card = move & 31
    n = targets(t)
    if card == Card.PRINCE:
        return why_not_solo_prince(t, move)
    chooses = card == Card.GUARD or card == Card.PRIEST or card == Card.BARON or card == Card.KING
    if not chooses or n == 0:
        return Refusal.FINE if move == pack(card) else Refusal.CHOOSES_NOBODY
    refusal = why_not_place(t, first_of(move))
    if refusal != Refusal.FINE:
        return refusal
    if card == Card.BARON or card == Card.KING:
        return why_not_own(t, second_of(move), third_of(move))
    if second_of(move) != BLANK:
        return Refusal.ONE_SEAT
    return why_not_solo_name(t, ed, card, first_of(move), third_of(move))


def why_not_solo_prince(t: SoloTable, move: int) -> int:
    """Why a Prince may not choose that: a place of the queue, the hand or the agent."""
    place = first_of(move)
    if second_of(move) != BLANK or third_of(move) != BLANK:
        return Refusal.ONE_SEAT
    if place == HAND or place == AGENT:
        return why_not_own(t, place, BLANK)
    return why_not_place(t, place)


def why_not_place(t: SoloTable, place: int) -> int:
    """Why a place of the queue may not be chosen."""
    if place == BLANK:
        return Refusal.MUST_CHOOSE
    if place == HAND or place == AGENT:
        return Refusal.NOT_ONESELF
    if place >= t.length:
        return Refusal.NO_SUCH_PLACE
    if t.guarded == 1:
        return Refusal.PROTECTED
    return Refusal.FINE if place < targets(t) else Refusal.PRINCESS_SHIELDED


def why_not_own(t: SoloTable, place: int, name: int) -> int:
    """Why that may not be the own card compared, given or discarded."""
    if name != BLANK:
        return Refusal.NAMES_NOTHING
    if place != HAND and place != AGENT:
        return Refusal.OWN_CARD
    if place == AGENT and t.agent == NO_CARD:
        return Refusal.NO_AGENT
    return Refusal.FINE


def why_not_solo_name(t: SoloTable, ed: Edition, card: int, place: int, name: int) -> int:
    """Why a Guard or Priest may not name that: a face-down card wants a name, a face-up one none."""
    if card != Card.GUARD or t.up[place] == 1:
        return Refusal.FINE if name == BLANK else Refusal.NAMES_NOTHING
    if name == BLANK:
        return Refusal.MUST_NAME
    for k in range(count_names(ed, card)):
        if nth_name(ed, card, k) == name:
            return Refusal.FINE
    return Refusal.NOT_NAMEABLE
