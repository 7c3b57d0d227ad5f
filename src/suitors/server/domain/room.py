"""How much a table may hold: events in all, and changes at each seat that are no part of the match."""

from ..errors import Refused
from ..ops.limits import Limits
from ..storage.tables import Event
from .table import PLAYING, WAITING, HostedTable, NewEvent

CHANGES = frozenset({"sat", "left", "bot-sat", "word", "handed", "taken-back"})
"""Events that people could repeat without end."""


def check_changes(table: HostedTable, events: list[NewEvent], limits: Limits) -> None:
    """Refuse another change at a seat where there have been too many; the rest of the table goes on."""
    for event, _ in events:
        if _is_change(event):
            before = sum(_is_change(other) and other["seat"] == event["seat"] for other, _ in table.events)
            if before >= limits.changes_seat:
                raise Refused(429, "too-many-changes", f"Too much has been changed at seat {event['seat']} already.")


def is_full(table: HostedTable, limits: Limits) -> bool:
    """Whether the table can hold no more events; no match comes near that by itself."""
    return table.state >= limits.events_table and table.status in (WAITING, PLAYING)


def _is_change(event: Event) -> bool:
    """Whether this is a change that somebody wanted for a seat of their own, or an empty one."""
    return event["kind"] in CHANGES and not event.get("absent")
