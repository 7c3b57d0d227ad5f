"""Write the networks of trained policies as the bots read them.

    python -m tools.train.export runs/classic-2/policy.pt [more…] [--out src/suitors/bots/learned/data]

Weights are rounded to a byte each; attack what was written, not what was learnt.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch

from suitors.bots.learned.network import DATA, SUFFIX, editions, load_network, write_network
from suitors.lab.sizes import common_inputs
from suitors.lab.space import space


def main() -> None:
    """Export what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policies", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=DATA)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for path in given.policies:
        export(path, given.out)


def export(path: Path, out: Path) -> None:
    """Write one network, without the rows and columns that only fill up its matrices."""
    found = torch.load(path, map_location="cpu", weights_only=True)
    about, weights = found["about"], found["weights"]
    slug, players, score = about["edition"], about["players"], about["score"]
    eds = editions(slug, players)
    names = ["first", *(f"layers.{k}" for k in range(about["plan"]["layers"] - 1)), "last"]
    layers = [(matrix(weights, name, "weight").T, matrix(weights, name, "bias")) for name in names]
    layers[0] = (layers[0][0][: len(common_inputs(eds, score))], layers[0][1])
    actions = space(eds[-1]).actions
    layers[-1] = (layers[-1][0][:, :actions], layers[-1][1][:actions])
    target = out / f"{slug}-{'-'.join(str(players[k]) for k in sorted({0, len(players) - 1}))}{SUFFIX}"
    said = {name: about[name] for name in ("seconds", "decisions", "lessons") if name in about}
    write_network(target, slug, players, score, layers, **said, plan=about["plan"])
    for ed in eds:
        load_network(target, ed)
    print(f"{target.name}: {target.stat().st_size:,} bytes")


def matrix(weights: dict[str, Any], layer: str, part: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The numbers of a layer."""
    found: np.ndarray[Any, np.dtype[np.float32]] = weights[f"net.{layer}.{part}"].float().numpy()
    return found


if __name__ == "__main__":
    main()
