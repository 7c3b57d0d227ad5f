"""What the plays of others say of them: the network as one of the ways in which an opponent may play.

It is asked what it would have done in another's seat with each card that may have been held there. What that seat has
seen and the reader has not, the network is not told.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...knowledge.likelihood import asked, blank
from ...knowledge.public import Public
from ...lab.acting import action_of
from ...lab.memory import knowers_at, places_at
from ...lab.observing import hold, observe
from ...lab.space import Space, space
from ...rules import NO_CARD, Card, Edition, Phase, Table, new_table
from ...rules.choices import bound, choosable, count_plays, must_play_countess, nth_choice
from ...rules.names import CARDS, verb_of
from ...view.match import View
from ...view.memory import Entry
from ..opponents import Model, PolicyChances, Way, model
from ..positions import public_notes
from ..weights import searchers
from .network import Network, network_for
from .sight import UNKNOWN, LogFold

MANY = 5
"""Players whose plays are so many that reading them by the network takes a few milliseconds a decision."""

SHORT_MS = 10.0
"""A budget below which there is no time for that."""


def read_opponents(view: View, budget_ms: float | None = None) -> tuple[Model, list[float]]:
    """A model of everybody, who plays at random, as bots that search do, or by the network; the chances of the first.

    The network is not asked where that would leave too little of the budget for the search.
    """
    hurried = view.rules.players >= MANY and budget_ms is not None and budget_ms < SHORT_MS
    return model(view, by_fitted_policy if hurried else by_network_or_policy)


def by_fitted_policy(rules: Edition, reader: int | None, tokens: Sequence[int]) -> list[Way]:
    """Who does not play at random plays by the quick policy, as it was fitted to bots that search."""
    return [PolicyChances(rules, searchers(rules))]


def by_network_or_policy(rules: Edition, reader: int | None, tokens: Sequence[int]) -> list[Way]:
    """Who does not play at random plays by that policy, or as the network does."""
    return [PolicyChances(rules, searchers(rules)), NetworkChances(rules, reader, tokens)]


class NetworkChances:
    """The network asked about another player's plays (`opponents.Way`)."""

    slow = True

    def __init__(self, rules: Edition, reader: int | None, tokens: Sequence[int]) -> None:
        self.fold = LogFold(rules, reader, tokens)
        self.network, self.space = network_for(rules), space(rules, full=True)
        self.unread: list[Entry] = []

    def read(self, entry: Entry) -> None:
        """Keep the next row of the log until the network is asked."""
        self.unread.append(entry)

    def play(self, public: Public, notes: list[int], seat: int, move: int) -> Sequence[float]:
        """The chance of the play for each card that may have been held beside the one played."""
        for entry in self.unread:
            self.fold.read(entry)
        self.unread.clear()
        self.fold.close()
        return play_chances(self.fold, self.network, self.space, seat, move)


def play_chances(fold: LogFold, network: Network, s: Space, seat: int, move: int) -> list[float]:
    """The chance of the play that a seat makes next, for each card that it may hold beside the one it plays."""
    card, numbers = verb_of(move), observation_without_hand(fold, s, seat)
    others = [other for other in s.card[: s.kinds] if numbers[s.unseen_at + s.kind[other]] > (other == card)]
    rows = np.tile(np.array(numbers, np.int8), (len(others), 1))
    legal = np.zeros((len(others), s.actions), np.bool_)
    t, ed = fold.public.table, fold.rules
    for other, row, allowed in zip(others, rows, legal, strict=True):
        hold(s, other, row)
        hold(s, card, row)
        allowed[legal_plays(asked(fold.public, seat, Phase.PLAY, (other, card)), ed)] = True
    action = action_of(t, ed, s, move)
    blank(t, seat)
    found = [0.0] * CARDS
    if others:
        for other, chance in zip(others, _chances(network.answers_to_all(rows), legal, action), strict=True):
            found[other] = chance
    return found


def legal_plays(t: Table, ed: Edition) -> list[int]:
    """The numbers of all ways of playing one of two cards."""
    cards = {int(Card.COUNTESS)} if must_play_countess(t) else {t.hand[t.active], t.drawn}
    found: list[int] = []
    for card in cards:
        found += plays_among(ed, t.active, card, choosable(t, ed, card), bound(t, ed, card), count_plays(t, ed, card))
    return found


@lru_cache(maxsize=1 << 14)
def plays_among(ed: Edition, me: int, card: int, seats: int, must: int, count: int) -> list[int]:
    """The numbers of so many ways in which a seat may play a card, which may choose these seats (`nth_choice`)."""
    t, s = new_table(ed), space(ed, full=True)
    t.active = t.decider = me
    return [action_of(t, ed, s, nth_choice(ed, card, seats, must, k)) for k in range(count)]


def observation_without_hand(fold: LogFold, s: Space, seat: int) -> list[int]:
    """What a seat knows at its turn but for its own cards, as far as the reader of the log can tell."""
    ed, known = fold.rules, knowers_at(fold.rules.players)
    t = asked(fold.public, seat, Phase.PLAY)
    for k, card in enumerate(fold.public.face_up):
        t.deck[ed.aside + k] = card
    memories = [NO_CARD if card == UNKNOWN else card for card in fold.memories[:known]] + fold.memories[known:]
    memories[places_at(ed.players) + seat] = 0
    numbers = [0] * s.size
    observe(t, ed, public_notes(fold.public), memories, fold.past, s, seat, numbers)
    return numbers


def _chances(answers: NDArray[np.float32], legal: NDArray[np.bool_], action: int) -> list[float]:
    """The chance of an action among those that are legal, in each row."""
    good = np.where(legal, answers, -np.inf)
    likely = np.exp(good - good.max(1, keepdims=True))
    found: list[float] = (likely[:, action] / likely.sum(1)).tolist()
    return found
