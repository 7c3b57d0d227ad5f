"""The parts of a kit besides its cards: reference cards, tokens, and the game in short."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from ..notation import CARD_NAMES, CARD_OF
from ..rules import BOXES
from ..words import WordsError
from ..words.editions import related_edition
from .cards import Row, rows
from .kit import Kit
from .palette import ornament


@dataclass(frozen=True)
class Side:
    """One side of a reference card: characters, texts, or a broken seal."""

    title: str
    rows: tuple[Row, ...] = ()
    texts: tuple[str, ...] = ()
    broken: bool = False


OWN = "own"
"""The table in parts.toml of editions that people make themselves."""


@lru_cache
def parts() -> dict[str, Any]:
    """The parts of all kits; a WordsError names an edition of which there are none."""
    found = tomllib.loads(resources.files(__package__).joinpath("parts.toml").read_text("utf-8"))
    for slug in (*BOXES, OWN):
        if found.get(slug, {}).get("short") not in found["short"]:
            raise WordsError(f"The edition '{slug}' has no text of [short] in printing/parts.toml, table [{slug}].")
    return found


# Reference cards


def kit_parts(kit: Kit) -> dict[str, Any]:
    """What the kit holds besides the cards."""
    found: dict[str, Any] = parts()[OWN if kit.box.base else kit.edition]
    return found


def reference(kit: Kit) -> list[Side]:
    """The two sides of the edition's reference card, or none."""
    return [SIDES[side](kit) for side in kit_parts(kit).get("reference", ())]


def card_lists(kit: Kit) -> list[Side]:
    """The characters in the leaflet: all together, or those of the smaller deck and those that the larger one adds."""
    if kit.added and kit.smaller is None:
        return [_smallest(kit), _added(kit)]
    return [Side(kit.words.say("Cards"), tuple(rows(kit, kit.deck)))]


def _characters(kit: Kit) -> Side:
    return Side(kit.words.say("Characters"), tuple(rows(kit, kit.deck)))


def _full(kit: Kit) -> Side:
    """The characters, and where they belong those of the larger edition, without their effects."""
    larger = BOXES[related_edition(kit.edition, "larger") or kit.edition]
    note = kit.words.say("Only in the full edition.")
    others = [
        Row(str(larger.values[card]), kit.theme.name(card, kit.lang), "", "", note)
        for card in larger.decks[larger.players[-1]]
        if card not in kit.deck and CARD_NAMES[card] in kit.theme.cards
    ]
    return Side(kit.words.say("Characters"), tuple(sorted([*rows(kit, kit.deck), *others], key=_lowest_last)))


def _smallest(kit: Kit) -> Side:
    box = kit.box
    fewest = [n for n in box.players if box.decks[n] == box.decks[box.players[0]]]
    title = kit.words.say("Cards with {low}–{high} players").format(low=fewest[0], high=fewest[-1])
    return Side(title, tuple(rows(kit, kit.core)))


def _added(kit: Kit) -> Side:
    low, high = most_players(kit)
    title = kit.words.say("Added with {low}–{high} players").format(low=low, high=high)
    return Side(title, tuple(rows(kit, kit.added, kit.core)))


def _broken(kit: Kit) -> Side:
    out = kit.words.say("out of the round")
    return Side(out[:1].upper() + out[1:], texts=(kit.words.say("Show this side until the next round."),), broken=True)


def _short(kit: Kit) -> Side:
    return Side(short_title(kit), texts=tuple(short(kit)))


SIDES: dict[str, Callable[[Kit], Side]] = {
    "characters": _characters,
    "full": _full,
    "smallest": _smallest,
    "added": _added,
    "broken": _broken,
    "short": _short,
}
"""The sides that a reference card can have, by their names in parts.toml."""


def most_players(kit: Kit) -> tuple[int, int]:
    """For which numbers of players the whole deck is."""
    most = [n for n in kit.box.players if kit.box.decks[n] == kit.box.decks[kit.players]]
    return most[0], most[-1]


def _lowest_last(row: Row) -> int:
    return -int(row.value)


# The game in short


def short(kit: Kit) -> list[str]:
    """The game in a few sentences."""
    told = parts()["short"][kit_parts(kit)["short"]][kit.lang]
    return [kit.words.fill(text, cards=sum(kit.deck.values())) for text in told]


def short_title(kit: Kit) -> str:
    """The heading of these sentences."""
    say = kit.words.say
    return say("The game in short") if kit.box.solo else say("A round in short")


# Tokens


def tokens(kit: Kit) -> int:
    """As many as the longest match needs: everybody but the winner one short of the goal; none in the solo game."""
    return 0 if kit.box.solo else max(players * (goal - 1) + 1 for players, goal in kit.box.goals.items())


def marked_cards(kit: Kit) -> list[int]:
    """The cards that have a token of their own."""
    return [card for card in (CARD_OF[name] for name in parts()["markers"]) if card in kit.deck]


def markers(kit: Kit, colour: str) -> list[str]:
    """The ornaments of these tokens, drawn in a colour."""
    return [ornament(parts()["markers"][CARD_NAMES[card]], colour) for card in marked_cards(kit)]


def token_notes(kit: Kit) -> list[str]:
    """What is to be done with the tokens."""
    words = kit.words
    first = words.fill(words.say("Cut the discs out: they are the {token:s}."))
    other = words.say("The one of another colour is the marker for {card}: lay it in front of the chosen player.")
    return [first, *(words.fill(other, card=words.card(card)) for card in marked_cards(kit))]


def contents(kit: Kit) -> list[str]:
    """What is in the kit, as a rulebook lists it."""
    words, many = kit.words, tokens(kit)
    return [
        words.say("{count} cards").format(count=sum(kit.deck.values())),
        *_references(kit),
        *([f"{many} {words.token:s}"] if many else []),
        *(words.fill(words.say("one marker for {card}"), card=words.card(card)) for card in marked_cards(kit)),
    ]


def _references(kit: Kit) -> list[str]:
    if not reference(kit):
        return []
    if kit.players == 1:
        return [kit.words.say("one reference card")]
    return [kit.words.say("{count} reference cards").format(count=kit.players)]
