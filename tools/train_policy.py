"""Train the weights of the bots' quick policy (bots/engine/policy.py) by self-play: a policy gradient with Adam.

From there a second set is trained against players by chance, and hands are appraised by how the first set plays them.

    python tools/train_policy.py [--rounds 20000000] [--threads 2] [--only 16-2 ...] [--resume]

Writes src/suitors/bots/data/policy.bin: a line that says for which cards, features and games it was made, then for each
kind of game a row of weights, appraisals and weights against chance (bots/weights.py), and those that
tools/fit_policy.py fits to a bot that searches: until then, the first ones.
"""

import argparse
import fcntl
import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from suitors.bots.engine.buffers import PolicyBuffers
from suitors.bots.engine.compiling import register_engine
from suitors.bots.engine.odds import ODDS
from suitors.bots.engine.policy import (
    MOST_FEATURES,
    STAGES,
    WEIGHTS,
    WORTH,
    features,
    pick,
    score_moves,
    stage_of,
    worth_cell,
)
from suitors.bots.engine.reply import over
from suitors.bots.weights import FEATURES, GAMES, PARTS, PATH, header, read_policy
from suitors.fast.compiler import kernel
from suitors.fast.games import STATE, below, next_word, random_deal, random_move, seed_chance
from suitors.fast.layout import wide_edition, wide_type
from suitors.knowledge.notes import NOTES, SEATS, fresh_notes, step
from suitors.notation import CARD_NAMES
from suitors.rules import edition
from suitors.rules.choices import MOST_MOVES
from suitors.rules.names import CARDS, Phase
from suitors.rules.seats import has, size, without
from suitors.rules.table import clear

register_engine()

Floats = NDArray[np.float64]

SAMPLES = (
    (("classic", 2), ("premium", 2), ("house", 2)),
    (("classic", 3), ("classic", 4), ("premium", 4)),
    (("modern", 2),),
    (("modern", 3), ("modern", 4), ("modern", 5), ("modern", 6)),
    (("premium", 5), ("premium", 6), ("premium", 7), ("premium", 8)),
)
"""For each kind of game in GAMES, the tables that are played in training."""

BASES = 2 * STAGES * CARDS * CARDS
"""Situations whose mean results are what a result is compared with."""

CHANCE_PLAYER = 0.15
"""How often a seat plays by chance: opponents are not all alike."""

BATCH = 16384
"""Rounds for each step of the training."""

APPRAISED = 2_000_000
"""Rounds that are played to appraise hands."""

LONGEST = 200
"""More decisions than any round has."""

ROOM = 40_000
"""Features of a round's decisions, at most; decisions beyond are not learned from."""

CHECKED = 20_000
"""Rounds against chance for each table of a report."""

TINY = 1e-12


def helper(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the kernels call a function."""
    registered: Callable[..., Any] = register_jitable(error_model="numpy")(function)
    return registered


# What the kernels share


@helper
def round_arrays(seed: int, stream: int) -> Any:
    """A source of chance, room for a deck and for notes, and what score_moves works on."""
    rng: Any = np.empty(STATE, np.int64)
    seed_chance(rng, seed, stream)
    odds: Any = np.zeros((SEATS + 1) * ODDS)
    rows: Any = np.zeros(SEATS, np.int64)
    index: Any = np.empty(MOST_FEATURES, np.int64)
    value: Any = np.empty(MOST_FEATURES)
    moves: Any = np.empty(MOST_MOVES, np.int64)
    chances: Any = np.empty(MOST_MOVES)
    buffers = PolicyBuffers(odds, rows, index, value, moves, chances)
    return rng, np.empty(40, np.int64), np.empty(NOTES, np.int64), buffers


@helper
def begin(t: Any, ed: Any, order: Any, notes: Any, rng: Any) -> None:
    """Deal the first round of a match."""
    clear(t, ed)
    random_deal(t, ed, order, rng)
    fresh_notes(notes, t, ed)


@helper
def ahead_by(t: Any, ed: Any, seat: int) -> Any:
    """A seat's tokens for each other player, less those of the others."""
    ahead = t.tokens[seat] * ed.players
    for other in range(ed.players):
        ahead -= t.tokens[other]
    return ahead


# Training


class Gradient(NamedTuple):
    """The gradients of a round's decisions, one behind the other."""

    weights: Any  # which of them
    amounts: Any  # and how much


class Decisions(NamedTuple):
    """The decisions of a round."""

    seats: Any  # who decided
    cells: Any  # in which situation (base_cell)
    ends: Any  # where the gradient ends
    bonus: Any  # for choices that keep the policy from settling too early


@helper
def random_seats(ed: Any, rng: Any, chance: float) -> Any:
    """The set of seats that play a round by chance: each with this chance, but for one that never does."""
    at_random = 0
    for seat in range(ed.players):
        if next_word(rng) < chance * 4294967296.0:
            at_random |= 1 << seat
    return without(at_random, below(rng, ed.players))


@helper
def base_cell(t: Any) -> Any:
    """In which situation the decision is: a duel or not, how near the end, the cards held."""
    a, b = t.hand[t.decider], t.drawn if t.drawn >= 0 else 0
    duel = int(size(t.standing) == 2)
    return ((duel * STAGES + stage_of(t)) * CARDS + max(a, b)) * CARDS + min(a, b)


@helper
def note_gradient(t: Any, ed: Any, notes: Any, buffers: Any, n: int, k: int, used: int, gradient: Any) -> Any:
    """Write the gradient of the logarithm of the chosen move's chance behind so many entries.

    Returns how many there are now, and the entropy of the choice.
    """
    odds, rows, index, value, moves, chances = buffers
    entropy = 0.0
    for j in range(n):
        f = features(t, ed, notes, odds, rows, moves[j], index, value)
        weight = (1.0 if j == k else 0.0) - chances[j]
        entropy -= chances[j] * np.log(chances[j] + TINY)
        for i in range(f):
            gradient.weights[used] = index[i]
            gradient.amounts[used] = weight * value[i]
            used += 1
    return used, entropy


@helper
def learn(t: Any, ed: Any, count: int, decisions: Any, gradient: Any, base: Any, grad: Any) -> None:
    """Add up the gradient of a round's result over its decisions, compared with what such situations mostly give."""
    start = 0
    total = 0
    for seat in range(ed.players):
        total += t.tokens[seat]
    for d in range(count):
        won = t.tokens[decisions.seats[d]]
        result = won - (total - won) / (ed.players - 1.0)
        c = decisions.cells[d]
        gain = result - base[c, 0] / (base[c, 1] + 1.0) + decisions.bonus[d]
        base[c, 0] += result
        base[c, 1] += 1.0
        for i in range(start, decisions.ends[d]):
            grad[gradient.weights[i]] += gain * gradient.amounts[i]
        start = decisions.ends[d]


@kernel
def rounds(
    tables: Any,
    eds: Any,
    theta: Any,
    seed: int,
    stream: int,
    count: int,
    chance: float,
    heat: float,
    base: Any,
    grad: Any,
) -> None:
    """Play rounds by the policy and add up the gradient of the tokens won; `base` holds sums and counts of results."""
    t, ed = tables[0], eds[0]
    rng, order, notes, buffers = round_arrays(seed, stream)
    moves, chances = buffers.moves, buffers.chances
    gradient = Gradient(np.empty(ROOM, np.int64), np.empty(ROOM))
    decisions = Decisions(
        np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64), np.empty(LONGEST)
    )
    for _ in range(count):
        begin(t, ed, order, notes, rng)
        at_random = random_seats(ed, rng, chance)
        used = 0
        made = 0
        while not over(t):
            if at_random >> t.decider & 1:
                step(t, ed, notes, random_move(t, ed, rng))
                continue
            n = score_moves(t, ed, notes, theta, buffers)
            k = pick(chances, n, rng)
            if n > 1 and used < ROOM - MOST_MOVES * MOST_FEATURES:
                used, entropy = note_gradient(t, ed, notes, buffers, n, k, used, gradient)
                decisions.seats[made] = t.decider
                decisions.cells[made] = base_cell(t)
                decisions.ends[made] = used
                decisions.bonus[made] = -heat * (np.log(chances[k] + TINY) + entropy)
                made += 1
            step(t, ed, notes, moves[k])
        learn(t, ed, made, decisions, gradient, base, grad)


class Player:
    """A thread's table with the sums it keeps."""

    def __init__(self) -> None:
        self.table = np.zeros(1, wide_type())
        self.base = np.zeros((BASES, 2))
        self.grad = np.zeros(WEIGHTS)

    def play(self, eds: Any, theta: Floats, seed: int, stream: int, count: int, chance: float, heat: float) -> Floats:
        """The gradient over so many rounds; what was long ago counts for less."""
        self.grad[:] = 0
        rounds(self.table, eds, theta, seed, stream, count, chance, heat, self.base, self.grad)
        self.base *= 0.98
        return self.grad


class Adam:
    """Weights that follow a gradient, and the mean of the later ones."""

    def __init__(self, theta: Floats) -> None:
        self.theta = theta
        self.first, self.second, self.mean = np.zeros(WEIGHTS), np.zeros(WEIGHTS), np.zeros(WEIGHTS)
        self.steps = 0
        self.averaged = 0

    def follow(self, grad: Floats, rate: float) -> None:
        """Make a step."""
        self.steps += 1
        self.first = 0.9 * self.first + 0.1 * grad
        self.second = 0.99 * self.second + 0.01 * grad * grad
        bias = 1 - 0.9**self.steps, 1 - 0.99**self.steps
        self.theta = self.theta + rate * (self.first / bias[0]) / (np.sqrt(self.second / bias[1]) + 1e-5)

    def average(self) -> None:
        """Let the mean include the weights as they are now."""
        self.averaged += 1
        self.mean += (self.theta - self.mean) / self.averaged


def train(kind: int, theta: Floats, total: int, threads: int, chance: float) -> Floats:
    """Improve the weights of one kind of game with so many rounds; the average of the later half is returned.

    All seats play by the weights, but others by chance with this chance.
    """
    adam, players = Adam(theta), [Player() for _ in range(threads)]
    games = [wide_edition(edition(*game)) for game in SAMPLES[kind]]
    steps = max(1, total // BATCH)
    began = time.time()
    with ThreadPoolExecutor(threads) as pool:
        for s in range(steps):
            rate = 0.05 * (1 - s / steps) + 0.002
            heat = 0.02 * (1 - s / steps) + 0.003
            words = (games[s % len(games)], adam.theta, kind)
            parts = [
                pool.submit(player.play, *words, s * threads + k, BATCH // threads, chance, heat)
                for k, player in enumerate(players)
            ]
            adam.follow(np.sum([part.result() for part in parts], axis=0) / BATCH, rate)
            if s >= steps // 2:
                adam.average()
            if s % max(1, steps // 8) == 0 or s == steps - 1:
                report(kind, adam.theta, s, time.time() - began)
    return adam.mean


@kernel
def against_chance(tables: Any, eds: Any, theta: Any, seed: int, stream: int, count: int, out: Any) -> None:
    """Play rounds with one seat by the policy and the others by chance; out: tokens won, lost."""
    t, ed = tables[0], eds[0]
    rng, order, notes, buffers = round_arrays(seed, stream)
    moves, chances = buffers.moves, buffers.chances
    for game in range(count):
        begin(t, ed, order, notes, rng)
        hero = game % ed.players
        while not over(t):
            if t.decider == hero:
                n = score_moves(t, ed, notes, theta, buffers)
                step(t, ed, notes, moves[pick(chances, n, rng)])
            else:
                step(t, ed, notes, random_move(t, ed, rng))
        for seat in range(ed.players):
            out[0 if seat == hero else 1] += t.tokens[seat]


def report(kind: int, theta: Floats, s: int, seconds: float) -> None:
    """Print how the weights do against chance."""
    parts = []
    for game in SAMPLES[kind]:
        out = np.zeros(2)
        against_chance(np.zeros(1, wide_type()), wide_edition(edition(*game)), theta, 5, 0, CHECKED, out)
        parts.append(f"{game[0]} {game[1]}: {out[0] / out.sum():.3f}")
    print(f"{GAMES[kind]} step {s} {seconds:.0f} s  tokens against chance  {'  '.join(parts)}", flush=True)


# Appraising hands


@kernel
def appraise(tables: Any, eds: Any, theta: Any, seed: int, stream: int, count: int, sums: Any) -> None:
    """Play rounds by the policy and add up what came of every hand that was held when another's turn began."""
    t, ed = tables[0], eds[0]
    rng, order, notes, buffers = round_arrays(seed, stream)
    moves, chances = buffers.moves, buffers.chances
    cells, seats, before = np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64)
    for _ in range(count):
        begin(t, ed, order, notes, rng)
        held = 0
        while not over(t):
            n = score_moves(t, ed, notes, theta, buffers)
            me = t.active
            step(t, ed, notes, moves[pick(chances, n, rng)])
            if t.phase == Phase.PLAY and t.active != me and has(t.standing, me):
                cells[held] = worth_cell(t, me)
                seats[held] = me
                before[held] = ahead_by(t, ed, me)
                held += 1
        for k in range(held):
            sums[cells[k], 0] += ahead_by(t, ed, seats[k]) - before[k]
            sums[cells[k], 1] += ed.players - 1.0


def worth(kind: int, theta: Floats, total: int) -> Floats:
    """What each hand is worth at the end of its player's turn, drawn towards the mean of its table where rare."""
    sums = np.zeros((WORTH, 2))
    for game in SAMPLES[kind]:
        eds = wide_edition(edition(*game))
        appraise(np.zeros(1, wide_type()), eds, theta, kind, 1, max(1, total // len(SAMPLES[kind])), sums)
    gained, times = sums[:, 0].reshape(-1, CARDS), sums[:, 1].reshape(-1, CARDS)
    mean = gained.sum(axis=1) / (times.sum(axis=1) + 1.0)
    drawn: Floats = (gained + 20 * mean[:, None]) / (times + 20)
    return drawn.ravel()


# The file


def places() -> dict[str, slice]:
    """Where each part is in a row."""
    found, start = dict[str, slice](), 0
    for part, groups in PARTS.items():
        found[part] = slice(start, start := start + (WEIGHTS if groups is FEATURES else WORTH))
    return found


def read_table(path: Path) -> Floats:
    """The rows of a file, with nothing learned for cards that it does not know."""
    policy = read_policy(path)
    return np.array([[weight for part in PARTS for weight in policy.part(part, game)] for game in GAMES])


def write_table(path: Path, table: Floats) -> None:
    """Write a row for each kind of game."""
    path.parent.mkdir(exist_ok=True)
    head = json.dumps(header({game: trained_cards(kind) for kind, game in enumerate(GAMES)}))
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(head.encode("ascii") + b"\n" + table.astype("<f4").tobytes())
    part.replace(path)


def change_row(path: Path, kind: int, part: slice, weights: Floats) -> None:
    """Write a part of the row of one kind of game, while no other program changes the file."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        table = read_table(path)
        table[kind, part] = weights
        write_table(path, table)
    finally:
        os.close(folder)


def trained_cards(kind: int) -> list[str]:
    """The names of the cards that a kind of game is trained with."""
    decks = [edition(*game).copies for game in SAMPLES[kind]]
    return [name for card, name in enumerate(CARD_NAMES) if any(copies[card] for copies in decks)]


def main() -> None:
    """Train every kind of game, or those asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    appraising = "0: appraise hands by the weights that are there"
    parser.add_argument("--rounds", type=int, default=20_000_000, help=appraising)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=list(GAMES))
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--output", type=Path, default=PATH)
    args = parser.parse_args()
    at = places()
    table = read_table(args.output) if args.resume else np.zeros((len(GAMES), at["searchers"].stop))
    for kind, name in enumerate(GAMES):
        if name in args.only:
            row = table[kind]
            trained = list(at) if args.rounds else ["appraisals"]
            if args.rounds:
                row[at["weights"]] = train(kind, row[at["weights"]].copy(), args.rounds, args.threads, CHANCE_PLAYER)
                row[at["punishing"]] = train(kind, row[at["weights"]], args.rounds // 4, args.threads, 1.0)
                row[at["searchers"]] = row[at["weights"]]
            row[at["appraisals"]] = worth(kind, row[at["weights"]], APPRAISED)
            if args.resume:
                for part in trained:
                    change_row(args.output, kind, at[part], row[at[part]])
            else:
                write_table(args.output, table)


if __name__ == "__main__":
    main()
