"""When the parts of a table were last changed: a request that hangs on a part must have seen that."""

from dataclasses import dataclass, field
from typing import Literal

from ..storage.tables import Event

OF_PLAY = frozenset({"dealt", "moved", "taken-back"})
OF_MATCH = OF_PLAY | {"started"}
OF_SEATING = frozenset({"sat", "left", "bot-sat"})
"""The events of a match that runs, those by which it goes on, and those by which people and bots come and leave."""

Part = Literal["match", "seating", "seat", "decision"]
"""What a command may hang on: how far the match has come, who sits where, who sits in the seat that it is about, or
the last decision of that seat.
"""


@dataclass
class LastChanges:
    """The states in which the parts of a table were last changed."""

    match: int = 0  # started, dealt or moved
    beside: int = 0  # more happened than deals and moves
    seating: int = 0  # somebody sat down or left
    seats: dict[int, int] = field(default_factory=dict)  # the same of each seat
    decisions: dict[int, int] = field(default_factory=dict)  # the last decision of each seat was made, or taken back

    def note(self, event: Event, state: int) -> None:
        """Note which part an event has changed; the table is in this state now."""
        kind = event["kind"]
        if kind in OF_MATCH:
            self.match = state
            if "seat" in event:
                self.decisions[event["seat"]] = state
        if kind not in OF_PLAY:
            self.beside = state
        if kind in OF_SEATING:
            self.seating = self.seats[event["seat"]] = state

    def last(self, part: Part | None, seat: int) -> int:
        """The state in which a part was last changed, of this seat if it is one's; 0 for no part."""
        match part:
            case "match":
                return self.match
            case "seating":
                return self.seating
            case "seat":
                return self.seats.get(seat, 0)
            case "decision":
                return self.decisions.get(seat, 0)
        return 0
