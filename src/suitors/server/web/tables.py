"""The pages of tables: open one, sit down, play, take a rematch.

A form whose sense hangs on what was seen names that state (a move, somebody else's seat, the start); others do not.
"""

from collections.abc import Callable
from urllib.parse import urlencode

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from ...pages import Preferences
from ...rules import BOXES, SWITCHES, Option
from ...words.bots import load_characters
from ..domain import serializers
from ..domain.people import check_name
from ..domain.registry import Live
from ..domain.tables import Table
from ..errors import Refused, missing
from ..http import api
from ..http import models as m
from ..sockets.page_socket import LONGEST, hints_for, link_to, seat_in
from ..storage.store import Event
from .requests import AVisit, Visit
from .table_page import STAND_IN, Asked, look

router = APIRouter(include_in_schema=False)

MIXED = "mixed"
"""Bots of every level at one table."""

PACE_MS = 900
REST_ALONE_S, REST_TOGETHER_S = 3600, 60
"""The rest between two rounds, for one person who asks for the next round when ready, and for several."""

NUMERALS = ("", " II", " III", " IV", " V", " VI", " VII", " VIII")


@router.post("/tables")
async def open_table(visit: AVisit) -> Response:
    """Open a table as a form of the first page asks, and sit down at it."""
    said, way = visit.said, visit.said.get("way", "bots")
    visit.preferences = visit.preferences.choose(said)
    wish = new_table(visit, way)  # what cannot be opened makes nobody a person, and renames nobody
    live = await api.opened(visit.house, await visit.somebody(visit.name()), wish)
    return visit.remember(visit.go(f"/tables/{live.table.id}"))


def new_table(visit: Visit, way: str) -> m.NewTable:
    """The table that the form describes: against bots, with friends, on one device, or alone."""
    preferences, said = visit.preferences, visit.said
    edition = said.get("solo", "solitaire") if way == "solo" else preferences.edition
    if edition not in BOXES or BOXES[edition].solo != (way == "solo"):
        raise Refused(422, "unknown-edition", f"There is no edition {edition!r:.40} for that.")
    names = [check_name(name) for name in said.get("names", "").split(",") if name.strip()]
    players = 1 if way == "solo" else len(names) if way == "pass" and names else int(preferences.players)
    if players not in BOXES[edition].players:
        raise Refused(422, "bad-players", f"{edition} is not for {players} players.")
    return m.NewTable(
        edition=edition,
        players=players,
        options=switches(edition, said),
        open=said.get("open") == "on",
        pace_ms=PACE_MS,
        rest_s=REST_TOGETHER_S if way == "friends" else REST_ALONE_S,
        seats=seats(visit, way, players, names),
        start=way != "friends",
    )


def seats(visit: Visit, way: str, players: int, names: list[str]) -> list[m.Wish | None]:
    """Who sits where at a new table: the host first, and bots, friends at the same device or nobody yet."""
    me = m.Wish(name=visit.name() or None)  # without one the person's own
    if way == "pass":
        known = names or [visit.preferences.say("Player {number}").format(number=k + 1) for k in range(players)]
        return [m.Wish(name=name) for name in known[:players]]
    if way == "friends":
        return [me]
    chosen = bots(visit.said.get("bot", visit.preferences.bot), players - 1)
    called = distinct([bot_name(bot, visit.preferences) for bot in chosen])
    return [me, *(m.Wish(bot=bot, name=name) for bot, name in zip(chosen, called, strict=True))]


def bots(bot: str, count: int) -> list[str]:
    """So many bots of a kind; a mixed company has one of each level, those first who need no time."""
    company = ("counting", "novice", "random", "search", "expert")
    return [company[k % len(company)] if bot == MIXED else bot for k in range(count)]


def bot_name(bot: str, preferences: Preferences) -> str:
    """What a bot is called at a table, in the reader's language: the name without the office."""
    people = load_characters()
    if bot not in people:
        raise Refused(422, "unknown-bot", f"There is no bot {bot!r:.40}; there are {', '.join(people)}.")
    return people[bot].name(preferences.lang).replace(",", " ").split()[0]


def distinct(names: list[str], taken: tuple[str, ...] = ()) -> list[str]:
    """The names with a number behind those that are there already, as kings have it."""
    found: list[str] = []
    for name in names:
        found.append(next(name + end for end in NUMERALS if name + end not in (*found, *taken)))
    return found


def switches(edition: str, said: dict[str, str]) -> dict[str, Option]:
    """The switches of a form, as far as they make a difference in the edition."""
    chosen: dict[str, Option] = {}
    for key in BOXES[edition].switches:
        text = said.get(f"switch-{key}")
        chosen.update((key, value) for value in SWITCHES[key] if str(value).lower() == text)
    return chosen


# A table


@router.get("/tables/{table_id}")
async def table_page(table_id: str, visit: AVisit, seat: str = "", chosen: str = "", hint: str = "") -> Response:
    """The page of a table."""
    live = await seen(visit, table_id)
    number = seat_in(seat)
    hints = await hints_for(visit.house, live, visit.who) if hint else None
    wish = Asked(number, chosen[:LONGEST], link=link_to(visit.request, table_id), hints=hints)
    looked = look(visit.house, live, visit.who, visit.preferences, wish)
    title = looked.context["table"].title
    known = {"lang": visit.preferences.lang, "seat": number, "chosen": wish.chosen or None}
    query = "?" + urlencode({key: value for key, value in known.items() if value is not None})
    return visit.page("table.html", part=looked.template, title=title, query=query, **looked.context)


async def seen(visit: Visit, table_id: str) -> Live:
    """The table, if the visitor may see it."""
    return await api.seen(table_id, visit.house, visit.person)


Act = Callable[[Table, Visit, Live], list[Event]]


def _sit(table: Table, visit: Visit, live: Live) -> list[Event]:
    del live
    person = visit.known()
    return table.sit(person.id, visit.number("seat"), visit.name() or person.name)


def _fill(table: Table, visit: Visit, live: Live) -> list[Event]:
    """Put a bot into one seat, or (`all`) into every empty one, and perhaps start."""
    del live
    person, told = visit.known(), list[Event]()
    empty = [k for k, seat in enumerate(table.seats) if not seat.taken]
    wanted = empty if visit.said.get("seat") == "all" else [visit.number("seat")]
    chosen = bots(visit.said.get("bot", STAND_IN), len(wanted))
    taken = tuple(seat.name for seat in table.seats)
    called = distinct([bot_name(bot, visit.preferences) for bot in chosen], taken)
    for number, bot, name in zip(wanted, chosen, called, strict=True):
        told += table.seat_bot(person.id, number, bot, name)
    return told


ACTS: dict[str, Act] = {
    "sit": _sit,
    "bot": _fill,
    "leave": lambda table, visit, _: table.leave(visit.known().id, visit.number("seat")),
    "start": lambda table, visit, _: table.start(visit.known().id),
    "close": lambda table, visit, _: table.close(visit.known().id),
    "move": lambda table, visit, _: table.move(visit.known().id, visit.number("seat"), visit.text("move")),
    "deal": lambda table, visit, _: table.deal(visit.known().id),
    "word": lambda table, visit, _: table.give_word(visit.known().id, visit.number("seat"), visit.text("word")),
    "hand-over": lambda table, visit, live: table.hand_over(
        visit.known().id, visit.number("seat"), STAND_IN, visit.house.hall.away(live)
    ),
    "return": lambda table, visit, _: table.come_back(visit.known().id, visit.number("seat")),
}
"""What can be done at a table by a form."""

ANYTIME = frozenset({"sit", "bot", "word", "hand-over", "return"})
"""What means the same whatever else has happened at the table in the meantime."""


def state_seen(act: str, visit: Visit, table: Table) -> int | None:
    """The state that a form must have seen; None where it need not say so: to leave one's own seat, or at any time."""
    own = act == "leave" and visit.number("seat") in table.seats_of(visit.who)
    return None if (own or act in ANYTIME) and "state" not in visit.said else visit.number("state")


@router.post("/tables/{table_id}/rematch")
async def rematch(table_id: str, visit: AVisit) -> Response:
    """Open the next table; where nobody else has to be waited for, it starts at once."""
    live = await seen(visit, table_id)
    person = visit.known()
    visit.house.admit_table(person)
    following = await visit.house.hall.rematch(live, visit.number("state"), person.id)
    if following.table.members() == {person.id}:
        await visit.house.hall.act(following, None, lambda table: table.start(person.id))
    return visit.go(f"/tables/{following.table.id}")


@router.post("/tables/{table_id}/{act}")
async def do(table_id: str, act: str, visit: AVisit) -> Response:
    """Do something at a table."""
    if act not in ACTS:
        raise missing("page")
    live = await seen(visit, table_id)
    if act == "sit":
        await visit.somebody(visit.name())
    await visit.house.hall.act(live, state_seen(act, visit, live.table), lambda table: ACTS[act](table, visit, live))
    if act == "sit" or (act == "leave" and not live.table.seats_of(visit.who)):
        return visit.go(f"/tables/{table_id}")  # the page has to look with other eyes
    back = visit.said.get("seat", "") if act == "move" else ""
    return visit.done(f"/tables/{table_id}" + (f"?seat={back}" if back else ""))


@router.get("/tables/{table_id}/record")
async def record(table_id: str, visit: AVisit) -> Response:
    """The record of a finished match as a file."""
    live = await seen(visit, table_id)
    name = f"suitors-{live.table.edition}-{table_id[:8]}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return JSONResponse(serializers.record(live.table), headers=headers)


def levels(preferences: Preferences) -> dict[str, str]:
    """The bots of the house and a mixed company, as a form offers them."""
    people = load_characters()
    found = {slug: f"{people[slug].level} · {people[slug].name(preferences.lang)}" for slug in people}
    return {MIXED: preferences.say("A mixed company"), **found}
