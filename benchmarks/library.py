"""How quick matches are as Python objects: steps, views, copies and steps taken back, each a second.

    python benchmarks/library.py [--seconds 1.0] [--beside FOLDER]

FOLDER is the `src` of another version of Suitors (`git worktree add ../last v0.1.0` gives one), which does the same in
the same run, table by table. Where python-chess is installed (`pip install chess`), its board does what comes nearest.
The other Love Letter in Python with rules of its own, plammens/loveletter, is in no package index: the package of that
name is another project. Seconds are those of the processor, and each figure is the best of some runs, so that what else
the machine does matters little.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from suitors import Match

TABLES = (("classic", 2), ("modern", 2), ("modern", 4), ("premium", 8))
BATCH = 50
"""How often something is done between two looks at the clock."""

RUNS = 5
"""Runs of equal length behind a figure."""

Figures = list[float]
"""Steps, views, copies, moves played and taken back, each a second."""


def rate(act: Callable[[], object], seconds: float) -> float:
    """How often something can be done in a second: the best of some runs."""
    return max(one_rate(act, seconds / RUNS) for _ in range(RUNS))


def one_rate(act: Callable[[], object], seconds: float) -> float:
    """How often it was done in a second of one run."""
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for _ in range(BATCH):
            act()
        done += BATCH
    return done / spent


def late_match(slug: str, players: int) -> Match:
    """A match in its fifth round, or the last that it has, where somebody has to decide."""
    rng, seed = random.Random(1), 0
    while True:
        match = Match(slug, [""] * players, rng=random.Random(seed))
        while not match.over and (len(match.rounds) < 5 or match.to_deal or len(match.rounds[-1].moves) < 2):
            match.deal() if match.to_deal else match.push(rng.choice(match.moves()))
        if not match.over:
            return match
        seed += 1


def steps(slug: str, players: int) -> Callable[[], None]:
    """A step by chance: find the legal moves and play one; matches that end are followed by others."""
    rng, matches = random.Random(2), [Match(slug, [""] * players, rng=random.Random(2))]

    def step() -> None:
        match = matches[0]
        if match.over:
            match = matches[0] = Match(slug, [""] * players, rng=rng)
        match.deal() if match.to_deal else match.push(rng.choice(match.moves()))

    return step


def there_and_back(match: Match) -> Callable[[], None]:
    """Play a move and take it back."""
    move = match.moves()[0]

    def act() -> None:
        match.push(move)
        match.undo()

    return act


def measure(slug: str, players: int, seconds: float) -> Figures:
    """The figures of a table of this version."""
    match = late_match(slug, players)
    acts = (steps(slug, players), lambda: match.view(match.turn), match.copy, there_and_back(match))
    return [rate(act, seconds) for act in acts]


def measure_beside(folder: str, slug: str, players: int, seconds: float) -> Figures:
    """The figures of a table of the version in a folder, from a process of its own."""
    command = [sys.executable, __file__, "--seconds", str(seconds), "--only", slug, str(players)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": folder}, capture_output=True, text=True, check=True)
    found: Figures = json.loads(done.stdout)
    return found


def measure_chess(seconds: float) -> Figures:
    """The nearest acts of python-chess: a move by chance, the text of a position, a copy, push and pop."""
    chess: Any = import_module("chess")
    rng, boards, late = random.Random(1), [chess.Board()], chess.Board()
    for _ in range(40):
        late.push(rng.choice(list(late.legal_moves)))
    move = next(iter(late.legal_moves))

    def step() -> None:
        if boards[0].is_game_over() or boards[0].ply() > 200:
            boards[0] = chess.Board()
        boards[0].push(rng.choice(list(boards[0].legal_moves)))

    def back() -> None:
        late.push(move)
        late.pop()

    return [rate(act, seconds) for act in (step, late.fen, late.copy, back)]


def show(name: str, figures: Figures, other: Figures | None = None) -> None:
    """Print a line of figures, and how many times those of another version they are."""
    ratios = [f" ×{own / beside:<6.2g}" for own, beside in zip(figures, other, strict=True)] if other else [" " * 8] * 4
    columns = (f"{figure:>12,.0f}{ratio}" for figure, ratio in zip(figures, ratios, strict=True))
    print(f"{name:<12}" + "".join(columns).rstrip(), flush=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each figure is measured")
    parser.add_argument("--beside", metavar="FOLDER", help="the src of another version, for a ratio in the same run")
    parser.add_argument("--only", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        print(json.dumps(measure(given.only[0], int(given.only[1]), given.seconds)))
        return
    print(f"{'':<12}" + "".join(f"{act + '/s':>12}{'':8}" for act in ("steps", "views", "copies", "back")).rstrip())
    for slug, players in TABLES:
        other = measure_beside(given.beside, slug, players, given.seconds) if given.beside else None
        show(f"{slug} {players}", measure(slug, players, given.seconds), other)
    if find_spec("chess") is not None:
        show("chess", measure_chess(given.seconds))


if __name__ == "__main__":
    main()
