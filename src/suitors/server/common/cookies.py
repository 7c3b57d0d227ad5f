"""The cookies of a browser: the key by which a person is known, and how they like to read."""

from fastapi import Response
from starlette.requests import HTTPConnection

from ...pages import Preferences, read_preferences
from ...pages.preferences import COOKIE as PREFERENCES_COOKIE
from ..domain.people import Person
from ..errors import Refused
from ..server import Server

KEY_COOKIE = "suitors"
KEPT_S = 400 * 86_400


async def find_caller(server: Server, connection: HTTPConnection) -> Person | None:
    """The person whose key this is, None without one; a key that is not known is refused."""
    return await server.person(connection.cookies.get(KEY_COOKIE))


async def find_visitor(server: Server, connection: HTTPConnection) -> Person | None:
    """The person who looks at a page; a key that is not known counts as none."""
    try:
        return await find_caller(server, connection)
    except Refused:
        return None


def find_preferences(connection: HTTPConnection) -> Preferences:
    """How the person who looks at a page likes to read."""
    return read_preferences(connection.cookies.get(PREFERENCES_COOKIE), connection.headers.get("accept-language", ""))


def set_key(response: Response, connection: HTTPConnection, key: str) -> None:
    """Give the browser its key: scripts cannot read it, other sites cannot send it."""
    _set(response, connection, KEY_COOKIE, key, httponly=True)


def delete_key(response: Response) -> None:
    """Let the browser forget its key."""
    response.delete_cookie(KEY_COOKIE)


def set_preferences(response: Response, connection: HTTPConnection, preferences: Preferences) -> None:
    """Let the browser keep how its user likes to read and play."""
    _set(response, connection, PREFERENCES_COOKIE, preferences.cookie(), httponly=False)


def _set(response: Response, connection: HTTPConnection, name: str, value: str, *, httponly: bool) -> None:
    secure = connection.url.scheme == "https"
    response.set_cookie(name, value, max_age=KEPT_S, path="/", secure=secure, httponly=httponly, samesite="lax")
