"""What it is worth to know the score: a network against itself, where some are told that nobody has a token yet.

    python -m tools.train.score src/suitors/bots/learned/data/classic-3-4.net [--matches 200000]

A seat that is told so plays for the round: at the first round of a match a round is all there is to win. Prints how
many matches are won by one seat that knows the score among others that do not, and the other way round; then the
same for a seat that always takes its likeliest move among others that play by chance.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from suitors.bots.learned.choosing import CUT
from suitors.lab.sizes import common_inputs
from suitors.lab.space import SEAT, space

from .learning import about_policy, load, play_equally
from .networks import Policy
from .options import check_tables, count
from .tables import Step, TorchTables

Choose = Callable[[Tensor, Tensor], Tensor]
"""Actions, from inputs and masks."""


def token_inputs(tables: TorchTables) -> list[int]:
    """The inputs that say how many tokens the seats have."""
    s = space(tables.rules, full=True)
    columns = {s.seats_at + seat * s.stride + SEAT.index("tokens") for seat in range(s.players)}
    asked = common_inputs(tables.editions, tables.score)
    return [number for number, question in enumerate(asked) if question.column in columns]


def told(policy: Policy) -> Choose:
    """Play by what the network says."""
    return lambda asked, masks: policy.act(asked, masks, cut=CUT)[0]


def greedy(policy: Policy) -> Choose:
    """Always take the likeliest move."""
    return lambda asked, masks: policy.act(asked, masks, greedy=True)[0]


def blind(policy: Policy, tables: TorchTables) -> Choose:
    """Play as if nobody had a token."""
    hidden = torch.tensor(token_inputs(tables), device=tables.device)
    return lambda asked, masks: policy.act(asked.index_fill(1, hidden, 0), masks, cut=CUT)[0]


@torch.no_grad()
def share(tables: TorchTables, one: Choose, others: Choose, matches: int) -> dict[int, tuple[float, float, int]]:
    """By number of players: the part of the matches won by one seat, the error of that, and how many there were."""

    def choose(asked: Tensor, mine: Tensor) -> Tensor:
        return torch.where(mine, one(asked, tables.masks), others(asked, tables.masks))

    def counted(step: Step, seat: Tensor) -> tuple[Tensor, Tensor]:
        return step.over, step.shares.gather(1, seat[:, None]).squeeze(1)

    tables.reset(777)
    each = -(-matches // tables.size)
    won, _ = play_equally(tables, choose, counted, each)
    found = {}
    for group in tables.groups:
        count = each * group.size
        rate = float(won[group.rows].sum()) / count
        found[group.players] = (rate, (rate * (1 - rate) / count) ** 0.5, count)
    return found


def main() -> None:
    """Compare as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", type=Path)
    parser.add_argument("--matches", type=count, default=200_000)
    parser.add_argument("--tables", type=count, default=16_384)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    about: dict[str, Any] = about_policy(str(given.policy))
    if not about["score"]:
        parser.error(f"{given.policy.name} was not trained to know the score.")
    check_tables(parser, given, 1, len(about["players"]))
    made = {"score": True, "seed": 5, "device": given.device}
    tables = TorchTables(about["edition"], about["players"], given.tables, **made)
    policy = load(str(given.policy), tables)
    knows, does_not = told(policy), blind(policy, tables)
    for name, one, others in (
        ("one knows the score", knows, does_not),
        ("one does not know the score", does_not, knows),
        ("one takes its likeliest move", greedy(policy), knows),
    ):
        print(json.dumps({"what": name, **share(tables, one, others, given.matches)}), flush=True)


if __name__ == "__main__":
    main()
