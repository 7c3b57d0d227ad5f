"""Whole analyses of records, and hints for positions: what other packages call."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from ..bots.outcomes import Scale
from ..errors import SuitorsError
from ..game import Play
from ..view.match import View
from ..view.solo import SoloView
from .accounts import Account, make_account
from .decisions import BUDGET_MS, Decision, Due, Record, Settings, find_due, judge_all, judge_one
from .judgement import MoveValue, judge
from .reasons import Finder, Reason, values_of
from .valuation import Valuer
from .valuer import BestReplyValuer

Progress = Callable[[int, int], None]
"""Called after each decision with how many are judged, and how many there will be."""


@dataclass(frozen=True)
class Analysis:
    """The decisions of a record, judged, and the accounts of the seats that were asked for."""

    players: tuple[str, ...]
    decisions: tuple[Decision, ...]
    accounts: tuple[Account, ...]
    budget_ms: float
    seed: int


@dataclass(frozen=True)
class Hint:
    """The best move of a position, its chances to win the round and the match, why it is good, and all legal moves."""

    move: str
    round: float
    match: float
    reason: Reason
    moves: tuple[MoveValue, ...]  # best first


class Review:
    """An analysis on its way: `decisions` judges one after the other, `account` adds up what has been judged.

    Examples:
        >>> from suitors import Match
        >>> match = Match("modern", ["Ada", "Ben"], seed=6)
        >>> match.play("priest 1")
        >>> review = Review(match.record(), budget_ms=1)
        >>> [decision.move for decision in review.decisions()]
        ['priest 1']
    """

    def __init__(
        self,
        record: Record,
        *,
        seats: Collection[int] | None = None,
        budget_ms: float = BUDGET_MS,
        seed: int = 0,
        valuer: Valuer | None = None,
    ) -> None:
        """Read a record; one with faults raises a RecordError, a seat that is not there a SuitorsError."""
        self.settings = Settings(budget_ms, seed, BestReplyValuer() if valuer is None else valuer)
        self.match: Play
        self.due: list[Due]
        self.match, self.due = find_due(record, seats)
        self.seats = range(len(self.match.players)) if seats is None else sorted(seats)
        self.judged: list[Decision] = []

    def decisions(self) -> Iterator[Decision]:
        """Every decision of the seats in the order of the record, as soon as it is judged."""
        self.judged.clear()
        for decision in judge_all(self.due, self.settings):
            self.judged.append(decision)
            yield decision

    def account(self, seat: int) -> Account:
        """The account of a seat, from the decisions judged so far."""
        return make_account(self.match, seat, self.judged)

    def analysis(self) -> Analysis:
        """All that has been found."""
        accounts = tuple(self.account(seat) for seat in self.seats)
        given = self.settings.budget_ms, self.settings.seed
        return Analysis(tuple(self.match.players), tuple(self.judged), accounts, *given)


def analyse(
    record: Record,
    *,
    seats: Collection[int] | None = None,
    budget_ms: float = BUDGET_MS,
    seed: int = 0,
    progress: Progress | None = None,
    valuer: Valuer | None = None,
) -> Analysis:
    """Judge every decision of a record, or of some of its seats, by what each seat knew then.

    The same record, seed and budget give the same analysis: the budget, in milliseconds for each decision, stands for
    a number of simulated rounds and not for a clock.

    Examples:
        >>> from suitors import Match
        >>> match = Match("classic", ["Ada", "Ben"], seed=1)
        >>> analysis = analyse(match.record())
        >>> analysis.decisions
        ()
        >>> analysis.accounts[0].result
        0.5
    """
    review = Review(record, seats=seats, budget_ms=budget_ms, seed=seed, valuer=valuer)
    for done, _ in enumerate(review.decisions(), 1):
        if progress is not None:
            progress(done, len(review.due))
    return review.analysis()


def hint(
    view: View | SoloView, *, budget_ms: float = BUDGET_MS, seed: int = 0, valuer: Valuer | None = None
) -> Hint | None:
    """The best move for the seat of a view, by the engine of analyses; None where a solo game cannot be solved in time.

    Examples:
        >>> from suitors import Match
        >>> match = Match("modern", ["Ada", "Ben"], seed=6)
        >>> hint(match.view(0), budget_ms=5).move in match.legal()
        True
    """
    if not view.legal:
        raise SuitorsError("no-decision", "A hint is for the view of the seat that has to decide.")
    settings = Settings(budget_ms, seed, BestReplyValuer() if valuer is None else valuer)
    if isinstance(view, SoloView):
        return _solo_hint(view, settings)
    valuation = settings.valuer.values(view, view.legal, settings.seed, budget_ms)
    means = [sum(match for _, match in worths) / len(worths) for worths in valuation.worths]
    most = max(map(len, valuation.worths))
    best = max((k for k, worths in enumerate(valuation.worths) if len(worths) == most), key=means.__getitem__)
    judgement = judge(valuation, view.legal, view.legal[best], Scale(view).stake)
    found, reason = judgement.best, Finder(view, settings.valuer.belief).favour(judgement)
    return Hint(found.move, found.round, found.match, reason, judgement.moves)


def _solo_hint(view: SoloView, settings: Settings) -> Hint | None:
    decision = judge_one(Due(0, 0, view, view.legal[0]), settings)
    if decision is None:
        return None
    best, other = decision.moves[0], decision.moves[min(1, len(decision.moves) - 1)]
    return Hint(best.move, best.round, best.match, values_of(other, best), decision.moves)
