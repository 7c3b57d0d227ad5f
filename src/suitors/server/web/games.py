"""The pages of games that are over: replays and analyses of tables and of records, shared by link or uploaded."""

from dataclasses import dataclass

import orjson
from fastapi import APIRouter, Response

from ...errors import SuitorsError
from ...game import Play
from ...pages.analysis import AnalysisPage, AnalysisRequest
from ...records.record import load
from ...records.strict_json import parse
from ..common.table_page import read_seat
from ..domain import serializers
from ..domain.analyses import Subject
from ..domain.names import check_title
from ..domain.replay import at_step, count_steps
from ..domain.table import OVER
from ..errors import Refused, conflict, missing
from .replays import ReplayRequest, replay_context
from .requests import PageRequest, ThePageRequest
from .tables import find_table

router = APIRouter(include_in_schema=False)

LONGEST_NAME = 100
"""Letters in the longest name of a record: a page of it shows each name dozens of times."""

Hinted = frozenset[tuple[int, int]]
"""The decisions with a hint: round and index of the move."""


@dataclass(frozen=True)
class Game:
    """The match of a record, and where somebody asked for a hint."""

    match: Play
    hinted: Hinted


@router.get("/replay")
async def upload_page(request: ThePageRequest) -> Response:
    """Where a record can be uploaded."""
    return request.page("drop.html")


@router.get("/tables/{table_id}/replay")
async def replay_table(table_id: str, request: ThePageRequest, step: int = 0, eyes: str = "") -> Response:
    """A finished match of a table, step by step; at first through the visitor's own eyes."""
    loaded = await find_table(request, table_id)
    if loaded.table.status != OVER:
        raise conflict("not-over", "A match can be replayed when it is over.")
    mine = loaded.table.seats_of(request.person_id)
    eyes = eyes or (str(mine[0]) if mine else "all")
    hinted = frozenset(loaded.table.hinted)
    asked = ReplayRequest(f"/tables/{table_id}/replay", step, eyes, mine=bool(mine), hinted=hinted)
    return await replay_page(request, loaded.table.started_match, table_id, asked)


@router.get("/tables/{table_id}/analysis")
async def analyse_table(
    table_id: str, request: ThePageRequest, step: int = 0, seat: str = "", play: str = "", again: str = ""
) -> Response:
    """What each decision of a finished match was worth; those of all seats, for everybody who may see the table."""
    table = (await find_table(request, table_id)).table
    subject = Subject.of_table(table)
    mine = next(iter(table.seats_of(request.person_id)), None)
    chosen, hinted = read_seat(seat), frozenset(table.hinted)
    asked = AnalysisRequest(f"/tables/{table_id}", step, chosen, bool(play), mine, hinted=hinted)
    return await analysis_page(request, subject, asked, again=bool(again))


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
async def replay_game(game_id: str, request: ThePageRequest, step: int = 0, eyes: str = "all") -> Response:
    """A record that was shared or uploaded, step by step."""
    game = await find_game(request, game_id)
    asked = ReplayRequest(f"/games/{game_id}", step, eyes, shared=True, hinted=game.hinted)
    return await replay_page(request, game.match, game_id, asked)


@router.get("/games/{game_id}/analysis")
async def analyse_game(
    game_id: str, request: ThePageRequest, step: int = 0, seat: str = "", play: str = "", again: str = ""
) -> Response:
    """What each decision of a record was worth, which may stop anywhere."""
    game = await find_game(request, game_id)
    asked = AnalysisRequest(f"/games/{game_id}", step, read_seat(seat), bool(play), shared=True, hinted=game.hinted)
    return await analysis_page(request, Subject(game.match), asked, again=bool(again))


@router.get("/games/{game_id}/record")
async def game_record(game_id: str, request: ThePageRequest) -> Response:
    """A kept record as a file."""
    headers = {"content-disposition": f'attachment; filename="suitors-{game_id[:8]}.json"'}
    return Response(await find_record(request, game_id), media_type="application/json", headers=headers)


async def replay_page(request: PageRequest, match: Play, key: str, asked: ReplayRequest) -> Response:
    """The page of one step."""

    def make_page() -> Response:
        return request.page("replay.html", **replay_context(match, key, asked, request.preferences))

    return await request.server.in_thread(request.client, make_page)


async def analysis_page(request: PageRequest, subject: Subject, asked: AnalysisRequest, *, again: bool) -> Response:
    """The page of one step of an analysis, as far as that has come; it is begun where nobody has."""
    match, found = subject.match, await request.server.analyses.follow(request.client, subject, again=again)

    def make_page() -> Response:
        position = at_step(match, min(max(asked.step, 0), count_steps(match) - 1))
        page = AnalysisPage(match, position, asked, found.state, found.judged, request.preferences)
        return request.page("analysis.html", **page.context())

    return await request.server.in_thread(request.client, make_page)


async def find_game(request: PageRequest, game: str) -> Game:
    """The match of a record that was kept; those used last are in memory."""
    kept, text = request.server.matches, await find_record(request, game)
    found: Game | None = kept.find(game)
    if found is None:
        found = await request.server.in_thread(request.client, read_game, text)
        kept.keep(game, found, len(text))
    return found


def read_game(text: str) -> Game:
    """The match of a record, with its hints."""
    match, hinted = read_record(text), set[tuple[int, int]]()
    for number, dealt in enumerate(parse(text.encode())["rounds"]):
        plies = dealt.get("hints")
        hinted |= {(number, ply) for ply in plies if type(ply) is int} if isinstance(plies, list) else set()
    return Game(match, frozenset(hinted))


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
