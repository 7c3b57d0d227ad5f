"""Kill a server again and again while people play, and count what was lost: nothing may be.

    PYTHONPATH=tests python -m benchmarks.kills [--kills 1000] [--minutes 60] [--no-sync]

What tests/server/test_survives.py does a few times, with new tables whenever the matches are over; at every fourth of
them there are bots. Some of the kills hit a server that has only just been started. Everything that the players were
told, and every answer to their moves, is compared with what the tables hold in the end; each record is replayed, and
its shuffle checked.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from support.kills import Player, check_player, check_record, kill_again_and_again, open_table
from support.servers import Caller, Running, running

AT_A_TIME = 25
"""Kills at most while the same matches are played."""

LONGEST_START_S = 2.0
LONGEST_MATCH_S = 900.0
"""After which a match that is not over is given up, on however busy a machine."""


def play_and_kill(server: Running, people: list[Caller], rng: random.Random, most: int, *, bots: bool) -> Counter[str]:
    """Two matches under fire: how often the server was killed, what was told and acknowledged, and none of it lost."""
    first = open_table(people, "premium", ["random", "novice"] if bots else [])
    second = open_table(people[:2], "modern", ["random", "random"] if bots else [])
    players = [Player(person, first, seat, LONGEST_MATCH_S) for seat, person in enumerate(people)]
    players += [Player(person, second, seat, LONGEST_MATCH_S) for seat, person in enumerate(people[:2])]
    for player in players:
        player.start()
    found = Counter(kills=kill_again_and_again(server, players, most, rng))
    for player in players:
        player.join(LONGEST_MATCH_S)
        check_player(player)
    for table in (first, second):
        check_record(people[0], table)
    found.update(
        told=sum(len(player.events) for player in players),
        acknowledged=sum(len(player.granted) for player in players),
        matches=2,
    )
    return found


def kill_at_start(server: Running, rng: random.Random) -> None:
    """Kill the server, start it, and kill it again before it can do much."""
    server.kill()
    command, quiet = (
        [sys.executable, "-m", "suitors", "serve", "--no-open", "--port", "0", "--data"],
        subprocess.DEVNULL,
    )
    starting = subprocess.Popen([*command, str(server.folder / "data"), *server.more], stdout=quiet, stderr=quiet)
    time.sleep(rng.uniform(0, LONGEST_START_S))
    starting.kill()
    starting.wait()
    server.start(int(server.address.rpartition(":")[2]))


def main() -> None:
    """Kill so often, or for so long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-sync", action="store_true", help="do not let the server wait for the disk")
    options = parser.parse_args()
    names = ("Ada", "Ben", "Cleo", "Dora", "Emil")
    rng, total, end = random.Random(options.seed), Counter[str](), time.monotonic() + 60 * options.minutes
    more = ("--no-sync",) if options.no_sync else ()
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), *more) as server:
        people = [Caller(server.address, name) for name in names]
        while total["kills"] < options.kills and time.monotonic() < end:
            most, bots = min(AT_A_TIME, options.kills - total["kills"]), total["matches"] % 8 == 0
            total += play_and_kill(server, people, rng, most, bots=bots)
            for _ in range(3):
                if total["kills"] + 2 <= options.kills:
                    kill_at_start(server, rng)
                    total.update(kills=2, at_start=1)
            print(dict(total), "and nothing was lost", flush=True)


if __name__ == "__main__":
    main()
