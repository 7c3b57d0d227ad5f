"""Opening a table: what it can be opened with, and the events that it begins with."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from ... import fair
from ...errors import SuitorsError, check_dealt, check_edition, check_options, edition_name
from ...rules import edition as edition_rules
from ...rules import find_box
from ..errors import Refused
from ..storage.tables import Event
from .commands import Caller, check_bot, new_event, sit, start
from .given import BotName, Given, SeatRequest
from .names import check_title
from .people import Person
from .table import STAND_IN, HostedTable, NewEvent, fold

LONGEST_EDITION = 1500
"""Characters in the longest text of an edition of one's own."""


class NewTable(Given):
    """A table to open. With `seats` it is filled at once, and `start` starts it."""

    edition: Annotated[str, Field(max_length=40)] | dict[str, Any]  # a slug, or the object of one's own
    players: Annotated[int, Field(ge=1, le=8)]
    options: dict[str, bool | str] = Field(default_factory=dict, max_length=20)
    open: Annotated[bool, Field(description="Listed, and anybody may watch; else only those with the link.")] = False
    pace_ms: Annotated[int, Field(ge=0, le=10_000, description="How long a bot's turn takes.")] = 900
    rest_s: Annotated[float, Field(ge=0, le=3_600, description="The rest between two rounds.")] = 20.0
    stand_in: BotName = STAND_IN
    hints: Annotated[bool, Field(description="Whether players may ask for hints; the record tells of each.")] = False
    seats: Annotated[list[SeatRequest | None], Field(max_length=8)] = Field(default_factory=list)
    start: bool = False


def opened(
    host: int,
    edition: str | Mapping[str, Any],
    players: int,
    options: Mapping[str, Any],
    *,
    open_: bool,
    pace_ms: int,
    rest_s: float,
    stand_in: str = STAND_IN,
    hints: bool = False,
) -> Event:
    """The event that opens a table, with the secret of its shuffle."""
    try:
        slug, switches = check_edition(edition), check_options(options)
    except SuitorsError as error:
        raise Refused(422, error.code, str(error)) from None
    if len(slug) > LONGEST_EDITION:
        raise Refused(422, "bad-edition", f"An edition has a text of {LONGEST_EDITION} characters at most.")
    check_title(slug)
    allowed = find_box(slug).players
    if players not in allowed:
        sentence = f"{edition_name(slug)} is for {allowed[0]} to {allowed[-1]} players, not for {players}."
        raise Refused(422, "bad-players", sentence)
    try:
        check_dealt(edition_rules(slug, players, switches))
    except SuitorsError as error:
        raise Refused(422, error.code, str(error)) from None
    return {
        "kind": "opened",
        "edition": slug,
        "players": players,
        "options": switches,
        "open": open_,
        "pace_ms": pace_ms,
        "rest_s": rest_s,
        "stand_in": check_bot(stand_in),
        "hints": hints,
        "host": host,
        "secret": fair.new_secret().hex(),
    }


def first_events(table: str, host: Person, given: NewTable) -> list[NewEvent]:
    """The events of a new table: it is opened, filled as asked, and started if asked."""
    event = opened(
        host.id,
        given.edition,
        given.players,
        given.options,
        open_=given.open,
        pace_ms=given.pace_ms,
        rest_s=given.rest_s,
        stand_in=given.stand_in,
        hints=given.hints,
    )
    draft, events = fold(table, [event]), [NewEvent(event)]
    for seat, occupant in enumerate(given.seats):
        if occupant is not None:
            events += _applied(draft, sit(draft, Caller(host, seat), occupant.name, occupant.bot))
    if given.start:
        events += start(draft, Caller(host))
    return events


def rematch_events(old: HostedTable, host: int) -> list[NewEvent]:
    """The events of the next table, opened by this person: everybody sits there as they did here."""
    event = opened(
        host,
        old.edition,
        len(old.seats),
        old.options,
        open_=old.open,
        pace_ms=old.pace_ms,
        rest_s=old.rest_s,
        stand_in=old.stand_in,
        hints=old.hints,
    )
    events = [NewEvent(event)]
    for number, seat in enumerate(old.seats):
        if seat.person is not None:
            events.append(new_event("sat", seat=number, person=seat.person, name=seat.name))
        else:
            events.append(new_event("bot-sat", seat=number, bot=seat.bot, name=seat.name))
    return events


def _applied(table: HostedTable, events: list[NewEvent]) -> list[NewEvent]:
    table.apply_new(events)
    return events
