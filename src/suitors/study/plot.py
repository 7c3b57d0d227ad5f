"""The answers of a study as a picture: a panel for each, a line for each of its rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any
from xml.sax.saxutils import escape

from ..arena.chart import (
    FOG,
    FOOT,
    HEADING,
    INK,
    LEFT,
    LINE,
    MARGIN,
    PARCHMENT,
    RIBBON,
    RIGHT,
    SERIF,
    draw_frame,
    draw_opening,
    draw_text,
    edition_label,
)
from ..rules import edition_data
from .answers import Answer
from .names import ABOUT

TOP = 108
"""Height above the first panel."""

STEPS = (1, 2, 5, 10, 20, 25, 50, 100)
"""Percent between the lines of a scale."""

MOST_LINES = 8
LONGEST_LABEL = 28
"""Letters for which there is room beside a scale."""

TITLE = "A study of rounds"


@dataclass(frozen=True)
class Bar:
    """A line of a panel: a figure in percent with its interval."""

    label: str
    value: float
    low: float
    high: float

    @property
    def words(self) -> str:
        """The figure as text."""
        return f"{self.value:.1f}% ({self.low:.1f} – {self.high:.1f})"


@dataclass(frozen=True)
class Panel:
    """A heading, its lines, and where the fair value is, if there is one."""

    heading: str
    bars: Sequence[Bar]
    fair: float | None

    @property
    def height(self) -> int:
        """How high it is."""
        return HEADING + LINE * len(self.bars) + FOOT

    @property
    def step(self) -> int:
        """Percent between the lines of the scale."""
        return next((step for step in STEPS if self._highest() <= step * MOST_LINES), STEPS[-1])

    @property
    def most(self) -> int:
        """Where the scale ends."""
        return self.step * max(1, ceil(self._highest() / self.step))

    def x(self, percent: float) -> float:
        """Where so many percent are."""
        return round(LEFT + (RIGHT - LEFT) * percent / self.most, 1)

    def _highest(self) -> float:
        return max(self.fair or 0.0, *(bar.high for bar in self.bars))


def plot(answers: Sequence[Answer]) -> str:
    """The picture as SVG."""
    panels = make_panels(answers)
    height = TOP + sum(panel.height for panel in panels) + MARGIN // 2
    parts = [*_words(panels), *draw_frame(height)]
    parts += [draw_text(MARGIN, 66, TITLE, f'font-family="{SERIF}" font-size="30"')]
    parts += [draw_text(MARGIN, 92, "Whiskers are 95% intervals; a full line is what would be fair.", 'font-size="13"')]
    top = TOP
    for panel in panels:
        parts += _panel(panel, top)
        top += panel.height
    return "\n".join([draw_opening(height), *parts, "</svg>"]) + "\n"


def make_panels(answers: Sequence[Answer]) -> list[Panel]:
    """A panel for each answer; those about the balance, which have one row each, share one."""
    panels = [
        Panel(_heading(answer), [_bar(row) for row in answer.rows], 100 * answer.fair if answer.fair else None)
        for answer in answers
        if answer.question != "balance"
    ]
    even = [_balance_bar(answer) for answer in answers if answer.question == "balance"]
    if even:
        panels.append(Panel("The first player's part of a fair share", even, 100.0))
    return panels


def _heading(answer: Answer) -> str:
    return f"{ABOUT[answer.question]} ({_place(answer)})"


def _place(answer: Answer) -> str:
    table = answer.table
    return f"{edition_label(edition_data(table.slug))}, {table.players} players, {table.bot}"


def _bar(row: Mapping[str, Any]) -> Bar:
    label = str(next(iter(row.values())))
    return Bar(label, 100 * row["rate"], 100 * row["low"], 100 * row["high"])


def _balance_bar(answer: Answer) -> Bar:
    (row,), part = answer.rows, 100 * answer.table.players
    return Bar(_place(answer), part * row["rate"], part * row["low"], part * row["high"])


def _words(panels: Sequence[Panel]) -> Iterator[str]:
    """The title and the description for those who do not see the picture."""
    told = (f"{panel.heading}: " + "; ".join(f"{bar.label} {bar.words}" for bar in panel.bars) for panel in panels)
    yield f'<title id="title">{TITLE}</title>'
    yield f'<desc id="desc">{escape(". ".join(told))}</desc>'


def _panel(panel: Panel, top: int) -> Iterator[str]:
    """The heading, the scale, and the lines."""
    yield draw_text(MARGIN, top + HEADING // 2 + 6, panel.heading, f'font-family="{SERIF}" font-size="17"')
    first, bottom = top + HEADING, top + HEADING + LINE * len(panel.bars)
    for percent in range(0, panel.most + 1, panel.step):
        x, look = panel.x(percent), f'stroke="{FOG}" stroke-width="0.6" stroke-dasharray="2 3"'
        yield f'<line x1="{x}" y1="{first}" x2="{x}" y2="{bottom}" {look}/>'
        yield draw_text(x, bottom + 17, f"{percent}%", 'font-size="12" text-anchor="middle"')
    if panel.fair is not None:
        x = panel.x(panel.fair)
        yield f'<line x1="{x}" y1="{first}" x2="{x}" y2="{bottom}" stroke="{INK}" stroke-width="1"/>'
    for k, bar in enumerate(panel.bars):
        yield from _line(panel, bar, first + LINE * k + LINE // 2)


def _line(panel: Panel, bar: Bar, y: int) -> Iterator[str]:
    """A row: its label, its interval as a whisker, its figure as a lozenge and in words."""
    x, low, high = panel.x(bar.value), panel.x(bar.low), panel.x(bar.high)
    label = bar.label if len(bar.label) <= LONGEST_LABEL else bar.label[: LONGEST_LABEL - 1] + "…"
    yield draw_text(LEFT - 18, y + 5, label, 'font-size="14" text-anchor="end"')
    whisker = f"M{low} {y - 5}v10M{low} {y}H{high}M{high} {y - 5}v10"
    yield f'<path d="{whisker}" stroke="{INK}" stroke-width="1.5" fill="none"/>'
    yield f'<path d="M{x} {y - 6}l6 6l-6 6l-6 -6z" fill="{RIBBON}" stroke="{PARCHMENT}" stroke-width="1"/>'
    yield draw_text(RIGHT + 18, y + 5, bar.words, 'font-size="13"')
