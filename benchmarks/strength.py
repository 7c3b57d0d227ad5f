"""How strong the bots are: each level against the one below it, in whole matches.

    python benchmarks/strength.py [--games 2000] [--budget-ms 10] [--cells modern-2,…] [--pairs novice-beginner,…]
    python benchmarks/strength.py --targets        the expert against what others have published, with 40 ms
    python benchmarks/strength.py --pairs "expert-best reply" --cells classic-2   against how it played before it learnt

One seat is the higher level's, all others are the lower's; seats rotate, and each deal is played in every rotation.
With --output each result is a line of JSON as soon as it is there, and --resume goes on after an interrupt. The
baseline is even play, one match in so many players: an interval that is not clear of it proves nothing.
"""

import argparse
import json
import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from suitors import __version__
from suitors.arena import Series
from suitors.bots import BOTS
from suitors.bots.warmup import compile_bots
from suitors.records.record import load
from suitors.rules import BOXES

T = TypeVar("T")

PLAIN, BEST_REPLY = "plain search", "best reply"
PROGRAM, BEST_REPLY_PROGRAM = (Path(__file__).with_name(name) for name in ("plain_search.py", "best_reply.py"))
COMMANDS = {
    PLAIN: f"cmd:{shlex.join([sys.executable, str(PROGRAM), '--bot'])}",
    BEST_REPLY: f"cmd:{shlex.join([sys.executable, str(BEST_REPLY_PROGRAM)])}",
}
"""Bots that are not built in, as the arena calls them."""

CELLS = "modern-2,classic-2,modern-4,classic-4,premium-6"
PAIRS = "beginner-random,novice-beginner,counting-novice,search-counting,expert-search"
PAUSE_S = 10.0
"""Seconds between two lines of progress."""


@dataclass(frozen=True)
class Contest:
    """One seat of a bot against all others of another one."""

    edition: str
    players: int
    higher: str
    lower: str
    note: str = ""  # what to compare the result with


PUBLIC_2 = "best public bot, tuned MCTS at 40 ms: 94% and 71% of the tokens; one-step look-ahead 87%"
PUBLIC_4 = "best public bot 82%; one-step look-ahead 60%"
TARGETS = (
    Contest("premium", 2, "expert", "random", PUBLIC_2),
    Contest("premium", 4, "expert", "random", PUBLIC_4),
    Contest("premium", 2, "expert", PLAIN, "aim at equal time: 60%"),
    Contest("classic", 2, "expert", PLAIN, "aim at equal time: 60%"),
)


def cells(text: str) -> list[tuple[str, int]]:
    """Read a list of tables such as modern-2."""
    there = {f"{slug}-{n}": (slug, n) for slug, box in BOXES.items() for n in box.players if n > 1}
    return [find(word, there) for word in text.split(",")]


def pairs(text: str) -> list[tuple[str, str]]:
    """Read a list of pairs such as expert-search, the higher level first."""
    names = (*BOTS, BEST_REPLY)
    there = {f"{higher}-{lower}": (higher, lower) for higher in names for lower in names}
    return [find(word, there) for word in text.split(",")]


def find(word: str, there: Mapping[str, T]) -> T:
    """What a word of the command line means."""
    if word not in there:
        raise argparse.ArgumentTypeError(f"'{word}' is none of {', '.join(there)}")
    return there[word]


def settings(contest: Contest, games: int, budget_ms: float, seed: int) -> dict[str, Any]:
    """What a result is about; whole rotations are played, so the matches may be a few more than asked for."""
    rotations = -(-games // contest.players)
    about = {key: value for key, value in asdict(contest).items() if key != "note"}
    return {**about, "games": rotations * contest.players, "budget_ms": budget_ms, "seed": seed, "version": __version__}


def compile_all(edition: str, bots: list[str]) -> None:
    """Compile before the clock runs; a program that did so at its first decision would be out of time."""
    if COMMANDS[PLAIN] in bots:
        subprocess.run([sys.executable, PROGRAM, "--budget-ms", "1"], stdout=subprocess.DEVNULL, check=True)
    if COMMANDS[BEST_REPLY] in bots:
        compile_bots()
    list(Series(edition, bots, 0, budget_ms=20).play(1, jobs=1))


def play(about: dict[str, Any], jobs: int | None) -> dict[str, Any]:
    """Play a contest to its end; the tokens are those that all matches ended with."""
    names = [about["higher"]] + [about["lower"]] * (about["players"] - 1)
    bots = [COMMANDS.get(name, name) for name in names]
    compile_all(about["edition"], bots)
    series = Series(about["edition"], bots, about["seed"], budget_ms=about["budget_ms"])
    began = told = time.monotonic()
    mine = total = 0
    with closing(series.play(about["games"], jobs=jobs, recording=True)) as outcomes:
        for outcome in outcomes:
            match = load(outcome.record or "")
            mine += match.tokens[match.players.index(bots[0])]
            total += sum(match.tokens)
            if time.monotonic() - told > PAUSE_S:
                told = time.monotonic()
                tell(about, f"{series.games}/{about['games']}, {series.scores[0].tally.rate:.1%} so far")
    first, *others = series.scores
    low, high = first.tally.interval()
    decisions = sum(score.effort.decisions for score in others)
    return {
        **about,
        "rate": round(first.tally.rate, 6),
        "low": round(low, 6),
        "high": round(high, 6),
        "tokens": round(mine / max(1, total), 6),
        "ms_higher": round(1000 * first.effort.pace, 3),
        "ms_lower": round(1000 * sum(score.effort.seconds for score in others) / max(1, decisions), 3),
        "forfeits": [first.effort.forfeits, sum(score.effort.forfeits for score in others)],
        "seconds": round(time.monotonic() - began, 1),
    }


def tell(row: dict[str, Any], words: str) -> None:
    """Say on standard error how a contest stands."""
    title = f"{row['edition']} {row['players']}, {row['higher']} against {row['lower']}"
    print(f"{title}: {words}", file=sys.stderr, flush=True)


def verdict(row: dict[str, Any]) -> str:
    """Whether the interval is clear of even play."""
    even = 1 / row["players"]
    return "above" if row["low"] > even else "below" if row["high"] < even else "not clear"


def markdown(rows: Iterable[tuple[dict[str, Any], str]]) -> Iterator[str]:
    """The results as a table."""
    yield "| table | bot | all others | matches | won | 95% | even | interval | tokens | ms a decision | to compare |"
    yield "| --- | --- | --- | ---: | ---: | --- | ---: | --- | ---: | ---: | --- |"
    for row, note in rows:
        won = f"{row['rate']:.1%} | {row['low']:.1%} – {row['high']:.1%} | {1 / row['players']:.1%} | {verdict(row)}"
        cost = f"{row['tokens']:.1%} | {row['ms_higher']:.2f}, {row['ms_lower']:.2f}"
        table = f"{row['edition']} {row['players']} | {row['higher']} | {row['lower']} | {row['games']}"
        yield f"| {table} | {won} | {cost} | {note or '–'} |"


def read_results(path: Path | None) -> list[dict[str, Any]]:
    """The results of an earlier run; a line that was torn by an interrupt is none."""
    found = []
    for line in path.read_text("utf-8").splitlines() if path is not None and path.exists() else ():
        try:
            found.append(json.loads(line))
        except ValueError:
            print(f"{path}: left out {line[:40]!r}", file=sys.stderr)
    return found


def main() -> None:
    """Play all contests and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="matches for each pair at each table")
    parser.add_argument("--budget-ms", type=float, help="for each decision (10; with --targets 40)")
    parser.add_argument("--seed", type=int, default=0, help="of the deals, and of what bots draw")
    parser.add_argument("--jobs", type=int, help="processes to play in; all cores if not given")
    parser.add_argument("--cells", type=cells, default=CELLS, metavar=CELLS)
    parser.add_argument("--pairs", type=pairs, default=PAIRS, metavar=PAIRS)
    parser.add_argument("--targets", action="store_true", help="play against what others have published instead")
    parser.add_argument("--output", type=Path, metavar="FILE.json", help="append each result here, one a line")
    parser.add_argument("--resume", action="store_true", help="skip what FILE.json has")
    args = parser.parse_args()
    contests = TARGETS if args.targets else [Contest(*cell, *pair) for cell in args.cells for pair in args.pairs]
    budget = args.budget_ms or (40.0 if args.targets else 10.0)
    before, rows = read_results(args.output) if args.resume else [], []
    try:
        for contest in contests:
            about = settings(contest, args.games, budget, args.seed)
            row = next((row for row in before if about.items() <= row.items()), None)
            if row is None:
                row = play(about, args.jobs)
                tell(row, f"{row['rate']:.1%}, {row['seconds']} s, {row['forfeits']} forfeits")
                if args.output is not None:
                    with args.output.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
            rows.append((row, contest.note))
    except KeyboardInterrupt:
        print("Interrupted: --output and --resume go on after the last result.", file=sys.stderr)
    print("\n".join(markdown(rows)))
    print(f"\nPython {platform.python_version()}, {os.cpu_count()} cores, {budget:g} ms a decision at most:")
    print(f"`python benchmarks/strength.py {shlex.join(sys.argv[1:])}`".replace(" `", "`"))


if __name__ == "__main__":
    main()
