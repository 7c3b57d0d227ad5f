"""What can be said of a game with hindsight: hints and reviews of solo games, and how a match for two stood.

A solo game's numbers are exact. The line of a match is an estimate: after every step, the chance that seat 0 wins the
MATCH if from there on both seats play by the quick policy, with which the bots simulate rounds.

- The estimate knows both hands and every card that a player has put under the deck; what nobody has seen (the
  rest of the deck and the cards set aside) is shuffled anew for each simulated round. The players in these rounds know
  no more than they would: what they saw of each other, and no open hand. This is how cards are shown on television.
  It belongs to no seat, so the line does not jump whenever the other seat decides; whatever moves it is in plain
  sight of somebody who replays a finished game: a draw, a guess, a card given away. With a spectator's knowledge the
  line would hardly leave the middle before the last cards are shown. The price: it tells of hidden cards, so it is
  not to be shown to those who still play.
- A step is one of the record, so a point has the next player's draw in it, if there was one. If both seats played by
  the policy, the points would be a martingale: better or worse than that, and luck, is what the line shows.
- After the simulated round, the score decides: `score_chances` has the chance to win the match from it, worked out
  from what the policy wins in a round, which knows of the starter's advantage, of ties and of the Spy's token.
- A shared win counts as won: the chances of both seats may add up to a little more than 1. A tie-break round that has
  not been dealt counts as even.
- The same record and seed give the same line. A budget stands for a number of simulated rounds, not for a clock; where
  nothing is compiled it stands for far fewer. `error` is the standard error from their number alone; it does not say
  how far real players are from the policy. A point between two rounds is not simulated: its error is 0.

Everything here may cross to another process and back. A match from `records.replay` could not (its source of chance
cannot be copied), so it is the records that are taken.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from .bots.solo import solved
from .bots.win_estimates import WinEstimator
from .errors import SuitorsError
from .fast import available
from .game import Match, Play, Solo
from .knowledge.notes import NOTES, fresh_notes, step
from .notation import write_move
from .records.record import replay
from .rules import Edition, Phase, Table
from .solve import Solution, solve
from .view.solo import SoloView

Record = dict[str, Any]
"""A parsed record (docs/contract.md, Records); one with faults raises a RecordError."""

Report = Callable[[int, int], None]
"""Called after each point with how many are done, and how many there will be."""

TRIFLE = 1e-9
"""What costs no more than this costs nothing."""

QUICK, SLOW = 300, 5
"""Simulated rounds that a millisecond of budget stands for: compiled, and where nothing is."""

FEWEST = 2
"""Simulated rounds behind any estimate."""

Outcome = tuple[int, int, float, float]
"""What a round may bring: the starter's tokens, the other's, the starter's share in starting the next, the chance."""

ROUNDS: Mapping[tuple[int, int], tuple[Outcome, ...]] = {
    (16, 0): ((1, 0, 1, 0.5411), (0, 1, 0, 0.4563), (1, 1, 0.5, 0.0026)),
    (16, 1): ((1, 0, 1, 0.5402), (0, 1, 0, 0.4597), (1, 1, 0.5, 0.0001)),
    (21, 0): (
        *((1, 0, 1, 0.3540), (2, 0, 1, 0.1689), (1, 1, 1, 0.0067)),
        *((0, 1, 0, 0.3197), (0, 2, 0, 0.1423), (1, 1, 0, 0.0071)),
        *((1, 1, 0.5, 0.0005), (2, 1, 0.5, 0.0004), (1, 2, 0.5, 0.0004)),
    ),
}
"""By the cards of the deck and whether sums break ties: what 400,000 rounds of two by the quick policy brought."""


@dataclass(frozen=True)
class Decision:
    """One decision of a solo game: the chance to win before it and behind it, with the best play otherwise."""

    ply: int
    move: str
    before: float
    after: float
    best: str  # the chosen move, where none is better

    @property
    def cost(self) -> float:
        """What the decision threw away."""
        return self.before - self.after


@dataclass(frozen=True)
class Review:
    """How good the play of a solo game was.

    `line` is the chance to win, with the best play, at the deal and after each move and what chance made of it; at the
    end it is 1 or 0. What cannot be worked out in time, as nothing is compiled here, is None in it and no decision.
    """

    decisions: tuple[Decision, ...]
    line: tuple[float | None, ...]

    @property
    def cost(self) -> float:
        """What all decisions together threw away."""
        return sum(decision.cost for decision in self.decisions if decision.cost > TRIFLE)


@dataclass(frozen=True)
class Point:
    """Seat 0's chance to win the match after a step of a round (0: the deal), and its standard error."""

    round: int
    step: int
    chance: float
    error: float


def hints(view: SoloView) -> tuple[tuple[str, float], ...]:
    """Every legal move with its exact chance to win, best first; nothing where that would take minutes."""
    solution = solved(view) if view.legal else None
    return () if solution is None else solution.moves


def solo_review(record: Record) -> Review:
    """What each decision of a solo game, finished or not, was worth."""
    solutions: list[Solution | None] = []
    match = replay(record, lambda match, *_: solutions.append(_solution(match)))
    solutions += [_solution(match)] if match.rounds else []
    moves = [write_move(match.rules, move) for played in match.rounds for move in played.moves]
    passed = enumerate(zip(moves, solutions, strict=False))  # behind the last solution there is no move
    decisions = tuple(_decision(ply, move, found) for ply, (move, found) in passed if found is not None)
    return Review(decisions, tuple(None if found is None else found.value for found in solutions))


def _solution(match: Play) -> Solution | None:
    """The values of a solo game where it stands, from what its player knows."""
    return solved(match.view(0)) if isinstance(match, Solo) and match.turn is not None else solve(match)


def _decision(ply: int, move: str, solution: Solution) -> Decision:
    """A move held against all that could be played."""
    best, after = solution.moves[0][0], dict(solution.moves)[move]
    return Decision(ply, move, solution.value, after, move if solution.value - after <= TRIFLE else best)


def match_line(record: Record, budget_ms: float = 15, seed: int = 0, report: Report | None = None) -> tuple[Point, ...]:
    """How likely seat 0 was to win a match of two, after the deal and each move of each round, as defined above."""
    match = replay(record)
    if not isinstance(match, Match) or len(match.players) != 2:
        raise SuitorsError("bad-players", "Only a match of two players has a line.")
    estimator = WinEstimator(match.rules, score_chances(match.rules), seed)
    rounds = max(FEWEST, round(budget_ms * (QUICK if available() else SLOW)))
    total = sum(len(played.rows) for played in match.rounds)
    line: list[Point] = []
    for number, at, t, notes in _steps(match):
        between = t.phase in (Phase.DEAL, Phase.OVER)
        chance, error = (
            (estimator.between_rounds(t), 0.0) if between else estimator.estimate(t, notes, rounds, len(line))
        )
        line.append(Point(number, at, chance, error))
        if report is not None:
            report(len(line), total)
    return tuple(line)


def get_ready() -> None:
    """Compile, or load, what lines and hints need, before anybody waits for one."""
    match_line(Match("classic", ["", ""]).record(), budget_ms=1)
    solve(Solo())


def _steps(match: Match) -> Iterator[tuple[int, int, Table, list[int]]]:
    """Every step of a match: round, step, the table then, and what the players knew of each other (notes.py)."""
    rules, game, notes = match.rules, match.engine, [0] * NOTES
    t: Table = game.new_table(rules)
    for number, played in enumerate(match.rounds):
        game.deal(t, rules, played.deck, played.first)
        fresh_notes(notes, t, rules)
        yield number, 0, t, notes
        for at, move in enumerate(played.moves, 1):
            step(t, rules, notes, move)
            yield number, at, t, notes


@lru_cache
def score_chances(rules: Edition) -> tuple[float, ...]:
    """Seat 0's chance to win a match of two, by the seat that starts the next round, seat 0's tokens, and seat 1's."""
    found: dict[tuple[int, int, int], float] = {}
    for mine, theirs in product(range(rules.goal - 1, -1, -1), repeat=2):
        for starter in (0, 1):
            found[starter, mine, theirs] = _expected(rules, found, starter, (mine, theirs))
    return tuple(found[cell] for cell in sorted(found))


def _expected(
    rules: Edition, found: Mapping[tuple[int, int, int], float], starter: int, tokens: tuple[int, int]
) -> float:
    """The mean over all that the next round may bring."""
    total = 0.0
    for first, second, again, chance in _outcomes(rules):
        gains = (second, first) if starter else (first, second)
        score = (tokens[0] + gains[0], tokens[1] + gains[1])
        if max(score) >= rules.goal:
            total += chance * _final(rules, *score)
        else:
            total += chance * (again * found[starter, *score] + (1 - again) * found[1 - starter, *score])
    return total


def _outcomes(rules: Edition) -> tuple[Outcome, ...]:
    """What a round may bring, as was measured with this deck or the nearest in size."""
    return ROUNDS[min(ROUNDS, key=lambda deck: (abs(deck[0] - rules.cards), deck[1] != rules.sums))]


def _final(rules: Edition, mine: int, theirs: int) -> float:
    """Seat 0's result where a goal is reached: a shared win is a win, a tie-break is even."""
    if rules.tie_breaks:
        return 0.5 if mine == theirs else float(mine > theirs)
    return float(mine >= rules.goal)
