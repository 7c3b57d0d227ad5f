"""Cards as a page shows them: name, number, effect and emblem in the reader's words and theme."""

from dataclasses import dataclass
from functools import lru_cache

from ..notation import CARD_NAMES
from ..rules import Edition
from ..words import Theme, load_theme


@dataclass(frozen=True)
class CardFace:
    """The front of a card."""

    slug: str
    name: str
    value: int
    text: str
    emblems: str  # the SVG sprite that holds its emblem
    link: str  # to its rules


@dataclass(frozen=True)
class CardRenderer:
    """Renders cards for one edition, language and theme."""

    rules: Edition
    edition: str
    lang: str
    theme: Theme

    def face(self, card: int) -> CardFace:
        """The face of a card."""
        return _face(self.rules, self.edition, self.lang, self.theme.slug, int(card))

    def faces(self, cards: tuple[int, ...]) -> tuple[CardFace, ...]:
        """The faces of several."""
        return tuple(self.face(card) for card in cards)

    def deck(self) -> tuple[CardFace, ...]:
        """A face of every character in the deck, highest first."""
        value = self.rules.value
        held = [card for card in range(len(CARD_NAMES)) if self.rules.copies[card]]
        return self.faces(tuple(sorted(held, key=lambda card: (-value[card], card))))


@lru_cache(maxsize=4096)
def _face(rules: Edition, edition: str, lang: str, slug: str, card: int) -> CardFace:
    theme, name = load_theme(slug), CARD_NAMES[card]
    return CardFace(
        slug=name,
        name=theme.name(card, lang),
        value=rules.value[card],
        text=theme.text(card, lang, by_number=bool(rules.by_number), solo=rules.players == 1),
        emblems=theme.sprite,
        link=f"/rules/{edition}#{name}",
    )
