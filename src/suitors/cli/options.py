"""What several commands of the command line have in common: options, and how their values are read."""

from collections.abc import Iterable

import click

from ..bots import BOTS, find_bot
from ..words import LANGUAGES

DAY_MS = 86_400_000.0

Lang = click.option("--lang", type=click.Choice(LANGUAGES), default=None, help="The language of the sentences.")
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


def read_bots(names: str) -> list[str]:
    """The names, if there are such bots."""
    found = split_bots(names)
    for name in found:
        if find_bot(name) is None:
            raise click.UsageError(f"There is no bot '{name:.80}'; there are {', '.join(BOTS)} and cmd:PROGRAM.")
    return found
