"""How true simulated rounds are: the share of the round that they predict for a move, and what came of it.

    python -m benchmarks.foresight [--matches 60] [--cells classic-4,modern-6,…] [--others "best reply"]

One expert among others. At each of its decisions that leave a choice, what they played is read and rounds are simulated
after the move that it makes: by the weights of self-play, the baseline, or by those that were fitted to the best reply.
The figure is the mean logarithm of the chance that was given to what came of the round, a share in it counting in part:
greater is better. The difference is that of the same decisions, with twice its standard error, match by match.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from math import log, sqrt

from benchmarks.contests import BEST_REPLY, by_best_reply
from benchmarks.options import cells, count
from suitors import Belief, Match
from suitors.bots import BOTS, Choose, use_cores
from suitors.bots.learned.reading import NetworkChances
from suitors.bots.opponents import PolicyChances, Way, Ways, model
from suitors.bots.outcomes import Scale, share
from suitors.bots.tree_search import TreeSearch
from suitors.bots.warmup import compile_bots
from suitors.bots.weights import searchers, weights
from suitors.bots.worlds import Worlds
from suitors.rules import Edition
from suitors.view.match import View

OTHERS: dict[str, Choose] = {BEST_REPLY: by_best_reply, "expert": BOTS["expert"]}
BUDGET_MS = 8.0
"""For each decision."""

ROUNDS = 1500
"""Simulated after a move."""

LEAST = 0.002
"""A chance below this counts as this."""


def ways_by(weights_of: Callable[[Edition], list[float]]) -> Ways:
    """The quick policy with some weights, or the network."""

    def ways(rules: Edition, reader: int | None, tokens: Sequence[int]) -> list[Way]:
        return [PolicyChances(rules, weights_of(rules)), NetworkChances(rules, reader, tokens)]

    return ways


KINDS = [(weights, ways_by(weights)), (searchers, ways_by(searchers))]
"""The weights that are compared, and the ways to play that they stand for."""


def predict(view: View, text: str, seed: int) -> list[float]:
    """The share of the round that each of the weights predicts."""
    found = []
    for weights_of, ways in KINDS:
        likelihood, at_random = model(view, ways)
        search = TreeSearch(view, Belief(view, likelihood), random.Random(seed), weights_of(view.rules))
        (outcomes,) = Worlds(search, at_random, seed).outcomes([text], 0, ROUNDS, learning=True)
        found.append(sum(part for part, _ in Scale(view).worths(outcomes)) / ROUNDS)
    return found


def judged(came: float, predicted: float) -> float:
    """The logarithm of the chance that was given to what came."""
    chance = min(max(predicted, LEAST), 1 - LEAST)
    return came * log(chance) + (1 - came) * log(1 - chance)


def play(match: Match, others: Choose, rng: random.Random) -> Iterator[list[float]]:
    """Play a match with one expert; how well each decision of it was predicted by each of the weights."""
    me, waiting = rng.randrange(match.rules.players), list[list[float]]()
    while not match.over:
        if match.to_deal:
            match.deal()
        view = match.view(match.turn)
        mine = view.seat == me
        text = BOTS["expert"](view, rng, BUDGET_MS) if mine else others(view, rng, BUDGET_MS)
        if mine and len(view.legal) > 1:
            waiting.append(predict(view, text, rng.getrandbits(32)))
        match.play(text)
        if match.to_deal or match.over:
            came = share(match.table.winners, me)
            yield from ([judged(came, predicted) for predicted in found] for found in waiting)
            waiting.clear()


def measure(slug: str, players: int, others: str, matches: int) -> str:
    """A row of the table."""
    sums, counts = list[list[float]](), list[int]()
    for number in range(matches):
        rng = random.Random(f"{slug}-{players} {others} {number}")
        rows = list(play(Match(slug, [""] * players, rng=rng), OTHERS[others], rng))
        sums.append([sum(row[k] for row in rows) for k in range(len(KINDS))])
        counts.append(len(rows))
        print(f"{slug}-{players} among {others}: {number + 1} of {matches} matches", file=sys.stderr, flush=True)
    total = max(1, sum(counts))
    before, after = (sum(column) / total for column in zip(*sums, strict=True))
    gain = after - before
    rest = [b - a - gain * n for (a, b), n in zip(sums, counts, strict=True)]
    error = sqrt(sum(part * part for part in rest)) / total
    figures = f"{total:,} | {before:.4f} | {after:.4f} | {gain:+.4f} ± {2 * error:.4f}"
    return f"| `{slug}`, {players} players | {others} | {figures} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=count, default=60, help="at each table")
    parser.add_argument("--cells", type=cells, default="classic-4,modern-4,modern-6,premium-6")
    parser.add_argument("--others", choices=OTHERS, default=BEST_REPLY)
    args = parser.parse_args()
    use_cores(1)
    compile_bots()
    print("| table | others | decisions | by self-play | fitted | difference |")
    print("| --- | --- | ---: | ---: | ---: | --- |")
    for slug, players in args.cells:
        print(measure(slug, players, args.others, args.matches), flush=True)


if __name__ == "__main__":
    main()
