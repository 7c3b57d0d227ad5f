"""The commands of the arena: `suitors match` and `suitors tournament`."""

import json
from collections.abc import Generator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO, Any

import click

from .. import __version__
from ..arena import ArenaError, ClusterLost, Journal, Plan, Series, Tournament, parse_shard
from ..arena.chart import edition_label, plain
from ..arena.plan import Switches as SwitchItems
from ..arena.standings import Row
from ..bots import BOTS
from ..errors import SuitorsError, check_options
from ..game import open_match
from ..rules import SWITCHES, Option, edition_data, find_box
from ..words import gettext
from .editions import find_edition, with_file_options
from .options import BotsFile, Lang, Switches, check_budget, read_bots, read_switches
from .standings import Say, name_width, progress, tell_forfeits, tell_overruns, tell_results, write_results

Seed = click.option("--seed", type=int, default=0, show_default=True, help="The same seed deals the same cards.")
Budget = click.option("--budget-ms", type=float, callback=check_budget, help="Milliseconds for each decision.")
StrictTime = click.option(
    "--strict-time", is_flag=True, help="A decision that takes longer than its budget is replaced by chance."
)
Jobs = click.option("--jobs", type=click.IntRange(min=1), help="Processes to play in; all cores if not given.")
Cluster = click.option(
    "--cluster", metavar="ADDRESS", help="Play on a Dask cluster: its scheduler, or local:N for N processes here."
)
MOST_GAMES = 10**12
"""More than can be played in a lifetime, and few enough for every table and pair to have so many."""

Json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object as the last line.")


@click.command("match")
@click.option("--edition", default="modern", show_default=True, help="The edition to play, or a file with your own.")
@click.option("--bots", "names", default="random,random", show_default=True, help="The bots, with commas between.")
@BotsFile
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=100, show_default=True, help="How many matches.")
@Seed
@Switches
@Budget
@StrictTime
@click.option("--records", type=click.File("w", encoding="utf-8"), help="Also write every match as JSON Lines.")
@Jobs
@Cluster
@Json
@Lang
def match_command(
    edition: str,
    names: str,
    bots_file: Path | None,
    games: int,
    seed: int,
    switches: tuple[str, ...],
    budget_ms: float | None,
    strict_time: bool,
    records: IO[str] | None,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
    lang: str | None,
) -> None:
    """Let bots play whole matches, rotating seats, and print how often each won."""
    found = find_edition(edition)
    slug, say = found.slug, gettext(lang or find_box(found.slug).language)
    (bots, programs), options = read_bots(names, bots_file), with_file_options(found, read_switches(switches))
    open_match(slug, bots, options, dealt=False)
    _check_strict(strict_time, budget_ms)
    _check_jobs(jobs, cluster)
    series = Series(slug, bots, seed, options=options, budget_ms=budget_ms, strict=strict_time, programs=programs)
    played = series.play(games, jobs=jobs, cluster=cluster, recording=records is not None)
    with closing(played), progress(games, say) as bar:
        for outcome in played:
            bar.update(1)
            if records is not None:
                records.write(f"{outcome.record}\n")
    for score in series.scores:
        effort = score.effort
        tell_forfeits(score.name, effort.forfeits, effort.failure and effort.failure[1], say)
        tell_overruns(score.name, effort.overruns, effort.decisions, strict_time, say)
    _report(series.data(), as_json, say)


def _check_strict(strict: bool, budget_ms: float | None) -> None:
    if strict and budget_ms is None:
        raise click.UsageError("--strict-time needs the --budget-ms that is to be kept.")


def _check_jobs(jobs: int | None, cluster: str | None) -> None:
    if jobs is not None and cluster is not None:
        raise click.UsageError("Give either --jobs or --cluster.")


def _report(data: dict[str, Any], as_json: bool, say: Say) -> None:
    if as_json:
        click.echo(json.dumps(data))
        return
    width = name_width(data["bots"])
    click.echo(f"{say('bot'):<{width}} {say('won'):>9} {say('rate'):>8}   95%               {say('ms/decision'):>12}")
    for row in data["bots"]:
        figures = f"{row['won']:>9.1f} {row['rate']:>8.1%}   {row['low']:.1%} – {row['high']:.1%}"
        click.echo(f"{plain(row['name']):<{width}} {figures:<40} {row['seconds_per_decision'] * 1000:>10.3f}")


@click.command("tournament")
@click.option("--bots", "names", default=",".join(BOTS), show_default=True, help="The bots, with commas between.")
@BotsFile
@click.option(
    "--editions", default="modern", show_default=True, help="The editions or edition files, with commas between."
)
@click.option("--players", default="2", show_default=True, help="The numbers of players, with commas between.")
@click.option(
    "--games", type=click.IntRange(1, MOST_GAMES), default=100, show_default=True, help="Matches for each pair."
)
@click.option(
    "--block",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    help="Deals for each line of the log: many, where there are very many matches.",
)
@Seed
@Switches
@Budget
@StrictTime
@Jobs
@Cluster
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Write log, results and plot here.")
@click.option("--resume", is_flag=True, help="Go on with the tournament in DIR; --games may be more than before.")
@click.option("--shard", metavar="K/N", help="Play part K of N equal parts; suitors merge puts them together.")
@Json
@Lang
def tournament_command(
    names: str,
    bots_file: Path | None,
    editions: str,
    players: str,
    games: int,
    block: int,
    seed: int,
    switches: tuple[str, ...],
    budget_ms: float | None,
    strict_time: bool,
    jobs: int | None,
    cluster: str | None,
    output: Path | None,
    resume: bool,
    shard: str | None,
    as_json: bool,
    lang: str | None,
) -> None:
    """Let every two of the bots meet at every table, each deal from both sides, and rate them."""
    say = gettext(lang or "en")
    bots, programs = read_bots(names, bots_file)
    if len(bots) < 2:
        raise click.UsageError("A tournament needs two bots or more.")
    if resume and output is None:
        raise click.UsageError("--resume needs the --output of the tournament to go on with.")
    if shard is not None and output is None:
        raise click.UsageError("--shard needs an --output for its log, which suitors merge reads.")
    _check_strict(strict_time, budget_ms)
    _check_jobs(jobs, cluster)
    part = None if shard is None else parse_shard(shard)
    given, found = read_switches(switches), [find_edition(word.strip()) for word in editions.split(",")]
    options = {file.slug: _changed(with_file_options(file, given)) for file in found}
    plan = Plan(
        bots=tuple(bots),
        tables=_tables(options, players, say),
        games=_even(games, say) if block == 1 else _whole_blocks(games, block),
        seed=seed,
        budget_ms=budget_ms,
        options=_changed(given),
        edition_options={file.slug: options[file.slug] for file in found if file.options},
        strict=strict_time,
        programs=programs,
        block=block,
    )
    tournament = Tournament(plan, part)
    with ExitStack() as stack:
        journal = None if output is None else stack.enter_context(Journal(output, plan, __version__, part))
        if journal is not None:
            tournament.take_up(journal) if resume else journal.begin()
        _play(tournament, journal, tournament.play(journal, jobs=jobs, cluster=cluster), say)
    results = {**tournament.standings.data(), **(part.data() if part else {})}
    if output is not None and part is None:
        write_results(output, results, say)
    tell_results(results, as_json, say)


def _even(games: int, say: Say) -> int:
    """The number of matches, one more where it is odd."""
    if games % 2:
        games += 1
        click.echo(say("Every deal is played from both sides: {games} matches.").format(games=games), err=True)
    return games


def _whole_blocks(games: int, block: int) -> int:
    if games % (2 * block):
        raise click.UsageError(f"With --block {block} the --games are a multiple of {2 * block}.")
    return games


def _changed(switches: Mapping[str, Option]) -> SwitchItems:
    """The switches that are not at their defaults."""
    return tuple(item for item in check_options(switches).items() if item[1] != SWITCHES[item[0]][0])


def _tables(editions: Mapping[str, SwitchItems], players: str, say: Say) -> tuple[tuple[str, int], ...]:
    """The editions with the numbers of players that they are for; what does not go together is left out."""
    words = [word.strip() for word in players.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise click.UsageError(f"--players takes numbers with commas between, not '{players:.40}'.")
    found = []
    for slug, options in editions.items():
        for number in dict.fromkeys(map(int, words)):
            if _playable(slug, number, options):
                found.append((slug, number))
            else:
                text = say("Left out: {edition} with {players} players, where no two bots can meet.")
                label = edition_label(edition_data(slug))
                click.echo(text.format(edition=label, players=number), err=True)
    if not found:
        raise click.UsageError("There is no table left to play at.")
    return tuple(found)


def _playable(slug: str, players: int, options: SwitchItems) -> bool:
    """Whether two bots can meet there: an edition of one's own may have too few cards for so many."""
    if players < 2 or players not in find_box(slug).players:
        return False
    try:
        open_match(slug, [""] * players, dict(options), dealt=False)
    except SuitorsError:
        return False
    return True


def _play(tournament: Tournament, journal: Journal | None, played: Generator[Row], say: Say) -> None:
    """Play what is left, with a bar that begins where the tournament was left."""
    size = tournament.plan.group_size
    try:
        with closing(played), progress(size * len(tournament.numbers), say) as bar:
            bar.update(size * len(tournament.finished))
            for row in played:
                bar.update(row.games)
    except ClusterLost as error:
        if journal is None:
            raise
        raise ArenaError(f"{error} What was finished is in {journal.path.parent}: --resume goes on with it.") from None
