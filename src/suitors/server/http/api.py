"""The JSON API over HTTP, version 1. Every change names the state it saw; every answer is made in serializers.py."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import JSONResponse

from ... import __version__
from ...bots import BOTS
from ...rules import BOXES, SWITCHES
from ...words.bots import load_characters
from ..domain import serializers
from ..domain.people import TRANSFER_S, Person, check_name
from ..domain.registry import Command, Hall, Live
from ..domain.tables import Table, opening
from ..errors import Refused, missing
from ..server import COOKIE, COOKIE_S, House
from ..storage.store import Event, Summary
from . import models as m

PREFIX = "/api/v1"
TRANSFER = "/transfer/{code}"
"""The page that a transfer link leads to."""

LISTED = 100
"""Lines in the longest list."""

PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": m.Problem, "description": text}
    for code, text in {
        400: "Not HTTP as it should be.",
        401: "No key, or one that is not known here.",
        403: "Known, but not allowed.",
        404: "Nothing here, or nothing that is open to you.",
        408: "The request came too slowly.",
        409: "Not as the table is now; `state` says how it is where the caller's was stale.",
        413: "Too large.",
        421: "Not a name of this server.",
        422: "Not what can be sent here, or not legal.",
        429: "Too many requests.",
        503: "The disk does not take it; nothing has changed.",
    }.items()
}

router = APIRouter(prefix=PREFIX, responses=PROBLEMS)


async def house_of(request: Request) -> House:
    """The server that the request came to."""
    house: House = request.app.state.house
    return house


async def somebody(request: Request, house: Annotated[House, Depends(house_of)]) -> Person | None:
    """The caller, if they have a key."""
    return await house.person(request.cookies.get(COOKIE))


async def known(person: Annotated[Person | None, Depends(somebody)]) -> Person:
    """The caller, who must have a key."""
    if person is None:
        raise Refused(401, "who-are-you", f"First say who you are: POST {PREFIX}/me.")
    return person


async def seen(
    table_id: str,
    house: Annotated[House, Depends(house_of)],
    person: Annotated[Person | None, Depends(somebody)],
) -> Live:
    """The table, if the caller may see it."""
    live = await open_to(house, table_id, person)
    if person is not None and person.id in live.table.members():
        house.hall.show_up(live, person.id)
    return live


async def open_to(house: House, table: str, person: Person | None) -> Live:
    """The table, if it is open to this person."""
    live = house.hall.live(table)
    await house.hall.settled(live)
    if not live.table.admits(None if person is None else person.id):
        raise missing()
    return live


AHouse = Annotated[House, Depends(house_of)]
Somebody = Annotated[Person | None, Depends(somebody)]
Known = Annotated[Person, Depends(known)]
ALive = Annotated[Live, Depends(seen)]
Eyes = Annotated[str, Query(pattern="^(none|[0-7])$", description="A seat of the caller, or `none`: a spectator.")]


# Persons


@router.post("/me", status_code=201)
async def create_person(given: m.Named, request: Request, response: Response, house: AHouse) -> m.Me:
    """Become a person: the key comes in a cookie."""
    house.admit_person(request.scope)
    person, key = await house.people.create(given.name)
    set_key(response, request, key)
    return m.Me(name=person.name)


@router.get("/me")
async def read_person(person: Known) -> m.Me:
    """Who the caller is."""
    return m.Me(name=person.name)


@router.patch("/me")
async def rename_person(given: m.Named, person: Known, house: AHouse) -> m.Me:
    """Take another name, at the tables to come."""
    return m.Me(name=(await house.people.rename(person, given.name)).name)


@router.delete("/me", status_code=204)
async def leave_device(request: Request, response: Response, person: Known, house: AHouse) -> None:
    """Forget this device: its key is void. A person whose last key is gone cannot come back to their seats."""
    del person
    await house.people.leave(request.cookies[COOKIE])
    response.delete_cookie(COOKIE)


@router.post("/me/transfers", status_code=201)
async def create_transfer(person: Known, house: AHouse) -> m.Transfer:
    """A link that makes another device the caller's: it works once, for ten minutes."""
    code = await house.people.transfer(person)
    return m.Transfer(code=code, path=TRANSFER.format(code=code), seconds=TRANSFER_S)


@router.post("/me/arrivals", status_code=201)
async def accept_transfer(given: m.Code, request: Request, response: Response, house: AHouse) -> m.Me:
    """Become the person whose transfer code this is."""
    arrived = await house.people.arrive(given.code)
    if arrived is None:
        raise missing("transfer")
    set_key(response, request, arrived[1])
    return m.Me(name=arrived[0].name)


@router.get("/me/tables")
async def my_tables(person: Known, house: AHouse) -> m.Tables:
    """The tables where the caller sits or has sat, the last used first."""
    return listed(house.store.tables_of(person.id, LISTED))


# Tables


@router.get("/catalogue")
async def catalogue() -> m.Catalogue:
    """What a table can be opened with."""
    people = load_characters()
    return m.Catalogue(
        version=__version__,
        editions=[m.EditionOut(slug=slug, players=list(box.players)) for slug, box in BOXES.items()],
        switches={key: list(values) for key, values in SWITCHES.items()},
        bots=[m.BotOut(slug=slug, level=people[slug].level, name=people[slug].name("en")) for slug in BOTS],
    )


@router.get("/tables")
async def open_tables(house: AHouse) -> m.Tables:
    """The tables that anybody may join or watch, the last used first."""
    return listed(house.store.open_tables(LISTED))


@router.post("/tables", status_code=201)
async def open_table(given: m.NewTable, person: Known, house: AHouse) -> m.TableOut:
    """Open a table; the caller is its host."""
    if len(given.seats) > given.players:
        raise Refused(422, "bad-seats", f"There are {given.players} seats at this table, not {len(given.seats)}.")
    return shown(house, await opened(house, person, given), person)


@router.get("/tables/{table_id}")
async def read_table(live: ALive, person: Somebody, house: AHouse) -> m.TableOut:
    """The table: who sits where, and how it stands."""
    await house.hall.settled(live)
    return shown(house, live, person)


@router.delete("/tables/{table_id}")
async def close_table(live: ALive, state: Annotated[int, Query()], person: Known, house: AHouse) -> m.StateOut:
    """Give up a table that has not started."""
    return await change(house, live, state, lambda table: table.close(person.id))


@router.put("/tables/{table_id}/seats/{seat}")
async def take_seat(live: ALive, seat: int, given: m.Sitting, person: Known, house: AHouse) -> m.StateOut:
    """Sit down, or seat a bot; several seats may be the same person's."""
    return await change(house, live, given.state, lambda table: seating(table, person, seat, given))


@router.delete("/tables/{table_id}/seats/{seat}")
async def free_seat(live: ALive, seat: int, state: Annotated[int, Query()], person: Known, house: AHouse) -> m.StateOut:
    """Leave a seat, or send a bot away, while the table waits."""
    return await change(house, live, state, lambda table: table.leave(person.id, seat))


@router.post("/tables/{table_id}/start")
async def start(live: ALive, given: m.Change, person: Known, house: AHouse) -> m.StateOut:
    """Start the match."""
    return await change(house, live, given.state, lambda table: table.start(person.id))


@router.get("/tables/{table_id}/view")
async def view(live: ALive, person: Somebody, house: AHouse, seat: Eyes = "none") -> m.ViewOut:
    """All that a seat may know, with its log since the match began."""
    eyes = eyes_of(live.table, person, seat)
    await house.hall.settled(live)
    return m.ViewOut(state=live.table.state, view=serializers.whole_view(live.table, eyes))


@router.get("/tables/{table_id}/legal")
async def legal(live: ALive, person: Known, house: AHouse, seat: Annotated[int, Query(ge=0, le=7)]) -> m.LegalOut:
    """The legal moves of a seat of the caller."""
    eyes = eyes_of(live.table, person, str(seat))
    await house.hall.settled(live)
    moves = live.table.playing().view(eyes).legal
    return m.LegalOut(state=live.table.state, seat=seat, legal=list(moves))


@router.get("/tables/{table_id}/events")
async def events(
    live: ALive, person: Somebody, house: AHouse, since: Annotated[int, Query(ge=0)] = 0, seat: Eyes = "none"
) -> m.EventsOut:
    """What has happened since a state, as a seat sees it; the socket tells the same as it happens."""
    eyes = eyes_of(live.table, person, seat)
    await house.hall.settled(live)
    told = [serializers.event_data(live.table, number, eyes) for number in range(since, live.table.state)]
    return m.EventsOut(state=live.table.state, events=told)


@router.post("/tables/{table_id}/moves")
async def move(live: ALive, given: m.Playing, person: Known, house: AHouse) -> m.StateOut:
    """Play a move."""
    return await change(house, live, given.state, lambda table: table.move(person.id, given.seat, given.move))


@router.post("/tables/{table_id}/deal")
async def deal(live: ALive, given: m.Change, person: Known, house: AHouse) -> m.StateOut:
    """Deal the next round now, before the rest between rounds is over."""
    return await change(house, live, given.state, lambda table: table.deal(person.id))


@router.put("/tables/{table_id}/seats/{seat}/word")
async def word(live: ALive, seat: int, given: m.Word, person: Known, house: AHouse) -> m.StateOut:
    """Give a word to the shuffle of the rounds to come (docs/shuffle.md)."""
    return await change(house, live, given.state, lambda table: table.give_word(person.id, seat, given.word))


@router.post("/tables/{table_id}/seats/{seat}/hand-over")
async def hand_over(live: ALive, seat: int, given: m.HandOver, person: Known, house: AHouse) -> m.StateOut:
    """Let a bot play on for a seat: one's own, or that of a player who has been away for long."""
    away = house.hall.away(live)
    return await change(house, live, given.state, lambda table: table.hand_over(person.id, seat, given.bot, away))


@router.post("/tables/{table_id}/seats/{seat}/return")
async def come_back(live: ALive, seat: int, given: m.Change, person: Known, house: AHouse) -> m.StateOut:
    """Take a seat back from a bot."""
    return await change(house, live, given.state, lambda table: table.come_back(person.id, seat))


@router.post("/tables/{table_id}/rematch", status_code=201)
async def rematch(live: ALive, given: m.Change, person: Known, house: AHouse) -> m.TableOut:
    """Open the next table for the same players; it waits for its start."""
    house.admit_table(person)
    return shown(house, await house.hall.rematch(live, given.state, person.id), person)


@router.get("/tables/{table_id}/record")
async def record(live: ALive, house: AHouse) -> dict[str, Any]:
    """The record of a finished match, with the secret of its shuffle (docs/contract.md, docs/shuffle.md)."""
    await house.hall.settled(live)
    return serializers.record(live.table)


@router.get("/tables/{table_id}/replay")
async def replay(live: ALive, house: AHouse, seat: Eyes = "none") -> m.ReplayOut:
    """A finished match step by step, through the eyes of any seat."""
    await house.hall.settled(live)
    eyes = number_of(live.table, seat)
    steps = [m.StepOut(**step) for step in serializers.steps(live.table, eyes)]
    return m.ReplayOut(seat=eyes, steps=steps)


# Within


def set_key(response: Response, request: Request, key: str) -> None:
    """Give the browser its key: scripts cannot read it, other sites cannot send it."""
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, key, max_age=COOKIE_S, path="/", secure=secure, httponly=True, samesite="lax")


def listed(tables: list[Summary]) -> m.Tables:
    """A list of tables as JSON."""
    lines = [
        m.Listed(id=table.id, edition=table.edition, open=table.open, status=table.status, updated=table.updated)
        for table in tables
    ]
    return m.Tables(tables=lines)


def shown(house: House, live: Live, person: Person | None) -> m.TableOut:
    """The table as JSON."""
    yours = live.table.seats_of(None if person is None else person.id)
    return m.TableOut(**serializers.table_data(live.table, house.hall.away(live)), yours=yours)


def number_of(table: Table, seat: str) -> int | None:
    """The seat, if there is one of this number; None for a spectator."""
    number = None if seat == "none" else int(seat)
    if number is not None and number >= len(table.seats):
        raise missing("seat")
    return number


def eyes_of(table: Table, person: Person | None, seat: str) -> int | None:
    """The seat through whose eyes the caller wants to see, if it is theirs."""
    number = number_of(table, seat)
    if number is not None and number not in table.seats_of(None if person is None else person.id):
        raise Refused(403, "not-your-seat", f"Seat {number} is not yours: look as a spectator (seat=none).")
    return number


async def change(house: House, live: Live, state: int, command: Command) -> m.StateOut:
    """Change the table as it was in this state."""
    hall: Hall = house.hall
    return m.StateOut(state=await hall.act(live, state, command))


def seating(table: Table, person: Person, seat: int, wish: m.Wish) -> list[Event]:
    """The caller sits down, or a bot does."""
    if wish.bot is None:
        return table.sit(person.id, seat, person.name if wish.name is None else check_name(wish.name))
    character = load_characters().get(wish.bot)
    name = character.name("en") if wish.name is None and character else check_name(wish.name or wish.bot)
    return table.seat_bot(person.id, seat, wish.bot, name)


async def opened(house: House, person: Person, given: m.NewTable) -> Live:
    """A new table as it was asked for; the person is its host."""
    house.admit_table(person)
    event = opening(
        person.id,
        given.edition,
        given.players,
        given.options,
        open_=given.open,
        pace_ms=given.pace_ms,
        rest_s=given.rest_s,
    )
    return await house.hall.open(event, lambda table: settle(table, person, given))


def settle(table: Table, person: Person, given: m.NewTable) -> list[Event]:
    """Fill the seats of a new table as asked, and start it if asked."""
    told: list[Event] = []

    def happen(events: list[Event]) -> None:
        for event in events:
            table.apply(event)
        told.extend(events)

    for number, wish in enumerate(given.seats):
        if wish is not None:
            happen(seating(table, person, number, wish))
    if given.start:
        happen(table.start(person.id))
    return told


def problem(refusal: Refused) -> JSONResponse:
    """A refusal as an answer."""
    return JSONResponse(refusal.data(), refusal.status, refusal.headers())
