"""An id for every request and socket, in its log lines and in the header of its answer: one leads to the other."""

import re
import secrets
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from .proxies import TrustedProxies

HEADER = b"x-request-id"
FORM = re.compile(rb"[A-Za-z0-9._-]{8,64}")
"""The ids that are taken from a proxy."""

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that is being answered; None in what the server does by itself."""


def begin_request(scope: Mapping[str, Any], proxies: TrustedProxies) -> str:
    """Give a request its id: the one that a trusted proxy sent, if that is well-formed, or a new one."""
    given = [value for name, value in scope["headers"] if name == HEADER] if proxies.is_proxy(scope) else []
    known = len(given) == 1 and FORM.fullmatch(given[0])
    request_id = given[0].decode("ascii") if known else secrets.token_hex(8)
    REQUEST_ID.set(request_id)
    return request_id
