"""A position of the solo game as one line; a card in brackets lies face down, a question mark is not known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..notation import CARD_NAMES
from ..rules import Option, Phase
from .lines import HIDDEN, NOTHING, Cards, join_line, write_cards, write_edition, write_eyes, write_options

if TYPE_CHECKING:
    from .solo import SoloView

YES, NO = "yes", "no"


class Facing(NamedTuple):
    """A card on the table, face up or face down; None where it is not known."""

    card: int | None
    up: bool

    def text(self) -> str:
        """Its name, in brackets if it lies face down."""
        if self.card is None:
            return HIDDEN
        return CARD_NAMES[self.card] if self.up else f"[{CARD_NAMES[self.card]}]"


@dataclass(frozen=True)
class SoloLine:
    """What a line says of a solo game."""

    edition: str
    options: Mapping[str, Option]
    seat: int | None  # whose knowledge it is; None for a spectator's and for the whole table
    whole: bool
    phase: Phase
    hand: Cards
    agent: Sequence[Facing]  # one card, or none
    calling: Cards  # the agent that has been revealed and is choosing, or none
    queue: Sequence[Facing]  # from left to right
    pile: Cards  # the next draw first
    discards: Cards
    guarded: bool  # an opposing Handmaid protects the queue
    attacker: Cards  # the opposing card that waits for an offer, or none
    won: bool | None

    def text(self) -> str:
        """The line: words with single spaces between, each a key and what belongs to it."""
        return join_line(
            {
                "edition": write_edition(self.edition),
                "options": write_options(self.options),
                "sees": write_eyes(self.seat, self.whole),
                "phase": self.phase.name.lower(),
                "hand": write_cards(self.hand),
                "agent": ",".join(card.text() for card in self.agent) or NOTHING,
                "calling": write_cards(self.calling),
                "queue": ",".join(card.text() for card in self.queue) or NOTHING,
                "pile": write_cards(self.pile),
                "discards": write_cards(self.discards),
                "guarded": YES if self.guarded else NO,
                "attacker": write_cards(self.attacker),
                "won": NOTHING if self.won is None else YES if self.won else NO,
            }
        )


def solo_view_line(view: "SoloView") -> str:
    """What is known of a solo game, in one line."""
    return SoloLine(
        edition=view.edition,
        options=view.options,
        seat=view.seat,
        whole=False,
        phase=view.phase,
        hand=view.hand,
        agent=[Facing(card, True) for card in view.agent],
        calling=[] if view.calling is None else [view.calling],
        queue=[Facing(card, True) for card in view.queue],
        pile=[None] * view.pile,
        discards=view.discards,
        guarded=view.guarded,
        attacker=[] if view.attacker is None else [view.attacker],
        won=view.won,
    ).text()
