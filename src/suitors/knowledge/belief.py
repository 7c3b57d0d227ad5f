"""What follows from a view: the exact chance of every hidden card, by Bayes over all that the seat has seen.

The trick: every shuffle is equally likely, so the prior of a deal depends only on which cards are still hidden, not on
who held which card when. What a seat has seen of a hidden card is then a factor for that card alone (its `weights`
by kind), and the chance of an assignment is the product of these factors and of the ways to take its cards from the
unseen ones. A Chancellor's choice, and a comparison that others tied, couple hidden cards; each such coupling is a sum
of a few products, so the belief is a short list of them (`Case`). evidence.py reads the log, this module sums up.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..rules import NO_CARD, Card, Edition
from ..view.match import View
from .evidence import DRAWN, EXTRA, UNDER, Case, Evidence
from .likelihood import Likelihood, uniform

Chances = Mapping[Card, float]
"""The chance of each character that is possible at all."""

Subsets = list[list[float]]
"""For each kind, the weight of every set of places that hold it, as a bit mask."""

ROUNDING = 1e-13
"""A chance as small as this is none, but the rest of a subtraction."""


@dataclass(frozen=True)
class Deal:
    """One way the hidden cards may lie."""

    hands: tuple[tuple[int, ...], ...]
    aside: tuple[int, ...]
    deck: tuple[int, ...]  # the next draw first


class Belief:
    """The chances of hidden cards as one seat sees them (`seat` None: as a spectator).

    Examples:
        >>> from suitors import Card, Match
        >>> belief = Belief(Match("classic", ["Ada", "Ben"], seed=1).view(0))
        >>> round(belief.hands[1][0][Card.GUARD], 3)
        0.455
        >>> sum(belief.next_draw.values())
        1.0
    """

    def __init__(self, view: View, likelihood: Likelihood = uniform) -> None:
        """Work out what the view implies, if opponents play by the likelihood (as if by chance, if none is given)."""
        _check_view(view)
        self.rules: Edition = view.rules
        self.view = view
        self._sum_up(Evidence(view, likelihood))
        if not self.shares:  # what was done is not what such players do: they are not such players
            self._sum_up(Evidence(view, uniform))

    def _sum_up(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.unseen = evidence.unseen
        self.kinds = [card for card in Card if self.unseen[card]]
        self.hidden = sum(self.unseen)
        self.sums = [CaseSum(case, self.unseen, self.kinds, self.hidden) for case in evidence.cases]
        total = sum(part.total for part in self.sums)
        self.shares = [part.total / total for part in self.sums] if total > 0 else []

    @property
    def error(self) -> float:
        """The standard error of a chance, at most: 0 where the belief is exact.

        Cases that were drawn count for as many as their shares are worth, should a few of them outweigh the others.
        """
        drawn = self.evidence.error
        return (drawn**2 + sum(share**2 for share in self.shares) / 4) ** 0.5 if drawn else 0.0

    @cached_property
    def hands(self) -> tuple[tuple[Chances, ...], ...]:
        """For each seat, the chances of each card in its hand."""
        return tuple(self._hand(seat) for seat in range(self.rules.players))

    @cached_property
    def aside(self) -> Chances | None:
        """The chances of a card set aside face down, None if there is none."""
        return self._place(NO_CARD) if self.view.aside else None

    @cached_property
    def next_draw(self) -> Chances | None:
        """The chances of the card on top of the deck, None if the deck is empty."""
        return self.deck(0) if self.view.deck else None

    def deck(self, place: int) -> Chances:
        """The chances of a card of the deck; place 0 is drawn next."""
        return self._place(UNDER + self.evidence.top + place)

    def sample(self, rng: random.Random) -> Deal:
        """A deal drawn from the belief."""
        part = rng.choices(self.sums, self.shares)[0]
        found = part.draw(rng)
        rest = [int(card) for card in self.kinds for _ in range(self.unseen[card])]
        for card in found.values():
            rest.remove(card)
        rng.shuffle(rest)

        def take(place: int) -> int:
            return found[place] if place in found else rest.pop()

        hands = tuple(
            self.view.known[seat] if seat == self.view.seat else tuple(map(take, self._places(seat)))
            for seat in range(self.rules.players)
        )
        deck = tuple(take(UNDER + self.evidence.top + k) for k in range(self.view.deck))
        return Deal(hands, tuple(rest), deck)

    def _hand(self, seat: int) -> tuple[Chances, ...]:
        if seat == self.view.seat:
            return tuple({Card(card): 1.0} for card in self.view.hand)
        return tuple(self._place(place) for place in self._places(seat))

    def _places(self, seat: int) -> tuple[int, ...]:
        """Where a seat's hidden cards are."""
        return (seat, DRAWN, EXTRA)[: self.view.held[seat]]

    def _place(self, place: int) -> Chances:
        """The chances of one hidden card; a place that no factor names holds any unseen card alike."""
        chances = dict.fromkeys(self.kinds, 0.0)
        for share, part in zip(self.shares, self.sums, strict=True):
            for card, chance in part.chances(place).items():
                chances[card] += share * chance
        return {card: chance for card, chance in chances.items() if chance > ROUNDING}


def _check_view(view: object) -> None:
    """Refuse what is no view; in a solo game nobody holds a card that others could guess at."""
    if not isinstance(view, View):
        kind = type(view).__name__
        raise TypeError(f"A belief is made of the view of a match, such as match.view(0), not of a {kind}.")


class CaseSum:
    """One case of a belief, summed over all ways to fill its places with unseen cards.

    The sum runs over kinds: at each, a set of places takes that kind. `ahead[k]` holds, for every set of places filled
    by the first k kinds, the weight of all ways; `behind[k]` the same for the kinds from k on.
    """

    def __init__(self, case: Case, unseen: Sequence[int], kinds: Sequence[Card], hidden: int) -> None:
        self.places = list(case.weights)
        self.unseen = unseen
        self.kinds = kinds
        self.spare = hidden - len(self.places)
        self.full = (1 << len(self.places)) - 1
        vectors = [case.weights[place] for place in self.places]
        self.terms: Subsets = [self._terms([vector[card] for vector in vectors], unseen[card]) for card in kinds]
        self.ahead: Subsets = [[1.0] + [0.0] * self.full]
        for terms in self.terms:
            self.ahead.append(convolve(self.ahead[-1], terms, self.full))
        ways = 1.0
        for n in range(self.spare + 1, hidden + 1):
            ways *= n
        self.total = case.weight * self.ahead[-1][self.full] / ways

    def _terms(self, weights: list[float], copies: int) -> list[float]:
        """The weight of each set of places that all hold this kind: so many ways to take the copies."""
        terms = [1.0] + [0.0] * self.full
        for places in range(1, self.full + 1):
            low = (places & -places).bit_length() - 1
            rest = places & (places - 1)
            if terms[rest] and weights[low]:
                terms[places] = terms[rest] * weights[low] * (copies - rest.bit_count())
        return terms

    @cached_property
    def behind(self) -> Subsets:
        """The weight of each set of places filled by the kinds from k on."""
        found = [[1.0] + [0.0] * self.full]
        for terms in reversed(self.terms):
            found.append(convolve(found[-1], terms, self.full))
        return found[::-1]

    @cached_property
    def marginals(self) -> list[list[float]]:
        """For each place, the chance of each kind; behind them a row for a place that no factor names."""
        table = [[0.0] * len(self.kinds) for _ in self.places]
        whole = self.ahead[-1][self.full]
        for k, terms in enumerate(self.terms):
            ahead, behind = self.ahead[k], self.behind[k + 1]
            for some in range(1, self.full + 1):
                if terms[some]:
                    chance = terms[some] * overlap(ahead, behind, self.full ^ some) / whole
                    for place, row in enumerate(table):
                        if some >> place & 1:
                            row[k] += chance
        taken = [sum(row[k] for row in table) for k in range(len(self.kinds))]
        copies = [self.unseen[card] for card in self.kinds]
        spare = [(n - used) / self.spare if self.spare else 0.0 for n, used in zip(copies, taken, strict=True)]
        return [*table, [max(0.0, chance) for chance in spare]]

    def chances(self, place: int) -> dict[Card, float]:
        """The chances of the card at one place."""
        if self.total == 0:
            return {}
        row = self.places.index(place) if place in self.places else -1
        return dict(zip(self.kinds, self.marginals[row], strict=True))

    def draw(self, rng: random.Random) -> dict[int, int]:
        """Cards for the places of this case, drawn kind by kind from the last."""
        found: dict[int, int] = {}
        left = self.full
        for k in range(len(self.kinds) - 1, -1, -1):
            sets = [some for some in range(left + 1) if some & ~left == 0]
            some = rng.choices(sets, [self.terms[k][some] * self.ahead[k][left ^ some] for some in sets])[0]
            found |= {place: int(self.kinds[k]) for j, place in enumerate(self.places) if some >> j & 1}
            left ^= some
        return found


def convolve(sums: list[float], terms: list[float], full: int) -> list[float]:
    """Add one kind: every set of places already filled, joined with every disjoint set that this kind fills."""
    found = sums[:]
    for some in range(1, full + 1):
        term = terms[some]
        if term:
            rest = free = full ^ some
            while True:
                if sums[rest]:
                    found[rest | some] += sums[rest] * term
                if not rest:
                    break
                rest = (rest - 1) & free
    return found


def overlap(ahead: list[float], behind: list[float], places: int) -> float:
    """The weight of all ways to split the places between the kinds ahead and those behind."""
    total, part = 0.0, places
    while True:
        total += ahead[part] * behind[places ^ part]
        if not part:
            return total
        part = (part - 1) & places
