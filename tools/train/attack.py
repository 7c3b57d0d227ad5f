"""Look for the best reply to a policy: the same learner against it, fresh, or from its own weights.

    python -m tools.train.attack src/suitors/bots/learned/data/classic-2.net --seconds 150
    python -m tools.train.attack src/suitors/bots/learned/data/classic-2.net --seconds 90 --warm
    python -m tools.train.attack random --edition classic --seconds 150

It prints what the reply won, as it learnt to play and always taking its likeliest move: its share of the rounds, or
where a round may bring more than a token, half of one plus half its lead in tokens a round.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from .learning import Learner, Plan, about_policy, load, play_off, save
from .networks import Player, Policy, RandomPolicy
from .options import EDITIONS, check_tables, count, positive
from .tables import TorchTables


def main() -> None:
    """Attack as the command line says, and print what the best reply won."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", help="a network as bots read it, a file of train.py, or 'random'")
    parser.add_argument(
        "--edition", choices=EDITIONS, default="classic", help="the game, where random play is attacked"
    )
    parser.add_argument("--seconds", type=positive, default=150.0)
    parser.add_argument("--tables", type=count, default=Plan.tables)
    parser.add_argument("--rounds", type=count, default=4_000_000)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--warm", action="store_true", help="start from the weights of the policy")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--out", type=figures_file, help="a .json file for the figures; the reply lies beside it")
    given = parser.parse_args()
    check_tables(parser, given, Plan.parts, 1)
    about = game_of(given)
    if about["players"] != [2]:
        players = ", ".join(map(str, about["players"]))
        parser.error(f"{given.policy} is for {players} players; best replies are looked for between two.")
    if about["score"]:
        parser.error(f"{given.policy} knows the score; best replies are looked for in single rounds.")
    found = attack(given)
    print(json.dumps(found), flush=True)
    if given.out:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(json.dumps(found) + "\n")


def figures_file(text: str) -> Path:
    """Read the name of a file for figures."""
    path = Path(text)
    if path.suffix != ".json":
        raise argparse.ArgumentTypeError(f"{text} is not a .json file.")
    return path


def attack(given: argparse.Namespace) -> dict[str, Any]:
    """Learn against the policy, then play rounds against it: what was won by chance as learnt, and greedily."""
    about = game_of(given)
    made = {"score": about["score"], "device": given.device}
    tables = TorchTables(about["edition"], about["players"], given.tables, seed=given.seed, **made)
    target: Player = RandomPolicy() if given.policy == "random" else load(given.policy, tables)
    # A warm attack begins where the policy ended: with little chance left in it, and small steps.
    plan = Plan(seconds=given.seconds, tables=given.tables, seed=given.seed, entropy=(0.1, 0.0005))
    if given.warm:
        plan = replace(plan, rate=(1e-4, 1e-5), entropy=(0.01, 0.0005))
    if isinstance(target, Policy):
        plan = replace(plan, width=target.width, layers=target.depth)
    learner = Learner(tables, plan)
    if given.warm and isinstance(target, Policy):
        learner.start_from(target.state_dict())
    learner.others = target
    learner.mine = torch.eye(tables.seats_most, dtype=torch.bool, device=tables.device)[
        torch.arange(tables.size, device=tables.device) % tables.count
    ]
    took = learner.learn()
    if given.out:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        save(learner.average.policy, tables, plan, str(given.out.with_suffix(".pt")), seconds=took)
    found = learner.average.policy
    results = {
        "as learnt": play_off(tables, found, target, given.rounds, cut=0.0),
        "greedy": play_off(tables, found, target, given.rounds, greedy=True),
    }
    share = {name: [(mean + 1) / 2, error / 2, rounds] for name, (mean, error, rounds) in results.items()}
    return {"policy": given.policy, "warm": given.warm, "seconds": took, "batches": learner.batches, **about, **share}


def game_of(given: argparse.Namespace) -> dict[str, Any]:
    """The game of the policy."""
    if given.policy == "random":
        return {"edition": given.edition, "players": [2], "score": False}
    about = about_policy(given.policy)
    return {name: about[name] for name in ("edition", "players", "score")}


if __name__ == "__main__":
    main()
