"""How quick matches are as Python objects: steps, views, copies and steps taken back, each a second.

    python benchmarks/library.py [--seconds 1.0]

Where python-chess is installed, its board does the same beside it (`pip install chess`); it is not needed.
"""

import argparse
import random
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from suitors import Match

TABLES = (("classic", 2), ("modern", 2), ("modern", 4), ("premium", 8))
BATCH = 50
"""How often something is done between two looks at the clock."""


def rate(act: Callable[[], object], seconds: float) -> float:
    """How often something can be done in a second."""
    done, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        for _ in range(BATCH):
            act()
        done += BATCH
    return done / spent


def late_match(slug: str, players: int) -> Match:
    """A match in its fifth round, or the last that it has, where somebody has to decide."""
    rng, seed = random.Random(1), 0
    while True:
        match = Match(slug, [""] * players, seed=seed)
        while not match.over and (len(match.rounds) < 5 or match.to_deal or len(match.rounds[-1].moves) < 2):
            match.deal() if match.to_deal else match.push(rng.choice(match.moves()))
        if not match.over:
            return match
        seed += 1


def steps(slug: str, players: int) -> Callable[[], None]:
    """A step by chance: find the legal moves and play one; matches that end are followed by others."""
    rng, matches = random.Random(2), [Match(slug, [""] * players, seed=2)]

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


def measure(slug: str, players: int, seconds: float) -> str:
    """A line of figures."""
    match = late_match(slug, players)
    acts = (steps(slug, players), lambda: match.view(match.turn), match.copy, there_and_back(match))
    return f"{slug:<8} {players}  " + "".join(f"{rate(act, seconds):>12,.0f}" for act in acts)


def measure_chess(seconds: float) -> str:
    """The same acts of python-chess: a move by chance, the key of a position, a copy, push and pop."""
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

    return f"{'chess':<8} -  " + "".join(f"{rate(act, seconds):>12,.0f}" for act in (step, late.fen, late.copy, back))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each figure is measured")
    seconds: float = parser.parse_args().seconds
    print(f"{'':<11}{'steps/s':>12}{'views/s':>12}{'copies/s':>12}{'there and back/s':>18}")
    for slug, players in TABLES:
        print(measure(slug, players, seconds), flush=True)
    if find_spec("chess") is not None:
        print(measure_chess(seconds))


if __name__ == "__main__":
    main()
