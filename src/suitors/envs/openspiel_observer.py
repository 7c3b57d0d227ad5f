"""Tensors and strings of OpenSpiel's states: what a seat knows now, or all that it has seen (perfect recall)."""

from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel

from ..lab.acting import relative
from ..lab.space import PHASES, SEAT, TABLE, parts
from ..notation import CARD_NAMES, write_move
from ..rules import NO_CARD, NOBODY, Card, Edition, Event
from ..rules.names import EVENTS, Content, Target
from ..view.match import entries_for
from ..view.memory import Entry
from .openspiel_state import Step, Terms

COLUMNS = ("event", "actor", "target", "what")
"""What a tensor of perfect recall says of each thing seen, all counted from 1; 0 is nothing, or hidden.

`what` is a card's place among those of the deck, or of a move the number of its action.
"""


class RoundObserver:
    """Writes what one seat knows into `tensor`, whose parts are in `dict`."""

    def __init__(self, of: Terms, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"Observers of these games have no parameters, such as {params!r:.60}.")
        if iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not iig_obs_type.public_info:
            raise ValueError("Observers of these games see what one player does: the public part and the own one.")
        self.terms, self.recalls = of, iig_obs_type.perfect_recall
        size = of.blank.space.size
        self.tensor = np.zeros(size + (len(COLUMNS) * of.entries if self.recalls else 0), np.float32)
        self.dict = {"observation": self.tensor[:size]}
        if self.recalls:
            self.dict["seen"] = self.tensor[size:].reshape(of.entries, len(COLUMNS))

    def set_from(self, state: Any, player: int) -> None:
        """Write what a seat knows in a state; nothing before the deal."""
        single = state.progress.single
        if single is None:
            self.tensor.fill(0)
            return
        self.dict["observation"][:] = single.observe(player)
        if self.recalls:
            self._write_seen(state.progress.steps, player)

    def _write_seen(self, steps: list[Step], player: int) -> None:
        """Write what the seat has seen, in order; of a last decision as much as there is room for."""
        seen, space = self.tensor[len(self.dict["observation"]) :], self.terms.blank.space
        numbers = [number for step in steps for number in step_numbers(step, player, space.players, space.kind)]
        count = min(len(numbers), len(seen))
        seen[:count] = numbers[:count]
        seen[count:] = 0

    def string_from(self, state: Any, player: int) -> str:
        """What a seat knows, or all that it has seen, as text."""
        single = state.progress.single
        if single is None:
            return f"{player}"
        if not self.recalls:
            return f"{player}: {observation_text(self.terms.rules, single.observe(player).tolist())}"
        return "; ".join(
            [f"{player}", *(step_text(self.terms.rules, step[0], player) for step in state.progress.steps)]
        )


@lru_cache(maxsize=1 << 14)
def step_numbers(step: Step, player: int, players: int, kind: tuple[int, ...]) -> tuple[int, ...]:
    """What a seat sees of a deal or an action, by COLUMNS."""
    rows, action = step
    found = list[int]()
    for event, actor, target, card in entries_for(rows, player):
        what = 0
        if card is not None and card != NO_CARD and EVENTS[event].content != Content.NOTHING:
            what = (action if event == Event.MOVED else kind[card]) + 1
        found += [event + 1, _seat(actor, player, players), _target(event, target, player, players), what]
    return tuple(found)


def _seat(seat: int, player: int, players: int) -> int:
    return 0 if seat == NOBODY else relative(seat, player, players) + 1


def _target(event: Event, target: int, player: int, players: int) -> int:
    """The target of an event: a seat, what a token is for, or how the round ended."""
    kind = EVENTS[event].target
    if kind == Target.SEATS:
        return 0
    return target + 1 if kind in (Target.AWARD, Target.END) else _seat(target, player, players)


@lru_cache(maxsize=1 << 14)
def step_text(rules: Edition, rows: tuple[int, ...], player: int) -> str:
    """What a seat sees of a deal or an action."""
    return ", ".join(_entry_text(rules, entry) for entry in entries_for(rows, player))


def _entry_text(rules: Edition, entry: Entry) -> str:
    event, actor, target, card = entry
    words = [event.name.lower().replace("_", "-"), "" if actor == NOBODY else str(actor)]
    if EVENTS[event].target != Target.NOBODY:
        words.append(str(target))
    if EVENTS[event].content == Content.MOVE:
        words.append("?" if card is None else write_move(rules, card))
    elif EVENTS[event].content == Content.CARD:
        words.append("?" if card is None else CARD_NAMES[card] if card != NO_CARD else "none")
    return " ".join(word for word in words if word)


def observation_text(rules: Edition, numbers: list[int]) -> str:
    """The numbers of an observation in words: each part that is not all zeros."""
    found = list[str]()
    cards = [CARD_NAMES[card] for card in Card if rules.copies[card]]
    for part in parts(rules):
        values = numbers[part.start : part.start + part.length]
        labels = _labels(part.name, cards)
        words = [name if value == 1 else f"{value} {name}" for name, value in zip(labels, values, strict=True) if value]
        if words:
            found.append(f"{part.name} ({', '.join(words)})")
    return " ".join(found)


def _labels(part: str, cards: list[str]) -> list[str]:
    """What each number of a part stands for."""
    if part == "phase":
        return [phase.name.lower() for phase in PHASES]
    if part == "table":
        return list(TABLE)
    return list(SEAT) if part.startswith("seat") and part[-1].isdigit() else cards
