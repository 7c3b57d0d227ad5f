"""What a log says of the cards its reader cannot see: the factors that belief.py sums up.

Hidden cards have places: the hand of a seat (the seat's number), the second and third card of the player who is to
decide (DRAWN, EXTRA), and places under the deck (UNDER and up). A place that no factor names may hold any unseen card.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import assert_never

from ..rules import NO_CARD, Event, Verb, pack
from ..rules.names import BLANK, CARDS, is_card, verb_of
from ..view.match import View
from ..view.memory import Entry
from .likelihood import EVEN, Likelihood
from .public import Public, tokens_before

DRAWN, EXTRA, UNDER = 8, 9, 16
"""Places that are not hands: the active player's second and third card; the deck's place k is UNDER + k."""

MOST_CASES = 4096
"""More cases than these are thinned by chance, with their error stated."""

FULL_PLACES = 9
FEWEST_CASES = 16
"""With more places than FULL_PLACES, each of which makes a case three times as dear, fewer cases are kept."""

Weights = list[float]
"""How much more likely the evidence is with each card (by number) at a place."""

FREE: Weights = [1.0] * CARDS


@dataclass
class Case:
    """A product of factors: a weight, and weights by card for the places that something is known of."""

    weight: float = 1.0
    weights: dict[int, Weights] = field(default_factory=dict)

    def take(self, place: int) -> Weights:
        """Take a place's factor out."""
        return self.weights.pop(place, FREE)

    def reveal(self, place: int, card: int) -> None:
        """The card at the place turned out to be this one, and leaves it."""
        self.weight *= self.take(place)[card]

    def narrow(self, place: int, possible: Callable[[int], bool]) -> None:
        """Rule out cards at a place."""
        old = self.weights.get(place, FREE)
        self.weights[place] = [weight if possible(card) else 0.0 for card, weight in enumerate(old)]

    def scale(self, place: int, factor: Sequence[float]) -> None:
        """Weigh the cards at a place."""
        old = self.weights.get(place, FREE)
        self.weights[place] = [a * b for a, b in zip(old, factor, strict=True)]

    def move(self, old: int, new: int) -> None:
        """A card goes from one place to another."""
        if old in self.weights:
            self.weights[new] = self.weights.pop(old)


def exactly(card: int) -> Weights:
    """The factor of a card that is known."""
    return [float(card == other) for other in range(CARDS)]


class Evidence:
    """The cases that a log leaves open, and the cards that are not in sight."""

    def __init__(self, view: View, likelihood: Likelihood) -> None:
        self.view = view
        self.seat = view.seat
        self.rules = view.rules
        self.likelihood = likelihood
        self.public = Public(view.rules, view.seat)
        self.held = [0] * view.rules.players
        self.given = NO_CARD
        self.cases = [Case()]
        self.error = 0.0
        self.kinds = [card for card in range(CARDS) if view.rules.copies[card]]
        self.public.table.tokens = tokens_before(view)
        for entry in view.log[-1] if view.log else ():
            self._learn(entry)
            self.public.learn(entry)
        self.unseen = list(view.rules.copies)
        for card in (*(card for pile in view.piles for card in pile), *view.face_up, *view.hand):
            self.unseen[card] -= 1

    @property
    def top(self) -> int:
        """The deck's place that is drawn next."""
        return self.public.table.top

    def _learn(self, entry: Entry) -> None:
        event, actor, target, card = entry
        match event:
            case Event.DEALT | Event.DREW | Event.TOOK_ASIDE:
                self._draw(event, actor, card)
            case Event.MOVED:
                self._move(actor, card)
            case Event.RETURNED:
                self._return(actor, card)
            case Event.SHOWED | Event.REVEALED:
                self._see(actor, card)
            case Event.MISSED | Event.HIT:
                self._hear(target, event == Event.HIT)
            case Event.EQUAL:
                self._tie(actor, target)
            case Event.TRADED:
                self._trade(actor, target)
            case Event.RECEIVED:
                self._receive(actor, target, card)
            case Event.DISCARDED:
                self._discard(actor, card)
            case Event.ROUND | Event.FACE_UP | Event.FOUND_NONE | Event.FIZZLED | Event.OUT:
                pass
            case Event.SHIELDED | Event.UNSHIELDED | Event.MARKED | Event.BET:
                pass
            case Event.TOKEN | Event.ENDED | Event.TIE | Event.WON:
                pass
            case _:
                assert_never(event)

    def _draw(self, event: Event, seat: int, card: int | None) -> None:
        """A card is drawn: if it was put under the deck, what is known of it goes along."""
        source = UNDER + self.public.table.top if event == Event.DREW else NO_CARD
        place = (seat, DRAWN, EXTRA)[self.held[seat]]
        self.held[seat] += 1
        for case in self.cases:
            if seat == self.seat and card is not None:
                case.reveal(source, card)
            else:
                case.move(source, place)

    def _move(self, seat: int, move: int | None) -> None:
        """A decision. What another player chose says something about what they held."""
        if move is None or verb_of(move) == Verb.KEEP:
            if seat != self.seat:
                self._keep(seat)
            self.held[seat] = 1
        elif is_card(verb_of(move)):
            self.held[seat] -= 1
            if seat != self.seat:
                self._play(seat, move)
        elif seat != self.seat:
            factor = self.likelihood.answer(self.public, seat, move)
            for case in self.cases:
                case.scale(seat, factor)

    def _play(self, seat: int, move: int) -> None:
        """A play: the card was either the old one or the new; the other one stays."""
        card = verb_of(move)
        chance = self.likelihood.play(self.public, seat, move)
        for case in self.cases:
            old, new = case.take(seat), case.take(DRAWN)
            kept = [0.0] * CARDS
            for other in self.kinds:
                kept[other] = chance[other] * (old[card] * new[other] + old[other] * new[card])
            kept[card] /= 2
            case.weights[seat] = kept

    def _keep(self, seat: int) -> None:
        """A Chancellor's player kept one card and put the others under the deck, in some order."""
        sources = (seat, DRAWN, EXTRA)[: self.held[seat]]
        bottom = UNDER + self.public.table.bottom
        targets = (seat, bottom, bottom + 1)[: self.held[seat]]
        if self.likelihood.any_order:
            self.cases = [new for case in self.cases for new in _shuffled(case, sources, targets)]
            liked = self.likelihood.kept(self.public, seat)
            if liked is not EVEN:
                for case in self.cases:
                    case.scale(seat, liked)
        else:
            asked: dict[tuple[int, ...], float] = {}
            self.cases = [new for case in self.cases for new in self._chosen(case, seat, sources, targets, asked)]
        self._thin()

    def _chosen(
        self,
        case: Case,
        seat: int,
        sources: tuple[int, ...],
        targets: tuple[int, ...],
        asked: dict[tuple[int, ...], float],
    ) -> Iterator[Case]:
        """The cases of every pair of returned cards, each weighed by how likely that choice was (asked once)."""
        taken = [case.take(source) for source in sources]
        for under in product(self.kinds, repeat=len(sources) - 1):
            kept = [0.0] * CARDS
            for card in self.kinds:
                cards = (card, *under)
                ways = {order: _times(taken, order) for order in permutations(cards)}
                if sum(ways.values()) > 0:
                    if cards not in asked:
                        move = pack(Verb.KEEP, *cards, *([BLANK] * (3 - len(cards))))
                        asked[cards] = self.likelihood.keep(self.public, seat, cards, move)
                    kept[card] = asked[cards] * sum(ways.values())
            if any(kept):
                known = {place: exactly(card) for place, card in zip(targets[1:], under, strict=True)}
                yield Case(case.weight, case.weights | known | {seat: kept})

    def _thin(self) -> None:
        """Keep so many cases that the belief stays affordable: drawn by weight, each with the same weight."""
        most = self._affordable()
        if len(self.cases) <= most:
            return
        rng = random.Random(len(self.cases))
        left = list(self.rules.copies)
        for card in (*self.public.table.piles[: self.public.table.discards], *self.view.face_up, *self.public.own):
            left[card] -= 1
        weights = [case.weight * _size(case, left) for case in self.cases]
        drawn = rng.choices(range(len(weights)), weights, k=most) if any(weights) else []
        self.error = (self.error**2 + 0.25 / most) ** 0.5
        self.cases = [Case(self.cases[k].weight / weights[k], dict(self.cases[k].weights)) for k in drawn]

    def _affordable(self) -> int:
        """How many cases may be kept: many, unless a deck with many Chancellors makes each of them large."""
        places = max((len(case.weights) for case in self.cases), default=0)
        return max(FEWEST_CASES, int(MOST_CASES / 3 ** max(0, places - FULL_PLACES)))

    def _return(self, seat: int, card: int | None) -> None:
        if seat == self.seat and card is not None:
            for case in self.cases:
                case.weights[UNDER + self.public.table.bottom] = exactly(card)

    def _see(self, seat: int, card: int | None) -> None:
        if seat != self.seat and card is not None and card != NO_CARD:
            for case in self.cases:
                case.reveal(seat, card)
                case.weights[seat] = exactly(card)

    def _hear(self, seat: int, hit: bool) -> None:
        if seat != self.seat:
            self._narrow(seat, lambda card: self.public.answers(card, hit))

    def _narrow(self, seat: int, possible: Callable[[int], bool]) -> None:
        for case in self.cases:
            case.narrow(seat, possible)

    def _tie(self, a: int, b: int) -> None:
        """Two others compared equal cards: one case for each number."""
        if self.seat in (a, b):
            return
        values = sorted({self.rules.value[card] for card in self.kinds})
        found = []
        for case, value in product(self.cases, values):
            split = Case(case.weight, dict(case.weights))
            for seat in (a, b):
                split.narrow(seat, lambda card, value=value: self.rules.value[card] == value)  # type: ignore[misc]
            if all(any(split.weights[seat]) for seat in (a, b)):
                found.append(split)
        self.cases = found
        self._thin()

    def _trade(self, a: int, b: int) -> None:
        """Hands change places; what the reader of the log gives and gets is settled when it is received."""
        if self.seat in (a, b):
            self.given = self.public.own[0]
            return
        for case in self.cases:
            of_a, of_b = case.take(a), case.take(b)
            case.weights |= {a: of_b, b: of_a}

    def _receive(self, seat: int, giver: int, card: int | None) -> None:
        if seat == self.seat and card is not None:
            for case in self.cases:
                case.reveal(giver, card)
                case.weights[giver] = exactly(self.given)

    def _discard(self, seat: int, card: int | None) -> None:
        """A hand goes face up; a comparison's loser tells something about the winner."""
        if card is None:
            return
        self.held[seat] = 0
        if seat != self.seat:
            for case in self.cases:
                case.reveal(seat, card)
        if seat in self.public.rivals:
            winner = sum(self.public.rivals) - seat
            if winner != self.seat:
                self._narrow(winner, lambda other: self.public.beats(other, card))


def _shuffled(case: Case, sources: tuple[int, ...], targets: tuple[int, ...]) -> Iterator[Case]:
    """The cases of a choice in which every order is as likely as the others; equal factors need no two of them."""
    taken = [case.take(source) for source in sources]
    orders = list(permutations(range(len(taken))))
    seen: dict[tuple[int, ...], int] = {}
    for order in orders:
        key = tuple(-1 if taken[k] is FREE else k for k in order)
        seen[key] = seen.get(key, 0) + 1
    for key, times in seen.items():
        known = {target: taken[k] for target, k in zip(targets, key, strict=True) if k >= 0}
        yield Case(case.weight * times / len(orders), case.weights | known)


def _times(factors: list[Weights], cards: tuple[int, ...]) -> float:
    """The product of the factors at these cards."""
    total = 1.0
    for factor, card in zip(factors, cards, strict=True):
        total *= factor[card]
    return total


def _size(case: Case, left: list[int]) -> float:
    """A rough measure of how much a case weighs, to draw cases by; cards that are certain leave fewer for the rest."""
    total, left = 1.0, left[:]
    for factor in sorted(case.weights.values(), key=lambda factor: sum(map(bool, factor)) > 1):
        total *= sum(weight * left[card] for card, weight in enumerate(factor) if weight)
        if total and sum(map(bool, factor)) == 1:
            left[next(card for card, weight in enumerate(factor) if weight)] -= 1
    return total
