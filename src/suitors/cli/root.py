"""The command line. Bad input ends with one sentence on standard error and status 2, an interrupt with 130."""

import json
import os
import random
import sys
from typing import IO, Any

import click
from click.shell_completion import get_completion_class

from .. import __version__
from ..arena import ArenaError
from ..bots import BOTS, BotFailure, warm_up
from ..errors import SuitorsError, check_options
from ..game import Solo
from ..notation import CARD_NAMES
from ..records.batch import Wanted, printed_all
from ..records.record import RecordError, load, perft
from ..records.strict_json import NotJson, parse
from ..rules import edition
from ..solve import over_all, solve, solve_from_start
from ..terminal.solitaire import SoloTerminal
from ..view.data import read_view
from ..words import characters_text, gettext, load_theme, rules_text
from ..words.vocabulary import vocabulary
from .admin import admin_command
from .analyse import analyse_command
from .arena import match_command, tournament_command
from .backup import backup_command, check_command, move_data_command, restore_command
from .editions import edition_command, find_edition
from .export import export_command
from .join import join_command
from .kits import find_theme, print_command, theme_command
from .leaderboard import leaderboard_command
from .merge import merge_command
from .options import DAY_MS, Lang, Switches, read_switches
from .puzzle import puzzle_command
from .serve import serve_command
from .study import study_command
from .verify import verify_command


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="suitors %(version)s")
def cli() -> None:
    """Love Letter, every edition: rules, records, bots, and the solo game solved."""


def main() -> None:
    """Run the command line and turn every way it can fail into a sentence and a status."""
    try:
        sys.exit(cli.main(prog_name="suitors", standalone_mode=False))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as help_:
        click.echo(help_.ctx.get_help())
    except click.ClickException as error:
        click.echo(f"suitors: {error.format_message()}", err=True)
        sys.exit(2)
    except SuitorsError as error:
        click.echo(f"suitors: {error}", err=True)
        sys.exit(2)
    except ArenaError as error:
        click.echo(f"suitors: {error}", err=True)
        sys.exit(1)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # whoever closes a pipe has read enough
            what = f"{error.filename}: " if error.filename else ""
            click.echo(f"suitors: {what}{error.strerror or error}.", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to be written fails no more
        sys.exit(1)


@cli.command("replay")
@click.argument("file", type=click.File("rb"))
@click.option("--batch", is_flag=True, help="FILE is JSON Lines: one record a line.")
@click.option("--trace", "tracing", is_flag=True, help="First print every decision passed, with its legal moves.")
@click.option("--view", "seat", metavar="SEAT", help="Print what this seat may know instead ('none': a spectator).")
@click.pass_context
def replay_command(context: click.Context, file: IO[bytes], batch: bool, tracing: bool, seat: str | None) -> None:
    """Replay the record in FILE ('-': standard input) and print where it stands."""
    if seat is not None and seat != "none" and not (seat.isascii() and seat.isdigit() and len(seat) < 3):
        raise click.UsageError(f"--view takes a seat's number or 'none', not '{seat:.20}'.")
    number = int(seat) if seat not in (None, "none") else None
    wanted = Wanted(tracing, viewing=seat is not None, seat=number)
    records = (line for line in file if line.strip()) if batch else iter([file.read()])
    bad = False
    for text, good in printed_all(records, wanted):
        bad = bad or not good
        click.echo(text)
    context.exit(2 if bad else 0)


@cli.command("perft")
@click.argument("file", type=click.File("rb"))
@click.argument("depth", type=click.IntRange(min=0))
def perft_command(file: IO[bytes], depth: int) -> None:
    """Count the sequences of DEPTH moves from the end of the record in FILE, the deck's order being known."""
    try:
        match = load(file.read())
    except RecordError as error:
        click.echo(json.dumps(error.data()))
        raise
    click.echo(perft(match.table, match.rules, depth))


cli.add_command(analyse_command)
cli.add_command(puzzle_command)
cli.add_command(match_command)
cli.add_command(tournament_command)
cli.add_command(merge_command)
cli.add_command(leaderboard_command)
cli.add_command(verify_command)
cli.add_command(serve_command)
cli.add_command(admin_command)
cli.add_command(backup_command)
cli.add_command(restore_command)
cli.add_command(check_command)
cli.add_command(move_data_command)
cli.add_command(join_command)
cli.add_command(print_command)
cli.add_command(theme_command)
cli.add_command(edition_command)
cli.add_command(export_command)
cli.add_command(study_command)


@cli.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print what makes SHELL complete the commands and options of suitors, for its start-up file."""
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(cli, {}, "suitors", "_SUITORS_COMPLETE").source())


@cli.command("bots")
@Lang
def bots_command(lang: str | None) -> None:
    """Print the built-in bots, weakest first."""
    click.echo(characters_text(lang or "en"))


@cli.command("bot")
@click.argument("name")
@click.option("--seed", type=int, default=None, help="A seed for the bot's chance.")
def bot_command(name: str, seed: int | None) -> None:
    """Play as the bot NAME over JSON Lines: a view on standard input, a move on standard output."""
    if name not in BOTS:
        raise click.UsageError(f"There is no bot '{name:.40}'; there are {', '.join(BOTS)}.")
    rng = random.Random(seed)
    for line in sys.stdin.buffer:
        if line.strip():
            click.echo(json.dumps(_answer(line, name, rng)))
            sys.stdout.flush()


def _answer(line: bytes, bot: str, rng: random.Random) -> dict[str, Any]:
    """The answer to one request; what is wrong with it where it is none."""
    try:
        request = parse(line)
        view = read_view({**request["view"], "legal": request["legal"]})
        budget = _budget(request.get("budget_ms"))
        warm_up([bot], view.rules)
        return {"move": BOTS[bot](view, rng, budget)}
    except NotJson as error:
        return {"error": str(error)}
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, BotFailure):
        return {"error": 'A request is {"view": {…}, "legal": ["…"], "budget_ms": 50}.'}


def _budget(value: float | None) -> float | None:
    """The milliseconds that a bot may think, a day at most: no request makes it think for ever."""
    if value is not None and not value <= DAY_MS:
        raise ValueError
    return value


@cli.command("solve")
@click.argument("file", type=click.File("rb"), required=False)
@click.option("--from-start", is_flag=True, help="Solve the whole game: each starting hand, and over all.")
@click.option("--option", "switches", multiple=True, metavar="KEY=VALUE", help="Set a switch (with --from-start).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@Lang
def solve_command(
    file: IO[bytes] | None, from_start: bool, switches: tuple[str, ...], as_json: bool, lang: str | None
) -> None:
    """Print the chance of winning of each legal move in the solo game in FILE, best first."""
    if (file is None) != from_start or (switches and not from_start):
        raise click.UsageError("Give either a FILE, or --from-start (and --option with it).")
    if file is None:
        _solve_start(read_switches(switches), as_json, lang or "en")
    else:
        _solve_file(file, as_json)


def _solve_file(file: IO[bytes], as_json: bool) -> None:
    try:
        solution = solve(load(file.read()))
    except RecordError as error:
        click.echo(json.dumps(error.data()))
        raise
    if as_json:
        moves = [{"move": move, "value": value} for move, value in solution.moves]
        click.echo(json.dumps({"value": solution.value, "moves": moves}))
        return
    click.echo(f"{solution.value:.10f}")
    for move, value in solution.moves:
        click.echo(f"{value:.10f}  {move}")


POSITIONS = 12_989_077
"""Positions of the whole game with the default switches: the length of the progress bar."""


def _solve_start(options: dict[str, bool | str], as_json: bool, lang: str) -> None:
    say = gettext(lang)
    rules = edition("solitaire", 1, check_options(options))
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=POSITIONS, label=say("Positions"), file=sys.stderr, hidden=hidden) as bar:
        values = solve_from_start(rules, report=lambda done: bar.update(done - bar.pos))
    value = over_all(values)
    ranked = sorted(values.items(), key=lambda item: -item[1])
    if as_json:
        moves = [{"move": CARD_NAMES[card], "value": chance} for card, chance in ranked]
        click.echo(json.dumps({"value": value, "moves": moves}))
        return
    for card, chance in ranked:
        click.echo(f"{chance:.10f}  {load_theme('court').name(card, lang)}")
    click.echo(f"{value:.10f}  {say('over all starting hands')}")


@cli.command("solitaire")
@click.option("--edition", "slug", default="solitaire", show_default=True, help="solitaire or solitaire-2019.")
@Switches
@click.option("--seed", type=int, default=None, help="Deal the game of this seed instead of a random one.")
@click.option("--record", type=click.File("w", encoding="utf-8"), help="Write the game's record here at the end.")
@Lang
def solitaire_command(
    slug: str, switches: tuple[str, ...], seed: int | None, record: IO[str] | None, lang: str | None
) -> None:
    """Play Love Letter Solitaire, with the solver's hints."""
    rng = None if seed is None else random.Random(seed)
    game = Solo(slug, options=read_switches(switches), rng=rng)
    try:
        SoloTerminal(game, vocabulary(load_theme("court"), slug, lang or "en"), _read_line, click.echo).play()
    finally:
        if record is not None:
            record.write(json.dumps(game.record()) + "\n")


def _read_line(prompt: str) -> str:
    """A line from standard input; its end leaves the game."""
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    return line if line else "quit"


@cli.command("rules")
@click.argument("edition", metavar="[EDITION]", required=False)
@click.option("--edition", "named", metavar="EDITION", help="The same as the argument.")
@Lang
@click.option("--theme", default="court", show_default=True, help="The theme of the names, or a theme file.")
def rules_command(edition: str | None, named: str | None, lang: str | None, theme: str) -> None:
    """Print the rules, cards and rulings of EDITION (without one: the editions there are).

    EDITION is a slug, or a file with an edition of your own.
    """
    if edition is not None and named is not None:
        raise click.UsageError("Give the edition once: as an argument or with --edition.")
    wanted = edition if named is None else named
    click.echo(rules_text(None if wanted is None else find_edition(wanted).slug, lang, find_theme(theme)))
