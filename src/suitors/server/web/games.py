"""The pages of games that are over: replays of tables and of records, shared by link or dropped on the page."""

import secrets
import sqlite3
import time

import orjson
from fastapi import APIRouter, Response

from ...errors import SuitorsError
from ...game import Play
from ...records.record import load
from ..domain import serializers
from ..domain.tables import OVER
from ..errors import Refused, conflict, missing
from .replays import Turn, can_chart, leaf_context
from .requests import AVisit, Visit
from .tables import seen

router = APIRouter(include_in_schema=False)


@router.get("/replay")
async def drop_page(visit: AVisit) -> Response:
    """Where a record can be dropped."""
    return visit.page("drop.html")


@router.get("/tables/{table_id}/replay")
async def replay_table(table_id: str, visit: AVisit, step: int = 0, eyes: str = "", line: int = 0) -> Response:
    """A finished match of a table, step by step; at first through the visitor's own eyes."""
    live = await seen(visit, table_id)
    if live.table.status != OVER:
        raise conflict("not-over", "A match can be replayed when it is over.")
    mine = live.table.seats_of(visit.who)
    eyes = eyes or (str(mine[0]) if mine else "all")
    wish = Turn(f"/tables/{table_id}/replay", step, eyes, mine=bool(mine))
    return await leaf(visit, live.table.playing(), table_id, wish, line)


@router.get("/tables/{table_id}/review")
async def review(table_id: str, visit: AVisit) -> Response:
    """The replay with the chance of winning as a line."""
    return visit.go(f"/tables/{table_id}/replay?line=1")


@router.post("/tables/{table_id}/share")
async def share(table_id: str, visit: AVisit) -> Response:
    """Keep the record of a finished match where everybody with the link may see it."""
    live = await seen(visit, table_id)
    person = visit.known()
    if not live.table.seats_of(person.id):
        raise Refused(403, "forbidden", "Only those who sit at the table may do that.")
    return visit.go(f"/games/{await keep(visit, orjson.dumps(serializers.record(live.table)).decode())}")


@router.post("/games")
async def drop(visit: AVisit) -> Response:
    """Take in a record that somebody has."""
    text = visit.said.get("text", "").strip() or visit.file
    match = read(text)
    if not match.rounds:
        raise Refused(422, "bad-record", "It has no round.")
    if any("\ud800" <= letter <= "\udfff" for name in match.players for letter in name):
        raise Refused(422, "bad-record", "A name in it cannot be written.")
    await visit.somebody()
    return visit.go(f"/games/{await keep(visit, text)}")


@router.get("/games/{game_id}")
async def replay_game(game_id: str, visit: AVisit, step: int = 0, eyes: str = "all", line: int = 0) -> Response:
    """A record that was shared or dropped, step by step."""
    match = read(kept(visit, game_id))
    return await leaf(visit, match, game_id, Turn(f"/games/{game_id}", step, eyes, shared=True), line)


@router.get("/games/{game_id}/record")
async def game_record(game_id: str, visit: AVisit) -> Response:
    """A kept record as a file."""
    headers = {"content-disposition": f'attachment; filename="suitors-{game_id[:8]}.json"'}
    return Response(kept(visit, game_id), media_type="application/json", headers=headers)


async def leaf(visit: Visit, match: Play, key: str, wish: Turn, line: int) -> Response:
    """The page of one step; with `line` the chance of winning is worked out first."""
    analyses = visit.house.analyses
    found = await analyses.of(key, match) if line and can_chart(match) else analyses.find(key)
    return visit.page("replay.html", **leaf_context(match, key, wish, visit.preferences, found))


def read(text: str) -> Play:
    """The match of a record."""
    try:
        return load(text)
    except SuitorsError as error:
        raise Refused(422, "bad-record", str(error)) from None


async def keep(visit: Visit, text: str) -> str:
    """Keep a record; its address is known to those only who are told."""
    person, limits, now = visit.known(), visit.house.limits, int(time.time())
    game = secrets.token_urlsafe(16)

    def job(db: sqlite3.Connection) -> bool:
        count = db.execute("SELECT count(*) FROM records WHERE person = ?", (person.id,)).fetchone()[0]
        if count >= limits.records:
            return False
        db.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (game, person.id, now, text))
        return True

    if not await visit.house.store.write(job):
        raise Refused(429, "too-many-records", f"At most {limits.records} records are kept for one person.")
    return game


def kept(visit: Visit, game: str) -> str:
    """The text of a record that was kept."""
    found = visit.house.store.read("SELECT record FROM records WHERE id = ?", (game,))
    if not found:
        raise missing("game")
    return str(found[0][0])
