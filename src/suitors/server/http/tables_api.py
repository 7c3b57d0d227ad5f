"""The part of the API that is about tables: open and read them, and give commands. Every change names the state it saw.

Every answer is made from what domain/serializers.py says of a table.
"""

from typing import Annotated, Any

import orjson
from fastapi import Query, Response

from ... import __version__
from ...bots import BOTS
from ...rules import BOXES, SWITCHES
from ...words.bots import load_characters
from ..common.addresses import LONGEST_LIST
from ..domain import serializers
from ..domain.analyses import Subject, analysis_data
from ..domain.commands import COMMANDS, Caller
from ..domain.given import Change, HandOver, Sitting, Word
from ..domain.loaded import LoadedTable
from ..domain.opening import NewTable
from ..domain.people import Person
from ..errors import Refused
from ..server import Server
from . import models as m
from .api import api_router
from .dependencies import AnyCaller, KnownCaller, SeatText, StateQuery, TheClient, TheServer, TheTable

router = api_router()

EVENTS_PAGE = 200
"""Events in the longest answer."""


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
async def open_tables(server: TheServer) -> m.Tables:
    """The tables that anybody may join or watch, the last used first."""
    return m.table_list(await server.store.tables.list_open(LONGEST_LIST))


@router.post("/tables", status_code=201)
async def open_table(given: NewTable, client: TheClient, person: KnownCaller, server: TheServer) -> m.TableOut:
    """Open a table; the caller is its host."""
    if len(given.seats) > given.players:
        raise Refused(422, "bad-seats", f"There are {given.players} seats at this table, not {len(given.seats)}.")
    return await table_out(await server.open_table(client, person, given), person)


@router.get("/tables/{table_id}")
async def read_table(loaded: TheTable, person: AnyCaller) -> m.TableOut:
    """The table: who sits where, and how it stands."""
    return await table_out(loaded, person)


# Commands


@router.delete("/tables/{table_id}")
async def close_table(loaded: TheTable, state: StateQuery, person: KnownCaller, server: TheServer) -> m.StateOut:
    """Give up a table that has not started."""
    return await change(server, loaded, "close", state, Caller(person))


@router.put("/tables/{table_id}/seats/{seat}")
async def take_seat(loaded: TheTable, seat: int, given: Sitting, person: KnownCaller, server: TheServer) -> m.StateOut:
    """Sit down, or seat a bot; several seats may be the same person's."""
    return await change(server, loaded, "sit", given.state, Caller(person, seat), name=given.name, bot=given.bot)


@router.delete("/tables/{table_id}/seats/{seat}")
async def free_seat(
    loaded: TheTable, seat: int, state: StateQuery, person: KnownCaller, server: TheServer
) -> m.StateOut:
    """Leave a seat, or send a bot away, while the table waits."""
    return await change(server, loaded, "leave", state, Caller(person, seat))


@router.post("/tables/{table_id}/start")
async def start(loaded: TheTable, given: Change, person: KnownCaller, server: TheServer) -> m.StateOut:
    """Start the match."""
    return await change(server, loaded, "start", given.state, Caller(person))


@router.post("/tables/{table_id}/moves")
async def move(loaded: TheTable, given: m.Playing, person: KnownCaller, server: TheServer) -> m.StateOut:
    """Play a move."""
    return await change(server, loaded, "move", given.state, Caller(person, given.seat), move=given.move)


@router.post("/tables/{table_id}/deal")
async def deal(loaded: TheTable, given: Change, person: KnownCaller, server: TheServer) -> m.StateOut:
    """Ask for the next round: it is dealt when all players who are there have asked, or the rest is over."""
    return await change(server, loaded, "deal", given.state, Caller(person, is_away=loaded.is_away))


@router.put("/tables/{table_id}/seats/{seat}/word")
async def word(loaded: TheTable, seat: int, given: Word, person: KnownCaller, server: TheServer) -> m.StateOut:
    """Give a word to the shuffle of the rounds to come (docs/shuffle.md)."""
    return await change(server, loaded, "word", given.state, Caller(person, seat), word=given.word)


@router.post("/tables/{table_id}/seats/{seat}/hand-over")
async def hand_over(loaded: TheTable, seat: int, given: HandOver, person: KnownCaller, server: TheServer) -> m.StateOut:
    """Let a bot play on for a seat: one's own, or that of a player who has been away for long."""
    caller = Caller(person, seat, loaded.is_away)
    return await change(server, loaded, "hand-over", given.state, caller, bot=given.bot)


@router.post("/tables/{table_id}/seats/{seat}/return")
async def come_back(loaded: TheTable, seat: int, given: Change, person: KnownCaller, server: TheServer) -> m.StateOut:
    """Take a seat back from a bot."""
    return await change(server, loaded, "return", given.state, Caller(person, seat))


@router.post("/tables/{table_id}/seats/{seat}/take-back")
async def take_back(loaded: TheTable, seat: int, given: Change, person: KnownCaller, server: TheServer) -> m.StateOut:
    """Take back the last decision of a seat, where everybody else at the table is a bot."""
    return await change(server, loaded, "take-back", given.state, Caller(person, seat))


@router.post("/tables/{table_id}/seats/{seat}/hint")
async def hint(
    loaded: TheTable, seat: int, given: Change, client: TheClient, person: KnownCaller, server: TheServer
) -> m.HintAnswer:
    """The best move for a seat that has to decide, where the host allows hints; the record will tell of it."""
    changed = await change(server, loaded, "hint", given.state, Caller(person, seat))
    await loaded.settled()
    found = await server.analyses.hint_data(client, loaded.table, seat)
    return m.HintAnswer(state=changed.state, hint=None if found is None else m.HintOut(**found))


@router.post("/tables/{table_id}/rematch", status_code=201)
async def rematch(
    loaded: TheTable, given: Change, client: TheClient, person: KnownCaller, server: TheServer
) -> m.TableOut:
    """Open the next table for the same players; it waits for its start."""
    return await table_out(await server.open_rematch(client, loaded, given.state, person), person)


async def change(
    server: Server, loaded: LoadedTable, command: str, state: int, caller: Caller, **given: str | None
) -> m.StateOut:
    """Give a command to the table that the caller saw in this state."""
    decision = COMMANDS[command].decision(caller, state, **given)
    return m.StateOut(state=await server.tables.change(loaded, decision))


# What can be seen


@router.get("/tables/{table_id}/view")
async def view(loaded: TheTable, person: AnyCaller, seat: SeatText = "none") -> m.ViewOut:
    """All that a seat may know, with its log since the match began."""
    number = own_seat(loaded, person, seat)
    await loaded.settled()
    return m.ViewOut(state=loaded.table.state, view=serializers.whole_view(loaded.table, number))


@router.get("/tables/{table_id}/legal")
async def legal(loaded: TheTable, person: KnownCaller, seat: Annotated[int, Query(ge=0, le=7)]) -> m.LegalOut:
    """The legal moves of a seat of the caller."""
    number = own_seat(loaded, person, str(seat))
    await loaded.settled()
    moves = loaded.table.started_match.view(number).legal
    return m.LegalOut(state=loaded.table.state, seat=seat, legal=list(moves))


@router.get("/tables/{table_id}/events")
async def events(
    loaded: TheTable,
    person: AnyCaller,
    since: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=EVENTS_PAGE)] = EVENTS_PAGE,
    seat: SeatText = "none",
) -> m.EventsOut:
    """What has happened since a state, as a seat sees it; the socket tells the same as it happens."""
    number = own_seat(loaded, person, seat)
    await loaded.settled()
    table = loaded.table
    end = min(since + limit, table.state)
    found = [serializers.event_data(table, index, number) for index in range(since, end)]
    return m.EventsOut(state=end, events=found, more=end < table.state)


@router.get("/tables/{table_id}/record")
async def record(table_id: str, person: AnyCaller, server: TheServer) -> dict[str, Any]:
    """The record of a finished match, with the secret of its shuffle (docs/contract.md, docs/shuffle.md).

    Of a damaged table those who sit there get it as far as it can be read.
    """
    return await server.read_record(table_id, person)


@router.get("/tables/{table_id}/replay", response_model=m.ReplayOut)
async def replay(loaded: TheTable, server: TheServer, client: TheClient, seat: SeatText = "none") -> Response:
    """A finished match step by step, through the eyes of any seat."""
    await loaded.settled()
    number = loaded.table.read_seat(seat)

    def make_answer() -> bytes:
        return orjson.dumps({"seat": number, "steps": serializers.replay_steps(loaded.table, number)})

    return Response(await server.in_thread(client, make_answer), media_type="application/json")


@router.get("/tables/{table_id}/analysis", response_model=m.AnalysisOut)
async def analysis(loaded: TheTable, server: TheServer, client: TheClient) -> Response:
    """What each decision of a finished match was worth, as far as that is worked out; asking begins it."""
    await loaded.settled()
    subject = Subject.of_table(loaded.table)
    found = await server.analyses.follow(client, subject)

    def make_answer() -> bytes:
        return orjson.dumps(analysis_data(subject.match, found))

    return Response(await server.in_thread(client, make_answer), media_type="application/json")


async def table_out(loaded: LoadedTable, person: Person | None) -> m.TableOut:
    """The table as JSON, with the seats of the caller, as it is on disk."""
    await loaded.settled()
    yours = loaded.table.seats_of(None if person is None else person.id)
    return m.TableOut(**serializers.table_data(loaded.table, loaded.is_away), yours=yours)


def own_seat(loaded: LoadedTable, person: Person | None, seat: str) -> int | None:
    """The seat through whose eyes the caller wants to see, if it is theirs."""
    return loaded.table.read_own_seat(seat, None if person is None else person.id)
