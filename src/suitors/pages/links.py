"""Addresses of pages that stand for an edition."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from ..rules import edition_data

OWN_DECK = "/deck"
"""The page for a deck of one's own."""

PARTS = ("cards", "values", "goals", "aside", "face_up")
"""The parts of an edition of one's own that have a field for each card or number of players."""


def rules_link(slug: str) -> str:
    """The address of an edition's rules: a page of its own, or the deck of an edition that somebody has made."""
    data = edition_data(slug)
    return f"/rules/{slug}" if isinstance(data, str) else f"{OWN_DECK}?{deck_query(data)}"


def deck_query(data: Mapping[str, Any]) -> str:
    """The fields that describe an edition, as they stand in an address."""
    fields = {key: data[key] for key in ("base", "name") if key in data}
    for part in PARTS:
        fields |= {f"{part}-{word}": number for word, number in data.get(part, {}).items()}
    return urlencode(fields)
