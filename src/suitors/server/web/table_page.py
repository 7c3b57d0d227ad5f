"""The page of a table: which part of it a person sees, made from a view and from what everybody knows of the seats."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...game import Match, Play, Solo
from ...pages import Preferences
from ...pages.board import Occupant, animations, board
from ...pages.choices import WhyNot
from ...pages.invitation import Invitation
from ...pages.solo_board import solo_animations, solo_board
from ...rules import BOXES
from ...words.bots import load_characters
from ...words.rulebook import editions
from ...words.switches import load_switches
from ..domain.registry import Live
from ..domain.serializers import MATCH_ONLY
from ..domain.tables import CLOSED, PLAYING, WAITING, Table
from ..server import House

STAND_IN = "counting"
"""The bot that fills in where a page does not ask which."""


@dataclass(frozen=True)
class Cover:
    """Whose turn it is on a device that several share, while nobody's hand is shown."""

    seat: int
    name: str


@dataclass(frozen=True)
class Stand:
    """A bot may stand in for a seat, or give it back."""

    act: str
    seat: int
    label: str


@dataclass(frozen=True)
class TableFace:
    """What a page says of a table besides its match."""

    id: str
    state: int
    title: str
    edition: str
    status: str
    sums: bool
    yours: tuple[int, ...]
    seat: int | None  # through whose eyes
    covered: Cover | None
    pass_to: Cover | None
    follower: str | None
    commitment: str
    stands: tuple[Stand, ...]
    players: int
    switches: tuple[str, ...]  # those that are not at their defaults
    name_of: Callable[[int], str]


@dataclass(frozen=True)
class Looked:
    """A part of a page: its template and what goes into it."""

    template: str
    context: dict[str, Any]
    seat: int | None = None
    animations: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Asked:
    """What a person has asked to see: through a seat's eyes (None: their own, -1: nobody's), after some words."""

    seat: int | None = None
    chosen: str = ""
    since: int | None = None  # the state that the page showed before
    link: str = ""  # the address of the table, for invitations
    hints: tuple[tuple[str, float], ...] | None = None  # what the moves of a solo game are worth, if that was asked


def look(house: House, live: Live, person: int | None, preferences: Preferences, asked: Asked) -> Looked:
    """What a person sees of a table; nothing of it may be on its way to the disk."""
    table = live.table
    yours = tuple(table.seats_of(person))
    seat, cover, pass_to = eyes(table, yours, asked.seat)
    away = house.hall.away(live)
    theme = preferences.theme_for(table.edition)
    face = TableFace(
        id=table.id,
        state=table.state,
        title=editions()[table.edition][preferences.lang]["title"],
        edition=table.edition,
        status=table.status,
        sums=bool(table.match and table.match.rules.sums),
        yours=yours,
        seat=seat,
        covered=cover,
        pass_to=pass_to,
        follower=table.follower,
        commitment=table.commitment,
        stands=stands(table, yours, away, preferences),
        players=len(table.seats),
        switches=switched(table, preferences),
        name_of=lambda card: theme.name(card, preferences.lang),
    )
    occupants = [occupant(table, k, yours, away) for k in range(len(table.seats))]
    context: dict[str, Any] = {"table": face, "occupants": occupants}
    if table.status in (WAITING, CLOSED) or table.match is None:
        invitation = Invitation(asked.link, house.settings.everywhere)
        context |= {"host": person == table.host, "invitation": invitation, "bots": load_characters()}
        return Looked("lobby.html", context)
    return _match(table, table.match, seat, preferences, asked, context)


def _match(
    table: Table, match: Play, seat: int | None, preferences: Preferences, asked: Asked, context: dict[str, Any]
) -> Looked:
    """The match through the eyes of a seat."""
    if isinstance(match, Solo):
        made = solo_board(match.view(seat), table.edition, preferences, asked.chosen, match.why_not, asked.hints)
        moved = solo_animations(match.view(seat), steps(table, asked.since))
        return Looked("solo.html", {**context, "board": made}, seat, tuple(moved))
    assert isinstance(match, Match)
    if not match.rounds:
        return Looked("dealing.html", context, seat)
    view = match.view(seat)
    why_not: WhyNot = match.why_not
    made_board = board(view, context["occupants"], preferences, asked.chosen, why_not)
    return Looked(
        "match.html", {**context, "board": made_board}, seat, tuple(animations(view, steps(table, asked.since)))
    )


def steps(table: Table, since: int | None) -> int:
    """How many steps of the last round have happened since a state."""
    if since is None:
        return 0
    kinds = [event["kind"] for event, _ in table.events[since:] if event["kind"] in MATCH_ONLY]
    return len(kinds) - (len(kinds) - 1 - kinds[::-1].index("dealt") if "dealt" in kinds else 0)


def eyes(table: Table, yours: tuple[int, ...], asked: int | None) -> tuple[int | None, Cover | None, Cover | None]:
    """Through whose eyes a person looks; where several share a device, the next hand stays covered until asked for."""
    if len(yours) < 2:
        return (yours[0] if yours else None), None, None
    turn = None if table.match is None else table.match.turn
    due = None if turn not in yours or turn is None else Cover(turn, table.seats[turn].name)
    if asked is None or asked not in yours:
        return None, due, None
    return asked, None, None if due is None or due.seat == asked else due


def occupant(table: Table, number: int, yours: tuple[int, ...], away: Callable[[int], bool]) -> Occupant:
    """Who sits in a seat."""
    seat = table.seats[number]
    gone = seat.person is not None and number not in yours and away(seat.person)
    return Occupant(seat.name, seat.bot, seat.person is not None, gone, number in yours)


def switched(table: Table, preferences: Preferences) -> tuple[str, ...]:
    """The rules of the house at this table, where they are not the usual ones."""
    found = load_switches(BOXES[table.edition].switches, preferences.lang)
    values = {switch.key: str(table.options[switch.key]).lower() for switch in found if switch.key in table.options}
    return tuple(
        f"{switch.title} – {switch.values[values[switch.key]]} ({switch.ruling})"
        for switch in found
        if switch.key in values and values[switch.key] != next(iter(switch.values))
    )


def stands(
    table: Table, yours: tuple[int, ...], away: Callable[[int], bool], preferences: Preferences
) -> tuple[Stand, ...]:
    """Where a bot may stand in, or leave again."""
    if table.status != PLAYING or not yours:
        return ()
    found = []
    for number, seat in enumerate(table.seats):
        if seat.person is None:
            continue
        mine = number in yours
        if seat.bot and mine:
            found.append(Stand("return", number, preferences.say("Play for {name} again").format(name=seat.name)))
        elif not seat.bot and (mine or away(seat.person)):
            found.append(
                Stand("hand-over", number, preferences.say("Let a bot play for {name}").format(name=seat.name))
            )
    return tuple(found)
