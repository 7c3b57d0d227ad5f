"""Editions of one's own, drawn by chance: those that can be played, and objects that describe none."""

from typing import Any

from hypothesis import strategies as st

from suitors.rules import BOXES, NAMINGS, Card
from suitors.rules.names import CARD_NAMES
from suitors.rules.own import BASES, SINGLE

Drawn = tuple[dict[str, Any], int]
"""An edition, and a number of players with whom it can be dealt."""


@st.composite
def own_editions(draw: st.DrawFn, most_players: int = 8, most_cards: int = 40) -> Drawn:
    """An edition of one's own that can be dealt to so many players."""
    base = draw(st.sampled_from(BASES))
    players = draw(st.sampled_from([n for n in BOXES[base].players if n <= most_players]))
    data: dict[str, Any] = {"base": base}
    if draw(st.booleans()):
        data["name"] = draw(st.text(max_size=8))
    if draw(st.booleans()):
        data["values"] = draw(st.dictionaries(st.sampled_from(CARD_NAMES), st.integers(0, 9), max_size=6))
    if draw(st.booleans()):
        data["goals"] = {str(players): draw(st.integers(1, 4))}
    beside = _beside(draw, base, players, data)
    data["cards"] = _deck(draw, beside + players + 1, most_cards)
    _make_nameable(data)
    return data, players


def _beside(draw: st.DrawFn, base: str, players: int, data: dict[str, Any]) -> int:
    """Draw how many cards lie beside the deck; how many they are."""
    box = BOXES[base]
    aside, face_up = box.aside[players], box.face_up.get(players, 0)
    if draw(st.booleans()):
        aside = draw(st.integers(0 if base == "house" else 1, 4))
        data["aside"] = {str(players): aside}
    if draw(st.booleans()):
        face_up = draw(st.integers(0, 4))
        data["face_up"] = {str(players): face_up}
    return aside + face_up


def _deck(draw: st.DrawFn, fewest: int, most: int) -> dict[str, int]:
    """A deck of at least so many cards: some characters with some copies each, until it is large enough."""
    order = draw(st.permutations(CARD_NAMES))
    kinds, deck = draw(st.integers(1, len(order))), dict[str, int]()
    for k, name in enumerate(order):
        if k >= kinds and sum(deck.values()) >= fewest:
            break
        room = most - sum(deck.values())
        if room < 1:
            break
        single = name in {CARD_NAMES[card] for card in SINGLE}
        deck[name] = 1 if single else draw(st.integers(1, min(8, room)))
    return deck


def _make_nameable(data: dict[str, Any]) -> None:
    """See to it that a Guard and a Bishop find something to name: a Handmaid of a number that nobody may bar."""
    if any(CARD_NAMES[card] in data["cards"] for card in NAMINGS):
        handmaid = CARD_NAMES[Card.HANDMAID]
        copies = data["cards"]
        if handmaid not in copies and sum(copies.values()) >= 40:
            most = max(copies, key=lambda name: copies[name])
            copies[most] -= 1
        copies.setdefault(handmaid, 1)
        data["values"] = {**data.get("values", {}), handmaid: 4, CARD_NAMES[Card.GUARD]: 1}


WRONG: dict[str, Any] = {
    "no base": {},
    "no such base": {"base": "modem"},
    "a solo base": {"base": "solitaire"},
    "a base that is no text": {"base": ["modern"]},
    "an unknown key": {"base": "modern", "sums": True},
    "a name that is no text": {"base": "modern", "name": 3},
    "a name that is null": {"base": "modern", "name": None},
    "cards that are a list": {"base": "modern", "cards": ["guard"]},
    "cards that are null": {"base": "modern", "cards": None},
    "no such card": {"base": "modern", "cards": {"gard": 1}},
    "no copy": {"base": "modern", "cards": {"guard": 0}},
    "too many copies": {"base": "modern", "cards": {"guard": 9}},
    "half a card": {"base": "modern", "cards": {"guard": 1.0}},
    "copies that are a truth": {"base": "modern", "cards": {"guard": True}},
    "copies that are a text": {"base": "modern", "cards": {"guard": "1"}},
    "two Princesses": {"base": "modern", "cards": {"princess": 2}},
    "two Bishops": {"base": "premium", "cards": {"bishop": 2}},
    "two Jesters": {"base": "premium", "cards": {"jester": 2}},
    "too many cards": {
        "base": "modern",
        "cards": dict.fromkeys(("guard", "priest", "baron", "spy", "count"), 8) | {"king": 1},
    },
    "too high a value": {"base": "modern", "values": {"guard": 10}},
    "too low a value": {"base": "modern", "values": {"guard": -1}},
    "a value for no card": {"base": "modern", "values": {"1": 1}},
    "no goal": {"base": "modern", "goals": {"2": 0}},
    "too far a goal": {"base": "modern", "goals": {"2": 21}},
    "a goal for nobody": {"base": "modern", "goals": {"7": 3}},
    "a goal for a padded number": {"base": "modern", "goals": {"02": 3}},
    "goals by a list": {"base": "modern", "goals": [3]},
    "nothing aside": {"base": "modern", "aside": {"2": 0}},
    "too much aside": {"base": "house", "aside": {"2": 11}},
    "too much face up": {"base": "modern", "face_up": {"2": 11}},
    "less than nothing face up": {"base": "modern", "face_up": {"2": -1}},
}
"""Objects whose form is not that of an edition, by what is wrong with them."""
