"""The application: pages, API and sockets put together behind the middleware."""

import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from .. import __version__
from .admin import Admin
from .cluster import Cluster
from .common.addresses import API
from .common.cookies import delete_key
from .errors import Refused, invalid, missing
from .http import people_api, puzzles_api, tables_api
from .http.api import PROBLEMS
from .http.middleware import Middleware
from .http.models import Health
from .ops.admin_socket import AdminSocket
from .ops.limits import Rates
from .ops.metrics import Metrics
from .server import Server, Settings
from .sockets.routes import sockets
from .storage.database import StoreFailure, UnknownOutcome
from .web import games, home, kits, learn, new_table, own_deck, practice, tables
from .web.refusals import render_refusal

log = logging.getLogger(__name__)


def make_app(
    settings: Settings,
    started: Callable[[Server], None] = lambda _: None,
    failed: Callable[[Exception], None] = lambda _: None,
) -> FastAPI:
    """The server as an ASGI application; `started` is called when it can answer, `failed` where it cannot start."""
    metrics, rates = Metrics(), Rates(settings.limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            try:
                server = app.state.server = Server(settings, metrics)
                stack.push_async_callback(server.close)
                cluster = Cluster(server, rates)
                stack.push_async_callback(cluster.close)
                await cluster.start()
                await server.open()
                admin = AdminSocket(settings.data, Admin(server).handle)
                stack.push_async_callback(admin.close)
                await admin.start()
                started(server)
            except Exception as error:
                failed(error)
                raise
            yield

    app = FastAPI(
        title="Suitors",
        version=__version__,
        summary="Tables for Love Letter, every edition.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # the stock page loads from a CDN
        redoc_url=None,
        lifespan=lifespan,
        responses=PROBLEMS,
    )
    for part in (tables_api, people_api, puzzles_api, home, games, learn, practice, kits, new_table, own_deck, tables):
        app.router.routes.extend(part.router.routes)
    app.add_middleware(
        Middleware,
        sockets=sockets,
        limits=settings.limits,
        metrics=metrics,
        render_refusal=render_refusal,
        origins=settings.origins,
        proxies=settings.proxies,
        rates=rates,
    )
    _add_monitoring(app, metrics, settings.metrics_token)
    _add_error_handlers(app)
    return app


def _add_monitoring(app: FastAPI, metrics: Metrics, token: str) -> None:
    @app.get("/health/live")
    async def live() -> Health:
        """That the server answers, whatever its disk does: one that does not has to be started again."""
        return Health(ok=True, version=__version__)

    @app.get("/health/ready")
    @app.get("/health")
    async def ready(request: Request) -> Health:
        """That a write reaches the disk, and that there is space on it."""
        server: Server = request.app.state.server
        await server.check_ready()
        return Health(ok=True, version=__version__)

    @app.get("/metrics", include_in_schema=False)
    async def numbers(request: Request) -> Response:
        given = request.headers.get("authorization", "")
        if not token or not secrets.compare_digest(given.encode("latin-1"), f"Bearer {token}".encode()):
            raise missing("page")
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(Refused)
    async def refused(request: Request, refusal: Refused) -> Response:
        answer = _answer(request, refusal)
        if refusal.code == "unknown-key":
            delete_key(request.app.state.server, answer, request, known=False)
        return answer

    @app.exception_handler(RequestValidationError)
    async def invalid_request(request: Request, error: RequestValidationError) -> Response:
        return _answer(request, Refused(422, "bad-request", invalid(error.errors())))

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return _answer(request, missing("page"))
        answer = _answer(request, Refused(error.status_code, "bad-request", f"{error.detail.rstrip('.')}."))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(StoreFailure)
    async def store_failed(request: Request, error: StoreFailure) -> Response:
        log.error("store-failed", extra={"data": {"why": str(error)}})
        sentence = "The server cannot write just now; nothing has changed."
        if isinstance(error, UnknownOutcome):
            sentence = "The server has lost its database in the middle of that: look whether it has happened."
        return _answer(request, Refused(503, "store-failed", sentence))


def _answer(request: Request, refusal: Refused) -> Response:
    """A refusal as an answer."""
    body, media = render_refusal(request.scope, refusal)
    return Response(body, refusal.status, {**refusal.headers(), "content-type": media})
