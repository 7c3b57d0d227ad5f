"""A client of a server's API.

Address    where a table is
Keys       our keys by server, in a file, so that a program that was stopped can come back
ApiClient  requests over HTTP, and the messages of a table's socket
"""

import json
import os
import re
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import connect

from ..records.strict_json import NotJson, parse

PREFIX = "/api/v1"
COOKIE = "suitors"
COOKIE_NAME = re.compile(f"{COOKIE}(-[0-9a-f]{{8}})?")
"""The cookie that a key is sent in, and those in which a server may give it."""

LARGEST = 1 << 24
"""Bytes in the largest answer that is read."""

ANSWER_S = 15.0
"""How long the server may take to answer a request."""


class ClientError(Exception):
    """Why the bot cannot sit down or play on, in a sentence."""


class RequestRefused(ClientError):
    """A request that the server refused, with the code of docs/api.md."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class Unavailable(ClientError):
    """There is no answer now, but there may be one later, not before `wait` seconds."""

    def __init__(self, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.wait = wait


@contextmanager
def reading() -> Iterator[None]:
    """Read what a server has sent, which may be anything: a ClientError where it is not what we expect."""
    try:
        yield
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError):
        raise ClientError("The server says what this program cannot read; it may be of another version.") from None


# Addresses and keys


@dataclass(frozen=True)
class Address:
    """Where a table is."""

    origin: str
    table: str


HOST = re.compile(r"(?:[a-z0-9._-]+|\[[0-9a-f:.]+])(?::[0-9]+)?")
PATH = re.compile(r"(?:/api/v1)?/tables/([A-Za-z0-9_-]{1,64})/?")


def read_address(url: str) -> Address:
    """The table whose page, or whose place in the API, this is."""
    bad = ClientError(f"'{url:.80}' is no table's address, such as http://127.0.0.1:8765/tables/0a1B2c.")
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        host, path, _ = HOST.fullmatch(parts.netloc.lower()), PATH.fullmatch(parts.path), parts.port
    except ValueError:
        raise bad from None
    if parts.scheme not in ("http", "https") or host is None or path is None:
        raise bad
    return Address(f"{parts.scheme}://{host[0]}", path[1])


KEY = re.compile(r"[A-Za-z0-9_-]{1,200}")


class Keys:
    """Our keys by server. With a file they outlive the program; each goes only to the server that gave it."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._known: dict[str, str] = {} if path is None else _read_keys(path)

    def find(self, origin: str) -> str | None:
        """The key for a server."""
        return self._known.get(origin)

    def keep(self, origin: str, key: str) -> None:
        """Add a key; nobody but the file's owner may read it there."""
        self._known[origin] = key
        if self.path is None:
            return
        try:
            number, draft = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")  # mode 0600
            with os.fdopen(number, "w", encoding="utf-8") as file:
                file.write(json.dumps(self._known, indent=1) + "\n")
            Path(draft).replace(self.path)
        except OSError as error:
            raise ClientError(f"{self.path} cannot be written: {error.strerror}.") from None

    def forget(self, origin: str) -> None:
        """Drop a key that its server does not know any more."""
        self._known.pop(origin, None)


def _read_keys(path: Path) -> dict[str, str]:
    """The keys in a file, none where there is no file yet."""
    try:
        raw = path.read_bytes()
        known = parse(raw) if raw.strip() else {}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}.") from None
    except NotJson:
        known = None
    if not isinstance(known, dict) or not all(isinstance(key, str) and KEY.fullmatch(key) for key in known.values()):
        raise ClientError(f"{path} is not a file of keys that this command has written.")
    return known


# The server


class NoRedirects(HTTPRedirectHandler):
    """Redirects are not followed: a key is for one server."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow none."""


class ApiClient:
    """The API of one server."""

    def __init__(self, origin: str, keys: Keys) -> None:
        self.origin = origin
        self.keys = keys
        self._opener = build_opener(NoRedirects)

    def __call__(self, method: str, path: str, **given: Any) -> Any:
        """Send a request; the JSON of the answer."""
        data = json.dumps(given).encode() if given else None
        headers = {"Content-Type": "application/json", **self._cookie()}
        request = Request(f"{self.origin}{PREFIX}{path}", data, headers, method=method)
        try:
            with self._opener.open(request, timeout=ANSWER_S) as answer:
                body, cookies = answer.read(LARGEST), answer.headers.get_all("Set-Cookie", [])
            if path == "/me":
                self._keep_key(cookies)
            return parse(body)
        except HTTPError as error:
            with error, suppress(OSError, HTTPException):
                raise self._error(error.code, error.read(LARGEST)) from None
            raise self._unavailable("it stopped in mid-sentence") from None
        except (OSError, HTTPException, ValueError) as error:
            raise self._unavailable(str(getattr(error, "reason", error))) from None

    def listen(self, path: str) -> Generator[Any]:
        """The messages of a table's socket; it ends with Unavailable, however it ends."""
        address = f"ws{self.origin.removeprefix('http')}{PREFIX}{path}"
        try:
            with connect(
                address, additional_headers=self._cookie(), compression=None, close_timeout=1, max_size=LARGEST
            ) as socket:
                for text in socket:
                    yield parse(text.encode() if isinstance(text, str) else text)
        except InvalidStatus as error:
            raise self._error(error.response.status_code, bytes(error.response.body or b"")) from None
        except (WebSocketException, OSError, ValueError) as error:
            raise self._unavailable(str(error)) from None
        raise self._unavailable("it closed the socket")

    def _cookie(self) -> dict[str, str]:
        key = self.keys.find(self.origin)
        return {} if key is None else {"Cookie": f"{COOKIE}={key}"}

    def _keep_key(self, cookies: list[str]) -> None:
        """Keep the key that the server gives, in a cookie that it may have named after itself."""
        for text in cookies:
            with suppress(CookieError):
                for name, found in SimpleCookie(text).items():
                    if COOKIE_NAME.fullmatch(name) and KEY.fullmatch(found.value):
                        self.keys.keep(self.origin, found.value)

    def _error(self, status: int, body: bytes) -> ClientError:
        """An answer that is no success: one that may be another later (too many requests, a restart), or a refusal."""
        try:
            error = parse(body)["error"]
            code, message, wait = str(error["code"]), str(error["message"]), float(error.get("wait_s", 0))
        except (LookupError, TypeError, ValueError, AttributeError):
            code, message, wait = "", f"There is no server of Suitors at {self.origin}: it answered {status}.", 0.0
        return Unavailable(message, wait) if status == 429 or status >= 500 else RequestRefused(status, code, message)

    def _unavailable(self, why: str) -> Unavailable:
        return Unavailable(f"There is no server of Suitors at {self.origin} now ({why}).")
