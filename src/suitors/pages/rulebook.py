"""The rules of an edition as a page: its cards with their pictures and people, and the rulings that bear on it."""

from dataclasses import dataclass

from ..notation import CARD_OF
from ..rules import BOXES, edition, find_box
from ..words.editions import edition_title
from ..words.rulebook import Medium, Rulebook
from ..words.tips import card_tip, edition_tips, tips_source
from ..words.vocabulary import Vocabulary
from .cards import CardFace, CardRenderer
from .preferences import Preferences


@dataclass(frozen=True)
class DeckCard:
    """A card of a deck: each face that it has with the number of its copies and a line about each; and a tip."""

    slug: str
    faces: tuple[tuple[CardFace, int, str], ...]
    tip: str


@dataclass(frozen=True)
class Deck:
    """A deck of an edition: for how many players, and its cards."""

    low: int
    high: int
    cards: tuple[DeckCard, ...]


@dataclass(frozen=True)
class RulesPage:
    """The rules of one edition."""

    slug: str
    book: Rulebook
    decks: tuple[Deck, ...]
    tips: tuple[str, ...]
    source: str  # of the figures in the tips

    @property
    def base(self) -> frozenset[str]:
        """The cards of the first deck, which other decks repeat."""
        return frozenset(card.slug for card in self.decks[0].cards)


def edition_titles(preferences: Preferences) -> list[tuple[str, str, str]]:
    """All editions: slug, title and what is special."""
    return [(slug, edition_title(slug, preferences.lang), preferences.words_for(slug).about) for slug in BOXES]


def edition_page(slug: str, preferences: Preferences) -> RulesPage:
    """The rules of an edition in the reader's words."""
    words = preferences.words_for(slug)
    book = Rulebook(words, Medium.TABLE)
    return RulesPage(slug, book, tuple(_decks(slug, words)), edition_tips(words), tips_source(words))


def _decks(slug: str, words: Vocabulary) -> list[Deck]:
    """The decks that the edition has for different numbers of players."""
    box = find_box(slug)
    decks = {id(deck): [n for n in box.players if box.decks[n] is deck] for deck in box.decks.values()}
    found = []
    for players in decks.values():
        renderer = CardRenderer(edition(slug, players[0]), words)
        cards = tuple(_card(CARD_OF[face.slug], renderer) for face in renderer.deck())
        found.append(Deck(players[0], players[-1], cards))
    return found


def _card(card: int, renderer: CardRenderer) -> DeckCard:
    """A card with every different face that its copies have."""
    words, copies = renderer.words, renderer.rules.copies[card]
    faces = [(renderer.face(card, copy), words.theme.portrait(card, words.lang, copy).line) for copy in range(copies)]
    shown = tuple((face, faces.count((face, line)), words.fill(line)) for face, line in dict.fromkeys(faces))
    return DeckCard(shown[0][0].slug, shown, card_tip(words, card) or "")
