"""The JSON API, version 1: the prefix of its routes, and what every one of them may refuse with."""

from typing import Any

from fastapi import APIRouter

from ..common.addresses import API
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
        414: "The address is too long.",
        415: "The content type is too long.",
        421: "Not a name of this server.",
        422: "Not what can be sent here, or not legal.",
        429: "Too many requests.",
        503: "The disk does not take it; nothing has changed.",
        507: "There is no room for anything new.",
    }.items()
}


def api_router() -> APIRouter:
    """A router whose routes are complete: the application has them in one flat list, where each is tried once."""
    return APIRouter(prefix=API, responses=PROBLEMS)
