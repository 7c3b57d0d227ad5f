"""The chances of the others' hands as a player would count them at the table: unseen copies, less what is ruled out.

A quick stand-in for belief.py inside simulated rounds.
"""

from math import log

from ...knowledge.notes import BARRED, LEFT, SEATS, Notes
from ...rules.choices import nth_name
from ...rules.editions import Edition
from ...rules.names import CARDS, NO_CARD, Card
from ...rules.seats import has
from ...rules.table import Table
from .buffers import Floats, Ints

SPOKEN, LOWER, LOGS, ODDS = CARDS, 2 * CARDS, 3 * CARDS, 4 * CARDS
"""Where a row's chances of words and of numbers begin, and the logarithms of the former; how long the row is."""

HIGHEST = 9
"""The highest number on a card."""

TINY = 0.002
"""A chance below this counts as this: a Guard who names what cannot be there."""


def weigh_hands(t: Table, ed: Edition, notes: Notes, odds: Floats, rows: Ints) -> None:
    """The chances in each other standing player's hand, as the deciding player would count them.

    A row of them holds the chance of each card, of each word that a Guard may say, and of each number or a lower one.
    `rows` gets where each seat's begins; seats of which nothing is known share one.
    """
    me = t.decider
    weigh_unseen(t, ed, notes, odds, 0, me, 0)
    for seat in range(ed.players):
        rows[seat] = 0
        if seat != me and has(t.standing, seat):
            known = notes[me * SEATS + seat]
            barred = notes[BARRED + seat]
            row = (seat + 1) * ODDS
            if known != NO_CARD:
                blank_row(odds, row)
                weigh_card(ed, odds, row, known, 1.0)
                add_up(t, ed, odds, row)
                rows[seat] = row
            elif barred != 0:
                weigh_unseen(t, ed, notes, odds, row, me, barred)
                rows[seat] = row


def blank_row(odds: Floats, row: int) -> None:
    """No card has a chance yet."""
    for k in range(row, row + LOGS):
        odds[k] = 0.0


def add_up(t: Table, ed: Edition, odds: Floats, row: int) -> None:
    """Make chances of numbers into chances of these or lower ones; a Guard's player needs logarithms, too."""
    for number in range(row + LOWER + 1, row + LOWER + HIGHEST + 1):
        odds[number] += odds[number - 1]
    if t.hand[t.active] == Card.GUARD or t.drawn == Card.GUARD:
        for k in range(ed.name_count[Card.GUARD]):
            name = nth_name(ed, Card.GUARD, k)
            odds[row + LOGS + name] = log(max(TINY, odds[row + SPOKEN + name]))


def weigh_unseen(t: Table, ed: Edition, notes: Notes, odds: Floats, row: int, me: int, barred: int) -> None:
    """Every unseen copy that a seat may hold is as likely as the others."""
    blank_row(odds, row)
    total = 0
    for card in range(CARDS):
        if notes[LEFT + card] > 0 and not barred >> card & 1:
            n = unseen(t, notes, me, card)
            total += n
            weigh_card(ed, odds, row, card, float(n))
    if total > 0:
        part = 1.0 / total
        for k in range(row, row + LOGS):
            odds[k] *= part
    add_up(t, ed, odds, row)


def unseen(t: Table, notes: Notes, me: int, card: int) -> int:
    """How many copies of a card the deciding player does not see."""
    n = notes[LEFT + card] - (t.hand[me] == card)
    if me == t.active:
        n -= (t.drawn == card) + (t.extra == card)
    return n


def weigh_card(ed: Edition, odds: Floats, row: int, card: int, chance: float) -> None:
    """Add a card's chance."""
    odds[row + card] = chance
    odds[row + SPOKEN + ed.spoken[card]] += chance
    odds[row + LOWER + ed.value[card]] += chance


def lower(odds: Floats, row: int, number: int) -> float:
    """The chance of a card below a number."""
    return odds[row + LOWER + number - 1] if number > 0 else 0.0


def mean_number(odds: Floats, row: int) -> float:
    """The number to expect."""
    total = 0.0
    for number in range(HIGHEST):
        total += 1 - odds[row + LOWER + number]
    return total
