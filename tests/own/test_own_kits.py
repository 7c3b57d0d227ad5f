"""Kits of editions of one's own: all cards, with their numbers and copies, and texts that fit."""

import pytest

from suitors.notation import CARD_NAMES
from suitors.printing import Kit, measure_texts, print_kit
from suitors.printing.cards import faces
from suitors.printing.parts import tokens
from suitors.rules import own_slug
from suitors.words import LANGUAGES, load_theme

EVERY = own_slug({"base": "house", "name": "Everybody", "cards": dict.fromkeys(CARD_NAMES, 1) | {"guard": 8}})
FEW = own_slug(
    {"base": "premium", "cards": {"guard": 3, "spy": 2, "princess": 1}, "values": {"spy": 7}, "goals": {"2": 20}}
)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("slug", [EVERY, FEW], ids=["every", "few"])
def test_every_text_of_such_a_kit_fits(slug: str, lang: str) -> None:
    kit = Kit(slug, lang, load_theme("court"))
    assert [fit for fit in measure_texts(kit) if fit["share"] > 1] == []
    assert print_kit(kit).startswith(b"%PDF")


def test_the_cards_bear_their_numbers_and_there_are_tokens_enough() -> None:
    kit = Kit(FEW, "en", load_theme("court"))
    found = faces(kit, "#000000")
    assert {(face.card, face.value, face.stay + face.leave) for face in found} == {
        ("princess", "8", 1),
        ("spy", "7", 2),
        ("guard", "1", 3),
    }
    assert sum(face.count for face in found) == 6
    assert tokens(kit) == 2 * 19 + 1
