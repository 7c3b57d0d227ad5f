"""Moves of the solo game in words, for hints and analyses."""

from ..notation import CARD_OF
from .vocabulary import Vocabulary


def solo_move(text: str, words: Vocabulary) -> str:
    """A move as a person would say it."""
    say, (verb, *rest) = words.say, text.split()
    plain = {
        "draw": say("Draw a card"),
        "agent": say("Play the secret agent"),
        "offer hand": say("Offer your hand"),
        "offer agent": say("Offer your agent"),
    }
    if text in plain:
        return plain[text]
    card = _title(verb, words)
    if not rest:
        return card
    place = _place(rest[0], words)
    if len(rest) == 1:
        return say("{card} on {place}").format(card=card, place=place)
    if rest[1] in CARD_OF:
        return say("{card} on {place}, naming {name}").format(card=card, place=place, name=_title(rest[1], words))
    return say("{card} on {place}, with {own}").format(card=card, place=place, own=_place(rest[1], words))


def _title(card: str, words: Vocabulary) -> str:
    return words.theme.portrait(CARD_OF[card], words.lang).title


def _place(place: str, words: Vocabulary) -> str:
    """A place of the layout in words."""
    if place.startswith("q"):
        return words.say("place {number}").format(number=place[1:])
    return words.say("your hand") if place == "hand" else words.say("your agent")
