"""The vocabulary of the game: every number that the rules pass around has its name here."""

from enum import IntEnum, auto
from typing import NamedTuple

RULES_VERSION = 1
"""Which state of the rulings this is: it goes up when a mended ruling changes what is legal or what follows from it.

Records and stored matches name the version that they were played by.
"""


class Card(IntEnum):
    """The characters of all editions. A card's identity is never its value.

    The numbers stand in no file, so a new card may have any place in the list. The order of the others must stay: it
    is the order of an unshuffled deck.

    Examples:
        >>> Card.KING.name, Card["DOWAGER_QUEEN"].name
        ('KING', 'DOWAGER_QUEEN')
    """

    JESTER = 0
    ASSASSIN = auto()
    SPY = auto()
    GUARD = auto()
    PRIEST = auto()
    CARDINAL = auto()
    BARON = auto()
    BARONESS = auto()
    HANDMAID = auto()
    SYCOPHANT = auto()
    PRINCE = auto()
    COUNT = auto()
    CHANCELLOR = auto()
    KING = auto()
    CONSTABLE = auto()
    COUNTESS = auto()
    DOWAGER_QUEEN = auto()
    PRINCESS = auto()
    BISHOP = auto()


CARDS = len(Card)

CARD_NAMES = tuple(card.name.lower().replace("_", "-") for card in Card)
"""The name of each card in records, by its number."""

CARD_OF: dict[str, Card] = {name: card for card, name in zip(Card, CARD_NAMES, strict=True)}


class Verb(IntEnum):
    """What a move does where it does not play a card. The numbers go on after the cards'."""

    KEEP = CARDS
    LOOK = auto()
    REDRAW = auto()
    STAY = auto()
    AGENT = auto()
    DRAW = auto()
    OFFER = auto()


class Phase(IntEnum):
    """What the table waits for."""

    DEAL = 0  # a round has to start
    PLAY = 1  # the active player chooses a card to play
    KEEP = 2  # the active player chooses what to keep (Chancellor)
    LOOK = 3  # the active player may look at a traded hand (Cardinal)
    ANSWER = 4  # the hit player may redraw (Bishop)
    OVER = 5  # the match has ended
    START = 6  # solo: play the secret agent or draw
    AGENT = 7  # solo: the revealed agent chooses
    OFFER = 8  # solo: the hand or the agent meets the opponent's card


class Aim(IntEnum):
    """Whom a card chooses."""

    NOBODY = 0
    OTHER = 1  # exactly one other player
    ANYONE = 2  # exactly one player, oneself allowed
    OTHERS = 3  # one or two other players
    PAIR = 4  # exactly two players, oneself allowed


class Naming(IntEnum):
    """What a card names."""

    NOTHING = 0
    CARD = 1  # a card as the edition calls it: its character, or its number
    NUMBER = 2


class End(IntEnum):
    """How the last round ended."""

    NONE = 0
    LAST_STANDING = 1
    SHOWDOWN = 2
    MATCH_WON = 3  # a token won in mid-round ended the match
    WON = 4  # a solo game was won
    LOST = 5  # a solo game was lost


class Event(IntEnum):
    """What a row tells. That it happened is public; its card is for its audience alone.

    The columns of a row are: event, actor, target, card, audience. EVENTS says what they hold for each event.
    """

    ROUND = 0  # actor starts; target: the set of seats taking part
    FACE_UP = auto()  # card lies open beside the deck
    DEALT = auto()  # actor was dealt card
    DREW = auto()  # actor drew card from the deck
    TOOK_ASIDE = auto()  # actor drew card, the one set aside, because the deck is empty
    FOUND_NONE = auto()  # actor had to draw and there was no card
    MOVED = auto()  # actor decided; card is the packed move
    FIZZLED = auto()  # actor's card found nobody to choose
    SHOWED = auto()  # actor's hand, card, was seen by target
    MISSED = auto()  # what actor named is not what target holds
    HIT = auto()  # what actor named is what target holds
    EQUAL = auto()  # actor and target compared equal cards
    TRADED = auto()  # actor's and target's hands changed places
    RECEIVED = auto()  # actor now holds card, which was target's
    DISCARDED = auto()  # actor's card went face up on the own pile, with no effect
    OUT = auto()  # actor was knocked out
    SHIELDED = auto()  # actor is protected
    UNSHIELDED = auto()  # actor's protection ended with the start of the own turn
    MARKED = auto()  # actor's Sycophant marked target for the next card
    BET = auto()  # actor's Jester bet on target
    RETURNED = auto()  # actor put card under the deck
    REVEALED = auto()  # actor showed card at the showdown
    TOKEN = auto()  # actor won a token; target is the Award
    ENDED = auto()  # the round ended; target is the End
    TIE = auto()  # actor must play a tie-break round
    WON = auto()  # actor won the match


class Target(IntEnum):
    """What the target of an event is."""

    NOBODY = 0  # the actor again
    SEAT = 1
    SEATS = 2  # a set of seats
    AWARD = 3
    END = 4


class Content(IntEnum):
    """What the card of an event is."""

    NOTHING = 0
    CARD = 1
    MOVE = 2  # a packed move


class Audience(IntEnum):
    """Who learns the card of an event."""

    EVERYBODY = 0  # of a Chancellor's `keep`, which is a move, the actor alone
    ACTOR = 1
    TARGET = 2


class EventInfo(NamedTuple):
    """What a row of an event holds."""

    target: Target = Target.NOBODY
    content: Content = Content.NOTHING
    audience: Audience = Audience.EVERYBODY
    solo_place: bool = False  # in the solo game, the target is a place that views name


EVENTS: dict[Event, EventInfo] = {
    Event.ROUND: EventInfo(Target.SEATS),
    Event.FACE_UP: EventInfo(content=Content.CARD),
    Event.DEALT: EventInfo(content=Content.CARD, audience=Audience.ACTOR),
    Event.DREW: EventInfo(content=Content.CARD, audience=Audience.ACTOR, solo_place=True),
    Event.TOOK_ASIDE: EventInfo(content=Content.CARD, audience=Audience.ACTOR),
    Event.FOUND_NONE: EventInfo(),
    Event.MOVED: EventInfo(content=Content.MOVE),
    Event.FIZZLED: EventInfo(),
    Event.SHOWED: EventInfo(Target.SEAT, Content.CARD, Audience.TARGET),
    Event.MISSED: EventInfo(Target.SEAT, solo_place=True),
    Event.HIT: EventInfo(Target.SEAT),
    Event.EQUAL: EventInfo(Target.SEAT, solo_place=True),
    Event.TRADED: EventInfo(Target.SEAT, solo_place=True),
    Event.RECEIVED: EventInfo(Target.SEAT, Content.CARD, Audience.ACTOR),
    Event.DISCARDED: EventInfo(content=Content.CARD, solo_place=True),
    Event.OUT: EventInfo(),
    Event.SHIELDED: EventInfo(),
    Event.UNSHIELDED: EventInfo(),
    Event.MARKED: EventInfo(Target.SEAT),
    Event.BET: EventInfo(Target.SEAT),
    Event.RETURNED: EventInfo(content=Content.CARD, audience=Audience.ACTOR),
    Event.REVEALED: EventInfo(content=Content.CARD, solo_place=True),
    Event.TOKEN: EventInfo(Target.AWARD),
    Event.ENDED: EventInfo(Target.END),
    Event.TIE: EventInfo(),
    Event.WON: EventInfo(),
}
"""What the rows of every event hold; views and logs are written and read by it."""


class Award(IntEnum):
    """What a token was won for."""

    BISHOP = 0
    CONSTABLE = 1
    ROUND = 2
    JESTER = 3
    SPY = 4


class Refusal(IntEnum):
    """Why a move is not legal; FINE if it is.

    Examples:
        >>> bool(Refusal.FINE), bool(Refusal.NOT_HELD)
        (False, True)
    """

    FINE = 0
    NO_DECISION = 1  # no decision is due
    WRONG_STEP = 2  # the table waits for another kind of decision
    NOT_HELD = 3  # the card is not in the hand
    COUNTESS_FIRST = 4  # the Countess must be played
    CHOOSES_NOBODY = 5  # the card chooses nobody, or nobody can be chosen, but a seat was given
    MUST_CHOOSE = 6  # the card must choose somebody
    NO_SUCH_SEAT = 7  # there is no such seat
    NOT_ONESELF = 8  # the card cannot choose its own player
    OUT_OF_ROUND = 9  # that player is not in the round
    PROTECTED = 10  # that player is protected
    MARK_IGNORED = 11  # the player marked by the Sycophant must be among those chosen
    ONE_SEAT = 12  # the card chooses one player, two were given
    TWO_SEATS = 13  # the card chooses two players, one was given
    SEAT_ORDER = 14  # two different seats, the lower first
    NAMES_NOTHING = 15  # the card names nothing, but something was named
    MUST_NAME = 16  # a character or number must be named
    NOT_NAMEABLE = 17  # that character or number may not be named
    WRONG_CARDS = 18  # what is kept and returned is not what is held
    DID_NOT_TRADE = 19  # that seat took no part in the trade
    NO_FORM = 20  # the words form no move at all (notation.py)
    NO_SUCH_PLACE = 21  # solo: the queue is not that long
    PRINCESS_SHIELDED = 22  # solo: the Princess has somebody before her
    OWN_CARD = 23  # solo: the own card must be named, hand or agent
    NO_AGENT = 24  # solo: there is no agent
    PILE_EMPTY = 25  # solo: there is no card to draw


REFUSALS = tuple(Refusal)
"""The refusals by their numbers."""

NO_CARD = -1
NOBODY = -1
BLANK = 31  # an unused place in a packed move; cards, verbs, seats and numbers are all below it
EVERYBODY = -1  # an audience: every seat and every spectator


def pack(verb: int, x: int = BLANK, y: int = BLANK, z: int = BLANK) -> int:
    """A move as one int: a verb and three places (a play: seat, second seat, name; `keep`: the cards)."""
    return verb | x << 5 | y << 10 | z << 15


def is_card(verb: int) -> bool:
    """Whether a move's verb is a card played, not a Verb."""
    return verb < CARDS


def verb_of(move: int) -> int:
    """The card played, or the Verb."""
    return move & 31


def first_of(move: int) -> int:
    """The first place: the chosen seat, or the card kept."""
    return move >> 5 & 31


def second_of(move: int) -> int:
    """The second place: the second chosen seat, or the first card returned."""
    return move >> 10 & 31


def third_of(move: int) -> int:
    """The third place: what is named, or the last card returned."""
    return move >> 15 & 31
