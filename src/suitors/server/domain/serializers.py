"""What leaves the process: tables, events and scenes as plain data, made from views and named key by key."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import orjson

from ... import fair
from ...game import Match, Play
from ...lookup import Lookup
from ...notation import Style, style_of
from ...rules import Card, edition_data
from ...view.data import common_data, entry_data, own_data, scene_data, styled_entry, view_data
from ...view.match import StepRows
from ...view.memory import Entry
from ..errors import conflict
from .changes import OF_PLAY
from .replay import replay
from .table import CLOSED, OVER, UNDONE, DamagedTable, HostedTable, MatchPosition

IsAway = Callable[[int], bool]

Hands = tuple[tuple[Card, ...], ...]

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


MATCH_ONLY = OF_PLAY
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


def event_data(table: HostedTable, number: int, seat: int | None) -> dict[str, Any]:
    """An event as a seat sees it; of the match it has the entries of that seat's log, none where it was taken back."""
    data, position = _public_data(table, number)
    if position is not None:
        match, told = table.started_match, _step_rows(table, position)
        data["entries"] = [entry_data(match.rules, entry) for entry in told.seen_by(seat)] if told else []
    return data


def _public_data(table: HostedTable, number: int) -> tuple[dict[str, Any], MatchPosition | None]:
    """What everybody may know of an event, and where it lies in the match if it does."""
    event, position = table.events[number]
    data = {"state": number + 1, "kind": event["kind"], **{key: event[key] for key in PUBLIC[event["kind"]]}}
    if "edition" in data:
        data["edition"] = edition_data(data["edition"])
    if position is not None:
        data["round"] = position.round
    return data, position


def _step_rows(table: HostedTable, position: MatchPosition) -> StepRows | None:
    """What was told of an event of the match; nothing where it was taken back."""
    return None if position.step == UNDONE else table.started_match.step_rows(position.round, position.step)


def news(table: HostedTable, since: int, seats: Iterable[int | None], is_away: IsAway) -> dict[int | None, bytes]:
    """All that each of the seats has to be told after a state: the events since, who sits where, and the scene.

    What seats share is encoded once. That is why JSON is put together from parts here.
    """
    seats = list(seats)
    shared = {
        "type": "news",
        "state": table.state,
        "status": table.status,
        "table": table_data(table, is_away) if seating_changed(table, since) else None,
    }
    common, own = _scenes(table, seats)
    head = b'%b,"scene":%b' % (orjson.dumps(shared)[:-1], common)
    told = _all_parts([_event_parts(table, number, seats) for number in range(since, table.state)], seats)
    return {seat: b"".join((head, own[seat], b',"events":[', told[seat], b"]}")) for seat in seats}


def _all_parts(events: list[dict[int | None, bytes]], seats: Iterable[int | None]) -> dict[int | None, bytes]:
    """Some events, which nearly always are one, as each of the seats sees them."""
    if len(events) == 1:
        return events[0]
    return {seat: b",".join([parts[seat] for parts in events]) for seat in seats}


def _event_parts(table: HostedTable, number: int, seats: Iterable[int | None]) -> dict[int | None, bytes]:
    """An event as each of the seats sees it, as JSON."""
    data, position = _public_data(table, number)
    public = orjson.dumps(data)
    if position is None:
        return dict.fromkeys(seats, public)
    told, head = _step_rows(table, position), public[:-1]
    if told is None:
        return dict.fromkeys(seats, _with_entries(head, ()))
    json = ENTRIES[style_of(table.started_match.rules)]
    outside = [json[entry] for entry in told.outside]
    parts = dict.fromkeys(seats, _with_entries(head, outside))
    if told.audience:
        inside = [json[entry] for entry in told.inside]
        for seat in filter(told.has_secrets_of, seats):
            parts[seat] = _with_entries(head, told.choose(seat, inside, outside))
    return parts


def _with_entries(head: bytes, entries: Iterable[bytes]) -> bytes:
    """An event, whose JSON lacks its end, with the entries of its log."""
    return b'%b,"entries":[%b]}' % (head, b",".join(entries))


def _entry_json(style: Style, entry: Entry) -> bytes:
    return orjson.dumps(styled_entry(style, entry))


ENTRIES = tuple([Lookup(partial(_entry_json, style), 1 << 14) for style in Style])
"""Entries of the log as JSON, by the style of their moves."""


def seating_changed(table: HostedTable, since: int) -> bool:
    """Whether more has happened since a state than deals and moves."""
    return table.changed.beside > since


def _scenes(table: HostedTable, seats: Sequence[int | None]) -> tuple[bytes, dict[int | None, bytes]]:
    """What lies on the table as JSON: how it begins for all, and how it goes on for each; null before the start."""
    match = table.match
    if match is None or not seats:
        return b"null", dict.fromkeys(seats, b"")
    if isinstance(match, Match):
        facts, parts = match.current_facts(seats)
        return b"%b," % orjson.dumps(common_data(facts))[:-1], {own[0]: _own_json(*own) for own in parts}
    return b"{", {seat: orjson.dumps(scene_data(view))[1:] for seat, view in match.current_views(seats).items()}


def _own_json(seat: int | None, known: Hands, under: Mapping[int, Card], legal: tuple[str, ...]) -> bytes:
    """How a scene goes on for a seat. Where that is but a hand or two, many others have had the same."""
    if under:
        return orjson.dumps(own_data(seat, known, under, legal))[1:]
    hands = HANDS[seat, known]
    return hands.replace(NO_MOVES, b'"legal":%b}' % orjson.dumps(legal)) if legal else hands


NO_MOVES = b'"legal":[]}'
"""How a scene ends in which this seat decides nothing."""


def _hands_json(seat_known: tuple[int | None, Hands]) -> bytes:
    seat, known = seat_known
    return orjson.dumps(own_data(seat, known, {}, ()))[1:]


HANDS = Lookup(_hands_json, 1 << 13)
"""How scenes go on for seats that know these hands, where they decide nothing."""


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
