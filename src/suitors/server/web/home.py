"""The pages that are no table: the start, lists, the rules, the visitor's own, and the files that go with them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import APIRouter, Request, Response

from ...pages import Preferences
from ...pages.cards import CardBack, CardFace, CardRenderer
from ...pages.people import people_page, theme_lines
from ...pages.render import MEDIA_TYPES, asset, asset_text
from ...pages.rulebook import edition_page, edition_titles
from ...rules import BOXES, Card, edition, is_edition
from ...words import known_themes
from ...words.bots import load_characters
from ...words.credits import all_credits
from ...words.dates import short_date
from ...words.editions import edition_title
from ...words.switches import Switch, load_switches
from ..common.addresses import LONGEST_LIST, TRANSFER, origin_of
from ..common.cookies import delete_key, find_key, set_key
from ..domain.people import TRANSFER_S
from ..errors import missing
from ..storage.tables import Summary
from .kits import can_print
from .new_table import levels
from .requests import PageRequest, ThePageRequest

router = APIRouter(include_in_schema=False)

OWN_PATH = re.compile(r"/(?![/\\])[^\x00-\x20\x7f]*")
"""An address of ours. Browsers take `//` and `/\\` for another site, and pass over tabs and ends of lines."""

FOR_GOOD = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class TurnPicture:
    """A turn in pictures, with cards that every edition has: one is kept, one played, one found out."""

    kept: CardFace
    played: CardFace
    found: CardFace
    guess: str  # what is said of the card that is found out
    back: CardBack
    broken: str  # the ornament of a player who is out


@dataclass(frozen=True)
class Offer:
    """An edition as the first page offers it."""

    slug: str
    title: str
    about: str
    players: tuple[int, ...]
    switches: list[Switch]
    themed: bool  # whether the visitor's theme has names for it


@dataclass(frozen=True)
class TableLine:
    """A line in a list of tables."""

    id: str
    title: str
    status: str
    names: tuple[str, ...]
    day: str  # when it was last used


@router.get("/")
async def start(request: ThePageRequest) -> Response:
    """The first page."""
    offers = [offer(slug, request.preferences) for slug in BOXES]
    favourite = request.preferences.favourite
    return request.page(
        "start.html",
        turn=turn_picture(request.preferences),
        offers=[found for found in offers if found.players != (1,)],
        solos=[found for found in offers if found.players == (1,)],
        favourite=favourite,
        levels=levels(request.preferences),
        characters=load_characters(request.preferences.theme),
        tables=await table_lines(request, await request.server.store.tables.list_open(5)),
    )


def turn_picture(preferences: Preferences) -> TurnPicture:
    """The picture of a turn in the visitor's theme, for the edition that they played last."""
    slug, words = preferences.favourite, preferences.words_for(preferences.favourite)
    renderer = CardRenderer(edition(slug, BOXES[slug].players[0]), words)
    kept, played, found = renderer.faces((Card.PRIEST, Card.GUARD, Card.PRINCE), (0, 0, 0))
    named = str(found.value) if BOXES[slug].by_number else found.name
    guess = preferences.say("{card}?").format(card=named)
    return TurnPicture(kept, played, found, guess, renderer.back(), words.theme.ornament("broken"))


def offer(slug: str, preferences: Preferences) -> Offer:
    """What the first page says of an edition."""
    words, box = preferences.words_for(slug), BOXES[slug]
    return Offer(
        slug=slug,
        title=edition_title(slug, preferences.lang),
        about=words.about,
        players=box.players,
        switches=load_switches(words),
        themed=words.theme.slug == preferences.theme,
    )


async def table_lines(request: PageRequest, tables: Iterable[Summary]) -> list[TableLine]:
    """Tables as lines of a list; who sits there is told to those who may see it."""
    lines = []
    for summary in tables:
        seats = await request.server.store.tables.seats(summary.id)
        insider = request.person_id == summary.host or request.person_id in (event.get("person", -1) for event in seats)
        names = tuple(event["name"] for event in seats) if summary.open or insider else ()
        title = edition_title(summary.edition, request.preferences.lang) if is_edition(summary.edition) else "–"
        day = short_date(datetime.fromtimestamp(summary.updated, UTC), request.preferences.lang)
        lines.append(TableLine(summary.id, title, summary.status, names, day))
    return lines


@router.get("/tables")
async def watch(request: ThePageRequest) -> Response:
    """The tables that anybody may join or watch."""
    found = await request.server.store.tables.list_open(LONGEST_LIST)
    return request.page("lists.html", mine=False, tables=await table_lines(request, found))


@router.get("/mine")
async def mine(request: ThePageRequest) -> Response:
    """The visitor's tables."""
    person, stored = request.person_id, request.server.store.tables
    found = [] if person is None else await stored.list_of(person, LONGEST_LIST)
    return request.page("lists.html", mine=True, tables=await table_lines(request, found))


@router.post("/look")
async def change_look(request: ThePageRequest) -> Response:
    """Another language, theme or look; back to where the visitor was."""
    request.preferences = request.preferences.choose(request.form)
    back = request.form.get("back", "/")
    return request.save_preferences(request.redirect(back if OWN_PATH.fullmatch(back) else "/"))


# The visitor


@router.get("/me")
async def me(request: ThePageRequest) -> Response:
    """The visitor's name, and the way to another device."""
    return request.page("me.html", link=None)


@router.post("/me")
async def rename(request: ThePageRequest) -> Response:
    """Another name, at the tables to come."""
    await request.ensure_person(request.name())
    return request.redirect("/me")


@router.post("/me/transfer")
async def make_transfer(request: ThePageRequest) -> Response:
    """A link that makes another device the visitor's."""
    code = await request.server.people.create_transfer(request.known_person())
    link = origin_of(request.http) + TRANSFER.format(code=code)
    return request.page("me.html", link=link, minutes=TRANSFER_S // 60)


@router.get("/me/transfer")
async def transfer_made(request: ThePageRequest) -> Response:
    """Where somebody lands who reads the page with the link in another language: a link is shown once."""
    return request.redirect("/me")


@router.post("/me/forget")
async def forget(request: ThePageRequest) -> Response:
    """Forget this device."""
    request.known_person()
    await request.server.forget_key(find_key(request.server, request.http) or "")
    request.new_key = None
    answer = request.redirect("/")
    delete_key(request.server, answer, request.http, known=True)
    return answer


@router.get(TRANSFER)
async def transfer(code: str, request: ThePageRequest) -> Response:
    """Where a transfer link leads: looking at it does nothing yet, for programs look at links as well."""
    return await transfer_page(request, code)


@router.post(TRANSFER)
async def accept_transfer(code: str, request: ThePageRequest) -> Response:
    """This device becomes the other's person; if it is somebody's already, only where the form says that it may."""
    if request.person is not None and request.form.get("replace") != str(request.person.id):
        return await transfer_page(request, code, 409)
    found = await request.server.people.use_transfer(code)
    if found is None:
        return await transfer_page(request, code)
    answer = request.redirect("/mine")
    set_key(request.server, answer, request.http, found[1])
    return answer


async def transfer_page(request: PageRequest, code: str, status: int = 200) -> Response:
    """The page of a transfer link: whose it is, and who would be replaced on this device."""
    owner = await request.server.people.find_transfer(code)
    if owner is not None and owner.id == request.person_id:
        return request.redirect("/mine")
    return request.page("transfer.html", status if owner else 404, owner=owner)


# The rules


@router.get("/rules")
async def rulebooks(request: ThePageRequest) -> Response:
    """All editions."""
    return request.page("rules.html", editions=edition_titles(request.preferences), printing=can_print())


@router.get("/rules/{slug}")
async def rulebook(slug: str, request: ThePageRequest) -> Response:
    """The rules of an edition, with pictures and rulings."""
    if slug not in BOXES:
        raise missing("page")
    page = edition_page(slug, request.preferences)
    return request.page("rulebook.html", edition=slug, rules=page, printing=can_print())


@router.get("/people")
async def people(request: ThePageRequest) -> Response:
    """The people of the visitor's theme."""
    return request.redirect(f"/people/{request.preferences.theme}")


@router.get("/people/{slug}")
async def people_of_theme(slug: str, request: ThePageRequest) -> Response:
    """The people of a theme, with pictures and profiles."""
    if slug not in known_themes():
        raise missing("page")
    found = people_page(slug, request.preferences)
    return request.page("people.html", people=found, themes=theme_lines(request.preferences))


@router.get("/credits")
async def credits_page(request: ThePageRequest) -> Response:
    """Who made the games."""
    return request.page("credits.html", credits=all_credits(request.preferences.lang))


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
