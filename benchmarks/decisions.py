"""How quickly the bots think: milliseconds for an exact belief, and simulated rounds in a budget.

    python benchmarks/decisions.py [--views 2000] [--decisions 30] [--budget-ms 40]

Beliefs are interpreted Python with or without numba; their baseline in the same run is the view they are made from.
"""

import argparse
import random
import time
from collections.abc import Iterator
from statistics import mean, median

from suitors import Belief, Match, View
from suitors.bots.cores import cores
from suitors.bots.tree_search import TreeSearch

TABLES = (("classic", 2), ("modern", 2), ("premium", 4), ("modern", 4), ("premium", 6), ("premium", 8))


def views(slug: str, players: int, seed: int) -> Iterator[tuple[View, float]]:
    """Views of random games, each of the seat that is to decide, and the milliseconds that it took to make them."""
    rng = random.Random(seed)
    while True:
        match = Match(slug, [""] * players, rng=rng)
        while not match.over:
            if match.to_deal:
                match.deal()
                continue
            began = time.perf_counter()
            view = match.view(match.turn)
            yield view, (time.perf_counter() - began) * 1000
            match.push(rng.choice(match.moves()))


def time_beliefs(slug: str, players: int, count: int) -> str:
    """The times of so many beliefs, with all their chances."""
    times, making = [], []
    for (view, made), _ in zip(views(slug, players, 1), range(count), strict=False):
        began = time.perf_counter()
        belief = Belief(view)
        _ = belief.hands, belief.aside, belief.next_draw
        times.append((time.perf_counter() - began) * 1000)
        making.append(made)
    times.sort()
    ratio = mean(times) / mean(making)
    return f"{mean(times):.2f} | {times[len(times) * 99 // 100]:.2f} | {times[-1]:.2f} | ×{ratio:.1f}"


def count_rounds(slug: str, players: int, decisions: int, budget_ms: float, threads: int) -> int:
    """The simulated rounds of a decision within the budget, in the middle of so many decisions."""
    counts = []
    rng = random.Random(2)
    for view, _ in views(slug, players, 2):
        if len(view.legal) > 1:
            search = TreeSearch(view, Belief(view), rng)
            began = time.perf_counter()
            visits = search.run_until([0.0] * players, began, budget_ms, threads)
            counts.append(sum(visits.values()))
        if len(counts) > decisions:
            break
    return int(median(counts[1:]))


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", type=int, default=2000)
    parser.add_argument("--decisions", type=int, default=30)
    parser.add_argument("--budget-ms", type=float, default=40.0)
    args = parser.parse_args()
    print("| table | belief, mean ms | 99% | worst | to the view | rounds, 1 core | rounds, all cores |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for slug, players in TABLES:
        beliefs = time_beliefs(slug, players, args.views)
        one, all_ = (count_rounds(slug, players, args.decisions, args.budget_ms, n) for n in (1, cores()))
        print(f"| `{slug}`, {players} players | {beliefs} | {one:,} | {all_:,} |", flush=True)
    print(f"\nRounds are simulated in {args.budget_ms:g} ms; {cores()} cores.")


if __name__ == "__main__":
    main()
