"""The cards of a kit, copy by copy: who is on each, and whether it leaves for a smaller deck."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..notation import CARD_NAMES
from ..words.themes import Portrait
from .kit import Kit
from .palette import coloured


@dataclass(frozen=True)
class Face:
    """What copies of a card look like that show the same person and leave the deck, or stay, together."""

    slug: str  # the name of its picture
    card: str
    title: str
    subtitle: str
    value: str
    text: str
    line: str
    emblem: str
    count: int
    stay: int  # copies of the card that are in the smaller deck as well
    leave: int  # copies of the card that are not
    leaves: bool  # whether this copy is one of the latter


@dataclass(frozen=True)
class Row:
    """A character in a list: on a reference card, or in the leaflet."""

    value: str
    title: str
    subtitle: str
    copies: str
    text: str


def faces(kit: Kit, colour: str) -> list[Face]:
    """The faces of the deck, highest first, drawn in a colour."""
    return [face for card in kit.ranked(kit.deck) for face in _faces(kit, card, colour)]


def rows(kit: Kit, cards: Mapping[int, int], before: Mapping[int, int] | None = None) -> list[Row]:
    """So many copies of cards in a list, highest first; the copies in `before` are counted first."""
    return [_row(kit, card, cards[card], (before or {}).get(card, 0)) for card in kit.ranked(cards)]


def effect(kit: Kit, card: int) -> str:
    """What a card does, as the kit's reader is told."""
    return kit.words.fill(kit.theme.text(card, kit.lang, by_number=kit.box.by_number, solo=kit.box.solo))


def portraits(kit: Kit, card: int, copies: range) -> list[Portrait]:
    """The different portraits on copies of a card."""
    return list(dict.fromkeys(kit.theme.portrait(card, kit.lang, copy) for copy in copies))


def _row(kit: Kit, card: int, count: int, first: int) -> Row:
    """Copies of a card in a list; where others were listed before, what they do is known."""
    found = portraits(kit, card, range(first, first + count))
    shown = found[0] if len(found) == 1 else kit.theme.portrait(card, kit.lang)
    copies = kit.words.say("×{count} more").format(count=count) if first else f"×{count}"
    return Row(str(kit.words.values[card]), shown.title, shown.subtitle, copies, "" if first else effect(kit, card))


def _faces(kit: Kit, card: int, colour: str) -> Iterator[Face]:
    stay, count = kit.core.get(card, 0), kit.deck[card]
    seen = Counter((kit.theme.portrait(card, kit.lang, copy), copy >= stay) for copy in range(count))
    names = _names(card, list(seen))
    tint = "none" if kit.save_ink else kit.theme.tint(card)
    for (portrait, leaves), copies in seen.items():
        yield Face(
            slug=names[portrait, leaves],
            card=CARD_NAMES[card],
            title=portrait.title,
            subtitle=portrait.subtitle,
            value=str(kit.words.values[card]),
            text=effect(kit, card),
            line=kit.words.fill(portrait.line),
            emblem=coloured(kit.theme.drawings()[portrait.emblem], colour, tint),
            count=copies,
            stay=stay,
            leave=count - stay,
            leaves=leaves,
        )


def _names(card: int, seen: list[tuple[Portrait, bool]]) -> dict[tuple[Portrait, bool], str]:
    """A name for the picture of each face: the card's, with what tells it from the others."""
    people = list(dict.fromkeys(portrait for portrait, _ in seen))
    found: dict[tuple[Portrait, bool], str] = {}
    for portrait, leaves in seen:
        parts = [CARD_NAMES[card]]
        if len(people) > 1:
            parts.append(_plain(portrait, people))
        if leaves and (portrait, False) in seen:
            parts.append("marked")
        found[portrait, leaves] = "-".join(parts)
    return found


def _plain(portrait: Portrait, people: list[Portrait]) -> str:
    """The name of a person in plain letters, or the number where that does not tell the person from the others."""
    titles = [_letters(person.title) for person in people]
    names = titles if len(set(titles)) > 1 else [_letters(person.subtitle) for person in people]
    number = people.index(portrait)
    return names[number] if names[number] and names.count(names[number]) == 1 else str(number + 1)


def _letters(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "-", plain.lower()).strip("-")
