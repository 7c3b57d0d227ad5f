"""Replays: a finished game step by step, through any seat's eyes or with all cards open, and how it stood."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...analysis import Review
from ...game import Match, Play, Solo
from ...pages import Preferences
from ...pages.board import Occupant, board
from ...pages.cards import CardRenderer
from ...pages.chart import Chart, match_chart, solo_chart
from ...pages.solo_board import solo_board
from ...rules import NO_CARD, Refusal
from ...view.match import View, as_cards, split_rows
from ...words.editions import edition_title
from ..domain.analyses import Analysis, can_analyse
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
    chart: Chart | None
    can_chart: bool
    awaited: bool  # the page shall ask for the chart as soon as it is shown
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
    awaited: bool = False


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


def replay_context(
    match: Play, key: str, asked: ReplayRequest, preferences: Preferences, analysis: Analysis | None
) -> dict[str, Any]:
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
    chart = _chart(analysis, match, step, preferences)
    shown = ReplayStep(
        path=asked.path,
        step=step,
        last=last,
        eyes=eyes,
        seats=tuple(match.players),
        solo=solo,
        chart=chart,
        can_chart=can_analyse(match),
        awaited=asked.awaited,
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


def _chart(analysis: Analysis | None, match: Play, step: int, preferences: Preferences) -> Chart | None:
    if isinstance(analysis, Review):
        renderer = CardRenderer(match.rules, preferences.words_for(match.edition))
        return solo_chart(analysis, step, renderer, preferences)
    return None if analysis is None else match_chart(analysis, match.players[0], step, preferences)


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
    view, t = match.view(None), match.table
    hands = []
    for seat in range(len(match.players)):
        held = [t.hand[seat]] + ([t.drawn, t.extra] if seat == t.active else [])
        hands.append(as_cards(card for card in held if card != NO_CARD)[: view.held[seat]])
    log = tuple(tuple(entry for row in round_.rows for entry in split_rows(row).inside) for round_ in match.rounds)
    return replace(view, known=tuple(hands), log=log)
