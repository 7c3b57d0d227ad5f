"""The people of a theme: every character and person on its cards, with picture and profile."""

from dataclasses import dataclass

from ..notation import CARD_NAMES, CARD_OF
from ..rules import BOXES
from ..words import Theme, known_themes, load_theme
from ..words.rulebook import cards_of
from ..words.vocabulary import Vocabulary
from .palette import tint_class
from .preferences import Preferences


@dataclass(frozen=True)
class Profile:
    """One picture with a name and a few words; a card with several persons has several."""

    title: str
    subtitle: str
    line: str
    sprite: str
    emblem: str
    tint: str  # the class of the second ink
    link: str  # to the rules of the card


@dataclass(frozen=True)
class PeoplePage:
    """The people of one theme."""

    slug: str
    title: str
    about: str
    premise: str
    profiles: tuple[Profile, ...]
    victory: str


def theme_lines(preferences: Preferences) -> list[tuple[str, str, str]]:
    """All themes: slug, title and what each is."""
    lang = preferences.lang
    return [(slug, load_theme(slug).title(lang), load_theme(slug).about(lang)) for slug in known_themes()]


def people_page(slug: str, preferences: Preferences) -> PeoplePage:
    """The people of a theme, those of the highest cards first."""
    theme = load_theme(slug)
    words = Vocabulary(theme, theme.editions[0], preferences.lang)
    return PeoplePage(
        slug=slug,
        title=theme.title(preferences.lang),
        about=words.fill(theme.about(preferences.lang)),
        premise=words.premise(),
        profiles=tuple(profile for card in _ranked(theme) for profile in _profiles(words, card)),
        victory=words.victory,
    )


def _ranked(theme: Theme) -> list[int]:
    """The cards of a theme, by the highest number that they have in its editions."""
    values = {
        int(card): max(BOXES[slug].values.get(card, 0) for slug in theme.editions)
        for card in (CARD_OF[name] for name in theme.cards)
    }
    return sorted(values, key=lambda card: (-values[card], card))


def _profiles(words: Vocabulary, card: int) -> list[Profile]:
    """The persons on a card, or the character where it has none."""
    theme, first, found = words.theme, 0, []
    for person in theme.persons(card, words.lang):
        found.append(_profile(words, card, first))
        first += person.copies
    return found or [_profile(words, card, None)]


def _profile(words: Vocabulary, card: int, copy: int | None) -> Profile:
    theme = words.theme
    shown = theme.portrait(card, words.lang, copy)
    edition = next(slug for slug in theme.editions if CARD_NAMES[card] in cards_of(slug))
    return Profile(
        title=shown.title,
        subtitle=shown.subtitle,
        line=words.fill(shown.line),
        sprite=f"{theme.sprite}.svg",
        emblem=shown.emblem,
        tint=tint_class(theme.slug, CARD_NAMES[card]),
        link=f"/rules/{edition}#{CARD_NAMES[card]}",
    )
