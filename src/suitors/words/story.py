"""The log of a match in plain sentences, as one seat sees it."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import assert_never

from ..rules import NO_CARD, Award, Edition, End, Event
from ..rules.names import verb_of
from ..view.match import seats
from ..view.memory import Entry
from .copies import Copies
from .speech import PAYING, LogLine, Rest, take, take_all
from .story_plays import Plays
from .verdict import Account, Judge
from .vocabulary import Vocabulary

__all__ = ["LogLine", "Narrator"]


class Narrator(Plays):
    """Tells the steps of a match to one seat, or to a spectator.

    Each step can be told alone. A narrator that follows a round from its deal says more: what you gave in a trade, whom
    a Sycophant has marked, and why a comparison of hands ended as it did.
    """

    def __init__(self, rules: Edition, players: Sequence[str], me: int | None, words: Vocabulary) -> None:
        super().__init__(players, me, words)
        self.rules = rules
        self.account: Account | None = None  # of the round, if it was told from its deal
        self.hand: list[int] = []  # the reader's, as far as it was told
        self.given: int | None = None
        self.mark: int | None = None  # by the step told before
        self.copies = Copies(rules)

    def tell(self, entries: Iterable[Entry]) -> list[LogLine]:
        """One step in a few sentences: a deal, or a move and all that followed from it."""
        rest, lines = deque(entries), list[LogLine]()
        for entry in rest:
            self._remember(entry)
            self.copies.add(entry)
        marks = [entry.target for entry in rest if entry.event == Event.MARKED]
        while rest:
            lines += self._next(rest.popleft(), rest)
        self.mark = marks[0] if marks else None
        return lines

    def _remember(self, entry: Entry) -> None:
        """Keep account of the round and of the reader's own hand."""
        event, actor, _, card = entry
        if event == Event.ROUND:
            self.account = Account(self.rules)
        if self.account is not None:
            self.account.add(entry)
        if actor != self.me or card is None:
            return
        match event:
            case Event.MOVED:
                self._let_go(verb_of(card))
            case Event.RETURNED:
                self._let_go(card)
            case Event.RECEIVED:
                self.given = self.hand[0] if len(self.hand) == 1 else None
                self.hand = [card]
            case Event.DEALT | Event.TOOK_ASIDE:
                self.hand = [card]
            case Event.DREW:
                self.hand.append(card)
            case Event.DISCARDED:
                self.hand = []
            case Event.ROUND | Event.FACE_UP | Event.SHOWED | Event.TRADED | Event.OUT | Event.FOUND_NONE:
                pass
            case Event.FIZZLED | Event.MISSED | Event.HIT | Event.EQUAL:
                pass
            case Event.SHIELDED | Event.UNSHIELDED | Event.MARKED | Event.BET:
                pass
            case Event.REVEALED | Event.TOKEN | Event.ENDED | Event.TIE | Event.WON:
                pass
            case _:
                assert_never(event)

    def _let_go(self, card: int) -> None:
        if card in self.hand:
            self.hand.remove(card)

    def _next(self, entry: Entry, rest: Rest) -> list[LogLine]:
        """The lines for an entry; they may tell what follows as well, and then take it from the rest."""
        event = entry.event
        match event:
            case Event.ROUND:
                return self._round(entry)
            case Event.FACE_UP:
                return self._face_up(entry, rest)
            case Event.DEALT:
                return self._own(entry, self.say("You are dealt {card}."))
            case Event.DREW:
                return self._own(entry, self.say("You draw {card}."))
            case Event.MOVED:
                return self.moved(entry, rest)
            case Event.RECEIVED:
                return self._received(entry)
            case Event.SHOWED:
                return self.showed(entry, rest)
            case Event.DISCARDED:
                return self._discarded(entry, rest)
            case Event.OUT:
                return self._out(entry, rest)
            case Event.TOKEN:
                return self._token(entry)
            case Event.REVEALED:
                return self._revealed(entry, rest)
            case Event.ENDED:
                return self._ended(entry, rest)
            case Event.TIE:
                return [LogLine(self.tied([tied.actor for tied in take_all(entry, rest)]), "end")]
            case Event.WON:
                return [LogLine(self.match_to([won.actor for won in take_all(entry, rest)]), "end")]
            case Event.TOOK_ASIDE | Event.FOUND_NONE | Event.FIZZLED | Event.MISSED | Event.HIT | Event.EQUAL:
                return []  # told with the card that led to it
            case Event.TRADED | Event.RETURNED | Event.SHIELDED | Event.UNSHIELDED | Event.MARKED | Event.BET:
                return []
            case _:
                assert_never(event)

    # The deal, and what the reader gets

    def _round(self, entry: Entry) -> list[LogLine]:
        say, playing = self.say, seats(entry.target)
        if len(playing) < len(self.players):
            you = say("A tie-break round between {players}, and you start.")
            they = say("A tie-break round between {players}, and {actor} starts.")
        else:
            you, they = say("A new round begins, and you start."), say("A new round begins, and {actor} starts.")
        return self.does("round", entry.actor, you, they, players=self.all(playing))

    def _face_up(self, entry: Entry, rest: Rest) -> list[LogLine]:
        cards = [shown.card for shown in take_all(entry, rest) if shown.card is not None]
        return [LogLine(self.say("Face up beside the deck: {cards}.").format(cards=self.titles(cards)), "round")]

    def _received(self, entry: Entry) -> list[LogLine]:
        if self.given is None:
            return self._own(entry, self.say("You receive {card}."))
        return self._own(entry, self.say("You give {given} and receive {card}."), given=self.card(self.given))

    def _own(self, entry: Entry, sentence: str, **words: object) -> list[LogLine]:
        """What only the reader learns."""
        if entry.actor != self.me or entry.card is None:
            return []
        return [LogLine(sentence.format(card=self.card(entry.card), **words), "secret")]

    # What happens to players

    def _discarded(self, entry: Entry, rest: Rest) -> list[LogLine]:
        """A discarded hand, and what is drawn for it."""
        say, seat = self.say, entry.actor
        drew = take(rest, Event.DREW, Event.TOOK_ASIDE, Event.FOUND_NONE, actor=seat)
        if drew is None:
            you, they = say("You discard {card}."), say("{actor} discards {card}.")
        elif drew.event == Event.DREW:
            you = say("You discard {card} and draw {drawn}.")
            they = say("{actor} discards {card} and draws another card.")
        elif drew.event == Event.TOOK_ASIDE:
            you = say("You discard {card} and take the card set aside, {drawn}.")
            they = say("{actor} discards {card} and takes the card set aside.")
        else:
            you = say("You discard {card}, and there is no card left to draw.")
            they = say("{actor} discards {card}, and there is no card left to draw.")
        drawn = self.card(None if drew is None else drew.card)
        return self.does("effect", seat, you, they, card=self.laid(entry.event, seat, entry.card), drawn=drawn)

    def _out(self, entry: Entry, rest: Rest) -> list[LogLine]:
        """A player knocked out; the hand falls with them, unless a Princess was discarded just before."""
        say = self.say
        if any(later.event == Event.DISCARDED and later.actor == entry.actor for later in rest):
            rest.appendleft(entry)
            you = say("You are out of the round, with {card} in hand.")
            return self.falls(rest, you, say("{actor} is out of the round, with {card} in hand."))
        return self.does("out", entry.actor, say("You are out of the round."), say("{actor} is out of the round."))

    def _token(self, entry: Entry) -> list[LogLine]:
        you = self.say("You win {token:a} thanks to {card}.")
        they = self.say("{actor} wins {token:a} thanks to {card}.")
        card = self.card(PAYING[Award(entry.target)])
        return self.does("token", entry.actor, you, they, token=self.token(), card=card)

    # The end

    def _revealed(self, entry: Entry, rest: Rest) -> list[LogLine]:
        shown = {reveal.actor: reveal.card for reveal in take_all(entry, rest)}
        hands = {seat: None if card == NO_CARD else card for seat, card in shown.items()}
        return [LogLine(self.hands(hands, self.rules.value), "end")]

    def _ended(self, entry: Entry, rest: Rest) -> list[LogLine]:
        """Who won the round, and why; where a token has ended the match at once, its winner is told alone."""
        if entry.target == End.MATCH_WON:
            return []
        winners = []
        while rest and (rest[0].event, rest[0].target) == (Event.TOKEN, Award.ROUND):
            winners.append(rest.popleft().actor)
        if entry.target == End.LAST_STANDING:
            you = self.say("You are the last one standing and win the round.")
            they = self.say("{actor} is the last one standing and wins the round.")
            return self.does("end", winners[0], you, they)
        return [LogLine(text, "end") for text in (*self._comparison(), self.round_to(winners))]

    def _comparison(self) -> list[str]:
        """What counted beside the numbers shown, if that is known."""
        if self.account is None:
            return []
        return Judge(self.account, self.players, self.me, self.words).comparison()
