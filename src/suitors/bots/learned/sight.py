"""The observation of a seat as the laboratory writes it, made from nothing but its view.

A fold of the seat's own log: cards that it has not seen stay unknown, and what they are changes nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple, assert_never

from ...knowledge.public import Public, tokens_before
from ...lab.memory import KNOWN, deck_at, forget_all, learn, lose_card, memory_size, pair_at
from ...lab.observing import observe
from ...lab.space import HISTORY, Space, space
from ...lab.stepping import keep_in_mind
from ...rules import NO_CARD, Edition, Event, Table, Verb
from ...rules.names import CARDS, is_card, pack, verb_of
from ...view.match import View
from ...view.memory import Entry
from ..positions import public_notes, visible_table

UNKNOWN = CARDS
"""A card that the seat has not seen."""


class Sight(NamedTuple):
    """What a seat sees: its table, what the numbers mean, and the numbers."""

    table: Table
    space: Space
    numbers: list[int]


def sight(view: View) -> Sight:
    """The full observation of the seat that a view belongs to, in a round."""
    assert view.seat is not None
    fold = LogFold(view.rules, view.seat, tokens_before(view))
    for entry in view.log[-1]:
        fold.read(entry)
    fold.close()
    t = visible_table(view, fold.public)
    ed, s = view.rules, space(view.rules, full=True)
    for k, card in enumerate(view.face_up):
        t.deck[ed.aside + k] = card
    for place, card in view.under.items():
        t.deck[t.top + place] = card
    numbers = [0] * s.size
    observe(t, ed, public_notes(fold.public), fold.memories, fold.past, s, view.seat, numbers)
    return Sight(t, s, numbers)


class LogFold:
    """Takes in the log of a round: the public table, what the seats remember, and the last decisions."""

    def __init__(self, rules: Edition, seat: int | None, tokens: Sequence[int]) -> None:
        self.rules, self.seat = rules, seat
        self.public = Public(rules, seat)
        self.public.table.tokens = list(tokens)
        self.memories = [0] * memory_size(rules.players)
        self.past = [0] * HISTORY
        self.put_under: dict[int, int] = {}  # the cards that the seat has put under the deck, by their order
        self.given = NO_CARD  # the card that the seat held before the last trade
        self.open: tuple[int, int, int, int] | None = None  # the last decision: who, what, and discards and seats then

    def read(self, entry: Entry) -> None:
        """Take in the next row."""
        if entry.event == Event.MOVED:
            self.close()
            t, move = self.public.table, pack(Verb.KEEP) if entry.card is None else entry.card
            self.open = (entry.actor, move, t.discards + is_card(verb_of(move)), t.standing)
        self._remember(entry)
        self.public.learn(entry)

    def close(self) -> None:
        """Put the last decision before the earlier ones, with all that came of it."""
        if self.open is not None:
            who, move, discards, standing = self.open
            t = self.public.table
            keep_in_mind(t, self.past, who, move, discards, standing & ~t.standing)
            self.open = None

    def _remember(self, entry: Entry) -> None:
        m, n = self.memories, self.rules.players
        if entry.event == Event.ROUND:
            forget_all(m, self.rules)
            return
        if entry.event == Event.MOVED and entry.card is not None and is_card(verb_of(entry.card)):
            self._lose_unknown(entry.actor, verb_of(entry.card))
        learn(m, n, entry.event, entry.actor, entry.target, self._take_note(entry))

    def _lose_unknown(self, seat: int, played: int) -> None:
        """A card is played: where others know one of the seat's that the reader does not, it is taken for that one."""
        for other in range(self.rules.players):
            known = pair_at(self.rules.players, other, seat)
            if played not in self.memories[known : known + KNOWN]:
                lose_card(self.memories, known, UNKNOWN)

    def _take_note(self, entry: Entry) -> int:
        """The card of a row, where the seat knows it: its own when it shows or gives it, and those it put away."""
        event, actor, target, card = entry
        match event:
            case Event.SHOWED:
                return self.public.own[0] if actor == self.seat else _or_unknown(card)
            case Event.RECEIVED:
                return self.given if target == self.seat else _or_unknown(card)
            case Event.DREW:
                return self.put_under.get(self.memories[deck_at(self.rules.players)], _or_unknown(card))
            case Event.MOVED:
                return pack(Verb.KEEP) if card is None else card
            case Event.TRADED:
                self.given = self.public.own[0] if self.public.own else NO_CARD
                return UNKNOWN
            case Event.RETURNED:
                if card is not None:
                    self.put_under[self.memories[deck_at(self.rules.players) + 1]] = card
                return _or_unknown(card)
            case Event.ROUND | Event.FACE_UP | Event.DEALT | Event.TOOK_ASIDE | Event.DISCARDED | Event.REVEALED:
                return _or_unknown(card)
            case Event.SHIELDED | Event.UNSHIELDED | Event.MARKED | Event.BET:
                return _or_unknown(card)
            case Event.FOUND_NONE | Event.FIZZLED | Event.MISSED | Event.HIT | Event.EQUAL | Event.OUT:
                return _or_unknown(card)
            case Event.TOKEN | Event.ENDED | Event.TIE | Event.WON:
                return _or_unknown(card)
            case _:
                assert_never(event)


def _or_unknown(card: int | None) -> int:
    return UNKNOWN if card is None else int(card)
