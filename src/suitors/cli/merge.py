"""The command that puts the shards of a tournament together: `suitors merge`."""

from pathlib import Path

import click

from .. import __version__
from ..arena import Merge
from ..words import gettext
from .options import Lang
from .standings import progress, tell_results, write_results


@click.command("merge")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--output", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Write log, results and plot here."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object as the last line.")
@Lang
def merge_command(folders: tuple[Path, ...], output: Path, as_json: bool, lang: str | None) -> None:
    """Put the shards of a tournament in DIR... together, as if it had been played in one run."""
    say = gettext(lang or "en")
    merge = Merge(folders, __version__)
    with progress(merge.plan.group_size * merge.plan.groups, say) as bar:
        for row in merge.write(output):
            bar.update(row.games)
    results = merge.standings.data()
    write_results(output, results, say)
    tell_results(results, as_json, say)
