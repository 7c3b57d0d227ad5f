"""The chance to win a match of two from an open table: its round is played out many times by the quick policy."""

from collections.abc import Sequence
from math import sqrt

from ..fast import available
from ..fast.games import STATE, seed_chance
from ..knowledge.notes import NOTES
from ..rules import NO_CARD, Edition, Table, copy_table
from .arrays import floats, ints, policy_buffers, table_pair, zeros
from .engine.playout import RoundStart, play_out, worth_of
from .weights import weights


class WinEstimator:
    """Estimates seat 0's chance at tables of one edition; `worth` has it for each score (engine/playout.py)."""

    def __init__(self, rules: Edition, worth: Sequence[float], seed: int) -> None:
        self.rules = rules
        self.worth = floats(worth)
        self.theta = floats(weights(rules))
        self.seed = seed
        self.buffers = policy_buffers()

    def between_rounds(self, t: Table) -> float:
        """The chance at a table at which no round is being played."""
        return float(worth_of(t, self.rules, self.worth))

    def estimate(self, t: Table, notes: Sequence[int], rounds: int, stream: int) -> tuple[float, float]:
        """The mean chance over so many rounds played out, and its standard error."""
        places, totals, rng = unseen_places(t, self.rules), zeros(2, real=True), [0] * STATE
        seed_chance(rng, self.seed, stream)
        start = RoundStart(ints(notes), zeros(NOTES), ints(places))
        tables, ed = table_pair(in_order(t, places), self.rules)
        run = play_out
        if available():
            from .engine.compiling import play_out as run  # noqa: PLC0415 - only where numba is installed

        run(tables, ed, start, self.theta, self.worth, self.buffers, ints(rng), rounds, totals)
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
