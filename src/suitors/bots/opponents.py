"""Models of opponents: each plays by the quick policy, or at random; what they have done says which.

The model is the likelihood behind the expert's belief, and what the expert lets opponents do in its simulations.
"""

import threading
from collections import deque
from collections.abc import Sequence
from math import exp, log

from ..fast import available
from ..knowledge.evidence import Weights
from ..knowledge.likelihood import Likelihood, asked, blank, uniform
from ..knowledge.notes import BARRED, LEFT
from ..knowledge.public import SEEN_UNKNOWN, Public
from ..rules import NO_CARD, Edition, Event, Phase
from ..rules.names import CARDS, is_card, verb_of
from ..view.match import View
from ..view.memory import Entry
from .arrays import floats, ints, policy_buffers, zeros
from .engine.policy import KEPT, STAGES, play_chances
from .positions import public_notes
from .weights import weights

PRIOR = -1.5
"""The logarithm of the odds, before anything is seen, that an opponent plays at random."""

JUDGED = 3.0
"""The most that one play may shift these odds, as a logarithm: nobody plays exactly by the policy either."""

SLIP = 0.03
"""How often even a good player makes a play that the policy would not."""

REMEMBERED = 256
"""Rounds of which the plays are remembered, judged: at the next decision only what is new has to be."""


class Model(Likelihood):
    """What each seat is likely to choose in a round: partly at random, partly by the policy."""

    any_order = True

    def __init__(self, observed: "ObservedRound", at_random: Sequence[float]) -> None:
        self.observed = observed
        self.at_random = at_random

    def play(self, public: Public, seat: int, move: int) -> Sequence[float]:
        """A mixture of both ways to play."""
        chance = self._at_random(seat)
        random, chosen = self.observed.chances[public.table.discards]
        return [chance * a + (1 - chance) * b for a, b in zip(random, chosen, strict=True)]

    def keep(self, public: Public, seat: int, cards: tuple[int, ...], move: int) -> float:
        """Every order is as likely as the others."""
        return uniform.keep(public, seat, cards, move)

    def kept(self, public: Public, seat: int) -> Weights:
        """How much the policy likes to keep each card."""
        chance = self._at_random(seat)
        return [chance + (1 - chance) * weight for weight in self.observed.policy.kept(public)]

    def answer(self, public: Public, seat: int, move: int) -> list[float]:
        """Looks and answers are taken as if at random."""
        return uniform.answer(public, seat, move)

    def _at_random(self, seat: int) -> float:
        return SLIP + (1 - SLIP) * self.at_random[seat]


class ObservedRound:
    """The plays of one round as one seat saw them, each judged: its chance at random and by the policy."""

    def __init__(self, rules: Edition, reader: int | None, tokens: Sequence[int]) -> None:
        self.public = Public(rules, reader)
        self.public.table.tokens = list(tokens)
        self.before = list(tokens)
        self.policy = PolicyChances(rules)
        self.told: tuple[Entry, ...] = ()
        self.shifts = [0.0] * rules.players  # how far each seat's plays speak for random play
        self.chances: dict[int, tuple[Sequence[float], Sequence[float]]] = {}  # by the number of discards before

    def begins(self, rules: Edition, reader: int | None, told: tuple[Entry, ...], tokens: Sequence[int]) -> bool:
        """Whether this is the beginning of what a seat was told."""
        same = self.public.rules is rules and self.public.seat == reader and self.before == list(tokens)
        return same and bool(self.told) and told[: len(self.told)] == self.told

    def read(self, told: tuple[Entry, ...]) -> None:
        """Go on with what has been told since."""
        for entry in told[len(self.told) :]:
            if entry.event == Event.MOVED and entry.card is not None and is_card(verb_of(entry.card)):
                self._judge(entry.actor, entry.card)
            self.public.learn(entry)
        self.told = told

    def _judge(self, seat: int, move: int) -> None:
        notes = certain_notes(self.public)
        random, chosen = uniform.play(self.public, seat, move), self.policy.play(self.public, notes, seat, move)
        self.chances[self.public.table.discards] = random, chosen
        if seat != self.public.seat:
            left = notes[LEFT:]
            left[verb_of(move)] -= 1
            self.shifts[seat] += shift(left, random, chosen)


def shift(left: Sequence[int], random: Sequence[float], chosen: Sequence[float]) -> float:
    """How far one play speaks for random play: both ways' chances of it, averaged over the cards that may be held."""
    at_random = sum(n * chance for n, chance in zip(left, random, strict=True))
    by_policy = sum(n * chance for n, chance in zip(left, chosen, strict=True))
    if at_random == 0:
        return 0.0
    return max(-JUDGED, min(JUDGED, log(at_random / (by_policy + SLIP * at_random))))


_rounds: deque[ObservedRound] = deque(maxlen=REMEMBERED)
_reading = threading.Lock()


def observed_round(rules: Edition, reader: int | None, told: tuple[Entry, ...], tokens: Sequence[int]) -> ObservedRound:
    """A round read to its end, continued from where it was read before."""
    with _reading:
        for observed in _rounds:
            if observed.begins(rules, reader, told, tokens):
                break
        else:
            observed = ObservedRound(rules, reader, tokens)
            _rounds.appendleft(observed)
        observed.read(told)
        return observed


def model(view: View) -> tuple[Model, list[float]]:
    """The model of everybody in the running round, and each seat's chance to play at random, by the whole match."""
    shifts, tokens = [0.0] * view.rules.players, [0] * view.rules.players
    for told in view.log:
        observed = observed_round(view.rules, view.seat, told, tokens)
        tokens = observed.public.table.tokens
        shifts = [a + b for a, b in zip(shifts, observed.shifts, strict=True)]
    at_random = [1 / (1 + exp(-(PRIOR + shift))) for shift in shifts]
    return Model(observed, at_random), at_random


class PolicyChances:
    """The quick policy asked about another player's plays."""

    def __init__(self, rules: Edition) -> None:
        self.rules = rules
        self.theta = floats(weights(rules))
        self.buffers = policy_buffers()
        self.found = zeros(CARDS, real=True)

    def play(self, public: Public, notes: list[int], seat: int, move: int) -> list[float]:
        """The chance of the play for each card that may have been held beside the one played."""
        t = asked(public, seat, Phase.PLAY, (verb_of(move), verb_of(move)))
        if available():
            from ..fast.layout import wide_edition, wide_record  # noqa: PLC0415 - only where numba is installed
            from .engine.compiling import play_chances as compiled  # noqa: PLC0415

            table, rules = wide_record(t), wide_edition(self.rules)
            compiled(table, rules, ints(notes), self.theta, self.buffers, move, self.found)
        else:
            play_chances(t, self.rules, notes, self.theta, self.buffers, move, self.found)
        blank(t, seat)
        return [float(chance) for chance in self.found]

    def kept(self, public: Public) -> list[float]:
        """How much more than the least liked card each one is liked to be kept from a Chancellor."""
        t = public.table
        turns = (t.bottom - t.top) // max(1, t.standing.bit_count())
        row = KEPT + min(turns, STAGES - 1) * CARDS
        liked = [float(self.theta[row + card]) for card in range(CARDS)]
        most = max(liked)
        return [exp(score - most) for score in liked]


def certain_notes(public: Public) -> list[int]:
    """The public notes as the engine keeps them; what others saw unknown to the reader counts as unseen."""
    notes = public_notes(public)
    return [NO_CARD if card == SEEN_UNKNOWN else card for card in notes[:BARRED]] + notes[BARRED:]
