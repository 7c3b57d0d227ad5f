"""Puzzles: positions with one best move, as one seat saw them, and what every move of them is worth.

The file that ships with the package is made by tools/puzzles. A line of it is what `view_data` writes of the seat's
view, so that a puzzle holds nothing that its seat does not know, with the values and reasons of the analysis.
"""

import gzip
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from importlib import resources

from ..bots.positions import visible_table
from ..bots.solo import table_of, unseen
from ..knowledge.public import fold
from ..notation import NO_MOVE, UNREADABLE, read_move
from ..rules import ALONE, SEVERAL, Refusal, edition
from ..view.data import read_view
from ..view.match import View
from ..view.solo import SoloView
from .data import Data
from .judgement import THRESHOLDS, Mark, MoveValue
from .kept import read_reason
from .reasons import Reason, values_of

FILE = "puzzles.jsonl.gz"

THEMES = ("counting", "countess", "bluff", "baron", "hands", "keep", "safety", "ending", "solitaire")
"""What puzzles are about; words/practice.py names them."""

RECENT = 64
"""Positions that are kept once they were read; the lines of all take less memory."""

LEVELS = {"easy": 0, "medium": 1000, "hard": 1400}
"""The lowest rating of each level of difficulty."""


@dataclass(frozen=True)
class Exercise:
    """A position to solve: what a seat knows, what every legal move is worth, best first, and why."""

    edition: str
    view: View | SoloView
    moves: tuple[MoveValue, ...]
    best: str
    stake: float
    reasons: Mapping[str, Reason]  # of a move: why it is worse, or of the best why it is good
    liked: tuple[str, ...] = ()  # what a plain player would do

    def solves(self, move: str) -> bool:
        """Whether a move is the best one, or no worse than that for all that can be told."""
        return move == self.best or self.value(self.best).match - self.value(move).match < self._slack(move)

    def value(self, move: str) -> MoveValue:
        """What a legal move is worth."""
        return next(value for value in self.moves if value.move == move)

    def reason(self, move: str) -> Reason:
        """Why a move is worse than the best, or good; the values of both, where nothing else is known."""
        if move in self.reasons:
            return self.reasons[move]
        other = move if move != self.best else next(value.move for value in self.moves if value.move != self.best)
        return values_of(self.value(other), self.value(self.best))

    def why_not(self, text: str) -> Refusal:
        """Why a move is not legal; it depends on what the seat knows alone."""
        view = self.view
        move = read_move(view.rules, text)
        if move in (NO_MOVE, UNREADABLE):
            return Refusal.NO_FORM
        if isinstance(view, SoloView):
            return Refusal(ALONE.why_not(table_of(view, unseen(view)), view.rules, move))
        return Refusal(SEVERAL.why_not(visible_table(view, fold(view)), view.rules, move))

    def _slack(self, move: str) -> float:
        """What a move may be worse than the best without being an inaccuracy, and the error of the difference."""
        return THRESHOLDS[Mark.INACCURACY] * self.stake + self.value(move).error


@dataclass(frozen=True)
class Puzzle:
    """A puzzle that ships with the package."""

    id: str
    edition: str
    players: int
    theme: str
    rating: int
    margin: float  # how much worse every other move is at least, in parts of the stake
    exact: bool  # the values are solved, not simulated
    line: str = field(repr=False)  # of the file

    @property
    def level(self) -> str:
        """How hard it is, in a word."""
        return level_of(self.rating)

    @property
    def data(self) -> Data:
        """All that its line holds."""
        found: Data = json.loads(self.line)
        return found

    @property
    def exercise(self) -> Exercise:
        """The position, with the values and reasons of its moves."""
        return _exercise(self)

    def public_data(self, *, solved: bool) -> Data:
        """What programs are told of it: before it is solved, nothing but what the seat knows."""
        data, open_ = self.data, ("id", "edition", "rating", "view")
        hidden = ("theme", "margin", "exact", "stake", "best", "moves", "reasons")
        return {key: data[key] for key in (*open_, *(hidden if solved else ()))}


@lru_cache(maxsize=RECENT)
def _exercise(puzzle: Puzzle) -> Exercise:
    data = puzzle.data
    view = read_view(data["view"])
    if isinstance(view, SoloView):
        view = replace(view, rules=edition(puzzle.edition, 1, view.options))
    return Exercise(
        edition=puzzle.edition,
        view=view,
        moves=tuple(MoveValue(**value) for value in data["moves"]),
        best=data["best"],
        stake=data["stake"],
        reasons={move: read_reason(reason) for move, reason in data["reasons"].items()},
        liked=tuple(data["liked"]),
    )


@lru_cache
def load_puzzles() -> Mapping[str, Puzzle]:
    """All puzzles by their ids, in the order of their ratings.

    Examples:
        >>> puzzles = load_puzzles()
        >>> len(puzzles) >= 500
        True
        >>> puzzle = next(iter(puzzles.values()))
        >>> puzzle.exercise.best in puzzle.exercise.view.legal
        True
    """
    packed = resources.files(__package__).joinpath(FILE).read_bytes()
    lines = gzip.decompress(packed).decode().splitlines()
    return {puzzle.id: puzzle for puzzle in map(read_puzzle, lines)}


def read_puzzle(line: str) -> Puzzle:
    """The puzzle of a line."""
    data: Data = json.loads(line)
    plain = {key: data[key] for key in ("id", "edition", "theme", "rating", "margin", "exact")}
    return Puzzle(players=len(data["view"]["players"]), line=line, **plain)


def level_of(rating: int) -> str:
    """How hard a puzzle of a rating is, in a word."""
    return [level for level, least in LEVELS.items() if rating >= least][-1]


def puzzle_id(view: View | SoloView) -> str:
    """The id of a puzzle: the same for the same information."""
    return blake2b(view.key().encode(), digest_size=4).hexdigest()


def daily_puzzle(day: date) -> Puzzle:
    """The puzzle of a day, the same for everybody; none comes twice before all have come.

    Examples:
        >>> daily_puzzle(date(2026, 1, 1)) == daily_puzzle(date(2026, 1, 2))
        False
    """
    mixed = sorted(load_puzzles().values(), key=lambda puzzle: blake2b(puzzle.id.encode()).digest())
    return mixed[day.toordinal() % len(mixed)]


def select(theme: str = "", edition: str = "", level: str = "") -> list[Puzzle]:
    """The puzzles of a theme, an edition and a level; where one of these is empty, any."""
    return [
        puzzle
        for puzzle in load_puzzles().values()
        if theme in ("", puzzle.theme) and edition in ("", puzzle.edition) and level in ("", puzzle.level)
    ]


NEAREST = 8
"""Among so many puzzles of the nearest rating the next one is chosen."""


def candidates(puzzles: Sequence[Puzzle], done: Collection[str], rating: float) -> Iterable[Puzzle]:
    """The puzzles that may come next: new ones if there are any, with ratings near that of the person."""
    new = [puzzle for puzzle in puzzles if puzzle.id not in done]
    return sorted(new or puzzles, key=lambda puzzle: abs(puzzle.rating - rating))[:NEAREST]
