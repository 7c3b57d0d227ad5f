"""How strong the bots are: each level against the one below it, in whole matches.

    python -m benchmarks.strength [--games 2000] [--budget-ms 10] [--cells modern-2,…] [--pairs novice-beginner,…]
    python -m benchmarks.strength --targets        the expert against what others have published, with 40 ms
    python -m benchmarks.strength --pairs "expert-best reply,best reply-expert" --cells classic-4 --budget-ms 40
    python -m benchmarks.strength --report matches.jsonl [more…]    only the table of what was played

One seat is the higher level's, all others are the lower's; seats rotate, and each deal is played in every rotation.
With --output each match is a line of JSON as soon as it has ended; what is there is not played again, so that a run
goes on after an interrupt. Several machines may share the work: --first gives each deals of its own, and --report puts
their files together. Each seed has a row of its own, and so has each state of the bots (a digest of their code,
networks and weights). The baseline is even play, one match in so many players: an interval that is not clear of it
proves nothing.
"""

import argparse
import os
import platform
import shlex
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.contests import MORE_BOTS, PLAIN, Contest, Result, play, read_journals, tell
from benchmarks.options import cells, find, positive, whole
from suitors.bots import BOTS

CELLS = "modern-2,classic-2,modern-4,classic-4,premium-6"
PAIRS = "beginner-random,novice-beginner,counting-novice,search-counting,expert-search"


class Target(NamedTuple):
    """What the expert is compared with: a contest, and the figures of others."""

    edition: str
    players: int
    lower: str
    note: str


PUBLIC_2 = "best public bot, tuned MCTS at 40 ms: 94% and 71% of the tokens; one-step look-ahead 87%"
PUBLIC_4 = "best public bot 82%; one-step look-ahead 60%"
TARGETS = (
    Target("premium", 2, "random", PUBLIC_2),
    Target("premium", 4, "random", PUBLIC_4),
    Target("premium", 2, PLAIN, "aim at equal time: 60%"),
    Target("classic", 2, PLAIN, "aim at equal time: 60%"),
)


def pairs(text: str) -> list[tuple[str, str]]:
    """Read a list of pairs such as expert-search, the higher level first."""
    names = (*BOTS, *MORE_BOTS)
    there = {f"{higher}-{lower}": (higher, lower) for higher in names for lower in names}
    return [find(word, there) for word in text.split(",")]


def verdict(rate: tuple[float, float], even: float) -> str:
    """Whether the interval is clear of even play."""
    low, high = rate
    return "above" if low > even else "below" if high < even else "not clear"


def note_of(contest: Contest) -> str:
    """What a result is to be compared with."""
    if contest.higher != "expert":
        return "–"
    found = (target.note for target in TARGETS if target[:3] == (contest.edition, contest.players, contest.lower))
    return next(found, "–")


def markdown(results: Iterable[Result]) -> Iterator[str]:
    """The results as a table."""
    head = ("table", "bot", "others", "ms", "matches", "won", "95%", "even", "interval", "tokens", "ms a decision")
    yield f"| {' | '.join(head)} | to compare | seed | bots |"
    yield "| --- | --- | --- | ---: | ---: | ---: | --- | ---: | --- | ---: | ---: | --- | ---: | --- |"
    for result in results:
        c, tally, paces = result.contest, result.tally, result.pace_ms
        low, high = tally.interval()
        table = f"`{c.edition}`, {c.players} players | {c.higher} | {c.lower} | {c.budget_ms:g} | {tally.games:,}"
        won = f"{tally.rate:.1%} | {low:.1%} – {high:.1%} | {1 / c.players:.1%} | {verdict((low, high), 1 / c.players)}"
        cost = f"{result.tokens:.1%} | {paces[0]:.2f}, {paces[1]:.2f}"
        yield f"| {table} | {won} | {cost} | {note_of(c)} | {c.seed} | {c.bots} |"


def main() -> None:
    """Play all contests and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=whole, default=2000, help="matches for each pair at each table")
    parser.add_argument("--budget-ms", type=positive, help="for each decision (10; with --targets 40)")
    parser.add_argument("--seed", type=int, default=0, help="of the deals, and of what bots draw")
    parser.add_argument("--first", type=whole, default=0, help="number of the first deal")
    parser.add_argument("--jobs", type=whole, help="processes to play in; one a core if this is 0 or not given")
    parser.add_argument("--seconds", type=positive, help="begin no more matches after so long")
    parser.add_argument("--cells", type=cells, default=CELLS, metavar=CELLS)
    parser.add_argument("--pairs", type=pairs, default=PAIRS, metavar=PAIRS)
    parser.add_argument("--targets", action="store_true", help="play against what others have published instead")
    parser.add_argument(
        "--output", type=Path, metavar="FILE.jsonl", help="the matches, one a line; goes on if it is there"
    )
    parser.add_argument("--report", type=Path, nargs="+", metavar="FILE.jsonl", help="play nothing, show these")
    args = parser.parse_args()
    if args.report:
        if missing := [str(path) for path in args.report if not path.is_file()]:
            parser.error(f"there is no file {', '.join(missing)}")
        found = read_journals(args.report).values()
        tell(found, 0)
        print("\n".join(markdown(found)))
        return
    if args.output and (args.output.is_dir() or not args.output.absolute().parent.is_dir()):
        parser.error(f"{args.output} cannot be written: it is a folder, or lies in one that is not there")
    budget = args.budget_ms or (40.0 if args.targets else 10.0)
    wanted = (
        [(target.edition, target.players, "expert", target.lower) for target in TARGETS]
        if args.targets
        else [(*cell, *pair) for cell in args.cells for pair in args.pairs]
    )
    contests = [Contest(slug, n, higher, lower, budget, args.seed) for slug, n, higher, lower in dict.fromkeys(wanted)]
    settings = {"jobs": args.jobs, "first": args.first, "seconds": args.seconds, "journal": args.output}
    results = play(contests, args.games, **settings).values()
    tell(results, 0)
    print("\n".join(markdown(results)))
    print(f"\nPython {platform.python_version()}, {os.cpu_count()} cores, {budget:g} ms a decision at most:")
    print(f"`python -m benchmarks.strength {shlex.join(sys.argv[1:])}`".replace(" `", "`"))


if __name__ == "__main__":
    main()
