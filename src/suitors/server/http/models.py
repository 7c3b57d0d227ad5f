"""The JSON of the API: what may be sent, what comes back."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...fair import LONGEST_WORD

State = Annotated[int, Field(ge=0, le=1_000_000, description="The state of the table that the caller saw.")]
Text = Annotated[str, Field(max_length=200)]
BotName = Annotated[str, Field(max_length=40, description="A bot of the house, as `GET /api/v1/catalogue` lists them.")]
Move = Annotated[str, Field(max_length=100, examples=["guard 1 priest"])]


class Given(BaseModel):
    """What a client sends: exactly these keys, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Named(Given):
    """A person's name."""

    name: Text


class Code(Given):
    """The code of a transfer link."""

    code: Annotated[str, Field(max_length=100)]


class Wish(Given):
    """Who takes a seat: the caller (under another name, for several on one device), or a bot."""

    name: Text | None = None
    bot: BotName | None = None


class NewTable(Given):
    """A table to open. With `seats` it is filled at once, and `start` starts it."""

    edition: Annotated[str, Field(max_length=40)]
    players: Annotated[int, Field(ge=1, le=8)]
    options: dict[str, bool | str] = Field(default_factory=dict, max_length=20)
    open: Annotated[bool, Field(description="Listed, and anybody may watch; else only those with the link.")] = False
    pace_ms: Annotated[int, Field(ge=0, le=10_000, description="How long a bot's turn takes.")] = 900
    rest_s: Annotated[float, Field(ge=0, le=3_600, description="The rest between two rounds.")] = 20.0
    seats: Annotated[list[Wish | None], Field(max_length=8)] = Field(default_factory=list)
    start: bool = False


class Change(Given):
    """A change of the table as it was in this state."""

    state: State


class Sitting(Wish):
    """Take a seat, or put a bot into it."""

    state: State


class Playing(Change):
    """A move."""

    seat: Annotated[int, Field(ge=0, le=7)]
    move: Move


class Word(Change):
    """A word for the shuffle of the rounds to come."""

    word: Annotated[str, Field(max_length=LONGEST_WORD)]


class HandOver(Change):
    """A bot that plays on for a seat."""

    bot: BotName = "expert"


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


class TableOut(BaseModel):
    """A table as everybody sees it who may; `yours` are the caller's seats."""

    id: str
    edition: str
    options: dict[str, bool | str]
    open: bool
    pace_ms: int
    rest_s: float
    status: Literal["waiting", "playing", "over", "closed"]
    state: int
    seats: list[SeatOut]
    commitment: str
    rematch: str | None
    yours: list[int]


class Listed(BaseModel):
    """A line in a list of tables."""

    id: str
    edition: str
    open: bool
    status: str
    updated: int


class Tables(BaseModel):
    """A list of tables, the last used first."""

    tables: list[Listed]


class StateOut(BaseModel):
    """The state of the table after a change."""

    state: int


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


class EventsOut(BaseModel):
    """What has happened since a state, for those who cannot hold a socket open."""

    state: int
    events: list[dict[str, Any]]


class EditionOut(BaseModel):
    """An edition: its name in records, and for how many it is."""

    slug: str
    players: list[int]


class BotOut(BaseModel):
    """A bot of the house."""

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
