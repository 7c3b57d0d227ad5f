"""How fast the solo game is solved: the whole game, and positions as they come up in play.

    python benchmarks/solitaire.py [--games N]

The baseline, in the same run, is the whole game on one thread. Compiling is not in the figures.
"""

import argparse
import os
import random
import resource
import time

from suitors import Solo
from suitors.rules import edition
from suitors.solve import over_all, solve, solve_from_start
from suitors.solve.solver import forget_solvers, simulate, solver_for


def whole(threads: int) -> float:
    """Seconds for the whole game on so many threads."""
    began = time.perf_counter()
    solve_from_start(edition("solitaire", 1), threads)
    return time.perf_counter() - began


def in_play(games: int) -> list[tuple[int, float]]:
    """For every decision of some games: its turn, and the seconds that a fresh solver needs for all its moves."""
    rng, found = random.Random(1), []
    for _ in range(games):
        game, turn = Solo(rng=rng), 1
        while not game.over:
            forget_solvers()
            solver_for(edition("solitaire", 1))
            began = time.perf_counter()
            best = solve(game).moves[0][0]
            found.append((turn, time.perf_counter() - began))
            turn += best not in ("agent", "draw")
            game.play(best)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games whose decisions are timed")
    parser.add_argument("--simulated", type=int, default=200_000, help="games that the best moves play")
    arguments = parser.parse_args()
    solve(Solo())  # compiles
    cores = os.cpu_count() or 1
    one, all_ = whole(1), whole(cores)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"whole game: one thread {one:.1f} s, {cores} threads {all_:.1f} s (×{one / all_:.2f})")
    print(f"memory at most: {memory:,.0f} MB")
    for first, last in ((1, 1), (2, 2), (3, 99)):
        times = sorted(seconds for turn, seconds in in_play(arguments.games) if first <= turn <= last)
        middle, worst = times[len(times) // 2], times[-1]
        turns = f"{first}{'+' if last > first else ' '}"
        print(f"decisions of turn {turns}: {len(times):4}, middle {middle:.4f} s, worst {worst:.4f} s")
    value, won = simulate(edition("solitaire", 1), arguments.simulated)
    error = (value * (1 - value) / arguments.simulated) ** 0.5
    print(f"computed {value:.6f}, won {won:.6f} of {arguments.simulated} games")
    print(f"difference: {(won - value) / error:+.2f} standard errors")
    values = solve_from_start(edition("solitaire", 1))
    print(f"over all starting hands: {over_all(values):.10f}")


if __name__ == "__main__":
    main()
