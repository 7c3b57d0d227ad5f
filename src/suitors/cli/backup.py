"""The commands that keep a server's data safe, and take it elsewhere: `backup`, `restore`, `check`, `move-data`."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..words import gettext
from .options import Lang, lacking

if TYPE_CHECKING:
    from ..server.domain.checks import StoreContents, StoreReport
    from ..server.storage.copies import StoreFile

Say = Callable[[str], str]

NEEDED = "The server's libraries are not installed: pip install 'suitors[server]'."
SCHEMES = ("postgresql://", "postgres://")
"""How the address of a database begins; anything else is a folder or a file."""


def read_place(context: click.Context, parameter: click.Parameter, value: str) -> "Path | str":
    """A data folder, or the address of a database, which would lose a slash as a path."""
    if value.startswith(SCHEMES):
        check_driver()
        return value
    return Path(value)


def check_driver() -> None:
    """Say so where the driver of PostgreSQL is not installed."""
    if importlib.util.find_spec("psycopg") is None:
        raise click.UsageError("The driver of PostgreSQL is not installed: pip install 'suitors[postgres]'.")


Data = click.argument("data", callback=read_place)
File = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


class DamagedBackup(Exception):
    """A backup in which something is damaged, and what that is."""

    def __init__(self, report: "StoreReport") -> None:
        super().__init__()
        self.report = report


@click.command("backup")
@Data
@File
@Lang
def backup_command(data: "Path | str", file: Path, lang: str | None) -> None:
    """Copy the store in DATA, a folder or the address of a database, into the new FILE, and check the copy.

    Servers that use it need not stop.

    Damaged tables are copied as they are, and named; the exit status is 1 then.
    """
    save_backup(data, file, gettext(lang or "en"))


def save_backup(data: "Path | str", file: Path, say: Say) -> None:
    """Make a backup, say where it is and what is damaged in it."""
    with _failures():
        from ..server.storage.moving import back_up  # noqa: PLC0415 - an extra

        report = back_up(data, file, lambda copy: _look_through(copy, say))
    click.echo(say("The backup is in {file}; only its user can read it.").format(file=file))
    _tell(report, say)


@click.command("restore")
@File
@Data
@click.option("--replace", is_flag=True, help="Put a store aside that is in the folder already.")
@click.option("--damaged", is_flag=True, help="Restore the store even where something in it is damaged.")
@Lang
def restore_command(file: Path, data: "Path | str", replace: bool, damaged: bool, lang: str | None) -> None:
    """Put the backup FILE into DATA, which no server may be using, after checking it.

    DATA is a folder, or the address of an empty database.
    """
    say = gettext(lang or "en")

    def verify(copy: "StoreFile") -> "StoreReport":
        report = _look_through(copy, say)
        if report.damage and not damaged:
            raise DamagedBackup(report)
        return report

    with _failures():
        from ..server.storage.moving import restore  # noqa: PLC0415

        try:
            report, aside = restore(file, data, verify, replace=replace)
        except DamagedBackup as refused:
            click.echo(say("Nothing was restored; --damaged does it all the same."), err=True)
            _tell(refused.report, say)
            return
    click.echo(say("The data of {file} is in {folder}.").format(file=file, folder=_shown(data)))
    if aside:
        click.echo(say("What was there is in {file}.").format(file=aside))
    _tell(report, say)


@click.command("check")
@Data
@Lang
def check_command(data: "Path | str", lang: str | None) -> None:
    """Fold every table of the store in DATA from its events, and check every deal against its seal.

    A server may be using it. DATA is a folder, a backup, or the address of a database. The exit status is 1 where
    something is damaged.
    """
    say = gettext(lang or "en")
    with _failures(), _open(data) as file:
        report = _look_through(file, say)
    _tell(report, say)


def _open(data: "Path | str") -> "AbstractContextManager[StoreContents]":
    """A store that is only looked at."""
    if isinstance(data, Path):
        from ..server.storage.copies import StoreFile, store_path  # noqa: PLC0415

        return StoreFile(store_path(data))
    from ..server.storage.postgres_rows import PostgresContents  # noqa: PLC0415

    return PostgresContents(data)


@click.command("move-data")
@click.argument("source", metavar="FROM", callback=read_place)
@click.argument("target", metavar="TO", callback=read_place)
@Lang
def move_data_command(source: "Path | str", target: "Path | str", lang: str | None) -> None:
    """Copy everything FROM one store TO another that is empty, and compare the two row by row.

    Each is a data folder, or the address of a database such as postgresql://host/name; no server may be using either.
    """
    say = gettext(lang or "en")
    with _failures():
        from ..server.storage.moving import move_data  # noqa: PLC0415

        rows = move_data(source, target)
    sentence = say("The data is in {folder}: {rows} rows, the same as before.")
    click.echo(sentence.format(folder=_shown(target), rows=rows))


def _shown(place: "Path | str") -> str:
    """Where a store is, without a password."""
    if isinstance(place, Path):
        return str(place)
    from ..server.storage.postgres_address import shown  # noqa: PLC0415

    return shown(place)


@contextmanager
def _failures() -> Iterator[None]:
    """What fails ends the program with a sentence, and status 2 for bad input, 1 for disks and damage."""
    try:
        from ..server.storage.database import StoreFailure  # noqa: PLC0415
        from ..server.storage.schema import WrongStore  # noqa: PLC0415

        yield
    except ModuleNotFoundError as error:
        raise lacking(error, NEEDED) from None
    except WrongStore as error:
        raise click.UsageError(str(error)) from None
    except StoreFailure as error:
        click.echo(f"suitors: {error}", err=True)
        sys.exit(1)


def _look_through(file: "StoreContents", say: Say) -> "StoreReport":
    """Check a store, with a bar that shows how far it is."""
    from ..server.domain.checks import check_store  # noqa: PLC0415

    hidden = not sys.stderr.isatty()
    with click.progressbar(length=1, label=say("Tables checked"), file=sys.stderr, hidden=hidden) as bar:

        def progress(done: int, tables: int) -> None:
            bar.length = tables
            bar.update(done - bar.pos)

        return check_store(file, progress)


def _tell(report: "StoreReport", say: Say) -> None:
    """Say what was found; the program ends with status 1 where something is damaged."""
    for sentence in report.damage:
        click.echo(sentence, err=True)
    counted = say("Tables checked: {tables}, with {events} events.").format(tables=report.tables, events=report.events)
    verdict = say("Something is damaged.") if report.damage else say("All of them are whole.")
    click.echo(f"{counted} {verdict}")
    if report.damage:
        sys.exit(1)
