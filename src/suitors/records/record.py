"""Records of matches: reading them with all their faults, replaying them, and what a replay prints."""

from collections.abc import Callable, Iterator
from typing import Any

from ..errors import SuitorsError, check_deck, check_edition, check_options, check_players
from ..game import Play, open_match
from ..history import FORMAT
from ..rules import ALONE, SEVERAL, Edition, Engine, GameTable, SoloTable, Table, copy_table
from ..view.data import END_NAMES
from .strict_json import NotJson, parse

Watcher = Callable[[Play, int, int], None]
"""Called before each decision is passed: the match, the index of the round, the index of the move."""


class RecordError(SuitorsError):
    """What is wrong with a record, and where (docs/contract.md, Errors of records)."""

    def __init__(self, code: str, message: str, round_: int | None = None, ply: int | None = None) -> None:
        super().__init__(code, message)
        self.round = round_
        self.ply = ply

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, str(self), self.round, self.ply)

    def data(self) -> dict[str, Any]:
        """The object that is printed."""
        return {"error": {"code": self.code, "round": self.round, "ply": self.ply, "message": str(self)}}


def load(raw: object) -> Play:
    """The match that a record's text describes; `replay` takes one that is parsed already.

    Examples:
        >>> load("[]")
        Traceback (most recent call last):
        suitors.records.record.RecordError: A record is a JSON object.
    """
    if not isinstance(raw, bytes | str):
        kind = type(raw).__name__
        raise RecordError("bad-json", f"load takes the text of a record, not a {kind}; replay takes a parsed one.")
    try:
        return replay(parse(raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw))
    except NotJson as error:
        raise RecordError("bad-json", str(error)) from None


def replay(data: Any, watch: Watcher | None = None) -> Play:
    """The match that a parsed record describes; the first fault is raised.

    Examples:
        >>> from suitors import Match
        >>> match = Match("modern", ["Ada", "Ben"], seed=6)
        >>> replay(match.record()) == match
        True
    """
    match = _open(data)
    for index, round_ in enumerate(data["rounds"]):
        _replay_round(match, index, round_, watch)
    return match


def _open(data: Any) -> Play:
    if not isinstance(data, dict):
        raise RecordError("bad-format", "A record is a JSON object.")
    if data.get("format") != FORMAT:
        raise RecordError("bad-format", f'A record says "format": "{FORMAT}".')
    if not isinstance(data.get("rounds"), list):
        raise RecordError("bad-format", "A record has a list of rounds.")
    try:
        slug = check_edition(data.get("edition"), as_text=False)
        players = check_players(slug, data.get("players"))
        options = check_options(data.get("options", {}))
        return open_match(slug, players, options, dealt=False)
    except SuitorsError as error:
        raise RecordError(error.code, str(error)) from None


def _replay_round(match: Play, index: int, data: Any, watch: Watcher | None) -> None:
    if match.over:
        raise RecordError("after-the-end", "The match is over before this round.", index)
    if not match.to_deal:
        raise RecordError("bad-format", "The round before this one is not finished.", index)
    if not isinstance(data, dict) or not isinstance(data.get("moves"), list):
        raise RecordError("bad-format", "A round is an object with a list of moves.", index)
    _check_seats(match, index, data)
    try:
        first = match.check_first(data.get("first"))
        match.start(check_deck(data.get("deck"), match.rules.box), first)
    except SuitorsError as error:
        raise RecordError(error.code, str(error), index) from None
    for ply, text in enumerate(data["moves"]):
        _replay_move(match, index, ply, text, watch)


def _replay_move(match: Play, index: int, ply: int, text: Any, watch: Watcher | None) -> None:
    if match.turn is None:
        raise RecordError("after-the-end", "The round is over before this move.", index, ply)
    try:
        move = match.parse(text)
    except SuitorsError as error:
        raise RecordError(error.code, str(error), index, ply) from None
    if watch is not None:
        watch(match, index, ply)
    match.push(move)


def _check_seats(match: Play, index: int, data: dict[str, Any]) -> None:
    """A tie-break round names exactly the tied seats; no other round has the key."""
    if not match.table.tied:
        if "seats" in data:
            raise RecordError("bad-seats", "Only a tie-break round names its seats.", index)
        return
    seats = data.get("seats")
    if not isinstance(seats, list) or not all(type(seat) is int for seat in seats) or tuple(seats) != match.next_seats:
        tied = ", ".join(map(str, match.next_seats))
        raise RecordError("bad-seats", f"This is a tie-break round of the seats {tied}, ascending.", index)


def summary(match: Play) -> dict[str, Any]:
    """What `suitors replay` prints of a match.

    Examples:
        >>> from suitors import Match
        >>> summary(Match("modern", ["Ada", "Ben"], seed=6))["turn"]
        {'round': 0, 'ply': 0, 'seat': 0, 'legal': ['handmaid', 'priest 1']}
    """
    ended = [r for r in match.rounds if r.end]
    turn = match.turn
    return {
        "over": match.over,
        "tokens": list(match.tokens),
        "winners": list(match.winners),
        "rounds": [{"winners": list(r.winners), "end": END_NAMES[r.end], "tokens": list(r.tokens)} for r in ended],
        "turn": None if turn is None else decision(match, len(match.rounds) - 1, len(match.rounds[-1].moves)),
        "next": {"seats": list(match.next_seats), "first": list(match.next_first)} if match.to_deal else None,
    }


def decision(match: Play, index: int, ply: int) -> dict[str, Any]:
    """The decision that is due, as `turn` and the trace print it."""
    return {"round": index, "ply": ply, "seat": match.turn, "legal": match.legal()}


def trace(data: Any) -> tuple[Play, list[dict[str, Any]]]:
    """The replayed match and one object for each decision passed.

    Examples:
        >>> from suitors import Match
        >>> match = Match("modern", ["Ada", "Ben"], seed=6)
        >>> match.play("priest 1")
        >>> [row["move"] for row in trace(match.record())[1]]
        ['priest 1']
    """
    passed: list[dict[str, Any]] = []
    match = replay(data, lambda match, index, ply: passed.append(decision(match, index, ply)))
    moves = (text for round_ in data["rounds"] for text in round_["moves"])
    return match, [{**row, "move": text} for row, text in zip(passed, moves, strict=True)]


def perft(t: Table | SoloTable, ed: Edition, depth: int) -> int:
    """How many sequences of so many moves there are from here; one that ends the round earlier counts as one.

    Examples:
        >>> from suitors import Match
        >>> match = Match("modern", ["Ada", "Ben"], seed=6)
        >>> [perft(match.table, match.rules, depth) for depth in range(4)]
        [1, 2, 12, 111]
    """
    return _perft(SEVERAL, t, ed, depth) if isinstance(t, Table) else _perft(ALONE, t, ed, depth)


def _perft(game: Engine[GameTable], t: GameTable, ed: Edition, depth: int) -> int:
    n = game.count_moves(t, ed)
    if depth == 0 or n == 0:
        return 1
    if depth == 1:
        return n
    return sum(_perft(game, child, ed, depth - 1) for child in _children(game, t, ed, n))


def _children(game: Engine[GameTable], t: GameTable, ed: Edition, n: int) -> Iterator[GameTable]:
    for k in range(n):
        child = copy_table(t)
        game.play(child, ed, game.nth_move(t, ed, k))
        yield child
