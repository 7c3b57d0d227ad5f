"""Pages for people: what this server is and which tables are open, and the end of a transfer link."""

from html import escape

from .. import __version__
from .store import Summary

FRAME = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Suitors</title>
<h1>Suitors</h1>
{body}
</html>
"""

FIRST = """<p>Tables for Love Letter, every edition. Version {version}.</p>
<h2>Open tables</h2>
{tables}
<h2>Programs</h2>
<p>The API is described at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>; how the server is,
at <a href="/health">/health</a> and <a href="/metrics">/metrics</a>.</p>"""

TRANSFER = """<p>With this button your games on the other device are yours on this one, too.</p>
<form method="post"><button>This is me</button></form>"""

VOID = "<p>This link has been used or is too old. Make another one on the device where your games are.</p>"


def front_page(tables: list[Summary]) -> str:
    """The page as HTML."""
    lines = [
        f'<li><a href="/api/v1/tables/{escape(table.id)}">{escape(table.edition)}, {escape(table.status)}</a></li>'
        for table in tables
    ]
    listed = f"<ul>{''.join(lines)}</ul>" if lines else "<p>There is none just now.</p>"
    return FRAME.format(body=FIRST.format(version=escape(__version__), tables=listed))


def transfer_page(void: bool = False) -> str:
    """Where a transfer link leads: looking at it does nothing yet, for programs look at links as well."""
    return FRAME.format(body=VOID if void else TRANSFER)
