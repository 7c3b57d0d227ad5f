"""What the coach says: why a move was worse than another, why one is good, and moves as people would name them."""

from collections.abc import Sequence
from typing import assert_never

from ..coach.decisions import Decision
from ..coach.judgement import Mark
from ..coach.reasons import (
    Comparison,
    Exposed,
    Fall,
    GoodGuess,
    Guess,
    Last,
    Reason,
    Telling,
    Trade,
    Unmask,
    Values,
    WrongGuess,
)
from ..notation import read_move
from ..rules import BLANK, Card, Edition
from ..rules.names import Naming, Verb, first_of, is_card, second_of, third_of, verb_of
from .nouns import INDEFINITE, Noun, listed
from .numbers import decimal, percent
from .solo_moves import solo_move
from .speech import Speaker
from .vocabulary import Vocabulary

ALMOST = 0.005
"""A chance that is nearer than this to none or to all is written with a decimal."""

LEAST = 0.001
"""The least chance that is written as a number."""

SURE = 1e-9
"""What is nearer than this to none or to all is none or all, but for rounding."""


class CoachSpeaker(Speaker):
    """Says what the coach found to one reader, the seat `me`, or to somebody who reads of all seats (None)."""

    def __init__(self, rules: Edition, players: Sequence[str], me: int | None, words: Vocabulary) -> None:
        super().__init__(players, me, words)
        self.rules = rules

    # Why

    def why_worse(self, reason: Reason, seat: int) -> str:
        """Why a move that a seat has played is worse than the best."""
        say = self.say
        match reason:
            case WrongGuess():
                return self._wrong_guess(reason, seat)
            case GoodGuess():
                text = say("Naming {name} for {player} would have hit in {chance} of cases ({reason}).")
                return self._good_guess(text, reason.guess)
            case Comparison():
                behind = say(
                    "With {kept}, the hand was behind that of {player} in {behind} of cases, ahead in {ahead}."
                )
                ahead = say("Comparing paid: with {kept}, the hand was ahead of that of {player} in {ahead} of cases.")
                return self._comparison(ahead if reason.ahead > reason.behind else behind, reason)
            case Fall():
                return say("Whoever discards {card} is out of the round.").format(card=self.card(reason.card))
            case Unmask():
                text = say("{player} held {card} in {chance} of cases, and could be made to discard.")
                return self._unmask(text, reason)
            case Trade():
                text = say("The trade gave {card} away; the card of {player} was lower in {chance} of cases.")
                return self._about(text, reason.target, reason.lower, card=self.card(reason.given))
            case _:
                return self._more(reason)

    def _more(self, reason: Telling | Exposed | Last | Values) -> str:
        say = self.say
        match reason:
            case Telling():
                text = say("Playing {card} without need speaks of {cards}: {chance}, as a spectator sees it.")
                nouns = [format(self.card(card), INDEFINITE[self.words.lang]) for card in reason.cards]
                listing = listed(nouns, say("{some} or {last}"))
                return text.format(card=self.card(Card.COUNTESS), cards=listing, chance=self.chance(reason.chance))
            case Exposed():
                text = say("{player} knew of {card}, and that is the card that was kept.")
                return text.format(player=self.players[reason.by], card=self.card(reason.card))
            case Last():
                text = say(
                    "The deck was empty: {kept} was higher than the card of {player} in {chance} of cases, "
                    "{other} in {better}."
                )
                cards = {"kept": self.card(reason.kept), "other": self.card(reason.other)}
                better = self.chance(reason.better)
                return self._about(text, reason.target, reason.chance, better=better, **cards)
            case Values():
                return self._values(reason)
            case _:
                assert_never(reason)

    def why_good(self, reason: Reason) -> str:
        """Why a move is the best one now."""
        say = self.say
        match reason:
            case GoodGuess():
                text = say("Naming {name} for {player} hits in {chance} of cases ({reason}).")
                return self._good_guess(text, reason.guess)
            case Comparison():
                text = say(
                    "With {kept}, the hand is ahead of that of {player} in {ahead} of cases, behind in {behind}."
                )
                return self._comparison(text, reason)
            case Unmask():
                text = say("{player} holds {card} in {chance} of cases, and can be made to discard.")
                return self._unmask(text, reason)
            case Values():
                return self._values(reason)
            case _:
                raise ValueError(f"A move is not good for this reason: {reason}.")

    def _wrong_guess(self, reason: WrongGuess, seat: int) -> str:
        say, named, better = self.say, reason.named, reason.better
        if named.target == better.target:
            you = say("You named {name}: {chance}. {other:^} was at {better} ({reason}).")
            they = say("{actor} named {name}: {chance}. {other:^} was at {better} ({reason}).")
        else:
            you = say("You named {name} for {player}: {chance}. {other:^} for {second} was at {better} ({reason}).")
            they = say(
                "{actor} named {name} for {player}: {chance}. {other:^} for {second} was at {better} ({reason})."
            )
        return self.by(seat, you, they).format(
            actor=self.players[seat],
            name=self._name(named),
            chance=self.chance(named.chance),
            other=self._name(better),
            better=self.chance(better.chance),
            player=self.players[named.target],
            second=self.players[better.target],
            reason=self._source(better),
        )

    def _good_guess(self, text: str, guess: Guess) -> str:
        words = {"name": self._name(guess), "reason": self._source(guess)}
        return self._about(text, guess.target, guess.chance, **words)

    def _comparison(self, text: str, found: Comparison) -> str:
        chances = {"ahead": self.chance(found.ahead), "behind": self.chance(found.behind)}
        return text.format(kept=self.card(found.kept), player=self.players[found.target], **chances)

    def _unmask(self, text: str, found: Unmask) -> str:
        return self._about(text, found.target, found.chance, card=self.card(Card.PRINCESS))

    def _values(self, found: Values) -> str:
        say = self.say
        text = say("{best} wins the round in {better} of cases, {move} in {chance}.")
        if self.rules.players == 1:
            text = say("{best} wins the game in {better} of cases, {move} in {chance}.")
        elif found.of_match:
            text = say("{best} wins the match in {better} of cases, {move} in {chance}.")
        moves = {"best": self.move(found.best), "move": self.move(found.move)}
        return text.format(**moves, better=self.chance(found.better, 1), chance=self.chance(found.chance, 1))

    def _source(self, guess: Guess) -> str:
        """How a chance can be known, in brackets."""
        say = self.say
        match guess.why:
            case "seen":
                return say("the card was shown")
            case "traded":
                return say("the card is known from the trade")
            case "counted":
                return say("{copies} of {hidden} hidden cards").format(copies=guess.copies, hidden=guess.hidden)
            case "played":
                return say("by what was played before")
            case _:
                assert_never(guess.why)

    # Parts of sentences

    def _about(self, text: str, target: int, chance: float, **words: object) -> str:
        """A sentence about a player and a chance."""
        return text.format(player=self.players[target], chance=self.chance(chance), **words)

    def _name(self, guess: Guess) -> Noun:
        """What a card names: a card, or a number."""
        if guess.by_number:
            return Noun({"": self.say("the number {number}").format(number=guess.name)})
        return self.card(guess.name)

    def chance(self, chance: float, digits: int = 0) -> str:
        """A chance in percents; what is not certain does not read so."""
        lang = self.words.lang
        if SURE < chance < LEAST / 2:
            return f"<{percent(LEAST, lang, 1)}"
        if 1 - LEAST / 2 < chance < 1 - SURE:
            return f">{percent(1 - LEAST, lang, 1)}"
        near = not ALMOST < chance < 1 - ALMOST and SURE < chance < 1 - SURE
        return percent(chance, lang, max(1, digits) if near else digits)

    def points(self, chance: float, signed: bool = False) -> str:
        """A difference of chances in points of a hundred."""
        text = decimal(abs(chance) * 100, self.words.lang, 1)
        return text if not signed else f"{'−' if chance < 0 else '+'}{text}"

    def loss(self, decision: Decision) -> str:
        """Which move was better, by how much, and how sure that is."""
        low, high = map(self.points, decision.interval)
        text = self.say("better: {move}, by {loss} points ({low} to {high})")
        return text.format(move=self.move(decision.best), loss=self.points(decision.loss), low=low, high=high)

    def mark(self, mark: Mark) -> str:
        """A mark in words."""
        say = self.say
        return {
            Mark.BEST: say("best"),
            Mark.GOOD: say("good"),
            Mark.INACCURACY: say("inaccuracy"),
            Mark.MISTAKE: say("mistake"),
            Mark.BLUNDER: say("blunder"),
        }[mark]

    def move(self, text: str) -> str:
        """A move by the titles of its cards and the names of its players."""
        if self.rules.players == 1:
            return solo_move(text, self.words)
        say, move = self.say, read_move(self.rules, text)
        verb, first = verb_of(move), first_of(move)
        if is_card(verb):
            return self._play(move)
        if verb == Verb.KEEP:
            back = [self._title(card) for card in (second_of(move), third_of(move)) if card != BLANK]
            text = say("keeping {card} ({cards} under the deck)") if back else say("keeping {card}")
            return text.format(card=self._title(first), cards=", ".join(back))
        if verb == Verb.LOOK:
            return say("looking at nothing") if first == BLANK else self._about(say("a look: {player}"), first, 0.0)
        return say("drawing anew") if verb == Verb.REDRAW else say("keeping the hand")

    def _play(self, move: int) -> str:
        parts = [self._title(verb_of(move))]
        parts += [self.players[seat] for seat in (first_of(move), second_of(move)) if seat != BLANK]
        if third_of(move) != BLANK:
            number = self.rules.by_number or self.rules.naming[verb_of(move)] == Naming.NUMBER
            parts.append(str(third_of(move)) if number else self._title(third_of(move)))
        return " – ".join(parts)

    def _title(self, card: int) -> str:
        return self.words.theme.name(card, self.words.lang)
