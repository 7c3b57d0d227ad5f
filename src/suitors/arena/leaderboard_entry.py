"""From a finished tournament to a leaderboard: the results of its bots against the opponents of each board."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import SuitorsError
from .journal import LOG, parse_line, read_line
from .leaderboard import Board, Leaderboard, Result, bad
from .plan import read_plan
from .tournament import Tournament

SETTINGS = ("bots", "games", "seed", "budget_ms", "strict_time", "options", "edition_options")
OWN_RULES = ("options", "edition_options", "strict_time")


def add_tournament(leaderboard: Leaderboard, folder: Path) -> Leaderboard:
    """The leaderboard with what the entries have done in the tournament in a folder, wherever its tables are boards."""
    try:
        head, results = _read(folder)
        rows = list(_all_rows(leaderboard, folder, head, results))
    except SuitorsError:  # a ValueError, too
        raise
    except OSError as error:
        raise bad(folder, f"holds no finished tournament: {error.strerror or error}") from None
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
        raise bad(folder, "holds damaged results") from None
    if not rows:
        raise bad(folder, "holds no match between an entry and an opponent at one of the boards")
    return leaderboard.with_results(rows)


def _read(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings and the results of a finished tournament."""
    with (folder / LOG).open("rb") as log:
        head = parse_line(folder / LOG, 1, log.readline())
        results = json.loads((folder / "results.json").read_text("utf-8"))
        if any(results.get(key) != head.get(key) for key in SETTINGS):
            raise bad(folder, "holds a tournament that is not finished")
        if found := [key for key in OWN_RULES if key in head]:
            raise bad(folder, f"holds a tournament with settings that no board has ({', '.join(found)})")
        if len(set(head["bots"])) < len(head["bots"]):
            raise bad(folder, "holds a tournament with the same bot twice")
        counted = _count(folder, head, log)
    if any(table["pairs"] != there["pairs"] for table, there in zip(results["tables"], counted, strict=True)):
        raise bad(folder, "holds results that are not those of its log")
    return head, results


def _count(folder: Path, head: Mapping[str, Any], lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """The tables of a tournament by what its log says, of which every line was written by a match."""
    tournament = Tournament(read_plan({key: value for key, value in head.items() if key != "version"}))
    for number, line in enumerate(lines, 2):
        if line.endswith(b"\n"):
            tournament.add(read_line(folder / LOG, number, line, tournament.plan, tournament.numbers))
    if len(tournament.finished) < len(tournament.numbers):
        raise bad(folder, "holds a tournament that is not finished")
    tables: list[dict[str, Any]] = tournament.standings.data()["tables"]
    return tables


def _all_rows(
    leaderboard: Leaderboard, folder: Path, head: Mapping[str, Any], results: Mapping[str, Any]
) -> Iterator[Result]:
    """The results of entries at every table that is a board."""
    boards = {(board.edition, board.players): board for board in leaderboard.boards}
    entries = {entry["bot"] for entry in leaderboard.entries}
    for table in results["tables"]:
        board = boards.get((str(table["edition"]), table["players"]))
        if board is not None:
            _check_terms(folder, board, head)
            yield from (row for row in _rows(board, table, head) if row.bot in entries)


def _check_terms(folder: Path, board: Board, head: Mapping[str, Any]) -> None:
    if head["budget_ms"] != board.budget_ms:
        wanted = "no --budget-ms" if board.budget_ms is None else f"--budget-ms {board.budget_ms:g}"
        raise bad(folder, f"was not played on the terms of {board}: {wanted}")
    if head["games"] < board.games:
        raise bad(folder, f"has {head['games']} matches for each pair, {board} asks for {board.games}")


def _rows(board: Board, table: Mapping[str, Any], head: Mapping[str, Any]) -> Iterator[Result]:
    """The results of a table from the side of each bot that has met an opponent."""
    for pair in table["pairs"]:
        one, other = pair["bots"]
        if one != other and other in board.opponents:
            yield _result(board, pair, head, one, other)
        if one != other and one in board.opponents:
            turned = {
                "games": pair["games"],
                "won": round(pair["games"] - pair["won"], 6),
                "low": round(1 - pair["high"], 6),
                "high": round(1 - pair["low"], 6),
            }
            yield _result(board, turned, head, other, one)


def _result(board: Board, pair: Mapping[str, Any], head: Mapping[str, Any], bot: str, opponent: str) -> Result:
    figures = {key: pair[key] for key in ("games", "won", "low", "high")}
    return Result(board.edition, board.players, bot, opponent, **figures, seed=head["seed"], version=head["version"])
