"""How a round of two may go on from an open table: played out by the quick policy, compiled or not."""

from collections.abc import Sequence
from math import sqrt

from ..fast import available
from ..fast.games import STATE, seed_chance
from ..rules import NO_CARD, Edition, Table, copy_table
from .engine.notes import NOTES
from .engine.playout import play_out, worth_of
from .mind import floats, ints, paper, twice, zeros
from .weights import weights


class Outlook:
    """Judges tables of one edition, all hands open, by what each score is worth to seat 0 (engine/playout.py)."""

    def __init__(self, rules: Edition, worth: Sequence[float], seed: int) -> None:
        self.rules = rules
        self.worth = floats(worth)
        self.theta = floats(weights(rules))
        self.seed = seed
        self.paper = paper()

    def settled(self, t: Table) -> float:
        """The worth of a table at which no round is being played."""
        return float(worth_of(t, self.rules, self.worth))

    def estimate(self, t: Table, notes: Sequence[int], rounds: int, stream: int) -> tuple[float, float]:
        """The mean worth of so many rounds played out, and its standard error."""
        places, totals, rng = unseen_places(t, self.rules), zeros(2, real=True), [0] * STATE
        seed_chance(rng, self.seed, stream)
        ground = (ints(notes), zeros(NOTES), ints(places), len(places))
        boards, ed = twice(in_order(t, places), self.rules)
        rest = (ground, self.theta, self.worth, self.paper, ints(rng), rounds, totals)
        if available():
            from .engine.compiling import play_out as compiled  # noqa: PLC0415 - only where numba is installed

            compiled(boards, ed, rest)
        else:
            play_out(boards, ed, *rest)
        return float(totals[0]) / rounds, sqrt(spread(float(totals[0]), float(totals[1]), rounds) / rounds)


def unseen_places(t: Table, rules: Edition) -> list[int]:
    """The deck's places whose cards nobody has seen: those set aside, and those to draw that no player put there."""
    aside = 0 if rules.spare and t.spare == NO_CARD else rules.aside
    return [*range(aside), *range(t.top, min(t.bottom, rules.cards))]


def in_order(t: Table, places: Sequence[int]) -> Table:
    """The same table with the unseen cards sorted: how they really lie must not show."""
    t = copy_table(t)
    for place, card in zip(places, sorted(t.deck[place] for place in places), strict=True):
        t.deck[place] = card
    return t


def spread(total: float, squares: float, n: int) -> float:
    """The variance of results from 0 to 1, as if a win and a loss had been seen, too: n wins are no certainty."""
    return (squares + 1) / (n + 2) - ((total + 1) / (n + 2)) ** 2
