"""What the players of a simulated round know of each other: the compilable twin of public.py.

Notes are one array of ints: for each pair of seats the card that one knows the other to hold (NO_CARD: none), for each
seat the set of cards that it is publicly known not to hold, and for each card how many copies are not yet in sight.
"""

from collections.abc import MutableSequence

from ..rules.editions import Edition
from ..rules.names import BLANK, CARDS, NO_CARD, Card, Phase, Verb, first_of, second_of, third_of
from ..rules.seats import has
from ..rules.table import Table
from ..rules.turn import play

SEATS = 8
BARRED = SEATS * SEATS
LEFT = BARRED + SEATS
NOTES = LEFT + CARDS
"""Where the parts of the notes begin, and how long they are."""

Notes = MutableSequence[int]


def step(t: Table, ed: Edition, notes: Notes, move: int) -> None:
    """Play a legal move and note what everybody learns from it."""
    phase = t.phase
    me = t.active
    decider = t.decider
    discards = t.discards
    play(t, ed, move)
    for k in range(discards, t.discards):
        notes[LEFT + t.piles[k]] -= 1
    if t.phase == Phase.DEAL or t.phase == Phase.OVER:
        return
    if phase == Phase.PLAY:
        note_left(notes, ed, me, move & 31)
        if first_of(move) != BLANK:
            note_choice(t, ed, notes, me, move)
    elif phase == Phase.KEEP:
        forget(notes, ed, me)
    elif phase == Phase.LOOK:
        if first_of(move) != BLANK:
            note_seen(notes, t, me, first_of(move))
    elif move & 31 == Verb.REDRAW:
        forget(notes, ed, decider)


def note_left(notes: Notes, ed: Edition, me: int, card: int) -> None:
    """A card left a hand: who knew it knows nothing now; if it was known not to be held, it was the new one."""
    for other in range(ed.players):
        if notes[other * SEATS + me] == card:
            notes[other * SEATS + me] = NO_CARD
    if not notes[BARRED + me] >> card & 1:
        notes[BARRED + me] = 0


def note_choice(t: Table, ed: Edition, notes: Notes, me: int, move: int) -> None:
    """A card was played on somebody."""
    foe = first_of(move)
    match move & 31:
        case Card.GUARD:
            note_guard(t, ed, notes, me, foe, third_of(move))
        case Card.PRIEST:
            note_seen(notes, t, me, foe)
        case Card.BARON:
            note_comparison(t, ed, notes, me, foe, 1)
        case Card.DOWAGER_QUEEN:
            note_comparison(t, ed, notes, me, foe, -1)
        case Card.PRINCE:
            forget(notes, ed, foe)
        case Card.KING:
            note_trade(t, ed, notes, me, foe)
        case Card.CARDINAL:
            note_trade(t, ed, notes, foe, second_of(move))
        case Card.BARONESS:
            note_seen(notes, t, me, foe)
            if second_of(move) != BLANK:
                note_seen(notes, t, me, second_of(move))
        case Card.BISHOP:
            note_bishop(t, ed, notes, foe, third_of(move))
        case Card.JESTER | Card.SYCOPHANT:
            pass
        case Card.SPY | Card.COUNT | Card.CONSTABLE | Card.COUNTESS | Card.ASSASSIN:
            pass  # they choose nobody
        case Card.HANDMAID | Card.CHANCELLOR | Card.PRINCESS:
            pass


def note_guard(t: Table, ed: Edition, notes: Notes, me: int, foe: int, name: int) -> None:
    """A miss says what is not held; an Assassin has been replaced."""
    if not has(t.standing, me):
        forget(notes, ed, foe)
        return
    for card in range(CARDS):
        if ed.spoken[card] == name or card == Card.ASSASSIN:
            notes[BARRED + foe] |= 1 << card


def note_bishop(t: Table, ed: Edition, notes: Notes, foe: int, name: int) -> None:
    """Everybody hears whether the number was right."""
    hit = t.phase == Phase.ANSWER
    for card in range(CARDS):
        if (ed.value[card] == name) != hit:
            notes[BARRED + foe] |= 1 << card


def note_comparison(t: Table, ed: Edition, notes: Notes, me: int, foe: int, sign: int) -> None:
    """Equal rivals know each other's card; a winner holds something better than the loser's."""
    if has(t.standing, me) and has(t.standing, foe):
        note_seen(notes, t, me, foe)
        note_seen(notes, t, foe, me)
        return
    winner = me if has(t.standing, me) else foe
    lost = ed.value[t.piles[t.discards - 1]]
    for card in range(CARDS):
        if (ed.value[card] - lost) * sign <= 0:
            notes[BARRED + winner] |= 1 << card


def note_trade(t: Table, ed: Edition, notes: Notes, a: int, b: int) -> None:
    """What is known of two hands goes along with them, and both players know what they gave."""
    for seat in range(ed.players):
        row = seat * SEATS
        notes[row + a], notes[row + b] = notes[row + b], notes[row + a]
    notes[BARRED + a], notes[BARRED + b] = notes[BARRED + b], notes[BARRED + a]
    note_seen(notes, t, a, b)
    note_seen(notes, t, b, a)


def note_seen(notes: Notes, t: Table, seat: int, other: int) -> None:
    """A seat knows another's card."""
    notes[seat * SEATS + other] = t.hand[other]


def forget(notes: Notes, ed: Edition, seat: int) -> None:
    """A seat's card is a new one that nobody has seen."""
    notes[BARRED + seat] = 0
    for other in range(ed.players):
        notes[other * SEATS + seat] = NO_CARD


def fresh_notes(notes: Notes, t: Table, ed: Edition) -> None:
    """The notes at the start of a round."""
    for k in range(LEFT):
        notes[k] = NO_CARD if k < BARRED else 0
    for card in range(CARDS):
        notes[LEFT + card] = ed.copies[card]
    for k in range(ed.aside, ed.aside + ed.face_up):
        notes[LEFT + t.deck[k]] -= 1
