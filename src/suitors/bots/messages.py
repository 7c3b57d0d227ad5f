"""Version 2 of the bot protocol as data: what a program is told of a match (docs/bots.md lists every message).

All of it is made from the views of the program's own seat, key by key, and from nothing else.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from ..action_table import Actions, actions
from ..notation import CARD_NAMES
from ..rules import Aim, Award, Card, Edition, End, Event, Naming, edition_data
from ..rules.editions import NAMES
from ..view.data import END_NAMES, entry_data, scene_data
from ..view.match import View, seats
from ..view.memory import Entry
from ..view.solo import SoloView

Message = dict[str, Any]

TABLE_KEYS = (
    "round", "phase", "active", "tokens", "playing", "standing", "protected", "held", "tied", "hand", "known", "piles",
    "deck", "aside", "face_up", "under", "mark", "bettor", "favourite", "legal",
)  # fmt: skip
SOLO_KEYS = (
    "phase", "hand", "agent", "calling", "queue", "pile", "discards", "protected", "guarded", "attacker", "legal",
)  # fmt: skip
"""The keys of a view that a question has; the others are constant, and stand in the message `match`."""


class SeatMessages:
    """What one seat has been told of a match so far, and what it is told next."""

    def __init__(self, view: View | SoloView, *, numbered: bool = False) -> None:
        self._match = _identity(view)
        self._log: tuple[tuple[Entry, ...], ...] = ()  # what has been told
        self._actions: Actions | None = actions(view.edition, len(view.players)) if numbered else None

    def belongs_to(self, view: View | SoloView) -> bool:
        """Whether the view goes on from what has been told."""
        told, log = self._log, view.log
        return (
            _identity(view) == self._match
            and len(told) <= len(log)
            and all(log[k][: len(entries)] == entries for k, entries in enumerate(told))
        )

    def match(self, view: View | SoloView) -> Message:
        """The match begins: who plays what, with which cards."""
        return {
            "type": "match",
            "edition": edition_data(view.edition),
            "players": list(view.players),
            "seat": view.seat,
            "options": dict(view.options),
            "rules": rules_data(view.rules),
            **({} if self._actions is None else {"actions": list(self._actions.texts)}),
        }

    def question(self, view: View | SoloView, budget_ms: float | None) -> list[Message]:
        """The rounds that have ended and begun since the last question, and the question."""
        news, log = self._news(view)
        scene = scene_data(view)
        question = {
            "type": "question",
            **{key: scene[key] for key in (SOLO_KEYS if isinstance(view, SoloView) else TABLE_KEYS)},
            "log": log,
            "budget_ms": budget_ms,
        }
        if self._actions is not None:
            question["actions"] = [self._actions.id(view, move) for move in view.legal]
        return [*news, question]

    def match_over(self, view: View | SoloView, winners: Sequence[int], forfeit: Sequence[int]) -> list[Message]:
        """What happened since the last question, and how the match ended."""
        news, log = self._news(view)
        over = {
            "type": "match-over",
            "winners": list(winners),
            "tokens": _tokens(view, len(view.log)),
            "forfeit": list(forfeit),
            "log": log,
        }
        return [*news, over]

    def _news(self, view: View | SoloView) -> tuple[list[Message], list[Message]]:
        """Rounds that have begun or ended since the last time, and the new log of the one that is being played."""
        news: list[Message] = []
        rest: list[Message] = []
        for number, entries in enumerate(view.log):
            known = len(self._log[number]) if number < len(self._log) else -1
            if known < 0:
                news.append(_round(view, number))
            log = [entry_data(view.rules, entry) for entry in entries[max(known, 0) :]]
            if not any(entry.event == Event.ENDED for entry in entries):
                rest = log
            elif log:
                news.append(_round_over(view, number, log))
        self._log = view.log
        return news, rest


def _identity(view: View | SoloView) -> tuple[object, ...]:
    return view.edition, view.players, view.options, view.seat


def _round(view: View | SoloView, number: int) -> Message:
    begun = next(entry for entry in view.log[number] if entry.event == Event.ROUND)
    return {
        "type": "round",
        "round": number,
        "first": begun.actor,
        "seats": list(seats(begun.target)),
        "tokens": _tokens(view, number),
    }


def _round_over(view: View | SoloView, number: int, log: list[Message]) -> Message:
    entries = view.log[number]
    ended = next(entry for entry in entries if entry.event == Event.ENDED)
    won = {entry.actor for entry in entries if entry.event == Event.TOKEN and entry.target == Award.ROUND}
    return {
        "type": "round-over",
        "round": number,
        "end": END_NAMES[End(ended.target)],
        "winners": sorted(won),
        "tokens": _tokens(view, number + 1),
        "log": log,
    }


def _tokens(view: View | SoloView, rounds: int) -> list[int]:
    """The tokens that each seat has won in the first rounds."""
    winners = [entry.actor for told in view.log[:rounds] for entry in told if entry.event == Event.TOKEN]
    return [winners.count(seat) for seat in range(len(view.players))]


def rules_data(rules: Edition) -> Message:
    """The deck and the rules of an edition, so that a program needs no table of its own."""
    return {
        "goal": rules.goal,
        "deck": rules.cards,
        "aside": rules.aside,
        "face_up": rules.face_up,
        "spare": bool(rules.spare),
        "sums": bool(rules.sums),
        "tie_breaks": bool(rules.tie_breaks),
        "by_number": bool(rules.by_number),
        "cards": {CARD_NAMES[card]: _card_data(rules, card) for card in Card if rules.copies[card]},
    }


def _card_data(rules: Edition, card: Card) -> Message:
    aim = Aim(rules.aim[card]).name.lower()
    data: Message = {"value": rules.value[card], "copies": rules.copies[card], "aim": aim}
    names = list(_names(rules, card))
    return {**data, "names": names} if names else data


def _names(rules: Edition, card: Card) -> Iterator[str]:
    """What the card may name, as it is written in moves."""
    by_number = rules.by_number or rules.naming[card] == Naming.NUMBER
    for k in range(rules.name_count[card]):
        name = rules.names[card * NAMES + k]
        yield str(name) if by_number else CARD_NAMES[name]
