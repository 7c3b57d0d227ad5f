"""Cards as a page shows them: name, number, effect and emblem in the reader's words and theme."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ..notation import CARD_NAMES
from ..rules import Edition
from ..words.vocabulary import Vocabulary
from .links import rules_link
from .palette import tint_class


@dataclass(frozen=True)
class CardFace:
    """The front of a card: of one copy with its person, or of the card as such."""

    slug: str
    name: str
    subtitle: str
    value: int
    text: str
    sprite: str  # the file that holds its drawing
    emblem: str  # the drawing
    tint: str  # the class of its second ink
    seal: str  # the ornament that bears the number
    link: str  # to its rules


@dataclass(frozen=True)
class CardBack:
    """The ornaments on the back of every card."""

    envelope: str
    seal: str


@dataclass(frozen=True)
class CardRenderer:
    """Renders cards for one edition in somebody's words."""

    rules: Edition
    words: Vocabulary

    def face(self, card: int, copy: int | None = None) -> CardFace:
        """The face of a card, or of one of its copies."""
        return _face(self.rules, self.words, int(card), copy)

    def faces(self, cards: Iterable[int], copies: Iterable[int] | None = None) -> tuple[CardFace, ...]:
        """The faces of several."""
        if copies is None:
            return tuple(self.face(card) for card in cards)
        return tuple(self.face(card, copy) for card, copy in zip(cards, copies, strict=True))

    def named_faces(self, card: int) -> list[tuple[str, CardFace]]:
        """Every name under which a card may be called (R101, R102), with the face that goes with it."""
        theme, lang = self.words.theme, self.words.lang
        copies = {theme.portrait(card, lang, copy).title: copy for copy in reversed(range(self.rules.copies[card]))}
        return [(name, self.face(card, copies.get(name))) for name in theme.names(card, lang)]

    def back(self) -> CardBack:
        """The back of the cards."""
        return CardBack(self.words.theme.ornament("back"), self.words.theme.ornament("seal"))

    def deck(self) -> tuple[CardFace, ...]:
        """A face of every character in the deck, highest first."""
        value = self.rules.value
        held = [card for card in range(len(CARD_NAMES)) if self.rules.copies[card]]
        return self.faces(sorted(held, key=lambda card: (-value[card], card)))


@lru_cache(maxsize=8192)
def _face(rules: Edition, words: Vocabulary, card: int, copy: int | None) -> CardFace:
    theme, name = words.theme, CARD_NAMES[card]
    portrait = theme.portrait(card, words.lang, copy)
    text = theme.text(card, words.lang, by_number=bool(rules.by_number), solo=rules.players == 1)
    return CardFace(
        slug=name,
        name=portrait.title,
        subtitle=portrait.subtitle,
        value=rules.value[card],
        text=words.fill(text),
        sprite=f"{theme.sprite}.svg",
        emblem=portrait.emblem,
        tint=tint_class(theme.slug, name),
        seal=theme.ornament("seal"),
        link=f"{rules_link(words.edition or '')}#{name}",
    )
