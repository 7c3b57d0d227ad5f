"""Let two networks of one game meet in whole matches: one seat of the first among others of the second.

    python -m tools.train.meet runs/modern-3-6/policy.pt src/suitors/bots/learned/data/modern-3-6.net [--greedy]

Prints how many matches the one seat wins, by number of players, and the other way round. It is quick, but says only how
two networks fare that play alone.
"""

import argparse
import json

import torch

from .learning import about_policy, load
from .options import check_tables, count
from .score import Choose, greedy, share, told
from .tables import TorchTables


def main() -> None:
    """Let those meet that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one")
    parser.add_argument("others")
    parser.add_argument("--matches", type=count, default=100_000)
    parser.add_argument("--tables", type=count, default=16_384)
    parser.add_argument("--greedy", action="store_true", help="both always take their likeliest move")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    about = about_policy(given.one)
    check_tables(parser, given, 1, len(about["players"]))
    made = {"score": about["score"], "seed": 7, "device": given.device}
    tables = TorchTables(about["edition"], about["players"], given.tables, **made)
    plays = greedy if given.greedy else told
    one, others = (plays(load(path, tables)) for path in (given.one, given.others))
    pairs: list[tuple[str, str, Choose, Choose]] = [
        (given.one, given.others, one, others),
        (given.others, given.one, others, one),
    ]
    for name, among, first, second in pairs:
        print(json.dumps({"one": name, "among": among, **share(tables, first, second, given.matches)}), flush=True)


if __name__ == "__main__":
    main()
