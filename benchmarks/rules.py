"""How fast the rules run: interpreted, compiled on one core and on all, and on a GPU where there is one.

    python benchmarks/rules.py [--seconds S] [--json]

Uniformly random legal moves over whole matches; shuffling, dealing and finding the legal moves are included, compiling
is not. Every figure is moves a second; the last column of each is its ratio to the interpreted rules in the same run.
"""

import argparse
import json
import os
import platform
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from suitors.fast.batch import random_matches
from suitors.fast.games import STATE, random_match, seed_chance
from suitors.rules import edition, new_table

GAMES = [("classic", 2), ("classic", 4), ("modern", 2), ("modern", 6), ("premium", 8)]
Count = Callable[[int], int]
"""Plays so many matches and says how many moves they took."""

DOUBLINGS = 24
"""How often the number of matches is doubled at most."""


def interpreted(slug: str, players: int) -> Count:
    """The rules as plain Python."""
    ed = edition(slug, players)
    t, order, rng = new_table(ed), [0] * ed.cards, [0] * STATE

    def play(matches: int) -> int:
        moves = 0
        for game in range(matches):
            seed_chance(rng, 1, game)
            moves += random_match(t, ed, order, rng) & 0xFFFFFFFF
        return moves

    return play


def compiled(slug: str, players: int, threads: int) -> Count:
    """The rules compiled for the CPU."""
    return lambda matches: int(random_matches(slug, players, matches, 1, threads=threads).moves.sum())


def on_gpu(slug: str, players: int) -> Count:
    """The rules compiled for the GPU; the results stay in its memory."""
    import numpy as np  # noqa: PLC0415
    from numba import cuda as device  # noqa: PLC0415

    from suitors.fast import cuda  # noqa: PLC0415

    ed = edition(slug, players)

    def play(matches: int) -> int:
        columns = [device.device_array(matches, kind) for kind in (np.int16, np.int32, np.int32)]
        began = time.perf_counter()
        cuda.launch_random(ed, 1, columns)
        device.synchronize()
        play.seconds = time.perf_counter() - began  # type: ignore[attr-defined]
        return int(columns[2].copy_to_host().sum(dtype=np.int64))

    return play


def rate(play: Count, start: int, seconds: float) -> float:
    """Moves a second: the number of matches is doubled until a run takes long enough; the best of three counts."""
    play(1)
    matches = start
    took, moves = timed(play, matches)
    while took < seconds / 3 and matches < start << DOUBLINGS:
        matches *= 2
        took, moves = timed(play, matches)
    runs = [(took, moves), timed(play, matches), timed(play, matches)]
    return max(moves / took for took, moves in runs)


def timed(play: Count, matches: int) -> tuple[float, int]:
    """The seconds that so many matches take, by the player's own clock if it has one, and their moves."""
    began = time.perf_counter()
    moves = play(matches)
    return getattr(play, "seconds", time.perf_counter() - began), moves


def has_gpu() -> bool:
    """Whether the GPU can be measured."""
    if find_spec("numba_cuda") is None:
        return False
    from suitors.fast import cuda  # noqa: PLC0415

    return cuda.available()


def measure(slug: str, players: int, seconds: float, gpu: bool) -> dict[str, Any]:
    """All figures for one edition and number of players."""
    cores = os.cpu_count() or 1
    figures = {
        "interpreted": rate(interpreted(slug, players), 50, seconds),
        "one core": rate(compiled(slug, players, 1), 10_000, seconds),
        f"{cores} cores": rate(compiled(slug, players, cores), 10_000 * cores, seconds),
    }
    if gpu:
        figures["GPU"] = rate(on_gpu(slug, players), 1 << 20, seconds)
    return {"edition": slug, "players": players, **figures}


def main() -> None:
    """Measure everything and print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="about how long each figure takes")
    parser.add_argument("--json", action="store_true", help="print JSON Lines")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores; moves a second (ratio to interpreted)")
    gpu = has_gpu()
    for slug, players in GAMES:
        row = measure(slug, players, arguments.seconds, gpu)
        if arguments.json:
            print(json.dumps(row), flush=True)
            continue
        base = row["interpreted"]
        figures = "  ".join(f"{way} {row[way]:>15,.0f} (×{row[way] / base:,.0f})" for way in list(row)[2:])
        print(f"{slug:>8} {players}:  {figures}", flush=True)


if __name__ == "__main__":
    main()
