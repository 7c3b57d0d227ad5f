"""A deck of the visitor's own: the page on which it is put together, and a table to play it at."""

from typing import Any

from fastapi import APIRouter, Response

from ...errors import SuitorsError, check_edition
from ...pages.links import OWN_DECK, rules_link
from ...pages.own_deck import deck_page, read_deck
from ...words.editions import edition_title
from ...words.own_editions import offered_editions
from ..domain.opening import NewTable
from ..errors import Refused
from .new_table import PACE_MS, REST_ALONE_S, REST_TOGETHER_S, choose_bots, first_seats, levels, open_given
from .requests import PageRequest, ThePageRequest

router = APIRouter(include_in_schema=False)


@router.get(OWN_DECK)
async def deck(request: ThePageRequest) -> Response:
    """The form, filled in as the address says, with pictures of the deck and its rules."""
    page = deck_page(dict(request.http.query_params), request.preferences)
    offered = [(rules_link(slug), edition_title(slug, request.preferences.lang)) for slug in offered_editions()]
    return request.page(
        "deck.html",
        edition=None if page.rules is None else page.rules.slug,
        deck=page,
        offered=offered,
        levels=levels(request.preferences),
    )


@router.post(OWN_DECK)
async def open_deck(request: ThePageRequest) -> Response:
    """Open a table for the deck that the form describes, and sit down at it."""
    data = read_deck(request.form)
    request.form["name"] = request.form.pop("who", "")  # until here it was the name of the deck
    request.preferences = request.preferences.choose({key: request.form.get(key, "") for key in ("players", "bot")})
    return await open_given(request, deck_table(request, data))


def deck_table(request: PageRequest, data: dict[str, Any]) -> NewTable:
    """The table that the form asks for: against bots, or with friends who are still to come."""
    try:
        check_edition(data)
    except SuitorsError as error:
        raise Refused(422, error.code, str(error)) from None
    way = "friends" if request.form.get("way") == "friends" else "bots"
    players = int(request.preferences.players)
    return NewTable(
        edition=data,
        players=players,
        pace_ms=PACE_MS,
        rest_s=REST_TOGETHER_S if way == "friends" else REST_ALONE_S,
        stand_in=choose_bots(request.preferences.bot, 1)[0],
        hints=way == "bots",
        seats=first_seats(request, way, players, []),
        start=way != "friends",
    )
