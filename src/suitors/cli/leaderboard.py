"""The commands of leaderboards: `suitors leaderboard check`, `add` and `show`."""

from pathlib import Path

import click

from ..arena.leaderboard import read_leaderboard
from ..arena.leaderboard_entry import add_tournament
from ..arena.leaderboard_page import leaderboard_page

File = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.group("leaderboard")
def leaderboard_command() -> None:
    """Keep a leaderboard: a file with the results of bots against fixed opponents."""


@leaderboard_command.command("check")
@File
def check_command(file: Path) -> None:
    """Check the leaderboard in FILE."""
    found = read_leaderboard(file)
    click.echo(f"{len(found.boards)} boards, {len(found.entries)} entries, {len(found.results)} results: all good.")


@leaderboard_command.command("add")
@File
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def add_command(file: Path, folder: Path) -> None:
    """Add to FILE what its entries have done in the finished tournament in DIR."""
    before = read_leaderboard(file)
    after = add_tournament(before, folder)
    after.write()
    changed = [result for result in after.results if result not in before.results]
    click.echo(f"{len(changed)} results added or changed.")


@leaderboard_command.command("show")
@File
def show_command(file: Path) -> None:
    """Print the leaderboard in FILE as Markdown."""
    click.echo(leaderboard_page(read_leaderboard(file)))
