"""What the commands of the arena have in common: progress, what went wrong, and the results for people."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import click

from ..arena import chart, write_whole
from ..arena.chart import plain, table_title

Say: TypeAlias = Callable[[str], str]

NAMES_WIDTH = 20
"""The least width of a column of names."""


def progress(length: int, say: Say) -> Any:
    """A progress bar on standard error, where a person watches."""
    return click.progressbar(length=length, label=say("Matches"), file=sys.stderr, hidden=not sys.stderr.isatty())


def tell_forfeits(bot: str, times: int, failure: str | None, say: Say) -> None:
    """Say how often a bot has lost by failing."""
    if times:
        text = say("{bot} lost {times} by forfeit; the first time it {failure}.")
        click.echo(text.format(bot=plain(bot), times=times, failure=failure), err=True)


def tell_overruns(bot: str, times: int, decisions: int, strict: bool, say: Say) -> None:
    """Say how often a bot has taken longer than it may."""
    if times:
        text = say("{bot} took longer than its budget in {times} of {decisions} decisions.")
        click.echo(text.format(bot=plain(bot), times=times, decisions=decisions), err=True)
        if strict:
            click.echo(say("Chance has decided there instead."), err=True)


def name_width(rows: Iterable[Mapping[str, Any]]) -> int:
    """The width of a column that has room for every name."""
    return max(NAMES_WIDTH, *(len(plain(row["name"])) for row in rows))


def write_results(folder: Path, results: dict[str, Any], say: Say) -> None:
    """Write the results of a tournament and their plot."""
    write_whole(folder / "results.json", json.dumps(results, indent=1) + "\n")
    write_whole(folder / "ratings.svg", chart(results, say))


def tell_results(results: dict[str, Any], as_json: bool, say: Say) -> None:
    """Print the results of a tournament, and on standard error what went wrong in it."""
    for row in results["overall"]["ratings"]:
        tell_forfeits(row["name"], row["forfeits"], row["failure"], say)
        tell_overruns(row["name"], row["overruns"], row["decisions"], results.get("strict_time", False), say)
    if as_json:
        click.echo(json.dumps(results))
    else:
        _print_results(results, say)


def _print_results(results: dict[str, Any], say: Say) -> None:
    for table in results["tables"]:
        click.echo(table_title(table, say))
        _print_table(table, say)
    if len(results["tables"]) > 1:
        click.echo(say("All tables"))
        _print_table(results["overall"], say)


def _print_table(table: dict[str, Any], say: Say) -> None:
    """The ratings, best first, and below them who has won how much against whom."""
    order = sorted(range(len(table["ratings"])), key=lambda bot: -table["ratings"][bot]["elo"])
    titles = f"{'Elo':>6}   95%                {say('rate'):>6}   95%               {say('ms/decision'):>12}"
    width = name_width(table["ratings"])
    click.echo(f"   {say('bot'):<{width}} {titles}")
    for place, bot in enumerate(order, 1):
        row = table["ratings"][bot]
        elo = f"{row['elo']:>+6.0f}   {row['low']:+.0f} … {row['high']:+.0f}"
        rate = f"{row['rate']:>6.1%}   {row['rate_low']:.1%} – {row['rate_high']:.1%}"
        click.echo(f"{place:>2} {plain(row['name']):<{width}} {elo:<27} {rate:<28} {row['ms_per_decision']:>10.3f}")
    click.echo()
    _print_pairs(table, order, width)


def _print_pairs(table: dict[str, Any], order: list[int], width: int) -> None:
    """A square of rates: each row's bot against each column's."""
    rates: dict[tuple[int, int], float] = {}
    pairs = iter(table["pairs"])
    for one in range(len(order)):
        for other in range(one + 1, len(order)):
            rates[one, other] = next(pairs)["rate"]
            rates[other, one] = 1 - rates[one, other]
    click.echo(" " * (width + 3) + "".join(f"{place:>8}" for place in range(1, len(order) + 1)))
    for place, bot in enumerate(order, 1):
        cells = "".join(f"{rates[bot, other]:>8.1%}" if bot != other else f"{'–':>8}" for other in order)
        click.echo(f"{place:>2} {plain(table['ratings'][bot]['name']):<{width}}{cells}")
    click.echo()
