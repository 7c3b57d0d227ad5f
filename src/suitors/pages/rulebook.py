"""The rules of an edition as a page: its cards with their pictures, and the rulings that bear on it."""

from dataclasses import dataclass

from ..notation import CARD_OF
from ..rules import BOXES, edition
from ..words.rulebook import editions, rulings, rulings_of, section_titles
from .cards import CardFace, CardRenderer
from .preferences import Preferences


@dataclass(frozen=True)
class Deck:
    """A deck of an edition: for how many players, and its cards with their copies."""

    low: int
    high: int
    cards: tuple[tuple[CardFace, int], ...]


@dataclass(frozen=True)
class RulesPage:
    """The rules of one edition."""

    slug: str
    title: str
    about: str
    decks: tuple[Deck, ...]
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    rulings: tuple[tuple[str, str], ...]

    @property
    def base(self) -> frozenset[str]:
        """The cards of the first deck, which other decks repeat."""
        return frozenset(face.slug for face, _ in self.decks[0].cards)


def edition_titles(preferences: Preferences) -> list[tuple[str, str, str]]:
    """All editions: slug, title and what is special."""
    return [
        (slug, editions()[slug][preferences.lang]["title"], editions()[slug][preferences.lang]["about"])
        for slug in BOXES
    ]


def edition_page(slug: str, preferences: Preferences) -> RulesPage:
    """The rules of an edition in the reader's words."""
    words = editions()[slug][preferences.lang]
    return RulesPage(
        slug=slug,
        title=words["title"],
        about=words["about"],
        decks=tuple(_decks(slug, preferences)),
        sections=tuple((heading, tuple(words[key])) for key, heading in section_titles(preferences.lang).items()),
        rulings=tuple((number, rulings()[number][preferences.lang]) for number in rulings_of(slug)),
    )


def _decks(slug: str, preferences: Preferences) -> list[Deck]:
    """The decks that the edition has for different numbers of players."""
    box = BOXES[slug]
    decks = {id(deck): [n for n in box.players if box.decks[n] is deck] for deck in box.decks.values()}
    found = []
    for players in decks.values():
        rules = edition(slug, players[0])
        renderer = CardRenderer(rules, slug, preferences.lang, preferences.theme_for(slug))
        cards = tuple((face, box.decks[players[0]][CARD_OF[face.slug]]) for face in renderer.deck())
        found.append(Deck(players[0], players[-1], cards))
    return found
