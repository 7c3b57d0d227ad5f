"""A client of an application in this process that visits the event loop once for each request.

Starlette's own visits it eight times, to be able to read an answer piece by piece; with thousands of requests that took
more time than answering them. Answers are whole here, and sockets are Starlette's.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, cast
from urllib.parse import unquote

import httpx2 as httpx
from starlette.testclient import TestClient

HTTP_PORTS = {"http": 80, "https": 443}


class OneVisit(httpx.BaseTransport):
    """Lets the application answer a request on its own loop, and comes back with the whole answer."""

    def __init__(self, starlette: Any) -> None:
        self.starlette = starlette

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.scheme not in HTTP_PORTS:
            return cast(httpx.Response, self.starlette.handle_request(request))
        exchange = Exchange(self.scope(request), request.read())
        with self.starlette.portal_factory() as portal:
            failure = portal.call(exchange.run, self.starlette.app)
        if failure is not None and self.starlette.raise_server_exceptions:
            raise failure
        answer = httpx.ByteStream(bytes(exchange.body))
        return httpx.Response(exchange.status, headers=exchange.headers, stream=answer, request=request)

    def scope(self, request: httpx.Request) -> dict[str, Any]:
        url = request.url
        return {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "path": unquote(url.path),
            "raw_path": url.raw_path.split(b"?", 1)[0],
            "root_path": self.starlette.root_path,
            "scheme": url.scheme,
            "query_string": url.query,
            "headers": [(key.lower().encode(), value.encode()) for key, value in request.headers.multi_items()],
            "client": self.starlette.client,
            "server": [url.host, url.port or HTTP_PORTS[url.scheme]],
            "state": self.starlette.app_state.copy(),
        }


class Exchange:
    """One request and its answer; an application that fails before it answers has answered 500."""

    def __init__(self, scope: dict[str, Any], body: bytes) -> None:
        self.scope, self.question, self.answered = scope, [body], asyncio.Event()
        self.status, self.headers, self.body = 500, list[tuple[str, str]](), bytearray()

    async def run(self, app: Any) -> Exception | None:
        try:
            await app(self.scope, self.receive, self.send)
        except Exception as failure:
            return failure
        return None

    async def receive(self) -> dict[str, Any]:
        if self.question:
            return {"type": "http.request", "body": self.question.pop()}
        await self.answered.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = [(key.decode(), value.decode()) for key, value in message["headers"]]
            return
        if self.scope["method"] != "HEAD":
            self.body += message.get("body", b"")
        if not message.get("more_body"):
            self.answered.set()


Question = tuple[str, str, Any]
"""A method, a path with its query, and what is sent as JSON, if it is not None."""


async def answer_all(app: Any, exchanges: Sequence[Exchange]) -> None:
    """Let the application answer one request after the other."""
    for exchange in exchanges:
        await exchange.run(app)


class QuickClient(TestClient):
    """Starlette's client for tests, but for how its requests travel."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._transport = OneVisit(self._transport)
        self._addresses = dict[str, httpx.URL]()

    def _merge_url(self, url: httpx.URL | str) -> httpx.URL:
        """The whole address of a path. Most are asked for often, and parsing took a tenth of the time."""
        if isinstance(url, httpx.URL):
            return url if url.is_absolute_url else super()._merge_url(url)
        if url not in self._addresses:
            self._addresses[url] = super()._merge_url(url)
        return self._addresses[url]


def ask_all(client: TestClient, questions: Sequence[Question]) -> list[Exchange]:
    """Answers to requests, one after the other, in one visit to the event loop; cookies that they set are lost."""
    transport = cast(OneVisit, client._transport)
    usual = transport.scope(client.build_request("GET", client._merge_url("/")))
    exchanges = [_exchange(usual, *question) for question in questions]
    with transport.starlette.portal_factory() as portal:
        portal.call(answer_all, transport.starlette.app, exchanges)
    return exchanges


def _exchange(usual: dict[str, Any], method: str, target: str, body: Any) -> Exchange:
    """A request that is like a usual one but for this."""
    path, _, query = target.partition("?")
    content = b"" if body is None else json.dumps(body).encode()
    length = ((b"content-length", b"%d" % len(content)), (b"content-type", b"application/json"))
    scope = {
        **usual,
        "method": method,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [*usual["headers"], *(length if content else ())],
        "state": usual["state"].copy(),
    }
    return Exchange(scope, content)
