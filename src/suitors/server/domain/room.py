"""How much a table may hold: events in all, and changes at each seat that are no part of the match."""

from ..errors import Refused
from ..ops.limits import Limits
from ..storage.tables import Event
from .table import PLAYING, WAITING, HostedTable, NewEvent

CHANGES = frozenset({"sat", "left", "bot-sat", "word", "handed", "taken-back"})
"""Events that people could repeat without end."""


def check_changes(table: HostedTable, events: list[NewEvent], limits: Limits) -> None:
    """Refuse another change at a seat where there have been too many; the rest of the table goes on.

    The host's are counted apart: nobody else can keep the table from its start.
    """
    for event, _ in events:
        if _is_change(event):
            kin = [other for other, _ in table.events if _is_change(other) and other["seat"] == event["seat"]]
            if sum(_is_by(table.host, other) == _is_by(table.host, event) for other in kin) >= limits.changes_seat:
                raise Refused(429, "too-many-changes", f"Too much has been changed at seat {event['seat']} already.")


def is_full(table: HostedTable, limits: Limits) -> bool:
    """Whether the table can hold no more events; no match comes near that by itself."""
    return table.state >= limits.events_table and table.status in (WAITING, PLAYING)


def _is_change(event: Event) -> bool:
    """Whether this is a change that somebody wanted for a seat of their own, or an empty one."""
    return event["kind"] in CHANGES and not event.get("absent")


def _is_by(person: int, event: Event) -> bool:
    """Whether this person has freed a seat or put a bot there."""
    return event.get("by") == person
