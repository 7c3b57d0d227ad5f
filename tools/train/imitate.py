r"""Train a policy to play as a bot was seen to play (`watch`): an opponent for training, as quick as a learner.

    python -m tools.train.imitate runs/watched-classic --out runs/as-best-reply-classic-3-4 \
        --start src/suitors/bots/learned/data/classic-3-4.net

Prints how often its likeliest move is the bot's, and how likely it holds that move to be, for decisions that it did not
learn from; beside both the figures of what it started from. It needs no GPU.
"""

import argparse
import copy
import math
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from .learning import Plan, load, save
from .networks import Policy
from .options import count
from .tables import Game
from .watch import Lessons, read_lessons

KEPT_BACK = 20
"""Of so many decisions one is kept for the test."""

SMALLEST = 0.02
"""What the rate of learning comes down to, as a part of what it began with."""

Rows = tuple[Tensor, Tensor, Tensor]
"""Inputs, masks and choices."""


def main() -> None:
    """Imitate as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lessons", type=Path, help="a folder of watch.py")
    parser.add_argument("--start", help="a network to begin with")
    parser.add_argument("--epochs", type=count, default=6)
    parser.add_argument("--batch", type=count, default=1024)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    about, lessons = read_lessons(given.lessons)
    game = Game(about["edition"], about["players"], score=about["score"], device=given.device)
    plan = replace(Plan(), seed=given.seed)
    policy = Policy(game, plan.width, plan.layers).to(game.device)
    if given.start:
        policy.load_state_dict(load(given.start, game).state_dict())
    learn_from, test = divided(rows_of(lessons, game))
    if given.batch > len(learn_from[2]) or not len(test[2]):
        raise SystemExit(f"There are {len(lessons.actions):,} decisions: too few to learn from {given.batch} at once.")
    print(f"{len(learn_from[2]):,} decisions, {len(test[2]):,} for the test; before: {said(policy, test)}", flush=True)
    best = imitate(policy, learn_from, test, given.epochs, given.batch, given.rate)
    given.out.mkdir(parents=True, exist_ok=True)
    save(best, game, plan, str(given.out / "policy.pt"), lessons=len(learn_from[2]))


def rows_of(lessons: Lessons, game: Game) -> Rows:
    """The lessons as tensors, a byte for each input until it is asked."""
    asked = torch.zeros(len(lessons.actions), game.width, dtype=torch.int8)
    asked[:, : game.inputs] = torch.from_numpy(lessons.asked)
    return asked, torch.from_numpy(lessons.masks).to(torch.int8), torch.from_numpy(lessons.actions).long()


def divided(rows: Rows) -> tuple[Rows, Rows]:
    """What is learnt from, and the test: decisions of a match lie side by side, so the test is one stretch of them."""
    count = len(rows[2])
    cut = count - count // KEPT_BACK
    return tuple(part[:cut] for part in rows), tuple(part[cut:] for part in rows)


def imitate(policy: Policy, learn_from: Rows, test: Rows, epochs: int, batch: int, rate: float) -> Policy:
    """Learn in so many epochs; the policy after the one that did best in the test."""
    optimiser = torch.optim.AdamW(policy.parameters(), lr=rate, weight_decay=0.01)
    count = len(learn_from[2])
    steps = epochs * (count // batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: SMALLEST ** (step / max(1, steps)))
    best, least = copy.deepcopy(policy), math.inf
    for epoch in range(epochs):
        order = torch.randperm(count)
        for k in range(0, count - batch + 1, batch):
            loss = surprise(policy, tuple(part[order[k : k + batch]] for part in learn_from)).mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
        found = evaluate(policy, test)[1]
        print(f"epoch {epoch + 1}: {said(policy, test)}", flush=True)
        if found < least:
            best, least = copy.deepcopy(policy), found
    return best


def surprise(policy: Policy, rows: Rows) -> Tensor:
    """The negative log-likelihood of each choice."""
    asked, masks, actions = (part.to(next(policy.parameters()).device) for part in rows)
    chances: Tensor = policy(asked.float(), masks)
    return -chances.gather(1, actions[:, None]).squeeze(1)


@torch.no_grad()
def evaluate(policy: Policy, rows: Rows) -> tuple[float, float]:
    """How often the likeliest move is the bot's, and the mean surprise."""
    device = next(policy.parameters()).device
    right = total = 0.0
    for k in range(0, len(rows[2]), 8192):
        some: Rows = tuple(part[k : k + 8192] for part in rows)
        chances = policy(some[0].float().to(device), some[1].to(device))
        right += float((chances.argmax(1).cpu() == some[2]).sum())
        total += float(surprise(policy, some).sum())
    return right / len(rows[2]), total / len(rows[2])


def said(policy: Policy, test: Rows) -> str:
    """The figures of the test in words."""
    right, mean = evaluate(policy, test)
    return f"{right:.1%} the same move, its chance {math.exp(-mean):.3f} (geometric mean)"


if __name__ == "__main__":
    main()
