"""The solo game: the cards as the player and as the opponent play them, and the course of a game."""

from collections.abc import Sequence

from .editions import Edition
from .names import BLANK, EVERYBODY, NO_CARD, Award, Card, End, Event, Phase, Verb, first_of, second_of, third_of
from .solitaire_table import AGENT, HAND, SoloTable, clear_solo
from .table import COLUMNS

PLAYER = 0
QUEUE = 1
"""Who acts, in a row of events: the player's seat, or the queue."""

RETINUE = 6
"""Cards dealt before the Princess."""


def tell_solo(t: SoloTable, event: int, actor: int, place: int, card: int) -> None:
    """Write a row of events. Everybody knows the same, so every row is for everybody; a hidden card is NO_CARD."""
    k = t.told
    t.rows[k] = event
    t.rows[k + 1] = actor
    t.rows[k + 2] = place
    t.rows[k + 3] = card
    t.rows[k + 4] = EVERYBODY
    t.told = k + COLUMNS


def deal_solo(t: SoloTable, ed: Edition, order: Sequence[int], first: int) -> None:
    """Start a game: six cards before the Princess, the hand, the agent; the rest is the draw pile (R106, R109)."""
    clear_solo(t)
    t.decider = first
    t.length = RETINUE + 1
    for k in range(ed.cards):
        t.deck[k] = order[k]
    for place in range(RETINUE):
        t.queue[place] = t.deck[place]
        t.up[place] = 0
    t.queue[RETINUE] = Card.PRINCESS
    t.up[RETINUE] = 1
    t.hand = t.deck[RETINUE]
    t.agent = t.deck[RETINUE + 1]
    t.top = RETINUE + 2
    t.bottom = ed.cards
    tell_solo(t, Event.ROUND, PLAYER, 1, NO_CARD)
    tell_solo(t, Event.DEALT, PLAYER, HAND, t.hand)
    begin_solo_turn(t)


def begin_solo_turn(t: SoloTable) -> None:
    """The player's protection ends; with an agent there is a choice, without one the draw is due (R126, R127)."""
    if t.shielded == 1:
        t.shielded = 0
        tell_solo(t, Event.UNSHIELDED, PLAYER, PLAYER, NO_CARD)
    if t.agent != NO_CARD:
        t.phase = Phase.START
    elif t.top == t.bottom:
        end_solo(t, False)
    else:
        draw_solo(t)


def draw_solo(t: SoloTable) -> None:
    """Draw the second card of the turn."""
    t.drawn = take(t)
    t.phase = Phase.PLAY
    tell_solo(t, Event.DREW, PLAYER, HAND, t.drawn)


def take(t: SoloTable) -> int:
    """The top card of the draw pile, which is not empty."""
    card = t.deck[t.top]
    t.top += 1
    return card


def play_solo(t: SoloTable, ed: Edition, move: int) -> None:
    """Carry out a legal move and go on to the next decision."""
    t.told = 0
    tell_solo(t, Event.MOVED, PLAYER, PLAYER, move)
    if t.phase == Phase.OFFER:
        t.phase = Phase.PLAY
        answer_attack(t, ed, first_of(move))
        finish_opponent(t)
    elif move & 31 == Verb.DRAW:
        draw_solo(t)
    elif move & 31 == Verb.AGENT:
        call_agent(t, ed)
    else:
        if t.phase == Phase.PLAY and t.hand == move & 31:
            t.hand = t.drawn
        t.drawn = NO_CARD
        put_down(t, PLAYER, HAND, move & 31)
        resolve_own(t, ed, move)
        finish_player(t, ed)


def call_agent(t: SoloTable, ed: Edition) -> None:
    """Play the agent instead of drawing: it is revealed, and chooses now if it has anything to choose (R126)."""
    card = t.agent
    t.agent = NO_CARD
    t.agent_up = 0
    tell_solo(t, Event.REVEALED, PLAYER, AGENT, card)
    chooses = card == Card.GUARD or card == Card.PRIEST or card == Card.BARON or card == Card.KING
    if card == Card.PRINCE or (chooses and t.guarded == 0):
        t.drawn = card
        t.phase = Phase.AGENT
        return
    put_down(t, PLAYER, AGENT, card)
    resolve_own(t, ed, card | BLANK << 5 | BLANK << 10 | BLANK << 15)
    finish_player(t, ed)


def put_down(t: SoloTable, actor: int, place: int, card: int) -> None:
    """Lay a card on the shared discard pile (R133)."""
    t.piles[t.discards] = card
    t.discards += 1
    tell_solo(t, Event.DISCARDED, actor, place, card)


def finish_player(t: SoloTable, ed: Edition) -> None:
    """After the player's card: an empty queue is a win, else the opponent's leftmost card acts (R129, R130)."""
    if t.phase == Phase.OVER:
        return
    if t.length == 0:
        end_solo(t, True)
    else:
        opponent_turn(t, ed)


def finish_opponent(t: SoloTable) -> None:
    """After the opponent's card: an empty queue is a win (R128), else it is the player's turn."""
    if t.phase == Phase.OVER or t.phase == Phase.OFFER:
        return
    if t.length == 0:
        end_solo(t, True)
    else:
        begin_solo_turn(t)


def end_solo(t: SoloTable, won: bool) -> None:
    """The game is over."""
    t.phase = Phase.OVER
    t.ending = End.WON if won else End.LOST
    tell_solo(t, Event.ENDED, PLAYER, t.ending, NO_CARD)
    if won:
        t.tokens[0] = 1
        t.winners = t.champions = 1
        tell_solo(t, Event.TOKEN, PLAYER, Award.ROUND, NO_CARD)


# The player's cards


def resolve_own(t: SoloTable, ed: Edition, move: int) -> None:
    """Apply the player's card; one that found nothing to choose has no effect."""
    place = first_of(move)
    match move & 31:
        case Card.GUARD if place != BLANK:
            own_guard(t, place, third_of(move))
        case Card.PRIEST if place != BLANK:
            reveal(t, place)
        case Card.BARON if place != BLANK:
            own_baron(t, ed, place, second_of(move))
        case Card.HANDMAID:
            t.shielded = 1
            tell_solo(t, Event.SHIELDED, PLAYER, PLAYER, NO_CARD)
        case Card.PRINCE:
            own_prince(t, ed, place)
        case Card.KING if place != BLANK:
            own_king(t, place, second_of(move))
        case Card.PRINCESS:
            end_solo(t, False)
        case _:
            tell_solo(t, Event.FIZZLED, PLAYER, PLAYER, NO_CARD)


def own_guard(t: SoloTable, place: int, name: int) -> None:
    """A face-up card goes at once; a face-down one is named: right, and it goes; wrong, and it stays up (R111)."""
    known = t.up[place] == 1
    reveal(t, place)
    if known or t.queue[place] == name:
        leave(t, place)
    else:
        tell_solo(t, Event.MISSED, PLAYER, place, NO_CARD)


def own_baron(t: SoloTable, ed: Edition, place: int, own: int) -> None:
    """Compare with a card of the queue: the lower one goes, and with the player's card the game (R114, R115)."""
    mine = show_own(t, own)
    reveal(t, place)
    theirs = t.queue[place]
    if ed.value[mine] > ed.value[theirs]:
        leave(t, place)
    elif ed.value[mine] < ed.value[theirs]:
        end_solo(t, False)
    else:
        tell_solo(t, Event.EQUAL, PLAYER, place, NO_CARD)


def own_prince(t: SoloTable, ed: Edition, place: int) -> None:
    """Discard a card of the queue or an own card; a new one comes from the pile (R120, R121, R122)."""
    if place == HAND or place == AGENT:
        redraw_own(t, place)
        return
    if t.queue[place] == Card.PRINCESS or ed.removes == 1:
        leave(t, place)
        return
    if t.top == t.bottom:
        leave(t, place)
        end_solo(t, False)
        return
    put_down(t, QUEUE, place, t.queue[place])
    t.queue[place] = take(t)
    t.up[place] = 0
    tell_solo(t, Event.DREW, QUEUE, place, NO_CARD)


def own_king(t: SoloTable, place: int, own: int) -> None:
    """Trade an own card with a card of the queue; each keeps its face (R123)."""
    swap_with_queue(t, place, own)


# The opponent's cards


def opponent_turn(t: SoloTable, ed: Edition) -> None:
    """The leftmost card is revealed, discarded and resolved; a lone one may be beyond that (R108, R128)."""
    t.guarded = 0
    card = t.queue[0]
    alone = t.length == 1
    leave(t, 0)
    if alone and card == Card.PRINCESS:
        end_solo(t, False)
    elif not alone or (ed.strict == 1 and card != Card.BARON and card != Card.KING):
        attack(t, ed, card)
    else:
        tell_solo(t, Event.FIZZLED, QUEUE, QUEUE, NO_CARD)
    finish_opponent(t)


def attack(t: SoloTable, ed: Edition, card: int) -> None:
    """What an opposing card does: some ask the player to offer the hand or the agent (R112, R119)."""
    if card == Card.HANDMAID:
        t.guarded = 1
        tell_solo(t, Event.SHIELDED, QUEUE, QUEUE, NO_CARD)
    elif card == Card.COUNTESS or t.shielded == 1:
        tell_solo(t, Event.FIZZLED, QUEUE, QUEUE, NO_CARD)
    elif card == Card.PRIEST:
        if t.agent != NO_CARD:
            show_own(t, AGENT)
    else:
        t.attacker = card
        if t.agent != NO_CARD:
            t.phase = Phase.OFFER
        else:
            answer_attack(t, ed, HAND)


def answer_attack(t: SoloTable, ed: Edition, own: int) -> None:
    """The opposing card meets the own card that the player offers."""
    card = t.attacker
    t.attacker = NO_CARD
    if card == Card.GUARD:
        foe_guard(t, own)
    elif card == Card.BARON:
        foe_baron(t, ed, own)
    elif card == Card.PRINCE:
        redraw_own(t, own)
    else:
        swap_with_queue(t, 0, own)


def foe_guard(t: SoloTable, own: int) -> None:
    """A card that is known is named and lost; a face-down agent is only turned up."""
    if own == AGENT and t.agent_up == 0:
        show_own(t, AGENT)
        tell_solo(t, Event.MISSED, QUEUE, AGENT, NO_CARD)
    else:
        end_solo(t, False)


def foe_baron(t: SoloTable, ed: Edition, own: int) -> None:
    """The next card in line is compared with the offered one; a lower player has lost (R116, R117)."""
    mine = show_own(t, own)
    reveal(t, 0)
    if ed.value[mine] < ed.value[t.queue[0]]:
        end_solo(t, False)


# What both are made of


def reveal(t: SoloTable, place: int) -> None:
    """Turn a card of the queue face up."""
    if t.up[place] == 0:
        t.up[place] = 1
        tell_solo(t, Event.REVEALED, QUEUE, place, t.queue[place])


def show_own(t: SoloTable, own: int) -> int:
    """The own card, turned face up if it is the agent."""
    if own == HAND:
        return t.hand
    if t.agent_up == 0:
        t.agent_up = 1
        tell_solo(t, Event.REVEALED, PLAYER, AGENT, t.agent)
    return t.agent


def leave(t: SoloTable, place: int) -> None:
    """Discard a card of the queue; those to its right move up."""
    put_down(t, QUEUE, place, t.queue[place])
    t.length -= 1
    for k in range(place, t.length):
        t.queue[k] = t.queue[k + 1]
        t.up[k] = t.up[k + 1]


def redraw_own(t: SoloTable, own: int) -> None:
    """Discard the hand or the agent and draw anew: the Princess or an empty pile is a loss (R122)."""
    card = t.hand if own == HAND else t.agent
    put_down(t, PLAYER, own, card)
    if own == HAND:
        t.hand = NO_CARD
    else:
        t.agent = NO_CARD
        t.agent_up = 0
    if card == Card.PRINCESS or t.top == t.bottom:
        end_solo(t, False)
    elif own == HAND:
        t.hand = take(t)
        tell_solo(t, Event.DREW, PLAYER, HAND, t.hand)
    else:
        t.agent = take(t)
        tell_solo(t, Event.DREW, PLAYER, AGENT, NO_CARD)


def swap_with_queue(t: SoloTable, place: int, own: int) -> None:
    """An own card and a card of the queue change places; a hand card is always face up (R123, R124)."""
    card = t.queue[place]
    face = t.up[place]
    tell_solo(t, Event.TRADED, own, place, NO_CARD)
    if own == HAND:
        t.queue[place] = t.hand
        t.up[place] = 1
        t.hand = card
        if face == 0:
            tell_solo(t, Event.RECEIVED, PLAYER, HAND, card)
    else:
        t.queue[place] = t.agent
        t.up[place] = t.agent_up
        t.agent = card
        t.agent_up = face


def solo_starters(t: SoloTable, ed: Edition) -> int:
    """The seats that may start: the one there is."""
    return 1 if t.phase == Phase.DEAL and ed.players == 1 else 0
