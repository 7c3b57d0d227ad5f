"""Matches as Python objects, for several players and for one."""

import random
from collections.abc import Iterable, Mapping, Sequence
from types import EllipsisType
from typing import Any

from .chance import Seed
from .drawing import draw_match, draw_solo
from .errors import SuitorsError, check_edition, edition_name
from .history import BaseMatch, EditionLike, Round
from .listing import move_lists
from .position import Position, read_position, read_solo_position, solo_table_line, table_line
from .rules import ALONE, SEVERAL, GameTable, Option, SoloTable, Table, copy_table, find_box
from .view.match import OwnFacts, Sight, View, make_view, own_facts, public_facts
from .view.memory import Memory
from .view.solo import SoloView, make_solo_view


class Match(BaseMatch[Table]):
    """A match for several players.

    Examples:
        >>> match = Match("modern", ["Ada", "Ben"], seed=6)
        >>> match
        <Match 'modern' ['Ada', 'Ben'] round=0, tokens=(0, 0), turn=0>
        >>> match.legal()
        ['handmaid', 'priest 1']
        >>> match.play("priest 1")
        >>> match.why_not("priest 0").name
        'NOT_HELD'
        >>> match.undo()
        >>> match.position(0).split()[4:8]
        ['phase=play', 'active=0', 'turn=0', 'tokens=0/0']
        >>> Match(position=match.position()).legal()
        ['handmaid', 'priest 1']
    """

    engine = SEVERAL

    def __init__(
        self,
        edition: EditionLike | None = None,
        players: Sequence[str] | None = None,
        options: Mapping[str, Option] | None = None,
        *,
        rng: random.Random | None = None,
        seed: Seed | None = None,
        dealt: bool = True,
        position: str | None = None,
    ) -> None:
        """Open a match and deal its first round, unless `dealt` is false; or begin in a `position`.

        A position is a line as `match.position()` writes it; it has the edition and the options, and the names of
        players may be left out. Chance comes from `rng`, or from a generator of `seed`, or from the system.
        """
        if position is None:
            super().__init__(edition, players, options, rng=rng, seed=seed, dealt=dealt)
            return
        found = read_position(position)
        names = [f"Player {seat + 1}" for seat in range(found.rules.players)] if players is None else players
        slug = found.edition if edition is None else edition
        super().__init__(slug, names, found.options if options is None else options, rng=rng, seed=seed, dealt=False)
        _begin(self, found, found.table.active)
        self.began = self.position()

    def legal(self) -> list[str]:
        """The legal moves, sorted as plain text."""
        return self._lists.legal(self.table)

    def position(self, seat: int | EllipsisType | None = ...) -> str:
        """The position in one line: of the whole table, or what a seat (None: a spectator) knows of it."""
        if isinstance(seat, EllipsisType):
            return table_line(self.table, self.rules, self.edition, self.options)
        return self.view(seat).position()

    def __str__(self) -> str:
        return draw_match(self.table, self.rules, edition_name(self.edition), self.players, len(self.rounds))

    def view(self, seat: int | None) -> View:
        """What the seat may know (None: a spectator)."""
        self._check_seat(seat)
        return make_view(self._facts(), seat, self._memory(seat), self._legal_for(seat), self._log(seat))

    def current_views(self, seats: Iterable[int | None]) -> dict[int | None, View]:
        """What each of the seats may know now, without their logs: for those who have followed the match so far."""
        facts, turn = self._facts(), self.turn
        views = {}
        for seat in seats:
            legal = self.legal() if seat is not None and seat == turn else ()
            views[seat] = make_view(facts, seat, self._memory(seat), legal)
        return views

    def current_facts(self, seats: Sequence[int | None]) -> tuple[dict[str, Any], list[OwnFacts]]:
        """The same as facts: what these seats, of which there is one at least, share, and what each has of its own."""
        turn = self.turn
        memories = [self._memory(seat) for seat in seats]
        own, common = zip(seats, memories, strict=True), self._facts()
        common["face_up"] = memories[0].face_up
        return common, [own_facts(k, memory, self.legal() if k == turn is not None else ()) for k, memory in own]

    def _find_rules(self) -> None:
        super()._find_rules()
        self._lists = move_lists(self.rules)

    def _facts(self) -> dict[str, Any]:
        """What everybody can see."""
        return public_facts(self.table, self.rules, self.edition, self.players, self.options, len(self.rounds) - 1)

    def _memory(self, seat: int | None) -> Memory:
        """What the seat remembers of the last round."""
        if not self.rounds:
            return Memory(self.rules, [[] for _ in self.players])
        last = self.rounds[-1]
        sight = last.sights.get(seat)
        if sight is None:
            sight = last.sights[seat] = Sight(seat, Memory(self.rules))
        sight.update(last.rows, last.split)
        return sight.memory


class Solo(BaseMatch[SoloTable]):
    """A game for one, with the same methods.

    Examples:
        >>> game = Solo(seed=4)
        >>> game.legal()
        ['agent', 'draw']
        >>> game.play("draw")
        >>> [card.name for card in game.view(0).hand]
        ['GUARD', 'KING']
    """

    engine = ALONE
    alone = True

    def __init__(
        self,
        edition: EditionLike | None = None,
        players: Sequence[str] = ("Player",),
        options: Mapping[str, Option] | None = None,
        *,
        rng: random.Random | None = None,
        seed: Seed | None = None,
        dealt: bool = True,
        position: str | None = None,
    ) -> None:
        """Open a game, of the edition `solitaire` if none is given, and deal it; or begin in a `position`.

        `rng`, `seed`, `dealt` and `position` are as for a Match.
        """
        if position is None:
            edition = "solitaire" if edition is None else edition
            super().__init__(edition, players, options, rng=rng, seed=seed, dealt=dealt)
            return
        found = read_solo_position(position)
        slug = found.edition if edition is None else edition
        super().__init__(slug, players, found.options if options is None else options, rng=rng, seed=seed, dealt=False)
        _begin(self, found, 0)
        self.began = self.position()

    def position(self, seat: int | EllipsisType | None = ...) -> str:
        """The position in one line: of the whole table, or what is known of it (by seat 0 or, None, a spectator)."""
        if isinstance(seat, EllipsisType):
            return solo_table_line(self.table, self.edition, self.options)
        return self.view(seat).position()

    def __str__(self) -> str:
        return draw_solo(self.table, edition_name(self.edition))

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


def _begin(match: BaseMatch[GameTable], found: Position[GameTable], first: int) -> None:
    """Go on from a position: its round, if it has one, is as if its cards had been dealt so."""
    if match.rules != found.rules or match.edition != found.edition:
        raise SuitorsError("bad-position", "The position is one of another edition, other options or more players.")
    match.table = copy_table(found.table)
    if found.order:
        tied = match.next_seats if found.table.tied else None
        match.rounds.append(Round(first, found.order, tied, rows=[found.rows], begun=found.table))


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
