"""How fast `suitors replay --batch` is: whole matches a second, the program's own start included.

    python benchmarks/replay.py [--matches N]

The baseline, in the same run, is Python's own reading and writing of the same JSON.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from suitors import Match

GAMES = [("classic", 2), ("modern", 2), ("modern", 4), ("premium", 4), ("premium", 8)]


def write_matches(path: Path, slug: str, players: int, matches: int) -> None:
    """Write random matches as JSON Lines."""
    rng = random.Random(1)
    with path.open("w") as file:
        for _ in range(matches):
            match = Match(slug, [f"Player {seat}" for seat in range(players)], rng=rng)
            while not match.over:
                if match.to_deal:
                    match.deal()
                else:
                    match.push(rng.choice(match.moves()))
            file.write(json.dumps(match.record()) + "\n")


def seconds(command: list[str]) -> float:
    """How long a command takes."""
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1000)
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matches.jsonl"
        for slug, players in GAMES:
            write_matches(path, slug, players, matches)
            replay = seconds([sys.executable, "-m", "suitors", "replay", "--batch", str(path)])
            copy = "import json,sys\nfor line in open(sys.argv[1]): print(json.dumps(json.loads(line)))"
            baseline = seconds([sys.executable, "-c", copy, str(path)])
            ratio = replay / baseline
            print(f"{slug:>8} {players}: {matches / replay:8,.0f} matches/s, ×{ratio:.1f} the time of plain JSON")


if __name__ == "__main__":
    main()
