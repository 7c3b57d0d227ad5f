"""Fit the quick policy to what a bot that searches plays among three and more, so that `expert` knows what to expect.

    python -m tools.fit_policy 21-3+ --seconds 300 --lessons runs/fit [--jobs 2] [--budget-ms 10]

Matches among experts and best replies are watched for so long. Every decision of a best reply is kept in a folder, with
the features of each move that was possible (bots/engine/policy.py); if there are some already, they are learnt from,
too. Then the weights are found by which all of them are likeliest; they become a part of the kind of game's row in
src/suitors/bots/data/policy.bin. A tenth of the decisions is set aside, to say how likely those are found to be.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from suitors import Belief, Match
from suitors.bots import BOTS, Choose, best_reply, use_cores
from suitors.bots.arrays import policy_buffers
from suitors.bots.engine.odds import weigh_hands
from suitors.bots.engine.policy import WEIGHTS, features, list_moves
from suitors.bots.positions import public_notes, visible_table
from suitors.bots.warmup import compile_bots
from suitors.bots.weights import FEATURES, GAMES, PATH, BadPolicy, for_two, game_of
from suitors.notation import CARD_NAMES, read_move
from suitors.rules import BOXES, edition
from suitors.view.match import View
from tools.train.options import count, duration
from tools.train_policy import change_row, places, read_table

Numbers = NDArray[Any]

FOLLOWED: Choose = best_reply.choose  # type: ignore[assignment]
"""Whose decisions are learnt. Each seat is this bot's with one chance in two, else the expert's."""

PAUSE_S = 15.0
"""Seconds between two files of a process."""

STEPS = 100
"""Steps of a fit, each over all decisions."""

RATE = 0.05
"""How far a weight moves in the first step; in the last it hardly does."""

DRAWN = 2.0
"""How much the weights are drawn towards those that came of self-play, as if by so many decisions."""

ASIDE = 10
"""One in so many decisions is set aside."""


ABOUT = json.dumps([CARD_NAMES, FEATURES])
"""By which a file of decisions says for which cards and features it was written."""


class Lessons(NamedTuple):
    """Decisions, with all moves behind each other, and the features of all these."""

    moves: Numbers  # how many moves there were for each
    chosen: Numbers  # and which of them was made
    used: Numbers  # how many features each move has
    weights: Numbers  # which weight each feature goes with
    values: Numbers  # and its value


def see(view: View, text: str) -> Lessons:
    """A decision."""
    public = Belief(view).evidence.public
    table, notes, buffers = visible_table(view, public), public_notes(public), policy_buffers()
    odds, rows, index, value, moves, _ = buffers
    count = list_moves(table, view.rules, moves)
    weigh_hands(table, view.rules, notes, odds, rows)
    used, indices, values = list[int](), list[int](), list[float]()
    for move in moves[:count]:
        n = features(table, view.rules, notes, odds, rows, int(move), index, value)
        used.append(n)
        indices.extend(index[:n])
        values.extend(value[:n])
    chosen = list(moves[:count]).index(read_move(view.rules, text))
    return Lessons(*map(np.array, ([count], [chosen], used, indices, values)))


def decisions(slug: str, players: int, budget_ms: float, rng: random.Random) -> Iterator[Lessons]:
    """Play a match; the decisions to learn from."""
    match = Match(slug, [f"P{seat}" for seat in range(players)], rng=rng)
    followed = [rng.random() < 0.5 for _ in range(players)]
    while not match.over:
        if match.to_deal:
            match.deal()
            continue
        view = match.view(match.turn)
        follow = followed[view.turn or 0]
        text = (FOLLOWED if follow else BOTS["expert"])(view, rng, budget_ms)
        if follow and len(view.legal) > 1:
            yield see(view, text)
        match.play(text)


def join(parts: list[Lessons]) -> Lessons:
    """Lessons put together, in small numbers."""
    kinds = (np.int16, np.int16, np.int8, np.int16, np.float32)
    columns = zip(*parts, strict=True)
    return Lessons(*(np.concatenate(column).astype(kind) for column, kind in zip(columns, kinds, strict=True)))


def games_of(kind: str) -> list[tuple[str, int]]:
    """The tables of three and more at which a kind of game is played."""
    tables = [(slug, players) for slug, box in BOXES.items() for players in box.players if players > 2]
    return [table for table in tables if game_of(edition(*table)) == kind]


def watch(kind: str, seconds: float, budget_ms: float, folder: Path, seed: str) -> int:
    """Watch matches for so long, and write down what was decided; how many decisions that were."""
    use_cores(1)
    compile_bots()
    tables, rng, noted, count = games_of(kind), random.Random(seed), list[Lessons](), 0
    began = written = time.monotonic()
    while time.monotonic() - began < seconds:
        for lesson in decisions(*rng.choice(tables), budget_ms, rng):
            noted.append(lesson)
            count += 1
        if noted and (time.monotonic() - written > PAUSE_S or time.monotonic() - began >= seconds):
            path, written = folder / f"{uuid4().hex}.part.npz", time.monotonic()
            np.savez_compressed(path, about=np.array(ABOUT), **join(noted)._asdict())
            path.rename(folder / f"{path.name.removesuffix('.part.npz')}.npz")
            noted = []
            print(f"{kind}: a process has seen {count:,} decisions", flush=True)
    return count


def read_lessons(folder: Path) -> Lessons:
    """All decisions in a folder."""
    parts = [read_file(path) for path in sorted(folder.glob("*.npz")) if not path.name.endswith(".part.npz")]
    count = sum(len(part.moves) for part in parts)
    if count <= ASIDE:
        raise SystemExit(f"There are {count} decisions in {folder}, too few to learn from: watch more, with --seconds.")
    return join(parts)


def read_file(path: Path) -> Lessons:
    """The decisions in a file, which must be sound and written for these cards and features."""
    try:
        with np.load(path) as file:
            about, found = str(file["about"]), Lessons(*(file[name] for name in Lessons._fields))
        sound = is_sound(found)
    except (ValueError, KeyError, TypeError, OSError, EOFError, BadZipFile):
        about, sound = ABOUT, False
    if about != ABOUT:
        raise SystemExit(f"{path} was written for other cards or features: take it away, and watch again.")
    if not sound:
        raise SystemExit(f"{path} holds no decisions that can be read: take it away.")
    return found


def is_sound(lessons: Lessons) -> bool:
    """Whether the columns fit each other and the weights."""
    sizes = [len(lessons.chosen), len(lessons.used), len(lessons.weights), len(lessons.values)]
    if sizes != [len(lessons.moves), lessons.moves.sum(), lessons.used.sum(), len(lessons.weights)]:
        return False
    within = (lessons.chosen >= 0) & (lessons.chosen < lessons.moves)
    known = (lessons.weights >= 0) & (lessons.weights < WEIGHTS)
    return bool(within.all() and known.all() and np.isfinite(lessons.values).all())


class Fit:
    """Weights, and the logarithm of the chance that they give to what was decided."""

    def __init__(self, lessons: Lessons, theta: Numbers) -> None:
        self.start, self.theta = theta.copy(), theta.copy()
        self.index, self.value = lessons.weights.astype(np.int64), lessons.values.astype(np.float64)
        self.move_of = np.repeat(np.arange(len(lessons.used)), lessons.used)
        self.decision_of = np.repeat(np.arange(len(lessons.moves)), lessons.moves)
        self.first = np.concatenate([[0], np.cumsum(lessons.moves[:-1], dtype=np.int64)])
        self.chosen = self.first + lessons.chosen
        self.learnt = np.arange(len(lessons.moves)) % ASIDE != 0

    def logs(self) -> Numbers:
        """The logarithm of the chance of each move."""
        scores = np.bincount(self.move_of, self.value * self.theta[self.index], len(self.decision_of))
        scores -= np.maximum.reduceat(scores, self.first)[self.decision_of]
        logs: Numbers = scores - np.log(np.add.reduceat(np.exp(scores), self.first))[self.decision_of]
        return logs

    def likelihoods(self) -> tuple[float, float]:
        """The mean logarithm of the chance of what was decided: where it was learnt, and where not."""
        found = self.logs()[self.chosen]
        return float(found[self.learnt].mean()), float(found[~self.learnt].mean())

    def gradient(self) -> Numbers:
        """Towards weights that make what was decided likelier."""
        weight = -np.exp(self.logs())
        weight[self.chosen] += 1
        weight *= self.learnt[self.decision_of]
        found = np.bincount(self.index, self.value * weight[self.move_of], WEIGHTS)
        gradient: Numbers = (found - DRAWN * (self.theta - self.start)) / self.learnt.sum()
        return gradient

    def run(self, steps: int) -> None:
        """Follow the gradient, with Adam."""
        first, second = np.zeros(WEIGHTS), np.zeros(WEIGHTS)
        for step in range(1, steps + 1):
            slope = self.gradient()
            first = 0.9 * first + 0.1 * slope
            second = 0.99 * second + 0.01 * slope * slope
            rate = RATE * (1 - (step - 1) / steps) / (1 - 0.9**step)
            self.theta += rate * first / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
            if step % 25 == 0:
                print(f"step {step}: {self.said()}", flush=True)

    def said(self) -> str:
        """How well it fits, in words."""
        return "mean logarithm of the chance {:.3f} where it learnt, {:.3f} set aside".format(*self.likelihoods())


def main() -> None:
    """Watch and fit one kind of game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=[game for game in GAMES if not for_two(game)])
    parser.add_argument("--seconds", type=duration, default=300.0, help="of watching; 0: fit what is there")
    parser.add_argument("--lessons", type=Path, required=True, help="a folder; decisions that are there stay")
    parser.add_argument("--budget-ms", type=duration, default=10.0, help="for each decision")
    parser.add_argument("--jobs", type=count, default=2, help="processes that watch")
    parser.add_argument("--output", type=Path, default=PATH, help="a file of weights that is there")
    args = parser.parse_args()
    try:
        table, at = read_table(args.output), places()
    except (OSError, BadPolicy) as error:
        parser.error(f"{args.output} cannot be read as a file of weights: {error}")
    kind, folder = GAMES.index(args.kind), args.lessons / args.kind
    folder.mkdir(parents=True, exist_ok=True)
    if args.seconds:
        compile_bots()
        settings = [[setting] * args.jobs for setting in (args.kind, args.seconds, args.budget_ms, folder)]
        with ProcessPoolExecutor(args.jobs) as pool:
            counts = list(pool.map(watch, *settings, [uuid4().hex for _ in range(args.jobs)]))
        print(f"{sum(counts):,} decisions", flush=True)
    fit = Fit(read_lessons(folder), table[kind, at["weights"]])
    print(f"{len(fit.first):,} decisions; by self-play, {fit.said()}", flush=True)
    fit.run(STEPS)
    change_row(args.output, kind, at["searchers"], fit.theta)


if __name__ == "__main__":
    main()
