"""The `counting` bot: the best expected result one play ahead, under exact beliefs.

Each move is tried with the real rules on every card that the chosen player may hold, weighed by its exact chance; the
position behind it is judged by what such a hand is worth on average.
"""

import random
from collections.abc import Iterator

from ..knowledge.belief import Belief, Chances
from ..notation import read_move
from ..rules import BLANK, NO_CARD, Card, Phase, Table, copy_table, play
from ..rules.acts import in_pile
from ..rules.choices import name_for
from ..rules.names import first_of, is_card, third_of, verb_of
from ..view.match import View
from ..view.solo import SoloView
from . import solo
from .engine.policy import worth_cell
from .positions import visible_table
from .weights import appraisals

KNOWING, EXPOSED = 0.1, 0.1
"""What it is worth to know another's card, and what it costs that another knows one's own."""


def choose(view: View | SoloView, rng: random.Random, budget_ms: float | None) -> str:
    """The move with the best expected result; among equals, any."""
    if isinstance(view, SoloView):
        return solo.by_counting(view, rng)
    if len(view.legal) == 1:
        return view.legal[0]
    trial = Trial(Belief(view))
    worth = {text: trial.expected(read_move(view.rules, text)) for text in view.legal}
    best = max(worth.values()) - 1e-9
    return rng.choice([text for text, value in worth.items() if value >= best])


class Trial:
    """A position on which moves are tried."""

    def __init__(self, belief: Belief) -> None:
        assert belief.view.seat is not None
        self.belief = belief
        self.rules = belief.rules
        self.me = belief.view.seat
        self.appraisals = appraisals(belief.rules)
        self.table = visible_table(belief.view, belief.evidence.public)
        for seat in belief.view.standing:
            if seat != self.me:
                self.table.hand[seat] = likeliest(belief.hands[seat][0])
        for k in range(belief.view.deck):
            self.table.deck[self.table.top + k] = likeliest(belief.deck(k))
        if self.table.spare != NO_CARD and belief.aside:
            self.table.spare = likeliest(belief.aside)
        self.tried: dict[tuple[int, ...], float] = {}

    def expected(self, move: int) -> float:
        """The mean result of a move over the cards it depends on."""
        return sum(chance * self.result(move, card) for card, chance in self.cases(move))

    def cases(self, move: int) -> Iterator[tuple[int, float]]:
        """The card that decides what a move does, with its chance: the chosen player's, or the one drawn next."""
        seat = first_of(move)
        if not is_card(verb_of(move)) or seat == BLANK or (seat == self.me and verb_of(move) != Card.PRINCE):
            yield NO_CARD, 1.0
        elif seat != self.me:
            yield from self.belief.hands[seat][0].items()
        else:
            yield from (self.belief.next_draw or self.belief.aside or {Card.GUARD: 1.0}).items()

    def result(self, move: int, card: int) -> float:
        """How good the position is after a move, if the deciding card is this one."""
        key = self.sameness(move, card)
        if key not in self.tried:
            t = copy_table(self.table)
            seat = first_of(move)
            if card != NO_CARD and seat != self.me:
                t.hand[seat] = card
            elif card != NO_CARD and t.top < t.bottom:
                t.deck[t.top] = card
            elif card != NO_CARD:
                t.spare = card
            play(t, self.rules, move)
            self.tried[key] = self.judge(t, move)
        return self.tried[key]

    def sameness(self, move: int, card: int) -> tuple[int, ...]:
        """What the result depends on: of a name, only whether it hits."""
        verb = verb_of(move)
        if card == NO_CARD or third_of(move) == BLANK:
            return (move, card)
        return (verb, first_of(move), name_for(self.rules, verb, card) == third_of(move), card == Card.ASSASSIN)

    def judge(self, t: Table, move: int) -> float:
        """The tokens gained, those of others counted against them, and the chance to win the round."""
        gained = [t.tokens[seat] - before for seat, before in enumerate(self.belief.view.tokens)]
        others = (sum(gained) - gained[self.me]) / (self.rules.players - 1)
        value = gained[self.me] - others
        if t.phase in (Phase.DEAL, Phase.OVER):
            return value
        if not t.standing >> self.me & 1:
            return value - 1 / (self.rules.players - 1)
        return value + self.hope(t, move)

    def hope(self, t: Table, move: int) -> float:
        """What the hand is worth from here on, and what it is worth to know and not to be known."""
        worth = self.appraise(t) if t.phase != Phase.KEEP else self.best_of_three(t)
        if first_of(move) != BLANK and verb_of(move) in (Card.PRIEST, Card.BARONESS, Card.KING):
            worth += KNOWING
        if first_of(move) != BLANK and verb_of(move) == Card.KING:
            worth -= EXPOSED
        return worth + self.promised(t)

    def promised(self, t: Table) -> float:
        """The tokens to expect of cards that lie there already: a Jester's bet, a Constable's if its player falls."""
        standing = t.standing.bit_count()
        tokens = 1 / standing if t.bettor == self.me else 0.0
        if in_pile(t, self.me, Card.CONSTABLE):
            tokens += 1 - 1 / standing
        return tokens

    def appraise(self, t: Table) -> float:
        """What the hand is worth by experience."""
        return self.appraisals[worth_cell(t, self.me)]

    def best_of_three(self, t: Table) -> float:
        """What the best of the hand and a Chancellor's cards is worth, over all cards that may be drawn."""
        worth = {}
        for card in (t.hand[self.me], *self.belief.kinds):
            t.hand[self.me], kept = card, t.hand[self.me]
            worth[card] = self.appraise(t)
            t.hand[self.me] = kept
        held, next_draw = worth[t.hand[self.me]], self.belief.next_draw or {}
        second = self.belief.deck(1) if self.belief.view.deck > 1 else next_draw
        return sum(p * q * max(held, worth[a], worth[b]) for a, p in next_draw.items() for b, q in second.items())


def likeliest(chances: Chances) -> int:
    """The card with the best chance."""
    return max(chances, key=lambda card: (chances[card], -card))
