"""By which a network's file says for which game it was made.

Cards, moves and names go into it as texts: a new card may give every other one another number, and the networks of
decks that do not have it must stay good.
"""

import hashlib

from ...action_table import all_names
from ...lab.inputs import Input, inputs
from ...lab.space import DECISION, SLOT, Space, space
from ...notation import CARD_NAMES, write_move
from ...rules.editions import NAMES, NAMINGS, Edition
from ...rules.names import Aim, Card, Naming, Verb, is_card
from ...rules.shapes import fields

Meaning = tuple[int | str, ...]
"""A question in words: its column, and its bounds or what they stand for."""


def game_digest(ed: Edition, score: bool) -> str:
    """A text that is the same for games whose observations and actions mean the same to a network.

    Which of two cards is the higher one is part of what holding them means; where numbers are named, so is the number.
    """
    s = space(ed, full=True)
    cards = s.card[: s.kinds]
    values = [ed.value[card] for card in cards]
    ranks = [sum(other < value for other in values) for value in values]
    numbered = any(_names_numbers(ed, Card(card)) for card in cards if ed.naming[card] != Naming.NOTHING)
    deck = list(zip((CARD_NAMES[card] for card in cards), values if numbered else ranks, strict=True))
    asked = [_meaning(ed, s, question) for question in inputs(ed, score)]
    return _digest(deck, asked, [write_move(ed, move) for move in s.move])


def rules_digest(ed: Edition) -> str:
    """A text that is the same for games of the same rules."""
    plain = {name: getattr(ed, name) for name, shape in fields(Edition) if shape is None}
    cards = {CARD_NAMES[card]: _of_card(ed, card) for card in Card if ed.copies[card]}
    return _digest(plain, cards)


def _meaning(ed: Edition, s: Space, question: Input) -> Meaning:
    """What a question asks for; those about past decisions hold the numbers of cards, counted from 1."""
    column, low, high = question
    part = DECISION[(column - s.history_at) % SLOT] if column >= s.history_at else ""
    if part in ("card", "discarded"):
        return column, CARD_NAMES[low - 1] if is_card(low - 1) else Verb(low - 1).name
    if part == "name":
        return column, *_called(ed, low - 1)
    return column, low, high


def _called(ed: Edition, name: int) -> list[str]:
    """What a number may stand for that somebody has named: a card, or a number, or both where cards name both."""
    naming = [card for card in NAMINGS if ed.copies[card] and name in all_names(ed, card)]
    return sorted({str(name) if _names_numbers(ed, card) else CARD_NAMES[name] for card in naming})


def _of_card(ed: Edition, card: Card) -> Meaning:
    """What an edition says of a card of its deck."""
    first = card * NAMES
    nameable = ed.names[first : first + ed.name_count[card]]
    names = [str(name) if _names_numbers(ed, card) else CARD_NAMES[name] for name in nameable]
    return ed.value[card], ed.copies[card], Aim(ed.aim[card]).name, Naming(ed.naming[card]).name, *names


def _names_numbers(ed: Edition, card: Card) -> bool:
    """Whether what a card names is a number."""
    return bool(ed.by_number) or ed.naming[card] == Naming.NUMBER


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
