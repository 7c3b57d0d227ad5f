"""Cards and moves as text, as contracts.md fixes them."""

from functools import lru_cache

from .rules import BLANK, Card, Edition, Verb, pack
from .rules.names import first_of, second_of, third_of, verb_of

CARD_NAMES = tuple(card.name.lower().replace("_", "-") for card in Card)
"""The name of each card, by its number."""

CARD_OF: dict[str, Card] = {name: card for card, name in zip(Card, CARD_NAMES, strict=True)}
DIGITS: dict[str, int] = {str(digit): digit for digit in range(10)}

WORDS = ("keep", "look", "none", "redraw", "stay", "agent", "draw", "offer", "hand")
PLACES = tuple(f"q{place}" for place in range(1, 8))

VOCABULARY = frozenset((*CARD_NAMES, *DIGITS, *PLACES, *WORDS))
"""Every word that may stand in a move of any edition."""

NAMING = frozenset({Card.GUARD, Card.BISHOP})
"""The cards that name something."""

NO_MOVE = pack(BLANK)
"""Stands for words that are readable but form no move of any kind."""


UNREADABLE = -1
"""Stands for a text that holds other words than those of the vocabulary, or other spaces than single ones."""


LONGEST = 64
"""Letters in the longest text that can be a move, and more; what is longer is read, but never remembered."""


def read_move(text: str, by_number: bool) -> int:
    """The packed move that the text means, NO_MOVE or UNREADABLE; a Guard names a number or a card."""
    return _read_move(text, by_number) if len(text) <= LONGEST else _read_move.__wrapped__(text, by_number)


@lru_cache(maxsize=1 << 14)
def _read_move(text: str, by_number: bool) -> int:
    if not all(word in VOCABULARY for word in text.split(" ")):
        return UNREADABLE
    verb, *rest = text.split(" ")
    if verb in CARD_OF:
        return _read_play(CARD_OF[verb], rest, by_number)
    if verb == "keep" and 2 <= len(rest) <= 3 and all(word in CARD_OF for word in rest):
        return pack(Verb.KEEP, *(CARD_OF[word] for word in rest))
    if verb == "look" and len(rest) == 1:
        if rest == ["none"]:
            return pack(Verb.LOOK)
        return pack(Verb.LOOK, DIGITS[rest[0]]) if rest[0] in DIGITS else NO_MOVE
    if verb in ("redraw", "stay") and not rest:
        return pack(Verb[verb.upper()])
    return NO_MOVE


def _read_play(card: Card, rest: list[str], by_number: bool) -> int:
    """The move of playing a card on what the remaining words say: seats, and a name behind the seat if it names."""
    name = BLANK
    if card in NAMING and len(rest) == 2:
        word = rest.pop()
        names = DIGITS if card == Card.BISHOP or by_number else CARD_OF
        if word not in names:
            return NO_MOVE
        name = names[word]
    if len(rest) > (1 if card in NAMING else 2) or not all(word in DIGITS for word in rest):
        return NO_MOVE
    low, high = ([DIGITS[word] for word in rest] + [BLANK, BLANK])[:2]
    return pack(card, low, high, name)


def write_move(ed: Edition, move: int) -> str:
    """A packed move as text."""
    return _write_move(move, bool(ed.by_number))


@lru_cache(maxsize=1 << 14)
def _write_move(move: int, by_number: bool) -> str:
    verb, places = verb_of(move), (first_of(move), second_of(move), third_of(move))
    if verb == Verb.KEEP:
        return " ".join(["keep", *(CARD_NAMES[card] for card in places if card != BLANK)])
    if verb == Verb.LOOK:
        return "look none" if places[0] == BLANK else f"look {places[0]}"
    if verb in (Verb.REDRAW, Verb.STAY):
        return Verb(verb).name.lower()
    words = [CARD_NAMES[verb], *(str(seat) for seat in places[:2] if seat != BLANK)]
    if places[2] != BLANK:
        spoken_as_number = by_number or verb == Card.BISHOP
        words.append(str(places[2]) if spoken_as_number else CARD_NAMES[places[2]])
    return " ".join(words)
