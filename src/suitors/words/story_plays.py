"""What players decide, in plain sentences: one function a card, or a few cards of one kind."""

from typing import assert_never

from ..rules import BLANK, Aim, Card, Edition, Event, Naming, Verb
from ..rules.names import first_of, second_of, third_of, verb_of
from ..view.memory import Entry
from .copies import Copies
from .nouns import Noun
from .speech import LogLine, Rest, Speaker, take


class Plays(Speaker):
    """Tells the moves of a match; what follows from them is left in the rest unless one sentence holds both."""

    rules: Edition
    copies: Copies
    mark: int | None = None

    def laid(self, event: Event, seat: int, card: int | None) -> Noun:
        """A card that a seat has laid open with this event, as the copy that it is."""
        copy = self.copies.laid.get((event, seat))
        return self.card(card) if card is None or copy is None else self.words.copy(card, copy)

    def moved(self, entry: Entry, rest: Rest) -> list[LogLine]:
        """A decision: a card played, or the second step of one."""
        seat, move = entry.actor, entry.card
        if move is None or verb_of(move) == Verb.KEEP:
            return self._kept(seat, move, rest)
        if verb_of(move) == Verb.LOOK:
            return self._looked(seat, first_of(move))
        if verb_of(move) == Verb.STAY:
            return self.does("move", seat, self.say("You keep your card."), self.say("{actor} keeps the card."))
        return [] if verb_of(move) == Verb.REDRAW else self._played(seat, move, rest)

    def _played(self, seat: int, move: int, rest: Rest) -> list[LogLine]:
        """A card played."""
        if take(rest, Event.FIZZLED):
            return self._failing(seat, move)
        card = Card(verb_of(move))
        match card:
            case Card.GUARD | Card.BISHOP:
                return self._naming(seat, move, rest)
            case Card.PRIEST | Card.BARONESS:
                return self._looking(seat, move)
            case Card.BARON | Card.DOWAGER_QUEEN:
                return self._comparing(seat, move, rest)
            case Card.HANDMAID:
                return self._hiding(seat, move)
            case Card.PRINCE:
                return self._redrawing(seat, move)
            case Card.KING:
                return self._trading(seat, move)
            case Card.CARDINAL:
                return self._swapping(seat, move)
            case Card.SYCOPHANT:
                return self._marking(seat, move)
            case Card.JESTER:
                return self._betting(seat, move)
            case Card.CHANCELLOR:
                return self._drawing(seat, move, rest)
            case Card.SPY | Card.COUNT | Card.CONSTABLE | Card.COUNTESS | Card.ASSASSIN | Card.PRINCESS:
                return self._plays(seat, move, self.say("You play {card}."), self.say("{actor} plays {card}."))
            case _:
                assert_never(card)

    def _plays(self, seat: int, move: int, you: str, they: str, **words: object) -> list[LogLine]:
        """A line about playing a card; {target} is the one it chose."""
        target = self.who(first_of(move)) if first_of(move) != BLANK else ""
        return self.does(
            "move", seat, you, they, card=self.laid(Event.MOVED, seat, verb_of(move)), target=target, **words
        )

    def _plays_on(self, seat: int, move: int) -> list[LogLine]:
        """A line about playing a card on somebody, no more."""
        you, they = self.say("You play {card} on {target}."), self.say("{actor} plays {card} on {target}.")
        return self._plays(seat, move, you, they)

    # Card by card

    def _failing(self, seat: int, move: int) -> list[LogLine]:
        """A card that found nobody to choose, perhaps because it was bound to choose its own player (R55)."""
        say, aim = self.say, self.rules.aim[verb_of(move)]
        if seat == self.mark and aim != Aim.PAIR and not self.rules.free_actor:
            you = say("You play {card}, but you are marked, and it can choose only others.")
            they = say("{actor} plays {card}, but {actor} is marked, and it can choose only others.")
        else:
            you = say("You play {card}, but there is nobody to choose.")
            they = say("{actor} plays {card}, but there is nobody to choose.")
        return self._plays(seat, move, you, they)

    def _naming(self, seat: int, move: int, rest: Rest) -> list[LogLine]:
        """Guard and Bishop: whom, what, and whether it was right; an Assassin answers instead."""
        say, named = self.say, third_of(move)
        number = self.rules.by_number or self.rules.naming[verb_of(move)] == Naming.NUMBER
        if number:
            you = say("You play {card} on {target} and say {number}.")
            they = say("{actor} plays {card} on {target} and says {number}.")
        else:
            you = say("You play {card} on {target} and name {name}.")
            they = say("{actor} plays {card} on {target} and names {name}.")
        played = self._plays(seat, move, you, they, number=named, name=None if number else self.card(named))
        answer = take(rest, Event.HIT, Event.MISSED)
        if answer is None:
            you, they = say("You reveal {card}!"), say("{actor} reveals {card}!")
            return played + self.does("effect", first_of(move), you, they, card=self.card(Card.ASSASSIN))
        result = say("Right!") if answer.event == Event.HIT else say("Wrong.")
        return [LogLine(f"{played[0].text} {result}", "move")]

    def _looking(self, seat: int, move: int) -> list[LogLine]:
        """Priest and Baroness: the reader's own look is told with what was seen."""
        say, both = self.say, [first_of(move), second_of(move)]
        if BLANK not in both:
            you = say("You play {card} on {targets}.")
            they = say("{actor} plays {card} on {targets} and looks at both hands.")
            return self._plays(seat, move, you, they, targets=self.all(both))
        if seat == self.me:
            return self._plays_on(seat, move)
        yours = say("{actor} plays {card} and looks at your hand.")
        theirs = say("{actor} plays {card} and looks at {target}’s hand.")
        return self._plays(seat, move, "", self.by(first_of(move), yours, theirs))

    def _comparing(self, seat: int, move: int, rest: Rest) -> list[LogLine]:
        """Baron and Dowager Queen: with whom, and who fell with the lower or the higher card."""
        say = self.say
        you = say("You play {card} and compare hands with {target}.")
        they = say("{actor} plays {card} and compares hands with {target}.")
        lines = self._plays(seat, move, you, they)
        while showed := take(rest, Event.SHOWED):
            lines += self.showed(showed, rest)
        if take(rest, Event.EQUAL):
            return [*lines, LogLine(say("The two cards are equal: nothing happens."), "effect")]
        if verb_of(move) == Card.BARON:
            you = say("You are out of the round with the lower card, {card}.")
            they = say("{actor} is out of the round with the lower card, {card}.")
        else:
            you = say("You are out of the round with the higher card, {card}.")
            they = say("{actor} is out of the round with the higher card, {card}.")
        return lines + self.falls(rest, you, they)

    def _hiding(self, seat: int, move: int) -> list[LogLine]:
        you = self.say("You play {card}: nobody can choose you until your next turn.")
        they = self.say("{actor} plays {card} and cannot be chosen until their next turn.")
        return self._plays(seat, move, you, they)

    def _redrawing(self, seat: int, move: int) -> list[LogLine]:
        if first_of(move) != seat:
            return self._plays_on(seat, move)
        you, they = self.say("You play {card} on your own hand."), self.say("{actor} plays {card} on their own hand.")
        return self._plays(seat, move, you, they)

    def _trading(self, seat: int, move: int) -> list[LogLine]:
        you = self.say("You play {card} and trade hands with {target}.")
        they = self.say("{actor} plays {card} and trades hands with {target}.")
        return self._plays(seat, move, you, they)

    def _swapping(self, seat: int, move: int) -> list[LogLine]:
        you = self.say("You play {card}, and {players} trade hands.")
        they = self.say("{actor} plays {card}, and {players} trade hands.")
        return self._plays(seat, move, you, they, players=self.all([first_of(move), second_of(move)]))

    def _marking(self, seat: int, move: int) -> list[LogLine]:
        you = self.say("You play {card}: if the next card chooses anybody, it must choose {target}.")
        they = self.say("{actor} plays {card}: if the next card chooses anybody, it must choose {target}.")
        return self._plays(seat, move, you, they)

    def _betting(self, seat: int, move: int) -> list[LogLine]:
        you = self.say("You play {card} and bet that {target} will win the round.")
        they = self.say("{actor} plays {card} and bets that {target} will win the round.")
        return self._plays(seat, move, you, they)

    def _drawing(self, seat: int, move: int, rest: Rest) -> list[LogLine]:
        """Chancellor: what is drawn, which only the player sees."""
        say, first, second = self.say, take(rest, Event.DREW), take(rest, Event.DREW)
        if first is None:
            you = say("You play {card}, but the deck is empty: nothing happens.")
            they = say("{actor} plays {card}, but the deck is empty: nothing happens.")
        elif second is None:
            you = say("You play {card} and draw the last card: {cards}.")
            they = say("{actor} plays {card} and draws the last card.")
        else:
            you = say("You play {card} and draw two cards: {cards}.")
            they = say("{actor} plays {card} and draws two cards.")
        cards = [drew.card for drew in (first, second) if drew is not None and drew.card is not None]
        return self._plays(seat, move, you, they, cards=self.titles(cards))

    def _kept(self, seat: int, move: int | None, rest: Rest) -> list[LogLine]:
        """Chancellor: what is kept and what goes under the deck."""
        say, two = self.say, take(rest, Event.RETURNED) is not None and take(rest, Event.RETURNED) is not None
        if move is None:
            one_back = say("{actor} keeps one card and puts one under the deck.")
            two_back = say("{actor} keeps one card and puts two under the deck.")
            return [LogLine((two_back if two else one_back).format(actor=self.players[seat]), "move")]
        words = {"card": self.card(first_of(move)), "first": self.card(second_of(move))}
        if not two:
            return self.does("move", seat, say("You keep {card} and put {first} under the deck."), "", **words)
        you = say("You keep {card} and put {first} and then {second} under the deck.")
        return self.does("move", seat, you, "", **words, second=self.card(third_of(move)))

    def _looked(self, seat: int, target: int) -> list[LogLine]:
        """Cardinal: whether and where its player looks; the reader's own look is told with what was seen."""
        say = self.say
        if target == BLANK:
            return self.does("move", seat, say("You look at neither hand."), say("{actor} looks at neither hand."))
        if target == seat:
            you, they = say("You look at your own hand."), say("{actor} looks at their own hand.")
            return self.does("move", seat, you, they)
        if seat == self.me:
            return []
        they = self.by(target, say("{actor} looks at your hand."), say("{actor} looks at {target}’s hand."))
        return self.does("move", seat, "", they, target=self.who(target))

    # What follows

    def showed(self, entry: Entry, rest: Rest) -> list[LogLine]:
        """A hand that the reader sees, unless it lies open anyway before the step is over."""
        falls = any(later.event == Event.OUT and later.actor == entry.actor for later in rest)
        if entry.target != self.me or entry.card is None or entry.actor == self.me or falls:
            return []
        sentence = self.say("You see that {target} holds {card}.")
        return [LogLine(sentence.format(target=self.who(entry.actor), card=self.card(entry.card)), "secret")]

    def falls(self, rest: Rest, you: str, they: str) -> list[LogLine]:
        """A player knocked out, who is next in the rest, with the {card} laid down."""
        out = rest.popleft()
        hand = next(entry for entry in rest if entry.event == Event.DISCARDED and entry.actor == out.actor)
        rest.remove(hand)
        return self.does("out", out.actor, you, they, card=self.laid(hand.event, hand.actor, hand.card))
