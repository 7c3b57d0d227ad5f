"""What the plays of others say of them: the network as one of the ways in which an opponent may play.

It is asked what it would have done in another's seat with each card that may have been held there. What that seat has
seen and the reader has not, the network is not told.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...knowledge.likelihood import asked, blank
from ...knowledge.public import Public
from ...lab.acting import action_of, write_mask
from ...lab.memory import knowers_at, places_at
from ...lab.observing import hold, observe
from ...lab.space import Space, space
from ...rules import NO_CARD, Edition, Phase
from ...rules.names import CARDS, verb_of
from ...view.match import View
from ...view.memory import Entry
from ..opponents import Model, PolicyChances, Way, model
from ..positions import public_notes
from .network import Network, network_for
from .sight import UNKNOWN, LogFold


def read_opponents(view: View) -> tuple[Model, list[float]]:
    """A model of everybody, who plays at random, by the quick policy or by the network; the chances of the first."""
    return model(view, by_network_or_policy)


def by_network_or_policy(rules: Edition, reader: int | None, tokens: Sequence[int]) -> list[Way]:
    """Who does not play at random plays by the quick policy, or as the network does."""
    return [PolicyChances(rules), NetworkChances(rules, reader, tokens)]


class NetworkChances:
    """The network asked about another player's plays (`opponents.Way`)."""

    def __init__(self, rules: Edition, reader: int | None, tokens: Sequence[int]) -> None:
        self.fold = LogFold(rules, reader, tokens)
        self.network, self.space = network_for(rules), space(rules, full=True)

    def read(self, entry: Entry) -> None:
        """Take in the next row of the log."""
        self.fold.read(entry)

    def play(self, public: Public, notes: list[int], seat: int, move: int) -> Sequence[float]:
        """The chance of the play for each card that may have been held beside the one played."""
        self.fold.close()
        return play_chances(self.fold, self.network, self.space, seat, move)


def play_chances(fold: LogFold, network: Network, s: Space, seat: int, move: int) -> list[float]:
    """The chance of the play that a seat makes next, for each card that it may hold beside the one it plays."""
    card, numbers = verb_of(move), observation_without_hand(fold, s, seat)
    others = [other for other in s.card[: s.kinds] if numbers[s.unseen_at + s.kind[other]] > (other == card)]
    found = [0.0] * CARDS
    for other in others:
        row, mask = numbers[:], [0] * s.actions
        hold(s, other, row)
        hold(s, card, row)
        t = asked(fold.public, seat, Phase.PLAY, (other, card))
        write_mask(t, fold.rules, s, mask)
        # One row after the other: numpy multiplies matrices by threads, which wait for each other where cores are busy.
        found[other] = _chance(network.answers(np.array(row, np.int8)), mask, action_of(t, fold.rules, s, move))
    blank(fold.public.table, seat)
    return found


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


def _chance(answers: NDArray[np.float32], mask: list[int], action: int) -> float:
    """The chance of an action among those that are legal."""
    legal = np.where(mask, answers, -np.inf)
    likely = np.exp(legal - legal.max())
    return float(likely[action] / likely.sum())
