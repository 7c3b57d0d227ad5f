"""The log of a solo game in plain sentences; player and spectators read the same."""

from collections import deque
from collections.abc import Iterable
from typing import assert_never

from ..rules import BLANK, Card, Edition, End, Event, Refusal, Verb
from ..rules.names import first_of, second_of, third_of, verb_of
from ..rules.solitaire import PLAYER, QUEUE
from ..rules.solitaire_table import AGENT, HAND
from ..view.memory import Entry
from .speech import LogLine, Rest, Speaker, take
from .vocabulary import Vocabulary


class SoloNarrator(Speaker):
    """Tells the steps of a solo game."""

    def __init__(self, rules: Edition, words: Vocabulary) -> None:
        super().__init__((), PLAYER, words)
        self.rules = rules

    def reason(self, refusal: Refusal) -> str:
        """Why something cannot be chosen; nothing where it can. What is protected here is the queue."""
        if refusal == Refusal.PROTECTED:
            return self.words.fill(self.say("the queue is protected by {handmaid}"))
        return super().reason(refusal)

    def tell(self, entries: Iterable[Entry]) -> list[LogLine]:
        """One step in a few sentences: the deal, or a move and all that followed from it."""
        rest, lines = deque(entries), list[LogLine]()
        while rest:
            lines += self._next(rest.popleft(), rest)
        return lines

    def _next(self, entry: Entry, rest: Rest) -> list[LogLine]:
        """The lines for an entry; they may tell what follows as well, and then take it from the rest."""
        say, (event, actor, place, _) = self.say, entry
        match event:
            case Event.ROUND:
                return self._dealt(rest)
            case Event.MOVED:
                return self._moved(entry, rest)
            case Event.DISCARDED:
                return self._queue_plays(entry, rest) if actor == QUEUE else self._replaced(entry, rest)
            case Event.DREW:
                return self._line("secret", say("You draw {card}."), entry)
            case Event.REVEALED:
                queue = say("Card {place} of the queue is {card}.")
                return self._line("effect", say("Your agent is {card}.") if place == AGENT else queue, entry)
            case Event.MISSED:
                return self._line("effect", say("The guess is wrong."), entry)
            case Event.EQUAL:
                return self._line("effect", say("The two cards are equal: nothing happens."), entry)
            case Event.SHIELDED:
                mine = say("The next card of the queue cannot harm you.")
                theirs = say("No card of the queue can be chosen in your next turn.")
                return self._line("effect", mine if actor == PLAYER else theirs, entry)
            case Event.FIZZLED:
                return self._line("effect", say("It has no effect."), entry)
            case Event.TRADED:
                hand = say("Your hand and card {place} of the queue change places.")
                agent = say("Your agent and card {place} of the queue change places.")
                return self._line("effect", hand if actor == HAND else agent, entry)
            case Event.RECEIVED:
                return self._line("effect", say("You now hold {card}."), entry)
            case Event.ENDED:
                sentence = say("You win the game!") if place == End.WON else say("You lose the game.")
                return self._line("end", sentence, entry)
            case Event.DEALT | Event.UNSHIELDED | Event.TOKEN:
                return []
            case Event.FACE_UP | Event.TOOK_ASIDE | Event.FOUND_NONE | Event.SHOWED | Event.HIT | Event.OUT:
                return []  # of other games
            case Event.MARKED | Event.BET | Event.RETURNED | Event.TIE | Event.WON:
                return []
            case _:
                assert_never(event)

    def _line(self, kind: str, sentence: str, entry: Entry) -> list[LogLine]:
        """A line about an entry: its {card} and its {place}."""
        return [LogLine(sentence.format(card=self.card(entry.card), place=entry.target + 1), kind)]

    def _dealt(self, rest: Rest) -> list[LogLine]:
        dealt = rest.popleft()
        queue = self.say("Six cards lie face down before {card}.").format(card=self.card(Card.PRINCESS))
        return [LogLine(queue, "round"), *self._line("secret", self.say("You are dealt {card}."), dealt)]

    def _queue_plays(self, entry: Entry, rest: Rest) -> list[LogLine]:
        """The queue's turn; a Guard that meets a known card ends the game at once."""
        named = entry.card == Card.GUARD and bool(rest) and rest[0].event == Event.ENDED
        sentence = self.say("The queue plays {card} and names your card.")
        return self._line("move", sentence if named else self.say("The queue plays {card}."), entry)

    def _replaced(self, entry: Entry, rest: Rest) -> list[LogLine]:
        """An own card that is discarded, and what is drawn for it."""
        say, drew = self.say, take(rest, Event.DREW)
        if drew is None and entry.card != Card.PRINCESS:
            return self._line("effect", say("You discard {card}, and there is no card left to draw."), entry)
        if drew is None:
            return self._line("effect", say("You discard {card}."), entry)
        if drew.target == AGENT:
            return self._line("effect", say("You discard your agent, {card}, and a new one lies face down."), entry)
        sentence = say("You discard {card} and draw {drawn}.")
        return [LogLine(sentence.format(card=self.card(entry.card), drawn=self.card(drew.card)), "effect")]

    # The player's moves

    def _moved(self, entry: Entry, rest: Rest) -> list[LogLine]:
        """A decision: to draw, to call or offer a card, or to play one."""
        move = entry.card or 0
        match verb_of(move):
            case Verb.DRAW:
                return []
            case Verb.AGENT:
                return self._called(rest)
            case Verb.OFFER:
                return self._offered(first_of(move), rest)
        take(rest, Event.DISCARDED, actor=PLAYER)
        return self._played(move, rest)

    def _called(self, rest: Rest) -> list[LogLine]:
        """The agent is called, and acts at once if it has nothing to choose."""
        lines = self._line("move", self.say("You call your secret agent: it is {card}."), rest.popleft())
        take(rest, Event.DISCARDED, actor=PLAYER)
        return lines

    def _offered(self, own: int, rest: Rest) -> list[LogLine]:
        say, beaten = self.say, bool(rest) and rest[0].event == Event.ENDED
        if own == HAND:
            text = say("You offer your hand, and it is beaten.") if beaten else say("You offer your hand.")
        else:
            text = say("You offer your agent, and it is beaten.") if beaten else say("You offer your agent.")
        return [LogLine(text, "move")]

    def _played(self, move: int, rest: Rest) -> list[LogLine]:
        """A card played."""
        say, card, place = self.say, verb_of(move), first_of(move)
        if take(rest, Event.FIZZLED) and card != Card.COUNTESS:
            return self._plays(move, say("You play {card}, but there is nobody to choose."))
        match card:
            case Card.GUARD:
                return self._guard(move, rest)
            case Card.PRIEST:
                return self._priest(move, rest)
            case Card.BARON:
                return self._baron(move, rest)
            case Card.PRINCE if place == HAND:
                return self._plays(move, say("You play {card} on your own hand."))
            case Card.PRINCE if place == AGENT:
                return self._plays(move, say("You play {card} on your agent."))
            case Card.PRINCE:
                return self._prince(move, rest)
            case Card.KING:
                return self._king(move, rest)
        return self._plays(move, say("You play {card}."))

    def _plays(self, move: int, sentence: str, seen: Entry | None = None) -> list[LogLine]:
        """A line about playing a {card}: the {place} it chose, the {name} it named, the card {seen} there."""
        name = self.card(None if third_of(move) == BLANK else third_of(move))
        there = self.card(None if seen is None else seen.card)
        words = {"card": self.card(verb_of(move)), "place": first_of(move) + 1, "name": name, "seen": there}
        return [LogLine(sentence.format(**words), "move")]

    def _guard(self, move: int, rest: Rest) -> list[LogLine]:
        """Guard: a face-down card is named, a face-up one just leaves."""
        say, seen = self.say, take(rest, Event.REVEALED)
        if take(rest, Event.MISSED):
            sentence = say("You play {card} on card {place} of the queue and name {name}. Wrong: it is {seen}.")
            return self._plays(move, sentence, seen)
        gone = take(rest, Event.DISCARDED)
        if seen is None:
            return self._plays(move, say("You play {card} on card {place} of the queue: {seen} leaves."), gone)
        return self._plays(move, say("You play {card} on card {place} of the queue and name {name}. Right: it leaves."))

    def _priest(self, move: int, rest: Rest) -> list[LogLine]:
        """Priest: what a card of the queue is."""
        say, seen = self.say, take(rest, Event.REVEALED)
        if seen is None:
            return self._plays(move, say("You play {card} on card {place} of the queue, which lies face up already."))
        return self._plays(move, say("You play {card} on card {place} of the queue: it is {seen}."), seen)

    def _baron(self, move: int, rest: Rest) -> list[LogLine]:
        """Baron: the own card and the other, and the one that leaves if it is lower."""
        say, by_hand = self.say, second_of(move) == HAND
        hand = say("You play {card} and compare your hand with card {place} of the queue.")
        agent = say("You play {card} and compare your agent with card {place} of the queue.")
        lines = self._plays(move, hand if by_hand else agent)
        while seen := take(rest, Event.REVEALED):
            lines += self._next(seen, rest)
        if gone := take(rest, Event.DISCARDED):
            lines += self._line("effect", say("The lower card leaves the queue: {card}."), gone)
        return lines

    def _prince(self, move: int, rest: Rest) -> list[LogLine]:
        """Prince: a card of the queue goes, and perhaps a new one comes."""
        say, gone = self.say, take(rest, Event.DISCARDED)
        if take(rest, Event.DREW):
            sentence = say("You play {card} on card {place} of the queue: a card face down takes the place of {seen}.")
            return self._plays(move, sentence, gone)
        return self._plays(move, say("You play {card} on card {place} of the queue: {seen} leaves."), gone)

    def _king(self, move: int, rest: Rest) -> list[LogLine]:
        """King: an own card for one of the queue."""
        take(rest, Event.TRADED)
        hand = self.say("You play {card} and trade your hand for card {place} of the queue.")
        agent = self.say("You play {card} and trade your agent for card {place} of the queue.")
        return self._plays(move, hand if second_of(move) == HAND else agent)
