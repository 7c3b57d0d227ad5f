"""Addresses that more than one room needs, and how long a list may be."""

from starlette.requests import HTTPConnection

API = "/api/v1"

TRANSFER = "/transfer/{code}"
"""The page that a transfer link leads to."""

LONGEST_LIST = 100
"""Lines in the longest list of tables."""


def origin_of(connection: HTTPConnection) -> str:
    """The address of this server as the browser knows it, also where a socket asks."""
    base = connection.base_url
    scheme = {"ws": "http", "wss": "https"}.get(base.scheme, base.scheme)
    return f"{scheme}://{base.netloc}"


def table_link(connection: HTTPConnection, table: str) -> str:
    """The address of a table's page."""
    return f"{origin_of(connection)}/tables/{table}"
