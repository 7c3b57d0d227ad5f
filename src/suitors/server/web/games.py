"""The pages of games that are over: replays of tables and of records, shared by link or uploaded."""

from dataclasses import replace

import orjson
from fastapi import APIRouter, Response

from ...errors import SuitorsError
from ...game import Play
from ...records.record import load
from ..domain import serializers
from ..domain.analyses import can_analyse
from ..domain.names import check_title
from ..domain.table import OVER
from ..errors import Refused, conflict, missing
from .replays import ReplayRequest, replay_context
from .requests import PageRequest, ThePageRequest
from .tables import find_table

router = APIRouter(include_in_schema=False)

LONGEST_NAME = 100
"""Letters in the longest name of a record: a page of it shows each name dozens of times."""

AWAITED = 2
"""The value of `line` for a page that is shown at once and then asks for the line, which may take a while."""


@router.get("/replay")
async def upload_page(request: ThePageRequest) -> Response:
    """Where a record can be uploaded."""
    return request.page("drop.html")


@router.get("/tables/{table_id}/replay")
async def replay_table(
    table_id: str, request: ThePageRequest, step: int = 0, eyes: str = "", line: int = 0
) -> Response:
    """A finished match of a table, step by step; at first through the visitor's own eyes."""
    loaded = await find_table(request, table_id)
    if loaded.table.status != OVER:
        raise conflict("not-over", "A match can be replayed when it is over.")
    mine = loaded.table.seats_of(request.person_id)
    eyes = eyes or (str(mine[0]) if mine else "all")
    asked = ReplayRequest(f"/tables/{table_id}/replay", step, eyes, mine=bool(mine))
    return await replay_page(request, loaded.table.started_match, table_id, asked, line)


@router.get("/tables/{table_id}/review")
async def review(table_id: str, request: ThePageRequest) -> Response:
    """The replay, to which its page adds the chance of winning as a line."""
    return request.redirect(f"/tables/{table_id}/replay?line={AWAITED}")


@router.post("/tables/{table_id}/share")
async def share(table_id: str, request: ThePageRequest) -> Response:
    """Keep the record of a finished match where everybody with the link may see it."""
    loaded = await find_table(request, table_id)
    person = request.known_person()
    if not loaded.table.seats_of(person.id):
        raise Refused(403, "forbidden", "Only those who sit at the table may do that.")
    text = orjson.dumps(serializers.record(loaded.table)).decode()
    return request.redirect(f"/games/{await save_record(request, text)}")


@router.post("/games")
async def upload(request: ThePageRequest) -> Response:
    """Take in a record that somebody has."""
    text = request.form.get("text", "").strip() or request.file
    match = await request.server.in_thread(request.client, read_record, text)
    if not match.rounds:
        raise Refused(422, "bad-record", "It has no round.")
    check_title(match.edition)
    if any(len(name) > LONGEST_NAME or not name.isprintable() for name in match.players):
        sentence = f"A name in it has more than {LONGEST_NAME} letters, or some that cannot be shown."
        raise Refused(422, "bad-record", sentence)
    await request.ensure_person()
    return request.redirect(f"/games/{await save_record(request, text)}")


@router.get("/games/{game_id}")
async def replay_game(
    game_id: str, request: ThePageRequest, step: int = 0, eyes: str = "all", line: int = 0
) -> Response:
    """A record that was shared or uploaded, step by step."""
    match = await find_match(request, game_id)
    return await replay_page(request, match, game_id, ReplayRequest(f"/games/{game_id}", step, eyes, shared=True), line)


@router.get("/games/{game_id}/record")
async def game_record(game_id: str, request: ThePageRequest) -> Response:
    """A kept record as a file."""
    headers = {"content-disposition": f'attachment; filename="suitors-{game_id[:8]}.json"'}
    return Response(await find_record(request, game_id), media_type="application/json", headers=headers)


async def replay_page(request: PageRequest, match: Play, key: str, asked: ReplayRequest, line: int) -> Response:
    """The page of one step; with `line` the chance of winning is worked out first, or asked for by the page."""
    analyses, asked = request.server.analyses, replace(asked, awaited=line == AWAITED)
    wanted = line and not asked.awaited and can_analyse(match)
    found = await analyses.make(request.client, key, match) if wanted else analyses.find(key)

    def make_page() -> Response:
        return request.page("replay.html", **replay_context(match, key, asked, request.preferences, found))

    return await request.server.in_thread(request.client, make_page)


async def find_match(request: PageRequest, game: str) -> Play:
    """The match of a record that was kept; those used last are in memory."""
    kept, text = request.server.matches, await find_record(request, game)
    match: Play | None = kept.find(game)
    if match is None:
        match = await request.server.in_thread(request.client, read_record, text)
        kept.keep(game, match, len(text))
    return match


def read_record(text: str) -> Play:
    """The match of a record."""
    try:
        return load(text)
    except SuitorsError as error:
        raise Refused(422, "bad-record", str(error)) from None


async def save_record(request: PageRequest, text: str) -> str:
    """Keep a record of the visitor; returns its id."""
    return await request.server.save_record(request.client, request.known_person(), text)


async def find_record(request: PageRequest, game: str) -> str:
    """The text of a record that was kept."""
    text = await request.server.store.records.find(game)
    if text is None:
        raise missing("game")
    return text
