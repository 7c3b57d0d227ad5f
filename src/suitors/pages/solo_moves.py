"""Moves of the solo game in words, for hints and reviews."""

from ..notation import CARD_OF
from .cards import CardRenderer


def move_label(text: str, renderer: CardRenderer) -> str:
    """A move as a person would say it."""
    say, (verb, *rest) = renderer.words.say, text.split()
    plain = {
        "draw": say("Draw a card"),
        "agent": say("Play the secret agent"),
        "offer hand": say("Offer your hand"),
        "offer agent": say("Offer your agent"),
    }
    if text in plain:
        return plain[text]
    card = renderer.face(CARD_OF[verb]).name
    if not rest:
        return card
    place = place_label(rest[0], renderer)
    if len(rest) == 1:
        return say("{card} on {place}").format(card=card, place=place)
    if rest[1] in CARD_OF:
        name = renderer.face(CARD_OF[rest[1]]).name
        return say("{card} on {place}, naming {name}").format(card=card, place=place, name=name)
    own = place_label(rest[1], renderer)
    return say("{card} on {place}, with {own}").format(card=card, place=place, own=own)


def place_label(place: str, renderer: CardRenderer) -> str:
    """A place of the layout in words."""
    if place.startswith("q"):
        return renderer.words.say("place {number}").format(number=place[1:])
    return renderer.words.say("your hand") if place == "hand" else renderer.words.say("your agent")
