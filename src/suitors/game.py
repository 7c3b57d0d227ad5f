"""Matches as Python objects, for several players and for one."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .chance import Seed
from .drawing import draw_match, draw_solo
from .errors import check_edition, edition_name
from .history import BaseMatch, EditionLike
from .rules import ALONE, SEVERAL, Option, SoloTable, Table, find_box
from .view.match import Sight, View, make_view, public_facts
from .view.memory import Entry, Memory
from .view.solo import SoloView, make_solo_view


class Match(BaseMatch[Table]):
    """A match for several players."""

    engine = SEVERAL

    def __str__(self) -> str:
        return draw_match(self.table, self.rules, edition_name(self.edition), self.players, len(self.rounds))

    def view(self, seat: int | None) -> View:
        """What the seat may know (None: a spectator)."""
        self._check_seat(seat)
        return self._view(seat, public_facts(self.table, self.rules), self._log(seat))

    def current_views(self, seats: Iterable[int | None]) -> dict[int | None, View]:
        """What each of the seats may know now, without their logs: for those who have followed the match so far."""
        facts = public_facts(self.table, self.rules)
        return {seat: self._view(seat, facts, ()) for seat in seats}

    def _sight(self, seat: int | None) -> Sight | None:
        """What the seat remembers of the last round."""
        if not self.rounds:
            return None
        r = self.rounds[-1]
        if seat not in r.sights:
            r.sights[seat] = Sight(seat, Memory(self.rules))
        r.sights[seat].update(r.rows)
        return r.sights[seat]

    def _view(self, seat: int | None, facts: Mapping[str, Any], log: tuple[tuple[Entry, ...], ...]) -> View:
        return make_view(
            self.table,
            self.rules,
            seat,
            facts=facts,
            sight=self._sight(seat),
            round_=len(self.rounds) - 1,
            log=log,
            edition=self.edition,
            players=self.players,
            options=self.options,
            legal=self._legal_for(seat),
        )


class Solo(BaseMatch[SoloTable]):
    """A game for one."""

    engine = ALONE
    alone = True

    def __str__(self) -> str:
        return draw_solo(self.table, edition_name(self.edition))

    def __init__(
        self,
        edition: EditionLike = "solitaire",
        players: Sequence[str] = ("Player",),
        options: Mapping[str, Option] | None = None,
        **more: Any,
    ) -> None:
        """Open a game and deal it; `rng` and `dealt` as for a Match."""
        super().__init__(edition, players, options, **more)

    def view(self, seat: int | None) -> SoloView:
        """What is known; player and spectators know the same."""
        self._check_seat(seat)
        return make_solo_view(
            self.table,
            self.rules,
            seat,
            log=self._log(seat),
            players=self.players,
            options=self.options,
            legal=self._legal_for(seat),
        )

    def current_views(self, seats: Iterable[int | None]) -> dict[int | None, SoloView]:
        """What is known now, whoever looks."""
        return {seat: self.view(seat) for seat in seats}


Play = Match | Solo
"""A match of any edition."""


def open_match(
    edition: EditionLike,
    players: Sequence[str],
    options: Mapping[str, Option] | None = None,
    *,
    rng: random.Random | None = None,
    seed: Seed | None = None,
    dealt: bool = True,
) -> Play:
    """A match of any edition, of the kind that it needs."""
    slug = check_edition(edition)
    kind = Solo if find_box(slug).solo else Match
    return kind(slug, players, options, rng=rng, seed=seed, dealt=dealt)
