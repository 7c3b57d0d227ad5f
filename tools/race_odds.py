"""Measures what a round brings, for the table in src/suitors/solve/race.py: `python tools/race_odds.py [ROUNDS]`.

Rounds by the quick policy: how often the starter wins, how often the winner gains a second token, and how often a
token goes to somebody else.
"""

import sys

import numpy as np

from suitors.bots.weights import weights
from suitors.fast.layout import wide_edition, wide_type
from suitors.mass.compiled import play_matches
from suitors.mass.matches import COLUMNS, FIRST, POLICY, WINNERS
from suitors.mass.play import new_start, new_work
from suitors.rules import edition

ROUNDS = 40_000
DECKS = [
    *(("classic", players) for players in (2, 3, 4)),
    *(("modern", players) for players in (2, 3, 4, 5, 6)),
    *(("premium", players) for players in (5, 6, 7, 8)),
]
"""One edition for each kind of deck."""


def measure(slug: str, players: int, rounds: int) -> tuple[float, float, float]:
    """The three chances, from so many rounds."""
    rules = edition(slug, players)
    table, work, theta = np.zeros(1, wide_type(quiet=False)), new_work(), np.asarray(weights(rules))
    row, won, decided = (np.zeros((1, size), np.int64) for size in (COLUMNS, 9, 8))
    found = np.zeros(3)
    for k in range(rounds):
        start = new_start([[POLICY] * players], [k], [k])._replace(whole=False)
        play_matches(table, wide_edition(rules), theta, work, start, row, won, decided)
        winners = [seat for seat in range(players) if row[0, WINNERS] >> seat & 1]
        tokens = table["tokens"][0]
        for seat in winners:
            found += np.array([seat == row[0, FIRST], tokens[seat] > 1, 0]) / len(winners)
        found[2] += any(tokens[seat] for seat in range(players) if seat not in winners)
    starter, second, elsewhere = found / rounds
    return starter, second, elsewhere


def main() -> None:
    """Print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    for slug, players in DECKS:
        odds = ", ".join(f"{chance:.3f}" for chance in measure(slug, players, rounds))
        print(f"    ({edition(slug, players).cards}, {players}): RoundOdds({odds}),", flush=True)


if __name__ == "__main__":
    main()
