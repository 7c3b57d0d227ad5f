"""How fast tables that learn are: observations, masks, rewards and new episodes included, on one core and on a GPU.

    python benchmarks/vector.py [--seconds S] [--tables N] [--gpu-tables N,N…] [--json]

Actions are chosen by chance among those that are legal (`sample_actions`), which is included on the GPU and told apart
on the CPU; compiling is not. Every figure is steps a second, a step being one decision at one table, the best of three
runs of equal length; one core is measured by the processor's time, for others may be at work on it.
"""

import argparse
import json
import os
import platform
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from suitors.lab.vector import VectorEnv

GAMES = [("classic", 2), ("classic", 4), ("modern", 2), ("modern", 6), ("premium", 8)]
MOST_STEPS = 1 << 20
"""How many steps a run has at most."""


Clock = Callable[[], float]
Run = Callable[[Any, int, Clock], float]


def rate(run: Run, tables: Any, seconds: float, clock: Clock) -> float:
    """Steps a second; a run is doubled until it takes long enough."""
    steps = 8
    took = run(tables, steps, clock)
    while took < seconds / 3 and steps < MOST_STEPS:
        steps *= 2
        took = run(tables, steps, clock)
    return max(len(tables) * steps / run_ for run_ in (took, *(run(tables, steps, clock) for _ in range(2))))


def whole(tables: Any, steps: int, clock: Clock) -> float:
    """The seconds that so many steps take at all tables, choosing the actions included."""
    began = clock()
    for _ in range(steps):
        tables.step(tables.sample_actions())
    return clock() - began


def alone(tables: Any, steps: int, clock: Clock) -> float:
    """The seconds that so many steps take at all tables when the actions are there."""
    took = 0.0
    for _ in range(steps):
        chosen = tables.sample_actions()
        began = clock()
        tables.step(chosen)
        took += clock() - began
    return took


def on_gpu(slug: str, players: int, full: bool, sizes: list[int], seconds: float) -> dict[str, float]:
    """The figures of a GPU for each number of tables, where there is one."""
    if find_spec("numba_cuda") is None:
        return {}
    from suitors.fast.gpu import cuda  # noqa: PLC0415
    from suitors.lab.cuda import CudaVectorEnv  # noqa: PLC0415

    if not cuda.is_available():
        return {}

    def clock() -> float:
        cuda.synchronize()
        return time.perf_counter()

    return {
        f"GPU, {size:,} tables": rate(whole, CudaVectorEnv(slug, players, size, full=full), seconds, clock)
        for size in sizes
    }


def measure(slug: str, players: int, full: bool, arguments: argparse.Namespace) -> dict[str, Any]:
    """All figures of one edition and number of players."""
    tables = VectorEnv(slug, players, arguments.tables, full=full, threads=1)
    return {
        "edition": slug,
        "players": players,
        "observation": tables.space.size,
        "actions": tables.space.actions,
        "one core": rate(alone, tables, arguments.seconds, time.process_time),
        "one core, choosing included": rate(whole, tables, arguments.seconds, time.process_time),
        **on_gpu(slug, players, full, arguments.gpu_tables, arguments.seconds),
    }


def main() -> None:
    """Measure everything and print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="about how long each figure takes")
    parser.add_argument("--tables", type=int, default=4096, help="tables on the CPU")
    parser.add_argument(
        "--gpu-tables",
        type=lambda text: [int(size) for size in text.split(",")],
        default=[1 << 16, 1 << 20],
        help="tables on the GPU",
    )
    parser.add_argument("--json", action="store_true", help="print JSON Lines")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores; steps a second")
    for slug, players in GAMES:
        for full in (False, True):
            row = measure(slug, players, full, arguments)
            if arguments.json:
                print(json.dumps(row), flush=True)
                continue
            figures = "  ".join(f"{way} {row[way]:>13,.0f}" for way in list(row)[4:])
            print(f"{slug:>8} {players}, {row['observation']:>3} numbers:  {figures}", flush=True)


if __name__ == "__main__":
    main()
