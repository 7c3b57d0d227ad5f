"""Matches as tables of data: one row a match, one a round, one a decision, in plain columns that any library takes."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..errors import SuitorsError, brief
from ..game import Match, Play, Solo
from ..history import Round
from ..notation import CARD_NAMES
from ..rules import SWITCHES, Phase
from ..view.data import END_NAMES
from .record import load, replay

Columns = dict[str, list[Any]]
"""A table: its columns by name, all of the same length."""

Kinds = Mapping[str, type]
"""The columns of a table, and what their cells are."""

MATCHES: Kinds = {
    "match": int,
    "edition": str,
    "options": str,
    "players": int,
    "names": str,
    "over": bool,
    "winners": str,
    "tokens": str,
    "rounds": int,
    "decisions": int,
}
ROUNDS: Kinds = {
    "match": int,
    "round": int,
    "first": int,
    "seats": str,
    "end": str,
    "winners": str,
    "tokens": str,
    "decisions": int,
}
DECISIONS: Kinds = {
    "match": int,
    "round": int,
    "ply": int,
    "seat": int,
    "phase": str,
    "hand": str,
    "deck": int,
    "tokens": int,
    "legal": int,
    "move": str,
}


def _columns(names: Iterable[str]) -> Columns:
    return {name: [] for name in names}


@dataclass
class Frames:
    """Three tables. Lists of seats, tokens and cards are texts with spaces between; seats count from 0.

    An edition is its slug, or the text of the object of one's own; the names of players, and the options that are not
    at their defaults, are JSON.

    Examples:
        >>> from suitors import Solo
        >>> found = Frames()
        >>> found.add(Solo(seed=4))
        >>> found.rounds["seats"]
        ['0']
    """

    matches: Columns = field(default_factory=lambda: _columns(MATCHES))
    rounds: Columns = field(default_factory=lambda: _columns(ROUNDS))
    decisions: Columns = field(default_factory=lambda: _columns(DECISIONS))

    def add(self, record: object) -> None:
        """Add a match: a Match, a parsed record or the text of one. Raises a RecordError for a bad one."""
        number = len(self.matches["match"])
        before = len(self.decisions["match"])

        def watch(match: Play, index: int, ply: int) -> None:
            _append(self.decisions, number, *_decision(match, index, ply))

        try:
            match = _replayed(record, watch)
        except Exception:
            for column in self.decisions.values():
                del column[before:]
            raise
        played = [move for found in match.record()["rounds"] for move in found["moves"]]
        self.decisions["move"] += played
        for index, found in enumerate(match.rounds):
            _append(self.rounds, number, index, *_round(match, found))
        _append(self.matches, number, *_match(match, len(played)))


def frames(records: Iterable[object]) -> Frames:
    """The tables of some matches: each a Match or Solo, a parsed record, or the text of one.

    Examples:
        >>> from suitors import Match
        >>> match = Match("modern", ["Ada", "Ben"], seed=6)
        >>> match.play("priest 1")
        >>> found = frames([match])
        >>> found.matches["edition"], found.decisions["hand"], found.decisions["move"]
        (['modern'], ['priest handmaid'], ['priest 1'])
    """
    if isinstance(records, str | bytes | Mapping) or not isinstance(records, Iterable):
        raise SuitorsError("bad-format", f"frames takes several records, such as a list, not {brief(records)}.")
    found = Frames()
    for record in records:
        found.add(record)
    return found


def _replayed(record: object, watch: Any) -> Play:
    """The match of a record, played again so that every decision is seen."""
    if isinstance(record, Match | Solo):
        record = record.record()
    elif isinstance(record, bytes | str):
        record = load(record).record()
    return replay(record, watch)


def _append(columns: Columns, *row: Any) -> None:
    """Add a row to the first columns, in their order; a column behind them is filled otherwise."""
    for column, value in zip(columns.values(), row, strict=False):
        column.append(value)


def _decision(match: Play, index: int, ply: int) -> tuple[Any, ...]:
    """What is known of a decision before it is made: the view of the seat that decides."""
    seat = match.turn
    assert seat is not None
    view = match.view(seat)
    left = match.table.bottom - match.table.top
    hand = " ".join(CARD_NAMES[card] for card in view.hand)
    phase = Phase(match.table.phase).name.lower()
    return index, ply, seat, phase, hand, left, match.tokens[seat], len(view.legal)


def _round(match: Play, found: Round) -> tuple[Any, ...]:
    seats = range(len(match.players)) if found.seats is None else found.seats
    end = END_NAMES[found.end] if found.end else ""
    return found.first, _text(seats), end, _text(found.winners), _text(found.tokens), len(found.moves)


def _match(match: Play, decisions: int) -> tuple[Any, ...]:
    options = {key: value for key, value in match.options.items() if value != SWITCHES[key][0]}
    ends = (match.over, _text(match.winners), _text(match.tokens), len(match.rounds), decisions)
    return match.edition, _json(options), len(match.players), _json(match.players), *ends


def _json(data: object) -> str:
    """JSON to be read by people, too; half of a surrogate pair, which no file can hold, is escaped."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()


def _text(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


class FrameTable(NamedTuple):
    """One of the tables."""

    columns: Columns
    kinds: Kinds


def tables(found: Frames) -> Mapping[str, FrameTable]:
    """The tables by name."""
    return {
        "matches": FrameTable(found.matches, MATCHES),
        "rounds": FrameTable(found.rounds, ROUNDS),
        "decisions": FrameTable(found.decisions, DECISIONS),
    }
