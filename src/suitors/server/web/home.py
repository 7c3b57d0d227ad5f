"""The pages that are no table: the start, lists, the rules, the visitor's own, and the files that go with them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import APIRouter, Request, Response

from ...pages.cards import CardRenderer
from ...pages.render import MEDIA_TYPES, asset, asset_text
from ...pages.rulebook import edition_page, edition_titles
from ...rules import BOXES, Card, edition
from ...words.bots import load_characters
from ...words.dates import short_date
from ...words.rulebook import editions
from ...words.switches import Switch, load_switches
from ..domain.people import TRANSFER_S
from ..errors import missing
from ..http.api import LISTED, TRANSFER, set_key
from ..server import COOKIE
from ..sockets.page_socket import link_to
from ..storage.store import Summary
from .kits import can_print
from .requests import AVisit, Visit
from .tables import levels

router = APIRouter(include_in_schema=False)

FOR_GOOD = "public, max-age=31536000, immutable"


FAN = (Card.GUARD, Card.PRINCE, Card.PRINCESS, Card.SPY)
"""The cards that greet a visitor."""


@dataclass(frozen=True)
class Offer:
    """An edition as the first page offers it."""

    slug: str
    title: str
    about: str
    players: tuple[int, ...]
    switches: list[Switch]


@dataclass(frozen=True)
class Listed:
    """A line in a list of tables."""

    id: str
    title: str
    status: str
    names: tuple[str, ...]
    day: str  # when it was last used


@router.get("/")
async def start(visit: AVisit) -> Response:
    """The first page."""
    lang = visit.preferences.lang
    offers = [offer(slug, lang) for slug in BOXES]
    renderer = CardRenderer(edition("modern", 2), "modern", lang, visit.preferences.theme_for("modern"))
    return visit.page(
        "start.html",
        fan=renderer.faces(FAN),
        offers=[found for found in offers if found.players != (1,)],
        solos=[found for found in offers if found.players == (1,)],
        levels=levels(visit.preferences),
        characters=load_characters(),
        tables=listed(visit, visit.house.store.open_tables(5)),
    )


def offer(slug: str, lang: str) -> Offer:
    """What the first page says of an edition."""
    words = editions()[slug][lang]
    return Offer(slug, words["title"], words["about"], BOXES[slug].players, load_switches(BOXES[slug].switches, lang))


def listed(visit: Visit, tables: Iterable[Summary]) -> list[Listed]:
    """Tables as lines of a list; who sits there is told to those who may see it."""
    lines = []
    for summary in tables:
        seats = visit.house.store.seats(summary.id)
        insider = visit.who == summary.host or visit.who in (event.get("person", -1) for event in seats)
        names = tuple(event["name"] for event in seats) if summary.open or insider else ()
        title = editions()[summary.edition][visit.preferences.lang]["title"]
        day = short_date(datetime.fromtimestamp(summary.updated, UTC), visit.preferences.lang)
        lines.append(Listed(summary.id, title, summary.status, names, day))
    return lines


@router.get("/tables")
async def watch(visit: AVisit) -> Response:
    """The tables that anybody may join or watch."""
    return visit.page("lists.html", mine=False, tables=listed(visit, visit.house.store.open_tables(LISTED)))


@router.get("/mine")
async def mine(visit: AVisit) -> Response:
    """The visitor's tables."""
    found = [] if visit.who is None else visit.house.store.tables_of(visit.who, LISTED)
    return visit.page("lists.html", mine=True, tables=listed(visit, found))


@router.post("/look")
async def change_look(visit: AVisit) -> Response:
    """Another language, theme or look; back to where the visitor was."""
    visit.preferences = visit.preferences.choose(visit.said)
    back = visit.said.get("back", "/")
    return visit.remember(visit.go(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"))


# The visitor


@router.get("/me")
async def me(visit: AVisit) -> Response:
    """The visitor's name, and the way to another device."""
    return visit.page("me.html", link=None)


@router.post("/me")
async def rename(visit: AVisit) -> Response:
    """Another name, at the tables to come."""
    await visit.somebody(visit.name())
    return visit.go("/me")


@router.post("/me/transfer")
async def make_transfer(visit: AVisit) -> Response:
    """A link that makes another device the visitor's."""
    code = await visit.house.people.transfer(visit.known())
    base = link_to(visit.request, "x").removesuffix("/tables/x")
    return visit.page("me.html", link=base + TRANSFER.format(code=code), minutes=TRANSFER_S // 60)


@router.get("/me/transfer")
async def transfer_made(visit: AVisit) -> Response:
    """Where somebody lands who reads the page with the link in another language: a link is shown once."""
    return visit.go("/me")


@router.post("/me/forget")
async def forget(visit: AVisit) -> Response:
    """Forget this device."""
    visit.known()
    await visit.house.people.leave(visit.request.cookies[COOKIE])
    answer = visit.go("/")
    answer.delete_cookie(COOKIE)
    return answer


@router.get(TRANSFER)
async def transfer(code: str, visit: AVisit) -> Response:
    """Where a transfer link leads: looking at it does nothing yet, for programs look at links as well."""
    del code
    return visit.page("transfer.html", void=False)


@router.post(TRANSFER)
async def arrive(code: str, visit: AVisit) -> Response:
    """This device becomes the other's person."""
    arrived = await visit.house.people.arrive(code)
    if arrived is None:
        return visit.page("transfer.html", 404, void=True)
    answer = visit.go("/mine")
    set_key(answer, visit.request, arrived[1])
    return answer


# The rules


@router.get("/rules")
async def rulebooks(visit: AVisit) -> Response:
    """All editions."""
    return visit.page("rules.html", editions=edition_titles(visit.preferences), printing=can_print())


@router.get("/rules/{slug}")
async def rulebook(slug: str, visit: AVisit) -> Response:
    """The rules of an edition, with pictures and rulings."""
    if slug not in BOXES:
        raise missing("page")
    return visit.page("rulebook.html", book=edition_page(slug, visit.preferences), printing=can_print())


@router.get("/static/{name}")
async def static(name: str, request: Request) -> Response:
    """A file that goes with the pages."""
    try:
        text, address = asset_text(name), asset(name)
    except KeyError:
        raise missing("page") from None
    exact = address.endswith(f"?{request.url.query}")
    headers = {"cache-control": FOR_GOOD if exact else "no-cache"}
    return Response(text, media_type=MEDIA_TYPES[name.rpartition(".")[2]], headers=headers)
