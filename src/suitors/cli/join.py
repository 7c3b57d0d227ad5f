"""The command that seats a bot at a table of a server elsewhere. What it needs is loaded only when it runs."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..arena.chart import plain
from ..bots import BotFailure, Choose, ProgramBot, find_bot, find_program, warm_up
from ..errors import check_edition
from ..rules import edition, find_box
from ..view.match import View
from ..view.solo import SoloView
from ..words import gettext
from .options import BotsFile, Lang, check_budget, find_programs, lacking, no_such_bot

if TYPE_CHECKING:
    from ..client.player import MatchResult, RemotePlayer

NEEDED = "The libraries for tables on a network are not installed: pip install 'suitors[server]'."

Say = Callable[[str], str]


@click.command("join")
@click.argument("url")
@click.option(
    "--bot", default="expert", show_default=True, help="A bot of Suitors, cmd:PROGRAM, cmd2:PROGRAM or a name."
)
@BotsFile
@click.option("--seat", type=click.IntRange(0, 7), help="The seat to take; the first empty one if not given.")
@click.option("--name", help="The name to play under; the bot's if not given.")
@click.option("--key", type=click.Path(path_type=Path, dir_okay=False), help="Keep the key to the seat in this file.")
@click.option("--budget-ms", type=float, callback=check_budget, help="Milliseconds for each decision.")
@Lang
def join_command(
    url: str,
    bot: str,
    bots_file: Path | None,
    seat: int | None,
    name: str | None,
    key: Path | None,
    budget_ms: float | None,
    lang: str | None,
) -> None:
    """Let a bot that runs here play at the table at URL, on a server elsewhere, until the match is over.

    With --key the program can be stopped, and returns to its seat when it is called again.
    """
    try:
        from ..client import connection, player  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise lacking(error, NEEDED) from None
    try:
        with ready(bot, bots_file, budget_ms) as choose:
            remote = player.RemotePlayer(connection.read_address(url), connection.Keys(key))
            table = remote.find_table(seat)
            say = gettext(lang or find_box(check_edition(table.edition)).language)
            warm_up([bot], edition(table.edition, len(table.kinds), table.options))
            player.try_out(choose, table)
            with leaving(remote):
                taken = remote.sit(seat, bot_name(bot) if name is None else name)
                click.echo(say("The bot sits in seat {seat}.").format(seat=taken))
                lost = say("The server does not answer; trying again.")
                result = remote.play(choose, lambda: click.echo(lost, err=True))
            click.echo(result_sentence(result, say))
            with suppress(connection.ClientError):
                choose.end_match(remote.final_view)
    except connection.ClientError as error:
        raise click.UsageError(plain(str(error))) from None
    except BotFailure as failure:
        raise click.UsageError(f"The bot {plain(str(failure))}.") from None


@dataclass(frozen=True)
class ReadyBot:
    """A bot with its random numbers and its budget."""

    choose: Choose
    rng: random.Random
    budget_ms: float | None

    def __call__(self, view: View | SoloView) -> str:
        """The bot's move."""
        return self.choose(view, self.rng, self.budget_ms)

    def end_match(self, final_view: Callable[[], View | SoloView]) -> None:
        """Tell a program how the match ended."""
        if isinstance(self.choose, ProgramBot):
            view = final_view()
            winners = view.winners if isinstance(view, View) else [0] if view.won else []
            self.choose.end_match(view, winners, [])


@contextmanager
def ready(name: str, bots_file: Path | None, budget_ms: float | None) -> Iterator[ReadyBot]:
    """The bot; a program ends with us."""
    choose = find_bot(name, find_programs([name], bots_file))
    if choose is None:
        raise no_such_bot(name)
    try:
        yield ReadyBot(choose, random.Random(), budget_ms)
    finally:
        if isinstance(choose, ProgramBot):
            choose.close()


def bot_name(bot: str) -> str:
    """The name of a bot that was given none: the others should see that it is no person."""
    return f"{bot} (bot)" if find_program(bot) is None else "program (bot)"


@contextmanager
def leaving(remote: "RemotePlayer") -> Iterator[None]:
    """Leave the seat where the program is interrupted before the match has begun."""
    try:
        yield
    except KeyboardInterrupt:
        remote.leave()
        raise


def result_sentence(result: "MatchResult", say: Say) -> str:
    """Who has won, in a sentence."""
    if result.solo:
        return say("The game is won.") if result.winners else say("The game is lost.")
    names = [plain(name) for name in result.winners]
    if len(names) == 1:
        return say("{name} has won the match.").format(name=names[0])
    return say("{names} have won the match together.").format(names=", ".join(names))
