"""Replays: a finished game step by step, through any seat's eyes or with all cards open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...game import Match, Play, Solo
from ...pages import Preferences
from ...pages.board import Occupant, board
from ...pages.positions import hands_of
from ...pages.solo_board import solo_board
from ...rules import Refusal
from ...view.match import View, as_cards, split_rows
from ...words.editions import edition_title
from ..domain.replay import at_step, count_steps

ALL = "all"
"""The eyes that see every card."""


@dataclass(frozen=True)
class ReplayStep:
    """One step of a replay, as a page shows it."""

    path: str
    step: int
    last: int
    eyes: str
    seats: tuple[str, ...]  # whose eyes there are
    solo: bool
    hinted: bool  # the last move was made after a hint
    shared: bool  # it is a kept record, which anybody with the link may see
    mine: bool  # it is a table where the visitor sits, and may share it


@dataclass(frozen=True)
class ReplayRequest:
    """Which step of which replay is asked for, and through whose eyes."""

    path: str
    step: int
    eyes: str
    shared: bool = False
    mine: bool = False
    hinted: frozenset[tuple[int, int]] = frozenset()  # the decisions with a hint: round and index of the move


@dataclass(frozen=True)
class ReplayInfo:
    """What the templates of a table ask for, where the table is a replay."""

    id: str
    title: str
    edition: str
    sums: bool
    state: int = 0
    status: str = "replay"
    yours: tuple[int, ...] = ()
    seat: int | None = None
    covered: None = None
    pass_to: None = None
    follower: None = None
    shuffle: None = None
    stands: tuple[()] = ()
    switches: tuple[()] = ()


def replay_context(match: Play, key: str, asked: ReplayRequest, preferences: Preferences) -> dict[str, Any]:
    """All that the page of one step needs."""
    last, eyes = count_steps(match) - 1, asked.eyes
    step = min(max(asked.step, 0), last)
    position = at_step(match, step)
    solo = isinstance(position, Solo)
    if not solo and eyes != ALL and eyes not in {"none", *map(str, range(len(match.players)))}:
        eyes = ALL
    info = ReplayInfo(
        id=key,
        title=edition_title(match.edition, preferences.lang),
        edition=match.edition,
        sums=bool(match.rules.sums),
    )
    shown = ReplayStep(
        path=asked.path,
        step=step,
        last=last,
        eyes=eyes,
        seats=tuple(match.players),
        solo=solo,
        hinted=(len(position.rounds) - 1, len(position.rounds[-1].moves) - 1) in asked.hinted,
        shared=asked.shared,
        mine=asked.mine,
    )
    return {
        "edition": match.edition,
        "table": info,
        "leaf": shown,
        "board": _board(position, eyes, preferences),
        "occupants": _occupants(match.players),
    }


def _occupants(players: Sequence[str]) -> list[Occupant]:
    return [Occupant(name) for name in players]


def _board(position: Play, eyes: str, preferences: Preferences) -> Any:
    """What lies on the table at a step; nothing can be clicked."""
    if isinstance(position, Solo):
        return solo_board(replace(position.view(0), legal=()), position.edition, preferences, "", no_move)
    assert isinstance(position, Match)
    view = open_view(position) if eyes == ALL else position.view(None if eyes == "none" else int(eyes))
    return board(replace(view, legal=()), _occupants(position.players), preferences, "", no_move)


def no_move(text: str) -> Refusal:
    """Nothing can be played in a replay."""
    del text
    return Refusal.NO_DECISION


def open_view(match: Match) -> View:
    """A finished game with all cards open: a spectator's view, and what every hand held."""
    hands = tuple(as_cards(hand) for hand in hands_of(match))
    log = tuple(tuple(entry for row in round_.rows for entry in split_rows(row).inside) for round_ in match.rounds)
    return replace(match.view(None), known=hands, log=log)
