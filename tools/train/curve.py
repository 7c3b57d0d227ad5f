"""Measure how a policy became better while it learnt, and draw it.

    python -m tools.train.curve runs/classic-2 runs/modern-2 --picture docs/learning.svg [--rounds 400000]

Every snapshot of a training for two (`tools.train.train --snapshots 1.25`) plays against random play and against the
network that bots read. What was measured is kept in the run's measured.json and not measured again, so that the picture
can be drawn anew without a GPU; take the file away to measure in other numbers of rounds, or against another network.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from math import ceil, floor, log
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from suitors.arena.chart import FOG, GOLD, INK, MARGIN, RIBBON, SERIF, WAX, draw_frame, draw_opening, draw_text

from .options import count

PANELS = ("against random play", "against the network by which the bot plays")
"""What a policy is measured against."""

COLOURS = (WAX, RIBBON, INK, GOLD)
TITLE = "Lead in tokens a round during training"
TOP, PANEL, HEADING = 84, 250, 40
LEFT, RIGHT = 96, 690
SECONDS = (1, 2, 4, 8, 15, 30, 60, 120, 240)
"""Where the lines of a scale are, which is logarithmic; a longer training ends at its right edge."""


def measure(run: Path, rounds: int, device: str) -> dict[str, Any]:
    """What the snapshots of a run are worth; those that were measured are not measured again."""
    path = run / "measured.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    except ValueError:
        raise SystemExit(f"{path} is torn: take it away, and the snapshots are measured again.") from None
    missing = [file for file in sorted(run.glob("after-*.pt")) if file.stem not in found.get("points", {})]
    if missing:
        import torch  # noqa: PLC0415 - a picture is drawn without

        from suitors.bots.learned.network import DATA, SUFFIX  # noqa: PLC0415

        from .learning import about_policy, load, play_off  # noqa: PLC0415
        from .networks import RandomPolicy  # noqa: PLC0415
        from .tables import TorchTables  # noqa: PLC0415

        about = about_policy(str(missing[0]))
        made = {"score": about["score"], "seed": 7, "device": device}
        network = DATA / f"{about['edition']}-2{SUFFIX}"
        if about["players"] != [2] or not network.exists():
            raise SystemExit(f"{run} is not a training for two of an edition that has a network of its own.")
        tables = TorchTables(about["edition"], about["players"], 16_384, **made)
        shipped = load(str(network), tables)
        found = {"edition": about["edition"], "points": found.get("points", {})}
        for file in missing:
            seconds = torch.load(file, map_location="cpu", weights_only=True)["about"]["seconds"]
            one = load(str(file), tables)
            figures = [play_off(tables, one, others, rounds) for others in (RandomPolicy(), shipped)]
            found["points"][file.stem] = [seconds, *([mean, 1.96 * error] for mean, error, _ in figures)]
            print(file, found["points"][file.stem], flush=True)
            path.write_text(json.dumps(found, indent=1), "utf-8")
    if not found.get("points"):
        raise SystemExit(f"There are no snapshots in {run}: train with --snapshots.")
    return found


def draw(runs: Sequence[dict[str, Any]]) -> str:
    """The picture as SVG."""
    height = TOP + len(PANELS) * (HEADING + PANEL + HEADING) + MARGIN // 2
    parts = [f'<title id="title">{TITLE}</title>', f'<desc id="desc">{escape(". ".join(map(said, runs)))}</desc>']
    parts += [*draw_frame(height), draw_text(MARGIN, 62, TITLE, f'font-family="{SERIF}" font-size="26"')]
    for k, heading in enumerate(PANELS):
        top = TOP + k * (HEADING + PANEL + HEADING)
        parts += [draw_text(MARGIN, top + 24, heading, f'font-family="{SERIF}" font-size="17"')]
        parts += panel(runs, k, top + HEADING)
    return "\n".join([draw_opening(height), *parts, "</svg>"]) + "\n"


def said(run: dict[str, Any]) -> str:
    """The last snapshot of a run, in words."""
    seconds, *figures = sorted(run["points"].values())[-1]
    ends = " and ".join(f"{mean:+.3f} {name}" for name, (mean, _) in zip(PANELS, figures, strict=True))
    return f"{run['edition']}: after {seconds:.0f} seconds {ends}"


def panel(runs: Sequence[dict[str, Any]], number: int, top: int) -> Iterator[str]:
    """The scales of a panel, and a line for each run with its name at the end."""
    leads = [figures[number][0] for run in runs for _, *figures in run["points"].values()]
    low, high = floor(10 * min(0.0, *leads)), max(1, ceil(10 * max(0.0, *leads)))

    def place(seconds: float, lead: float) -> tuple[float, float]:
        part = log(min(max(seconds, SECONDS[0]), SECONDS[-1]) / SECONDS[0]) / log(SECONDS[-1] / SECONDS[0])
        return round(LEFT + (RIGHT - LEFT) * part, 1), round(top + PANEL * (high - 10 * lead) / (high - low), 1)

    for tenths in range(low, high + 1):
        x, y = place(0, tenths / 10)
        look = f'stroke="{INK}"' if tenths == 0 else f'stroke="{FOG}" stroke-width="0.6" stroke-dasharray="2 3"'
        yield f'<path d="M{x} {y}H{RIGHT}" {look}/>'
        words = f"{tenths / 10:+.1f}".replace("-", "−") if tenths else "0"
        yield draw_text(x - 12, y + 4, words, 'font-size="12" text-anchor="end"')
    for seconds in SECONDS:
        x = place(seconds, 0)[0]
        yield draw_text(x, top + PANEL + 18, f"{seconds} s", 'font-size="12" text-anchor="middle"')
    ends = []
    for run, colour in zip(runs, COLOURS, strict=False):
        points = [place(seconds, figures[number][0]) for seconds, *figures in sorted(run["points"].values())]
        line = "L".join(f"{x} {y}" for x, y in points)
        yield f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>'
        ends.append((points[-1][1], run["edition"], colour))
    below = 0.0
    for y, name, colour in sorted(ends):
        below = max(y + 5, below + 18)
        yield f'<path d="M{RIGHT + 14} {below - 5}h18" stroke="{colour}" stroke-width="3"/>'
        yield draw_text(RIGHT + 40, below, name, 'font-size="14"')


def main() -> None:
    """Measure and draw the runs of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    parser.add_argument("--rounds", type=count, default=400_000, help="against each, for each snapshot")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--picture", type=Path, help="an SVG file")
    given = parser.parse_args()
    if len(given.runs) > len(COLOURS):
        parser.error(f"there are colours for {len(COLOURS)} runs.")
    runs = [measure(run, given.rounds, given.device) for run in given.runs]
    if given.picture:
        given.picture.write_text(draw(runs), "utf-8")


if __name__ == "__main__":
    main()
