"""Watch a bot play, and write down what it saw and did: the lessons of `imitate`.

    python -m tools.train.watch "best reply" classic --players 3,4 --score --seconds 600 --out runs/watched-classic

Some seats of each match are played by the network of the game alone, so that the bot is seen among others, too. Each
process writes its decisions every so often. The files are independent, so several runs may write to one folder.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from suitors import Match
from suitors.bots import BOTS, Choose, best_reply, use_cores
from suitors.bots.learned import choosing
from suitors.bots.learned.sight import sight
from suitors.bots.warmup import compile_bots
from suitors.lab.acting import action_of
from suitors.lab.sizes import actions_at, common_inputs, inputs_at
from suitors.lab.space import space
from suitors.notation import read_move
from suitors.rules import edition
from suitors.view.match import View

from .options import add_game, check_game, count, positive

WATCHED: dict[str, Choose] = {**BOTS, "best reply": best_reply.choose}  # type: ignore[dict-item]
"""The bots that can be watched."""

OTHERS = 0.35
"""The chance of a seat to be played by the network of the game."""

PAUSE = 20.0
"""Seconds between two files of a process."""


class Lessons(NamedTuple):
    """Decisions by row: the number of players, a network's inputs, the legal ones of its answers, and the choice."""

    players: NDArray[Any]
    asked: NDArray[Any]
    masks: NDArray[Any]
    actions: NDArray[Any]


@dataclass
class Watcher:
    """Decisions at the tables of one network, as it reads and answers them."""

    slug: str
    players: list[int]
    score: bool
    rows: list[tuple[int, NDArray[Any], NDArray[Any], int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.about = {"edition": self.slug, "players": self.players, "score": self.score}
        editions = [edition(self.slug, number) for number in self.players]
        self.width = space(editions[-1]).actions
        self.asked = {ed.players: np.array(inputs_at(ed, editions, self.score)) for ed in editions}
        self.places = {ed.players: actions_at(ed, editions[-1]) for ed in editions}

    def see(self, view: View, text: str) -> None:
        """Note a decision."""
        seen, places = sight(view), self.places[view.rules.players]
        actions = {
            move: places[action_of(seen.table, view.rules, seen.space, read_move(view.rules, move))]
            for move in view.legal
        }
        mask = np.zeros(self.width, bool)
        mask[list(actions.values())] = True
        column, low, high = self.asked[view.rules.players].T
        found = np.array(seen.numbers)[column]
        self.rows.append((view.rules.players, (found >= low) & (found <= high), mask, actions[text]))

    def write(self, folder: Path) -> None:
        """Write what was noted into a file of its own, and forget it."""
        players, asked, masks, actions = zip(*self.rows, strict=True)
        self.rows = []
        path = folder / uuid4().hex
        np.savez_compressed(
            path.with_suffix(".part.npz"),
            players=np.array(players, np.int8),
            asked=np.packbits(np.array(asked), axis=1),
            masks=np.packbits(np.array(masks), axis=1),
            actions=np.array(actions, np.int16),
            about=np.array(json.dumps(self.about)),
        )
        path.with_suffix(".part.npz").rename(path.with_suffix(".npz"))


def read_lessons(folder: Path) -> tuple[dict[str, Any], Lessons]:
    """The game of the lessons in a folder (edition, players, score), and all decisions."""
    paths = sorted(path for path in folder.glob("*.npz") if not path.name.endswith(".part.npz"))
    if not paths:
        raise SystemExit(f"There are no lessons in {folder}: make some with tools.train.watch.")
    parts, about = [], about_lessons(paths[0])
    eds = [edition(about["edition"], number) for number in about["players"]]
    inputs, answers = len(common_inputs(eds, about["score"])), space(eds[-1]).actions
    for path in paths:
        if (other := about_lessons(path)) != about:
            raise SystemExit(f"{folder} has lessons of two games: {about} and {other}.")
        with np.load(path) as file:
            asked = np.unpackbits(file["asked"], axis=1, count=inputs)
            masks = np.unpackbits(file["masks"], axis=1, count=answers)
            parts.append(Lessons(file["players"], asked, masks, file["actions"]))
    return about, Lessons(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def about_lessons(path: Path) -> dict[str, Any]:
    """The game of the lessons in a file."""
    with np.load(path) as file:
        found: dict[str, Any] = json.loads(str(file["about"]))
    return found


def watch(
    bot: str,
    slug: str,
    players: list[int],
    score: bool,
    seconds: float,
    budget_ms: float,
    folder: Path,
    seed: str,
) -> int:
    """Watch a bot for so long; how many decisions were noted."""
    use_cores(1)
    compile_bots()
    watcher = Watcher(slug, players, score)
    rng = random.Random(seed)
    began = written = time.monotonic()
    count = 0
    while time.monotonic() - began < seconds:
        for view, text in decisions(bot, slug, rng.choice(players), budget_ms, rng):
            watcher.see(view, text)
            count += 1
        if time.monotonic() - written > PAUSE and watcher.rows:
            written = time.monotonic()
            watcher.write(folder)
    if watcher.rows:
        watcher.write(folder)
    return count


def decisions(bot: str, slug: str, players: int, budget_ms: float, rng: random.Random) -> Iterator[tuple[View, str]]:
    """Play a match; the bot's decisions between two moves or more."""
    match = Match(slug, [f"P{seat}" for seat in range(players)], rng=rng)
    watched = [rng.random() >= OTHERS for _ in range(players)]
    watched[rng.randrange(players)] = True
    while not match.over:
        if match.to_deal:
            match.deal()
            continue
        view = match.view(match.turn)
        if len(view.legal) == 1:
            text = view.legal[0]
        elif watched[view.seat or 0]:
            text = WATCHED[bot](view, rng, budget_ms)
            yield view, text
        else:
            text = choosing.choose(view, rng)
        match.play(text)


def main() -> None:
    """Watch as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bot", choices=WATCHED)
    add_game(parser)
    parser.add_argument("--seconds", type=positive, default=600.0)
    parser.add_argument("--budget-ms", type=positive, default=4.0, help="for each decision")
    parser.add_argument("--jobs", type=count, default=2, help="processes")
    parser.add_argument("--seed", help="of the matches; drawn if not given")
    parser.add_argument("--out", type=Path, required=True, help="a folder; files that are there stay")
    given = parser.parse_args()
    check_game(parser, given)
    given.out.mkdir(parents=True, exist_ok=True)
    compile_bots()
    seed = given.seed or uuid4().hex
    settings = (given.bot, given.edition, given.players, given.score, given.seconds, given.budget_ms, given.out)
    with ProcessPoolExecutor(given.jobs) as pool:
        counts = list(pool.map(watch, *([setting] * given.jobs for setting in settings), seeds(seed, given.jobs)))
    print(f"{sum(counts):,} decisions, seed {seed}", flush=True)


def seeds(seed: str, jobs: int) -> list[str]:
    """A seed for each process."""
    return [f"{seed} {job}" for job in range(jobs)]


if __name__ == "__main__":
    main()
