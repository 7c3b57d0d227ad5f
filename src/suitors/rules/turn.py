"""The course of a match: deal a round, begin a turn, play a move, finish the turn."""

from collections.abc import Sequence

from .acts import announce, draw, tell
from .editions import Edition
from .effects import answer, keep, lay_down, look, resolve
from .names import BLANK, EVERYBODY, NO_CARD, NOBODY, Aim, Event, Phase, Verb, first_of
from .scoring import check_round
from .seats import after, has, only, without
from .table import Table


def deal(t: Table, ed: Edition, order: Sequence[int], first: int) -> None:
    """Start a round with the deck in this order, top first; `first` is one of `starters` (R27, R67)."""
    t.told = 0
    t.playing = t.tied if t.tied else (1 << ed.players) - 1
    t.standing = t.playing
    t.shielded = t.discards = t.paid = t.traded = 0
    t.mark = t.bettor = t.favourite = NOBODY
    for k in range(ed.cards):
        t.deck[k] = order[k]
    t.bottom = ed.cards
    t.spare = t.deck[0] if ed.spare == 1 else NO_CARD
    announce(t, Event.ROUND, first, t.playing)
    t.top = ed.aside + ed.face_up
    for k in range(ed.aside, t.top):
        tell(t, Event.FACE_UP, NOBODY, NOBODY, t.deck[k], EVERYBODY)
    deal_hands(t, ed, first)
    begin_turn(t, first)


def deal_hands(t: Table, ed: Edition, first: int) -> None:
    """One card to each player of the round, clockwise from the first."""
    seat = first
    for _ in range(ed.players):
        t.hand[seat] = NO_CARD
        if has(t.playing, seat):
            t.hand[seat] = t.deck[t.top]
            t.top += 1
            tell(t, Event.DEALT, seat, seat, t.hand[seat], only(seat))
        seat = seat + 1 if seat + 1 < ed.players else 0


def begin_turn(t: Table, seat: int) -> None:
    """The player's protection ends, then they draw (R3)."""
    t.active = t.decider = seat
    t.phase = Phase.PLAY
    if has(t.shielded, seat):
        t.shielded = without(t.shielded, seat)
        announce(t, Event.UNSHIELDED, seat, seat)
    t.drawn = draw(t, seat)


def play(t: Table, ed: Edition, move: int) -> None:
    """Carry out a legal move (`why_not` is FINE) and go on to the next decision."""
    t.told = 0
    me = t.active
    if t.phase == Phase.PLAY:
        play_card(t, ed, me, move)
    elif t.phase == Phase.KEEP:
        tell(t, Event.MOVED, me, me, move, only(me))
        keep(t, me, move)
        t.phase = Phase.PLAY
    elif t.phase == Phase.LOOK:
        tell(t, Event.MOVED, me, me, move, EVERYBODY)
        look(t, me, first_of(move))
        t.phase = Phase.PLAY
    else:
        tell(t, Event.MOVED, t.decider, t.decider, move, EVERYBODY)
        answer(t, t.decider, move & 31 == Verb.REDRAW)
        t.phase = Phase.PLAY
    if t.phase == Phase.PLAY:
        finish_turn(t, ed)


def play_card(t: Table, ed: Edition, me: int, move: int) -> None:
    """Lay the card down and resolve it, unless it chooses and found nobody; any mark is spent (R53, R54)."""
    card = move & 31
    tell(t, Event.MOVED, me, me, move, EVERYBODY)
    t.mark = NOBODY
    t.paid = 0
    lay_down(t, me, card)
    if first_of(move) == BLANK and ed.aim[card] != Aim.NOBODY:
        announce(t, Event.FIZZLED, me, me)
    else:
        resolve(t, ed, me, move)


def finish_turn(t: Table, ed: Edition) -> None:
    """See whether the round is over; if not, the next player clockwise begins."""
    if not check_round(t, ed):
        begin_turn(t, after(t.standing, t.active))
