"""The application: house, gate, API and sockets put together."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException

from .. import __version__
from . import api
from .front import front_page, transfer_page
from .gate import Gate
from .house import COOKIE, House, Settings
from .live import first_fault, sockets
from .metrics import Metrics
from .models import Health
from .refusals import Refused, missing
from .store import StoreFailure

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
    app.include_router(api.router)
    app.add_middleware(Gate, sockets=sockets, limits=settings.limits, metrics=metrics, origins=settings.origins)
    _add_house_pages(app, metrics)
    _add_refusals(app)
    return app


def _add_house_pages(app: FastAPI, metrics: Metrics) -> None:
    @app.get("/", include_in_schema=False)
    async def first_page(request: Request) -> HTMLResponse:
        house: House = request.app.state.house
        return HTMLResponse(front_page(house.store.open_tables(api.LISTED)))

    @app.get(api.TRANSFER, include_in_schema=False)
    async def transfer(code: str) -> HTMLResponse:
        del code
        return HTMLResponse(transfer_page())

    @app.post(api.TRANSFER, include_in_schema=False)
    async def arrive(code: str, request: Request) -> Response:
        house: House = request.app.state.house
        arrived = await house.people.arrive(code)
        if arrived is None:
            return HTMLResponse(transfer_page(void=True), 404)
        answer = RedirectResponse("/", 303)
        api.set_key(answer, request, arrived[1])
        return answer

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
    async def refused(request: Request, refusal: Refused) -> JSONResponse:
        answer = api.problem(refusal)
        if refusal.code == "unknown-key":
            answer.delete_cookie(COOKIE)
        return answer

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return api.problem(Refused(422, "bad-request", first_fault(error.errors())))

    @app.exception_handler(HTTPException)
    async def elsewhere(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 404:
            return api.problem(missing("page"))
        refusal = Refused(error.status_code, "bad-request", f"{error.detail}.")
        answer = api.problem(refusal)
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(StoreFailure)
    async def full(request: Request, error: StoreFailure) -> JSONResponse:
        log.error("store-failed", extra={"data": {"why": str(error)}})
        return api.problem(Refused(503, "store-failed", "The server cannot write just now; nothing has changed."))

    @app.exception_handler(WebSocketRequestValidationError)
    async def invalid_socket(socket: WebSocket, error: WebSocketRequestValidationError) -> None:
        refusal = Refused(422, "bad-request", first_fault(error.errors()))
        await socket.send_denial_response(api.problem(refusal))
