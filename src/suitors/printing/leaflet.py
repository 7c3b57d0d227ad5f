"""The leaflet of a kit: the story, the rules, every ruling, the people and the credits."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ..words.credits import kit_credits
from ..words.editions import edition_title
from ..words.rulebook import Medium, Rulebook
from ..words.tips import edition_tips, tips_source
from .cards import portraits
from .kit import Kit
from .parts import card_lists, contents, most_players, short, short_title


def leaflet(kit: Kit) -> dict[str, Any]:
    """All that the leaflet says."""
    words, book = kit.words, Rulebook(kit.words, Medium.PAPER)
    return {
        "title": book.title,
        "theme": kit.theme.title(kit.lang),
        "premise": book.premise,
        "about": book.about,
        "contents": words.say("In this kit: {parts}.").format(parts=", ".join(contents(kit))),
        "sections": [{"title": title, "texts": texts} for title, texts in book.sections],
        "cards": [asdict(found) for found in card_lists(kit)],
        "marks": " ".join(_marks(kit)),
        "short": {"title": short_title(kit), "texts": short(kit)},
        "rulings": [{"number": number, "text": text} for number, text in book.rulings],
        "tips": [text for text in (*edition_tips(words), tips_source(words)) if text],
        "people": list(_people(kit)),
        "headings": {
            "rulings": words.say("Rulings"),
            "tips": words.say("Tips"),
            "people": words.say("The people"),
        },
        "credits": kit_credits(kit.box.model, kit.theme.slug, kit.lang),
    }


def _marks(kit: Kit) -> list[str]:
    """What the dots on the cards mean, and the ring on some of them."""
    words = kit.words
    found = [words.say("The dots on a card count its copies.")]
    if kit.smaller is not None:
        leaving = words.say(
            "A hollow dot, and a ring in the corner of the card, stand for copies that leave the deck for {title}."
        )
        found.append(leaving.format(title=edition_title(kit.smaller, kit.lang)))
    elif kit.added:
        low, high = most_players(kit)
        adding = words.say(
            "A hollow dot, and a ring in the corner of the card, stand for copies that only {low}–{high} players use."
        )
        found.append(adding.format(low=low, high=high))
    return found


def _people(kit: Kit) -> Iterator[dict[str, str]]:
    """The people on the cards of whom there is something to tell, highest first."""
    for card in kit.ranked(kit.deck):
        for shown in portraits(kit, card, range(kit.deck[card])):
            if shown.line:
                yield {"title": shown.title, "subtitle": shown.subtitle, "line": kit.words.fill(shown.line)}
