"""A series of matches between the same bots: seats rotate, deals come from the seed, wins may be shared."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..bots import BotFailure, Choose
from ..game import Play, open_match
from ..rules import Option
from .interval import wilson


@dataclass
class Score:
    """What one bot has done in a series."""

    name: str
    won: float = 0.0
    rounds_won: float = 0.0
    decisions: int = 0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)

    def data(self, games: int) -> dict[str, Any]:
        """The bot's row of the result."""
        low, high = wilson(self.won, games)
        return {
            "name": self.name,
            "won": round(self.won, 6),
            "rate": round(self.won / games, 6) if games else 0.0,
            "low": round(low, 6),
            "high": round(high, 6),
            "rounds_won": round(self.rounds_won, 6),
            "decisions": self.decisions,
            "seconds_per_decision": round(self.seconds / self.decisions, 9) if self.decisions else 0.0,
        }


@dataclass
class Series:
    """A series as it stands: what is played, and each bot's score in the order given."""

    edition: str
    seed: int
    scores: list[Score]
    games: int = 0

    def data(self) -> dict[str, Any]:
        """The object that `suitors match` prints."""
        return {
            "edition": self.edition,
            "players": len(self.scores),
            "games": self.games,
            "seed": self.seed,
            "bots": [score.data(self.games) for score in self.scores],
        }


def play_series(
    series: Series,
    bots: Sequence[tuple[str, Choose]],
    games: int,
    *,
    options: Mapping[str, Option] | None = None,
    budget_ms: float | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Play]:
    """Play the matches one by one, adding each to the series, and yield it."""
    seed = series.seed
    for game in range(games):
        seating = [(seat + game) % len(bots) for seat in range(len(bots))]
        match = open_match(series.edition, [bots[k][0] for k in seating], options, dealt=False)
        chance = [random.Random(f"{seed}/{game}/bot/{k}") for k in range(len(bots))]
        loser: int | None = None
        while not match.over and loser is None:
            if match.to_deal:
                match.rng = random.Random(f"{seed}/{game}/deal/{len(match.rounds)}")
                match.deal()
            else:
                loser = _decide(match, seating, bots, chance, series.scores, budget_ms, clock)
        _count(match, seating, series, loser)
        yield match


def _decide(
    match: Play,
    seating: Sequence[int],
    bots: Sequence[tuple[str, Choose]],
    chance: Sequence[random.Random],
    scores: Sequence[Score],
    budget_ms: float | None,
    clock: Callable[[], float],
) -> int | None:
    """One decision. A bot that fails loses the match by forfeit: its seat is returned."""
    seat = match.turn
    assert seat is not None
    k = seating[seat]
    view = match.view(seat)
    began = clock()
    try:
        move = match.parse(bots[k][1](view, chance[k], budget_ms))
    except BotFailure as failure:
        scores[k].failures.append(str(failure))
        return seat
    finally:
        scores[k].decisions += 1
        scores[k].seconds += clock() - began
    match.push(move)
    return None


def _count(match: Play, seating: Sequence[int], series: Series, loser: int | None) -> None:
    """Add a finished match to the scores; a shared win counts in parts, a forfeit goes to all the others."""
    series.games += 1
    winners = match.winners if loser is None else [seat for seat in range(len(seating)) if seat != loser]
    for seat in winners:
        series.scores[seating[seat]].won += 1 / len(winners)
    for ended in match.rounds:
        for seat in ended.winners:
            series.scores[seating[seat]].rounds_won += 1 / len(ended.winners)
