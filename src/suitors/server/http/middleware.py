"""The middleware around pages, API and sockets: what is refused before it costs anything, headers, logs and metrics."""

import asyncio
import ipaddress
import logging
import re
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from ..common.asgi import App, Message, Receive, Scope, Send
from ..errors import Refused, missing
from ..ops.limits import Limits, Rates, account_of, client_of
from ..ops.metrics import Metrics
from ..ops.proxies import TrustedProxies
from ..ops.request_ids import HEADER, begin_request
from ..ops.shares import LONGEST_DELAY_S, LONGEST_WAIT_S, LoopShares
from .heads import check_lengths, keep_own_cookies

log = logging.getLogger(__name__)

RenderRefusal = Callable[[Scope, Refused], tuple[bytes, str]]
"""A refusal as the one who asked can read it: the body and its media type."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
RECORDS = "/games"
"""Where records are uploaded, which are larger than all else."""

HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\[\]:/?#@\\\s]+)(:\d{1,5})?")
"""The Host header: a name or an address, and perhaps a port."""

MISSES = frozenset({401, 404})
"""Answers that a client who guesses would get."""

HEADERS = tuple(
    (name.encode(), value.encode())
    for name, value in {
        "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
        "cache-control": "no-store",
    }.items()
)


class Middleware:
    """An ASGI application around two others, for requests and for sockets: all that is checked of both is here."""

    def __init__(
        self,
        app: App,
        sockets: App,
        limits: Limits,
        metrics: Metrics,
        render_refusal: RenderRefusal,
        proxies: TrustedProxies,
        origins: Iterable[str] = (),
        rates: Rates | None = None,
    ) -> None:
        self.app = app
        self.render_refusal = render_refusal
        self.sockets = sockets
        self.limits = limits
        self.metrics = metrics
        self.origins = {origin.rstrip("/") for origin in origins}
        self.names = {"localhost", *(urlsplit(origin).hostname or "" for origin in self.origins)}
        rates = rates or Rates(limits)
        self.rate, self.misses = rates.requests, rates.misses
        self.proxies = proxies
        self.running: Counter[str] = Counter()  # requests that are not answered yet, by client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it here."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request_id = begin_request(scope, self.proxies)
        began, responder = time.perf_counter(), Responder(scope, send, self.render_refusal, request_id)
        try:
            keep_own_cookies(scope)
            self.proxies.apply(scope)
            scope["account"] = self._account(scope)
            self._admit(scope)
            if scope["type"] == "websocket":
                await self.sockets(scope, receive, responder)
            else:
                with self._counted(client_of(scope)):
                    body = receive if scope["method"] in SAFE else await self._read_body(scope, receive)
                    await self._run(scope, self._pass_on(scope, body, responder), longest_s=LONGEST_WAIT_S)
        except Refused as refusal:
            self.metrics.refused.labels(refusal.code).inc()
            await self._run(scope, responder.refuse(refusal), delay_s=LONGEST_DELAY_S)  # many of them cost time, too
        except Exception:
            if responder.status:
                raise
            log.exception("broken")
            await responder.refuse(Refused(500, "broken", "Something broke here; it has been noted."))
        if responder.status in MISSES:
            self.misses.take(account_of(scope))
        self._log(scope, responder.status, time.perf_counter() - began)

    async def _run(self, scope: Scope, work: Coroutine[Any, Any, None], **limits: float) -> None:
        """Run something within the share of the loop that whoever asks has."""
        shares: LoopShares = scope["app"].state.server.shares
        await shares.run(account_of(scope), work, **limits)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)

    def _admit(self, scope: Scope) -> None:
        headers, account = dict(scope["headers"]), account_of(scope)
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not self._is_known_host(hosts[0]):
            raise Refused(421, "wrong-host", "This server does not answer to that name; see --origin.")
        scope["app"].state.server.check_client(client_of(scope))
        wait = self.rate.take(account)
        if not wait and self.misses.level(account) < 1:
            wait = 60 / self.limits.misses_minute
        if wait:
            raise Refused(429, "too-many", f"Too many requests: wait {wait:.0f} s.", wait_s=round(wait, 1))
        check_lengths(scope)
        if self._is_foreign(headers) and not follows_link(scope, headers):
            raise Refused(403, "cross-site", "Requests from pages of another site are not taken.")

    def _account(self, scope: Scope) -> str:
        """Whom a request is counted for: pages of other sites do not use up the limits of their visitors."""
        client = client_of(scope)
        return f"{client}, another site" if self._is_foreign(dict(scope["headers"])) else client

    @contextmanager
    def _counted(self, client: str) -> Iterator[None]:
        """Count a request while it is being read and answered; behind a proxy nothing else tells clients apart."""
        if self.running[client] >= self.limits.requests_at_once:
            raise Refused(429, "too-many", "Too many requests at once: wait for their answers.", wait_s=1)
        self.running[client] += 1
        try:
            yield
        finally:
            self.running[client] -= 1
            if not self.running[client]:
                del self.running[client]

    def _is_known_host(self, host: str) -> bool:
        """Whether the Host header is an address, or a name we know: a rebound name of somebody else's is neither."""
        found = HOST.fullmatch(host.lower())
        if not found:
            return False
        try:
            name = found["name"].strip("[]")
            return name in self.names or bool(ipaddress.ip_address(name))
        except ValueError:
            return False

    def _is_foreign(self, headers: dict[bytes, bytes]) -> bool:
        """Whether a page of another site asks; browsers say so in one of these headers, and programs send none."""
        if b"origin" in headers:
            page = headers[b"origin"].decode("latin-1")
        elif b"sec-fetch-site" in headers or b"referer" not in headers:
            return headers.get(b"sec-fetch-site", b"none") not in (b"same-origin", b"none")
        else:
            page = "/".join(headers[b"referer"].decode("latin-1").split("/")[:3])
        host = headers.get(b"host", b"").decode("latin-1")
        return page not in (f"http://{host}", f"https://{host}", *self.origins)

    async def _read_body(self, scope: Scope, receive: Receive) -> Receive:
        """Read the whole body, if it is small enough and comes in time."""
        most = self.limits.record_bytes if scope["path"] == RECORDS else self.limits.body_bytes
        length = dict(scope["headers"]).get(b"content-length", b"0")
        large = Refused(413, "too-large", f"A request may have at most {most} bytes.")
        if not length.isdigit() or len(length) > 12 or int(length) > most:
            raise large
        body, more = b"", True
        try:
            async with asyncio.timeout(self.limits.body_s):
                while more:
                    message = await receive()
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > most:
                        raise large
        except TimeoutError:
            raise Refused(408, "too-slow", "The request did not arrive in time.") from None
        parts = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def replay() -> Message:
            return next(parts, None) or await receive()

        return replay

    def _log(self, scope: Scope, status: int, seconds: float) -> None:
        """Count and log the request by the pattern of its path: the path itself may be a secret link."""
        method = scope.get("method", "SOCKET")
        known = method in SAFE or method in ("POST", "PUT", "PATCH", "DELETE", "SOCKET")
        self.metrics.requests.labels(method if known else "OTHER", status).inc()
        if scope["type"] == "http":
            self.metrics.seconds.observe(seconds)
        path = getattr(scope.get("route"), "path", "-")
        data = {"method": method, "path": path, "status": status, "ms": round(seconds * 1000, 1)}
        log.info("request", extra={"data": data})


def follows_link(scope: Scope, headers: dict[bytes, bytes]) -> bool:
    """Whether somebody follows a link to a page of ours: all that a page of another site may lead to."""
    if scope["type"] != "http" or scope["method"] not in SAFE or b"origin" in headers:
        return False
    given = headers.get(b"sec-fetch-mode", b"navigate"), headers.get(b"sec-fetch-dest", b"document")
    return given == (b"navigate", b"document")


class Responder:
    """Sends the answer: adds the headers, remembers the status, and can refuse by itself."""

    def __init__(self, scope: Scope, send: Send, render_refusal: RenderRefusal, request_id: str) -> None:
        self.scope = scope
        self.id_header = (HEADER, request_id.encode())
        self.render_refusal = render_refusal
        self.send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        """Pass a message on."""
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            self.status = message["status"]
            given = {name for name, _ in message.get("headers", ())}
            more = [pair for pair in HEADERS if pair[0] not in given]
            message = {**message, "headers": [*message.get("headers", ()), *more, self.id_header]}
        elif message["type"] == "websocket.accept":
            self.status = 101
            message = {**message, "headers": [*message.get("headers", ()), self.id_header]}
        elif message["type"] == "websocket.close" and not self.status:
            await self.refuse(missing("socket"))
            return
        await self.send(message)

    async def refuse(self, refusal: Refused) -> None:
        """Answer with what was wrong."""
        kind = "http" if self.scope["type"] == "http" else "websocket.http"
        body, media = self.render_refusal(self.scope, refusal)
        fields = {"content-type": media, "content-length": str(len(body)), **refusal.headers()}
        headers = [(name.encode(), value.encode()) for name, value in fields.items()]
        await self({"type": f"{kind}.response.start", "status": refusal.status, "headers": headers})
        await self({"type": f"{kind}.response.body", "body": body})
