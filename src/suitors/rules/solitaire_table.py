"""The state of a solo game: a queue of cards before the Princess, a hand, a secret agent, a pile."""

from .editions import Edition
from .names import NO_CARD, Card, End, Phase
from .shapes import BySeat, InPiles, InQueue, Rows, fields
from .table import COLUMNS

PLACES = 7
"""The longest queue: six of the retinue and the Princess."""

HAND = 8
AGENT = 9
"""The player's own two places, as they stand in a packed move; the places of the queue are 0 to 6."""


class SoloTable:
    """Everything that is true in a solo game. What lies face down is known to nobody."""

    phase: int  # what the table waits for (Phase)
    decider: int  # always seat 0: the player makes every choice
    hand: int
    drawn: int  # the second card in hand, or the agent that has just been revealed, else NO_CARD
    agent: int  # the secret agent, NO_CARD once it is gone
    agent_up: int  # 1: it lies face up
    queue: InQueue  # from left to right; the leftmost acts next
    up: InQueue  # 1: the card in that place lies face up
    length: int  # how many cards the queue holds
    deck: InPiles  # the fifteen shuffled cards
    top: int  # where in `deck` the next draw is
    bottom: int  # where it ends
    piles: InPiles  # the shared discard pile, in order
    discards: int
    shielded: int  # 1: the player is protected during the opponent's next turn
    guarded: int  # 1: an opposing Handmaid protects the queue during the player's turn
    attacker: int  # the opposing card that waits for the player's offer, else NO_CARD
    tokens: BySeat  # one for a win
    winners: int
    champions: int  # as at other tables: the set of seat 0 after a win
    tied: int  # always empty
    ending: int
    rows: Rows
    told: int


SOLO_FIELDS = fields(SoloTable)


def solo_sizes(ed: Edition) -> dict[str, int]:
    """The length of every kind of array."""
    return {"seats": 1, "queue": PLACES, "cards": ed.cards + 1, "rows": COLUMNS * 24}


def new_solo(ed: Edition) -> SoloTable:
    """A table at which nothing has been dealt."""
    t, lengths = SoloTable(), solo_sizes(ed)
    for field in SOLO_FIELDS:
        setattr(t, field.name, 0 if field.shape is None else [0] * lengths[field.shape.size])
    clear_solo(t)
    return t


def clear_solo(t: SoloTable) -> None:
    """Set a table up for a new game."""
    t.phase = Phase.DEAL
    t.hand = t.drawn = t.agent = t.attacker = NO_CARD
    t.decider = t.agent_up = t.length = t.top = t.bottom = t.discards = 0
    t.shielded = t.guarded = t.winners = t.champions = t.tied = t.told = 0
    t.ending = End.NONE
    t.tokens[0] = 0


def targets(t: SoloTable) -> int:
    """How many places of the queue, from the left, the player may choose: not a Princess with anybody before her."""
    if t.guarded == 1:
        return 0
    if t.length > 1 and t.queue[t.length - 1] == Card.PRINCESS:
        return t.length - 1
    return t.length
