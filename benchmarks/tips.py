"""The figures of the tips (words/tips.toml): measured in rounds of the bots' quick policy, or computed by the solver.

    python -m benchmarks.tips [--rounds 2000000] [--games 100000] [--seed 1] [--editions modern,…]
    python -m benchmarks.tips --check --rounds 200000 --games 10000

Every edition is played with the middle one of its numbers of players. The figures go to words/tip_figures.json, edition
by edition: after an interrupt, --editions goes on with the others. --check writes nothing, and measures with the next
seed whether the file's figures are to be had again. docs/tips.md says what they mean.
"""

import argparse
import json
import shlex
import sys
import time
from collections.abc import Iterator, Mapping
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

import suitors
from benchmarks.tip_cards import CARD_FIGURES, GENERAL_FIGURES, Figures, Measured, Sample
from benchmarks.tip_rounds import BLOCK, sample
from benchmarks.tip_solo import SoloFigures
from suitors.notation import CARD_NAMES
from suitors.rules import BOXES, Card, edition
from suitors.words.tips import general_tips

FILE = Path(suitors.__file__).parent / "words" / "tip_figures.json"
WIDTH = 1.96
"""Standard errors on either side of an estimate: 95%."""

STRAY = 4.5
"""Standard errors between two measurements that --check lets pass: of some hundred figures none is beyond by chance."""

PAUSE_S = 10.0
"""Seconds between two lines of progress."""

Row = dict[str, Any]
"""A figure as the file has it: value, and for an estimate low, high and observations."""


class Mean:
    """A mean over rows of many rounds; rows of the same round depend on each other, rounds do not."""

    def __init__(self) -> None:
        self.rows, self.total = 0, 0.0
        self.squares = np.zeros(3)  # over rounds: of their rows, of rows times sum, of their sums

    def add(self, rounds: Any, measured: Measured) -> None:
        """Take a block of rows into account."""
        where, values = measured
        rows = np.bincount(rounds[where], minlength=BLOCK)
        sums = np.bincount(rounds[where], weights=values[where], minlength=BLOCK)
        self.rows += int(rows.sum())
        self.total += float(sums.sum())
        self.squares += [(rows * rows).sum(), (rows * sums).sum(), (sums * sums).sum()]

    def row(self) -> Row:
        """The mean with its interval."""
        rows = max(1, self.rows)
        mean = self.total / rows
        spread = float(self.squares @ [mean * mean, -2 * mean, 1.0])
        return estimate(mean, sqrt(max(0.0, spread)) / rows, self.rows)


def estimate(mean: float, error: float, observations: int) -> Row:
    """A figure with its interval of 95%."""
    low, high = mean - WIDTH * error, mean + WIDTH * error
    return {"value": round(mean, 5), "low": round(low, 5), "high": round(high, 5), "observations": observations}


def middle(slug: str) -> int:
    """The middle one of an edition's numbers of players."""
    players = BOXES[slug].players
    return players[len(players) // 2]


def wanted(slug: str) -> dict[str, Figures]:
    """What is measured in an edition for several players, by the names of its tips."""
    deck = BOXES[slug].decks[middle(slug)]
    cards = {f"cards.{CARD_NAMES[card]}": CARD_FIGURES[card] for card in sorted(deck)}
    return cards | {f"general.{tip}": GENERAL_FIGURES[tip] for tip in general_tips(slug)}


def measure(slug: str, rounds: int, seed: int) -> dict[str, dict[str, Row]]:
    """The figures of an edition for several players."""
    ed, tips = edition(slug, middle(slug)), wanted(slug)
    means: dict[tuple[str, str], Mean] = {}
    told = time.monotonic()
    for block, rows in enumerate(sample(ed, rounds, seed), 1):
        seen = Sample(rows, ed)
        for tip, figures in tips.items():
            for name, measured in figures(seen).items():
                means.setdefault((tip, name), Mean()).add(rows["round"], measured)
        if time.monotonic() - told > PAUSE_S:
            told = time.monotonic()
            tell(f"{slug}: {min(rounds, block * BLOCK):,} of {rounds:,} rounds")
    return {tip: {name: mean.row() for (of, name), mean in means.items() if of == tip} for tip in tips}


def solve(slug: str, games: int, seed: int) -> dict[str, dict[str, Row]]:
    """The figures of an edition for one player."""
    tell(f"{slug}: solving about half a minute")
    solo = SoloFigures(edition(slug, 1))
    exact = {tip: {name: {"value": round(v, 5)} for name, v in row.items()} for tip, row in solo.exact().items()}
    last = solo.endings(games, seed)
    won = last[last >= 0]
    enders = {"single": [Card.GUARD], "three": [Card.GUARD, Card.PRINCE, Card.KING]}
    ended = {name: share(np.isin(won, cards)) for name, cards in enders.items()}
    found = exact | {"solo.princess": ended}
    tips = [f"solo.{CARD_NAMES[card]}" for card in sorted(BOXES[slug].decks[1])]
    return {tip: found[tip] for tip in (*tips, *(f"general.{tip}" for tip in general_tips(slug)))}


def share(found: Any) -> Row:
    """How often something was so in games that are independent of each other."""
    mean = float(found.mean())
    return estimate(mean, sqrt(mean * (1 - mean) / len(found)), len(found))


def tell(words: str) -> None:
    """Say on standard error how things stand."""
    print(words, file=sys.stderr, flush=True)


def figures(slug: str, rounds: int, games: int, seed: int) -> dict[str, Any]:
    """What the file holds of an edition."""
    if BOXES[slug].solo:
        return {"players": 1, "games": games, "seed": seed, "tips": solve(slug, games, seed)}
    return {"players": middle(slug), "rounds": rounds, "seed": seed, "tips": measure(slug, rounds, seed)}


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """The figures of an edition that are not to be had again."""
    for tip, row in new["tips"].items():
        for name, found in row.items():
            before = old.get("tips", {}).get(tip, {}).get(name, {})
            if not before or abs(before["value"] - found["value"]) > STRAY * joint_error(before, found) + 1e-5:
                yield f"{tip} {name}: {before.get('value', 'missing')} in the file, {found['value']} now"


def joint_error(*rows: Row) -> float:
    """The standard error of the difference of two figures."""
    return sqrt(sum((row.get("high", row["value"]) - row["value"]) ** 2 for row in rows)) / WIDTH


def positive(text: str) -> int:
    """Read a number of rounds or games."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number above 0")
    return int(text)


def slugs(text: str) -> list[str]:
    """Read a list of editions."""
    found = text.split(",")
    if unknown := [slug for slug in found if slug not in BOXES]:
        raise argparse.ArgumentTypeError(f"'{unknown[0]}' is none of {', '.join(BOXES)}")
    return found


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=positive, default=2_000_000, help="for each edition for several players")
    parser.add_argument("--games", type=positive, default=100_000, help="for each edition for one player")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--editions", type=slugs, default=list(BOXES), metavar="SLUG,…")
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    return parser.parse_args()


def main() -> int:
    """Measure and write, or compare."""
    args = arguments()
    seed = args.seed + (1 if args.check else 0)
    make = partial(figures, rounds=args.rounds, games=args.games, seed=seed)
    stored: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    command, wrong = shlex.join(["python", "-m", "benchmarks.tips", *sys.argv[1:]]), 0
    for slug in args.editions:
        began = time.monotonic()
        found = {"command": command, **make(slug)}
        if args.check:
            for line in differences(stored.get(slug, {}), found):
                print(f"{slug}: {line}")
                wrong = 1
        else:
            stored = {key: found if key == slug else stored[key] for key in BOXES if key == slug or key in stored}
            FILE.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
        tell(f"{slug}: done in {time.monotonic() - began:.0f} s")
    return wrong


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        tell("Interrupted: --editions goes on with the editions that are not done.")
        sys.exit(130)
