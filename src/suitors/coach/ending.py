"""The endings of two players that can be solved: what each move is worth if both go on by an equilibrium."""

from collections.abc import Iterator, Sequence

from ..bots.arrays import floats, zeros
from ..bots.ending import DECK, ROUNDS, WORLDS, actual, reweighted, worlds_of
from ..bots.outcomes import Scale, Worth, share
from ..fast import available
from ..knowledge.belief import Belief
from ..knowledge.likelihood import Likelihood
from ..notation import read_move
from ..rules import Card, Phase, copy_table
from ..rules.names import third_of, verb_of
from ..solve import endings
from ..solve.endings import COUNT, MEMBERS, OFFSET, WIDEST, names_hidden
from ..solve.equilibrium import Ending, World
from ..solve.equity import equity
from ..solve.race import at_goal
from ..view.match import View
from .engine import ending_values
from .valuation import Valuation

TOLERANCE = 0.005
"""How far the values of an ending may be from those of an equilibrium, in parts of what the round is worth."""

GAINS = ((1, 0, 1), (0, 1, 2), (2, 0, 1), (0, 2, 2), (1, 1, 3), (0, 0, 0), (2, 1, 3), (1, 2, 3))
"""What a round of two may bring: tokens of either seat, and who wins it. Of those that the solver cannot tell apart
the first is meant; where both gain as much, the round counts as shared."""


def value_ending(view: View, belief: Belief, likelihood: Likelihood, moves: Sequence[str]) -> Valuation | None:
    """What the moves are worth; None where the ending is too large to be solved."""
    if view.deck > DECK:
        return None
    worlds = reweighted(list(worlds_of(view, belief, likelihood)), view, belief)
    own = actual(worlds, view)
    if own is None or len(worlds) > WORLDS:
        return None
    ending = Ending(view.rules, worlds)
    if ending.full:
        return None
    ending.improve(ROUNDS)
    return SolvedMoves(view, ending, own).valuation(moves)


class SolvedMoves:
    """The moves of the seat of a view in a solved ending."""

    def __init__(self, view: View, ending: Ending, own: World) -> None:
        assert view.seat is not None
        self.view, self.ending, self.own, self.seat = view, ending, own, view.seat
        self.set = endings.set_of(ending.tree, own.keys[self.seat], self.seat, 0)
        self.ends = dict(reversed(list(self._ends())))

    def valuation(self, moves: Sequence[str]) -> Valuation | None:
        """What the moves are worth; None if a round ended in a way that is not foreseen here."""
        round_ = self._values(0)
        match = self._values(1)
        if round_ is None or match is None:
            return None
        places = [self._place(read_move(self.view.rules, move)) for move in moves]
        return Valuation(tuple([(round_[place], match[place])] for place in places), TOLERANCE, exact=True)

    def _ends(self) -> Iterator[tuple[float, Worth]]:
        """For each way the round may end, its result in the tree and what that is worth to the seat."""
        scale, rules = Scale(self.view), self.view.rules
        for *gains, winners in GAINS:
            t = copy_table(self.own.table)
            t.tokens = [held + gained for held, gained in zip(self.view.tokens, gains, strict=True)]
            t.champions = at_goal(rules, t.tokens)
            t.phase, t.tied = Phase.OVER if t.champions else Phase.DEAL, 0
            yield equity(t, rules, 0), (share(winners, self.seat), scale.after(gains, winners))

    def _values(self, measure: int) -> list[float] | None:
        """What each sensible move is worth, in the round (0) or in the match (1)."""
        tree, state = self.ending.tree, self.ending.state
        start, count = (int(tree.sets[self.set * MEMBERS + part]) for part in (OFFSET, COUNT))
        totals = zeros(count + 1, real=True)
        run = ending_values.value_moves
        if available():
            from .engine.compiling import value_moves as run  # noqa: PLC0415 - only where numba is installed

        results, worths = floats(list(self.ends)), floats([worth[measure] for worth in self.ends.values()])
        if not run(tree._replace(values=floats(tree.values)), state, results, worths, self.set, start, totals):
            return None
        return [float(totals[k] / totals[count]) for k in range(count)]

    def _place(self, move: int) -> int:
        """Where a move stands among the sensible ones; a Guard who cannot hit is as good as any other such."""
        sensible = [0] * WIDEST
        n = endings.list_sensible(self.own.table, self.view.rules, self.ending.hidden, sensible, 0)
        if move in sensible[:n]:
            return sensible.index(move)
        return next(k for k in range(n) if self._misses(sensible[k]))

    def _misses(self, move: int) -> bool:
        """Whether a move is a Guard's that names no hidden card."""
        return verb_of(move) == Card.GUARD and not names_hidden(self.view.rules, self.ending.hidden, third_of(move))
