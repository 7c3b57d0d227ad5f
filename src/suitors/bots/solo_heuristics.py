"""Rules of thumb for the solo game. They are asked at a table, but look only at what lies face up there."""

from collections.abc import Callable

from ..rules import BLANK, NO_CARD, Card, Edition, Phase, SoloTable, Verb, pack
from ..rules.names import first_of, second_of, third_of, verb_of
from ..rules.solitaire_choices import count_solo_moves, count_solo_plays, nth_solo_move, nth_solo_play, solo_countess
from ..rules.solitaire_table import AGENT, HAND, targets

NAMING = (Card.BARON, Card.HANDMAID, Card.PRINCE, Card.PRIEST, Card.KING, Card.COUNTESS)
"""What a Guard names, of equally likely cards the first."""

FINISHERS = frozenset({Card.GUARD, Card.PRINCE, Card.KING})
"""The cards that win once the Princess stands alone."""

KEEPING: dict[int, float] = {
    Card.GUARD: 1.5,
    Card.PRIEST: 1.0,
    Card.BARON: 2.0,
    Card.HANDMAID: 3.0,
    Card.PRINCE: 1.5,
    Card.KING: 6.0,
    Card.COUNTESS: 4.5,
    Card.PRINCESS: 0.0,
}
"""How gladly each card is kept for later."""

FINISHING = 10.0
"""How gladly a card is kept that wins next turn; half as gladly the turn before, and so on."""

NEW = 2.5
"""How gladly an unknown card is taken for the hand."""

DECIDED = 100.0
"""What wins or loses at once."""

FATAL = 20.0
"""How bad a Guard is that acts next, where no agent lies face down to meet it."""

ENDING = 14.0
"""How bad a Baron or Handmaid is as the last before the Princess, and how good a King, who trades her away."""

HARM: dict[int, float] = {Card.GUARD: 5.0, Card.BARON: 3.5, Card.PRIEST: 1.0, Card.PRINCE: 1.0}
"""How bad other cards of the queue are; those that are not here do little."""

REMOVING, LOOKING, FARTHER = 2.0, 4.0, 0.5
"""How good it is to shorten the queue, to know a card of it, and that for each place to the right."""

RENEWING = 4.0
"""How good it is to have an agent face down again, for each card of the queue before the Princess."""

CALLING = 21.0
"""How much good the agent must do to be called."""

HURRY = 6.0
"""How good it is to save a draw when the pile will not last as long as the queue."""

RISK = 15.0
"""How bad a comparison is that is lost."""


class SoloHeuristics:
    """A position, judged by rules of thumb."""

    def __init__(self, t: SoloTable, ed: Edition) -> None:
        self.t = t
        self.ed = ed
        self.unseen = unseen_at(t, ed)
        self.total = max(1, sum(self.unseen))
        self.masked = t.agent != NO_CARD and not t.agent_up
        self.princess = t.length > 0 and t.queue[t.length - 1] == Card.PRINCESS
        self.retinue = t.length - self.princess
        self.spare = t.bottom - t.top - self.retinue - (t.phase == Phase.START)
        self.renewing = RENEWING * self.retinue
        self.kept = NO_CARD
        self.averages: dict[int, float] = {}

    # Moves

    def moves(self) -> list[int]:
        """The legal moves, but with one name for each card that a Guard may name."""
        t, ed = self.t, self.ed
        if t.phase in (Phase.START, Phase.OFFER) or (t.phase == Phase.PLAY and solo_countess(t)):
            return [nth_solo_move(t, ed, k) for k in range(count_solo_moves(t, ed))]
        moves = self.plays(t.drawn)
        return moves + self.plays(t.hand) if t.phase == Phase.PLAY and t.hand != t.drawn else moves

    def plays(self, card: int) -> list[int]:
        """The ways of playing a card; a Guard names what is likeliest, but the last before the Princess must stay."""
        t, ed, n = self.t, self.ed, targets(self.t)
        if card != Card.GUARD or n == 0:
            return [nth_solo_play(t, ed, card, k) for k in range(count_solo_plays(t, ed, card))]
        name = (min if self.retinue == 1 else max)(NAMING, key=self.unseen.__getitem__)
        return [pack(Card.GUARD, place, BLANK, BLANK if t.up[place] else name) for place in range(n)]

    def liking(self, move: int) -> float:
        """How much a legal move is liked."""
        t, verb = self.t, verb_of(move)
        if verb == Verb.DRAW:
            return 0.0
        if verb == Verb.AGENT:
            return self.call()
        if verb == Verb.OFFER:
            return OFFERS[t.attacker](self, first_of(move) == HAND)
        self.kept = t.drawn if t.phase == Phase.PLAY and verb == t.hand else t.hand
        return self.effect(verb, move) + self.keeping(self.kept)

    def effect(self, card: int, move: int) -> float:
        """How good it is what a played card does."""
        if card == Card.PRINCESS:
            return -DECIDED
        if card == Card.HANDMAID:
            return max(0.0, self.threat_at(0)) if self.retinue else 0.0
        return 0.0 if first_of(move) == BLANK else AIMED[card](self, first_of(move), move)

    def call(self) -> float:
        """Call the agent where it is known and does much good; while it lies face down it is a shield."""
        t = self.t
        if not t.agent_up:
            return -1.0
        before = t.phase, t.drawn, t.agent, t.agent_up
        t.phase, t.drawn, t.agent, t.agent_up = Phase.AGENT, t.agent, NO_CARD, 0
        good = max(self.liking(move) - self.keeping(t.hand) for move in self.plays(t.drawn))
        t.phase, t.drawn, t.agent, t.agent_up = before
        late = self.retinue == 1 and t.hand in FINISHERS
        return good + self.hurry() - (0.0 if late else CALLING)

    # What is good and bad

    def keeping(self, card: int) -> float:
        """How gladly a card is kept: one that wins against the Princess the more, the nearer she is."""
        return KEEPING[card] + (FINISHING / 2 ** max(0, self.retinue - 1) if card in FINISHERS else 0.0)

    def hurry(self) -> float:
        """How good it is to save a draw."""
        return HURRY if self.spare < 0 else 0.0

    def threat(self, card: int, place: int) -> float:
        """How bad a card is in a place of the queue."""
        if place == 0 and card == Card.GUARD and not self.masked:
            return FATAL
        if place == self.retinue - 1 and self.princess:
            if card in (Card.BARON, Card.HANDMAID):
                return ENDING
            if card == Card.KING:
                return -ENDING
        return HARM.get(card, 0.0)

    def average(self, place: int) -> float:
        """How bad a face-down card in a place is on average."""
        if place not in self.averages:
            bad = sum(n * self.threat(card, place) for card, n in enumerate(self.unseen) if n)
            self.averages[place] = bad / self.total
        return self.averages[place]

    def threat_at(self, place: int) -> float:
        """How bad the card is that lies in a place."""
        return self.threat(self.t.queue[place], place) if self.t.up[place] else self.average(place)

    def removing(self, place: int) -> float:
        """How good it is to remove the card in a place: never so that the Princess alone is left to the opponent."""
        if self.t.length == 1:
            return DECIDED
        if self.retinue == 1 and self.princess:
            return -DECIDED
        return REMOVING + self.threat_at(place) + self.hurry()


def unseen_at(t: SoloTable, ed: Edition) -> list[int]:
    """How many copies of each card lie face down."""
    left = list(ed.copies)
    for card in t.piles[: t.discards]:
        left[card] -= 1
    for place in range(t.length):
        if t.up[place]:
            left[t.queue[place]] -= 1
    for card in (t.hand, t.drawn, t.agent if t.agent_up else NO_CARD):
        if card != NO_CARD:
            left[card] -= 1
    return left


# The player's cards


def guard(position: SoloHeuristics, place: int, move: int) -> float:
    """Remove what lies face up; else name a card, which turns it up at least."""
    if position.t.up[place]:
        return position.removing(place)
    chance = position.unseen[third_of(move)] / position.total
    return chance * position.removing(place) + (1 - chance) * priest(position, place, move)


def priest(position: SoloHeuristics, place: int, move: int) -> float:
    """Look at what lies face down, near the end of the queue first."""
    return 0.0 if position.t.up[place] else LOOKING + FARTHER * place


def baron(position: SoloHeuristics, place: int, move: int) -> float:
    """Compare what is likely to win, never an agent that nobody knows."""
    t, value = position.t, position.ed.value
    if second_of(move) == AGENT and not t.agent_up:
        return -FATAL
    own = value[position.kept if second_of(move) == HAND else t.agent]
    if t.up[place]:
        theirs = value[t.queue[place]]
        return -DECIDED if own < theirs else position.removing(place) if own > theirs else 0.0
    higher = sum(n for card, n in enumerate(position.unseen) if value[card] > own) / position.total
    lower = sum(n for card, n in enumerate(position.unseen) if value[card] < own) / position.total
    return lower * position.removing(place) - higher * RISK


def prince(position: SoloHeuristics, place: int, move: int) -> float:
    """Be rid of a bad card of one's own, or of a dangerous one in the queue."""
    t, empty = position.t, position.t.top == position.t.bottom
    if place in (HAND, AGENT):
        if empty or (position.kept if place == HAND else t.agent) == Card.PRINCESS:
            return -DECIDED
        gain = NEW - position.keeping(position.kept) if place == HAND else 0.0 if position.masked else position.renewing
        return gain - (HURRY if position.spare <= 0 else 0.0)
    if t.queue[place] == Card.PRINCESS or position.ed.removes:
        return position.removing(place)
    return -DECIDED if empty else position.threat_at(place) - position.average(place)


def king(position: SoloHeuristics, place: int, move: int) -> float:
    """Take the Princess out of the queue, or trade a danger for something harmless."""
    t = position.t
    if t.queue[place] == Card.PRINCESS:
        return DECIDED
    return position.threat_at(place) + trade(position, place, position.kept if second_of(move) == HAND else NO_CARD)


def trade(position: SoloHeuristics, place: int, hand: int) -> float:
    """What it is worth to give the hand, or the agent where no card is given, for a card in a place of the queue."""
    t = position.t
    if hand != NO_CARD:
        gain = position.keeping(t.queue[place]) if t.up[place] else NEW
        return gain - position.keeping(hand) - position.threat(hand, place)
    if position.masked:
        return -position.average(place) - (position.renewing if t.up[place] else 0.0)
    return (0.0 if t.up[place] else position.renewing) - position.threat(t.agent, place)


AIMED: dict[int, Callable[[SoloHeuristics, int, int], float]] = {
    Card.GUARD: guard,
    Card.PRIEST: priest,
    Card.BARON: baron,
    Card.PRINCE: prince,
    Card.KING: king,
}


# What is offered to the opponent's cards


def to_guard(position: SoloHeuristics, hand: bool) -> float:
    """Only an agent that lies face down survives."""
    return 0.0 if hand else 1.0


def to_baron(position: SoloHeuristics, hand: bool) -> float:
    """The higher card; one that lies face down is a three or so, and rather kept so."""
    t, value = position.t, position.ed.value
    return float(value[t.hand]) if hand else 2.5 if position.masked else float(value[t.agent])


def to_prince(position: SoloHeuristics, hand: bool) -> float:
    """What is worth less: the successor of an agent in sight lies face down."""
    t = position.t
    if (t.hand if hand else t.agent) == Card.PRINCESS:
        return -DECIDED
    return NEW - position.keeping(t.hand) if hand else 0.0 if position.masked else position.renewing


def to_king(position: SoloHeuristics, hand: bool) -> float:
    """A card that does little harm in the queue; the Princess is welcome in the hand."""
    if position.t.queue[0] == Card.PRINCESS:
        return float(hand)
    return trade(position, 0, position.t.hand if hand else NO_CARD)


OFFERS: dict[int, Callable[[SoloHeuristics, bool], float]] = {
    Card.GUARD: to_guard,
    Card.BARON: to_baron,
    Card.PRINCE: to_prince,
    Card.KING: to_king,
}
