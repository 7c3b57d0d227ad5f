"""Every move of an edition under a fixed number, for programs that learn: `suitors.actions(edition, players)`.

A play has the number of its text. A Chancellor's second step has one of six numbers for the order of the cards in hand,
whatever they are, so that every legal move of every match has a number.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

from .errors import SuitorsError, brief, check_edition, check_players, edition_name
from .notation import CARD_NAMES, write_move
from .rules import NAMINGS, Aim, Card, Edition, Verb, edition, find_box, pack
from .rules.names import BLANK, Naming
from .rules.solitaire_table import AGENT, HAND, PLACES
from .view.match import View
from .view.solo import SoloView

VERSION = 1
"""Which table this is: it goes up when a number gets another meaning."""

ORDERS = tuple(permutations(range(3)))
"""The orders of three cards in hand; of two, those in which the third place stays the last."""

KEEP = "keep"


def actions(edition_: str | Mapping[str, Any], players: int) -> "Actions":
    """The table of an edition with so many players; the same for every setting of the switches.

    Examples:
        >>> table = actions("modern", 2)
        >>> len(table), table.texts[:3]
        (42, ('spy', 'guard', 'guard 0 spy'))
    """
    slug = check_edition(edition_)
    if isinstance(players, bool) or not isinstance(players, int) or players < 0:
        raise SuitorsError("bad-players", f"A number of players is needed, not {brief(players)}.")
    check_players(slug, ("",) * min(players, 99))
    return Actions(slug, players)


@dataclass(frozen=True)
class Actions:
    """All moves of an edition, numbered from 0.

    Examples:
        >>> from suitors import Match
        >>> view = Match("modern", ["Ada", "Ben"], seed=6).view(0)
        >>> table = actions("modern", 2)
        >>> [(number, table.text(view, number)) for number in table.legal(view)]
        [(22, 'priest 1'), (26, 'handmaid')]
    """

    edition: str
    players: int
    version: int = VERSION

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every action; a Chancellor's are `keep` and the places in hand, the kept card first."""
        rules = edition(self.edition, self.players)
        moves = _solo_moves() if find_box(self.edition).solo else plain_moves(rules)
        texts = dict.fromkeys(write_move(rules, move) for move in moves)
        return *texts, *(
            (f"{KEEP} {' '.join(map(str, order))}" for order in ORDERS) if rules.copies[Card.CHANCELLOR] else ()
        )

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {text: number for number, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return len(self.texts)

    def id(self, view: View | SoloView, move: str) -> int:
        """The number of a legal move of a view."""
        self._check(view)
        if move not in view.legal:
            raise SuitorsError("illegal-move", f"{brief(move)} is not among the legal moves of the view.")
        return self._numbered(view)[move]

    def text(self, view: View | SoloView, number: int) -> str:
        """The legal move of a view that has this number."""
        for move, found in self._numbered(view).items():
            if found == number:
                return move
        raise SuitorsError("illegal-move", f"The action {brief(number)} is not legal in this view.")

    def legal(self, view: View | SoloView) -> list[int]:
        """The numbers of the legal moves of a view, ascending."""
        return sorted(self._numbered(view).values())

    def _numbered(self, view: View | SoloView) -> dict[str, int]:
        """The legal moves with their numbers."""
        self._check(view)
        if view.legal and view.legal[0].startswith(KEEP):
            return self._orders(view)
        return {move: self._ids[move] for move in view.legal}

    def _check(self, view: object) -> None:
        """The view is one of this edition; the two of the solo game have the same."""
        if not isinstance(view, View | SoloView):
            raise SuitorsError("bad-view", f"Actions are those of a view such as match.view(0), not of {brief(view)}.")
        solo = isinstance(view, SoloView) and find_box(self.edition).solo
        if not solo and (view.edition, view.rules.players) != (self.edition, self.players):
            ours, theirs = edition_name(self.edition), edition_name(view.edition)
            raise SuitorsError(
                "bad-view",
                f"These are the actions for {ours} with {self.players} players, not for {theirs} with "
                f"{view.rules.players}.",
            )

    def _orders(self, view: View | SoloView) -> dict[str, int]:
        """The ways to keep a card, each with the first order of the places in hand that means it."""
        hand, found = view.hand, dict[str, int]()
        for order in ORDERS:
            if order[len(hand) :] == tuple(range(len(hand), 3)):
                text = " ".join((KEEP, *(CARD_NAMES[hand[place]] for place in order[: len(hand)])))
                found.setdefault(text, self._ids[f"{KEEP} {' '.join(map(str, order))}"])
        return found


def plain_moves(rules: Edition) -> Iterator[int]:
    """Every play of every card of the deck, and every second step but a Chancellor's."""
    for card in Card:
        if rules.copies[card]:
            yield from _plays(rules, card)
    if rules.copies[Card.CARDINAL]:
        yield pack(Verb.LOOK)
        yield from (pack(Verb.LOOK, seat) for seat in range(rules.players))
    if rules.copies[Card.BISHOP]:
        yield from (pack(Verb.REDRAW), pack(Verb.STAY))


def _plays(rules: Edition, card: Card) -> Iterator[int]:
    """The card alone, on each seat, on each two, and with each name: all that may ever be legal."""
    aim, seats = rules.aim[card], range(rules.players)
    yield pack(card)
    if card in NAMINGS:
        yield from (pack(card, seat, BLANK, name) for name in all_names(rules, card) for seat in seats)
    elif aim in (Aim.OTHER, Aim.ANYONE, Aim.OTHERS):
        yield from (pack(card, seat) for seat in seats)
    if aim in (Aim.OTHERS, Aim.PAIR):
        yield from (pack(card, *pair) for pair in combinations(seats, 2))


def all_names(rules: Edition, card: Card) -> list[int]:
    """All that a card which names something may ever name, whatever the switches are."""
    if rules.by_number or rules.naming[card] == Naming.NUMBER:
        return list(range(10))
    return [int(other) for other in Card if rules.copies[other] and other != card]


def _solo_moves() -> Iterator[int]:
    """Every move of the solo game."""
    yield from (pack(Verb.AGENT), pack(Verb.DRAW), pack(Verb.OFFER, HAND), pack(Verb.OFFER, AGENT))
    cards = (Card.GUARD, Card.PRIEST, Card.BARON, Card.HANDMAID, Card.PRINCE, Card.KING, Card.COUNTESS, Card.PRINCESS)
    for card in cards:
        yield pack(card)
        if card == Card.PRINCE:
            yield from (pack(card, HAND), pack(card, AGENT))
        for place in range(PLACES):
            if card in (Card.GUARD, Card.PRIEST, Card.PRINCE):
                yield pack(card, place)
            if card == Card.GUARD:
                yield from (pack(card, place, BLANK, named) for named in cards if named != card)
            if card in (Card.BARON, Card.KING):
                yield from (pack(card, place, own) for own in (HAND, AGENT))
