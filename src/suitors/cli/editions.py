"""The commands that make editions of one's own, and how every command finds an edition that it is given."""

from collections.abc import Mapping
from pathlib import Path

import click

from ..errors import check_edition
from ..rules import Option, find_box
from ..rules.own import BASES
from ..words import gettext
from ..words.edition_file import SUFFIX, EditionFile, new_edition, read_edition
from ..words.editions import edition_title
from .options import Lang


def find_edition(name: str) -> EditionFile:
    """A published edition by its slug, or one's own in a file."""
    if name.endswith(SUFFIX):
        return read_edition(Path(name))
    return EditionFile(check_edition(name), {}, {})


def with_file_options(found: EditionFile, options: Mapping[str, Option]) -> dict[str, Option]:
    """The switches of a command over those of the edition's file."""
    return {**found.options, **options}


@click.group("edition")
def edition_command() -> None:
    """Make an edition of your own: a published one as the base, and what differs, in one file."""


@edition_command.command("new")
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--from", "base", type=click.Choice(BASES), default="modern", show_default=True, help="The base.")
def new_command(path: Path, base: str) -> None:
    """Start an edition file that is like a published edition."""
    if path.suffix != SUFFIX:
        raise click.UsageError(f"An edition file ends in {SUFFIX}: name it {path.with_suffix(SUFFIX).name}.")
    new_edition(path, base)
    click.echo(f"{path} is written. Change it, then check it with: suitors edition check {path}")


@edition_command.command("check")
@click.argument("path", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@Lang
def check_command(path: Path, lang: str | None) -> None:
    """Check an edition file, and say with how many players it can be played; an error names its line."""
    found = read_edition(path)
    box, say = find_box(found.slug), gettext(lang or "en")
    title = edition_title(found.slug, lang or "en")
    numbers = ", ".join(map(str, found.players))
    click.echo(say("{file}: {title}, for {players} players.").format(file=path.name, title=title, players=numbers))
    for players in box.players:
        if why := found.why_not(players):
            click.echo(say("With {players} players: {reason}").format(players=players, reason=why))
