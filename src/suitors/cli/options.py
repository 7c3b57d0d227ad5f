"""What several commands of the command line have in common: options, and how their values are read."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import click

from ..arena.chart import plain
from ..bots import BOTS, BadOption, BotFailure, Program, find_bot, read_programs, try_options
from ..bots.bots_file import DEFAULT_FILE
from ..words import LANGUAGES

DAY_MS = 86_400_000.0

Lang = click.option("--lang", type=click.Choice(LANGUAGES), default=None, help="The language of the sentences.")
BotsFile = click.option(
    "--bots-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help=f"Names for programs; {DEFAULT_FILE} of this folder if not given.",
)
Switches = click.option("--option", "switches", multiple=True, metavar="KEY=VALUE", help="Set a switch of the rules.")


def lacking(error: ModuleNotFoundError, sentence: str) -> click.UsageError:
    """What to say where a library of an extra is not installed; a module of our own must not be missing."""
    if (error.name or "").partition(".")[0] == "suitors":
        raise error
    return click.UsageError(sentence)


def check_budget(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """A budget is more than nothing and at most a day; what is no number at all is neither."""
    if value is not None and not 0 < value <= DAY_MS:
        raise click.BadParameter(f"a budget is more than 0 and at most {DAY_MS:.0f} milliseconds, not {value}.")
    return value


def read_switches(words: Iterable[str]) -> dict[str, bool | str]:
    """Switches given as KEY=VALUE."""
    options: dict[str, bool | str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise click.UsageError(f"--option takes KEY=VALUE, not '{word:.40}'.")
        options[key] = {"true": True, "false": False}.get(value, value)
    return options


def split_bots(names: str) -> list[str]:
    """The bots' names; a comma inside quotes belongs to a command."""
    found, quote = [""], ""
    for letter in names:
        if letter in "'\"":
            quote = "" if letter == quote else quote or letter
        if letter == "," and not quote:
            found.append("")
        else:
            found[-1] += letter
    return [name.strip() for name in found]


def read_bots(names: str, file: Path | None) -> tuple[list[str], dict[str, Program]]:
    """The names, if there are such bots, and the programs among them that the file describes."""
    found = split_bots(names)
    programs = find_programs(found, file)
    for name in found:
        if find_bot(name, programs) is None:
            raise no_such_bot(name)
    return found, programs


def no_such_bot(name: str) -> click.UsageError:
    """What to say of a name that no bot has."""
    known = f"{', '.join(BOTS)} and cmd:PROGRAM, cmd2:PROGRAM and the names in a {DEFAULT_FILE}"
    return click.UsageError(f"There is no bot '{plain(name):.80}'; there are {known}.")


def find_programs(names: Sequence[str], file: Path | None) -> dict[str, Program]:
    """The programs with these names. The file that is there without being asked for is read only if it is needed."""
    if file is None:
        file = Path(DEFAULT_FILE)
        if all(find_bot(name) is not None for name in names) or not file.is_file():
            return {}
    programs = read_programs(file, BOTS)
    found = {name: programs[name] for name in names if name in programs}
    for name, program in found.items():
        _check_options(file, name, program)
    return found


def _check_options(file: Path, name: str, program: Program) -> None:
    """Ask a program whether it takes the options of the file; if it fails otherwise, it will in its matches, too."""
    if program.options:
        with suppress(BotFailure):
            try:
                try_options(program)
            except BadOption as error:
                raise click.UsageError(f"{file} is wrong: {name}.options.{error.key}: the program {error}.") from None
