"""A table for several as a page shows it: seats, piles, hands, choices, what has just happened."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from ..notation import CARD_NAMES, CARD_OF
from ..rules import Event, Phase
from ..rules.names import is_card, verb_of
from ..view.match import View
from ..view.memory import Entry
from ..words.copies import round_copies
from ..words.story import LogLine, Narrator
from ..words.verdict import Verdict, verdict
from .cards import CardBack, CardFace, CardRenderer
from .chances import HiddenCard, NameOdds, Odds, ReferenceRow, chances, reference_rows, unlocated_copies
from .choices import Choices, MenuChoice, Option, WhyNot, choices_for, parse_play
from .happenings import Happening, happenings, since_decision, steps_of, to_nod
from .preferences import Preferences


@dataclass(frozen=True)
class Occupant:
    """Who sits in a seat, as far as everybody at the table may know."""

    name: str
    bot: str | None = None  # the bot that plays here
    person: bool = True  # whether the seat is a person's, even while a bot stands in
    away: bool = False
    mine: bool = False
    level: int | None = None  # of the bot


@dataclass(frozen=True)
class Seat:
    """A seat as the page shows it."""

    number: int
    occupant: Occupant
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
    hand: tuple[CardFace | None, ...]  # None: a card that is not known
    pile: tuple[CardFace, ...]
    option: Option
    why_not: str


@dataclass(frozen=True)
class HandCard:
    """A card in the hand of the viewer."""

    key: str
    face: CardFace
    option: Option
    why_not: str
    chosen: bool = False  # it is the one that is being played


@dataclass(frozen=True)
class MenuItem:
    """A line of a menu: a name to guess, a card to keep, a hand to look at, an answer."""

    option: Option
    label: str
    faces: tuple[CardFace, ...]
    unseen: int | None = None
    number: bool = False  # whether the label is a number to name
    odds: Odds | None = None  # where a name is guessed


@dataclass(frozen=True)
class Board:
    """All that a page shows of a match."""

    edition: str
    round: int
    phase: str
    goal: int
    deck: int
    aside: int
    back: CardBack
    face_up: tuple[CardFace, ...]
    seats: tuple[Seat, ...]
    mine: Seat | None
    hand: tuple[HandCard, ...]
    choices: Choices
    card: CardFace | None  # the one that is being played
    items: tuple[MenuItem, ...]
    move: str  # the one that is asked about, in a few words
    turn: int | None
    active: int | None
    between: bool  # between two rounds
    over: bool
    tied: tuple[str, ...]
    verdict: Verdict | None
    news: tuple[LogLine, ...]  # the last step, or an earlier one that the reader has gone back to
    letter: CardFace | None  # the card that was played in it
    thread: Happening | None  # the step that is shown, where it was aimed at somebody
    ago: int  # how many steps the reader has gone back
    steps: int  # how many there are to go back to
    since: tuple[Happening, ...]  # all that has happened since the reader's last decision
    nod: str  # the key of what the reader may want to read before the others go on
    log: tuple[tuple[int, tuple[LogLine, ...]], ...]
    reference: tuple[ReferenceRow, ...]
    chances: tuple[HiddenCard, ...]

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats, clockwise from the left."""
        if self.mine is None:
            return self.seats
        first = self.mine.number + 1
        return (*self.seats[first:], *self.seats[: first - 1])


def board(
    view: View, occupants: Sequence[Occupant], preferences: Preferences, chosen: str, why_not: WhyNot, ago: int = 0
) -> Board:
    """The board that shows a view; in its middle lies the last move, or one that was made so many steps before."""
    choices = choices_for(view, chosen, why_not, confirm=preferences.confirm == "on")
    return _BoardBuilder(view, occupants, preferences, choices).board(ago)


class _BoardBuilder:
    """Builds the board of a view."""

    def __init__(self, view: View, occupants: Sequence[Occupant], preferences: Preferences, choices: Choices) -> None:
        self.view = view
        self.occupants = occupants
        self.preferences = preferences
        self.words = preferences.words_for(view.edition)
        self.say = self.words.say
        self.choices = choices
        self.renderer = CardRenderer(view.rules, self.words)
        self.narrator = Narrator(view.rules, view.players, view.seat, self.words)
        told = view.log[view.round] if view.round >= 0 else ()
        self.pile_copies, self.face_up_copies = round_copies(told, view.rules)
        self.unseen_copies = unlocated_copies(view)

    def board(self, ago: int) -> Board:
        """The board, with an earlier step in the middle if the reader has gone back."""
        view, told = self.view, happenings(self.view, self.renderer, self.narrator)
        steps = [step for _, steps in told for step in steps]
        since = since_decision(told[-1][1] if told else (), view.seat)
        ago = min(max(ago, 0), max(len(steps) - 1, 0))
        shown = steps[-1 - ago] if steps else None
        seats = tuple(self._seat(number) for number in range(len(view.players)))
        resting = view.phase in (Phase.DEAL, Phase.OVER) and view.round >= 0
        choices = self.choices
        return Board(
            edition=view.edition,
            round=view.round + 1,
            phase=view.phase.name.lower(),
            goal=view.rules.goal,
            deck=view.deck,
            aside=view.aside,
            back=self.renderer.back(),
            face_up=self.renderer.faces(view.face_up, self.face_up_copies),
            seats=seats,
            mine=None if view.seat is None else seats[view.seat],
            hand=self._hand(),
            choices=choices,
            card=None if choices.card is None else self.renderer.face(choices.card),
            items=tuple(item for line in sorted(choices.menu, key=self._order) for item in self._items(line)),
            move=self._move_in_words(choices.confirm.words),
            turn=view.turn,
            active=view.active,
            between=resting and view.phase == Phase.DEAL,
            over=view.phase == Phase.OVER,
            tied=tuple(view.players[seat] for seat in view.tied),
            verdict=verdict(view, self.words) if resting else None,
            news=shown.lines if shown else (),
            letter=shown.letter if shown else None,
            thread=shown if shown and shown.targets and not resting else None,
            ago=ago,
            steps=len(steps) - 1,
            since=since,
            nod=to_nod(since) if choices.step == "wait" and not resting and view.seat is not None else "",
            log=tuple((number, tuple(line for step in steps for line in step.lines)) for number, steps in told),
            reference=reference_rows(view, self.renderer),
            chances=self._chances(),
        )

    def _chances(self) -> tuple[HiddenCard, ...]:
        if self.preferences.know != "on":
            return ()
        return chances(self.view, self.renderer, self.preferences)

    def _seat(self, number: int) -> Seat:
        view, option = self.view, self.choices.seats.get(number, Option())
        known = self.renderer.faces(view.known[number]) if number != view.seat else ()
        unknown = (None,) * max(0, view.held[number] - len(known))
        return Seat(
            number=number,
            occupant=self.occupants[number],
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
            picked=number in self.choices.seats_chosen,
            hand=(*known, *unknown),
            pile=self.renderer.faces(view.piles[number], self.pile_copies[number]),
            option=option,
            why_not=self.narrator.reason(option.why_not),
        )

    def _hand(self) -> tuple[HandCard, ...]:
        keys: list[str] = []
        held: list[HandCard] = []
        options = self.choices.hand or (Option(),) * len(self.view.hand)
        for card, option in zip(self.view.hand, options, strict=True):
            name = CARD_NAMES[card]
            key = f"hand-{name}" + (f"-{keys.count(name) + 1}" if name in keys else "")
            keys.append(name)
            chosen = card == self.choices.card and self.view.hand.index(card) == len(held)
            held.append(HandCard(key, self.renderer.face(card), option, self.narrator.reason(option.why_not), chosen))
        return tuple(held)

    def _items(self, line: MenuChoice) -> list[MenuItem]:
        """A choice of the menu that is open, once for every name under which it is known."""
        faces = self.renderer.faces(line.cards)
        match self.choices.step:
            case "name":
                unseen = sum(self.unseen_copies[card] for card in line.cards)
                odds = self.odds.of(line.cards)
                if line.card is None:
                    return [MenuItem(line.option, str(line.number), faces, unseen, number=True, odds=odds)]
                named = self.renderer.named_faces(line.card)
                return [MenuItem(line.option, name, (face,), unseen, odds=odds) for name, face in named]
            case "look":
                return [MenuItem(line.option, self._hand_of(line.seat), ())]
            case "answer":
                return [MenuItem(line.option, self._answer(line.word), ())]
        return [MenuItem(line.option, "", faces)]

    @cached_property
    def odds(self) -> NameOdds:
        """What the chosen player may hold, where a name has to be guessed."""
        return NameOdds(self.view, self.choices.seats_chosen[0], self.preferences)

    def _move_in_words(self, text: str) -> str:
        """A move that is asked about: the card, at whom, and what it names or keeps."""
        verb, *rest = text.split() or [""]
        match verb:
            case "":
                return ""
            case "redraw" | "stay":
                return self._answer(verb)
            case "look":
                return self._hand_of(None if rest == ["none"] else int(rest[0]))
            case "keep":
                return " · ".join(self._title(word) for word in rest)
        play = parse_play(self.view.rules, text)
        seats = [self._name(seat) for seat in sorted(play.seats)]
        return " · ".join((self._title(verb), *seats, *(() if play.name is None else (self._title(rest[-1]),))))

    def _title(self, word: str) -> str:
        """A card by its title, or a number."""
        return self.renderer.face(CARD_OF[word]).name if word in CARD_OF else word

    def _name(self, seat: int) -> str:
        return self.say("Yourself") if seat == self.view.seat else self.view.players[seat]

    def _answer(self, word: str) -> str:
        """An answer to a Bishop."""
        return self.say("Discard and draw") if word == "redraw" else self.say("Keep the card")

    def _order(self, line: MenuChoice) -> int:
        """Names are sorted by their numbers; other menus keep their order."""
        return self.view.rules.value[line.card] if self.choices.step == "name" and line.card is not None else 0

    def _hand_of(self, seat: int | None) -> str:
        if seat is None:
            return self.say("Look at neither")
        if seat == self.view.seat:
            return self.say("Your own new hand")
        return self.say("The hand of {name}").format(name=self.view.players[seat])


def animations(view: View, steps: int) -> list[tuple[str, str]]:
    """How cards have moved in the last steps of the round: from which element of the page to which other."""
    if not steps or view.round < 0:
        return []
    entries = [entry for step in steps_of(view.log[view.round])[-steps:] for entry in step]
    counts = [len(pile) for pile in view.piles]
    found: list[tuple[str, str]] = []
    for entry in reversed(entries):
        found.extend(_animation(view, entry, counts))
    return found[::-1]


def _animation(view: View, entry: Entry, counts: list[int]) -> Iterable[tuple[str, str]]:
    """The animation of an entry; entries come last first, and `counts` are the pile sizes right after this one."""
    event, actor, target, card = entry
    home = f"seat-{actor}-hand"
    match event:
        case Event.MOVED:
            if card is not None and is_card(verb_of(card)):
                counts[actor] -= 1
                yield (_hand_element(view, actor, verb_of(card)), f"pile-{actor}-{counts[actor]}")
        case Event.DISCARDED:
            counts[actor] -= 1
            yield (_hand_element(view, actor, card), f"pile-{actor}-{counts[actor]}")
        case Event.DREW | Event.DEALT:
            yield ("deck", _hand_element(view, actor, card))
        case Event.TOOK_ASIDE:
            yield ("aside", _hand_element(view, actor, card))
        case Event.RETURNED:
            yield (_hand_element(view, actor, card), "deck")
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


def _hand_element(view: View, seat: int, card: int | None) -> str:
    """The element that shows a card in a seat's hand."""
    if seat == view.seat and card is not None and card >= 0:
        return f"hand-{CARD_NAMES[card]}"
    return f"seat-{seat}-hand"
