"""Rounds of two played out from an open table by the quick policy: the hands are as they are, the deck is reshuffled.

The players of such a round see no more than their notes allow; only its result is judged with all cards known.
"""

from typing import NamedTuple

from ...fast.games import below
from ...knowledge.notes import NOTES, Notes, step
from ...rules.editions import Edition
from ...rules.names import NO_CARD, Phase
from ...rules.seats import has
from ...rules.table import Table
from .buffers import Floats, Ints, PolicyBuffers
from .policy import pick, score_moves
from .reply import over, restore


class RoundStart(NamedTuple):
    """What every simulated round starts from."""

    notes: Notes  # what the players know of each other
    round_notes: Notes  # the same in the simulated round: written there
    unseen_places: Ints  # the places of the deck whose cards nobody has seen


def play_out(
    tables: list[Table],
    ed: Edition,
    start: RoundStart,
    theta: Floats,
    worth: Floats,
    buffers: PolicyBuffers,
    rng: Ints,
    rounds: int,
    totals: Floats,
) -> None:
    """Add what so many rounds from the first table are worth to seat 0, and the squares; the second is their board."""
    first_notes, notes = start.notes, start.round_notes
    moves, chances = buffers.moves, buffers.chances
    for _ in range(rounds):
        restore(tables)
        t = tables[1]
        for k in range(NOTES):
            notes[k] = first_notes[k]
        reshuffle(t, start.unseen_places, rng)
        while not over(t):
            n = score_moves(t, ed, notes, theta, buffers)
            step(t, ed, notes, moves[pick(chances, n, rng)])
        value = worth_of(t, ed, worth)
        totals[0] += value
        totals[1] += value * value


def reshuffle(t: Table, places: Ints, rng: Ints) -> None:
    """Shuffle the cards that nobody has seen among their places, the one set aside included."""
    for k in range(len(places) - 1, 0, -1):
        a, b = places[k], places[below(rng, k + 1)]
        t.deck[a], t.deck[b] = t.deck[b], t.deck[a]
    if t.spare != NO_CARD:
        t.spare = t.deck[0]


def worth_of(t: Table, ed: Edition, worth: Floats) -> float:
    """Seat 0's chance to win the match after a round; `worth` has it by the seat that starts the next and by tokens."""
    if t.phase == Phase.OVER:
        return 1.0 if has(t.champions, 0) else 0.0
    if t.tied != 0:
        return 0.5
    cell = t.tokens[0] * ed.goal + t.tokens[1]
    other = ed.goal * ed.goal + cell
    if t.winners == 1:
        return worth[cell]
    if t.winners == 2:
        return worth[other]
    return (worth[cell] + worth[other]) / 2
