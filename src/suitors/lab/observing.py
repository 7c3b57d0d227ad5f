"""What a seat knows as a row of small numbers, by the parts that `space` lists."""

from collections.abc import MutableSequence

from ..bots.engine.notes import BARRED, LEFT, Notes
from ..rules.editions import Edition
from ..rules.names import CARDS, NO_CARD, Phase
from ..rules.seats import has
from ..rules.table import Table
from .acting import relative
from .memory import KNOWN, Memories, knowers_at, pair_at, places_at
from .space import HISTORY, MARKS, SLOT, Space

Numbers = MutableSequence[int]


def observe(t: Table, ed: Edition, notes: Notes, m: Memories, past: Numbers, s: Space, me: int, into: Numbers) -> None:
    """Write all that a seat knows; the hands of others only where it has seen them."""
    for k in range(s.history_at):
        into[k] = 0
    if t.phase >= Phase.PLAY and t.phase <= Phase.ANSWER:
        into[s.phase_at + t.phase - Phase.PLAY] = 1
    into[s.table_at] = t.bottom - t.top
    into[s.table_at + 1] = t.spare != NO_CARD
    into[s.table_at + 2] = ed.goal
    observe_cards(t, ed, notes, s, me, into)
    places = m[places_at(s.players) + me]
    if places != 0:
        for k in range(t.top, t.bottom):
            if has(places, k):
                into[s.under_at + s.kind[t.deck[k]]] += 1
                into[s.unseen_at + s.kind[t.deck[k]]] -= 1
    for seat in range(s.players):
        observe_seat(t, notes, s, me, seat, into)
        if seat != me:
            observe_known(m, s, me, seat, into)
    if s.size > s.history_at:
        observe_past(past, s, me, into)


def observe_cards(t: Table, ed: Edition, notes: Notes, s: Space, me: int, into: Numbers) -> None:
    """One's own cards, those that lie open, and how many of each are nowhere in sight."""
    for card in range(CARDS):
        if s.kind[card] != NO_CARD:
            into[s.unseen_at + s.kind[card]] = notes[LEFT + card]
    for k in range(ed.aside, ed.aside + ed.face_up):
        into[s.open_at + s.kind[t.deck[k]]] += 1
    for k in range(t.discards):
        into[s.seats_at + relative(t.owners[k], me, s.players) * s.stride + MARKS + s.kind[t.piles[k]]] += 1
    hold(s, t.hand[me], into)
    if me == t.active:
        hold(s, t.drawn, into)
        hold(s, t.extra, into)


def hold(s: Space, card: int, into: Numbers) -> None:
    """Count a card of one's own."""
    if card != NO_CARD:
        into[s.hand_at + s.kind[card]] += 1
        into[s.unseen_at + s.kind[card]] -= 1


def observe_seat(t: Table, notes: Notes, s: Space, me: int, seat: int, into: Numbers) -> None:
    """What everybody knows of a seat."""
    at = s.seats_at + relative(seat, me, s.players) * s.stride
    into[at] = has(t.standing, seat)
    into[at + 1] = has(t.playing, seat)
    into[at + 2] = has(t.shielded, seat)
    into[at + 3] = t.tokens[seat]
    into[at + 4] = t.decider == seat
    into[at + 5] = t.active == seat
    into[at + 6] = t.mark == seat
    into[at + 7] = t.bettor == seat
    into[at + 8] = t.favourite == seat
    into[at + 9] = t.phase == Phase.LOOK and has(t.traded, seat)
    observe_barred(notes, s, seat, at + MARKS + 3 * s.kinds, into)


def observe_known(m: Memories, s: Space, me: int, seat: int, into: Numbers) -> None:
    """What one knows of a seat's hand, and it of one's own."""
    at = s.seats_at + relative(seat, me, s.players) * s.stride + MARKS + s.kinds
    if has(m[knowers_at(s.players) + seat], me):
        theirs = pair_at(s.players, me, seat)
        for k in range(KNOWN):
            if m[theirs + k] != NO_CARD:
                into[at + s.kind[m[theirs + k]]] += 1
                into[s.unseen_at + s.kind[m[theirs + k]]] -= 1
    if has(m[knowers_at(s.players) + me], seat):
        mine = pair_at(s.players, seat, me)
        for k in range(KNOWN):
            if m[mine + k] != NO_CARD:
                into[at + s.kinds + s.kind[m[mine + k]]] += 1


def observe_barred(notes: Notes, s: Space, seat: int, at: int, into: Numbers) -> None:
    """The cards that a seat is publicly known not to hold."""
    if notes[BARRED + seat] != 0:
        for card in range(CARDS):
            if s.kind[card] != NO_CARD and notes[BARRED + seat] >> card & 1:
                into[at + s.kind[card]] = 1


def observe_past(past: Numbers, s: Space, me: int, into: Numbers) -> None:
    """The last decisions, the latest first; seats are counted from oneself, from 1."""
    for k in range(0, HISTORY * SLOT, SLOT):
        at = s.history_at + k
        for j in range(SLOT):
            into[at + j] = past[k + j]
        for j in (0, 2, 3, 6):
            if past[k + j] != 0:
                into[at + j] = relative(past[k + j] - 1, me, s.players) + 1
