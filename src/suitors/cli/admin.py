"""The command of an operator, which talks to a running server through the private socket in its data folder."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..words import gettext
from .options import Lang, lacking
from .serve import NEEDED, data_folder

WAIT_S = 60.0
"""How long the server may take to answer."""

LONGEST = 16 << 20
"""Bytes of the longest answer: a list of a thousand tables."""

WITH_ID = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
"""Settings of commands that take the id of a table, which may begin with a hyphen and is no option then."""


class Operator:
    """Whoever gives the command: the data folder of their server, and their language."""

    def __init__(self, folder: Path, say: Callable[[str], str]) -> None:
        self.folder = folder
        self.say = say

    def ask(self, do: str, **given: Any) -> dict[str, Any]:
        """Let the server do something; its answer, or an error in a sentence."""
        try:
            answer = self._exchange({"do": do, **given})
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            raise click.UsageError(f"No server is running on {self.folder}.") from None
        except PermissionError:
            raise click.UsageError(f"Only the user who runs the server on {self.folder} may do that.") from None
        except (OSError, ValueError) as error:
            raise click.UsageError(f"The server on {self.folder} does not answer: {error}.") from None
        if "error" in answer:
            raise click.UsageError(str(answer["error"]["message"]))
        return answer

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            from ..server.ops.admin_socket import SOCKET  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise lacking(error, NEEDED) from None
        if not hasattr(socket, "AF_UNIX"):
            raise click.UsageError("This system has no Unix sockets, through which servers are administered.")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(WAIT_S)
            line.connect(str(self.folder / SOCKET))
            line.sendall(json.dumps(request).encode() + b"\n")
            with line.makefile("rb") as file:
                answer: dict[str, Any] = json.loads(file.readline(LONGEST))
        return answer


@click.group("admin")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="The server's data folder.")
@Lang
@click.pass_context
def admin_command(context: click.Context, data: Path | None, lang: str | None) -> None:
    """Look after a running server: its tables, bans, announcements and its end.

    Everything that is done is noted in the file audit.log of the data folder.
    """
    context.obj = Operator(data or data_folder(), gettext(lang or "en"))


@admin_command.command("tables")
@click.option("--status", type=click.Choice(["waiting", "playing", "over", "closed", "damaged"]))
@click.option("--limit", type=click.IntRange(1, 1000), default=100, show_default=True)
@click.pass_obj
def tables_command(operator: Operator, status: str | None, limit: int) -> None:
    """List tables, the last used first, one JSON object a line."""
    for table in operator.ask("tables", status=status, limit=limit)["tables"]:
        click.echo(json.dumps(table, ensure_ascii=False))


@admin_command.command("table", context_settings=WITH_ID)
@click.argument("table")
@click.pass_obj
def table_command(operator: Operator, table: str) -> None:
    """Print who sits at a TABLE and how far it is, as JSON; no cards."""
    click.echo(json.dumps(operator.ask("table", table=table), ensure_ascii=False, indent=2))


@admin_command.command("close", context_settings=WITH_ID)
@click.argument("table")
@click.pass_obj
def close_command(operator: Operator, table: str) -> None:
    """Close a TABLE for good; its record is open to its players then."""
    operator.ask("close", table=table)
    click.echo(operator.say("Table {table} is closed.").format(table=table))


@admin_command.command("ban")
@click.argument("subject")
@click.option("--reason", default="", help="Why, for the list of bans.")
@click.pass_obj
def ban_command(operator: Operator, subject: str, reason: str) -> None:
    """Answer SUBJECT no longer: an address, a network such as 192.0.2.0/24, or person:NUMBER."""
    banned = operator.ask("ban", subject=subject, reason=reason)
    click.echo(operator.say("{subject} is banned.").format(subject=banned["subject"]))


@admin_command.command("unban")
@click.argument("subject")
@click.pass_obj
def unban_command(operator: Operator, subject: str) -> None:
    """Lift the ban of SUBJECT."""
    click.echo(
        operator.say("{subject} is banned no longer.").format(subject=operator.ask("unban", subject=subject)["subject"])
    )


@admin_command.command("bans")
@click.pass_obj
def bans_command(operator: Operator) -> None:
    """List all bans, one JSON object a line."""
    for each in operator.ask("bans")["bans"]:
        click.echo(json.dumps(each, ensure_ascii=False))


@admin_command.command("rename")
@click.argument("person", type=click.IntRange(min=1))
@click.argument("name")
@click.pass_obj
def rename_command(operator: Operator, person: int, name: str) -> None:
    """Give the PERSON with this number the NAME, at the tables to come."""
    renamed = operator.ask("rename", person=person, name=name)
    click.echo(operator.say("Person {person} is called {name} now.").format(**renamed))


@admin_command.command("announce")
@click.argument("text", required=False)
@click.option("--clear", is_flag=True, help="Show nothing any more.")
@click.pass_obj
def announce_command(operator: Operator, text: str | None, clear: bool) -> None:
    """Show a TEXT on all pages, until another one or the server's end."""
    if (text is None) != clear:
        raise click.UsageError("Give either a TEXT or --clear.")
    told = operator.ask("announce", text=text or "")["text"]
    if told:
        click.echo(operator.say("All pages show: {text}").format(text=told))
    else:
        click.echo(operator.say("Pages show no announcement."))


@admin_command.command("drain")
@click.option("--off", is_flag=True, help="Open new tables again.")
@click.pass_obj
def drain_command(operator: Operator, off: bool) -> None:
    """Open no new tables any more, before a restart; those that there are go on. `stop` then ends the server."""
    drained = operator.ask("drain", on=not off)
    if off:
        click.echo(operator.say("New tables are opened again."))
    else:
        click.echo(
            operator.say("No new tables are opened; matches in memory: {playing}.").format(playing=drained["playing"])
        )


@admin_command.command("stop")
@click.pass_obj
def stop_command(operator: Operator) -> None:
    """End the server in order; nothing that anybody was told is lost."""
    operator.ask("stop")
    click.echo(operator.say("The server ends."))
