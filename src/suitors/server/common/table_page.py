"""The page of a table: which part of it a person sees, made from a view and from what everybody knows of the seats."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...game import Match, Play, Solo
from ...pages import Preferences
from ...pages.board import Occupant, animations, board
from ...pages.choices import WhyNot
from ...pages.hints import HintInfo, hint_info
from ...pages.invitation import Invitation
from ...pages.solo_board import solo_animations, solo_board
from ...words.bots import load_characters
from ...words.editions import edition_title
from ...words.nouns import listed
from ...words.switches import load_switches
from ..domain.loaded import LoadedTable
from ..domain.serializers import MATCH_ONLY
from ..domain.table import CLOSED, PLAYING, WAITING, HostedTable
from ..server import Server
from .shuffle_page import ShuffleInfo, shuffle_info

LONGEST_CHOICE = 100
"""Letters in the longest choice."""

LONGEST_NUMBER, MOST_AGO = 8, 1000
"""Digits in the number of a state, and moves that a page may look back."""


@dataclass(frozen=True)
class PlayerToMove:
    """Whose turn it is on a device that several share, while nobody's hand is shown."""

    seat: int
    name: str


@dataclass(frozen=True)
class StandInButton:
    """A button that lets a bot play for a seat, or takes the seat back; `act` is the command."""

    act: str
    seat: int
    label: str


@dataclass(frozen=True)
class TableInfo:
    """What a page says of a table besides its match."""

    id: str
    state: int
    title: str
    edition: str
    status: str
    sums: bool
    yours: tuple[int, ...]
    seat: int | None  # through whose eyes
    covered: PlayerToMove | None  # who has to ask for their hand
    pass_to: PlayerToMove | None  # who gets the device next
    follower: str | None  # the table of the rematch
    shuffle: ShuffleInfo
    stand_in: str  # the bot that plays for somebody who is away
    hints: bool  # whether they are allowed
    stands: tuple[StandInButton, ...]
    asked: bool  # the visitor has asked for the next round
    delays: bool  # the others have, and the visitor has not
    awaited: str  # who else has not
    rest_s: int  # after which it is dealt anyway
    can_take_back: bool  # the visitor's last decision
    hint: HintInfo | None  # for what the visitor has to decide, where hints are allowed
    skippable: bool  # only bots are left in the round, and the visitor may see its end at once
    players: int
    switches: tuple[str, ...]  # those that are not at their defaults


@dataclass(frozen=True)
class TablePart:
    """The part of a page that shows a table: its template and what goes into it."""

    template: str
    context: dict[str, Any]
    seat: int | None = None
    animations: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PageQuery:
    """What a page asks for: a table through a seat's eyes (None: the person's own, -1: nobody's), after some words."""

    seat: int | None = None
    chosen: str = ""
    since: int | None = None  # the state that the page showed before
    ago: int = 0  # how many moves back the page looks
    link: str = ""  # the address of the table, for invitations


def table_part(
    server: Server, loaded: LoadedTable, person: int | None, preferences: Preferences, query: PageQuery
) -> TablePart:
    """What a person sees of a table; it must be settled."""
    table = loaded.table
    yours = tuple(table.seats_of(person))
    seat, covered, pass_to = perspective(table, yours, query.seat)
    info = TableInfo(
        id=table.id,
        state=table.state,
        title=edition_title(table.edition, preferences.lang),
        edition=table.edition,
        status=table.status,
        sums=bool(table.match and table.match.rules.sums),
        yours=yours,
        seat=seat,
        covered=covered,
        pass_to=pass_to,
        follower=table.rematch,
        shuffle=shuffle_info(table, yours),
        stand_in=table.stand_in,
        hints=table.hints,
        stands=stand_in_buttons(table, yours, loaded.is_away, preferences),
        asked=any(table.seats[k].ready for k in yours),
        delays=any(seat.ready for seat in table.seats) and not any(table.seats[k].ready for k in yours),
        awaited=awaited_names(loaded, yours, preferences),
        rest_s=int(table.rest_s),
        can_take_back=can_take_back(table, seat),
        hint=hint_for(server, table, seat, preferences),
        skippable=loaded.skippable_by(person),
        players=len(table.seats),
        switches=changed_switches(table, preferences),
    )
    occupants = [occupant(table, k, yours, loaded.is_away) for k in range(len(table.seats))]
    context: dict[str, Any] = {"edition": table.edition, "table": info, "occupants": occupants}
    if table.status in (WAITING, CLOSED) or table.match is None:
        told = {"host": person == table.host, "freed": person in table.freed, "bots": load_characters()}
        context |= {"invitation": Invitation(query.link, server.settings.everywhere), **told}
        return TablePart("lobby.html", context)
    return _match_part(table, table.match, seat, preferences, query, context)


def _match_part(
    table: HostedTable,
    match: Play,
    seat: int | None,
    preferences: Preferences,
    query: PageQuery,
    context: dict[str, Any],
) -> TablePart:
    """The match through the eyes of a seat."""
    if isinstance(match, Solo):
        made = solo_board(match.view(seat), table.edition, preferences, query.chosen, match.why_not)
        moved = solo_animations(match.view(seat), steps_since(table, query.since))
        return TablePart("solo.html", {**context, "board": made}, seat, tuple(moved))
    assert isinstance(match, Match)
    if not match.rounds:
        return TablePart("dealing.html", context, seat)
    view = match.view(seat)
    why_not: WhyNot = match.why_not
    made_board = board(view, context["occupants"], preferences, query.chosen, why_not, query.ago)
    return TablePart(
        "match.html", {**context, "board": made_board}, seat, tuple(animations(view, steps_since(table, query.since)))
    )


def steps_since(table: HostedTable, since: int | None) -> int:
    """How many steps of the last round have happened since a state, or since moves were taken back."""
    steps = 0
    for event, _ in reversed(table.events[since:] if since is not None else []):
        if event["kind"] == "taken-back":
            break
        steps += event["kind"] in MATCH_ONLY
        if event["kind"] == "dealt":
            break
    return steps


def match_changed(table: HostedTable, since: int) -> bool:
    """Whether the match has gone on since a state, or back."""
    return any(event["kind"] in MATCH_ONLY for event, _ in table.events[since:])


def dealt_since(table: HostedTable, since: int) -> bool:
    """Whether a round has been dealt since a state."""
    return any(event["kind"] == "dealt" for event, _ in table.events[since:])


def perspective(
    table: HostedTable, yours: tuple[int, ...], asked: int | None
) -> tuple[int | None, PlayerToMove | None, PlayerToMove | None]:
    """Through whose eyes a person looks; where several share a device, the next hand stays covered until asked for."""
    if len(yours) < 2:
        return (yours[0] if yours else None), None, None
    turn = None if table.match is None else table.match.turn
    next_up = None if turn not in yours or turn is None else PlayerToMove(turn, table.seats[turn].name)
    if asked is None or asked not in yours:
        return None, next_up, None
    return asked, None, None if next_up is None or next_up.seat == asked else next_up


def awaited_names(loaded: LoadedTable, yours: tuple[int, ...], preferences: Preferences) -> str:
    """Who else has to ask for the next round before it is dealt."""
    names = [loaded.table.seats[k].name for k in loaded.table.awaited(loaded.is_away) if k not in yours]
    return listed(names, preferences.say("{some} and {last}")) if names else ""


def can_take_back(table: HostedTable, seat: int | None) -> bool:
    """Whether the player of a seat may take back their last decision."""
    if seat is None or table.status != PLAYING or not table.against_bots or table.seats[seat].bot is not None:
        return False
    return table.moves_since_decision(seat) > 0


def hint_for(server: Server, table: HostedTable, seat: int | None, preferences: Preferences) -> HintInfo | None:
    """What the player of a seat who has a choice to make is shown of a hint."""
    if seat is None or not table.hints or not is_to_decide(table, seat):
        return None
    view = table.started_match.view(seat)
    if len(view.legal) == 1:
        return None
    return hint_info(table.hinted_now, server.analyses.find_hint(table, seat), view, preferences)


def is_to_decide(table: HostedTable, seat: int) -> bool:
    """Whether the player of a seat has to decide now, and no bot for them."""
    deciding = table.status == PLAYING and table.match is not None and table.match.turn == seat
    return deciding and table.seats[seat].bot is None


def occupant(table: HostedTable, number: int, yours: tuple[int, ...], is_away: Callable[[int], bool]) -> Occupant:
    """Who sits in a seat."""
    seat = table.seats[number]
    gone = seat.person is not None and number not in yours and is_away(seat.person)
    known = load_characters().get(seat.bot or "")
    return Occupant(
        seat.name,
        seat.bot,
        person=seat.person is not None,
        away=gone,
        mine=number in yours,
        level=known.level if known else None,
    )


def changed_switches(table: HostedTable, preferences: Preferences) -> tuple[str, ...]:
    """The switches of this table that are not at their defaults, in words."""
    found = load_switches(preferences.words_for(table.edition))
    values = {switch.key: str(table.options[switch.key]).lower() for switch in found if switch.key in table.options}
    return tuple(
        f"{switch.title} – {switch.values[values[switch.key]]} ({switch.ruling})"
        for switch in found
        if switch.key in values and values[switch.key] != next(iter(switch.values))
    )


def stand_in_buttons(
    table: HostedTable, yours: tuple[int, ...], is_away: Callable[[int], bool], preferences: Preferences
) -> tuple[StandInButton, ...]:
    """Where a bot may stand in, or leave again."""
    if table.status != PLAYING or not yours:
        return ()
    found = []
    for number, seat in enumerate(table.seats):
        if seat.person is None:
            continue
        mine = number in yours
        if seat.bot and mine:
            label = preferences.say("Play for {name} again").format(name=seat.name)
            found.append(StandInButton("return", number, label))
        elif not seat.bot and (mine or is_away(seat.person)):
            label = preferences.say("Let a bot play for {name}").format(name=seat.name)
            found.append(StandInButton("hand-over", number, label))
    return tuple(found)


def read_seat(text: str | None) -> int | None:
    """The seat that an address asks for: a number, -1 for nobody's, None for the visitor's own."""
    return int(text) if text is not None and is_seat(text) else None


def read_state(text: str | None) -> int | None:
    """The state that an address names; None where it names none."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER else None


def is_ago(ago: Any) -> bool:
    """Whether this can be a number of moves to look back."""
    return isinstance(ago, int) and not isinstance(ago, bool) and 0 <= ago < MOST_AGO


def is_seat(seat: Any) -> bool:
    """Whether this can be a seat: a small number, or nothing."""
    return seat is None or (isinstance(seat, int | str) and str(seat) in ("-1", *"01234567"))
