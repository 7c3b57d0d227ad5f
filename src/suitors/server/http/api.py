"""The JSON API, version 1: its routes under one prefix, and what every one of them may refuse with."""

from typing import Any

from fastapi import APIRouter

from ..common.addresses import API
from . import people_api, tables_api
from .models import Problem

PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem, "description": text}
    for code, text in {
        400: "Not HTTP as it should be.",
        401: "No key, or one that is not known here.",
        403: "Known, but not allowed.",
        404: "Nothing here, or nothing that is open to you.",
        408: "The request came too slowly.",
        409: "Not as the table is now; `state` says how it is where the caller's was stale.",
        410: "The table is damaged and has been set aside.",
        413: "Too large.",
        421: "Not a name of this server.",
        422: "Not what can be sent here, or not legal.",
        429: "Too many requests.",
        503: "The disk does not take it; nothing has changed.",
        507: "There is no room for anything new.",
    }.items()
}

router = APIRouter(prefix=API, responses=PROBLEMS)
router.include_router(people_api.router)
router.include_router(tables_api.router)
