"""Decisions as lines of text, with the belief of the seat that decided: what a server keeps of an analysis.

A line is a JSON object. Numbers are rounded to `DIGITS` that count, and whoever shows an analysis reads them from the
lines, so that one that was kept looks the same as one that is being made.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any, get_args, get_type_hints

from ..fast import available
from ..game import Play
from ..knowledge.belief import Belief, Chances
from ..notation import CARD_NAMES, CARD_OF
from ..rules import RULES_VERSION, Card
from ..view.match import View
from .accounts import Account, chance_before, make_account
from .data import Data, decision_data
from .decisions import ENGINE, Decision, Due, Record, Settings, judge_one
from .judgement import Mark, MoveValue
from .reasons import Guess, Reason

DIGITS = 6
"""Digits of every number, from the first that is not 0: what a lost match is still worth may be very little."""

KINDS = {kind.kind: kind for kind in get_args(Reason)}


@dataclass(frozen=True)
class HiddenCards:
    """The chances of hidden cards, as the seat that decided had to believe them."""

    hands: tuple[tuple[Chances, ...], ...]  # for each seat, those of each card that it holds
    next_draw: Chances | None
    aside: Chances | None


@dataclass(frozen=True)
class Judged:
    """A decision that was judged, and what its seat could know of hidden cards; a solo game has no such belief."""

    decision: Decision
    hidden: HiddenCards | None
    start: float  # the chance to win before anything was dealt, which takes long to work out for a solo game


def analysis_key(record: Record, budget_ms: float, seed: int) -> str:
    """What an analysis is kept under: a digest of all that it depends on, which the names of the players are not."""
    how = [ENGINE, RULES_VERSION, available(), budget_ms, seed]
    what = [record["edition"], len(record["players"]), record["options"], record["rounds"]]
    return sha256(json.dumps([how, what], sort_keys=True).encode()).hexdigest()


def judge_line(match: Play, due: Due, settings: Settings) -> str | None:
    """Judge a decision of a match; its line, or None where a solo game cannot be solved in time."""
    decision = judge_one(due, settings)
    if decision is None:
        return None
    belief = settings.valuer.belief(due.view) if isinstance(due.view, View) else None
    return write_line(Judged(decision, None if belief is None else hidden_cards(belief), chance_before(match)))


def make_accounts(match: Play, judged: Sequence[Judged | None]) -> tuple[Account, ...]:
    """What a match came to for each seat, by what is judged of it."""
    known = [each for each in judged if each is not None]
    start = known[0].start if known else 1 / len(match.players)
    decisions = [each.decision for each in known]
    return tuple(make_account(match, seat, decisions, start) for seat in range(len(match.players)))


def hidden_cards(belief: Belief) -> HiddenCards:
    """The chances of a belief."""
    return HiddenCards(belief.hands, belief.next_draw, belief.aside)


def write_line(judged: Judged) -> str:
    """A decision as a line."""
    moves = [[value.move, value.round, value.match, value.error] for value in judged.decision.moves]
    more = {"moves": moves, "hidden": _hidden_data(judged.hidden), "start": judged.start}
    data = {**decision_data(judged.decision), **more}
    return json.dumps(_rounded(data), separators=(",", ":"))


def read_line(text: str) -> Judged:
    """The decision of a line; a ValueError, KeyError or TypeError where it is none."""
    data = json.loads(text)
    hidden, start = data.pop("hidden"), data.pop("start")
    decision = Decision(
        **{
            **data,
            "moves": tuple(MoveValue(*value) for value in data["moves"]),
            "interval": tuple(data["interval"]),
            "mark": Mark(data["mark"]),
            "reason": None if data["reason"] is None else read_reason(data["reason"]),
        }
    )
    return Judged(decision, None if hidden is None else _read_hidden(hidden), start)


def read_reason(data: Mapping[str, Any]) -> Reason:
    """The reason that `data.reason_data` has written."""
    found: Reason = _read_facts(KINDS[data["kind"]], data)
    return found


def _read_facts(kind: type[Any], data: Mapping[str, Any]) -> Any:
    types = get_type_hints(kind)
    return kind(**{field.name: _read_fact(types[field.name], data[field.name]) for field in fields(kind)})


def _read_fact(kind: Any, given: Any) -> Any:
    """A fact of a type: cards have been written by their names, even where a number may stand instead."""
    if kind is Guess:
        return _read_facts(Guess, given)
    if kind in (Card, int) and isinstance(given, str):
        return CARD_OF[given]
    return tuple(CARD_OF[name] for name in given) if isinstance(given, list) else given


def _hidden_data(hidden: HiddenCards | None) -> Data | None:
    if hidden is None:
        return None
    return {
        "hands": [[_chances_data(card) for card in hand] for hand in hidden.hands],
        "next_draw": _chances_data(hidden.next_draw),
        "aside": _chances_data(hidden.aside),
    }


def _chances_data(chances: Chances | None) -> dict[str, float] | None:
    return None if chances is None else {CARD_NAMES[card]: chance for card, chance in chances.items()}


def _read_hidden(data: Data) -> HiddenCards:
    hands = tuple(tuple(_read_chances(card) or {} for card in hand) for hand in data["hands"])
    return HiddenCards(hands, _read_chances(data["next_draw"]), _read_chances(data["aside"]))


def _read_chances(data: Mapping[str, float] | None) -> Chances | None:
    return None if data is None else {CARD_OF[name]: chance for name, chance in data.items()}


def _rounded(data: Any) -> Any:
    """Plain data with its numbers rounded."""
    if isinstance(data, float):
        return float(f"{data:.{DIGITS}g}")
    if isinstance(data, dict):
        return {key: _rounded(value) for key, value in data.items()}
    return [_rounded(value) for value in data] if isinstance(data, list | tuple) else data
