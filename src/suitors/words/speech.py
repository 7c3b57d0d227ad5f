"""What sentences about a match are made of: nouns with their articles, people by name, the reader as "you"."""

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..errors import REASONS
from ..rules import Award, Card, Event, Refusal
from ..view.memory import Entry
from .nouns import Noun, listed
from .vocabulary import Vocabulary

PAYING = {
    Award.BISHOP: Card.BISHOP,
    Award.CONSTABLE: Card.CONSTABLE,
    Award.JESTER: Card.JESTER,
    Award.SPY: Card.SPY,
}
"""The cards that pay the tokens that are not for the round."""

Rest = deque[Entry]
"""What of a step is still to be told."""


@dataclass(frozen=True)
class LogLine:
    """One line of the log; `kind` is "round", "move", "effect", "secret", "out", "token" or "end"."""

    text: str
    kind: str


def take(rest: Rest, *events: Event, actor: int | None = None) -> Entry | None:
    """The next entry, taken from the rest, if it is of such a kind (and of this actor)."""
    if rest and rest[0].event in events and actor in (None, rest[0].actor):
        return rest.popleft()
    return None


def take_all(first: Entry, rest: Rest) -> list[Entry]:
    """An entry and all those of its kind that follow at once, taken from the rest."""
    found = [first]
    while (entry := take(rest, first.event)) is not None:
        found.append(entry)
    return found


class Speaker:
    """Says sentences of a match to one reader: the seat `me`, who is "you", or a spectator (None)."""

    def __init__(self, players: Sequence[str], me: int | None, words: Vocabulary) -> None:
        self.players, self.me, self.words = players, me, words
        self.say = words.say

    # Nouns and names

    def card(self, card: int | None) -> Noun:
        """A card with its article; None or NO_CARD is one that the reader may not know."""
        return self.words.card(card)

    def reason(self, refusal: Refusal) -> str:
        """Why something cannot be chosen; nothing where it can."""
        translate = self.say
        return "" if refusal == Refusal.FINE else self.words.fill(translate(REASONS[refusal]))

    def titles(self, cards: Iterable[int]) -> str:
        """A list of cards by their bare titles."""
        return ", ".join(self.words.theme.name(card, self.words.lang) for card in cards)

    def token(self) -> Noun:
        """A token by its name in the theme and the edition."""
        return self.words.token

    def who(self, seat: int) -> str:
        """A player inside a sentence."""
        return self.say("you") if seat == self.me else self.players[seat]

    def all(self, seats: Iterable[int]) -> str:
        """Several players inside a sentence, the reader first."""
        names = [self.who(seat) for seat in sorted(seats, key=lambda seat: seat != self.me)]
        return listed(names, self.say("{some} and {last}"))

    # Who does it

    def by(self, seat: int, you: str, they: str) -> str:
        """The sentence for what a seat does: the one in the second person if that is the reader."""
        return you if seat == self.me else they

    def among(self, seats: Collection[int], you: str, they: str, **words: object) -> str:
        """What several do: a sentence about "you" and {others}, or one about {players}."""
        others = self.all(seat for seat in seats if seat != self.me)
        return (you if self.me in seats else they).format(others=others, players=others, **words)

    def does(self, kind: str, seat: int, you: str, they: str, **words: object) -> list[LogLine]:
        """A line about what a seat, the {actor}, does."""
        return [LogLine(self.by(seat, you, they).format(actor=self.who(seat), **words), kind)]

    # How rounds and matches end

    def hands(self, shown: Mapping[int, int | None], numbers: Sequence[int]) -> str:
        """The comparison of hands at the end of a round; None is a player without a card."""
        say, items = self.say, []
        for seat, card in shown.items():
            item = say("{player} – no card") if card is None else say("{player} – {card} ({number})")
            title, number = ("", 0) if card is None else (self.titles([card]), numbers[card])
            items.append(item.format(player=self.who(seat), card=title, number=number))
        return say("The deck is empty, and hands are shown: {hands}.").format(hands=", ".join(items))

    def round_to(self, seats: Collection[int]) -> str:
        """Who won a round."""
        say = self.say
        if not seats:
            return say("Nobody wins the round.")
        if len(seats) > 1:
            return self.among(seats, say("You share the round with {others}."), say("{players} share the round."))
        seat = next(iter(seats))
        return self.by(seat, say("You win the round."), say("{actor} wins the round.")).format(actor=self.who(seat))

    def match_to(self, seats: Collection[int]) -> str:
        """Who won a match."""
        say = self.say
        if len(seats) > 1:
            together = say("You win the match together with {others}!"), say("{players} win the match together!")
            return self.among(seats, *together)
        seat = next(iter(seats))
        return self.by(seat, say("You win the match!"), say("{actor} wins the match!")).format(actor=self.who(seat))

    def tied(self, seats: Collection[int]) -> str:
        """Who must play a tie-break round."""
        sentence = self.say("The match is tied between {players}: a tie-break round decides it.")
        return sentence.format(players=self.all(seats))
