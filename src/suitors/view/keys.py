"""A short text for all that a view says: equal for equal information, and the same in every version of the program."""

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..rules import SWITCHES, edition_data

if TYPE_CHECKING:
    from .match import View
    from .solo import SoloView

FORMAT = "suitors-key/1"

FIELDS = ("event", "seat", "seats", "target", "for", "end", "by", "own", "place", "move", "card")
"""What stands in an entry of a log; an entry that gets more in a later version keeps its key."""


def view_key(view: "View | SoloView") -> str:
    """The key of a view: what is played, whose eyes these are, and all that they have seen; no names of players."""
    from .data import entry_data  # noqa: PLC0415 - data.py reads and writes whole views

    told = [[_plain(entry_data(view.rules, entry)) for entry in round_] for round_ in view.log]
    options = {key: value for key, value in view.options.items() if value != SWITCHES[key][0]}
    content = [FORMAT, edition_data(view.edition), options, view.rules.players, view.seat, told]
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _plain(entry: dict[str, Any]) -> list[Any]:
    return [entry.get(field) for field in FIELDS]
