"""What a request's head may hold before anything else looks at it: a short address, short fields, our cookies alone.

The libraries that read heads take a time that grows with the square of some fields. A head has up to 64 kB, so that one
request could keep everybody waiting for seconds.
"""

from ..common.asgi import Scope
from ..common.cookies import PLAIN_COOKIE
from ..errors import Refused

LONGEST_ADDRESS = 4_096
"""Bytes of a path with its query; the longest of ours, a deck of one's own, has about a thousand."""

LONGEST_TYPE = 256
"""Bytes of a content type."""

LONGEST_COOKIE, MOST_COOKIES = 1_024, 20
"""Bytes of one of our cookies, and how many of them are looked at."""


def keep_own_cookies(scope: Scope) -> None:
    """Drop the cookies of others, and what no cookie of ours holds: a backslash is slow to read."""
    given = [value for name, value in scope["headers"] if name == b"cookie"]
    pairs = [pair.strip() for value in given for pair in value.split(b";")]
    own = [pair for pair in pairs if pair.startswith(PLAIN_COOKIE.encode()) and _is_plain(pair)]
    rest = [field for field in scope["headers"] if field[0] != b"cookie"]
    scope["headers"] = [*rest, (b"cookie", b"; ".join(own[:MOST_COOKIES]))] if own else rest


def _is_plain(pair: bytes) -> bool:
    return len(pair) <= LONGEST_COOKIE and b"\\" not in pair


def check_lengths(scope: Scope) -> None:
    """Refuse an address or a content type that is longer than any of ours."""
    if len(scope["path"]) + len(scope.get("query_string", b"")) > LONGEST_ADDRESS:
        raise Refused(414, "bad-request", f"An address may have at most {LONGEST_ADDRESS} bytes.")
    if any(name == b"content-type" and len(value) > LONGEST_TYPE for name, value in scope["headers"]):
        raise Refused(415, "bad-request", f"A content type may have at most {LONGEST_TYPE} bytes.")
