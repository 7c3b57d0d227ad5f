"""A leaderboard as Markdown: what is ranked on which terms, and a table for each board."""

import re
from collections.abc import Iterator
from html import escape

from .leaderboard import Board, Leaderboard, Place


def leaderboard_page(leaderboard: Leaderboard) -> str:
    """The bots that entered, and the boards."""
    return "\n".join(
        [*_entries(leaderboard), *(line for board in leaderboard.boards for line in _board(leaderboard, board))]
    )


def _entries(leaderboard: Leaderboard) -> Iterator[str]:
    yield "## The bots"
    yield ""
    yield "| bot | kind | what it does |"
    yield "| --- | --- | --- |"
    for entry in leaderboard.entries:
        name = f"[{_cell(entry['bot'])}]({entry['home']})" if "home" in entry else f"`{entry['bot']}`"
        more = "".join(f", {entry[key]}" for key in ("release", "author") if key in entry)
        yield f"| {name} | {entry['kind']}{_cell(more)} | {_cell(entry['about'])} |"
    yield ""


def _cell(text: str) -> str:
    """A text as it is: no part of it is Markdown or HTML, or ends its cell."""
    return re.sub(r"([\\`*_{}\[\]|])", r"\\\1", escape(text, quote=False))


def _board(leaderboard: Leaderboard, board: Board) -> Iterator[str]:
    time = "without a budget of time" if board.budget_ms is None else f"at most {board.budget_ms:g} ms a decision"
    yield f"## {board.edition}, {board.players} players"
    yield ""
    yield f"At least {board.games:,} matches against each opponent, {time}."
    yield ""
    opponents = "".join(f" | `{name}`" for name in board.opponents)
    yield f"| | bot | score | 95%{opponents} | matches | seed | version |"
    yield f"| ---: | --- | ---: | ---{' | ---:' * len(board.opponents)} | ---: | ---: | --- |"
    for number, place in enumerate(leaderboard.places(board), 1):
        yield f"| {number} | {_row(board, place)} |"
    yield ""


def _row(board: Board, place: Place) -> str:
    rates = (_rate(place.results[name].rate) if name in place.results else "–" for name in board.opponents)
    sure = f"{_rate(place.low)} – {_rate(place.high)}"
    found = place.results.values()
    seeds, versions = ({str(result.seed) for result in found}, {result.version for result in found})
    matches = f"{sum(result.games for result in found):,}"
    cells = [f"`{place.bot}`", _rate(place.score), sure, *rates, matches, _together(seeds), _cell(_together(versions))]
    return " | ".join(cells)


def _rate(rate: float) -> str:
    return f"{rate:.1%}"


def _together(values: set[str]) -> str:
    return ", ".join(sorted(values))
