"""Train a policy by self-play.

    python -m tools.train.train classic --players 2 --seconds 180 --out runs/classic-2
    python -m tools.train.train modern --players 3,4,5,6 --score --mixed 0.3 --seconds 300 --out runs/modern-3-6

Writes policy.pt (the average of the weights), critic.pt, early.pt (a checkpoint) and curve.json into the folder, and
running.pt while it learns.
"""

import argparse
import copy
import json
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import torch

from .learning import Learner, Plan, load, play_off, save, weights
from .networks import Policy, RandomPolicy, Several
from .options import add_game, check_game, check_tables, count, duration, factor, pair, positive, whole
from .tables import TorchTables

PAUSE = 60.0
"""Seconds between two copies of a policy that is still learning."""


def main() -> None:
    """Train as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_game(parser)
    parser.add_argument("--seconds", type=positive, default=Plan.seconds)
    parser.add_argument("--tables", type=count, default=Plan.tables)
    parser.add_argument("--width", type=count, default=Plan.width)
    parser.add_argument("--layers", type=count, default=Plan.layers)
    parser.add_argument("--parts", type=count, default=Plan.parts)
    parser.add_argument("--decay", type=float, default=Plan.decay)
    parser.add_argument("--rate", type=pair, default=Plan.rate, metavar="FIRST,LAST", help="of learning")
    parser.add_argument("--entropy", type=pair, default=Plan.entropy, metavar="FIRST,LAST", help="its weight")
    parser.add_argument("--seed", type=int, default=Plan.seed)
    parser.add_argument("--start", type=Path, help="go on from the networks in this folder, or from a file of bots")
    parser.add_argument("--critic-first", type=whole, default=0, help="batches in which only the critic learns")
    parser.add_argument(
        "--mixed", type=float, default=0.0, help="part of the tables with earlier policies in some seats"
    )
    parser.add_argument(
        "--among", nargs="*", default=[], metavar="FILE", help="policies that play there, too, and stay as they are"
    )
    parser.add_argument(
        "--checkpoint", type=duration, default=10.0, help="seconds until the checkpoint for calibration"
    )
    parser.add_argument(
        "--snapshots",
        type=factor,
        metavar="FACTOR",
        help="keep a copy after a second, and whenever so many times as long has passed",
    )
    parser.add_argument(
        "--rounds",
        type=whole,
        default=200_000,
        help="rounds (with --score: matches) against random play at the end; 0: none",
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    check_game(parser, given)
    if given.among and not given.mixed:
        parser.error("--among says who plays at some of the tables, and --mixed at how many: give both.")
    check_tables(parser, given, given.parts, len(given.players))
    plan = Plan(**{field.name: getattr(given, field.name) for field in fields(Plan) if hasattr(given, field.name)})
    began = time.perf_counter()
    made = {"score": given.score, "device": given.device}
    tables = TorchTables(given.edition, given.players, plan.tables, seed=plan.seed, **made)
    learner = Learner(tables, plan)
    if given.start:
        folder = given.start if given.start.is_dir() else None
        critic = folder / "critic.pt" if folder else None
        policy = load(str(folder / "policy.pt" if folder else given.start), tables)
        learner.start_from(policy.state_dict(), weights(critic) if critic and critic.exists() else None)
    among = [load(path, tables) for path in given.among]
    given.out.mkdir(parents=True, exist_ok=True)
    print(
        f"{given.edition} {given.players}: {tables.inputs} inputs, {tables.actions} actions, "
        f"ready after {time.perf_counter() - began:.0f} s",
        flush=True,
    )
    Run(learner, given.out, given.mixed, among, given.checkpoint, given.rounds, given.snapshots).train()


class Run:
    """A training with its files."""

    def __init__(
        self,
        learner: Learner,
        out: Path,
        mixed: float,
        among: list[Policy],
        checkpoint: float,
        rounds: int,
        snapshots: float | None,
    ) -> None:
        self.learner, self.out, self.mixed, self.among = learner, out, mixed, among
        self.checkpoint, self.rounds, self.snapshots = checkpoint, rounds, snapshots
        self.curve: list[dict[str, float]] = []
        self.pool: list[Policy] = []
        self.saved = False
        self.said = self.written = 0.0
        self.next_kept = 1.0

    def train(self) -> None:
        """Learn, and write what came of it."""
        learner, t = self.learner, self.learner.tables
        took = learner.learn(self.each)
        decisions = learner.batches * learner.plan.steps * t.size
        self.write({"seconds": took, "decisions": decisions})
        print(f"{decisions:,} decisions in {took:.0f} s ({decisions / took:,.0f} a second)", flush=True)
        if self.rounds:
            what = "matches" if t.score else "rounds"
            mean, error, rounds = play_off(t, learner.average.policy, RandomPolicy(), self.rounds)
            self.write({"seconds": took, "decisions": decisions, "against random": [mean, error, rounds]})
            print(f"against random play {mean:+.4f} ± {1.96 * error:.4f} in {rounds:,} {what}", flush=True)

    def write(self, figures: dict[str, Any]) -> None:
        """Write what was learnt, with these figures."""
        learner = self.learner
        save(learner.average.policy, learner.tables, learner.plan, str(self.out / "policy.pt"), **figures)
        save(learner.critic, learner.tables, learner.plan, str(self.out / "critic.pt"), **figures)
        (self.out / "curve.json").write_text(json.dumps({"figures": figures, "curve": self.curve}, indent=1))

    def each(self, learner: Learner, seconds: float, found: dict[str, float]) -> None:
        """After a batch: a checkpoint, a line of progress, other opponents."""
        if not self.saved and seconds > self.checkpoint:
            self.saved = True
            save(learner.average.policy, learner.tables, learner.plan, str(self.out / "early.pt"))
        if found:
            self.curve.append({"seconds": seconds, "batches": learner.batches, **found})
            if seconds - self.said > 10:
                self.said = seconds
                print(f"{seconds:6.1f} s {learner.batches:6d} batches, {found}", flush=True)
        if seconds - self.written > PAUSE:
            self.written = seconds
            save(learner.average.policy, learner.tables, learner.plan, str(self.out / "running.pt"))
        if self.snapshots and seconds >= self.next_kept:
            self.next_kept = seconds * self.snapshots
            path = self.out / f"after-{seconds:06.1f}.pt"
            save(learner.average.policy, learner.tables, learner.plan, str(path), seconds=seconds)
        if self.mixed and learner.batches % 100 == 0:
            self.change_opponents()

    def change_opponents(self) -> None:
        """Seat an earlier policy, and those that stay as they are, in some places of some tables."""
        learner, t = self.learner, self.learner.tables
        self.pool = [*self.pool, copy.deepcopy(learner.average.policy)][-8:]
        learner.others = Several([self.pool[int(torch.randint(len(self.pool), ()))], *self.among])
        mine = torch.rand(t.size, t.seats_most, device=t.device) < 0.5
        mine[torch.rand(t.size, device=t.device) >= self.mixed] = True
        learner.mine = mine


if __name__ == "__main__":
    main()
