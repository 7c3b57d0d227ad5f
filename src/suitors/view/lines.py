"""A position as one line of text: the whole table, or what a seat knows of it; a hidden card is a question mark."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..notation import CARD_NAMES
from ..rules import SWITCHES, Award, Event, Option, Phase

if TYPE_CHECKING:
    from .match import View
    from .memory import Entry

FORMAT = "suitors-position/1"
NOTHING, HIDDEN, OUT, ABSENT = "-", "?", "out", "away"
"""What stands for nothing at all, a hidden card, a player who is out of the round, and one who takes no part in it."""

Cards = Sequence[int | None]


@dataclass(frozen=True)
class PositionLine:
    """What a line says; a card is None where it is hidden."""

    edition: str
    options: Mapping[str, Option]
    seat: int | None  # whose knowledge it is; None for a spectator's and for the whole table
    whole: bool
    tokens: Sequence[int]
    phase: Phase
    active: int | None
    turn: int | None
    playing: Sequence[int]
    standing: Sequence[int]
    hands: Sequence[Cards]
    piles: Sequence[Cards]
    deck: Cards
    aside: Cards
    face_up: Cards
    protected: Sequence[int]
    mark: int | None
    traded: Sequence[int]  # the two seats that a Cardinal has just made trade
    bettor: int | None
    favourite: int | None
    tied: Sequence[int]
    winners: Sequence[int]  # of the match, or of the round before where another is to be dealt

    def text(self) -> str:
        """The line: words with single spaces between, each a key and what belongs to it."""
        fields = {
            "edition": write_edition(self.edition),
            "options": write_options(self.options),
            "sees": write_eyes(self.seat, self.whole),
            "phase": self.phase.name.lower(),
            "active": _number(self.active),
            "turn": _number(self.turn),
            "tokens": "/".join(map(str, self.tokens)),
            "hands": "/".join(self._hand(seat) for seat in range(len(self.tokens))),
            "piles": "/".join(write_cards(pile) for pile in self.piles),
            "deck": write_cards(self.deck),
            "aside": write_cards(self.aside),
            "up": write_cards(self.face_up),
            "protected": _numbers(self.protected),
            "mark": _number(self.mark),
            "traded": _numbers(self.traded),
            "bet": NOTHING if self.bettor is None else f"{self.bettor}:{self.favourite}",
            "tied": _numbers(self.tied),
            "won": _numbers(self.winners),
        }
        return join_line(fields)

    def _hand(self, seat: int) -> str:
        if seat in self.standing:
            return write_cards(self.hands[seat])
        return OUT if seat in self.playing else ABSENT


def view_line(view: "View") -> str:
    """What the seat of a view knows of the position, in one line; of a round only while it is being played."""
    dealt, everybody = view.phase not in (Phase.DEAL, Phase.OVER), range(len(view.tokens))
    hands = [[*view.known[seat], *[None] * (held - len(view.known[seat]))] for seat, held in enumerate(view.held)]
    return PositionLine(
        edition=view.edition,
        options=view.options,
        seat=view.seat,
        whole=False,
        tokens=view.tokens,
        phase=view.phase,
        active=view.active,
        turn=view.turn,
        playing=view.playing if dealt else everybody,
        standing=view.standing if dealt else everybody,
        hands=hands if dealt else [()] * len(everybody),
        piles=view.piles if dealt else [()] * len(everybody),
        deck=[view.under.get(place) for place in range(view.deck)] if dealt else (),
        aside=[None] * view.aside if dealt else (),
        face_up=view.face_up if dealt else (),
        protected=view.protected,
        mark=view.mark,
        traded=_traded(view),
        bettor=view.bettor,
        favourite=view.favourite,
        tied=view.tied,
        winners=view.winners or _round_winners(view),
    ).text()


def _round_winners(view: "View") -> list[int]:
    """The seats that won the round before, where another is to be dealt; everybody has seen their tokens."""
    if view.phase != Phase.DEAL or view.round < 0:
        return []
    return sorted(
        entry.actor for entry in _last_round(view) if entry.event == Event.TOKEN and entry.target == Award.ROUND
    )


def _last_round(view: "View") -> "Sequence[Entry]":
    if not view.log:
        raise ValueError("A view without its log has no position here; take it from match.view(seat).")
    return view.log[-1]


def _traded(view: "View") -> tuple[int, ...]:
    """The seats that have just traded, which everybody has seen."""
    if view.phase != Phase.LOOK:
        return ()
    entry = next(entry for entry in reversed(_last_round(view)) if entry.event == Event.TRADED)
    return entry.actor, entry.target


def join_line(fields: Mapping[str, str]) -> str:
    """A line of its parts."""
    return " ".join([FORMAT, *(f"{key}={text}" for key, text in fields.items())])


def write_edition(slug: str) -> str:
    """An edition as one word; the spaces in the object of one's own are written as JSON escapes."""
    return slug.replace(" ", "\\u0020")


def write_options(options: Mapping[str, Option]) -> str:
    """The switches that are not at their defaults."""
    words = (f"{key}:{json.dumps(value)}" for key, value in options.items() if value != SWITCHES[key][0])
    return ",".join(words) or NOTHING


def write_eyes(seat: int | None, whole: bool) -> str:
    """Whose knowledge a line is."""
    return "all" if whole else "none" if seat is None else str(seat)


def write_cards(cards: Cards) -> str:
    """Cards with commas between."""
    return ",".join(HIDDEN if card is None else CARD_NAMES[card] for card in cards) or NOTHING


def _number(number: int | None) -> str:
    return NOTHING if number is None else str(number)


def _numbers(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers)) or NOTHING
