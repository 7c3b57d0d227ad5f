"""Replays: a finished game step by step, through any seat's eyes or with all cards open, and how it stood."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...analysis import Point, Review, match_line, solo_review
from ...game import Match, Play, Solo
from ...pages import Preferences
from ...pages.board import Occupant, board
from ...pages.cards import CardRenderer
from ...pages.chart import Chart, match_chart, solo_chart
from ...pages.solo_board import solo_board
from ...rules import NO_CARD, Refusal
from ...view.match import View, step_of
from ...words.rulebook import editions
from ..ops.bot_pool import Thinkers

ALL = "all"
"""The eyes that see every card."""

KEPT = 200
"""Analyses kept in memory."""

Analysis = tuple[Point, ...] | Review


@dataclass(frozen=True)
class Leaf:
    """One step of a replay, as a page shows it."""

    path: str
    step: int
    last: int
    eyes: str
    seats: tuple[str, ...]  # whose eyes there are
    solo: bool
    chart: Chart | None
    can_chart: bool
    shared: bool  # it is a kept record, which anybody with the link may see
    mine: bool  # it is a table where the visitor sits, and may share it


@dataclass(frozen=True)
class Turn:
    """Which leaf of which replay is asked for, and through whose eyes."""

    path: str
    step: int
    eyes: str
    shared: bool = False
    mine: bool = False


@dataclass(frozen=True)
class ReplayFace:
    """What the templates of a table ask for, where the table is a replay."""

    id: str
    title: str
    edition: str
    sums: bool
    name_of: Any
    state: int = 0
    status: str = "replay"
    yours: tuple[int, ...] = ()
    seat: int | None = None
    covered: None = None
    pass_to: None = None
    follower: None = None
    commitment: str = ""
    stands: tuple[()] = ()
    switches: tuple[()] = ()


class Analyses:
    """Analyses of games that are over, worked out once each by the processes of the bots."""

    def __init__(self, thinkers: Thinkers) -> None:
        self.thinkers = thinkers
        self._found: OrderedDict[str, Analysis] = OrderedDict()

    def find(self, key: str) -> Analysis | None:
        """What is known of a game already."""
        return self._found.get(key)

    async def of(self, key: str, match: Play) -> Analysis | None:
        """The analysis of a game; None where it cannot be had."""
        if key not in self._found:
            found: Analysis | None = await self.thinkers.work(analyse, match.record(), isinstance(match, Solo))
            if found is None:
                return None
            self._found[key] = found
            if len(self._found) > KEPT:
                self._found.popitem(last=False)
        return self._found[key]


def analyse(record: dict[str, Any], solo: bool) -> Analysis:
    """The analysis of a record, in a process of the crew."""
    return solo_review(record) if solo else match_line(record)


def can_chart(match: Play) -> bool:
    """Whether the chance of winning can be told: in games for one and two."""
    return len(match.players) <= 2


def at_step(match: Play, step: int) -> Play:
    """The match as it was after so many steps; a deal is a step, and so is a move."""
    twin = type(match)(match.edition, match.players, match.options, dealt=False)
    for round_ in match.rounds:
        for k in range(1 + len(round_.moves)):
            if step < 0:
                return twin
            step -= 1
            if k == 0:
                twin.start(round_.deck, round_.first)
            else:
                twin.push(round_.moves[k - 1])
    return twin


def steps_in(match: Play) -> int:
    """How many steps a match has."""
    return sum(1 + len(round_.moves) for round_ in match.rounds)


def leaf_context(
    match: Play, key: str, wish: Turn, preferences: Preferences, analysis: Analysis | None
) -> dict[str, Any]:
    """All that the page of one step needs."""
    last, eyes = steps_in(match) - 1, wish.eyes
    step = min(max(wish.step, 0), last)
    twin = at_step(match, step)
    solo = isinstance(twin, Solo)
    if not solo and eyes != ALL and eyes not in {"none", *map(str, range(len(match.players)))}:
        eyes = ALL
    theme = preferences.theme_for(match.edition)
    face = ReplayFace(
        id=key,
        title=editions()[match.edition][preferences.lang]["title"],
        edition=match.edition,
        sums=bool(match.rules.sums),
        name_of=lambda card: theme.name(card, preferences.lang),
    )
    chart = _chart(analysis, match, step, preferences)
    leaf = Leaf(
        wish.path, step, last, eyes, tuple(match.players), solo, chart, can_chart(match), wish.shared, wish.mine
    )
    return {
        "table": face,
        "leaf": leaf,
        "board": _board(twin, eyes, preferences),
        "occupants": _occupants(match.players),
    }


def _chart(analysis: Analysis | None, match: Play, step: int, preferences: Preferences) -> Chart | None:
    if isinstance(analysis, Review):
        renderer = CardRenderer(match.rules, match.edition, preferences.lang, preferences.theme_for(match.edition))
        return solo_chart(analysis, step, renderer, preferences)
    return None if analysis is None else match_chart(analysis, match.players[0], step, preferences)


def _occupants(players: Sequence[str]) -> list[Occupant]:
    return [Occupant(name) for name in players]


def _board(twin: Play, eyes: str, preferences: Preferences) -> Any:
    """What lies on the table at a step; nothing can be clicked."""
    if isinstance(twin, Solo):
        return solo_board(replace(twin.view(0), legal=()), twin.edition, preferences, "", no_move)
    assert isinstance(twin, Match)
    view = open_view(twin) if eyes == ALL else twin.view(None if eyes == "none" else int(eyes))
    return board(replace(view, legal=()), _occupants(twin.players), preferences, "", no_move)


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
        hands.append(tuple(card for card in held if card != NO_CARD)[: view.held[seat]])
    log = tuple(tuple(entry for told in round_.rows for entry in step_of(told).inside) for round_ in match.rounds)
    return replace(view, known=tuple(hands), log=log)
