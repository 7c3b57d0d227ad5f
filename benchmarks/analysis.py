"""How long the coach takes for a match, and how exact that makes it: `python -m benchmarks.analysis [--budget-ms MS]`.

The bounds, on two cores at the default budget: 20 s for two players and 15 rounds, 60 s for four players. Seconds of
the processor are those of all cores together, and tell more where others are at work on the machine. The standard
errors are medians over decisions that leave a choice, in parts of what the round is worth: of the value of the best
move, and of the difference between it and a move that was marked, which is measured on the same worlds.
"""

import argparse
import os
import random
import time
from statistics import median
from typing import Any

from suitors import Match
from suitors.bots import BOTS
from suitors.coach import BUDGET_MS, Analysis, Review, get_ready
from suitors.coach.judgement import spread_factor
from suitors.coach.valuer import TOLERANCE
from suitors.history import EditionLike

ROUNDS = 15
LONG: EditionLike = {"base": "modern", "goals": {"2": ROUNDS, "4": ROUNDS}}
"""Nobody wins a match of it within so many rounds, as a rule."""

TABLES: list[tuple[EditionLike, int, float]] = [(LONG, 2, 20.0), (LONG, 4, 60.0), ("premium", 4, 60.0)]
"""What is analysed, by how many players, and the bound in seconds."""


HEADS = (
    *("edition", "players", "rounds", "decisions", "solved", "seconds", "of the processor", "bound"),
    *("error of a value", "of a difference"),
)


def play(edition: EditionLike, players: int, rounds: int) -> dict[str, Any]:
    """The record of a match of `counting` bots, of so many rounds at most."""
    rng = random.Random(1)
    match = Match(edition, [f"Player {seat}" for seat in range(players)], rng=rng)
    while not match.over and not (match.to_deal and len(match.rounds) == rounds):
        if match.to_deal:
            match.deal()
        else:
            match.play(BOTS["counting"](match.view(match.turn), rng, None))
    return match.record()


def errors(analysis: Analysis) -> tuple[float, float]:
    """The median standard errors of values, and of the differences that were marked."""
    chosen = [decision for decision in analysis.decisions if not decision.forced and not decision.exact]
    marked = [decision for decision in chosen if decision.loss]
    value = median(decision.moves[0].error / decision.stake for decision in chosen)
    gap = median(
        ((decision.interval[1] - decision.loss) / decision.stake - TOLERANCE) / spread_factor(len(decision.moves))
        for decision in marked
    )
    return value, gap


def main() -> None:
    """Print a line for each kind of match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget-ms", type=float, default=BUDGET_MS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    get_ready()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {options.budget_ms:g} ms for each decision")
    print(" | ".join(HEADS))
    for edition, players, bound in TABLES:
        review = Review(play(edition, players, options.rounds), budget_ms=options.budget_ms)
        began, before = time.perf_counter(), time.process_time()
        found = list(review.decisions())
        took, used = time.perf_counter() - began, time.process_time() - before
        value, gap = errors(review.analysis())
        solved = sum(decision.exact for decision in found)
        name = edition if isinstance(edition, str) else edition["base"]
        counts = f"{len(review.match.rounds)} | {len(found)} | {solved}"
        times = f"{took:.1f} | {used:.1f} | {bound:g}"
        print(f"{name} | {players} | {counts} | {times} | {value:.4f} | {gap:.4f}", flush=True)


if __name__ == "__main__":
    main()
