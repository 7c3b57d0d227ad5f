"""What JSON may say of a command or a new table: exactly these keys, of exactly these types."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ...fair import LONGEST_WORD

State = Annotated[int, Field(ge=0, le=1_000_000, description="The state of the table that the caller saw.")]
Text = Annotated[str, Field(max_length=200)]
BotName = Annotated[
    str, Field(max_length=40, description="A bot of the server, as `GET /api/v1/catalogue` lists them.")
]
MoveText = Annotated[str, Field(max_length=100, examples=["guard 1 priest"])]


class Given(BaseModel):
    """What a client sends: exactly these keys, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Change(Given):
    """A change of the table that the caller saw in this state."""

    state: State


class SeatRequest(Given):
    """Who takes a seat: the caller (under another name, for several on one device), or a bot."""

    name: Text | None = None
    bot: BotName | None = None


class Sitting(SeatRequest):
    """Take a seat, or put a bot into it."""

    state: State


class Moving(Change):
    """A move, for the seat of a socket."""

    move: MoveText


class Word(Change):
    """A word for the shuffle of the rounds to come."""

    word: Annotated[str, Field(max_length=LONGEST_WORD)]


class HandOver(Change):
    """A bot that plays on for a seat: for one's own any, else the table's stand-in."""

    bot: BotName | None = None
