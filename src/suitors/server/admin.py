"""What an operator can do on a running server. Nothing that is told here is a card, a secret or a key."""

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..rules import edition_data
from .domain.bans import read_subject
from .domain.commands import new_event
from .domain.loaded import LoadedTable
from .domain.names import can_be_shown
from .domain.table import PLAYING, WAITING, DamagedTable, HostedTable, NewEvent
from .errors import Refused, conflict, invalid, missing
from .ops.audit import AuditLog
from .server import Server
from .storage.tables import Summary

log = logging.getLogger(__name__)

MOST_TABLES = 1000
"""Tables in one list."""

LONGEST_TEXT = 280
"""Letters of an announcement, or of the reason for a ban."""


class Given(BaseModel):
    """What an action is given."""

    model_config = ConfigDict(extra="forbid")


class Nothing(Given):
    """An action that needs nothing."""


class Listed(Given):
    """Which tables to list."""

    status: Literal["waiting", "playing", "over", "closed", "damaged"] | None = None
    limit: int = Field(100, ge=1, le=MOST_TABLES)


class OfTable(Given):
    """A table."""

    table: str = Field(max_length=64)


class OfSubject(Given):
    """An address, a network or a person."""

    subject: str = Field(max_length=64)


class Banned(OfSubject):
    """Somebody who is to be banned, and why."""

    reason: str = Field("", max_length=LONGEST_TEXT)


class Renamed(Given):
    """A person and their new name."""

    person: int = Field(ge=1, le=2**53)
    name: str = Field(max_length=200)


class Announced(Given):
    """What all pages are to show; an empty text ends that."""

    text: str = Field(max_length=LONGEST_TEXT)


class Drained(Given):
    """Whether new tables are refused."""

    on: bool = True


async def list_tables(server: Server, given: Listed) -> dict[str, Any]:
    """The tables of the store, the last used first."""
    found = await server.store.tables.list_all(given.status, given.limit)
    return {"tables": [_summary_data(summary) for summary in found]}


def _summary_data(summary: Summary) -> dict[str, Any]:
    return {
        "id": summary.id,
        "edition": edition_data(summary.edition),
        "status": summary.status,
        "open": summary.open,
        "host": summary.host,
        "updated": summary.updated,
    }


async def inspect_table(server: Server, given: OfTable) -> dict[str, Any]:
    """A table: who sits there, how far it is, who looks on."""
    try:
        loaded = await server.tables.load(given.table)
    except DamagedTable as damage:
        return {"id": given.table, "status": "damaged", "why": str(damage)}
    await loaded.settled()
    table = loaded.table
    return {
        "id": table.id,
        "edition": edition_data(table.edition),
        "open": table.open,
        "status": table.status,
        "state": table.state,
        "host": table.host,
        "round": len(table.match.rounds) if table.match else 0,
        "turn": table.match.turn if table.match else None,
        "sockets": len(loaded.subscribers),
        "seats": [_seat_data(loaded, number) for number in range(len(table.seats))],
    }


def _seat_data(loaded: LoadedTable, number: int) -> dict[str, Any]:
    seat = loaded.table.seats[number]
    away = seat.person is not None and loaded.is_away(seat.person)
    return {"seat": number, "name": seat.name, "person": seat.person, "bot": seat.bot, "away": away}


async def close_table(server: Server, given: OfTable) -> dict[str, Any]:
    """Close a table for good, whatever happens there."""
    try:
        await server.tables.change(await server.tables.load(given.table), _close)
    except DamagedTable as damage:
        await server.tables.close_damaged(damage)
    return {}


def _close(table: HostedTable) -> list[NewEvent]:
    if table.status not in (WAITING, PLAYING):
        raise conflict("over", f"The table is {table.status} already.")
    return [new_event("closed")]


async def ban(server: Server, given: Banned) -> dict[str, Any]:
    """Answer an address, a network or a person no longer; their sockets end."""
    added = await server.bans.add(read_subject(given.subject), _text(given.reason, "A reason"))
    server.drop_banned()
    return vars(added)


async def unban(server: Server, given: OfSubject) -> dict[str, Any]:
    """Lift a ban."""
    subject = read_subject(given.subject)
    await server.bans.remove(subject)
    return {"subject": subject}


async def list_bans(server: Server, given: Nothing) -> dict[str, Any]:
    """All bans."""
    del given
    return {"bans": [vars(each) for each in server.bans.list()]}


async def rename(server: Server, given: Renamed) -> dict[str, Any]:
    """Give a person another name, at the tables to come."""
    person = await server.people.find_number(given.person)
    if person is None:
        raise missing("person")
    renamed = await server.people.rename(person, given.name)
    return {"person": renamed.id, "name": renamed.name}


async def announce(server: Server, given: Announced) -> dict[str, Any]:
    """Show a text on all pages until it is another one, or the server ends."""
    server.announce(_text(given.text, "An announcement"))
    return {"text": server.announcement}


def _text(text: str, what: str) -> str:
    """A text on one line that can be shown, or none."""
    text = " ".join(text.split())
    if text and not can_be_shown(text, LONGEST_TEXT):
        raise Refused(
            422, "bad-request", f"{what} has at most {LONGEST_TEXT} letters, numbers or signs, none invisible."
        )
    return text


async def drain(server: Server, given: Drained) -> dict[str, Any]:
    """Open no new tables any more, or again; those that there are go on."""
    server.draining = given.on
    playing = [each for each in server.tables.loaded.values() if each.table.status == PLAYING]
    return {"draining": given.on, "playing": len(playing)}


async def stop(server: Server, given: Nothing) -> dict[str, Any]:
    """End the server in order, when this has been answered."""
    del server, given
    answering = asyncio.current_task()
    assert answering is not None
    answering.add_done_callback(lambda _: signal.raise_signal(signal.SIGTERM))
    return {}


Action = Callable[[Server, Any], Awaitable[dict[str, Any]]]
ACTIONS: dict[str, tuple[type[Given], Action]] = {
    "tables": (Listed, list_tables),
    "table": (OfTable, inspect_table),
    "close": (OfTable, close_table),
    "ban": (Banned, ban),
    "unban": (OfSubject, unban),
    "bans": (Nothing, list_bans),
    "rename": (Renamed, rename),
    "announce": (Announced, announce),
    "drain": (Drained, drain),
    "stop": (Nothing, stop),
}
"""All that can be asked for, each with what it is given."""


class Admin:
    """Does what comes through the admin socket, and notes it in the audit log."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.audit = AuditLog(server.settings.data)

    async def handle(self, request: dict[str, Any], user: int | None) -> dict[str, Any]:
        """Do what a request asks for; the answer, or a Refused."""
        name = request.pop("do", None)
        if not isinstance(name, str) or name not in ACTIONS:
            raise Refused(422, "bad-request", f"`do` is one of {', '.join(ACTIONS)}.")
        outcome = "broken"
        try:
            answer = await self._act(name, request)
            outcome = "ok"
        except Refused as refusal:
            outcome = refusal.code
            raise
        finally:
            await self._note(user=user, do=name, given=request, outcome=outcome)
        return answer

    async def _act(self, name: str, request: dict[str, Any]) -> dict[str, Any]:
        model, action = ACTIONS[name]
        try:
            given = model.model_validate(request)
        except ValidationError as error:
            raise Refused(422, "bad-request", invalid(error.errors())) from None
        return await action(self.server, given)

    async def _note(self, **line: Any) -> None:
        try:
            await asyncio.to_thread(self.audit.write, **line)
        except OSError as error:
            log.error("audit-failed", extra={"data": {"why": str(error), "do": line["do"]}})
            sentence = f"The audit log could not be written ({error}); the action was: {line['outcome']}."
            raise Refused(503, "store-failed", sentence) from None
