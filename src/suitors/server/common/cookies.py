"""The cookies of a browser: the key by which a person is known, and how they like to read."""

from fastapi import Response
from starlette.requests import HTTPConnection

from ...pages import Preferences, read_preferences
from ...pages.preferences import COOKIE as PREFERENCES_COOKIE
from ..domain.people import Person
from ..errors import Refused
from ..server import Server

PLAIN_COOKIE = "suitors"
"""The cookie that held the key before it was named after the server; programs may still send their key in it."""

KEPT_S = 400 * 86_400


def key_cookie(server: Server) -> str:
    """The cookie that holds the key: a browser has the same cookies for all servers on a host, whatever their ports."""
    return f"{PLAIN_COOKIE}-{server.store.server_id}"


def find_key(server: Server, connection: HTTPConnection) -> str | None:
    """The key that a client sends."""
    return connection.cookies.get(key_cookie(server)) or connection.cookies.get(PLAIN_COOKIE)


async def find_caller(server: Server, connection: HTTPConnection) -> Person | None:
    """The person whose key this is, None without one; a key that is not known is refused."""
    return await server.person(find_key(server, connection))


async def find_visitor(server: Server, connection: HTTPConnection) -> Person | None:
    """The person who looks at a page; a key that is not known counts as none."""
    try:
        return await find_caller(server, connection)
    except Refused as refusal:
        if refusal.code == "banned":
            raise
        return None


def find_preferences(connection: HTTPConnection) -> Preferences:
    """How the person who looks at a page likes to read."""
    return read_preferences(connection.cookies.get(PREFERENCES_COOKIE), connection.headers.get("accept-language", ""))


def set_key(server: Server, response: Response, connection: HTTPConnection, key: str) -> None:
    """Give the browser its key: scripts cannot read it, other sites cannot send it."""
    _set(response, connection, key_cookie(server), key, httponly=True)


def delete_key(server: Server, response: Response, connection: HTTPConnection, *, known: bool) -> None:
    """Let the browser forget its key; one in the plain cookie that is not known here may be of another server."""
    response.delete_cookie(key_cookie(server))
    if known and connection.cookies.get(PLAIN_COOKIE) == find_key(server, connection):
        response.delete_cookie(PLAIN_COOKIE)


def set_preferences(response: Response, connection: HTTPConnection, preferences: Preferences) -> None:
    """Let the browser keep how its user likes to read and play."""
    _set(response, connection, PREFERENCES_COOKIE, preferences.cookie(), httponly=False)


def _set(response: Response, connection: HTTPConnection, name: str, value: str, *, httponly: bool) -> None:
    secure = connection.url.scheme == "https"
    response.set_cookie(name, value, max_age=KEPT_S, path="/", secure=secure, httponly=httponly, samesite="lax")
