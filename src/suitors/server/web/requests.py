"""Somebody who visits the pages: who they are, how they like to read, and what they are answered."""

from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import Depends, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.datastructures import UploadFile
from starlette.requests import HTTPConnection

from ...pages import Preferences, read_preferences, render
from ...pages.preferences import COOKIE as PREFERENCES_COOKIE
from ...pages.refusals import refusal_sentence
from ..domain.people import Person, check_name
from ..errors import Refused
from ..http.api import PREFIX, set_key
from ..http.middleware import Scope
from ..server import COOKIE, COOKIE_S, House

SCRIPT = "x-suitors"
"""The header by which the page's own script asks: it wants to know what to do, not a page to show."""

JSON = "application/json"
SHORT = 200
"""Letters in the longest text that is read of a field."""

A = TypeVar("A", bound=Response)


@dataclass
class Visit:
    """One request for a page."""

    request: Request
    house: House
    preferences: Preferences
    person: Person | None = None
    new_key: str | None = None  # the key of a person who has just come
    said: dict[str, str] = field(default_factory=dict)  # the fields of a form
    file: str = ""  # the text of a file that came with it

    @property
    def who(self) -> int | None:
        """The person's number."""
        return None if self.person is None else self.person.id

    async def somebody(self, name: str = "") -> Person:
        """The visitor as a person; one who has not been here becomes one, under the name given."""
        if self.person is None:
            self.house.admit_person(self.request.scope)
            self.person, self.new_key = await self.house.people.create(name or self.preferences.say("Guest"))
        elif name and name != self.person.name:
            self.person = await self.house.people.rename(self.person, name)
        return self.person

    def known(self) -> Person:
        """The visitor, who must have been here before."""
        if self.person is None:
            raise Refused(401, "who-are-you", "Take a seat first.")
        return self.person

    def name(self) -> str:
        """The name in the form, if there is one."""
        given = self.said.get("name", "").strip()
        return check_name(given) if given else ""

    def number(self, key: str) -> int:
        """A number in the form."""
        text = self.said.get(key, "")
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise Refused(422, "bad-request", f"The field {key} must be a number.")
        return int(text)

    def text(self, key: str) -> str:
        """A short text in the form."""
        return self.said.get(key, "")[:SHORT]

    def page(self, template: str, status: int = 200, **context: Any) -> HTMLResponse:
        """A page as the answer."""
        path = self.request.url.path
        back = path + (f"?{self.request.url.query}" if self.request.url.query else "")
        here = str(self.request.url).partition("?")[0]
        html = render(template, self.preferences, back=back, here=here, me=self.person, **context)
        return self._keep(HTMLResponse(html, status))

    def go(self, path: str) -> Response:
        """Send the visitor to another page; a script is told where, or that its table will tell it all."""
        if SCRIPT in self.request.headers:
            return self._keep(JSONResponse({"go": path}))
        return self._keep(RedirectResponse(path, 303))

    def done(self, path: str) -> Response:
        """What was asked for has been done: a script knows already, a browser is sent to see it."""
        return self._keep(Response(status_code=204)) if SCRIPT in self.request.headers else self.go(path)

    def _keep(self, answer: A) -> A:
        if self.new_key is not None:
            set_key(answer, self.request, self.new_key)
        return answer

    def remember(self, answer: Response) -> Response:
        """Let the browser keep how the visitor likes to read and play."""
        secure = self.request.url.scheme == "https"
        answer.set_cookie(
            PREFERENCES_COOKIE, self.preferences.cookie(), max_age=COOKIE_S, path="/", secure=secure, samesite="lax"
        )
        return answer


async def visit(request: Request) -> Visit:
    """Who asks; a key that is not known here counts as none."""
    house: House = request.app.state.house
    accepted = request.headers.get("accept-language", "")
    found = Visit(request, house, read_preferences(request.cookies.get(PREFERENCES_COOKIE), accepted))
    try:
        found.person = await house.person(request.cookies.get(COOKIE))
    except Refused:
        found.person = None
    if request.method == "POST":
        async with request.form() as form:
            found.said = {key: value for key, value in form.items() if isinstance(value, str)}
            for value in form.values():
                if isinstance(value, UploadFile):
                    found.file = (await value.read()).decode("utf-8", "replace")
    return found


AVisit = Annotated[Visit, Depends(visit)]


def voice(scope: Scope, refusal: Refused) -> tuple[bytes, str]:
    """A refusal: people on a page read a page in their words, its script a sentence, programs all there is."""
    asked = HTTPConnection(scope)
    script = SCRIPT in asked.headers
    for_programs = scope["type"] != "http" or asked.url.path.startswith((PREFIX, "/health", "/metrics"))
    if for_programs or not (script or "text/html" in asked.headers.get("accept", "")):
        return orjson.dumps(refusal.data()), JSON
    preferences = read_preferences(asked.cookies.get(PREFERENCES_COOKIE), asked.headers.get("accept-language", ""))
    sentence = refusal_sentence(preferences, refusal.code, str(refusal))
    if script:
        return orjson.dumps({"error": {"code": refusal.code, "message": sentence}}), JSON
    return render("refused.html", preferences, back="/", sentence=sentence).encode(), "text/html; charset=utf-8"
