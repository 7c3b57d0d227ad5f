"""A round as everybody sees it: a table whose hidden cards are blank, and what each player is known to have seen.

It is a fold of one seat's log, so it can hold no more than that seat knows. Policies judge a player's choices by it
(evidence.py), and searches fill its blanks with the deals of a belief.
"""

from dataclasses import dataclass, field
from typing import assert_never

from ..rules import BLANK, NO_CARD, NOBODY, Card, Edition, Event, Phase, Table, Verb, new_table
from ..rules.choices import name_for
from ..rules.names import CARDS, first_of, is_card, second_of, third_of, verb_of
from ..rules.seats import only, without
from ..view.match import View
from ..view.memory import Entry

SEEN_UNKNOWN = BLANK
"""A seat has seen the other's card, but the reader of the log does not know which it was."""


@dataclass
class Public:
    """The public table, with notes on what the players know of each other.

    `seen[a * players + b]` is the card that seat a knows b to hold (NO_CARD: none). `barred[b]` is the set of cards,
    as bits, that everybody knows b not to hold.
    """

    rules: Edition
    seat: int | None = None
    table: Table = field(init=False)
    seen: list[int] = field(init=False)
    barred: list[int] = field(init=False)
    own: list[int] = field(default_factory=list)  # the reader's own cards
    face_up: list[int] = field(default_factory=list)
    named: int = NO_CARD  # what the last card named
    played: int = NO_CARD  # the last card played
    rivals: tuple[int, ...] = ()  # those whose hands the last card compares

    def __post_init__(self) -> None:
        n = self.rules.players
        self.table = new_table(self.rules)
        self.seen = [NO_CARD] * (n * n)
        self.barred = [0] * n

    def learn(self, entry: Entry) -> None:
        """Take in the next row of the log."""
        event, actor, target, card = entry
        t = self.table
        match event:
            case Event.ROUND:
                self._begin(target)
            case Event.FACE_UP:
                self.face_up += [] if card is None else [card]
            case Event.DEALT | Event.DREW | Event.TOOK_ASIDE:
                self._take(event, actor, card)
            case Event.MOVED:
                self._move(actor, card)
            case Event.UNSHIELDED:
                t.shielded = without(t.shielded, actor)
            case Event.SHIELDED:
                t.shielded |= only(actor)
            case Event.MARKED:
                t.mark = target
            case Event.BET:
                t.bettor, t.favourite = actor, target
            case Event.TOKEN:
                t.tokens[actor] += 1
            case Event.SHOWED:
                self._note(target, actor, self.own[0] if actor == self.seat and self.own else card)
            case Event.MISSED | Event.HIT:
                self._hear(target, event == Event.HIT)
            case Event.TRADED:
                self._trade(actor, target)
            case Event.RECEIVED:
                self._receive(actor, target, card)
            case Event.DISCARDED:
                self._discard(actor, card)
            case Event.OUT:
                t.standing, t.shielded = without(t.standing, actor), without(t.shielded, actor)
            case Event.RETURNED:
                self._return(actor, card)
            case Event.FOUND_NONE | Event.FIZZLED | Event.EQUAL | Event.REVEALED | Event.ENDED | Event.TIE | Event.WON:
                pass
            case _:
                assert_never(event)

    def _begin(self, playing: int) -> None:
        t, ed = self.table, self.rules
        t.playing = t.standing = playing
        t.top, t.bottom = ed.aside + ed.face_up, ed.cards
        t.spare = NO_CARD if ed.spare == 0 else BLANK

    def _take(self, event: Event, seat: int, card: int | None) -> None:
        if event == Event.TOOK_ASIDE:
            self.table.spare = NO_CARD
        else:
            self.table.top += 1
        if seat == self.seat and card is not None:
            self.own.append(card)

    def _move(self, seat: int, move: int | None) -> None:
        """A decision: a card played, or the second step of one."""
        t = self.table
        self.named, self.played, self.rivals = NO_CARD, NO_CARD, ()
        t.phase, t.traded = Phase.PLAY, 0
        if move is None or verb_of(move) == Verb.KEEP:
            self._forget(seat)
        elif is_card(verb_of(move)):
            t.active, t.mark = seat, NOBODY
            self._lay_down(seat, move)

    def _lay_down(self, seat: int, move: int) -> None:
        card = verb_of(move)
        self._pile(seat, card)
        if seat == self.seat:
            self.own.remove(card)
        for other in range(self.rules.players):
            if self._seen_of(other, seat) in (card, SEEN_UNKNOWN):
                self._note(other, seat, NO_CARD)
        if not self.barred[seat] >> card & 1:
            self.barred[seat] = 0
        self.named, self.played = third_of(move), card
        if card in (Card.BARON, Card.DOWAGER_QUEEN) and first_of(move) != BLANK:
            self.rivals = (seat, first_of(move))
        if card == Card.CARDINAL and first_of(move) != BLANK:
            self.table.traded = only(first_of(move)) | only(second_of(move))

    def _receive(self, seat: int, giver: int, card: int | None) -> None:
        if seat == self.seat and card is not None:
            self._note(giver, seat, card)
            self.own = [card]

    def _discard(self, seat: int, card: int | None) -> None:
        """A hand goes face up; after a comparison, it says something about the winner's."""
        if card is None:
            return
        if seat in self.rivals:
            winner = sum(self.rivals) - seat
            self.barred[winner] |= sum(1 << other for other in range(CARDS) if not self.beats(other, card))
        self._pile(seat, card)
        self._forget(seat)
        if seat == self.seat:
            self.own.remove(card)

    def beats(self, card: int, other: int) -> bool:
        """Whether a card wins the last comparison against another."""
        difference = self.rules.value[card] - self.rules.value[other]
        return difference > 0 if self.played == Card.BARON else difference < 0

    def hits(self, card: int) -> bool:
        """Whether what was named last is said of this card."""
        return name_for(self.rules, self.played, card) == self.named

    def answers(self, card: int, hit: bool) -> bool:
        """Whether this card answers what was named with a hit, or with a miss; an Assassin does neither to a Guard."""
        return self.hits(card) == hit and not (self.played == Card.GUARD and card == Card.ASSASSIN)

    def _hear(self, target: int, hit: bool) -> None:
        for card in range(CARDS):
            if not self.answers(card, hit):
                self.barred[target] |= 1 << card

    def _trade(self, a: int, b: int) -> None:
        for seat in range(self.rules.players):
            of_a, of_b = self._seen_of(seat, a), self._seen_of(seat, b)
            self._note(seat, a, of_b)
            self._note(seat, b, of_a)
        self.barred[a], self.barred[b] = self.barred[b], self.barred[a]
        for giver, taker in ((a, b), (b, a)):
            self._note(giver, taker, self.own[0] if giver == self.seat else SEEN_UNKNOWN)

    def _return(self, seat: int, card: int | None) -> None:
        self.table.bottom += 1
        if seat == self.seat and card is not None:
            self.own.remove(card)

    def _pile(self, seat: int, card: int) -> None:
        t = self.table
        t.piles[t.discards], t.owners[t.discards] = card, seat
        t.discards += 1

    def _forget(self, seat: int) -> None:
        """The hand is no longer the one that others may have seen."""
        self.barred[seat] = 0
        for other in range(self.rules.players):
            self._note(other, seat, NO_CARD)

    def _seen_of(self, seat: int, other: int) -> int:
        return self.seen[seat * self.rules.players + other]

    def _note(self, seat: int, other: int, card: int | None) -> None:
        self.seen[seat * self.rules.players + other] = SEEN_UNKNOWN if card is None else card


def fold(view: View) -> Public:
    """The public table of the round that a view shows, as it stands."""
    public = Public(view.rules, view.seat)
    public.table.tokens = tokens_before(view)
    for entry in view.log[-1] if view.log else ():
        public.learn(entry)
    return public


def tokens_before(view: View, number: int = -1) -> list[int]:
    """Every seat's tokens at the start of a round of the log, by its index; the last round by default."""
    tokens = list(view.tokens)
    for told in view.log[number:]:
        for entry in told:
            tokens[entry.actor] -= entry.event == Event.TOKEN
    return tokens
