"""What the tests of pages have in common: how people ask, what every page must be, and tables that are played."""

import re
from html import unescape
from typing import Any

from fastapi.testclient import TestClient

from suitors.rules import BOXES
from support.quick_client import QuickClient
from support.servers import change, json_of, new_table, next_decision

PEOPLE = {"accept": "text/html,application/xhtml+xml"}
FRENCH = {**PEOPLE, "accept-language": "fr-CH, fr;q=0.9, en;q=0.5"}
SCRIPT = {"x-suitors": "script"}
SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
PLAIN = [
    "/",
    "/people/tempest",
    "/credits",
    "/tables",
    "/mine",
    "/me",
    "/rules",
    "/replay",
    "/learn",
    "/deck",
    "/deck?base=house&cards-guard=8&cards-bishop=1",
    *(f"/rules/{slug}" for slug in BOXES),
]


def page(answer: Any, status: int = 200) -> str:
    """The HTML of an answer that must be a page, with all that keeps visitors safe."""
    assert answer.status_code == status, (answer.status_code, answer.text[:2000])
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    for name, value in SECURITY.items():
        assert answer.headers[name] == value, name
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == policy["connect-src"] == "'self'"
    html: str = answer.text
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=", html), "the policy would block it"
    assert html.count("<h1") == 1
    return html


def stranger(client: TestClient) -> TestClient:
    """Somebody who has never been here."""
    who = QuickClient(client.app, raise_server_exceptions=False)
    who.portal = client.portal
    return who


def sentence(html: str) -> str:
    """What a page of refusal says."""
    found = re.search(r"</h1><p>(.*?)</p>", html)
    assert found, html
    return unescape(found[1])


def hand_in(html: str) -> list[str]:
    """The cards of the own hand that a page shows, by name, sorted."""
    return sorted(re.sub(r"-\d$", "", key) for key in re.findall(r'id="hand-([a-z0-9-]+)-place"', html))


def playing(host: TestClient, *others: TestClient, **more: Any) -> dict[str, Any]:
    """A table where these people have started, and cards are dealt."""
    table = new_table(host, players=1 + len(others), seats=[{}], **{"rest_s": 3600, **more})
    for seat, other in enumerate(others, 1):
        json_of(change(other, "PUT", f"seats/{seat}", table))
    json_of(change(host, "POST", "start", table))
    next_decision(dict(enumerate((host, *others))), table)
    return table
