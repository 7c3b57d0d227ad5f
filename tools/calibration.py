"""Whether the coach's chances come true: `python tools/calibration.py FILE [--matches N]`, for docs/analysis.md.

Matches of bots are played, some decisions of each are judged, and what was predicted of the move that was played is
held against what happened. Every match is a line of FILE as soon as it is done; run again, it goes on where it stopped.
"""

import argparse
import json
import os
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path

from suitors import Match
from suitors.bots.opponents import model
from suitors.bots.outcomes import share
from suitors.bots.tree_search import TreeSearch
from suitors.coach import BestReplyValuer, get_ready
from suitors.coach.decisions import Settings, find_due, judge_one
from suitors.knowledge.belief import Belief
from suitors.view.match import View

ITERATIONS = 400
"""Simulated rounds behind each move of the bots that play: a tenth of the expert's."""

JUDGED = 8
"""Decisions of a match that are judged."""

BUDGET_MS = 10.0
BINS = 10

TABLES = [("classic", 2), ("classic", 4), ("modern", 2), ("modern", 4), ("premium", 6), ("house", 3)]
"""What is played, in turn."""

Point = tuple[float, float, float, float]
"""The chance of the round and what came of it, the chance of the match and what came of it."""


def choose(view: View, rng: random.Random) -> str:
    """A quick best reply."""
    if len(view.legal) == 1:
        return view.legal[0]
    likelihood, at_random = model(view)
    search = TreeSearch(view, Belief(view, likelihood), rng)
    return search.most_tried(search.run(at_random, ITERATIONS))


def play(number: int) -> Match:
    """The match of a number."""
    slug, players = TABLES[number % len(TABLES)]
    rng = random.Random(f"calibration/{number}")
    match = Match(slug, [f"Player {seat}" for seat in range(players)], rng=rng)
    while not match.over:
        if match.to_deal:
            match.deal()
        else:
            match.play(choose(match.view(match.turn), rng))
    return match


def points(number: int) -> list[Point]:
    """What was predicted at some decisions of a match, and what happened."""
    match, due = find_due(play(number).record())
    chosen = random.Random(f"judged/{number}").sample(due, min(JUDGED, len(due)))
    found = []
    for decision in chosen:
        judged = judge_one(decision, Settings(BUDGET_MS, 0, BestReplyValuer()))
        assert judged is not None
        value = next(value for value in judged.moves if value.move == judged.move)
        winners = sum(1 << seat for seat in match.rounds[judged.round].winners)
        results = share(winners, judged.seat), share(match.table.champions, judged.seat)
        found.append((value.round, results[0], value.match, results[1]))
    return found


def table(matches: Sequence[Sequence[tuple[float, float]]]) -> Iterator[str]:
    """Predicted chances in bins, and how often they came true; decisions of one match share its luck."""
    yield "| predicted | decisions | mean prediction | happened |"
    yield "| --- | ---: | ---: | ---: |"
    for k in range(BINS):
        found = [[pair for pair in rows if min(BINS - 1, int(pair[0] * BINS)) == k] for rows in matches]
        n = sum(map(len, found))
        if n:
            said, came = (sum(pair[part] for rows in found for pair in rows) / n for part in (0, 1))
            error = sqrt(max(1.0, sum(sum(result - came for _, result in rows) ** 2 for rows in found))) / n
            yield f"| {10 * k}–{10 * k + 10}% | {n} | {100 * said:.1f}% | {100 * came:.1f} ± {100 * error:.1f}% |"


def whole_lines(file: Path) -> int:
    """How many matches are done; a line that was cut off is taken away."""
    text = file.read_text() if file.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole)
    return whole.count("\n")


def main() -> None:
    """Play what is missing, then print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    done = whole_lines(options.file)
    get_ready()
    pool = ProcessPoolExecutor(options.jobs)
    try:
        with options.file.open("a") as file:
            for found in pool.map(points, range(done, options.matches)):
                print(json.dumps(found), file=file, flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
    lines = [json.loads(line) for line in options.file.read_text().splitlines()]
    for title, part in (("round", 0), ("match", 2)):
        print(f"\nThe {title}, {len(lines)} matches:\n")
        print("\n".join(table([[(point[part], point[part + 1]) for point in line] for line in lines])))


if __name__ == "__main__":
    main()
