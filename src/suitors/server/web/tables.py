"""The page of a table and its forms: sit down, play, take a rematch.

A form whose sense hangs on what was seen names that state (a move, somebody else's seat, the start); others do not.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlencode

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from ...errors import check_edition
from ...words.editions import edition_word
from ..common.addresses import table_link
from ..common.table_page import (
    LONGEST_CHOICE,
    MOST_AGO,
    PageQuery,
    is_to_decide,
    read_seat,
    read_state,
    table_part,
)
from ..domain.changes import Part
from ..domain.commands import COMMANDS, Caller, check_state, made_word, make_words
from ..domain.loaded import LoadedTable
from ..domain.table import HostedTable, NewEvent
from ..errors import Refused, missing
from .new_table import choose_bots, name_bots
from .requests import PageRequest, ThePageRequest

router = APIRouter(include_in_schema=False)

HINT_S = 3.0
"""How long a page may wait for a hint."""

FILL_IN = "counting"
"""The bot that takes a seat where a form does not say which."""


@router.get("/tables/{table_id}")
async def table_page(
    table_id: str, request: ThePageRequest, seat: str = "", chosen: str = "", ago: str = ""
) -> Response:
    """The page of a table."""
    loaded = await find_table(request, table_id)
    await wait_for_hint(request, loaded)
    await loaded.settled()
    link, back = table_link(request.http, table_id), min(read_state(ago) or 0, MOST_AGO)
    query = PageQuery(read_seat(seat), chosen[:LONGEST_CHOICE], ago=back, link=link)
    part = table_part(request.server, loaded, request.person_id, request.preferences, query)
    known = {"lang": request.preferences.lang, "seat": query.seat, "chosen": query.chosen or None}
    live_query = "?" + urlencode({key: value for key, value in known.items() if value is not None})
    title = part.context["table"].title
    return request.page("table.html", part=part.template, title=title, query=live_query, **part.context)


async def wait_for_hint(request: PageRequest, loaded: LoadedTable) -> None:
    """Wait a little for a hint that the visitor has asked for: a page without scripts is not told when it is there."""
    table = loaded.table
    own = [seat for seat in table.seats_of(request.person_id) if is_to_decide(table, seat)]
    if own and table.hinted_now:
        with suppress(TimeoutError, Refused):
            async with asyncio.timeout(HINT_S):
                await request.server.analyses.hint(request.client, table, own[0])


async def find_table(request: PageRequest, table_id: str) -> LoadedTable:
    """The table, if the visitor may see it."""
    return await request.server.visit_table(table_id, request.person)


@router.get("/tables/{table_id}/record")
async def record(table_id: str, request: ThePageRequest) -> Response:
    """The record of a finished match as a file; of a damaged table, for those who sit there, what can be read of it."""
    data = await request.server.read_record(table_id, request.person)
    name = f"suitors-{edition_word(check_edition(data['edition']))}-{table_id[:8]}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return JSONResponse(data, headers=headers)


@router.post("/tables/{table_id}/rematch")
async def rematch(table_id: str, request: ThePageRequest) -> Response:
    """Open the next table; where nobody else has to be waited for, it starts at once, or after a script's words."""
    loaded = await find_table(request, table_id)
    person, server = request.known_person(), request.server
    following = await server.open_rematch(request.client, loaded, request.number("state"), person)
    await server.tables.change(following, make_words)
    alone = following.table.members() == {person.id}
    if alone and request.from_script:
        return request.ask_words(following.table)
    if alone:
        await server.tables.change(following, COMMANDS["start"].decision(Caller(person)))
    return request.redirect(f"/tables/{following.table.id}")


@router.post("/tables/{table_id}/forward")
async def forward(table_id: str, request: ThePageRequest) -> Response:
    """Let the bots finish the round at once in which nobody else is left."""
    loaded = await find_table(request, table_id)
    await loaded.settled()
    request.server.tables.presence.skip_round(loaded, request.person_id)
    return request.done(f"/tables/{table_id}")


@router.post("/tables/{table_id}/{form}")
async def submit(table_id: str, form: str, request: ThePageRequest) -> Response:
    """Do at a table what a form asks for."""
    if form not in COMMANDS and form not in FORMS:
        raise missing("page")
    loaded = await find_table(request, table_id)
    if form == "sit":
        await request.ensure_person(request.name())
    await request.server.tables.change(loaded, lambda table: decide(form, request, loaded, table))
    if form == "sit" or (form == "leave" and not loaded.table.seats_of(request.person_id)):
        return request.redirect(f"/tables/{table_id}")  # the page has to be shown through other eyes
    back = request.form.get("seat", "") if form in ("move", "hint") else ""
    return request.done(f"/tables/{table_id}" + (f"?seat={back}" if back else ""))


# Forms


def decide(form: str, request: PageRequest, loaded: LoadedTable, table: HostedTable) -> list[NewEvent]:
    """The events that follow from a form: from the command of its name, or from what FORMS says."""
    state = state_seen(form, request, table)
    if form in FORMS:
        check_state(table, state, hangs_on(form))
        return FORMS[form](table, request)
    person, command = request.known_person(), COMMANDS[form]
    caller = Caller(person, request.number("seat") if command.has_seat else -1, loaded.is_away)
    fields = () if form == "hand-over" else command.fields  # on the page it is always the table's stand-in
    return command.decision(caller, state, **{key: request.text(key) for key in fields})(table)


def _sit(table: HostedTable, request: PageRequest) -> list[NewEvent]:
    """Sit down under the name in the form, if there is one; a script changes the word that the server makes."""
    caller = Caller(request.known_person(), request.number("seat"))
    return [*COMMANDS["sit"].decision(caller, name=request.name() or None)(table), made_word(caller.seat)]


def _begin(table: HostedTable, request: PageRequest) -> list[NewEvent]:
    """Give the words that a script has made for the visitor's seats, and start the match."""
    person = request.known_person()
    events: list[NewEvent] = []
    for seat in (k for k in table.seats_of(person.id) if f"word-{k}" in request.form):
        events += COMMANDS["word"].decision(Caller(person, seat), word=request.text(f"word-{seat}"))(table)
    return events + COMMANDS["start"].decision(Caller(person))(table)


def _seat_bots(table: HostedTable, request: PageRequest) -> list[NewEvent]:
    """Put a bot into one seat, or (`all`) into every empty one."""
    person = request.known_person()
    empty = [k for k, seat in enumerate(table.seats) if not seat.taken]
    seats = empty if request.form.get("seat") == "all" else [request.number("seat")]
    bots = choose_bots(request.form.get("bot", FILL_IN), len(seats))
    names = name_bots(bots, request.preferences, table.names())
    events: list[NewEvent] = []
    for seat, bot, name in zip(seats, bots, names, strict=True):
        events += COMMANDS["sit"].decision(Caller(person, seat), bot=bot, name=name)(table)
    return events


def _move(table: HostedTable, request: PageRequest) -> list[NewEvent]:
    """A move, in which cards may have any name that the visitor's theme knows them by (R101, R102)."""
    caller = Caller(request.known_person(), request.number("seat"))
    theme = request.preferences.words_for(table.edition).theme
    return COMMANDS["move"].decision(caller, move=theme.read_move(request.text("move")))(table)


FORMS: dict[str, Callable[[HostedTable, PageRequest], list[NewEvent]]] = {
    "sit": _sit,
    "bot": _seat_bots,
    "move": _move,
    "begin": _begin,
}
"""The forms that do not simply hold the fields of the command of their name."""


def hangs_on(form: str) -> Part | None:
    """The part of the table that a form hangs on: that of the command of its name, if there is one."""
    return COMMANDS[form].hangs_on if form in COMMANDS else None


def state_seen(form: str, request: PageRequest, table: HostedTable) -> int | None:
    """The state that a form has seen; None where it need not say so: to leave one's own seat, or at any time."""
    own = form == "leave" and request.number("seat") in table.seats_of(request.person_id)
    return None if (own or hangs_on(form) is None) and "state" not in request.form else request.number("state")
