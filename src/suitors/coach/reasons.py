"""Why a decision was good or bad: one fact of what the seat knew then, with its numbers from the belief.

Each reason is a small record of facts; words/coach.py says it. They are looked for in the order of `FINDERS`: the
first that fits is given, and the values of both moves are the last resort. Nothing here looks at anything but the
view of the seat and the belief made of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from ..bots.ending import spectator
from ..knowledge.belief import Belief, Chances
from ..notation import read_move
from ..rules import BLANK, NOBODY, Card, Event
from ..rules.choices import name_for
from ..rules.names import Naming, first_of, is_card, third_of, verb_of
from ..view.match import View
from ..view.memory import Entry
from .judgement import Judgement, MoveValue

Why = Literal["seen", "traded", "counted", "played"]
"""How a seat can know of another's card: it was shown, it was traded away, by counting, or by what the other played."""

NEAR = 0.05
"""A chance that differs by less from what counting gives is one of counting."""

CERTAIN = 1 - 1e-9

LIKELY = 0.2
"""A chance below this is no reason for a move."""

SUSPECTED = 0.3
"""A chance above this is what a play speaks of."""

LEAST_GAP = 1e-9
"""What chances have to differ by to tell which is better."""

FORCING = (Card.KING, Card.PRINCE)
"""The cards beside which the Countess has to be played."""


@dataclass(frozen=True)
class Guess:
    """What a card named, of whom, and the chance that it was right."""

    card: Card  # that named it
    target: int
    name: int  # a card, or a number
    by_number: bool
    chance: float
    copies: int  # cards out of sight of which it would be right
    hidden: int  # all cards out of sight
    why: Why


@dataclass(frozen=True)
class WrongGuess:
    """Something was named, and something else was likelier."""

    kind = "guess"
    named: Guess
    better: Guess


@dataclass(frozen=True)
class GoodGuess:
    """Something likely could be named."""

    kind = "name"
    guess: Guess


@dataclass(frozen=True)
class Comparison:
    """Hands are compared: the chances that the card kept is ahead of the other's, and behind."""

    kind = "comparison"
    card: Card
    kept: Card
    target: int
    ahead: float
    behind: float


@dataclass(frozen=True)
class Fall:
    """The move puts its own player out of the round."""

    kind = "fall"
    card: Card  # that must not be discarded


@dataclass(frozen=True)
class Unmask:
    """Another may hold the card that must not be discarded, and can be made to discard it."""

    kind = "unmask"
    target: int
    chance: float


@dataclass(frozen=True)
class Trade:
    """Hands are traded: the chance that the other's card is lower than the one given."""

    kind = "trade"
    given: Card
    target: int
    lower: float


@dataclass(frozen=True)
class Telling:
    """The Countess was played without need: how likely a spectator then thinks one of the cards that force her."""

    kind = "telling"
    cards: tuple[Card, ...]
    chance: float


@dataclass(frozen=True)
class Exposed:
    """A card was kept that another player is known to have seen."""

    kind = "exposed"
    card: Card
    by: int


@dataclass(frozen=True)
class Last:
    """The deck is empty and one other stands: the chance to be ahead with the card kept, and with the other one."""

    kind = "last"
    target: int
    kept: Card
    chance: float
    other: Card
    better: float


@dataclass(frozen=True)
class Values:
    """Nothing but chances to win the round, or the match where the round would not tell: of a move, and of the best."""

    kind = "values"
    move: str
    chance: float
    best: str
    better: float
    of_match: bool


Reason = WrongGuess | GoodGuess | Comparison | Fall | Unmask | Trade | Telling | Exposed | Last | Values


class Finder:
    """Looks for reasons in one position of a seat."""

    def __init__(self, view: View, believe: Callable[[View], Belief]) -> None:
        assert view.seat is not None
        self.view, self.believe, self.me = view, believe, view.seat
        self.belief = believe(view)
        self.rules = view.rules

    def against(self, judgement: Judgement) -> Reason:
        """Why the move that was played is worse than the best."""
        played, best = (read_move(self.rules, value.move) for value in (judgement.played, judgement.best))
        found = (finder(self, played, best) for finder in FINDERS)
        return next((reason for reason in found if reason is not None), _values(judgement))

    def favour(self, judgement: Judgement) -> Reason:
        """Why the best move is good; the runner-up's value is the last resort."""
        best = read_move(self.rules, judgement.best.move)
        found = (finder(self, best) for finder in (Finder.name, Finder.ahead, Finder.unmask))
        return next((reason for reason in found if reason is not None), _values(judgement))

    # What is better

    def name(self, best: int) -> GoodGuess | None:
        """The best move names something."""
        guess = self._guess(best)
        return None if guess is None or guess.chance < LIKELY else GoodGuess(guess)

    def ahead(self, best: int) -> Comparison | None:
        """The best move compares hands, and is rather ahead."""
        found = self._comparison(best)
        return found if found is not None and found.ahead > found.behind else None

    def unmask(self, best: int) -> Unmask | None:
        """The best move may make somebody discard the Princess."""
        target = first_of(best)
        if verb_of(best) != Card.PRINCE or target in (BLANK, self.me):
            return None
        chance = self._chances(target).get(Card.PRINCESS, 0.0)
        return Unmask(target, chance) if chance >= LIKELY else None

    # What is worse

    def fall(self, played: int, best: int) -> Fall | None:
        """The Princess was discarded."""
        own = verb_of(played) == Card.PRINCE and first_of(played) == self.me
        if verb_of(played) == Card.PRINCESS or (own and self._kept(played) == Card.PRINCESS):
            return Fall(Card.PRINCESS)
        return None

    def wrong_guess(self, played: int, best: int) -> WrongGuess | None:
        """Both moves name something, and the better one something likelier."""
        named, better = self._guess(played), self._guess(best)
        if named is None or better is None or better.chance <= named.chance:
            return None
        return WrongGuess(named, better)

    def behind(self, played: int, best: int) -> Comparison | None:
        """Hands were compared, and the own one was rather behind."""
        found = self._comparison(played)
        return found if found is not None and found.behind > found.ahead else None

    def trade(self, played: int, best: int) -> Trade | None:
        """A card was traded for one that is likely to be lower."""
        target = first_of(played)
        if verb_of(played) != Card.KING or target in (BLANK, self.me):
            return None
        given = self._kept(played)
        lower = self._below(target, given)
        return Trade(given, target, lower) if lower > 1 / 2 else None

    def telling(self, played: int, best: int) -> Telling | None:
        """The Countess was played though nothing forced her, and tells of cards that are not there."""
        if verb_of(played) != Card.COUNTESS or self._kept(played) in FORCING:
            return None
        cards = tuple(card for card in FORCING if self.rules.copies[card])
        after = self.believe(self._watched(played))
        chance = sum(after.hands[self.me][0].get(card, 0.0) for card in cards)
        return Telling(cards, chance) if chance > SUSPECTED else None

    def exposed(self, played: int, best: int) -> Exposed | None:
        """A card was kept that somebody knows, and the best move is another card."""
        if not is_card(verb_of(played)) or verb_of(played) == verb_of(best):
            return None
        kept, public = self._kept(played), self.belief.evidence.public
        knowing = (seat for seat in self.view.standing if public.seen[seat * self.rules.players + self.me] == kept)
        by = next((seat for seat in knowing if seat != self.me), None)
        return None if by is None else Exposed(kept, by)

    def last(self, played: int, best: int) -> Last | None:
        """The hands are shown next, and the lower card was kept."""
        others = [seat for seat in self.view.standing if seat != self.me]
        if self.view.deck or len(others) != 1 or not (_harmless(played) and _harmless(best)):
            return None
        kept, other = self._kept(played), self._kept(best)
        chance, better = (self._below(others[0], card) for card in (kept, other))
        return Last(others[0], kept, chance, other, better) if better > chance else None

    def missed_name(self, played: int, best: int) -> GoodGuess | None:
        """Something likely was not named, but a card played that names nothing."""
        return self.name(best) if self._guess(played) is None else None

    def missed_ahead(self, played: int, best: int) -> Comparison | None:
        """Hands were not compared, or those of somebody less likely to lose."""
        compared, found = self._comparison(played), self.ahead(best)
        return found if found is None or compared is None or compared.ahead < found.ahead else None

    def missed_unmask(self, played: int, best: int) -> Unmask | None:
        """Nobody was made to discard."""
        return self.unmask(best)

    # Facts

    def _chances(self, seat: int) -> Chances:
        """The chances of the card that another seat holds."""
        return self.belief.hands[seat][0]

    def _below(self, seat: int, card: Card) -> float:
        """The chance that another seat's card has a lower number."""
        value = self.rules.value
        return sum(chance for other, chance in self._chances(seat).items() if value[other] < value[card])

    def _above(self, seat: int, card: Card) -> float:
        value = self.rules.value
        return sum(chance for other, chance in self._chances(seat).items() if value[other] > value[card])

    def _kept(self, move: int) -> Card:
        """The card that stays if one of two is played."""
        first, second = self.view.hand[:2]
        return second if first == verb_of(move) else first

    def _comparison(self, move: int) -> Comparison | None:
        card, target = verb_of(move), first_of(move)
        if card not in (Card.BARON, Card.DOWAGER_QUEEN) or target == BLANK:
            return None
        kept = self._kept(move)
        below, above = self._below(target, kept), self._above(target, kept)
        ahead, behind = (below, above) if card == Card.BARON else (above, below)
        return Comparison(Card(card), kept, target, ahead, behind)

    def _guess(self, move: int) -> Guess | None:
        card, target, name = verb_of(move), first_of(move), third_of(move)
        if not is_card(card) or self.rules.naming[card] == Naming.NOTHING or BLANK in (target, name):
            return None
        by_number = self.rules.naming[card] == Naming.NUMBER or bool(self.rules.by_number)
        hits = [other for other in self.belief.kinds if self._right(card, name, other)]
        chance = sum(self._chances(target).get(other, 0.0) for other in hits)
        copies, hidden = sum(self.belief.unseen[other] for other in hits), self.belief.hidden
        why = self._why(target, chance, copies / hidden)
        return Guess(Card(card), target, name, by_number, chance, copies, hidden, why)

    def _right(self, card: int, name: int, held: Card) -> bool:
        """Whether what a card names is right about a held one; a Guard is never right about an Assassin."""
        return name_for(self.rules, card, held) == name and not (card == Card.GUARD and held == Card.ASSASSIN)

    def _why(self, target: int, chance: float, counted: float) -> Why:
        """How the seat can know the chance, which counting alone would put at another one."""
        if self.view.known[target] and chance > CERTAIN:
            return next(_learnt(self.view.log[-1], self.me, target), "played")
        return "counted" if abs(chance - counted) < NEAR else "played"

    def _watched(self, played: int) -> View:
        """What a spectator knows of the round once the card, which does nothing, has been played."""
        view, card = spectator(self.view), Card(verb_of(played))
        move = Entry(Event.MOVED, self.me, NOBODY, played)
        piles = tuple((*pile, card) if seat == self.me else pile for seat, pile in enumerate(view.piles))
        held = tuple(count - (seat == self.me) for seat, count in enumerate(view.held))
        return replace(view, piles=piles, held=held, log=(*view.log[:-1], (*view.log[-1], move)))


FINDERS: tuple[Callable[[Finder, int, int], Reason | None], ...] = (
    Finder.fall,
    Finder.wrong_guess,
    Finder.behind,
    Finder.last,
    Finder.trade,
    Finder.missed_name,
    Finder.missed_ahead,
    Finder.missed_unmask,
    Finder.exposed,
    Finder.telling,
)


def _harmless(move: int) -> bool:
    """Whether a move leaves all hands as they are."""
    return is_card(verb_of(move)) and (first_of(move) == BLANK or verb_of(move) == Card.PRIEST)


def _learnt(told: tuple[Entry, ...], me: int, target: int) -> Iterator[Why]:
    """How a seat came to know another's card, the last time first."""
    for event, actor, other, card in reversed(told):
        if event == Event.SHOWED and actor == target and card is not None:
            yield "seen"
        elif event == Event.TRADED and {actor, other} == {me, target}:
            yield "traded"


def _values(judgement: Judgement) -> Values:
    """The values of the move that was played and of the best, or of the best and of the next."""
    played, best = judgement.played, judgement.best
    if played == best and len(judgement.moves) > 1:
        played = next(value for value in judgement.moves if value.move != best.move)
    return values_of(played, best)


def values_of(move: MoveValue, best: MoveValue) -> Values:
    """The chances of a move and of the best: in the round, unless they differ more in the match (by other tokens)."""
    if best.round - move.round >= max(best.match - move.match, LEAST_GAP):
        return Values(move.move, move.round, best.move, best.round, of_match=False)
    return Values(move.move, move.match, best.move, best.match, of_match=True)
