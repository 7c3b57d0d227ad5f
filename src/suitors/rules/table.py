"""The state of a match: a small table of ints. Its annotations are the one list of its fields."""

from typing import TypeVar

from .editions import Edition
from .names import NO_CARD, NOBODY, Card, End, Phase
from .shapes import BySeat, InDeck, InPiles, Rows, fields

COLUMNS = 5
"""Numbers in one row of events: event, actor, target, card, audience."""


class Table:
    """Everything that is true at a table. Sets of seats are ints (seats.py)."""

    phase: int  # what the table waits for (Phase)
    active: int  # the seat whose turn it is
    decider: int  # the seat that must decide
    playing: int  # the set of seats taking part in this round
    standing: int  # the set of those still in the round
    shielded: int  # the set of those protected by a Handmaid
    tokens: BySeat
    hand: BySeat  # each seat's card, NO_CARD for none
    drawn: int  # the active player's second card, NO_CARD outside a decision
    extra: int  # the third one, held only during a Chancellor
    deck: InDeck  # the round's cards as shuffled, and behind them those put under the deck
    top: int  # where in `deck` the next draw is
    bottom: int  # where the draw deck ends
    spare: int  # the card set aside, as long as a redraw may take it, else NO_CARD
    piles: InPiles  # every card discarded in this round, in order
    owners: InPiles  # whose pile each of them is in
    discards: int  # how many they are
    mark: int  # the seat marked by a Sycophant for the next card, or NOBODY
    bettor: int  # the seat that played the Jester, or NOBODY
    favourite: int  # the seat it bet on, or NOBODY
    traded: int  # the set of two seats that a Cardinal has just made trade
    paid: int  # 1: the card now resolving has given a Constable token
    winners: int  # the set of seats that won the last finished round
    tied: int  # the set of seats that must play a tie-break round, or play it now
    champions: int  # the set of seats that won the match
    ending: int  # how the last finished round ended (End)
    rows: Rows  # the events of the last decision, COLUMNS numbers each
    told: int  # how many numbers of `rows` are in use


FIELDS = fields(Table)


def sizes(ed: Edition) -> dict[str, int]:
    """The length of every kind of array: a two-player table does not pay for eight seats."""
    return {
        "seats": ed.players,
        "cards": ed.cards,
        "deck": ed.cards + 2 * ed.copies[Card.CHANCELLOR],
        "rows": COLUMNS * (18 + 4 * ed.players),
    }


def new_table(ed: Edition) -> Table:
    """A table at which nobody has played yet."""
    t, lengths = Table(), sizes(ed)
    for field in FIELDS:
        setattr(t, field.name, 0 if field.shape is None else [0] * lengths[field.shape.size])
    clear(t, ed)
    return t


def clear(t: Table, ed: Edition) -> None:
    """Set a table up for a new match."""
    t.phase = Phase.DEAL
    t.active = t.decider = NOBODY
    t.playing = t.standing = t.shielded = 0
    t.winners = t.tied = t.champions = 0
    t.ending = End.NONE
    t.traded = t.paid = t.told = t.discards = t.top = t.bottom = 0
    t.mark = t.bettor = t.favourite = NOBODY
    t.drawn = t.extra = t.spare = NO_CARD
    for seat in range(ed.players):
        t.tokens[seat] = 0
        t.hand[seat] = NO_CARD


AnyTable = TypeVar("AnyTable")


def copy_table(t: AnyTable) -> AnyTable:
    """A second table in the same state."""
    other = type(t)()
    for name, value in vars(t).items():
        setattr(other, name, value[:] if isinstance(value, list) else value)
    return other
