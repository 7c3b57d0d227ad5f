"""The command that studies the game: `suitors study`."""

import json
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..arena import write_whole
from ..arena.chart import edition_label
from ..arena.workers import cores
from ..errors import SuitorsError, check_options
from ..fast import available
from ..game import open_match
from ..rules import BOXES, Card, Option, edition_data, find_box
from ..rules import edition as edition_rules
from ..study.names import ABOUT, BOTS
from .arena import Cluster
from .editions import find_edition, with_file_options
from .options import Switches, lacking, read_switches

NEEDED = "A study needs numba and numpy: pip install 'suitors[fast]'."
PARQUET_NEEDED = "Parquet needs pyarrow: pip install 'suitors[data]', or leave --parquet out."
FORMAT = "suitors-study/1"
USUAL = "novice"
"""The bot of all questions but the balance, which is asked of every bot, if none is given."""

PERCENT = frozenset({"rate", "low", "high", "fair", "right", "showdown", "shared"})
"""Columns that are printed in percent."""

Place = tuple[str, int, str, tuple[tuple[str, Option], ...]]
"""An edition, a number of players, a bot, and switches."""


@click.command("study")
@click.argument("edition", required=False)
@click.option("--players", type=click.IntRange(min=2), help="How many; if not given the fewest, for `balance` all.")
@click.option(
    "--bot", "--level", "bots", multiple=True, type=click.Choice(list(BOTS)), help="Who plays (may be given again)."
)
@click.option("--rounds", type=click.IntRange(min=1), default=100_000, show_default=True, help="Rounds at each table.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same figures.")
@click.option(
    "--question", "asked", multiple=True, type=click.Choice(list(ABOUT)), help="What to ask (again for more)."
)
@Switches
@click.option("--threads", type=click.IntRange(min=1), help="Threads to play in; all cores if not given.")
@Cluster
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the answers here.")
@click.option("--parquet", type=click.Path(path_type=Path, dir_okay=False), help="Write a row for every round here.")
@click.option("--plot", "plot_file", type=click.Path(path_type=Path, dir_okay=False), help="Draw the answers (SVG).")
def study_command(
    edition: str | None,
    players: int | None,
    bots: tuple[str, ...],
    rounds: int,
    seed: int,
    asked: tuple[str, ...],
    switches: tuple[str, ...],
    threads: int | None,
    cluster: str | None,
    json_file: Path | None,
    parquet: Path | None,
    plot_file: Path | None,
) -> None:
    """Play many rounds of EDITION (a slug or a file; without one: every edition) and print what they say.

    Every deal is played once for each player: hands stay, and another seat starts. Without --question all questions are
    asked of an edition, and `balance` of every edition. An interrupt ends the study with what is known by then.
    """
    if not available():
        raise click.UsageError(NEEDED)
    if cluster is not None and (threads is not None or parquet is not None):
        raise click.UsageError("--cluster goes neither with --threads nor with --parquet, which needs the rounds here.")
    questions = tuple(dict.fromkeys(asked)) or (tuple(ABOUT) if edition is not None else ("balance",))
    places = _places(edition, players, bots, questions, read_switches(switches), strict=bool(asked))
    for path in (json_file, plot_file):
        if path is not None and not path.parent.is_dir():
            raise click.UsageError(f"{path} cannot be written to: there is no folder {path.parent}.")
    answers, interrupted = _run(places, rounds, seed, threads or cores(), parquet, cluster)
    try:
        _write_files(answers, seed, json_file, plot_file)
    finally:  # neither may be lost to the other: a reader may have closed the pipe, a disk may be full
        _print_answers(answers)
    if interrupted:
        click.echo("suitors: The study was interrupted; these are the rounds played until then.", err=True)
        raise click.Abort


def _write_files(answers: Sequence[Any], seed: int, json_file: Path | None, plot_file: Path | None) -> None:
    """Write the answers where they are wanted."""
    if json_file is not None:
        data = {"format": FORMAT, "seed": seed, "answers": [answer.data() for answer in answers]}
        write_whole(json_file, json.dumps(data, indent=1) + "\n")
    if plot_file is not None and answers:
        from ..study.plot import plot  # noqa: PLC0415 - only where numpy is installed

        write_whole(plot_file, plot(answers))


def _places(
    edition: str | None,
    players: int | None,
    bots: Sequence[str],
    questions: Sequence[str],
    switches: dict[str, Option],
    strict: bool,
) -> dict[Place, list[str]]:
    """What is studied, and what is asked of it. If it is strict, all questions must suit the edition that is given."""
    found: dict[Place, list[str]] = {}
    for slug, options in _editions(edition, switches):
        numbers = _numbers(slug, players, options, strict=edition is not None)
        for question in questions:
            wide = question == "balance"
            if question == "guess" and numbers and not _has_guard(slug, numbers[0]):
                if strict and edition is not None:
                    raise click.UsageError(f"There is no Guard in {edition_label(edition_data(slug))}.")
                continue
            for number in numbers if wide else numbers[:1]:
                for bot in dict.fromkeys(bots) or (BOTS if wide else (USUAL,)):
                    found.setdefault((slug, number, bot, tuple(options.items())), []).append(question)
    if not found:
        raise click.UsageError("There is no such table to study.")
    return found


def _editions(edition: str | None, switches: dict[str, Option]) -> Iterator[tuple[str, dict[str, Option]]]:
    """The edition that is meant, or all for several players, with their switches."""
    if edition is None:
        yield from ((slug, check_options(switches)) for slug, box in BOXES.items() if not box.solo)
        return
    found = find_edition(edition)
    if find_box(found.slug).solo:
        raise click.UsageError(f"{edition} is a game for one: `suitors solve --from-start` has its figures.")
    yield found.slug, check_options(with_file_options(found, switches))


def _numbers(slug: str, players: int | None, options: dict[str, Option], strict: bool) -> list[int]:
    """The numbers of players that an edition is for, or the one that is given if it is among them."""
    found = []
    for number in find_box(slug).players if players is None else (players,):
        try:
            open_match(slug, [""] * number, options, dealt=False)
            found.append(number)
        except SuitorsError:
            if strict and players is not None:
                raise
    return found


def _has_guard(slug: str, players: int) -> bool:
    return edition_rules(slug, players).copies[Card.GUARD] > 0


def _run(
    places: dict[Place, list[str]], rounds: int, seed: int, threads: int, parquet: Path | None, cluster: str | None
) -> tuple[list[Any], bool]:
    """The answers, and whether the study was interrupted: what was played until then counts."""
    from ..study.rounds import StudyTable  # noqa: PLC0415 - only where numpy is installed
    from ..study.study import Study, run_studies  # noqa: PLC0415

    studies = [
        Study(StudyTable(slug, players, bot, seed, options), questions, rounds, threads)
        for (slug, players, bot, options), questions in places.items()
    ]
    interrupted = False
    total = sum(study.total for study in studies)
    with ExitStack() as stack:
        writer = None if parquet is None else stack.enter_context(_rows_writer(parquet))
        bar = stack.enter_context(
            click.progressbar(length=total, label="Rounds", file=sys.stderr, hidden=not sys.stderr.isatty())
        )
        try:
            with closing(_rounds(studies, writer) if cluster is None else run_studies(studies, cluster)) as parts:
                for played in parts:
                    bar.update(played)
        except KeyboardInterrupt:
            interrupted = True
    return [answer for study in studies for answer in study.answers()], interrupted


def _rounds(studies: Iterable[Any], writer: Any) -> Generator[int]:
    """Play studies on this machine, one after the other, and write their rounds where they are wanted."""
    for study in studies:
        yield from study.run(None if writer is None else partial(writer.write, study.table))


@contextmanager
def _rows_writer(path: Path) -> Iterator[Any]:
    """Where rounds are written; what cannot be is told in a sentence."""
    try:
        from ..study.rows import RowsWriter  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise lacking(error, PARQUET_NEEDED) from None
    try:
        with RowsWriter(path) as writer:
            yield writer
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written to: {error.strerror or error}.") from None


def _print_answers(answers: Iterable[Any]) -> None:
    """Every answer as a table; those about the balance, which have one row each, as one."""
    even = []
    for answer in answers:
        if answer.question == "balance":
            even.append(answer)
            continue
        click.echo(f"{ABOUT[answer.question]}: {_title(answer)}, {answer.rounds:,} rounds")
        _print_rows([_with_fair(answer, row) for row in answer.rows])
    if even:
        slugs = [answer.table.slug for answer in even]
        click.echo(f"{ABOUT['balance']}: {even[0].rounds:,} rounds at each table")
        even.sort(key=lambda answer: (answer.table.players, list(BOTS).index(answer.table.bot)))
        even.sort(key=lambda answer: slugs.index(answer.table.slug))
        _print_rows([{**_labels(answer), **_with_fair(answer, answer.rows[0])} for answer in even])


def _title(answer: Any) -> str:
    labels = _labels(answer)
    return f"{labels['edition']}, {labels['players']} players, {labels['bot']}"


def _labels(answer: Any) -> dict[str, Any]:
    """Of which table an answer is."""
    table = answer.table
    return {"edition": edition_label(edition_data(table.slug)), "players": table.players, "bot": table.bot}


def _with_fair(answer: Any, row: dict[str, Any]) -> dict[str, Any]:
    """A row with what would be fair behind its interval; who wins it is in the title of the balance."""
    shown = {key: value for key, value in row.items() if key != "who"}
    if answer.fair is None:
        return shown
    keys = list(shown)
    place = keys.index("high") + 1
    return {key: shown[key] for key in keys[:place]} | {"fair": answer.fair} | {key: shown[key] for key in keys[place:]}


def _print_rows(rows: Sequence[dict[str, Any]]) -> None:
    """Columns under their names: texts to the left, numbers to the right."""
    cells = [list(rows[0]), *([_cell(key, value) for key, value in row.items()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = [isinstance(value, str) for value in rows[0].values()]
    for line in cells:
        padded = (
            cell.ljust(width) if to_left else cell.rjust(width)
            for cell, width, to_left in zip(line, widths, left, strict=True)
        )
        click.echo("  ".join(padded).rstrip())
    click.echo()


def _cell(key: str, value: Any) -> str:
    if key in PERCENT:
        return f"{value:.2%}"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
