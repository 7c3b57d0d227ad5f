"""What accuracy the coach finds in the play of each bot, for docs/analysis.md: `python tools/accuracies.py [N]`."""

import random
import sys
from math import sqrt
from statistics import fmean, stdev

from suitors import Match
from suitors.bots import BOTS
from suitors.coach import analyse, get_ready

MATCHES = 30
TABLES = [("classic", 2), ("modern", 2), ("modern", 4)]
BUDGET_MS = 50.0


def play(slug: str, players: int, bot: str, number: int) -> Match:
    """A match of one bot in all seats."""
    rng = random.Random(f"accuracy/{slug}/{players}/{bot}/{number}")
    match = Match(slug, [f"Player {seat}" for seat in range(players)], rng=rng)
    while not match.over:
        if match.to_deal:
            match.deal()
        else:
            match.play(BOTS[bot](match.view(match.turn), rng, None))
    return match


def accuracies(slug: str, players: int, bot: str, matches: int) -> list[float]:
    """The mean accuracy of the seats of each match."""
    found = []
    for number in range(matches):
        accounts = analyse(play(slug, players, bot, number).record(), budget_ms=BUDGET_MS).accounts
        known = [account.accuracy for account in accounts if account.accuracy is not None]
        found += [fmean(known)] if known else []
    return found


def main() -> None:
    """Print a table: a row for each bot."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    get_ready()
    print("| bot | " + " | ".join(f"`{slug}`, {players} players" for slug, players in TABLES) + " |")
    print("| --- |" + " ---: |" * len(TABLES))
    for bot in BOTS:
        cells = []
        for slug, players in TABLES:
            found = accuracies(slug, players, bot, matches)
            cells.append(f"{fmean(found):.0f} ± {stdev(found) / sqrt(len(found)):.0f}")
        print(f"| `{bot}` | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
