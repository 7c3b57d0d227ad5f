"""Write what was measured of a network into the first line of its file, and leave its weights as they are.

    python -m tools.train.figures src/suitors/bots/learned/data/classic-2.net "lead of the best reply=0.0084"
    python -m tools.train.figures src/suitors/bots/learned/data/*.net

Prints the figures that stand there then. A file that was made for other games is left as it is, unless --renew says
that its weights mean the same in the games as they are now: their digests are written anew then.
"""

import argparse
from math import isfinite, nan
from pathlib import Path

from suitors.bots.learned.digests import rules_digest
from suitors.bots.learned.network import (
    SUFFIX,
    BadNetwork,
    editions,
    load_network,
    read_body,
    read_head,
    read_layers,
    write_file,
)

Figure = tuple[str, float]
"""What was measured, and what came of it."""


def main() -> None:
    """Write the figures that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("given", nargs="+", type=network_or_figure, metavar="FILE.net or NAME=NUMBER")
    parser.add_argument("--renew", action="store_true", help="write the digests of the games anew, too")
    options = parser.parse_args()
    given = options.given
    paths = [one for one in given if isinstance(one, Path)]
    if not paths:
        parser.error("name a network, such as src/suitors/bots/learned/data/classic-2.net")
    for path in paths:
        try:
            found = add_figures(path, dict(one for one in given if not isinstance(one, Path)), renew=options.renew)
        except (OSError, BadNetwork) as wrong:
            parser.error(str(wrong))
        print(path.name, *(f"{name}: {number:g}" for name, number in found.items()), sep="\n    ")


def network_or_figure(text: str) -> Path | Figure:
    """Read the name of a file, or of a figure with its number."""
    if text.endswith(SUFFIX):
        return Path(text)
    name, _, number = text.rpartition("=")
    try:
        found = float(number)
    except ValueError:
        found = nan
    if not name or not isfinite(found):
        raise argparse.ArgumentTypeError(f"'{text}' is neither a {SUFFIX} file nor a name=number")
    return name, found


def add_figures(path: Path, figures: dict[str, float], *, renew: bool) -> dict[str, float]:
    """Write figures into a file, if there are any; all that stand there then."""
    head = read_head(path)
    read_layers(path, head)
    for ed in () if renew else editions(head["edition"], head["players"]):
        load_network(path, ed)
        if head["rules"].get(str(ed.players)) != rules_digest(ed):
            raise BadNetwork(f"{path.name} was made for other rules; --renew says that it fits those of now.")
    found: dict[str, float] = head["figures"] | figures
    if figures or renew:
        write_file(path, {**head, "figures": found}, read_body(path))
    return found


if __name__ == "__main__":
    main()
