"""What the outcome of a simulated round means to one seat: its share in the round, and its chance to win the match."""

from collections.abc import Iterable
from functools import cached_property

from ..rules import Edition
from ..solve.race import match_chance
from ..view.match import View, seats
from .engine.sampling import CHAMPIONS, FIRST_GAIN, GAIN, TIED

SEATS, TOKENS = 0xFF, 0xF
"""The bits of a set of seats and of the tokens of one seat."""

Worth = tuple[float, float]
"""A share in the round, and a chance to win the match."""


class Scale:
    """What outcomes are worth to the seat of a view."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.rules: Edition = view.rules
        self.seat = view.seat
        self.tokens = view.tokens
        self.rivals = [seat for seat in view.playing if seat != view.seat]
        self._worths: dict[int, Worth] = {}

    def worths(self, outcomes: Iterable[int]) -> list[Worth]:
        """What each of some outcomes (engine/sampling.py) is worth."""
        known = self._worths
        return [known[code] if code in known else self._learn(code) for code in outcomes]

    def _learn(self, outcome: int) -> Worth:
        gains = [outcome >> FIRST_GAIN + GAIN * seat & TOKENS for seat in range(self.rules.players)]
        winners, ended = outcome & SEATS, (outcome >> CHAMPIONS | outcome >> TIED) & SEATS
        match = share(ended, self.seat) if ended else self.after(gains, winners)
        self._worths[outcome] = share(winners, self.seat), match
        return self._worths[outcome]

    def after(self, gains: Iterable[int], winners: int) -> float:
        """The chance to win the match after a round that brings these tokens and has these winners."""
        tokens = [held + gained for held, gained in zip(self.tokens, gains, strict=True)]
        return match_chance(self.rules, tokens, self.seat, winners)

    def won_by(self, winner: int) -> float:
        """The chance to win the match if a seat wins the round and one token."""
        return self.after([int(seat == winner) for seat in range(self.rules.players)], 1 << winner)

    @cached_property
    def lost(self) -> float:
        """The chance to win the match if one of the others wins the round, on average."""
        return sum(map(self.won_by, self.rivals)) / len(self.rivals)

    @cached_property
    def stake(self) -> float:
        """By how much winning the round raises the chance to win the match."""
        return self.won_by(self.seat) - self.lost


def share(winners: int, seat: int) -> float:
    """A seat's part of what a set of seats share equally."""
    return (winners >> seat & 1) / len(seats(winners)) if winners else 0.0
