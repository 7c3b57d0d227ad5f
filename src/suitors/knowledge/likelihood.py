"""How likely a player is to choose as they did, for each card they may have held: the assumption behind a belief."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from ..rules import NO_CARD, Card, Edition, Phase, Table, count_moves, why_not
from ..rules.choices import count_plays, must_play_countess
from ..rules.names import CARDS, Refusal, Verb, verb_of
from .public import Public

Policy = Callable[[Table, Edition], Mapping[int, float]]
"""The chance of each legal move (packed) of the player who is to decide, by what that player can see of the table."""


EVEN = (1.0,) * CARDS
"""No card is likelier than another."""


class Likelihood(ABC):
    """The chance that a player makes a choice. The public table is as it was before the choice."""

    any_order = False
    """Whether all orders of a Chancellor's cards are equally likely; `keep` is then not asked."""

    @abstractmethod
    def play(self, public: Public, seat: int, move: int) -> Sequence[float]:
        """The chance of the play for each card, by number, that may have been held beside the one played."""

    @abstractmethod
    def keep(self, public: Public, seat: int, cards: tuple[int, ...], move: int) -> float:
        """The chance that a player with these cards keeps and returns them so."""

    def kept(self, public: Public, seat: int) -> Sequence[float]:
        """How much likelier than by chance each card is to be the one kept; asked only where any order may be."""
        return EVEN

    @abstractmethod
    def answer(self, public: Public, seat: int, move: int) -> list[float]:
        """The chance of a look after a Cardinal or an answer to a Bishop, for each card in the player's hand."""


class Uniform(Likelihood):
    """Every legal move is as likely as the others."""

    any_order = True

    def play(self, public: Public, seat: int, move: int) -> Sequence[float]:
        """One in so many plays of the two cards; nothing but the Countess where she had to be played."""
        t, ed = asked(public, seat, Phase.PLAY), public.rules
        card = verb_of(move)
        chances = [0.0] * CARDS
        t.drawn = card
        plays = count_plays(t, ed, card)
        for other in range(CARDS):
            if ed.copies[other]:
                t.hand[seat] = other
                if must_play_countess(t):
                    chances[other] = float(card == Card.COUNTESS)
                else:
                    chances[other] = 1 / (plays if other == card else plays + count_plays(t, ed, other))
        blank(t, seat)
        return chances

    def keep(self, public: Public, seat: int, cards: tuple[int, ...], move: int) -> float:
        """Every order is as likely as the others."""
        t = asked(public, seat, Phase.KEEP, cards)
        chance = 1 / count_moves(t, public.rules)
        blank(t, seat)
        return chance

    def answer(self, public: Public, seat: int, move: int) -> list[float]:
        """The answers are as likely whatever is held."""
        return [1.0] * CARDS


class ByPolicy(Likelihood):
    """The choices of a given policy."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def play(self, public: Public, seat: int, move: int) -> Sequence[float]:
        """Ask the policy about each card that may have been held beside the one played."""
        chances = [0.0] * CARDS
        for other in range(CARDS):
            if public.rules.copies[other]:
                chances[other] = self._ask(public, seat, Phase.PLAY, (other, verb_of(move)), move)
        return chances

    def keep(self, public: Public, seat: int, cards: tuple[int, ...], move: int) -> float:
        """Ask the policy."""
        return self._ask(public, seat, Phase.KEEP, cards, move)

    def answer(self, public: Public, seat: int, move: int) -> list[float]:
        """Ask the policy about each card that may be held."""
        phase = Phase.LOOK if verb_of(move) == Verb.LOOK else Phase.ANSWER
        return [
            self._ask(public, seat, phase, (card,), move) if public.rules.copies[card] else 0.0 for card in range(CARDS)
        ]

    def _ask(self, public: Public, seat: int, phase: Phase, cards: tuple[int, ...], move: int) -> float:
        t = asked(public, seat, phase, cards)
        fine = why_not(t, public.rules, move) == Refusal.FINE
        chance = self.policy(t, public.rules).get(move, 0.0) if fine else 0.0
        blank(t, seat)
        return chance


def asked(public: Public, seat: int, phase: Phase, cards: tuple[int, ...] = ()) -> Table:
    """The public table with a player to decide who holds these cards."""
    t = public.table
    t.phase, t.decider = phase, seat
    if phase != Phase.ANSWER:
        t.active = seat
    hand, drawn, extra = (*cards, NO_CARD, NO_CARD, NO_CARD)[:3]
    t.hand[seat], t.drawn, t.extra = hand, drawn, extra
    return t


def blank(t: Table, seat: int) -> None:
    """Take the supposed cards away again."""
    t.hand[seat] = t.drawn = t.extra = NO_CARD


uniform = Uniform()
