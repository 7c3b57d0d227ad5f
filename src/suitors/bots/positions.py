"""A position as the engine reads it: the table that a view shows, the belief in arrays, and the players' notes."""

from itertools import accumulate

from ..knowledge.belief import Belief
from ..knowledge.notes import BARRED, LEFT, NOTES, SEATS
from ..knowledge.public import Public
from ..rules import NO_CARD, Table, copy_table
from ..view.match import View
from .arrays import floats, ints
from .engine.deals import BeliefArrays


def visible_table(view: View, public: Public) -> Table:
    """The table that a view shows, its hidden cards blank; `public` is the round as everybody sees it."""
    t = copy_table(public.table)
    t.phase = view.phase
    t.active, t.decider = view.active or 0, view.turn or 0
    t.tokens = list(view.tokens)
    t.tied = sum(1 << seat for seat in view.tied)
    hand, t.drawn, t.extra = (*view.hand, NO_CARD, NO_CARD, NO_CARD)[:3]
    assert view.seat is not None
    t.hand[view.seat] = hand
    return t


def belief_arrays(belief: Belief) -> BeliefArrays:
    """The belief as engine/deals.py reads it."""
    cases = [(share, case) for share, case in zip(belief.shares, belief.sums, strict=True) if share > 0]
    width = max(len(case.places) for _, case in cases)
    places: list[int] = []
    terms: list[float] = []
    ahead: list[float] = []
    for _, case in cases:
        places += [*case.places, *([0] * (width - len(case.places)))]
        pad = [0.0] * ((1 << width) - 1 - case.full)
        for row in case.terms:
            terms += row
            terms += pad
        for row in case.ahead:
            ahead += row
            ahead += pad
    return BeliefArrays(
        shares=floats(list(accumulate(share for share, _ in cases))),
        counts=ints([len(case.places) for _, case in cases]),
        places=ints(places),
        kinds=ints([int(card) for card in belief.kinds]),
        copies=ints(belief.unseen),
        terms=floats(terms),
        ahead=floats(ahead),
    )


def public_notes(public: Public) -> list[int]:
    """What the players know of each other, and the cards not in sight, as knowledge/notes.py keeps it."""
    rules, n = public.rules, public.rules.players
    notes = [NO_CARD] * NOTES
    for seat in range(n):
        notes[seat * SEATS : seat * SEATS + n] = public.seen[seat * n : seat * n + n]
    notes[BARRED : BARRED + SEATS] = public.barred + [0] * (SEATS - n)
    left = list(rules.copies)
    for card in (*public.face_up, *public.table.piles[: public.table.discards]):
        left[card] -= 1
    notes[LEFT:] = left
    return notes
