"""What a match came to for each seat: where it started, what its own decisions cost, what luck did, and the result.

The chance to win the match goes from `start` to `result`. A decision takes what it loses from it: that is skill, and
never more than nothing. Whatever else changes it between one decision and the next is luck: the deal, hidden cards,
and what the others did. So start + skill + luck is the result.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum

from ..bots.outcomes import share
from ..game import Match, Play, Solo
from ..rules import Phase, edition
from ..solve.book import COPIES
from ..solve.book import start as new_game
from ..solve.race import match_chance
from ..solve.solver import solver_for
from .decisions import Decision
from .judgement import Mark


@dataclass(frozen=True)
class Step:
    """What happened to a seat's chance up to a decision, and by it; the last step, behind all decisions, has no ply."""

    round: int
    ply: int | None
    luck: float
    skill: float


@dataclass(frozen=True)
class Account:
    """The account of one seat."""

    seat: int
    start: float
    skill: float
    luck: float
    result: float
    accuracy: float | None  # in percents; None where there was nothing to choose
    marks: Mapping[Mark, int]
    steps: tuple[Step, ...]


def make_account(match: Play, seat: int, decisions: Iterable[Decision], start: float | None = None) -> Account:
    """The account of a seat from all its decisions; the chance at the start is worked out, unless it is known."""
    own = [decision for decision in decisions if decision.seat == seat]
    start, steps = chance_before(match) if start is None else start, list[Step]()
    now = start
    for decision in own:
        steps.append(Step(decision.round, decision.ply, decision.before - now, -decision.loss))
        now = decision.after
    result = chance_at_end(match, seat, now)
    steps.append(Step(max(0, len(match.rounds) - 1), None, result - now, 0.0))
    skill = fsum(step.skill for step in steps)
    return Account(
        seat=seat,
        start=start,
        skill=skill,
        luck=result - start - skill,
        result=result,
        accuracy=accuracy(own),
        marks=Counter(decision.mark for decision in own if not decision.forced),
        steps=tuple(steps),
    )


def chance_before(match: Play) -> float:
    """The chance to win before anything is dealt."""
    if isinstance(match, Solo):
        book = solver_for(edition("solitaire", 1, match.options)).book
        return sum(book[new_game(kind)] * copies for kind, copies in COPIES.items()) / sum(COPIES.values())
    return 1 / len(match.players)


def chance_at_end(match: Play, seat: int, now: float) -> float:
    """The result of the match; of one that is not over, the chance where its record ends."""
    t = match.table
    if match.over:
        return share(t.champions, seat)
    if isinstance(match, Match) and t.phase == Phase.DEAL and match.rounds:
        tied = match.table.tied
        return share(tied, seat) if tied else match_chance(match.rules, match.tokens, seat, match.table.winners)
    return now


def accuracy(decisions: Iterable[Decision]) -> float | None:
    """How much of what choices were worth was kept: 100 for the best moves, 0 for as much as moves by chance lose."""
    counted = [decision for decision in decisions if not decision.forced and decision.stake > 0]
    room = fsum(decision.room / decision.stake for decision in counted)
    lost = fsum(decision.loss / decision.stake for decision in counted)
    return None if room <= 0 else 100 * max(0.0, 1 - lost / room)
