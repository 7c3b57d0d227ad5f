"""A leaderboard: one JSON file with boards, the bots that entered, and what was measured (docs/leaderboard.md).

What is wrong in it is a sentence with the file and the place.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from math import sqrt
from pathlib import Path
from typing import Any, TypeAlias

from ..bots import BOTS
from ..bots.bots_file import NAME
from ..errors import SuitorsError
from ..rules import BOXES
from .journal import write_whole

FORMAT = "suitors-leaderboard/1"

LONGEST_TEXT = 200
MOST_GAMES = 10**15

ADDRESS = re.compile(r"https?://[a-zA-Z0-9._~:/?#@!$&+,;=%-]+")
"""An address that means the same in Markdown; other letters are written with percent signs."""

ROUNDING = 1e-6
"""How far the rounded figures of a tournament may be from exact ones."""

Check: TypeAlias = tuple[Callable[[Any], bool], str]
"""Whether a value is good, and what it should be."""


def _text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT and value.isprintable()


def _number(value: Any, low: float, high: float) -> bool:
    return type(value) in (int, float) and low <= value <= high


BOT: Check = (lambda value: isinstance(value, str) and NAME.fullmatch(value) is not None, "the name of a bot")
EDITION: Check = (
    lambda value: isinstance(value, str) and value in BOXES and not BOXES[value].solo,
    "the slug of an edition for several",
)
PLAYERS: Check = (lambda value: type(value) is int and 2 <= value <= 8, "a number of players")
GAMES: Check = (
    lambda value: type(value) is int and 2 <= value <= MOST_GAMES and value % 2 == 0,
    "an even number of matches",
)
BUDGET: Check = (lambda value: value is None or _number(value, 1e-9, 1e9), "null, or milliseconds a decision")
TEXT: Check = (_text, f"a text of up to {LONGEST_TEXT} letters in one line")
RATE: Check = (lambda value: _number(value, 0, 1), "a number from 0 to 1")
LINK: Check = (lambda value: _text(value) and ADDRESS.fullmatch(value) is not None, "the address of a page")
NAMES: Check = (
    lambda value: isinstance(value, list) and len(value) > 0 and all(map(BOT[0], value)) and _different(value),
    "a list of names of bots, each of them once",
)

BOARD: Mapping[str, Check] = {
    "edition": EDITION,
    "players": PLAYERS,
    "opponents": NAMES,
    "games": GAMES,
    "budget_ms": BUDGET,
}
ENTRY: Mapping[str, Check] = {
    "bot": BOT,
    "kind": (lambda value: value in ("built-in", "program"), "'built-in' or 'program'"),
    "about": TEXT,
}
MAY: Mapping[str, Check] = {"home": LINK, "author": TEXT, "release": TEXT}
"""What an entry may have in addition."""

RESULT: Mapping[str, Check] = {
    "edition": EDITION,
    "players": PLAYERS,
    "bot": BOT,
    "opponent": BOT,
    "games": GAMES,
    "won": (lambda value: _number(value, 0, MOST_GAMES), "a number of matches"),
    "low": RATE,
    "high": RATE,
    "seed": (lambda value: type(value) is int, "a whole number"),
    "version": TEXT,
}


@dataclass(frozen=True)
class Board:
    """A table with its terms: whom an entry has to meet there, how often at least, and in what time."""

    edition: str
    players: int
    opponents: list[str]
    games: int
    budget_ms: float | None

    def __str__(self) -> str:
        return f"{self.edition}, {self.players} players"


@dataclass(frozen=True)
class Result:
    """What a bot has won against an opponent, with the 95% interval of its rate."""

    edition: str
    players: int
    bot: str
    opponent: str
    games: int
    won: float
    low: float
    high: float
    seed: int
    version: str

    @property
    def rate(self) -> float:
        """The part of the matches that the bot has won."""
        return self.won / self.games

    @property
    def key(self) -> tuple[str, int, str, str]:
        """What there is one result of."""
        return self.edition, self.players, self.bot, self.opponent


@dataclass(frozen=True)
class Place:
    """A bot at a board: the mean of its rates against the opponents other than itself, and the interval of the mean."""

    bot: str
    score: float
    low: float
    high: float
    results: Mapping[str, Result]  # by opponent


@dataclass(frozen=True)
class Leaderboard:
    """A whole leaderboard that has been checked."""

    path: Path
    boards: list[Board]
    entries: list[dict[str, str]]
    results: list[Result]

    def places(self, board: Board) -> list[Place]:
        """The bots that have been measured at a board, best first."""
        found: dict[str, dict[str, Result]] = {}
        for result in self.results:
            if (result.edition, result.players) == (board.edition, board.players):
                found.setdefault(result.bot, {})[result.opponent] = result
        return sorted((_place(bot, results) for bot, results in found.items()), key=lambda place: -place.score)

    def with_results(self, results: Iterable[Result]) -> "Leaderboard":
        """The leaderboard with more results, which take the places of older ones of the same bots."""
        kept = {result.key: result for result in (*self.results, *results)}
        return replace(self, results=sorted(kept.values(), key=lambda result: result.key))

    def data(self) -> dict[str, Any]:
        """What the file holds."""
        return {
            "format": FORMAT,
            "boards": [asdict(board) for board in self.boards],
            "entries": self.entries,
            "results": [asdict(result) for result in self.results],
        }

    def write(self) -> None:
        """Check everything once more and write the file, one line for each board, entry and result."""
        check_leaderboard(self.path, self.data())
        parts = [f' "format": {json.dumps(FORMAT)}']
        for key, rows in list(self.data().items())[1:]:
            lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
            parts.append(f' "{key}": [\n{lines}\n ]')
        write_whole(self.path, "{\n" + ",\n".join(parts) + "\n}\n")


def _place(bot: str, results: Mapping[str, Result]) -> Place:
    count = len(results)
    score = sum(result.rate for result in results.values()) / count
    below = sqrt(sum((result.rate - result.low) ** 2 for result in results.values())) / count
    above = sqrt(sum((result.high - result.rate) ** 2 for result in results.values())) / count
    return Place(bot, score, max(0.0, score - below), min(1.0, score + above), results)


def read_leaderboard(path: Path) -> Leaderboard:
    """The leaderboard in a file."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise bad(path, f"cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise bad(path, "is not JSON in UTF-8") from None
    return check_leaderboard(path, data)


def check_leaderboard(path: Path, data: object) -> Leaderboard:
    """The leaderboard that is in the data, or a sentence about the first thing that is wrong."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise bad(path, f'is no leaderboard: it does not say "format": "{FORMAT}"')
    if data.keys() != {"format", "boards", "entries", "results"}:
        raise bad(path, "has to hold format, boards, entries and results, and nothing else")
    board = Leaderboard(
        path,
        [Board(**row) for row in _rows(path, data, "boards", BOARD)],
        _rows(path, data, "entries", ENTRY, MAY),
        [Result(**row) for row in _rows(path, data, "results", RESULT)],
    )
    _check_whole(board)
    return board


def _rows(
    path: Path, data: Mapping[str, Any], key: str, checks: Mapping[str, Check], may: Mapping[str, Check] | None = None
) -> list[dict[str, Any]]:
    """The objects of a list, each with its keys and good values."""
    rows = data[key]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise bad(path, f"is wrong: {key} is a list of objects")
    for place, row in enumerate(rows):
        for name in (*checks, *row):
            check = checks.get(name) or (may or {}).get(name)
            if check is None:
                raise bad(path, f"is wrong: {key}[{place}] has an unknown key {json.dumps(name[:40])}")
            if name not in row:
                raise bad(path, f"is wrong: {key}[{place}] lacks '{name}'")
            if not check[0](row[name]):
                raise bad(path, f"is wrong: {key}[{place}].{name} is {check[1]}, not {json.dumps(row[name])[:60]}")
    return rows


def _check_whole(board: Leaderboard) -> None:
    """Check what several rows have to do with each other."""
    path, entries = board.path, {entry["bot"]: entry for entry in board.entries}
    boards = {(one.edition, one.players): one for one in board.boards}
    if len(entries) < len(board.entries) or len(boards) < len(board.boards):
        raise bad(path, "is wrong: a bot or a board is there twice")
    for bot, entry in entries.items():
        if (entry["kind"] == "built-in") != (bot in BOTS):
            raise bad(path, f"is wrong: '{bot}' is {'a' if bot in BOTS else 'no'} built-in bot")
    for one in board.boards:
        if one.players not in BOXES[one.edition].players:
            raise bad(path, f"is wrong: {one.edition} is not for {one.players} players")
    for place, result in enumerate(board.results):
        _check_result(path, f"results[{place}]", result, boards.get((result.edition, result.players)), entries)
    if not _different([result.key for result in board.results]):
        raise bad(path, "is wrong: a result is there twice")
    _check_both_sides(path, board.results)
    for one in board.boards:
        for row in board.places(one):
            if missing := [name for name in one.opponents if name not in row.results and name != row.bot]:
                raise bad(path, f"is wrong: '{row.bot}' has not met '{missing[0]}' at {one}")


def _check_result(path: Path, where: str, result: Result, board: Board | None, entries: Mapping[str, object]) -> None:
    """Check that a result belongs to a board and an entry, and that its figures go together."""
    if board is None:
        raise bad(path, f"is wrong: {where} is of no board")
    if result.bot not in entries:
        raise bad(path, f"is wrong: {where} is of '{result.bot}', which is not among the entries")
    if result.opponent not in board.opponents or result.opponent == result.bot:
        raise bad(path, f"is wrong: {where} is against '{result.opponent}', who is not an opponent of it at {board}")
    if result.games < board.games:
        raise bad(path, f"is wrong: {where} has {result.games} matches, {board} asks for {board.games}")
    if not result.low - ROUNDING <= result.rate <= result.high + ROUNDING:
        raise bad(path, f"is wrong: in {where} {result.won:g} of {result.games} is not between low and high")


def _check_both_sides(path: Path, results: Iterable[Result]) -> None:
    """Check that two bots have the same matches from either side, and have won all of them between them."""
    found = {result.key: result for result in results}
    for one in found.values():
        other = found.get((one.edition, one.players, one.opponent, one.bot))
        if other is not None and (one.games != other.games or abs(one.won + other.won - one.games) > ROUNDING):
            raise bad(
                path,
                f"is wrong: '{one.bot}' has won {one.won:g} of {one.games} matches against '{other.bot}', "
                f"who has won {other.won:g} of {other.games}",
            )


def _different(values: list[Any]) -> bool:
    return len(set(values)) == len(values)


def bad(path: Path, message: str) -> SuitorsError:
    """What is wrong with a leaderboard."""
    return SuitorsError("bad-leaderboard", f"{path} {message}.")
