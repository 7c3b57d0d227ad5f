"""A request for a page: who it is from, how they like to read, what a form says, and how it is answered."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl

from fastapi import Depends, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.datastructures import UploadFile

from ...pages import Preferences, render
from ..common.cookies import find_key, find_preferences, find_visitor, key_cookie, set_key, set_preferences
from ..domain.names import check_name
from ..domain.people import Person
from ..domain.table import HostedTable
from ..errors import Refused
from ..ops.limits import account_of
from ..server import Server

SCRIPT_HEADER = "x-suitors"
"""The header by which the page's own script asks: it wants to know what to do, not a page to show."""

MOST_FIELDS = 50
"""Fields of a form; ours have a dozen."""

MOST_PARTS = 4
"""Fields of a form with a file, each of which has a head that is slow to read; ours has one."""

LONGEST_FIELD = 200
"""Letters in the longest text that is read of a field."""

A = TypeVar("A", bound=Response)


@dataclass
class PageRequest:
    """One request for a page."""

    http: Request
    server: Server
    preferences: Preferences
    person: Person | None = None
    new_key: str | None = None  # the key that the browser is given with the answer
    form: dict[str, str] = field(default_factory=dict)
    file: str = ""  # the text of a file that came with the form

    @property
    def person_id(self) -> int | None:
        """The person's number."""
        return None if self.person is None else self.person.id

    @property
    def client(self) -> str:
        """Whom it is counted for: who only follows a link of another site has the work for it not counted as theirs."""
        return account_of(self.http.scope)

    async def ensure_person(self, name: str = "") -> Person:
        """The visitor as a person of this name; one who has not been here becomes one."""
        if self.person is None:
            name = name or self.preferences.say("Guest")
            self.person, self.new_key = await self.server.create_person(self.client, name)
        elif name and name != self.person.name:
            self.person = await self.server.people.rename(self.person, name)
        return self.person

    @property
    def from_script(self) -> bool:
        """Whether the page's own script asks."""
        return SCRIPT_HEADER in self.http.headers

    def known_person(self) -> Person:
        """The visitor, who must have been here before."""
        if self.person is None:
            raise Refused(401, "who-are-you", "Take a seat first.")
        return self.person

    # The form

    def name(self) -> str:
        """The name in the form, if there is one."""
        given = self.form.get("name", "").strip()
        return check_name(given) if given else ""

    def number(self, key: str) -> int:
        """A number in the form."""
        text = self.form.get(key, "")
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise Refused(422, "bad-request", f"The field {key} must be a number.")
        return int(text)

    def text(self, key: str) -> str:
        """A short text in the form."""
        return self.form.get(key, "")[:LONGEST_FIELD]

    # The answer

    def page(self, template: str, status: int = 200, **context: Any) -> HTMLResponse:
        """A page as the answer."""
        url = self.http.url
        back = url.path + (f"?{url.query}" if url.query else "")
        here = str(url).partition("?")[0]
        told = {"back": back, "here": here, "announcement": self.server.announcement}
        html = render(template, self.preferences, me=self.person, **told, **context)
        return self._with_key(HTMLResponse(html, status))

    def redirect(self, path: str) -> Response:
        """Send the visitor to another page; a script is told where."""
        if self.from_script:
            return self._with_key(JSONResponse({"go": path}))
        return self._with_key(RedirectResponse(path, 303))

    def ask_words(self, table: HostedTable) -> Response:
        """Show a script the commitment of a new table, and ask it for the words of these seats: then it may begin."""
        asked = {"commitment": table.commitment, "seats": table.seats_of(self.person_id)}
        return self._with_key(JSONResponse({"go": f"/tables/{table.id}", "begin": asked}))

    def done(self, path: str) -> Response:
        """What was asked for has been done: a script will see it through its socket, a browser is sent to see it."""
        if self.from_script:
            return self._with_key(Response(status_code=204))
        return self.redirect(path)

    def save_preferences(self, answer: Response) -> Response:
        """Let the browser keep how the visitor likes to read and play."""
        set_preferences(answer, self.http, self.preferences)
        return answer

    def _with_key(self, answer: A) -> A:
        if self.new_key is not None:
            set_key(self.server, answer, self.http, self.new_key)
        return answer


async def read_page_request(http: Request) -> PageRequest:
    """The request with its form; a key that is not known counts as none."""
    server: Server = http.app.state.server
    request = PageRequest(http, server, find_preferences(http), await find_visitor(server, http))
    if request.person is not None and key_cookie(server) not in http.cookies:
        request.new_key = find_key(server, http)  # it came in the plain cookie, where another server may overwrite it
    kind = http.headers.get("content-type", "").partition(";")[0].strip().lower()
    if http.method == "POST" and kind in FORM_READERS:
        await FORM_READERS[kind](request)
    return request


async def read_fields(request: PageRequest) -> None:
    """Read the fields of a plain form; a large one holds a record, and is taken apart in a thread."""
    body = await request.http.body()
    small = len(body) <= request.server.limits.body_bytes
    try:
        fields = parse_fields(body) if small else await request.server.in_thread(request.client, parse_fields, body)
    except ValueError:
        raise Refused(422, "bad-request", f"A form has at most {MOST_FIELDS} fields.") from None
    request.form = dict(fields)


def parse_fields(body: bytes) -> list[tuple[str, str]]:
    """The fields of a plain form; a ValueError where there are too many."""
    return parse_qsl(body.decode("latin-1"), keep_blank_values=True, errors="replace", max_num_fields=MOST_FIELDS)


async def read_parts(request: PageRequest) -> None:
    """Read a form that may have a file with it."""
    async with request.http.form(max_files=1, max_fields=MOST_PARTS) as form:
        request.form = {key: value for key, value in form.items() if isinstance(value, str)}
        for value in form.values():
            if isinstance(value, UploadFile):
                request.file = (await value.read()).decode("utf-8", "replace")


FORM_READERS: dict[str, Callable[[PageRequest], Awaitable[None]]] = {
    "application/x-www-form-urlencoded": read_fields,
    "multipart/form-data": read_parts,
}
"""How the forms of a page are read, by their content type."""


ThePageRequest = Annotated[PageRequest, Depends(read_page_request)]
