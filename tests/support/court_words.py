"""The words of the court's world, which a text in another world must not have."""

import re

from suitors.rules import BOXES
from suitors.words import load_theme

STORY = {
    "en": r"suitors?|letters?|court|courtiers?|seals?|sealed|candle|candlelight|princess|royal",
    "fr": r"prétendants?|lettres?|cour|courtisans?|sceaux?|scellée?s?|bougies?|princesse|royale?",
}
NAMES = ("Love Letter", "Suitors")
"""What the game and the program are called, in every theme."""


def court_words(text: str, lang: str, edition: str = "house") -> list[str]:
    """The words of the court in a text: its story, and the titles of the edition's cards."""
    for name in NAMES:
        text = text.replace(name, "")
    court, deck = load_theme("court"), BOXES[edition].decks[BOXES[edition].players[0]]
    titles = [f"{re.escape(court.name(card, lang))}s?" for card in deck]
    return re.findall(rf"(?<![\w-])(?:(?i:{STORY[lang]})|{'|'.join(titles)})\b", text)
