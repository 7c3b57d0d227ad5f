"""Models of opponents: each plays at random, by the quick policy or in another way; what they have done says how.

The model is the likelihood behind the expert's belief. In its simulations an opponent plays at random as often as the
model says, and by the quick policy otherwise.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from math import exp, log
from typing import Protocol

from ..fast import available
from ..knowledge.evidence import Weights
from ..knowledge.likelihood import Likelihood, asked, blank, uniform
from ..knowledge.notes import BARRED, LEFT
from ..knowledge.public import SEEN_UNKNOWN, Public, tokens_before
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

UNLIKELY = 0.01
"""A slow way in which a seat is no likelier than this to play is asked only about the first plays of a round."""

REMEMBERED = 256
"""Rounds of which the plays are remembered, judged: at the next decision only what is new has to be."""


class Way(Protocol):
    """A way to play that is not random, asked about the plays of a round as somebody reads of them."""

    slow: bool  # whether asking takes long

    def read(self, entry: Entry) -> None:
        """Take in the next row of the log."""

    def play(self, public: Public, notes: list[int], seat: int, move: int) -> Sequence[float]:
        """The chance of the play for each card that may have been held beside the one played."""


Ways = Callable[[Edition, int | None, Sequence[int]], list[Way]]
"""The ways to play that opponents may have, the quick policy among them, for a round read by a seat that began with
these tokens."""


class Model(Likelihood):
    """What each seat is likely to choose in a round: partly at random, partly in each other way.

    `parts` are, by seat, the chances that it plays at random, and in each of the other ways.
    """

    any_order = True

    def __init__(self, observed: "ObservedRound", parts: Sequence[Sequence[float]]) -> None:
        self.observed = observed
        self.parts = parts

    @property
    def at_random(self) -> list[float]:
        """Each seat's chance to play at random."""
        return [parts[0] for parts in self.parts]

    def play(self, public: Public, seat: int, move: int) -> Sequence[float]:
        """A mixture of all ways to play."""
        random, *others = self.parts[seat]
        parts = [SLIP + (1 - SLIP) * random, *((1 - SLIP) * part for part in others)]
        columns = zip(*self.observed.chances[public.table.discards], strict=True)
        return [sum(part * chance for part, chance in zip(parts, column, strict=True)) for column in columns]

    def keep(self, public: Public, seat: int, cards: tuple[int, ...], move: int) -> float:
        """Every order is as likely as the others."""
        return uniform.keep(public, seat, cards, move)

    def kept(self, public: Public, seat: int) -> Weights:
        """How much the policy likes to keep each card."""
        chance = SLIP + (1 - SLIP) * self.parts[seat][0]
        return [chance + (1 - chance) * weight for weight in self.observed.policy.kept(public)]

    def answer(self, public: Public, seat: int, move: int) -> list[float]:
        """Looks and answers are taken as if at random."""
        return uniform.answer(public, seat, move)


Shifts = Sequence[Sequence[float]]
"""By seat, how far its plays speak for random play and against each other way."""


class ObservedRound:
    """The plays of one round as one seat saw them, each judged: its chance at random and in each other way.

    `earlier` are the shifts of the rounds before, if there were any.
    """

    def __init__(
        self, rules: Edition, reader: int | None, tokens: Sequence[int], make_ways: Ways, earlier: Shifts = ()
    ) -> None:
        self.public = Public(rules, reader)
        self.public.table.tokens = list(tokens)
        self.before = list(tokens)
        self.make_ways, self.ways = make_ways, make_ways(rules, reader, tokens)
        self.policy = next(way for way in self.ways if isinstance(way, PolicyChances))
        self.told: tuple[Entry, ...] = ()
        self.earlier = earlier
        self.shifts = [list(shifts) for shifts in earlier or [[0.0] * len(self.ways)] * rules.players]
        self.chances: dict[int, list[Sequence[float]]] = {}  # by the number of discards before

    def begins(
        self,
        rules: Edition,
        reader: int | None,
        told: tuple[Entry, ...],
        tokens: Sequence[int],
        make_ways: Ways,
        earlier: Shifts,
    ) -> bool:
        """Whether this is the beginning of what a seat was told, judged in these ways.

        The rules may be a copy: a server sends views to other processes.
        """
        same = self.public.seat == reader and self.before == list(tokens) and self.make_ways is make_ways
        begun = bool(self.told) and told[: len(self.told)] == self.told
        return same and begun and self.earlier == earlier and self.public.rules == rules

    def read(self, told: tuple[Entry, ...]) -> None:
        """Go on with what has been told since."""
        for entry in told[len(self.told) :]:
            if entry.event == Event.MOVED and entry.card is not None and is_card(verb_of(entry.card)):
                self._judge(entry.actor, entry.card)
            self.public.learn(entry)
            for way in self.ways:
                way.read(entry)
        self.told = told

    def _judge(self, seat: int, move: int) -> None:
        """What a play says of its player. A way that is not asked is taken for chance."""
        notes = certain_notes(self.public)
        random = uniform.play(self.public, seat, move)
        if seat == self.public.seat:  # nothing to learn, but endings ask how a spectator would read it
            own = self.policy.play(self.public, notes, seat, move)
            self.chances[self.public.table.discards] = [random, *[own] * len(self.ways)]
            return
        left = notes[LEFT:]
        left[verb_of(move)] -= 1
        judged = [random]
        early = self.public.table.discards < self.public.rules.players
        for k, (way, part) in enumerate(zip(self.ways, parts(self.shifts[seat])[1:], strict=True)):
            if early or part > UNLIKELY or not way.slow:
                judged.append(way.play(self.public, notes, seat, move))
                self.shifts[seat][k] += shift(left, random, judged[-1])
            else:
                judged.append(random)
        self.chances[self.public.table.discards] = judged


def shift(left: Sequence[int], random: Sequence[float], chosen: Sequence[float]) -> float:
    """How far one play speaks for random play: both ways' chances of it, averaged over the cards that may be held."""
    at_random = sum(n * chance for n, chance in zip(left, random, strict=True))
    by_policy = sum(n * chance for n, chance in zip(left, chosen, strict=True))
    if at_random == 0:
        return 0.0
    return max(-JUDGED, min(JUDGED, log(at_random / (by_policy + SLIP * at_random))))


_rounds: deque[ObservedRound] = deque(maxlen=REMEMBERED)
_reading = threading.Lock()
"""One thread at a time reads on in a round that was read before."""


def by_policy(rules: Edition, reader: int | None, tokens: Sequence[int]) -> list[Way]:
    """The quick policy is the only way to play that is not random."""
    return [PolicyChances(rules, weights(rules))]


def observed_round(
    rules: Edition,
    reader: int | None,
    told: tuple[Entry, ...],
    tokens: Sequence[int],
    make_ways: Ways = by_policy,
    earlier: Shifts = (),
) -> ObservedRound:
    """A round read to its end, continued from where it was read before."""
    for observed in _rounds:
        if observed.begins(rules, reader, told, tokens, make_ways, earlier):
            break
    else:
        observed = ObservedRound(rules, reader, tokens, make_ways, earlier)
        _rounds.appendleft(observed)
    observed.read(told)
    return observed


def model(view: View, make_ways: Ways = by_policy) -> tuple[Model, list[float]]:
    """The model of everybody in the running round, and each seat's chance to play at random, by the whole match."""
    tokens = tokens_before(view, 0)
    shifts: Shifts = ()
    with _reading:
        for told in view.log:
            observed = observed_round(view.rules, view.seat, told, tokens, make_ways, shifts)
            tokens, shifts = list(observed.public.table.tokens), [list(ways) for ways in observed.shifts]
    found = Model(observed, [parts(ways) for ways in shifts])
    return found, found.at_random


def parts(shifts: Sequence[float]) -> list[float]:
    """The chances to play at random and in each other way, of which none is likelier before anything is seen."""
    odds = [PRIOR, *(-shift - log(len(shifts)) for shift in shifts)]
    most = max(odds)
    weights = [exp(odd - most) for odd in odds]
    return [weight / sum(weights) for weight in weights]


class PolicyChances:
    """The quick policy, by one set of weights, asked about another player's plays."""

    slow = False

    def __init__(self, rules: Edition, theta: Sequence[float]) -> None:
        self.rules = rules
        self.theta = floats(theta)
        self.buffers = policy_buffers()
        self.found = zeros(CARDS, real=True)

    def read(self, entry: Entry) -> None:
        """It is told all that it needs when it is asked."""

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
