"""How many whole matches of the quick bots are played in a second, compiled on one core and by the arena's bots.

    python benchmarks/mass_play.py [--seconds 2] [--interpreted 60]

Dealing, shuffling, deciding and scoring are all in the figures; compiling is not. The ratio is to the interpreted arena
in the same run, which plays the same matches: that they end alike is checked. The last column is all of `suitors match`
on one thread, with its seeds, sums and intervals.
"""

import argparse
import time
from collections.abc import Callable

from suitors.arena import Series
from suitors.arena.quick import FEWEST, play_quickly
from suitors.arena.runner import Fixture, MatchRunner
from suitors.bots import BOTS
from suitors.mass.matches import NOVICE, POLICY, UNIFORM
from suitors.mass.play import new_start, play
from suitors.rules import edition, find_box

TABLES = (("classic", 2), ("modern", 2), ("modern", 4), ("premium", 4), ("premium", 8))
KINDS = {"random": UNIFORM, "novice": NOVICE, "policy": POLICY}
DOUBLINGS = 14


def rate(run: Callable[[int], object], seconds: float, matches: int = 64) -> float:
    """Matches a second: the best of three runs of as many matches as take so long, and of no fewer than given."""
    for _ in range(DOUBLINGS):
        began = time.process_time()
        run(matches)
        spent = time.process_time() - began
        if spent >= seconds / 3:
            break
        matches *= 2
    times = []
    for _ in range(3):
        began = time.process_time()
        run(matches)
        times.append(time.process_time() - began)
    return matches / max(1e-9, min(times))


def compiled(slug: str, players: int, bot: str, seconds: float) -> float:
    """Matches a second of compiled code on one core."""
    rules, seating = edition(slug, players), find_box(slug).seating

    def run(matches: int) -> None:
        play(rules, new_start([[KINDS[bot]] * players] * matches, range(matches), range(matches), seating))

    return rate(run, seconds)


def interpreted(slug: str, players: int, bot: str, matches: int) -> float:
    """Matches a second of the bots themselves, whose matches are those of compiled code."""
    fixtures = [Fixture(slug, (0,) * players, f"{k}/deal", f"{k}/chance") for k in range(matches)]
    with MatchRunner([bot]) as runner:
        began = time.process_time()
        found = [runner.play(fixture) for fixture in fixtures]
        spent = time.process_time() - began
        same = play_quickly([BOTS[bot]], fixtures, 1)
    assert [outcome.decisions for outcome in found] == [outcome.decisions for outcome in same]
    return matches / spent


def series(slug: str, players: int, bot: str, seconds: float) -> float:
    """Matches a second of a series in the arena, on one thread."""

    def run(groups: int) -> None:
        for _ in Series(slug, [bot] * players, 1).play(players * groups, jobs=1):
            pass

    return rate(run, seconds, FEWEST) * players


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long a figure is measured")
    parser.add_argument("--interpreted", type=int, default=60, help="matches of the interpreted arena")
    words = parser.parse_args()
    print("| game | bot | interpreted | compiled, one core | `suitors match` |\n| --- | --- | ---: | ---: | ---: |")
    for slug, players in TABLES:
        for bot in KINDS:
            quick = compiled(slug, players, bot, words.seconds)
            row = f"| `{slug}`, {players} players | `{bot}` |"
            if bot in BOTS:
                slow, whole = (
                    interpreted(slug, players, bot, words.interpreted),
                    series(slug, players, bot, words.seconds),
                )
                print(f"{row} {slow:,.0f} | {quick:,.0f} (×{quick / slow:,.0f}) | {whole:,.0f} |", flush=True)
            else:
                print(f"{row} – | {quick:,.0f} | – |", flush=True)


if __name__ == "__main__":
    main()
