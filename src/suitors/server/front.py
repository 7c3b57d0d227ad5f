"""The first page: what this server is, the tables that anybody may watch, and where programs find the API."""

from html import escape

from .. import __version__
from .store import Summary

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Suitors</title>
<h1>Suitors</h1>
<p>Tables for Love Letter, every edition. Version {version}.</p>
<h2>Open tables</h2>
{tables}
<h2>Programs</h2>
<p>The API is described at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>; how the server is,
at <a href="/health">/health</a> and <a href="/metrics">/metrics</a>.</p>
</html>
"""


def front_page(tables: list[Summary]) -> str:
    """The page as HTML."""
    lines = [
        f'<li><a href="/api/v1/tables/{escape(table.id)}">{escape(table.edition)}, {escape(table.status)}</a></li>'
        for table in tables
    ]
    listed = f"<ul>{''.join(lines)}</ul>" if lines else "<p>There is none just now.</p>"
    return PAGE.format(version=escape(__version__), tables=listed)
