"""The words of one reader: sentences and nouns in a language, in a theme, for an edition."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from string import Formatter

from ..notation import CARD_NAMES, CARD_OF
from ..rules import NO_CARD, Box, Card, find_box
from .editions import edition_figures, edition_texts, related_edition
from .languages import gettext
from .nouns import HIDDEN, NOUNS, Noun, counted, in_words, listed
from .themes import THEMES, Theme, load_theme


@lru_cache(maxsize=256)
def vocabulary(theme: Theme, edition: str | None, lang: str) -> "Vocabulary":
    """The words of a theme for an edition in a language, made once."""
    return Vocabulary(theme, edition, lang)


class Vocabulary:
    """Says sentences as one theme does, and names cards and tokens as the theme and the edition do."""

    def __init__(self, theme: Theme, edition: str | None, lang: str) -> None:
        self.theme, self.edition, self.lang = theme, edition, lang
        self.sentences = theme.sentences(lang)

    def say(self, sentence: str) -> str:
        """A sentence of the program in the reader's language, as the theme says it."""
        found, translate = self.sentences.get(sentence), gettext(self.lang)
        return translate(sentence) if found is None else found

    def fill(self, text: str, **words: object) -> str:
        """A text in which {guard}, {token:s} and the like stand for nouns, and other words for what is given."""
        return text.format_map(_Nouns(self, words))

    def tell(self, sentence: str, **words: object) -> str:
        """A sentence of the program, said and filled."""
        translate = self.say
        return self.fill(translate(sentence), **words)

    @property
    def victory(self) -> str:
        """What is read when a match is won."""
        return self.fill(self.theme.victory(self.lang))

    @property
    def about(self) -> str:
        """What is special about the edition, in a sentence or two."""
        assert self.edition is not None, "only the words for an edition can say what it is"
        about = str(edition_texts(self.edition, self.lang)["about"])
        return self.fill(about, **edition_figures(self.edition, self.lang))

    def premise(self, solo: bool = False) -> str:
        """The story with which the rules open."""
        return self.fill(self.theme.premise(self.lang, solo))

    # Nouns

    def card(self, card: int | None) -> Noun:
        """A card with its article; None or NO_CARD is one that the reader may not know."""
        if card is None or card == NO_CARD:
            return HIDDEN[self.lang]
        words = self.theme.words(card, self.lang)
        forms = NOUNS[self.lang](words["name"], words).forms
        return Noun({**forms, "value": str(self.values.get(card, ""))})

    def copy(self, card: int, copy: int) -> Noun:
        """One copy of a card: the person on it, where that is what the copy is called."""
        person = self.theme.person(card, copy, self.lang)
        if person is None or not self.theme.persons_are_titles or person.name == self.theme.name(card, self.lang):
            return self.card(card)
        return NOUNS[self.lang](person.name, {"proper": True})

    @cached_property
    def token(self) -> Noun:
        """A token: as the theme calls it, else as the edition does."""
        words = self.theme.tokens(self.lang)
        if words is None and self.edition is not None:
            words = edition_texts(self.edition, self.lang).get("token")
        if words is None:
            words = {"one": self.say("token"), "many": self.say("tokens"), "gender": "m"}
        return NOUNS[self.lang](words["one"], {**words, "plural": words["many"]})

    @cached_property
    def values(self) -> Mapping[int, int]:
        """The number on each card of the edition."""
        return {} if self.box is None else {int(card): value for card, value in self.box.values.items()}

    @property
    def box(self) -> Box | None:
        """The edition, if there is one."""
        return None if self.edition is None else find_box(self.edition)

    # Lists of cards

    def cards(self, deck: Mapping[int, int], first: Mapping[int, int] | None = None) -> str:
        """The cards of a deck in a list, "five Guards, two Priests …"; the copies in `first` are counted before."""
        before = first or {}
        counts = {card: count for card, count in deck.items() if count}
        items = (item for card in sorted(counts, key=self._rank) for item in self._copies(card, counts[card], before))
        return listed(items, self.say("{some} and {last}"))

    def _rank(self, card: int) -> tuple[int, int]:
        return self.values.get(card, 0), card

    def _copies(self, card: int, count: int, before: Mapping[int, int]) -> Iterable[str]:
        """The copies of a card in a list: so many of them, the only one, or each by the name of its person."""
        if not self.theme.persons_are_titles or not self.theme.persons(card, self.lang):
            single = self.box is not None and all(deck.get(Card(card), 1) == 1 for deck in self.box.decks.values())
            yield format(self.card(card)) if single else counted(self.card(card), count, self.lang)
            return
        start = before.get(card, 0)
        for copy in range(start, start + count):
            yield format(self.copy(card, copy))


class _Nouns(dict[str, object]):
    """What can stand in braces, each made when it is asked for: a theme has its editions' cards only."""

    def __init__(self, vocabulary: Vocabulary, words: Mapping[str, object]) -> None:
        super().__init__(words)
        self.vocabulary = vocabulary

    def __missing__(self, name: str) -> object:
        if name in DECKS:
            return DECKS[name](self.vocabulary)
        if name == "token":
            return self.vocabulary.token
        return self.vocabulary.card(CARD_OF[name])


def _smallest(words: Vocabulary) -> str:
    return words.cards(_decks(words.edition)[0])


def _added(words: Vocabulary) -> str:
    small, large = _decks(words.edition)
    return words.cards(_without(large, small), small)


def _left_out(words: Vocabulary) -> str:
    """The cards of the larger edition that the smaller one does without."""
    assert words.edition is not None, "only the words for an edition know its cards"
    large = related_edition(words.edition, "larger") or words.edition
    small = related_edition(words.edition, "smaller") or words.edition
    larger = Vocabulary(words.theme if words.theme.fits(large) else load_theme(THEMES[0]), large, words.lang)
    full, kept = _decks(large)[-1], _decks(small)[-1]
    return larger.cards(_without(full, kept), kept)


def _others(words: Vocabulary) -> str:
    """How many characters a Guard may name."""
    return in_words(len(_decks(words.edition)[-1].keys() - {Card.GUARD}), words.lang)


DECKS: dict[str, Callable[[Vocabulary], str]] = {
    "deck": _smallest,
    "added": _added,
    "left_out": _left_out,
    "others": _others,
}
"""What is told of decks: lists of the edition's smallest one, of what its largest adds and of what a smaller edition
lacks, and how many characters there are besides the Guard."""


def _decks(edition: str | None) -> tuple[dict[int, int], dict[int, int]]:
    """The copies of each card in an edition's smallest and in its largest deck."""
    assert edition is not None, "only the words for an edition know its cards"
    box = find_box(edition)
    small, large = box.decks[box.players[0]], box.decks[box.players[-1]]
    return {int(card): n for card, n in small.items()}, {int(card): n for card, n in large.items()}


def _without(deck: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    return {card: count - other.get(card, 0) for card, count in deck.items() if count > other.get(card, 0)}


@lru_cache(maxsize=4096)
def fields(text: str) -> frozenset[str]:
    """What stands in braces in a text; a ValueError if a brace is open."""
    return frozenset(field for _, field, _, _ in Formatter().parse(text) if field is not None)


def forms_asked(text: str) -> list[tuple[str, str]]:
    """What stands in braces in a text, with the form that is asked for; a ValueError for anything else in them."""
    found = []
    for _, field, form, conversion in Formatter().parse(text):
        if field is not None:
            if conversion is not None or "{" in (form or "") or not re.fullmatch(r"[\w-]+", field):
                raise ValueError("only a name may stand in braces, and the form that is wanted, as in {guard:a}")
            found.append((field, form or ""))
    return found


def cards_named(text: str) -> frozenset[str]:
    """The names of the cards in braces in a text."""
    return fields(text) & frozenset(CARD_NAMES)
