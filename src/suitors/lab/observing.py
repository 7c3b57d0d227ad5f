"""What a seat knows as a row of small numbers, by the parts that `space` lists."""

from collections.abc import MutableSequence

from ..knowledge.notes import BARRED, LEFT, Notes
from ..rules.editions import Edition
from ..rules.names import NO_CARD, NOBODY, Phase
from ..rules.seats import has, lowest
from ..rules.table import Table
from .acting import relative
from .memory import KNOWN, Memories, doubts_at, knowers_at, pair_at, places_at
from .space import HISTORY, MARKS, SLOT, Space

Numbers = MutableSequence[int]


def observe(t: Table, ed: Edition, notes: Notes, m: Memories, past: Numbers, s: Space, me: int, into: Numbers) -> None:
    """Write all that a seat knows into a row of zeros, the past if there is room for it.

    The hands of others it knows only where it has seen them.
    """
    if t.phase >= Phase.PLAY and t.phase <= Phase.ANSWER:
        into[s.phase_at + t.phase - Phase.PLAY] = 1
    into[s.table_at] = t.bottom - t.top
    into[s.table_at + 1] = t.spare != NO_CARD
    into[s.table_at + 2] = ed.goal
    observe_cards(t, ed, notes, s, me, into)
    if m[places_at(s.players) + me] != 0:
        observe_under(t, ed, m[places_at(s.players) + me], s, into)
    mark_seats(t, s, me, into)
    for seat in range(s.players):
        observe_seat(t, notes, s, me, seat, into)
        if seat != me:
            observe_known(m, s, me, seat, into)
    if len(into) > s.history_at:
        observe_past(past, s, me, into)


def set_to_zero(s: Space, into: Numbers) -> None:
    """Set all numbers of an observation to zero: in two parts, whose lengths are constants where this is compiled."""
    for k in range(s.history_at):
        into[k] = 0
    if len(into) > s.history_at:
        for k in range(s.history_at, s.size):
            into[k] = 0


def observe_cards(t: Table, ed: Edition, notes: Notes, s: Space, me: int, into: Numbers) -> None:
    """One's own cards, those that lie open, and how many of each are nowhere in sight."""
    for kind in range(s.kinds):
        into[s.unseen_at + kind] = notes[LEFT + s.card[kind]]
    for k in range(ed.aside, ed.aside + ed.face_up):
        into[s.open_at + s.kind[t.deck[k]]] += 1
    for k in range(t.discards):
        into[s.seats_at + relative(t.owners[k], me, s.players) * s.stride + MARKS + s.kind[t.piles[k]]] += 1
    hold(s, t.hand[me], into)
    if me == t.active:
        hold(s, t.drawn, into)
        hold(s, t.extra, into)


def observe_under(t: Table, ed: Edition, places: int, s: Space, into: Numbers) -> None:
    """The cards that one has put under the deck and that are still there."""
    for k in range(max(t.top, ed.cards), t.bottom):
        if has(places, k - ed.cards):
            into[s.under_at + s.kind[t.deck[k]]] += 1
            into[s.unseen_at + s.kind[t.deck[k]]] -= 1


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
    if t.phase == Phase.LOOK:
        into[at + 9] = has(t.traded, seat)
    if has(t.standing, seat):
        observe_barred(notes, s, seat, at + MARKS + 3 * s.kinds, into)


def mark_seats(t: Table, s: Space, me: int, into: Numbers) -> None:
    """Who decides, whose turn it is, who is marked, who bets, and on whom."""
    mark_seat(s, me, t.decider, 4, into)
    mark_seat(s, me, t.active, 5, into)
    mark_seat(s, me, t.mark, 6, into)
    mark_seat(s, me, t.bettor, 7, into)
    mark_seat(s, me, t.favourite, 8, into)


def mark_seat(s: Space, me: int, seat: int, place: int, into: Numbers) -> None:
    """Write 1 at a place of a seat, if it is one."""
    if seat != NOBODY:
        into[s.seats_at + relative(seat, me, s.players) * s.stride + place] = 1


def observe_known(m: Memories, s: Space, me: int, seat: int, into: Numbers) -> None:
    """What one knows of a seat's hand, and what one knows it to know of one's own."""
    at = s.seats_at + relative(seat, me, s.players) * s.stride + MARKS + s.kinds
    if has(m[knowers_at(s.players) + seat], me):
        theirs = pair_at(s.players, me, seat)
        for k in range(KNOWN):
            if m[theirs + k] != NO_CARD:
                into[at + s.kind[m[theirs + k]]] += 1
                into[s.unseen_at + s.kind[m[theirs + k]]] -= 1
    if has(m[knowers_at(s.players) + me] & ~m[doubts_at(s.players) + me], seat):
        mine = pair_at(s.players, seat, me)
        for k in range(KNOWN):
            if m[mine + k] != NO_CARD:
                into[at + s.kinds + s.kind[m[mine + k]]] += 1


def observe_barred(notes: Notes, s: Space, seat: int, at: int, into: Numbers) -> None:
    """The cards that a seat is publicly known not to hold."""
    cards = notes[BARRED + seat] & s.cards
    while cards:
        into[at + s.kind[lowest(cards)]] = 1
        cards &= cards - 1


def observe_past(past: Numbers, s: Space, me: int, into: Numbers) -> None:
    """The last decisions, the latest first."""
    for k in range(HISTORY):
        if past[k] == 0:
            return
        observe_decision(past[k], s, me, s.history_at + k * SLOT, into)


def observe_decision(decision: int, s: Space, me: int, at: int, into: Numbers) -> None:
    """One decision as `stepping.packed_decision` keeps it."""
    into[at] = place_of(decision & 15, me, s.players)
    into[at + 1] = decision >> 4 & 31
    into[at + 2] = place_of(decision >> 9 & 15, me, s.players)
    into[at + 3] = place_of(decision >> 13 & 15, me, s.players)
    into[at + 4] = decision >> 17 & 31
    into[at + 5] = decision >> 22 & 31
    into[at + 6] = place_of(decision >> 27 & 15, me, s.players)


def place_of(number: int, me: int, players: int) -> int:
    """A seat, numbered from 1 (0: none), as it is counted from oneself, from 1 too."""
    return 0 if number == 0 else relative(number - 1, me, players) + 1
