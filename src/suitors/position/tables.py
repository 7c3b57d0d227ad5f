"""The tables of matches as lines, and back: where a round is to be dealt, at any decision, or after the end."""

from collections.abc import Iterator, Mapping, Sequence

from ..rules import NO_CARD, NOBODY, Award, Card, Edition, Event, Option, Phase, Table, new_table, pack
from ..rules.choices import why_not_name
from ..rules.names import BLANK, EVERYBODY
from ..rules.scoring import leaders
from ..rules.seats import has, only, size
from ..view.lines import ABSENT, NOTHING, OUT, PositionLine
from ..view.match import as_cards, or_none, piles, seats
from .fields import Fields, Position, Row, flat, read_cards, read_count, refuse, split_line

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
    "traded",
    "bet",
    "tied",
    "won",
)
"""The parts of a line, in their order."""

SECOND_STEPS = {Phase.KEEP: Card.CHANCELLOR, Phase.LOOK: Card.CARDINAL, Phase.ANSWER: Card.BISHOP}
"""The card that was just played where its second step is to be decided."""

PHASES = {phase.name.lower(): phase for phase in (Phase.DEAL, Phase.PLAY, *SECOND_STEPS, Phase.OVER)}


def table_line(t: Table, rules: Edition, slug: str, options: Mapping[str, Option]) -> str:
    """A whole table in one line, with every card."""
    dealt = t.phase not in (Phase.DEAL, Phase.OVER)
    held = [[t.hand[seat], *((t.drawn, t.extra) if seat == t.active else ())] for seat in range(rules.players)]
    beside = rules.aside + rules.face_up
    return PositionLine(
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
        aside=as_cards(t.deck[: rules.aside]) if dealt else (),
        face_up=as_cards(t.deck[rules.aside : beside]) if dealt else (),
        protected=seats(t.shielded),
        mark=or_none(t.mark),
        traded=seats(t.traded),
        bettor=or_none(t.bettor),
        favourite=or_none(t.favourite),
        tied=seats(t.tied),
        winners=() if dealt else seats(t.champions or t.winners),
    ).text()


def read_position(text: object) -> Position[Table]:
    """The position that a line describes. Raises a SuitorsError where it describes none to begin with."""
    fields = split_line(text, KEYS)
    tokens = [read_count(word) for word in fields["tokens"].split("/")]
    return _Reader(Fields(fields, players=len(tokens), alone=False), tokens).read()


class _Reader:
    """Reads the parts of a line into a table, and checks that they go together."""

    def __init__(self, parts: Fields, tokens: list[int]) -> None:
        self.parts, self.rules = parts, parts.rules
        self.table = new_table(parts.rules)
        self.table.tokens = tokens
        self.order: tuple[int, ...] = ()
        self.piles: list[list[Card]] = []
        self.hands: list[list[Card]] = []

    def read(self) -> Position[Table]:
        t, parts = self.table, self.parts
        phase = parts.fields["phase"]
        if phase not in PHASES:
            refuse(f"its phase is one of {', '.join(PHASES)}")
        t.phase, t.tied, t.winners = PHASES[phase], parts.seat_set("tied"), parts.seat_set("won")
        rows: list[Row] = []
        if t.phase == Phase.OVER:
            self._finished()
        else:
            self._check_tokens()
        if t.phase in (Phase.DEAL, Phase.OVER):
            self._check_cleared()
        else:
            self._round()
            rows = [*self._told(), *self._told_last()]
        return Position(parts.slug, parts.options, self.rules, t, self.order, flat(rows))

    def _finished(self) -> None:
        """The match is over: the seats that won it are those that the tokens say."""
        t = self.table
        t.champions = leaders(t, self.rules)
        if not t.champions or t.winners != t.champions or t.tied or (self.rules.tie_breaks and size(t.champions) > 1):
            refuse("the match is not over with these tokens, or others have won it")

    def _check_tokens(self) -> None:
        """Nobody has won yet, unless a tie-break round decides."""
        t = self.table
        best = leaders(t, self.rules)
        if t.tied != best or (best and (not self.rules.tie_breaks or size(best) < 2)):
            refuse("somebody has won the match, or the tied seats are not those that share the most tokens")

    def _check_cleared(self) -> None:
        """Nothing of a round is left between two of them."""
        for key, text in self.parts.fields.items():
            if key not in ("edition", "options", "sees", "phase", "tokens", "tied", "won") and text.strip("-/"):
                refuse(f"no round is being played, but {key} is {text:.40}")

    # A round

    def _round(self) -> None:
        """Put the cards of a running round on the table; the deck as if it had been dealt so."""
        t, ed, parts = self.table, self.rules, self.parts
        states = parts.by_seat("hands", str)
        self.piles = parts.by_seat("piles", read_cards)
        self.hands = [[] if state in (OUT, ABSENT) else read_cards(state) for state in states]
        t.active, t.decider = parts.one_seat("active"), parts.one_seat("turn")
        t.playing = sum(only(seat) for seat, state in enumerate(states) if state != ABSENT)
        t.standing = sum(only(seat) for seat, state in enumerate(states) if state not in (OUT, ABSENT))
        t.shielded, t.mark, t.traded = parts.seat_set("protected"), parts.one_seat("mark"), parts.seat_set("traded")
        self._bet()
        self._check_seats()
        aside, up, deck = (parts.cards(key) for key in ("aside", "up", "deck"))
        self._check_step(deck)
        gone = [card for cards in (*self.piles, *self.hands) for card in cards]
        self.order = tuple(int(card) for card in (*aside, *up, *gone, *deck))
        if len(aside) != ed.aside or len(up) != ed.face_up or sorted(self.order) != list(ed.box):
            refuse("its cards are not those of the edition, or not as many lie beside the deck")
        self._put_down(len(deck))
        self._check_bishop()

    def _bet(self) -> None:
        if self.parts.fields["bet"] != NOTHING:
            bettor, _, favourite = self.parts.fields["bet"].partition(":")
            t = self.table
            t.bettor, t.favourite = self.parts.seat(bettor), self.parts.seat(favourite)
            if t.bettor == t.favourite or Card.JESTER not in self.piles[t.bettor] or not has(t.playing, t.favourite):
                refuse("a bet is made by the player of a Jester, on another player of the round")

    def _check_seats(self) -> None:
        """Those who take part, and those who are protected or marked, are such as the rules leave."""
        t = self.table
        if t.winners:
            refuse("nobody has won a round that is being played")
        if t.playing != (t.tied or (1 << self.rules.players) - 1):
            refuse("all players take part in a round, or in a tie-break round those who are tied")
        if size(t.standing) < 2 or t.active == NOBODY or not has(t.standing, t.active):
            refuse("the player whose turn it is must be in the round, and somebody else as well")
        if t.shielded & ~t.standing or (t.mark != NOBODY and not has(t.standing, t.mark)) or has(t.shielded, t.active):
            refuse("only players in the round are marked or protected, and nobody is protected in their own turn")

    def _check_step(self, deck: Sequence[Card]) -> None:
        """The hands and the parts of a second step are those of the decision that is due."""
        t = self.table
        phase, free = Phase(t.phase), t.standing & ~t.shielded
        if t.decider != t.active and phase != Phase.ANSWER:
            refuse("the player whose turn it is has to decide")
        held = {Phase.PLAY: (2,), Phase.KEEP: (3,) if deck else (2, 3)}.get(phase, (1,))
        if any(len(self.hands[seat]) not in (held if seat == t.active else (1,)) for seat in seats(t.standing)):
            refuse(f"a player holds one card, and the one whose turn it is {' or '.join(map(str, held))} in this phase")
        played = SECOND_STEPS.get(phase)
        if played is not None and (self.piles[t.active][-1:] != [played] or t.mark != NOBODY):
            refuse(f"the {played.name.title()} must have been played last, and nobody be marked")
        if size(t.traded) != (2 if phase == Phase.LOOK else 0) or t.traded & ~free:
            refuse("two players that may be chosen have traded where a Cardinal's player may look, nobody elsewhere")

    def _check_bishop(self) -> None:
        """A hit player that may redraw has something to draw, and a number that a Bishop may name."""
        t, ed = self.table, self.rules
        if t.phase != Phase.ANSWER:
            return
        if t.decider in (t.active, NOBODY) or not has(t.standing & ~t.shielded, t.decider) or t.tied:
            refuse("a Bishop's hit is answered by another player that may be chosen, and not in a tie-break round")
        if not t.tokens[t.active] or (t.top == t.bottom and t.spare == NO_CARD):
            refuse("a Bishop's hit gives a token, and is answered only while there is a card to draw")
        if why_not_name(ed, Card.BISHOP, ed.value[t.hand[t.decider]]):
            refuse("the card of the player who was hit has a number that a Bishop may not name")

    def _put_down(self, left: int) -> None:
        """Lay the cards of the round on the table."""
        t, ed = self.table, self.rules
        t.deck[: ed.cards] = self.order
        t.top, t.bottom = ed.cards - left, ed.cards
        t.spare = t.deck[0] if ed.spare else NO_CARD
        for seat, cards in enumerate(self.hands):
            t.hand[seat] = int(cards[0]) if cards else NO_CARD
        t.drawn, t.extra = (int(card) for card in [*self.hands[t.active][1:], NO_CARD, NO_CARD][:2])
        for seat, pile in enumerate(self.piles):
            for card in pile:
                t.piles[t.discards], t.owners[t.discards] = int(card), seat
                t.discards += 1

    # What leads here

    def _told(self) -> Iterator[Row]:
        """Events up to the turn: what is gone was dealt and discarded, the rest was dealt."""
        t, ed = self.table, self.rules
        yield Event.ROUND, t.active, t.playing, NO_CARD, EVERYBODY
        for card in t.deck[ed.aside : ed.aside + ed.face_up]:
            yield Event.FACE_UP, NOBODY, NOBODY, card, EVERYBODY
        for seat, pile in enumerate(self.piles):
            for card in pile[:-1] if seat == t.active and t.phase in SECOND_STEPS else pile:
                yield Event.DEALT, seat, seat, int(card), only(seat)
                yield Event.DISCARDED, seat, seat, int(card), EVERYBODY
        for seat in seats(t.playing & ~t.standing):
            yield Event.OUT, seat, seat, NO_CARD, EVERYBODY
        for seat in seats(t.standing):
            yield Event.DEALT, seat, seat, t.hand[self._partner(seat)], only(seat)
        for seat in seats(t.shielded):
            yield Event.SHIELDED, seat, seat, NO_CARD, EVERYBODY
        if t.bettor != NOBODY:
            yield Event.BET, t.bettor, t.favourite, NO_CARD, EVERYBODY
        if t.mark != NOBODY:
            yield Event.MARKED, t.active, t.mark, NO_CARD, EVERYBODY

    def _partner(self, seat: int) -> int:
        """The seat that now holds what a seat held before a Cardinal's trade."""
        t = self.table
        return next(other for other in seats(t.traded) if other != seat) if has(t.traded, seat) else seat

    def _told_last(self) -> Iterator[Row]:
        """Events of the turn: the card drawn, and where its second step is due the card that was played."""
        t, me = self.table, self.table.active
        if t.phase == Phase.PLAY:
            yield Event.DREW, me, me, t.drawn, only(me)
            return
        card = SECOND_STEPS[Phase(t.phase)]
        low, high = seats(t.traded) or (BLANK if t.phase == Phase.KEEP else t.decider, BLANK)
        named = self.rules.value[t.hand[t.decider]] if t.phase == Phase.ANSWER else BLANK
        yield Event.DREW, me, me, card, only(me)
        yield Event.MOVED, me, me, pack(card, low, high, named), EVERYBODY
        if t.phase == Phase.KEEP:
            for drawn in (t.drawn, t.extra) if t.extra != NO_CARD else (t.drawn,):
                yield Event.DREW, me, me, drawn, only(me)
        elif t.phase == Phase.LOOK:
            yield Event.TRADED, low, high, NO_CARD, EVERYBODY
            yield Event.RECEIVED, low, high, t.hand[low], only(low)
            yield Event.RECEIVED, high, low, t.hand[high], only(high)
        else:
            yield Event.HIT, me, t.decider, NO_CARD, EVERYBODY
            yield Event.TOKEN, me, Award.BISHOP, NO_CARD, EVERYBODY
