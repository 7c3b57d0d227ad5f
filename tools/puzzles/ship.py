"""Choose the puzzles that ship with the package: `python -m tools.puzzles.ship FILE [--most N]`.

Of puzzles that are too much alike the one with the widest margin is taken. If there are more than N, those of the
largest groups of an edition and a theme are left out first. It prints the tables of docs/practice.md.
"""

import argparse
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from pathlib import Path

from suitors.coach import puzzles as shipped
from suitors.coach.puzzles import FILE, LEVELS, THEMES, Puzzle, level_of, puzzle_id, read_puzzle
from suitors.view.data import read_view

from .mine import Line, whole_lines
from .panel import rate
from .themes import same_kind, theme_of

KEYS = (
    *("id", "edition", "theme", "rating", "margin", "exact", "stake"),
    *("best", "liked", "moves", "reasons", "from", "view"),
)
"""What is shipped of a puzzle."""


def finish(line: Line) -> Line:
    """A mined puzzle with its id, theme and rating."""
    view = read_view(line["view"])
    return {
        **line,
        "id": puzzle_id(view),
        "theme": theme_of(view, line["best"], line["liked"], line["reasons"][line["liked"][0]]["kind"], line["exact"]),
        "rating": rate(line["panel"], len(line["moves"]), line["margin"]),
        "kind": same_kind(view, line["best"], line["liked"], line["edition"]),
    }


def different(lines: Iterable[Line]) -> list[Line]:
    """The puzzles without those that are too much like another one."""
    found: dict[tuple[object, ...], Line] = {}
    for line in lines:
        other = found.get(line["kind"])
        if other is None or line["margin"] > other["margin"]:
            found[line["kind"]] = line
    return list({line["id"]: line for line in found.values()}.values())


def balanced(lines: Sequence[Line], most: int) -> list[Line]:
    """At most so many, of each edition and theme as evenly as there are any, from all levels in turn."""
    groups: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for line in lines:
        groups[line["edition"], line["theme"]].append(line)
    waiting = {key: levels_in_turn(groups[key]) for key in sorted(groups)}
    rounds = zip_longest(*waiting.values())
    chosen = islice((line for each in rounds for line in each if line is not None), most)
    return sorted(chosen, key=lambda line: (line["rating"], line["id"]))


def levels_in_turn(lines: Iterable[Line]) -> list[Line]:
    """One puzzle of each level after the other, those with the widest margins first."""
    levels: dict[str, list[Line]] = {level: [] for level in LEVELS}
    for line in sorted(lines, key=lambda line: (-line["margin"], line["id"])):
        levels[level_of(line["rating"])].append(line)
    return [line for each in zip_longest(*levels.values()) for line in each if line is not None]


def write(lines: Iterable[Line], target: Path) -> None:
    """Write the file that ships; the same puzzles give the same bytes."""
    texts = (json.dumps({key: line[key] for key in KEYS}, separators=(",", ":")) for line in lines)
    target.write_bytes(gzip.compress("".join(f"{text}\n" for text in texts).encode(), 9, mtime=0))


def counts(puzzles: Sequence[Puzzle]) -> Iterator[str]:
    """The puzzles of each edition by theme, and by level."""
    yield "| edition | " + " | ".join(f"`{theme}`" for theme in THEMES) + " | all |"
    yield "| --- |" + " ---: |" * (len(THEMES) + 1)
    editions = dict.fromkeys(sorted(puzzle.edition for puzzle in puzzles))
    for row in (*editions, ""):
        own = [puzzle for puzzle in puzzles if row in ("", puzzle.edition)]
        themes = Counter(puzzle.theme for puzzle in own)
        title = f"`{row}`" if row else "all"
        yield f"| {title} | " + " | ".join(str(themes[theme]) for theme in THEMES) + f" | {len(own)} |"
    levels = Counter(puzzle.level for puzzle in puzzles)
    yield ", ".join(f"{levels[level]} {level}" for level in LEVELS)


def selectivity(lines: Sequence[Line]) -> str:
    """How few positions are puzzles."""
    seen, deep = (sum(line[key] for line in lines) for key in ("seen", "deep"))
    found = sum(len(line["puzzles"]) for line in lines)
    return f"{len(lines)} matches, {seen} decisions, {deep} verified, {found} puzzles"


def main() -> None:
    """Write the file, and print what is in it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--most", type=int, default=600)
    given = parser.parse_args()
    matches = whole_lines(given.file)
    lines = different(finish(line) for match in matches for line in match["puzzles"])
    chosen = balanced(lines, given.most)
    write(chosen, Path(shipped.__file__).with_name(FILE))
    print(f"{selectivity(matches)}, {len(lines)} different, {len(chosen)} shipped\n")
    print("\n".join(counts([read_puzzle(json.dumps(line)) for line in chosen])))


if __name__ == "__main__":
    main()
