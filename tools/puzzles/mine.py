"""Mine puzzles: `python -m tools.puzzles.mine FILE [--matches N]`.

Matches of bots are played, every edition with every number of players in turn, and each decision of them is examined.
Every match is a line of FILE as soon as it is done: run again, it goes on where it stopped, and the same match gives
the same line. Stop it at any time.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from suitors import Match, Solo
from suitors.bots import counting, novice
from suitors.bots.opponents import model
from suitors.bots.tree_search import TreeSearch
from suitors.coach import BestReplyValuer, get_ready
from suitors.coach.data import plain, reason_data
from suitors.coach.judgement import judge
from suitors.coach.reasons import Finder, values_of
from suitors.knowledge.belief import Belief
from suitors.rules import BOXES
from suitors.view import view_data
from suitors.view.match import View
from suitors.view.solo import SoloView

from .filters import Verified, liked_by_novice, verify
from .panel import ask_panel

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Flora", "Gaspard", "Hedda")

ORDER = ("premium", "modern", "classic", "house", "demo")
"""The editions with which the first puzzles were mined, in the order of then; others follow as in BOXES."""

LARGE_DECK = 30
"""A deck of so many cards takes long."""


def tables() -> list[tuple[str, int]]:
    """What is played, in turn: every edition with every number of players, those that take long not so often."""
    several = dict.fromkeys(slug for slug in (*ORDER, *BOXES) if not BOXES[slug].solo)
    alone = [(slug, players) for slug, box in BOXES.items() if box.solo for players in box.players]
    games = [(slug, players) for slug in several for players in BOXES[slug].players]
    large = [(slug, players) for slug, players in games if sum(BOXES[slug].decks[players].values()) >= LARGE_DECK]
    others = [game for game in games if game not in large]
    two = [game for game in others if game[1] == 2]
    few = [game for game in others if game[1] in (3, 4)]
    many = [game for game in others if game[1] > 4]
    return [*large, *((two * 2 + few + many + alone * 4) * 3)]


TABLES = tables()

ITERATIONS = 300
"""Simulated rounds behind each move of the strongest bots that play."""

DIGITS = 6

Line = dict[str, Any]


def searching(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """A quick expert's move."""
    assert isinstance(view, View)
    if len(view.legal) == 1:
        return view.legal[0]
    likelihood, at_random = model(view)
    search = TreeSearch(view, Belief(view, likelihood), rng)
    return search.most_tried(search.run(at_random, ITERATIONS))


PLAYERS = (novice.choose, counting.choose, searching)
"""Who sits at the tables, drawn for each seat; alone, one of the first two."""


def rounds_of(number: int) -> Iterator[list[View | SoloView]]:
    """The decisions of each round of a match, as those saw them who made them; a choice of one is none."""
    slug, players = TABLES[number % len(TABLES)]
    rng = random.Random(f"puzzles/{number}")
    if players == 1:
        match: Match | Solo = Solo(slug, NAMES[:1], rng=rng)
    else:
        match = Match(slug, NAMES[:players], rng=rng)
    seats = [rng.choice(PLAYERS[:2] if players == 1 else PLAYERS) for _ in range(players)]
    found: list[View | SoloView] = []
    while not match.over:
        if match.to_deal:
            yield found
            found = []
            match.deal()
        assert match.turn is not None
        view = match.view(match.turn)
        if len(view.legal) > 1 and not (isinstance(view, View) and view.tied):
            found.append(alone(view))
        match.play(seats[match.turn](view, rng, None))
    yield found


def alone(view: View | SoloView) -> View | SoloView:
    """The view as if the match had begun with this round: a puzzle tells nothing of those before."""
    return view if isinstance(view, SoloView) else replace(view, round=0, log=view.log[-1:])


def examine(number: int) -> Line:
    """What a match gives: its puzzles, one for each round at most, and how many positions were looked at."""
    slug, players = TABLES[number % len(TABLES)]
    line: Line = {"match": number, "edition": slug, "players": players, "seen": 0, "deep": 0, "puzzles": []}
    for index, views in enumerate(rounds_of(number)):
        for ply, view in enumerate(views):
            name = f"{number}/{index}/{ply}"
            found, deep = verify(view, name)
            line["seen"] += 1
            line["deep"] += deep
            if found is not None:
                line["puzzles"].append(puzzle_data(view, found, slug, name))
                break
    return line


def puzzle_data(view: View | SoloView, found: Verified, slug: str, name: str) -> Line:
    """All that is known of a puzzle."""
    reasons = reasons_of(view, found)
    judgement = judge(found.valuation, view.legal, found.best, found.stake)
    return {
        "from": name,
        "edition": slug,
        "view": view_data(view),
        "best": found.best,
        "margin": round(found.margin, DIGITS),
        "stake": round(found.stake, DIGITS),
        "exact": found.valuation.exact,
        "moves": [rounded(plain(value)) for value in judgement.moves],
        "reasons": {move: rounded(reason) for move, reason in reasons.items()},
        "liked": sorted(liked_by_novice(view)),
        "panel": ask_panel(view, found.best, name),
    }


def reasons_of(view: View | SoloView, found: Verified) -> dict[str, Line]:
    """Why the best move is good, and why each other one is worse."""
    told = {}
    finder = Finder(view, BestReplyValuer().belief) if isinstance(view, View) else None
    for move in view.legal:
        judgement = judge(found.valuation, view.legal, move, found.stake)
        if finder is None:
            reason: Any = values_of(judgement.played, judgement.moves[0])
            if move == found.best:
                reason = values_of(judgement.moves[1], judgement.moves[0])
        else:
            reason = finder.favour(judgement) if move == found.best else finder.against(judgement)
        told[move] = reason_data(reason)
    return told


def rounded(data: Any) -> Any:
    """The same with fewer digits."""
    if isinstance(data, float):
        return round(data, DIGITS)
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    return data


def whole_lines(file: Path) -> list[Line]:
    """The matches that are done; a line that was cut off is taken away."""
    text = file.read_text() if file.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole)
    return [json.loads(line) for line in whole.splitlines()]


def main() -> None:
    """Examine the matches that are missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--matches", type=int, default=3_000)
    given = parser.parse_args()
    done = whole_lines(given.file)
    puzzles, began = sum(len(line["puzzles"]) for line in done), time.monotonic()
    get_ready()
    with given.file.open("a") as file:
        for number in range(len(done), given.matches):
            line = examine(number)
            print(json.dumps(line, separators=(",", ":")), file=file, flush=True)
            puzzles += len(line["puzzles"])
            told = "match {match}: {edition} for {players}, {seen} seen, {deep} verified".format(**line)
            print(f"{told}; {puzzles} puzzles, {time.monotonic() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
