"""What leaves the process: tables, events and scenes as plain data, made from views and named key by key."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson

from ... import fair
from ...game import Play
from ...rules import edition_data
from ...view.data import common_data, entry_data, scene_data, view_data
from ...view.match import View
from ...view.memory import Entry
from ...view.solo import SoloView
from ..errors import conflict
from .replay import replay
from .table import CLOSED, OVER, UNDONE, DamagedTable, HostedTable

IsAway = Callable[[int], bool]
Known = dict[tuple[Entry, ...], list[dict[str, Any]]]
"""The entries of a step as data, by the step as somebody has seen it."""

PUBLIC: dict[str, tuple[str, ...]] = {
    "opened": ("edition", "players", "options", "open", "pace_ms", "rest_s"),
    "sat": ("seat", "name"),
    "left": ("seat",),
    "bot-sat": ("seat", "bot", "name"),
    "word": ("seat", "word"),
    "started": (),
    "dealt": ("first", "words", "seal"),
    "moved": ("seat", "by"),
    "taken-back": ("seat", "moves"),
    "hinted": ("seat",),
    "ready": ("seat",),
    "handed": ("seat", "bot", "absent"),
    "returned": ("seat",),
    "rematch": ("table",),
    "closed": (),
}
"""What everybody who may see the table may know of an event. Cards come only from the entries of a view's log."""

MATCH_ONLY = frozenset({"dealt", "moved", "taken-back"})
"""Events that change the match and not who sits where."""


def table_data(table: HostedTable, is_away: IsAway) -> dict[str, Any]:
    """The table as everybody sees it who may."""
    return {
        "id": table.id,
        "edition": edition_data(table.edition),
        "options": dict(table.options),
        "open": table.open,
        "pace_ms": table.pace_ms,
        "rest_s": table.rest_s,
        "stand_in": table.stand_in,
        "hints": table.hints,
        "status": table.status,
        "state": table.state,
        "seats": [seat_data(table, number, is_away) for number in range(len(table.seats))],
        "rules": table.rules,
        "commitment": table.commitment,
        "rematch": table.rematch,
    }


def seat_data(table: HostedTable, number: int, is_away: IsAway) -> dict[str, Any]:
    """A seat: whose it is and who plays for it."""
    seat = table.seats[number]
    kind = "person" if seat.person is not None else "bot" if seat.bot else "empty"
    return {
        "seat": number,
        "kind": kind,
        "name": seat.name,
        "bot": seat.bot,
        "away": seat.person is not None and is_away(seat.person),
        "word": seat.word,
        "ready": seat.ready,
    }


def event_data(table: HostedTable, number: int, seat: int | None, known: Known | None = None) -> dict[str, Any]:
    """An event as a seat sees it; of the match it has the entries of that seat's log, none where it was taken back.

    `known` keeps them for other seats that have seen the very same.
    """
    event, position = table.events[number]
    data = {"state": number + 1, "kind": event["kind"], **{key: event[key] for key in PUBLIC[event["kind"]]}}
    if "edition" in data:
        data["edition"] = edition_data(data["edition"])
    if position is not None:
        match, known = table.started_match, {} if known is None else known
        undone = position.step == UNDONE
        entries = () if undone else match.step_log(position.round, position.step, seat)
        if entries not in known:
            known[entries] = [entry_data(match.rules, entry) for entry in entries]
        data["round"] = position.round
        data["entries"] = known[entries]
    return data


def news(table: HostedTable, since: int, seats: Iterable[int | None], is_away: IsAway) -> dict[int | None, bytes]:
    """All that each of the seats has to be told after a state: the events since, who sits where, and the scene."""
    shared = {
        "type": "news",
        "state": table.state,
        "status": table.status,
        "table": table_data(table, is_away) if seating_changed(table, since) else None,
    }
    messages: dict[int | None, bytes] = {}
    known: Known = {}
    for seat, scene in scenes(table, seats).items():
        events = [event_data(table, number, seat, known) for number in range(since, table.state)]
        messages[seat] = orjson.dumps({**shared, "events": events, "scene": scene})
    return messages


def seating_changed(table: HostedTable, since: int) -> bool:
    """Whether more has happened since a state than deals and moves."""
    return any(event["kind"] not in MATCH_ONLY for event, _ in table.events[since:])


def scenes(table: HostedTable, seats: Iterable[int | None]) -> dict[int | None, dict[str, Any] | None]:
    """What lies on the table, as each of the seats sees it; nothing before the start."""
    if table.match is None:
        return dict.fromkeys(seats)
    views: Mapping[int | None, View | SoloView] = table.match.current_views(seats)
    common = common_data(next(iter(views.values()))) if views else {}
    return {seat: scene_data(view, common) for seat, view in views.items()}


def whole_view(table: HostedTable, seat: int | None) -> dict[str, Any]:
    """All that a seat knows, its log included."""
    return view_data(table.started_match.view(seat))


def record(table: HostedTable) -> dict[str, Any]:
    """The record of a finished match, with all that its shuffle hid."""
    if table.status not in (OVER, CLOSED) or table.match is None:
        raise conflict("not-over", "The record is opened when the match is over.")
    return _open_record(table)


def damaged_record(damage: DamagedTable) -> dict[str, Any]:
    """The same of a match that cannot be played on, up to what is wrong with it."""
    return {**_open_record(damage.table), "damaged": str(damage)}


def _open_record(table: HostedTable) -> dict[str, Any]:
    data = table.started_match.record()
    rounds = [
        {**round_, **dealt, **_hints(table, number)}
        for number, (round_, dealt) in enumerate(zip(data["rounds"], table.shuffles, strict=True))
    ]
    shuffle = {"format": fair.FORMAT, "table": table.id, "commitment": table.commitment, "secret": table.secret.hex()}
    taken_back = sum(event["kind"] == "taken-back" for event, _ in table.events)
    told = {"taken_back": taken_back} if taken_back else {}
    return {**data, "rules": table.rules, **told, "rounds": rounds, "shuffle": shuffle}


def _hints(table: HostedTable, round_: int) -> dict[str, list[int]]:
    """The moves of a round before which somebody asked for a hint."""
    moves = len(table.started_match.rounds[round_].moves)
    found = sorted(ply for number, ply in table.hinted if number == round_ and ply < moves)
    return {"hints": found} if found else {}


def replay_steps(table: HostedTable, seat: int | None) -> list[dict[str, Any]]:
    """A finished match step by step through the eyes of a seat."""
    if table.status != OVER:
        raise conflict("not-over", "A match can be replayed when it is over.")
    return [_replay_step(position, seat) for position in replay(table.started_match)]


def _replay_step(match: Play, seat: int | None) -> dict[str, Any]:
    last = len(match.rounds) - 1
    entries = match.step_log(last, len(match.rounds[last].rows) - 1, seat)
    return {
        "round": last,
        "entries": [entry_data(match.rules, entry) for entry in entries],
        "scene": scene_data(match.view(seat)),
    }
