"""A table for several as a page shows it: seats, piles, hands, choices, what has just happened."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from ..notation import CARD_NAMES
from ..rules import Event, Phase
from ..rules.names import is_card, verb_of
from ..view.match import View
from ..view.memory import Entry
from ..words import Theme
from ..words.story import Line, Teller
from ..words.verdict import Verdict, verdict
from .cards import CardRenderer, Face
from .choosing import Choosing, Named, Option, WhyNot, choosing
from .knowing import Hidden, Remaining, chances, left, reference
from .preferences import Preferences

TOLD = 2
"""How many rounds the log goes back."""


@dataclass(frozen=True)
class Sitter:
    """Who sits in a seat, as far as the table tells."""

    name: str
    bot: str | None = None  # the bot that sits here, or stands in
    person: bool = True
    away: bool = False
    mine: bool = False


@dataclass(frozen=True)
class Seat:
    """A seat as the page shows it."""

    number: int
    sitter: Sitter
    me: bool
    tokens: int
    playing: bool
    standing: bool
    protected: bool
    active: bool
    deciding: bool
    marked: bool
    favourite: bool
    winner: bool  # of the match
    picked: bool  # chosen already for the card that is being played
    hand: tuple[Face | None, ...]  # None: a card that is not known
    pile: tuple[Face, ...]
    option: Option
    why_not: str


@dataclass(frozen=True)
class Held:
    """A card of the own hand."""

    key: str
    face: Face
    option: Option
    why_not: str


@dataclass(frozen=True)
class Item:
    """A line of a menu: a name to speak, a card to keep, a hand to look at, an answer."""

    option: Option
    label: str
    faces: tuple[Face, ...]
    unseen: int | None = None


@dataclass(frozen=True)
class Board:
    """All that a page shows of a match."""

    edition: str
    round: int
    phase: str
    goal: int
    deck: int
    aside: int
    back: str  # the ornament on the backs of cards
    face_up: tuple[Face, ...]
    seats: tuple[Seat, ...]
    mine: Seat | None
    hand: tuple[Held, ...]
    choosing: Choosing
    card: Face | None  # that is being played
    items: tuple[Item, ...]
    turn: int | None
    active: int | None
    between: bool  # two rounds
    over: bool
    tied: tuple[str, ...]
    verdict: Verdict | None
    news: tuple[Line, ...]
    log: tuple[tuple[int, tuple[Line, ...]], ...]
    reference: tuple[Remaining, ...]
    chances: tuple[Hidden, ...]
    named: Callable[[str], str]  # a sentence with the cards in it named as the theme does

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats, clockwise from the left."""
        if self.mine is None:
            return self.seats
        first = self.mine.number + 1
        return (*self.seats[first:], *self.seats[: first - 1])


def board(view: View, sitters: Sequence[Sitter], preferences: Preferences, chosen: str, why_not: WhyNot) -> Board:
    """The board that a view makes for somebody."""
    return _Maker(view, sitters, preferences, choosing(view, chosen, why_not)).board()


class _Maker:
    """Puts a board together."""

    def __init__(self, view: View, sitters: Sequence[Sitter], preferences: Preferences, choice: Choosing) -> None:
        self.view = view
        self.sitters = sitters
        self.preferences = preferences
        self.say = preferences.say
        self.choice = choice
        self.theme: Theme = preferences.words(view.edition)
        self.renderer = CardRenderer(view.rules, view.edition, preferences.lang, self.theme)
        self.teller = Teller(view.rules, view.players, view.seat, preferences.lang, self.theme)
        self.left = left(view)

    def board(self) -> Board:
        """All parts of it."""
        view, steps = self.view, self._steps()
        seats = tuple(self._seat(number) for number in range(len(view.players)))
        resting = view.phase in (Phase.DEAL, Phase.OVER) and view.round >= 0
        choice = self.choice
        return Board(
            edition=view.edition,
            round=view.round + 1,
            phase=view.phase.name.lower(),
            goal=view.rules.goal,
            deck=view.deck,
            aside=view.aside,
            back="back-mule" if self.theme.emblems == "mule" else "back",
            face_up=self.renderer.faces(view.face_up),
            seats=seats,
            mine=None if view.seat is None else seats[view.seat],
            hand=self._hand(),
            choosing=choice,
            card=None if choice.card is None else self.renderer.face(choice.card),
            items=tuple(self._item(named) for named in sorted(choice.names, key=self._order)),
            turn=view.turn,
            active=view.active,
            between=resting and view.phase == Phase.DEAL,
            over=view.phase == Phase.OVER,
            tied=tuple(view.players[seat] for seat in view.tied),
            verdict=verdict(view, self.preferences.lang, self.theme) if resting else None,
            news=steps[-1][1][-1] if steps and steps[-1][1] else (),
            log=tuple((number, tuple(line for step in told for line in step)) for number, told in steps),
            reference=reference(view, self.renderer),
            chances=self._chances(),
            named=self.teller.named,
        )

    def _steps(self) -> list[tuple[int, list[tuple[Line, ...]]]]:
        """The last rounds, step by step, in sentences."""
        view = self.view
        rounds = list(enumerate(view.log))[-TOLD:]
        return [(number + 1, [tuple(self.teller.tell(step)) for step in steps_of(told)]) for number, told in rounds]

    def _chances(self) -> tuple[Hidden, ...]:
        if self.preferences.know != "on":
            return ()
        return chances(self.view, self.renderer, self.preferences)

    def _seat(self, number: int) -> Seat:
        view, option = self.view, self.choice.seats.get(number, Option())
        known = self.renderer.faces(view.known[number]) if number != view.seat else ()
        unknown = (None,) * max(0, view.held[number] - len(known))
        return Seat(
            number=number,
            sitter=self.sitters[number],
            me=number == view.seat,
            tokens=view.tokens[number],
            playing=number in view.playing,
            standing=number in view.standing,
            protected=number in view.protected,
            active=number == view.active,
            deciding=number == view.turn,
            marked=number == view.mark,
            favourite=number == view.favourite,
            winner=number in view.winners,
            picked=number in self.choice.seats_chosen,
            hand=(*known, *unknown),
            pile=self.renderer.faces(view.piles[number]),
            option=option,
            why_not=self.teller.reason(option.why_not),
        )

    def _hand(self) -> tuple[Held, ...]:
        keys: list[str] = []
        held = []
        options = self.choice.hand or (Option(),) * len(self.view.hand)
        for card, option in zip(self.view.hand, options, strict=True):
            name = CARD_NAMES[card]
            key = f"hand-{name}" + (f"-{keys.count(name) + 1}" if name in keys else "")
            keys.append(name)
            held.append(Held(key, self.renderer.face(card), option, self.teller.reason(option.why_not)))
        return tuple(held)

    def _item(self, named: Named) -> Item:
        """A line of the menu that is open."""
        faces = self.renderer.faces(named.cards)
        match self.choice.step:
            case "name":
                unseen = sum(self.left[card] for card in named.cards)
                label = faces[0].name if named.card is not None else str(named.number)
                return Item(named.option, label, faces, unseen)
            case "look":
                return Item(named.option, self._hand_of(named.seat), ())
            case "answer":
                redraw = named.word == "redraw"
                return Item(named.option, self.say("Discard and draw") if redraw else self.say("Keep the card"), ())
        return Item(named.option, "", faces)

    def _order(self, named: Named) -> int:
        """Names stand in the order of their numbers; what is no name stays where it is."""
        return self.view.rules.value[named.card] if self.choice.step == "name" and named.card is not None else 0

    def _hand_of(self, seat: int | None) -> str:
        if seat is None:
            return self.say("Look at neither")
        if seat == self.view.seat:
            return self.say("Your own new hand")
        return self.say("The hand of {name}").format(name=self.view.players[seat])


def steps_of(entries: Iterable[Entry]) -> list[list[Entry]]:
    """What a seat has seen of a round, step by step: the deal, then a decision each with all that it led to."""
    steps: list[list[Entry]] = []
    for entry in entries:
        if entry.event in (Event.ROUND, Event.MOVED) or not steps:
            steps.append([])
        steps[-1].append(entry)
    return steps


def flights(view: View, steps: int) -> list[tuple[str, str]]:
    """How cards have moved in the last steps of the round: from which part of the page to which other."""
    if not steps or view.round < 0:
        return []
    told = [entry for step in steps_of(view.log[view.round])[-steps:] for entry in step]
    counts = [len(pile) for pile in view.piles]
    found: list[tuple[str, str]] = []
    for entry in reversed(told):
        found.extend(_flight(view, entry, counts))
    return found[::-1]


def _flight(view: View, entry: Entry, counts: list[int]) -> Iterable[tuple[str, str]]:
    """The flight of a card, told backwards: `counts` are the cards in the piles before what came after it."""
    event, actor, target, card = entry
    home = f"seat-{actor}-hand"
    match event:
        case Event.MOVED:
            if card is not None and is_card(verb_of(card)):
                counts[actor] -= 1
                yield (_held(view, actor, verb_of(card)), f"pile-{actor}-{counts[actor]}")
        case Event.DISCARDED:
            counts[actor] -= 1
            yield (_held(view, actor, card), f"pile-{actor}-{counts[actor]}")
        case Event.DREW | Event.DEALT:
            yield ("deck", _held(view, actor, card))
        case Event.TOOK_ASIDE:
            yield ("aside", _held(view, actor, card))
        case Event.RETURNED:
            yield (_held(view, actor, card), "deck")
        case Event.TRADED:
            yield (home, f"seat-{target}-hand")
        case Event.ROUND | Event.FACE_UP | Event.FOUND_NONE | Event.FIZZLED | Event.SHOWED | Event.RECEIVED:
            pass
        case Event.MISSED | Event.HIT | Event.EQUAL | Event.OUT | Event.REVEALED:
            pass
        case Event.SHIELDED | Event.UNSHIELDED | Event.MARKED | Event.BET:
            pass
        case Event.TOKEN | Event.ENDED | Event.TIE | Event.WON:
            pass
        case _:
            assert_never(event)


def _held(view: View, seat: int, card: int | None) -> str:
    """Where a card that a seat holds is on the page."""
    if seat == view.seat and card is not None and card >= 0:
        return f"hand-{CARD_NAMES[card]}"
    return f"seat-{seat}-hand"
