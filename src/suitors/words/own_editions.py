"""What players read about an edition that somebody has made: the rules put together from what it is."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from ..rules import Box
from .themes import read_toml

Told = Mapping[str, Mapping[str, str]]
"""What a maker says of an edition: by language, its title and what is special about it."""

_told: dict[str, Told] = {}
_offered: dict[str, None] = {}


def tell_edition(slug: str, told: Told) -> None:
    """Keep what the maker of an edition says of it; titles and sentences are not part of its object."""
    _told[slug] = told


def offer_edition(slug: str) -> None:
    """Let pages offer an edition of one's own to every visitor."""
    _offered[slug] = None


def offered_editions() -> tuple[str, ...]:
    """The editions of one's own that pages offer."""
    return tuple(_offered)


@lru_cache
def own_file() -> dict[str, Any]:
    """The texts for editions of one's own."""
    return read_toml("own_editions.toml")


def own_texts(box: Box, lang: str) -> dict[str, Any]:
    """The title, the sentence about it, and the paragraphs of each section."""
    texts = own_file()[lang]
    told = _told.get(box.slug, {}).get(lang, {})
    sections = {key: list(_fitting(box, found)) for key, found in texts.items() if isinstance(found, list)}
    return {
        "title": told.get("title") or box.name or texts["title"],
        "about": told["about"].replace("{", "{{").replace("}", "}}") if told.get("about") else texts["about"],
        **sections,
    }


def _fitting(box: Box, paragraphs: list[str | dict[str, str]]) -> Iterator[str]:
    """The paragraphs that are for this edition."""
    kinds = kinds_of(box)
    for paragraph in paragraphs:
        if isinstance(paragraph, str):
            yield paragraph
        elif paragraph["when"] in kinds:
            yield paragraph["text"]


def kinds_of(box: Box) -> frozenset[str]:
    """What an edition is, in the words of `when`."""
    found = {
        "one-deck": all(deck == box.decks[box.players[0]] for deck in box.decks.values()),
        "aside": any(box.aside.values()),
        "face-up": any(box.face_up.values()),
        "spare": box.spare,
        "numbers": box.by_number,
        "sums": box.sums,
        "tie-breaks": box.tie_breaks,
    }
    other = {
        "two-decks": "one-deck",
        "no-spare": "spare",
        "characters": "numbers",
        "no-sums": "sums",
        "shared": "tie-breaks",
    }
    found |= {kind: not found[opposite] for kind, opposite in other.items()}
    return frozenset(kind for kind, holds in found.items() if holds)


def own_figures(box: Box, lang: str) -> dict[str, str]:
    """What stands in braces in these texts, besides nouns and decks."""
    pattern, small = own_file()[lang]["players"], box.decks[box.players[0]]
    few = [n for n in box.players if box.decks[n] == small]
    many = [n for n in box.players if n not in few]
    return {
        "cards": str(sum(small.values())),
        "few": span(few),
        "many": span(many),
        "aside": figures(box, box.aside, pattern),
        "face_up": figures(box, box.face_up, pattern),
        "goals": figures(box, box.goals, pattern),
    }


def figures(box: Box, numbers: Mapping[int, int], pattern: str) -> str:
    """A figure for every number of players, those with the same one together."""
    groups: list[tuple[list[int], int]] = []
    for players in box.players:
        figure = numbers.get(players, 0)
        if groups and groups[-1][1] == figure:
            groups[-1][0].append(players)
        else:
            groups.append(([players], figure))
    return ", ".join(pattern.format(players=span(players), figure=figure) for players, figure in groups)


def span(numbers: list[int]) -> str:
    """Numbers that follow each other: 2, or 2–4."""
    return "" if not numbers else str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
