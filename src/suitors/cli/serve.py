"""The command that hosts tables. What it needs beyond the plain install is loaded only when it runs."""

import json
import os
import re
import sys
import urllib.request
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import click

from ..words import gettext, register_theme
from ..words.edition_file import read_edition
from ..words.own_editions import offer_edition
from ..words.theme_file import read_theme
from .backup import SCHEMES, check_driver, save_backup
from .options import Lang, lacking

PORT = 8765
TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{16,200}")
WAIT_S = 2.0
"""How long somebody who holds the port may take to say who they are."""

NEEDED = "The server's libraries are not installed: pip install 'suitors[server]', or use python3 run.py serve."


def data_folder() -> Path:
    """Where a user's programs keep their data."""
    home = Path.home()
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "suitors"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "suitors"


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on (0.0.0.0: everywhere).")
@click.option("--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="0: any free one.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="The data folder (default: the user's).")
@click.option(
    "--database",
    envvar="SUITORS_DATABASE",
    metavar="URL",
    help="Keep the data in PostgreSQL, at an address such as postgresql://host/name, which other processes may share.",
)
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="Another address of this server, such as https://play.example.org.",
)
@click.option(
    "--trust-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS[/NET]",
    help="Behind a proxy at this address: believe what it says of its clients.",
)
@click.option("--limits", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A TOML file of limits.")
@click.option(
    "--theme",
    "themes",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A theme file of your own, to be chosen at the table.",
)
@click.option(
    "--edition",
    "editions",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file with an edition of your own, to be offered to visitors.",
)
@click.option(
    "--bots",
    type=click.IntRange(1, 256),
    default=None,
    help="How many bots may think at once.",
)
@click.option("--no-sync", is_flag=True, help="Do not wait for the disk: faster; a power cut may cost the last moves.")
@click.option(
    "--metrics-token",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="A file with the token by which GET /metrics may be read; without it nobody may.",
)
@click.option(
    "--backup",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The same as `suitors backup` of the data folder into this new file.",
)
@Lang
def serve_command(
    host: str,
    port: int,
    data: Path | None,
    database: str | None,
    no_open: bool,
    origins: tuple[str, ...],
    proxies: tuple[str, ...],
    limits: Path | None,
    themes: tuple[Path, ...],
    editions: tuple[Path, ...],
    bots: int | None,
    no_sync: bool,
    metrics_token: Path | None,
    backup: Path | None,
    lang: str | None,
) -> None:
    """Host tables for people and programs, and open the first page in the browser."""
    try:
        from ..server.ops.limits import BadLimits, Limits, read_limits  # noqa: PLC0415
        from ..server.ops.proxies import BadProxy, TrustedProxies, read_proxy  # noqa: PLC0415
        from ..server.process import FailedStart, listen, open_browser, run  # noqa: PLC0415
        from ..server.server import Settings  # noqa: PLC0415 - an extra
        from ..server.storage.schema import WrongStore  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise lacking(error, NEEDED) from None
    say = gettext(lang or "en")
    if backup is not None:
        save_backup(database or data or data_folder(), backup, say)
        return
    for origin in origins:
        check_origin(origin)
    for theme in themes:
        register_theme(read_theme(theme))
    for edition in editions:
        offer_edition(read_edition(edition).slug)
    try:
        chosen = read_limits(limits) if limits else Limits()
        settings = Settings(
            data or data_folder(),
            postgres=check_database(database) if database else "",
            sync=not no_sync,
            limits=chosen,
            origins=origins,
            metrics_token=read_token(metrics_token) if metrics_token else "",
            proxies=TrustedProxies(map(read_proxy, proxies)),
            everywhere=host in ("0.0.0.0", "::"),
            eager=not no_open,
        )
        if bots is not None:
            settings = replace(settings, workers=bots)
        sock = listen(host, port)
    except (BadLimits, BadProxy) as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        address = f"http://{host}:{port}/"
        if no_open or not answers(address):
            raise click.UsageError(f"Cannot listen on {host}, port {port}: {error.strerror or error}.") from None
        click.echo(say("Suitors is at {address} already: opening that.").format(address=address))
        open_browser(address)
        return

    def announce(address: str) -> None:
        sentence = say("Suitors is at {address} (data in {folder}). Ctrl+C ends it.")
        click.echo(sentence.format(address=address, folder="PostgreSQL" if settings.postgres else settings.data))
        sys.stdout.flush()
        if not no_open:
            open_browser(address)

    try:
        with sock:
            run(settings, sock, announce=announce)
    except WrongStore as error:
        raise click.UsageError(str(error)) from None
    except FailedStart as error:
        click.echo(f"suitors: {error}", err=True)
        sys.exit(1)


def answers(address: str) -> bool:
    """Whether a server of ours is there: somebody who starts a second one wants to play at the first."""
    try:
        with urllib.request.urlopen(f"{address}health/live", timeout=WAIT_S) as answer:
            return set(json.load(answer)) == {"ok", "version"}
    except (OSError, ValueError):
        return False


def read_token(path: Path) -> str:
    """The token in a file, which must be hard to guess."""
    try:
        token = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{path} cannot be read as a token: {error}.") from None
    if not TOKEN.fullmatch(token):
        raise click.UsageError(f"{path} must hold one token of 16 to 200 letters, digits and -._~+/= characters.")
    return token


def check_database(url: str) -> str:
    """The address of a PostgreSQL; its driver must be there."""
    if not url.startswith(SCHEMES):
        raise click.UsageError("--database takes an address such as postgresql://host/name.")
    check_driver()
    return url


def check_origin(origin: str) -> None:
    """An origin is a scheme and a host, and nothing behind it."""
    try:
        parts = urlsplit(origin)
        plain = origin.rstrip("/") == f"{parts.scheme}://{parts.netloc}" and "@" not in parts.netloc
        good = plain and parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise click.UsageError(f"--origin takes an address such as https://play.example.org, not '{origin:.60}'.")
