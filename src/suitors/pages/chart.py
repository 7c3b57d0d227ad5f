"""The chance of winning as a line chart in SVG, and the decisions that cost most."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..analysis import TRIFLE, Point, Review
from ..words.numbers import decimal
from .cards import CardRenderer
from .preferences import Preferences
from .solo_moves import move_label

WIDTH, HEIGHT = 1000, 100
MISTAKES = 5
"""How many decisions are listed."""


@dataclass(frozen=True)
class Mistake:
    """A decision that was not the best one: its step, the move, the best move, and the chance that it cost."""

    step: int
    move: str
    best: str
    cost: str


@dataclass(frozen=True)
class Chart:
    """A line of chances, one for each step."""

    label: str
    points: str  # of the polyline
    now: float  # where the present step is, from left to right
    percent: str  # the chance at this step
    mistakes: tuple[Mistake, ...]
    total: str  # what all mistakes cost together; empty if that is not known


def match_chart(line: Sequence[Point], name: str, step: int, preferences: Preferences) -> Chart:
    """The chance of the first seat in a match for two."""
    label = preferences.say("Chance of {name} to win the match").format(name=name)
    return _chart([point.chance for point in line], label, step, (), "", preferences)


def solo_chart(review: Review, step: int, renderer: CardRenderer, preferences: Preferences) -> Chart:
    """The chance of winning a solo game with the best play from each step on."""
    worst = sorted((d for d in review.decisions if d.cost > TRIFLE), key=lambda d: -d.cost)[:MISTAKES]
    mistakes = tuple(
        Mistake(
            d.ply,
            move_label(d.move, renderer),
            move_label(d.best, renderer),
            decimal(100 * d.cost, preferences.lang, 1),
        )
        for d in worst
    )
    return _chart(
        review.line,
        preferences.say("Chance to win, with the best play"),
        step,
        mistakes,
        decimal(100 * review.cost, preferences.lang, 1),
        preferences,
    )


def _chart(
    values: Sequence[float | None],
    label: str,
    step: int,
    mistakes: tuple[Mistake, ...],
    total: str,
    preferences: Preferences,
) -> Chart:
    across = WIDTH / max(1, len(values) - 1)
    known = [(k * across, HEIGHT * (1 - value)) for k, value in enumerate(values) if value is not None]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in known)
    now = values[min(step, len(values) - 1)] if values else None
    return Chart(label, points, step * across, "" if now is None else preferences.percent(now), mistakes, total)
