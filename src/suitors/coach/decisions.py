"""The decisions of a record, each judged by what its seat knew then, one after the other as they are computed."""

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..bots.cores import cores
from ..bots.outcomes import Scale
from ..bots.solo import solved
from ..chance import seed_number
from ..errors import SuitorsError, brief
from ..game import Play
from ..notation import write_move
from ..records.record import replay
from ..view.match import View
from ..view.solo import SoloView
from .judgement import ERRORS, Judgement, Mark, MoveValue, judge
from .reasons import Finder, Reason, values_of
from .valuation import Valuation, Valuer

Record = dict[str, Any]
"""A parsed record (docs/contract.md, Records); one with faults raises a RecordError."""

BUDGET_MS = 200.0
"""The default budget for a decision."""

ENGINE = 1
"""Raised whenever the same record, seed and budget come to another analysis: one that was kept is then out of date."""

AHEAD = 2
"""Decisions that each core has waiting, so that none of them is ever without work."""


@dataclass(frozen=True)
class Decision:
    """A decision and what it was worth, for all that its seat knew then. Chances are those to win the match."""

    round: int
    ply: int  # the index of the move in its round
    seat: int
    move: str
    best: str  # the move that was played, where none is better for sure
    moves: tuple[MoveValue, ...]  # every legal one, best first
    before: float  # the chance with the best move
    after: float  # with the one that was played
    loss: float  # 0 where it lies within the error
    interval: tuple[float, float]  # of the loss, with a confidence of 95%
    stake: float  # what winning the round is worth
    room: float  # what the best move is worth beyond a move by chance
    mark: Mark
    exact: bool  # the values are solved, not simulated
    reason: Reason | None  # only where the mark says that something was lost

    @property
    def forced(self) -> bool:
        """Whether there was no choice."""
        return len(self.moves) == 1


@dataclass(frozen=True)
class Due:
    """A decision that is to be judged."""

    round: int
    ply: int
    view: View | SoloView
    move: str


@dataclass(frozen=True)
class Settings:
    """How decisions are judged."""

    budget_ms: float
    seed: int
    valuer: Valuer


def find_due(record: Record, seats: Collection[int] | None = None) -> tuple[Play, list[Due]]:
    """The match of a record, and its decisions: those of some seats, or all."""
    passed: list[tuple[int, int, View | SoloView]] = []

    def watch(match: Play, round_: int, ply: int) -> None:
        if match.turn is not None and (seats is None or match.turn in seats):
            passed.append((round_, ply, match.view(match.turn)))

    match = replay(record, watch)
    for seat in seats or ():
        if not 0 <= seat < len(match.players):
            raise SuitorsError("bad-seat", f"There is no seat {brief(seat)}: seats are 0 to {len(match.players) - 1}.")
    moves = [[write_move(match.rules, move) for move in played.moves] for played in match.rounds]
    return match, [Due(round_, ply, view, moves[round_][ply]) for round_, ply, view in passed]


def judge_all(due: Sequence[Due], settings: Settings) -> Iterator[Decision]:
    """Every decision in its order; several are worked on at once, and none that nobody waits for any more."""
    threads = 1 if any(isinstance(decision.view, SoloView) for decision in due) else cores()  # its solver has its own
    with ThreadPoolExecutor(threads) as pool:
        left, waiting = iter(due), deque[Future[Decision | None]]()
        try:
            for decision in islice(left, AHEAD * threads):
                waiting.append(pool.submit(judge_one, decision, settings))
            while waiting:
                found = waiting.popleft().result()
                for decision in islice(left, 1):
                    waiting.append(pool.submit(judge_one, decision, settings))
                if found is not None:
                    yield found
        finally:
            for future in waiting:
                future.cancel()


def judge_one(due: Due, settings: Settings) -> Decision | None:
    """Judge one decision; None where that would take minutes, which only a solo game without the compiler may."""
    if isinstance(due.view, SoloView):
        return judge_solo(due)
    view, moves = due.view, due.view.legal
    seed = seed_number(f"{settings.seed}/{due.round}/{due.ply}")
    valuation = settings.valuer.values(view, moves, seed, settings.budget_ms, keep=(due.move,))
    judgement = judge(valuation, moves, due.move, Scale(view).stake)
    reason = None
    if judgement.mark in ERRORS:
        reason = Finder(view, settings.valuer.belief).against(judgement)
    return decision_of(due, judgement, valuation, reason)


def judge_solo(due: Due) -> Decision | None:
    """Judge a decision of a solo game by its exact values: the one round is the match."""
    assert isinstance(due.view, SoloView)
    solution = solved(due.view)
    if solution is None:
        return None
    values = dict(solution.moves)
    valuation = Valuation(tuple([(values[move], values[move])] for move in due.view.legal), exact=True)
    judgement = judge(valuation, due.view.legal, due.move, 1.0)
    reason = values_of(judgement.played, judgement.best) if judgement.mark in ERRORS else None
    return decision_of(due, judgement, valuation, reason)


def decision_of(due: Due, judgement: Judgement, valuation: Valuation, reason: Reason | None) -> Decision:
    """A decision with its judgement."""
    return Decision(
        round=due.round,
        ply=due.ply,
        seat=due.view.seat or 0,
        move=due.move,
        best=judgement.best.move,
        moves=judgement.moves,
        before=judgement.played.match + judgement.loss,
        after=judgement.played.match,
        loss=judgement.loss,
        interval=judgement.interval,
        stake=judgement.stake,
        room=judgement.room,
        mark=judgement.mark,
        exact=valuation.exact,
        reason=reason,
    )
