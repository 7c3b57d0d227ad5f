"""The JSON of the API: what comes back, and what may be sent beside commands and new tables (`domain`)."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...rules import edition_data, is_edition
from ..domain.given import Change, Given, MoveText, Text
from ..storage.tables import Summary

UNKNOWN = "unknown"
"""What stands for an edition in a list where the store names none that there is."""


class Named(Given):
    """A person's name."""

    name: Text


class Arrival(Given):
    """The code of a transfer link, and whether the caller, if they are somebody already, agrees to be replaced."""

    code: Annotated[str, Field(max_length=100)]
    replace: Annotated[bool, Field(strict=True)] = False


class Playing(Change):
    """A move."""

    seat: Annotated[int, Field(ge=0, le=7)]
    move: MoveText


class Fault(BaseModel):
    """What was wrong, for programs (`code`) and for people (`message`)."""

    model_config = ConfigDict(extra="allow")
    code: str
    message: str


class Problem(BaseModel):
    """The body of every answer that is not a success."""

    error: Fault


class Me(BaseModel):
    """The caller."""

    name: str


class Transfer(BaseModel):
    """A link that makes another device the caller's, once."""

    code: str
    path: str
    seconds: int


class SeatOut(BaseModel):
    """A seat of a table."""

    seat: int
    kind: Literal["empty", "person", "bot"]
    name: str
    bot: str | None
    away: bool
    word: str
    ready: bool


class TableOut(BaseModel):
    """A table as everybody sees it who may; `yours` are the caller's seats."""

    id: str
    edition: str | dict[str, Any]
    options: dict[str, bool | str]
    open: bool
    pace_ms: int
    rest_s: float
    stand_in: str
    hints: bool
    status: Literal["waiting", "playing", "over", "closed"]
    state: int
    seats: list[SeatOut]
    rules: int
    commitment: str
    rematch: str | None
    yours: list[int]


class Listed(BaseModel):
    """A line in a list of tables."""

    id: str
    edition: str | dict[str, Any]
    open: bool
    status: str
    updated: int


class Tables(BaseModel):
    """A list of tables, the last used first."""

    tables: list[Listed]


def table_list(summaries: list[Summary]) -> Tables:
    """A list of tables as JSON."""
    return Tables(
        tables=[
            Listed(
                id=each.id,
                edition=edition_data(each.edition) if is_edition(each.edition) else UNKNOWN,
                open=each.open,
                status=each.status,
                updated=each.updated,
            )
            for each in summaries
        ]
    )


class StateOut(BaseModel):
    """The state of the table after a change."""

    state: int


class MoveValueOut(BaseModel):
    """What a move is worth: its chances to win the round and the match, and the standard error of the latter."""

    move: str
    round: float
    match: float
    error: float


class HintOut(BaseModel):
    """The best move, its chances, why it is good (docs/analysis.md, Reasons), and every legal move, best first."""

    move: str
    round: float
    match: float
    reason: dict[str, Any]
    moves: list[MoveValueOut]


class HintAnswer(StateOut):
    """A hint; null where a solo game cannot be solved in time."""

    hint: HintOut | None


class ViewOut(BaseModel):
    """What a seat may know (`view` is what `suitors replay --view` prints), and the state that it belongs to."""

    state: int
    view: dict[str, Any]


class LegalOut(BaseModel):
    """The legal moves of a seat, sorted; empty where it has nothing to decide."""

    state: int
    seat: int
    legal: list[str]


class StepOut(BaseModel):
    """One step of a replay: what was told, and what lay on the table then."""

    round: int
    entries: list[dict[str, Any]]
    scene: dict[str, Any]


class ReplayOut(BaseModel):
    """A finished match through the eyes of a seat."""

    seat: int | None
    steps: list[StepOut]


class AnalysisOut(BaseModel):
    """What each decision of a match was worth (docs/analysis.md, The object), as far as that is worked out."""

    state: Literal["waiting", "running", "done", "failed"]
    decisions: list[dict[str, Any] | None]
    accounts: list[dict[str, Any]]


class PuzzleLine(BaseModel):
    """A puzzle in a list."""

    id: str
    edition: str
    players: int
    rating: int


class Puzzles(BaseModel):
    """Puzzles, the easiest first."""

    puzzles: list[PuzzleLine]


class PuzzleOut(BaseModel):
    """A puzzle: what its seat knows (docs/contract.md, Views), with the legal moves."""

    id: str
    edition: str
    rating: int
    view: dict[str, Any]


class Attempt(Given):
    """A move that may be the best one."""

    move: MoveText


class AttemptOut(BaseModel):
    """What came of an attempt: the solution, and the caller's rating where the attempt counted."""

    solved: bool
    rating: float | None
    theme: str
    best: str
    margin: float
    stake: float
    exact: bool
    moves: list[dict[str, Any]]
    reasons: dict[str, dict[str, Any]]


class EventsOut(BaseModel):
    """What has happened since a state, up to another one; `more` where there is more to be asked for since that."""

    state: int
    events: list[dict[str, Any]]
    more: bool


class EditionOut(BaseModel):
    """An edition: its name in records, and for how many it is."""

    slug: str
    players: list[int]


class BotOut(BaseModel):
    """A bot of the server; level 1 is the weakest, and chance, which is no level, has 0."""

    slug: str
    level: int
    name: str


class Catalogue(BaseModel):
    """What a table can be opened with."""

    version: str
    editions: list[EditionOut]
    switches: dict[str, list[bool | str]]
    bots: list[BotOut]


class Health(BaseModel):
    """That the server is well."""

    ok: bool
    version: str
