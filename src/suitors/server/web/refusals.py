"""Refusals as the one who asked can read them."""

import orjson
from starlette.requests import HTTPConnection

from ...pages import render
from ...pages.refusals import refusal_sentence
from ..common.addresses import API
from ..common.asgi import Scope
from ..common.cookies import find_preferences
from ..errors import Refused
from .requests import SCRIPT_HEADER

JSON = "application/json"


def render_refusal(scope: Scope, refusal: Refused) -> tuple[bytes, str]:
    """The body and its media type: people get a page in their words, its script a sentence, programs all there is."""
    asked = HTTPConnection(scope)
    script = SCRIPT_HEADER in asked.headers
    for_programs = scope["type"] != "http" or asked.url.path.startswith((API, "/health", "/metrics"))
    if for_programs or not (script or "text/html" in asked.headers.get("accept", "")):
        return orjson.dumps(refusal.data()), JSON
    preferences = find_preferences(asked)
    sentence = refusal_sentence(preferences, refusal.code, str(refusal))
    if script:
        return orjson.dumps({"error": {"code": refusal.code, "message": sentence}}), JSON
    record = f"/tables/{scope['path_params']['table_id']}/record" if refusal.more.get("yours") else None
    html = render("refused.html", preferences, back="/", sentence=sentence, record=record)
    return html.encode(), "text/html; charset=utf-8"
