"""The ratings of a tournament as a picture: one panel for all tables together and one for each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any
from xml.sax.saxutils import escape

from ..bots.bots_file import LONGEST_NAME

INK, PARCHMENT, WAX, GOLD, RIBBON, FOG = "#1c1b2b", "#f5ecd9", "#9b1c31", "#c79a2b", "#4f7a6a", "#8d8a99"
SERIF = "Georgia, 'Times New Roman', serif"
SANS = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

WIDTH, MARGIN = 860, 44
LEFT, RIGHT = 250, 650
"""Where the scale begins and ends; names stand to its left, figures to its right."""

TOP, HEADING, LINE, FOOT = 128, 46, 30, 46
"""Heights: above the first panel, of a panel's heading, of a bot's line, and of a panel's scale with the gap below."""

STEPS = (5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)
"""Elo points between the lines of the scale."""

MOST_LINES = 8


def plain(text: str) -> str:
    """The text without letters that cannot be shown, such as control characters, which XML forbids."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def edition_label(edition: str | Mapping[str, Any]) -> str:
    """A short name for an edition in results: its slug, or the name or else the base of one's own."""
    return edition if isinstance(edition, str) else plain(edition.get("name") or edition["base"])


def table_title(table: Mapping[str, Any], say: Callable[[str], str]) -> str:
    """The edition and the number of players of a table in the results."""
    return say("{edition}, {players} players").format(edition=edition_label(table["edition"]), players=table["players"])


@dataclass(frozen=True)
class Scale:
    """From Elo points to places on the page."""

    low: int
    high: int
    step: int

    def x(self, elo: float) -> float:
        """Where so many points are."""
        return round(LEFT + (RIGHT - LEFT) * (elo - self.low) / (self.high - self.low), 1)

    @property
    def lines(self) -> range:
        """The points at which the scale has a line."""
        return range(self.low, self.high + 1, self.step)


def make_scale(values: Sequence[float]) -> Scale:
    """A scale with round numbers that has room for all values and for zero."""
    low, high = min(0.0, *values), max(0.0, *values)
    step = next((step for step in STEPS if (high - low) / step <= MOST_LINES - 2), STEPS[-1])
    return Scale(step * floor(low / step), max(step, step * ceil(high / step)), step)


def chart(results: dict[str, Any], say: Callable[[str], str]) -> str:
    """The picture as SVG."""
    panels = [results["overall"], *results["tables"]] if len(results["tables"]) > 1 else results["tables"]
    scale = make_scale([row[end] for panel in panels for row in panel["ratings"] for end in ("low", "high")])
    overall = results["overall"]["ratings"]
    order = sorted(range(len(overall)), key=lambda bot: -overall[bot]["elo"])
    size = HEADING + LINE * len(order) + FOOT
    height = TOP + size * len(panels) + MARGIN // 2
    parts = [*_words(results, order, say), *draw_frame(height), *_title(results, say)]
    for k, panel in enumerate(panels):
        parts += _panel(panel, order, scale, TOP + k * size, say)
    return "\n".join([draw_opening(height), *parts, "</svg>"]) + "\n"


def draw_opening(height: int) -> str:
    """The tag with which a picture of that height begins."""
    box = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    style = f'font-family="{SANS}" fill="{INK}" style="font-variant-numeric: tabular-nums lining-nums"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" aria-labelledby="title desc" {style}>'


def draw_frame(height: int) -> Iterator[str]:
    """The sheet of paper, with a double line round it."""
    yield f'<rect width="{WIDTH}" height="{height}" fill="{PARCHMENT}"/>'
    for inset, weight in ((12, 1.5), (17, 0.5)):
        size = f'width="{WIDTH - 2 * inset}" height="{height - 2 * inset}"'
        yield f'<rect x="{inset}" y="{inset}" {size} rx="4" fill="none" stroke="{GOLD}" stroke-width="{weight}"/>'


def _words(results: dict[str, Any], order: Sequence[int], say: Callable[[str], str]) -> Iterator[str]:
    """The title and the description for those who do not see the picture."""
    rows = (results["overall"]["ratings"][bot] for bot in order)
    figures = "; ".join(f"{plain(row['name'])} {_figure(row)}" for row in rows)
    yield f'<title id="title">{escape(say("Elo ratings"))}</title>'
    yield f'<desc id="desc">{escape(" ".join(_notes(results, say)))} {escape(figures)}</desc>'


def _title(results: dict[str, Any], say: Callable[[str], str]) -> Iterator[str]:
    """The same for those who do."""
    yield draw_text(MARGIN, 66, say("Elo ratings"), f'font-family="{SERIF}" font-size="30"')
    for k, line in enumerate(_notes(results, say)):
        yield draw_text(MARGIN, 92 + 19 * k, line, 'font-size="13"')


def _notes(results: dict[str, Any], say: Callable[[str], str]) -> tuple[str, str]:
    games = say("Every two bots met in {games} matches at each table.").format(games=results["games"])
    return say("Zero is the mean of the field; whiskers are 95% intervals."), games


def _panel(
    panel: dict[str, Any], order: Sequence[int], scale: Scale, top: int, say: Callable[[str], str]
) -> Iterator[str]:
    """One table, or all: its heading, its scale, and a line for each bot, the best over all first."""
    overall = "edition" not in panel
    words = say("All tables") if overall else table_title(panel, say)
    seal = "Σ" if overall else str(panel["players"])
    middle = top + HEADING // 2
    yield f'<circle cx="{MARGIN + 14}" cy="{middle}" r="14" fill="{WAX}"/>'
    yield draw_text(MARGIN + 14, middle + 5, seal, f'fill="{PARCHMENT}" font-size="15" text-anchor="middle"')
    yield draw_text(MARGIN + 40, middle + 6, words, f'font-family="{SERIF}" font-size="19"')
    bottom = top + HEADING + LINE * len(order)
    yield from _grid(scale, top + HEADING, bottom)
    for k, bot in enumerate(order):
        yield from _line(panel["ratings"][bot], scale, top + HEADING + LINE * k + LINE // 2, overall)


def _grid(scale: Scale, top: int, bottom: int) -> Iterator[str]:
    """The lines of the scale, zero the strongest, and their numbers."""
    for points in scale.lines:
        x, look = scale.x(points), f'stroke="{FOG}" stroke-width="0.6" stroke-dasharray="2 3"'
        if points == 0:
            look = f'stroke="{INK}" stroke-width="1"'
        yield f'<line x1="{x}" y1="{top}" x2="{x}" y2="{bottom}" {look}/>'
        yield draw_text(x, bottom + 17, _signed(points), 'font-size="12" text-anchor="middle"')


def _line(row: dict[str, Any], scale: Scale, y: int, overall: bool) -> Iterator[str]:
    """A bot: its name, its interval as a whisker, its rating as a seal (over all) or a lozenge, and the figures."""
    name, x, low, high = plain(row["name"]), scale.x(row["elo"]), scale.x(row["low"]), scale.x(row["high"])
    short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    yield f"<g><title>{escape(f'{name} {_figure(row)}')}</title>"
    yield draw_text(LEFT - 18, y + 5, short, 'font-size="14" text-anchor="end"')
    whisker = f"M{low} {y - 5}v10M{low} {y}H{high}M{high} {y - 5}v10"
    yield f'<path d="{whisker}" stroke="{INK}" stroke-width="1.5" fill="none"/>'
    look = f'stroke="{PARCHMENT}" stroke-width="1.5"'
    if overall:
        yield f'<circle cx="{x}" cy="{y}" r="7" fill="{WAX}" {look}/>'
    else:
        yield f'<path d="M{x} {y - 8}l8 8l-8 8l-8 -8z" fill="{RIBBON}" {look}/>'
    yield draw_text(RIGHT + 18, y + 5, _figure(row), 'font-size="13"')
    yield "</g>"


def draw_text(x: float, y: float, words: str, look: str) -> str:
    """Words at a place, with attributes that say how they look."""
    return f'<text x="{x}" y="{y}" {look}>{escape(words)}</text>'


def _figure(row: dict[str, Any]) -> str:
    return f"{_signed(row['elo'])} ({_signed(row['low'])} … {_signed(row['high'])})"


def _signed(points: float) -> str:
    """A whole number of points with its sign, the minus being that of print."""
    return f"{round(points):+d}".replace("-", "−") if round(points) else "0"
