"""What a player may click next: a card, then seats, then a name. A click adds to `chosen`; the last one plays.

Nothing is kept between two clicks but the words chosen so far, so that links and forms work without a script, and a
choice that is no longer possible is dropped.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from ..notation import CARD_NAMES, CARD_OF, read_move, write_move
from ..rules import BLANK, NAMINGS, NO_CARD, Card, Edition, Naming, Phase, Refusal, Verb, pack
from ..rules.choices import nth_name
from ..rules.names import first_of, second_of, third_of, verb_of
from ..view.match import View

WhyNot = Callable[[str], Refusal]
"""Why a move may not be played now."""


@dataclass(frozen=True)
class Option:
    """Something to click: words to add to those chosen, or a whole move; or nothing, and why not."""

    words: str = ""
    final: bool = False
    why_not: Refusal = Refusal.FINE

    @property
    def open(self) -> bool:
        """Whether it can be clicked."""
        return bool(self.words)


NOTHING = Option()


@dataclass(frozen=True)
class MenuChoice:
    """A line of a menu: something to name, keep, look at or answer."""

    option: Option
    card: int | None = None
    number: int | None = None
    seat: int | None = None
    cards: tuple[int, ...] = ()  # characters of that number; or those that go under the deck, lowest last
    word: str = ""


@dataclass(frozen=True)
class Choices:
    """The choices of one moment."""

    step: str = "wait"  # wait, card, seat, second-seat, name, keep, order, look, answer, confirm
    chosen: str = ""
    back: str = ""  # the words before the last choice of a player, where another could be chosen
    card: int | None = None  # the card that is being played
    seats_chosen: tuple[int, ...] = ()
    hand: tuple[Option, ...] = ()  # for each card in hand
    seats: dict[int, Option] = field(default_factory=dict)
    menu: tuple[MenuChoice, ...] = ()
    done: Option = NOTHING  # one hand is enough for a Baroness
    confirm: Option = NOTHING  # a move that is asked about
    fatal: bool = False  # because it would put its player out


@dataclass(frozen=True)
class Play:
    """A legal move that plays a card, parsed."""

    text: str
    card: int
    seats: frozenset[int]
    name: int | None


def choices_for(view: View, chosen: str, why_not: WhyNot, *, confirm: bool = False) -> Choices:
    """What the seat of the view may click, after the words chosen so far; `confirm` asks about every move."""
    found = _choices(view, chosen, why_not)
    if not confirm or found.step == "confirm":
        return found
    if chosen in view.legal:
        card = CARD_OF.get(chosen.split(maxsplit=1)[0])
        return Choices("confirm", chosen, card=None if card is None else int(card), confirm=Option(chosen, True))
    return _unconfirmed(found)


def _unconfirmed(found: Choices) -> Choices:
    """The same choices, each of which leads to a question before it is played."""
    return replace(
        found,
        hand=tuple(replace(option, final=False) for option in found.hand),
        seats={seat: replace(option, final=False) for seat, option in found.seats.items()},
        menu=tuple(replace(line, option=replace(line.option, final=False)) for line in found.menu),
        done=replace(found.done, final=False),
    )


def _choices(view: View, chosen: str, why_not: WhyNot) -> Choices:
    """What may be clicked where only a move that puts its player out is asked about."""
    if not view.legal:
        return Choices()
    match view.phase:
        case Phase.KEEP:
            return _keeping(view, chosen)
        case Phase.LOOK:
            return _looking(view)
        case Phase.ANSWER:
            return _answering(view, chosen)
    plays = [parse_play(view.rules, text) for text in view.legal]
    if chosen in view.legal and fatal(view, chosen):
        card = CARD_OF[chosen.split(maxsplit=1)[0]]
        return Choices("confirm", chosen, card=card, confirm=Option(chosen, True), fatal=True)
    words = chosen.split()
    begun = CARD_OF.get(words[0]) if words else None
    seats = frozenset(int(word) for word in words[1:] if word.isdecimal())
    mine = [play for play in plays if play.card == begun and play.seats >= seats]
    if begun is None or not mine:
        return _from_hand(view, plays, why_not)
    return _aiming(view, plays, mine, seats, why_not)


def _from_hand(view: View, plays: Sequence[Play], why_not: WhyNot) -> Choices:
    """Nothing is chosen yet: each card in hand can be, or says why not."""
    return Choices("card", hand=tuple(_card_option(view, plays, held, why_not) for held in view.hand))


def parse_play(rules: Edition, text: str) -> Play:
    """Parse a move that plays a card: the card, whom it chooses, what it names."""
    move = read_move(rules, text)
    seats = frozenset(seat for seat in (first_of(move), second_of(move)) if seat != BLANK)
    name = third_of(move)
    return Play(text, verb_of(move), seats, None if name == BLANK else name)


def _card_option(view: View, plays: Iterable[Play], card: int, why_not: WhyNot) -> Option:
    """What a click on a card in hand does: forced choices are skipped."""
    mine = [play for play in plays if play.card == card]
    if not mine:
        return Option(why_not=why_not(CARD_NAMES[card]))
    aims = {play.seats for play in mine}
    if len(aims) > 1:
        return Option(CARD_NAMES[card])
    return _after(view, mine)


def _after(view: View, mine: list[Play]) -> Option:
    """What a click does once the targets are chosen."""
    if len(mine) > 1:
        return Option(" ".join((CARD_NAMES[mine[0].card], *map(str, sorted(mine[0].seats)))))
    return Option(mine[0].text, final=not fatal(view, mine[0].text))


def _aiming(view: View, plays: Sequence[Play], mine: list[Play], seats: frozenset[int], why_not: WhyNot) -> Choices:
    """A card is chosen: which targets or names may follow."""
    card = mine[0].card
    chosen = " ".join((CARD_NAMES[card], *map(str, sorted(seats))))
    settled = [play for play in mine if play.seats == seats]
    picked = tuple(sorted(seats))
    back = CARD_NAMES[card] if seats and len({play.seats for play in plays if play.card == card}) > 1 else ""
    if settled and settled[0].name is not None:
        menu = tuple(_name(view, play) for play in settled)
        return Choices("name", chosen, back, card, picked, menu=menu)
    if settled and all(play.seats == seats for play in mine):  # it needed a confirmation and no longer does
        return _from_hand(view, plays, why_not)
    options = {seat: _seat_option(view, mine, card, seats, seat, why_not) for seat in range(view.rules.players)}
    done = Option(settled[0].text, final=True) if settled else Option()
    return Choices("second-seat" if seats else "seat", chosen, back, card, picked, seats=options, done=done)


def _seat_option(view: View, mine: list[Play], card: int, seats: frozenset[int], seat: int, why_not: WhyNot) -> Option:
    """What a click on a seat does."""
    if seat in seats:
        return Option()
    wider = seats | {seat}
    rest = [play for play in mine if play.seats >= wider]
    if not rest:
        text = " ".join((CARD_NAMES[card], *map(str, sorted(wider)), *_some_name(view.rules, card)))
        return Option(why_not=why_not(text))
    if {play.seats for play in rest} == {wider}:
        return _after(view, rest)
    return Option(" ".join((CARD_NAMES[card], *map(str, sorted(wider)))))


def _some_name(rules: Edition, card: int) -> tuple[str, ...]:
    """Some name that the card may guess, so that the reason against a seat is not that the name is missing."""
    if card not in NAMINGS:
        return ()
    return (write_move(rules, pack(card, 0, BLANK, nth_name(rules, card, 0))).split()[-1],)


def _name(view: View, play: Play) -> MenuChoice:
    """A name with the characters that it stands for."""
    assert play.name is not None
    rules, option = view.rules, Option(play.text, final=not fatal(view, play.text))
    if NAMINGS[Card(play.card)] == Naming.CARD and not rules.by_number:
        return MenuChoice(option, card=play.name, cards=(play.name,))
    borne = tuple(card for card in Card if rules.copies[card] and rules.value[card] == play.name)
    return MenuChoice(option, number=play.name, cards=tuple(int(card) for card in borne))


def _keeping(view: View, chosen: str) -> Choices:
    """A Chancellor's second step: the card to keep, then the order of the others beneath the deck."""
    moves = [read_move(view.rules, text) for text in view.legal]
    words = chosen.split()
    kept = CARD_OF.get(words[1]) if words[:1] == ["keep"] and len(words) == 2 else None
    orders = [move for move in moves if first_of(move) == kept]
    if kept is not None and orders:
        names = tuple(_order(view.rules, move) for move in orders)
        return Choices("order", chosen, card=int(kept), menu=names)
    return Choices("keep", hand=tuple(_kept(view.rules, moves, card) for card in view.hand))


def _kept(rules: Edition, moves: list[int], card: int) -> Option:
    """What a click on a card does that may be kept."""
    ways = [move for move in moves if first_of(move) == card]
    if len(ways) == 1:
        return Option(write_move(rules, ways[0]), final=True)
    return Option(f"keep {CARD_NAMES[card]}")


def _order(rules: Edition, move: int) -> MenuChoice:
    under = tuple(card for card in (second_of(move), third_of(move)) if card != BLANK)
    return MenuChoice(Option(write_move(rules, move), True), cards=under)


def _looking(view: View) -> Choices:
    """A Cardinal's second step: one of the traded hands, or none."""
    names = []
    for text in view.legal:
        seat = first_of(read_move(view.rules, text))
        names.append(MenuChoice(Option(text, True), seat=None if seat == BLANK else seat, word="look"))
    return Choices("look", card=int(Card.CARDINAL), menu=tuple(names))


def _answering(view: View, chosen: str) -> Choices:
    """The answer to a Bishop."""
    if chosen in view.legal and fatal(view, chosen):
        return Choices("confirm", chosen, card=int(Card.PRINCESS), confirm=Option(chosen, True), fatal=True)
    answers = tuple(MenuChoice(Option(text, not fatal(view, text)), word=text) for text in ("redraw", "stay"))
    return Choices("answer", menu=answers)


def fatal(view: View, text: str) -> bool:
    """Whether a move is known to put its player out: the page asks for confirmation."""
    move = read_move(view.rules, text)
    card, target = verb_of(move), first_of(move)
    if card == Verb.REDRAW:
        return Card.PRINCESS in view.hand
    if card == Verb.KEEP or target == BLANK or view.seat is None:
        return card == Card.PRINCESS
    hand: list[int] = list(view.hand)
    hand.remove(card)
    mine, value = hand[0] if hand else NO_CARD, view.rules.value
    theirs = view.known[target][0] if view.known[target] else NO_CARD
    if card == Card.PRINCE:
        return target == view.seat and mine == Card.PRINCESS
    if card == Card.GUARD:
        return theirs == Card.ASSASSIN
    if NO_CARD in (theirs, mine):
        return False
    if card == Card.BARON:
        return value[mine] < value[theirs]
    return card == Card.DOWAGER_QUEEN and value[mine] > value[theirs]
