"""What very many matches take: matches a second of one core, the size of the log, and what merging and Dask add.

    python benchmarks/ten_billion.py [--seconds S] [--cluster local:2]

Every figure is by seconds of the processor, so that other work on the machine changes little. The arena's figures are
those of `suitors tournament --jobs 1` with its log; `compiled random` is the loop of benchmarks/rules.py. The last
columns are what ten billion matches take: on one core, and on so many machines of 16 cores.
"""

import argparse
import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from suitors import __version__
from suitors.arena import Journal, Merge, Plan, Shard, Tournament
from suitors.arena.cluster_client import ClusterClient
from suitors.arena.journal import LOG
from suitors.arena.runner import MatchRunner, Outcome
from suitors.bots import warm_up
from suitors.fast.batch import random_matches
from suitors.rules import edition as rules_of

TABLES = [("classic", 2), ("modern", 2), ("modern", 4), ("premium", 8)]
QUICK = ["random", "novice"]
"""Bots that compiled code plays."""

OTHERS = ["counting", "expert"]
"""Bots that are measured at one table: they take their time everywhere."""

BLOCK = 50
MATCHES = 10_000_000_000
CORES, MACHINES = 16, (10, 100, 1000)
SHARDS = 4
DOUBLINGS = 30


def compiled_random(edition: str, players: int, seconds: float) -> float:
    """Matches a second of one core, of bots that play by chance in compiled code."""
    random_matches(edition, players, 1, 1, threads=1)
    return doubled(lambda matches: len(random_matches(edition, players, matches, 1, threads=1).moves), 10_000, seconds)


def in_arena(bot: str, edition: str, players: int, seconds: float) -> float:
    """Matches a second of one core, of a tournament with a log."""
    warm_up([bot], rules_of(edition, players))
    block, start = (BLOCK, 1000) if bot in QUICK else (1, 2)

    def play(games: int) -> int:
        return played(Plan((bot, bot), ((edition, players),), games, 1, block=block))

    play(start)
    return doubled(play, start, seconds)


def played(plan: Plan, shard: Shard | None = None, folder: Path | None = None, cluster: str | None = None) -> int:
    """Play a tournament with a log, and say how many matches it had."""
    with tempfile.TemporaryDirectory() as scratch:
        tournament = Tournament(plan, shard)
        with Journal(folder or Path(scratch), plan, __version__, shard) as journal:
            journal.begin()
            with closing(tournament.play(journal, jobs=None if cluster else 1, cluster=cluster)) as rows:
                return sum(row.games for row in rows)


def doubled(play: Callable[[int], int], start: int, seconds: float) -> float:
    """Matches a second of the processor: their number is doubled until they take long enough."""
    matches = start
    for _ in range(DOUBLINGS):
        began = time.process_time()
        count = play(matches)
        took = time.process_time() - began
        if took >= seconds:
            break
        matches *= 2
    return count / max(took, 1e-9)


def settled(runner: MatchRunner, group: object) -> Outcome:
    """A match that takes no time."""
    return Outcome([840, 0], [840, 0], [20, 20], [0.001234, 0.004321])


def measure_log(block: int, lines: int) -> Iterator[str]:
    """What the log and a merge take for each line, the matches themselves taking nothing."""
    play = MatchRunner.play
    MatchRunner.play = settled  # type: ignore[method-assign, assignment]
    plan = Plan(("counting", "search"), (("modern", 2),), 2 * block * lines, 1, block=block)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            folders = [Path(scratch) / str(k) for k in range(1, SHARDS + 1)]
            for k, folder in enumerate(folders, 1):
                played(plan, Shard(k, SHARDS), folder)
            size = sum((folder / LOG).stat().st_size for folder in folders) / lines
            began = time.process_time()
            for _ in Merge(folders, __version__).write(Path(scratch) / "merged"):
                pass
            merging = (time.process_time() - began) / lines
    finally:
        MatchRunner.play = play  # type: ignore[method-assign]
    whole = MATCHES / plan.group_size
    yield f"--block {block}: {size:.0f} bytes a line, {1e6 * merging:.0f} µs to merge it"
    yield f"    ten billion matches: {size * whole / 1e9:,.1f} GB, merged in {merging * whole / 3600:,.2f} hours"


def measure_cluster(address: str, block: int, lines: int) -> str:
    """What handing out groups and taking their results back costs the process that does it."""
    plan = Plan(("random", "random"), (("classic", 2),), 2 * block * lines, 1, block=block)
    with ClusterClient(address) as client:  # so that its start does not count
        scheduler = client.client.scheduler.address
        played(plan, cluster=scheduler)
        began = time.process_time()
        played(plan, cluster=scheduler)
        each = (time.process_time() - began) / lines
    return f"--cluster {address} --block {block}: {1e6 * each:.0f} µs of client and scheduler for each line"


def row(bot: str, edition: str, players: int, rate: float) -> str:
    """A line of the table."""
    hours = MATCHES / rate / 3600
    whole = " | ".join(f"{hours / CORES / machines:,.2f}" for machines in MACHINES)
    return f"| {bot} | `{edition}`, {players} players | {rate:,.{0 if rate > 10 else 1}f} | {hours:,.1f} | {whole} |"


def main() -> None:
    """Measure everything and print it as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="about how long each figure takes")
    parser.add_argument("--cluster", metavar="ADDRESS", help="also measure what a Dask cluster adds")
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}; hours for {MATCHES:,} matches\n")
    print("| bots | table | matches/s a core | one core | " + " | ".join(f"{n} machines" for n in MACHINES) + " |")
    print("| --- | --- | ---: | ---: |" + " ---: |" * len(MACHINES))
    for edition, players in TABLES:
        print(
            row("compiled random", edition, players, compiled_random(edition, players, arguments.seconds)), flush=True
        )
        for bot in QUICK:
            print(row(f"`{bot}`", edition, players, in_arena(bot, edition, players, arguments.seconds)), flush=True)
    for bot in OTHERS:
        print(row(f"`{bot}`", "modern", 2, in_arena(bot, "modern", 2, arguments.seconds)), flush=True)
    print()
    for block, lines in ((1, 20_000), (1000, 200)):
        for line in measure_log(block, lines):
            print(line)
    if arguments.cluster:
        print(measure_cluster(arguments.cluster, 1, 2000))
        print(measure_cluster(arguments.cluster, 1000, 100))


if __name__ == "__main__":
    main()
