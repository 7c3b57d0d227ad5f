"""The application: house, gate, API and sockets put together."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from starlette.exceptions import HTTPException

from .. import __version__
from .errors import Refused, missing
from .http import api
from .http.middleware import Gate
from .http.models import Health
from .ops.metrics import Metrics
from .server import COOKIE, House, Settings
from .sockets.routes import sockets
from .sockets.table_socket import first_fault
from .storage.store import StoreFailure
from .web import games, home, kits, learn, tables
from .web.requests import voice

log = logging.getLogger(__name__)


def make_app(settings: Settings) -> FastAPI:
    """The server as an ASGI application."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        house = app.state.house = House(settings, metrics)
        await house.open()
        try:
            yield
        finally:
            await house.close()

    app = FastAPI(
        title="Suitors",
        version=__version__,
        summary="Tables for Love Letter, every edition.",
        openapi_url=f"{api.PREFIX}/openapi.json",
        docs_url=None,  # the stock page loads from a CDN
        redoc_url=None,
        lifespan=lifespan,
        responses=api.PROBLEMS,
    )
    for part in (api, home, games, learn, kits, tables):
        app.include_router(part.router)
    app.add_middleware(
        Gate, sockets=sockets, limits=settings.limits, metrics=metrics, voice=voice, origins=settings.origins
    )
    _add_house_pages(app, metrics)
    _add_refusals(app)
    return app


def _add_house_pages(app: FastAPI, metrics: Metrics) -> None:
    @app.get("/health")
    async def health(request: Request) -> Health:
        """Whether the server and its store are well."""
        house: House = request.app.state.house
        await house.store.write(lambda db: db.execute("SELECT 1").fetchone())
        return Health(ok=True, version=__version__)

    @app.get("/metrics", include_in_schema=False)
    async def numbers() -> Response:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_refusals(app: FastAPI) -> None:
    @app.exception_handler(Refused)
    async def refused(request: Request, refusal: Refused) -> Response:
        answer = _answer(request, refusal)
        if refusal.code == "unknown-key":
            answer.delete_cookie(COOKIE)
        return answer

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return _answer(request, Refused(422, "bad-request", first_fault(error.errors())))

    @app.exception_handler(HTTPException)
    async def elsewhere(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return _answer(request, missing("page"))
        refusal = Refused(error.status_code, "bad-request", f"{error.detail}.")
        answer = _answer(request, refusal)
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(StoreFailure)
    async def full(request: Request, error: StoreFailure) -> Response:
        log.error("store-failed", extra={"data": {"why": str(error)}})
        sentence = "The server cannot write just now; nothing has changed."
        return _answer(request, Refused(503, "store-failed", sentence))

    @app.exception_handler(WebSocketRequestValidationError)
    async def invalid_socket(socket: WebSocket, error: WebSocketRequestValidationError) -> None:
        refusal = Refused(422, "bad-request", first_fault(error.errors()))
        await socket.send_denial_response(api.problem(refusal))


def _answer(request: Request, refusal: Refused) -> Response:
    """A refusal as an answer."""
    body, media = voice(request.scope, refusal)
    return Response(body, refusal.status, {**refusal.headers(), "content-type": media})
