"""Cards and moves as text, as docs/contract.md fixes them."""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import lru_cache

from .rules import BLANK, NAMINGS, Card, Edition, Naming, Verb, names, pack
from .rules.names import first_of, is_card, second_of, third_of, verb_of
from .rules.solitaire_table import AGENT, HAND, PLACES

CARD_NAMES = names.CARD_NAMES
"""The name of each card, by its number."""

CARD_OF = names.CARD_OF
DIGITS: dict[str, int] = {str(digit): digit for digit in range(10)}

WORDS = ("keep", "look", "none", "redraw", "stay", "agent", "draw", "offer", "hand")
PLACE_OF = {f"q{place + 1}": place for place in range(PLACES)} | {"hand": HAND, "agent": AGENT}
PLACE_NAMES = {place: name for name, place in PLACE_OF.items()}
"""The places of the solo game: the queue from the left, the hand, the agent."""

VOCABULARY = frozenset((*CARD_NAMES, *DIGITS, *PLACE_OF, *WORDS))
"""Every word that may stand in a move of any edition."""

NO_MOVE = pack(BLANK)
"""Stands for words that are readable but form no move of any kind."""


UNREADABLE = -1
"""Stands for a text that holds other words than those of the vocabulary, or other spaces than single ones."""


LONGEST = 64
"""Letters in the longest text that can be a move, and more; what is longer is read, but never remembered."""


class Style(IntEnum):
    """How moves are written: cards are called by their characters or numbers, or there is a queue instead of seats."""

    CHARACTERS = 0
    NUMBERS = 1
    SOLO = 2


def style_of(ed: Edition) -> Style:
    """How moves are written in an edition."""
    if ed.players == 1:
        return Style.SOLO
    return Style.NUMBERS if ed.by_number else Style.CHARACTERS


def read_move(ed: Edition, text: str) -> int:
    """The packed move that the text means in an edition, NO_MOVE or UNREADABLE."""
    return (_read_move if len(text) <= LONGEST else _read_move.__wrapped__)(text, style_of(ed))


def write_move(ed: Edition, move: int) -> str:
    """A packed move as text."""
    return write_styled(move, style_of(ed))


def write_moves(ed: Edition, moves: Iterable[int]) -> list[str]:
    """Packed moves as texts, sorted."""
    return [*_write_moves(tuple(moves), style_of(ed))]


@lru_cache(maxsize=1 << 12)
def _write_moves(moves: tuple[int, ...], style: Style) -> tuple[str, ...]:
    return tuple(sorted(write_styled(move, style) for move in moves))


@lru_cache(maxsize=1 << 14)
def _read_move(text: str, style: Style) -> int:
    words = text.split(" ")
    if not all(word in VOCABULARY for word in words):
        return UNREADABLE
    if style == Style.SOLO:
        return _read_solo(words)
    verb, *rest = words
    if verb in CARD_OF:
        return _read_play(CARD_OF[verb], rest, style)
    if verb == "keep" and 2 <= len(rest) <= 3 and all(word in CARD_OF for word in rest):
        return pack(Verb.KEEP, *(CARD_OF[word] for word in rest))
    if verb == "look" and len(rest) == 1:
        if rest == ["none"]:
            return pack(Verb.LOOK)
        return pack(Verb.LOOK, DIGITS[rest[0]]) if rest[0] in DIGITS else NO_MOVE
    if verb in ("redraw", "stay") and not rest:
        return pack(Verb[verb.upper()])
    return NO_MOVE


def _read_play(card: Card, rest: list[str], style: Style) -> int:
    """The move of playing a card on what the remaining words say: seats, and a name behind the seat if it names."""
    name = BLANK
    if card in NAMINGS and len(rest) == 2:
        word = rest.pop()
        names: Mapping[str, int] = DIGITS if _names_numbers(card, style) else CARD_OF
        if word not in names:
            return NO_MOVE
        name = names[word]
    if len(rest) > (1 if card in NAMINGS else 2) or not all(word in DIGITS for word in rest):
        return NO_MOVE
    low, high = ([DIGITS[word] for word in rest] + [BLANK, BLANK])[:2]
    return pack(card, low, high, name)


def _names_numbers(card: Card, style: Style) -> bool:
    """Whether what the card names is written as a number."""
    return style == Style.NUMBERS or NAMINGS[card] == Naming.NUMBER


def _read_solo(words: list[str]) -> int:
    """A move of the solo game: a card, a place, and an own place or a name behind it."""
    verb, *rest = words
    if verb in ("agent", "draw") and not rest:
        return pack(Verb[verb.upper()])
    if verb == "offer" and len(rest) == 1 and rest[0] in ("hand", "agent"):
        return pack(Verb.OFFER, PLACE_OF[rest[0]])
    if verb not in CARD_OF or len(rest) > 2 or (rest and rest[0] not in PLACE_OF):
        return NO_MOVE
    place = PLACE_OF[rest[0]] if rest else BLANK
    if len(rest) < 2:
        return pack(CARD_OF[verb], place)
    if rest[1] in PLACE_OF:
        return pack(CARD_OF[verb], place, PLACE_OF[rest[1]])
    return pack(CARD_OF[verb], place, BLANK, CARD_OF[rest[1]]) if rest[1] in CARD_OF else NO_MOVE


@lru_cache(maxsize=1 << 14)
def write_styled(move: int, style: Style) -> str:
    """A packed move as text in a style."""
    verb, places = verb_of(move), (first_of(move), second_of(move), third_of(move))
    if verb == Verb.KEEP:
        return " ".join(["keep", *(CARD_NAMES[card] for card in places if card != BLANK)])
    if verb == Verb.LOOK:
        return "look none" if places[0] == BLANK else f"look {places[0]}"
    word = CARD_NAMES[verb] if is_card(verb) else Verb(verb).name.lower()
    where = place_name if style == Style.SOLO else str
    words = [word, *(where(place) for place in places[:2] if place != BLANK)]
    if places[2] != BLANK:
        words.append(str(places[2]) if _names_numbers(Card(verb), style) else CARD_NAMES[places[2]])
    return " ".join(words)


def place_name(place: int) -> str:
    """A place of the solo game: q1 to q7, hand or agent."""
    return PLACE_NAMES[place]
