"""Positions of whole tables as one line of text, and tables that begin in one."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from .errors import SuitorsError, brief, check_dealt, check_edition, check_options, check_players
from .notation import CARD_OF
from .rules import NO_CARD, NOBODY, Card, Edition, Event, Option, Phase, Table, edition, new_table
from .rules.names import EVERYBODY
from .rules.seats import only
from .view.lines import ABSENT, FORMAT, NOTHING, OUT, Line
from .view.match import Rows, as_cards, or_none, piles, seats

KEYS = (
    "edition",
    "options",
    "sees",
    "phase",
    "active",
    "turn",
    "tokens",
    "hands",
    "piles",
    "deck",
    "aside",
    "up",
    "protected",
    "mark",
    "bet",
    "tied",
    "won",
)
"""The parts of a line, in their order."""


def table_line(t: Table, rules: Edition, slug: str, options: Mapping[str, Option]) -> str:
    """A whole table in one line, with every card."""
    dealt = t.phase not in (Phase.DEAL, Phase.OVER)
    held = [[t.hand[seat], *((t.drawn, t.extra) if seat == t.active else ())] for seat in range(rules.players)]
    beside = rules.aside + rules.face_up
    taken = 1 if rules.spare and t.spare == NO_CARD else 0
    return Line(
        edition=slug,
        options=options,
        seat=None,
        whole=True,
        tokens=t.tokens,
        phase=Phase(t.phase),
        active=or_none(t.active) if dealt else None,
        turn=or_none(t.decider) if dealt else None,
        playing=seats(t.playing) if dealt else range(rules.players),
        standing=seats(t.standing) if dealt else range(rules.players),
        hands=[as_cards(card for card in cards if card != NO_CARD) if dealt else () for cards in held],
        piles=piles(t, rules.players) if dealt else [()] * rules.players,
        deck=as_cards(t.deck[t.top : t.bottom]) if dealt else (),
        aside=as_cards(t.deck[taken : rules.aside]) if dealt else (),
        face_up=as_cards(t.deck[rules.aside : beside]) if dealt else (),
        protected=seats(t.shielded),
        mark=or_none(t.mark),
        bettor=or_none(t.bettor),
        favourite=or_none(t.favourite),
        tied=seats(t.tied),
        winners=seats(t.champions or t.winners),
    ).text()


@dataclass(frozen=True)
class Position:
    """A table that a line describes: at a play, or between two rounds."""

    edition: str
    options: dict[str, Option]
    rules: Edition
    table: Table
    order: tuple[int, ...]  # the deck of the round as if it had been dealt so, empty between rounds
    rows: Rows  # what everybody has seen of the round: as if the cards that are gone had been dealt and discarded


def read_position(text: object) -> Position:
    """The position that a line describes. Raises a SuitorsError where it describes none to begin with."""
    if not isinstance(text, str) or not text.startswith(f"{FORMAT} "):
        _refuse(f'a position is a line that begins with "{FORMAT} ", not {brief(text)}')
    pairs = [word.partition("=") for word in text.split(" ")[1:]]
    fields = {key: value for key, _, value in pairs}
    if tuple(key for key, _, _ in pairs) != KEYS:
        _refuse(f"a position has the parts {', '.join(KEYS)}, each once and in this order")
    return _Reader(fields).read()


def _refuse(why: str) -> NoReturn:
    raise SuitorsError("bad-position", f"This is no position to begin with: {why}.")


class _Reader:
    """Reads the parts of a line into a table, and checks that they go together."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = fields
        tokens = [self._count(word) for word in fields["tokens"].split("/")]
        self.slug = check_edition(fields["edition"])
        check_players(self.slug, ("",) * len(tokens))
        self.options = check_options(self._switches())
        self.rules = edition(self.slug, len(tokens), self.options)
        check_dealt(self.rules)
        if fields["sees"] != "all":
            _refuse("it is what one seat knows, not the whole table")
        self.table = new_table(self.rules)
        self.table.tokens = tokens

    def read(self) -> Position:
        t = self.table
        t.tied, t.winners = self._set("tied"), self._set("won")
        phase, order, rows = self.fields["phase"], tuple[int, ...](), tuple[int, ...]()
        if phase == "play":
            order = self._round()
            rows = tuple(int(number) for row in self._told() for number in row)
        elif phase != "deal":
            _refuse(f"its phase is {brief(phase)}; matches begin where a round is to be dealt or a card to be played")
        self._check_tokens()
        return Position(self.slug, self.options, self.rules, t, order, rows)

    def _check_tokens(self) -> None:
        """Nobody has won yet, unless a tie-break round decides."""
        high = {seat for seat, tokens in enumerate(self.table.tokens) if tokens >= self.rules.goal}
        tied = set(seats(self.table.tied))
        if (tied and (not self.rules.tie_breaks or tied != high or len(tied) < 2)) or (high and not tied):
            _refuse("somebody has won the match, or the tied seats are not those that share the goal")

    # The parts

    def _switches(self) -> dict[str, Any]:
        found = {}
        for word in self._words("options"):
            key, _, value = word.partition(":")
            try:
                found[key] = json.loads(value)
            except (ValueError, RecursionError):
                _refuse(f"{brief(word)} is no switch")
        return found

    def _words(self, key: str) -> list[str]:
        text = self.fields[key]
        return [] if text == NOTHING else text.split(",")

    def _count(self, word: str) -> int:
        if not (word.isascii() and word.isdigit() and len(word) < 3):
            _refuse(f"{brief(word)} is no number")
        return int(word)

    def _seat(self, word: str) -> int:
        if self._count(word) >= self.rules.players:
            _refuse(f"there is no seat {word}")
        return int(word)

    def _one(self, key: str) -> int:
        return NOBODY if self.fields[key] == NOTHING else self._seat(self.fields[key])

    def _set(self, key: str) -> int:
        return sum({only(self._seat(word)) for word in self._words(key)})

    def _cards(self, text: str) -> list[Card]:
        words = [] if text == NOTHING else text.split(",")
        for word in words:
            if word not in CARD_OF:
                _refuse(f"{brief(word)} is no card")
        return [CARD_OF[word] for word in words]

    def _by_seat(self, key: str, read: Callable[[str], Any]) -> list[Any]:
        words = self.fields[key].split("/")
        if len(words) != self.rules.players:
            _refuse(f"there are {self.rules.players} players, but {len(words)} {key}")
        return [read(word) for word in words]

    # A round

    def _round(self) -> tuple[int, ...]:
        """Put the cards of a running round on the table; the deck as if it had been dealt so."""
        t, ed = self.table, self.rules
        states = self._by_seat("hands", str)
        self.piles = self._by_seat("piles", self._cards)
        hands = [[] if state in (OUT, ABSENT) else self._cards(state) for state in states]
        t.phase, t.active, t.decider = Phase.PLAY, self._one("active"), self._one("turn")
        t.playing = sum(only(seat) for seat, state in enumerate(states) if state != ABSENT)
        t.standing = sum(only(seat) for seat, state in enumerate(states) if state not in (OUT, ABSENT))
        t.shielded, t.mark = self._set("protected"), self._one("mark")
        self._bet()
        self._check_seats(hands)
        aside, up, deck = (self._cards(self.fields[key]) for key in ("aside", "up", "deck"))
        drawn = [card for cards in (*self.piles, *hands) for card in cards]
        order = tuple(int(card) for card in (*aside, *up, *drawn, *deck))
        if len(aside) != ed.aside or len(up) != ed.face_up or sorted(order) != list(ed.box):
            _refuse("its cards are not those of the edition, or not as many lie beside the deck")
        t.deck[: ed.cards] = order
        t.top, t.bottom = ed.cards - len(deck), ed.cards
        t.spare = t.deck[0] if ed.spare else NO_CARD
        for seat, cards in enumerate(hands):
            t.hand[seat] = int(cards[0]) if cards else NO_CARD
        t.drawn = int(hands[t.active][1])
        for seat, pile in enumerate(self.piles):
            for card in pile:
                t.piles[t.discards], t.owners[t.discards] = int(card), seat
                t.discards += 1
        return order

    def _bet(self) -> None:
        if self.fields["bet"] != NOTHING:
            bettor, _, favourite = self.fields["bet"].partition(":")
            self.table.bettor, self.table.favourite = self._seat(bettor), self._seat(favourite)

    def _check_seats(self, hands: Sequence[Sequence[Card]]) -> None:
        """One player has two cards and is to play one; the others in the round have one each."""
        t = self.table
        inside = seats(t.standing)
        if len(inside) < 2 or t.active not in inside or t.decider != t.active:
            _refuse("the player whose turn it is must be in the round, and somebody else as well")
        if any(len(hands[seat]) != (2 if seat == t.active else 1) for seat in inside):
            _refuse("the player whose turn it is holds two cards, all others in the round hold one")
        if t.shielded & ~t.standing or (t.mark != NOBODY and t.mark not in inside) or t.shielded & only(t.active):
            _refuse("only players in the round are marked or protected, and nobody is protected in their own turn")
        taking_part = t.tied or (1 << self.rules.players) - 1
        if t.playing != taking_part:
            _refuse("all players take part in a round, or in a tie-break round those who are tied")

    def _told(self) -> Iterator[tuple[int, int, int, int, int]]:
        """Events that lead here: what is gone was dealt and discarded, the rest was dealt."""
        t, ed = self.table, self.rules
        yield Event.ROUND, t.active, t.playing, NO_CARD, EVERYBODY
        for card in t.deck[ed.aside : ed.aside + ed.face_up]:
            yield Event.FACE_UP, NOBODY, NOBODY, card, EVERYBODY
        for seat, pile in enumerate(self.piles):
            for card in pile:
                yield Event.DEALT, seat, seat, int(card), only(seat)
                yield Event.DISCARDED, seat, seat, int(card), EVERYBODY
        for seat in seats(t.playing & ~t.standing):
            yield Event.OUT, seat, seat, NO_CARD, EVERYBODY
        for seat in seats(t.standing):
            yield Event.DEALT, seat, seat, t.hand[seat], only(seat)
        for seat in seats(t.shielded):
            yield Event.SHIELDED, seat, seat, NO_CARD, EVERYBODY
        if t.bettor != NOBODY:
            yield Event.BET, t.bettor, t.favourite, NO_CARD, EVERYBODY
        if t.mark != NOBODY:
            yield Event.MARKED, t.active, t.mark, NO_CARD, EVERYBODY
        yield Event.DREW, t.active, t.active, t.drawn, only(t.active)
