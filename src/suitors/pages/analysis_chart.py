"""The chance of every seat to win the match, as lines in SVG; each step is a column that leads there."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..coach import Account, Decision
from ..coach.judgement import ERRORS

WIDTH, HEIGHT, MARGIN = 760, 280, 20
"""Of the drawing, and what stays free above and below the lines."""

FALL = 0.6
"""The part of a step in which a decision takes effect."""

Point = tuple[float, float]


@dataclass(frozen=True)
class ChartLine:
    """The line of a seat."""

    seat: int
    name: str
    points: str
    chosen: bool


@dataclass(frozen=True)
class ChartMark:
    """A decision that lost something, where it is in the chart."""

    x: float
    y: float
    mark: str


@dataclass(frozen=True)
class Column:
    """A step: where it lies, from left to right, and how wide it is."""

    step: int
    x: float
    width: float


@dataclass(frozen=True)
class Chart:
    """All lines."""

    lines: tuple[ChartLine, ...]
    marks: tuple[ChartMark, ...]
    columns: tuple[Column, ...]
    rounds: tuple[float, ...]  # where a round begins
    now: float
    levels: tuple[tuple[float, str], ...]  # lines across, with their chances


def place(x: float, chance: float, steps: int) -> Point:
    """A chance at a point of time."""
    return WIDTH * x / (steps + 1), MARGIN + (HEIGHT - 2 * MARGIN) * (1 - chance)


def line_of(account: Account, decisions: Sequence[tuple[int, Decision]], steps: int, ended: bool) -> list[Point]:
    """From the start by all decisions of a seat, each at its step, to the result, if all are judged."""
    found = [place(0, account.start, steps)]
    for step, decision in decisions:
        if decision.seat == account.seat:
            found += [place(step + 1, decision.before, steps), place(step + 1 + FALL, decision.after, steps)]
    return [*found, place(steps + 1, account.result, steps)] if ended else found


def marks_of(decisions: Sequence[tuple[int, Decision]], seat: int | None, steps: int) -> tuple[ChartMark, ...]:
    """The mistakes of a seat, or of all."""
    return tuple(
        ChartMark(*place(step + 1 + FALL, decision.after, steps), decision.mark.value)
        for step, decision in decisions
        if decision.mark in ERRORS and seat in (None, decision.seat)
    )


def columns_of(steps: int) -> tuple[Column, ...]:
    """The columns of all steps, side by side over the whole chart."""
    edges = [0.0, *(WIDTH * (step + 0.8) / (steps + 1) for step in range(1, steps)), float(WIDTH)]
    return tuple(Column(step, edges[step], edges[step + 1] - edges[step]) for step in range(steps))


def points_text(points: Sequence[Point]) -> str:
    """Points as a polyline has them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
