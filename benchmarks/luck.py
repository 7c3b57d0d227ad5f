"""How much of a decision is luck: what the moves chosen in little time lose beside those that much time finds best.

    python -m benchmarks.luck [--decisions 60] [--budgets 4,12,40] [--cells modern-4,premium-6] [--long-ms 2000]

Decisions of one seat among best replies. The expert's comparison of the moves runs for a long time; its verdict says
how many rounds each move loses to the best one, which is what somebody loses who chooses it. The baselines in the same
run are the network's likeliest move and the best reply. A loss of 0.01 is a hundredth of a round. Budgets are of trying
moves: what others have played is read before, for expert and best reply alike. All are judged by the expert's own
models, so this says how well its time is spent and not how true the models are.
"""

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from statistics import mean, stdev

from benchmarks.options import cells, count, positive, positives
from suitors import Belief, Match
from suitors.bots import best_reply
from suitors.bots.expert import choose as choose_as_expert
from suitors.bots.learned.choosing import chances
from suitors.bots.learned.comparing import Comparison
from suitors.bots.learned.network import network_for
from suitors.bots.learned.reading import read_opponents
from suitors.bots.learned.searching import WEIGHT
from suitors.bots.opponents import model
from suitors.bots.outcomes import Scale
from suitors.bots.tree_search import TreeSearch
from suitors.bots.warmup import compile_bots
from suitors.bots.weights import searchers
from suitors.bots.worlds import Worlds
from suitors.view.match import View

QUICK_MS = 5.0
"""How long everybody thinks in the matches from which decisions are taken."""

PART = 0.25
"""Which part of the seat's decisions is taken."""


def decisions(slug: str, players: int, rng: random.Random) -> Iterator[View]:
    """Decisions of an expert among best replies."""
    while True:
        match, me = Match(slug, [""] * players, rng=rng), rng.randrange(players)
        while not match.over:
            if match.to_deal:
                match.deal()
                continue
            view = match.view(match.turn)
            if view.seat == me and len(view.legal) > 1 and rng.random() < PART:
                yield view
            choose = choose_as_expert if view.seat == me else best_reply.choose
            match.play(choose(view, rng, QUICK_MS))


def compare(view: View, rng: random.Random, likely: Mapping[str, float], budget_ms: float) -> dict[str, float]:
    """How good the expert finds each move in so much time."""
    likelihood, at_random = read_opponents(view, budget_ms)
    began = time.perf_counter()
    search = TreeSearch(view, Belief(view, likelihood), rng, searchers(view.rules))
    compared = Comparison(Worlds(search, at_random, rng.getrandbits(32)), Scale(view), likely, WEIGHT)
    compared.run(began, budget_ms)
    return compared.goodness()


def losses(view: View, rng: random.Random, budgets: list[float], long_ms: float) -> dict[str, float]:
    """What each way of choosing loses at one decision, in rounds."""
    likely = chances(view, network_for(view.rules))
    verdict = compare(view, rng, likely, long_ms)
    chosen = {"network": best_of(likely)}
    model(view)
    for budget in budgets:
        chosen[f"best reply, {budget:g} ms"] = best_reply.choose(view, rng, budget)
        chosen[f"`expert`, {budget:g} ms"] = best_of(compare(view, rng, likely, budget))
    return {way: verdict[best_of(verdict)] - verdict[move] for way, move in chosen.items()}


def best_of(good: Mapping[str, float]) -> str:
    """The move with the greatest number."""
    return max(good, key=lambda text: good[text])


def measure(slug: str, players: int, args: argparse.Namespace) -> Iterator[str]:
    """Rows of the table: the mean loss, and twice its standard error."""
    rng, found = random.Random(f"{args.seed}/{slug}/{players}"), defaultdict[str, list[float]](list)
    for number, view in zip(range(args.decisions), decisions(slug, players, rng), strict=False):
        for way, loss in losses(view, rng, args.budgets, args.long_ms).items():
            found[way].append(loss)
        if (number + 1) % 10 == 0:
            print(f"{slug}-{players}: {number + 1} of {args.decisions} decisions", file=sys.stderr, flush=True)
    for way, lost in found.items():
        spread = 2 * stdev(lost) / len(lost) ** 0.5 if len(lost) > 1 else 0.0
        yield f"| `{slug}`, {players} players | {way} | {mean(lost):.4f} | ± {spread:.4f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=count, default=60, help="at each table")
    parser.add_argument("--budgets", type=positives, default="4,12,40", help="milliseconds")
    parser.add_argument("--cells", type=cells, default="modern-4,premium-6")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--long-ms", type=positive, default=2000.0, help="how long the moves are judged")
    args = parser.parse_args()
    compile_bots()
    print("| table | chosen by | rounds lost a decision | |\n| --- | --- | ---: | --- |")
    for slug, players in args.cells:
        for row in measure(slug, players, args):
            print(row, flush=True)


if __name__ == "__main__":
    main()
