"""The form that opens a table: against bots, with friends, on one device, or alone."""

from collections.abc import Sequence

from fastapi import APIRouter, Response

from ...pages import Preferences
from ...rules import BOXES, SWITCHES, Option
from ...words.bots import load_characters, more_names
from ..domain.commands import COMMANDS, Caller, make_words
from ..domain.given import SeatRequest
from ..domain.names import check_name, tell_apart
from ..domain.opening import NewTable
from ..errors import Refused
from .requests import PageRequest, ThePageRequest

router = APIRouter(include_in_schema=False)

MIXED = "mixed"
"""Bots of every level at one table."""

MIXED_BOTS = ("counting", "novice", "beginner", "search", "expert")
"""One of each level, those first who need no time."""

PACE_MS = 900
REST_ALONE_S, REST_TOGETHER_S = 3600, 60
"""The rest between two rounds, for one person who asks for the next round when ready, and for several."""


@router.post("/tables")
async def open_table(request: ThePageRequest) -> Response:
    """Open a table as a form of the first page asks, and sit down at it; a script gives its words before the start."""
    request.preferences = request.preferences.choose(request.form)
    return await open_given(request, read_form(request))


async def open_given(request: PageRequest, given: NewTable) -> Response:
    """Open a table that a form describes; what cannot be opened creates no person, and renames none."""
    person, waiting = await request.ensure_person(request.name()), given.model_copy(update={"start": False})
    loaded = await request.server.open_table(request.client, person, waiting)
    await request.server.tables.change(loaded, make_words)
    if given.start and request.from_script:
        return request.save_preferences(request.ask_words(loaded.table))
    if given.start:
        await request.server.tables.change(loaded, COMMANDS["start"].decision(Caller(person)))
    return request.save_preferences(request.redirect(f"/tables/{loaded.table.id}"))


def read_form(request: PageRequest) -> NewTable:
    """The table that the form describes; `way` says with whom."""
    preferences, form, way = request.preferences, request.form, request.form.get("way", "bots")
    edition = form.get("solo", "solitaire") if way == "solo" else preferences.edition
    if edition not in BOXES or BOXES[edition].solo != (way == "solo"):
        raise Refused(422, "unknown-edition", f"There is no edition {edition!r:.40} for that.")
    names = [check_name(name) for name in form.get("names", "").split(",") if name.strip()]
    players = 1 if way == "solo" else len(names) if way == "pass" and names else int(preferences.players)
    if players not in BOXES[edition].players:
        raise Refused(422, "bad-players", f"{edition} is not for {players} players.")
    return NewTable(
        edition=edition,
        players=players,
        options=chosen_switches(edition, form),
        open=form.get("open") == "on",
        pace_ms=PACE_MS,
        rest_s=REST_TOGETHER_S if way == "friends" else REST_ALONE_S,
        stand_in=choose_bots(preferences.bot, 1)[0],
        hints=way in ("bots", "solo") or form.get("hints") == "on",
        seats=first_seats(request, way, players, names),
        start=way != "friends",
    )


def first_seats(request: PageRequest, way: str, players: int, names: list[str]) -> list[SeatRequest | None]:
    """Who sits where at a new table: the host first, and bots, friends at the same device or nobody yet."""
    host, preferences = SeatRequest(name=request.name() or None), request.preferences  # without a name the person's own
    if way == "pass":
        known = names or [preferences.say("Player {number}").format(number=k + 1) for k in range(players)]
        return [SeatRequest(name=name) for name in known[:players]]
    if way == "friends":
        return [host]
    bots = choose_bots(request.form.get("bot", preferences.bot), players - 1)
    called = name_bots(bots, preferences)
    return [host, *(SeatRequest(bot=bot, name=name) for bot, name in zip(bots, called, strict=True))]


def chosen_switches(edition: str, form: dict[str, str]) -> dict[str, Option]:
    """The switches of a form, as far as they make a difference in the edition."""
    chosen: dict[str, Option] = {}
    for key in BOXES[edition].switches:
        text = form.get(f"switch-{key}")
        chosen.update((key, value) for value in SWITCHES[key] if str(value).lower() == text)
    return chosen


# Bots


def choose_bots(bot: str, count: int) -> list[str]:
    """So many bots of a kind, or of every level in turn (MIXED)."""
    return [MIXED_BOTS[k % len(MIXED_BOTS)] if bot == MIXED else bot for k in range(count)]


def bot_name(bot: str, preferences: Preferences) -> str:
    """What a bot is called at a table, in the reader's language: the name without the office."""
    people = load_characters(preferences.theme)
    if bot not in people:
        raise Refused(422, "unknown-bot", f"There is no bot {bot!r:.40}; there are {', '.join(people)}.")
    return people[bot].name(preferences.lang).replace(",", " ").split()[0]


def name_bots(bots: list[str], preferences: Preferences, taken: Sequence[str] = ()) -> list[str]:
    """A name for each bot: its own, or another one where that is taken, and a numeral where all are."""
    found = list(taken)
    for bot in bots:
        own = bot_name(bot, preferences)
        free = (name for name in (own, *more_names(preferences.lang)) if tell_apart(name, found) == name)
        found.append(next(free, None) or tell_apart(own, found))
    return found[len(taken) :]


def levels(preferences: Preferences) -> dict[str, str]:
    """The bots of the server and a mixed company, as a form offers them."""
    chance = preferences.say("By chance")
    found = {
        slug: f"{person.level or chance} · {person.name(preferences.lang)}"
        for slug, person in load_characters(preferences.theme).items()
    }
    return {MIXED: preferences.say("A mix of all levels"), **found}
