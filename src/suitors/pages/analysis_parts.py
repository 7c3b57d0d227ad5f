"""The parts of the page of an analysis, as its template shows them."""

from dataclasses import dataclass

from .lesson import Link


@dataclass(frozen=True)
class MarkSign:
    """A mark as a page shows it."""

    slug: str
    glyph: str
    label: str


@dataclass(frozen=True)
class MoveLine:
    """A move in the list."""

    step: int
    name: str
    move: str
    mark: MarkSign | None  # where there was a choice, and it is judged
    chance: str
    judged: bool
    hinted: bool
    current: bool


@dataclass(frozen=True)
class RoundLines:
    """A round in the list: its moves, who won it, and the step at its end."""

    number: int
    moves: tuple[MoveLine, ...]
    result: str
    end: int
    current: bool  # its end is shown


@dataclass(frozen=True)
class ValueLine:
    """What a legal move was worth."""

    move: str
    round: str
    match: str
    error: str
    played: bool
    best: bool


@dataclass(frozen=True)
class DecisionPart:
    """The decision that is shown."""

    name: str
    move: str
    hinted: bool
    mark: MarkSign | None
    chance: str
    loss: str
    reason: str
    lesson: Link | None  # that has more to say about the reason
    exact: bool
    values: tuple[ValueLine, ...]
    more: tuple[ValueLine, ...]
    judged: bool


@dataclass(frozen=True)
class AccountPart:
    """What the match came to for a player."""

    name: str
    accuracy: str
    marks: tuple[tuple[MarkSign, int], ...]
    start: str
    skill: str
    luck: str
    result: str
